//! Arguments of `templates`.

use std::path::PathBuf;

use clap::Subcommand;

pub(super) const TEMPLATES_EXAMPLES: &str = "\
Examples:
  reportgen templates list
  reportgen templates export my-templates
  reportgen compare base/ tuned/ --templates my-templates

Templates lay out and compute nothing; the files in text/, one for each language, hold the words.
A directory after --templates needs only the files, and of the words only the keys, that you changed.

Exit status: 0 done, 2 a file in DIR was changed and --force is not given, 4 DIR cannot be written";

/// Arguments of `templates`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct TemplatesArguments {
    /// What to do with them
    #[command(subcommand)]
    pub(in crate::cli) action: TemplatesAction,
}

/// What to do with templates.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum TemplatesAction {
    /// Name each of them
    List,
    /// Write them all below a directory
    Export {
        /// The directory; it is made if it is not there
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// Replace files that were changed
        #[arg(long)]
        force: bool,
    },
}
