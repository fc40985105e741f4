//! Arguments of `templates`.

use std::path::PathBuf;

use clap::Subcommand;

pub(super) const TEMPLATES_EXAMPLES: &str = "\
Examples:
  reportgen templates list
  reportgen templates export my-templates
  reportgen compare base/ tuned/ --templates my-templates

Templates only do layout. The wording is in text/, one file per language. A --templates directory
needs only the files you changed and, in text/, only the keys you changed.

Exit status: 0 done, 2 DIR has modified files and --force is not given, 4 DIR cannot be written";

/// Arguments of `templates`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct TemplatesArguments {
    /// Action
    #[command(subcommand)]
    pub(in crate::cli) action: TemplatesAction,
}

/// What to do with templates.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum TemplatesAction {
    /// List all templates
    List,
    /// Write all templates to a directory
    Export {
        /// Target directory, created if needed
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// Overwrite modified files
        #[arg(long)]
        force: bool,
    },
}
