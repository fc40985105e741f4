//! Arguments of `init`.

use std::path::PathBuf;

use super::Reading;
use crate::text::Lang;

pub(super) const INIT_EXAMPLES: &str = "\
Examples:
  reportgen init runs/base runs/tuned
  reportgen init runs                    of all runs in a directory
  reportgen init runs -o -               shows it, and writes nothing

What is found in the runs (metrics, settings that differ, seeds, where they lie) is written as a
reportgen.toml with a comment on each choice. What only you can know stands behind a #

Exit status: 0 done, 2 usage or the file is there already, 4 I/O error";

/// Arguments of `init`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct InitArguments {
    /// Runs as later commands will read them: directories or files, or one directory of several
    #[arg(value_name = "RUN", required = true, num_args = 1..)]
    pub(in crate::cli) runs: Vec<PathBuf>,
    /// File to write; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "reportgen.toml")]
    pub(in crate::cli) output: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    pub(in crate::cli) force: bool,
    /// Language of the comments [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub(in crate::cli) lang: Option<Lang>,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}
