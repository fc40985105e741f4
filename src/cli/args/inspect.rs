//! Arguments of `inspect`.

use std::path::PathBuf;

use crate::text::Lang;

/// Arguments of `inspect`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct InspectArguments {
    /// Run directories or files
    #[arg(value_name = "RUN", required = true, num_args = 1..)]
    pub(in crate::cli) runs: Vec<PathBuf>,
    /// Field of the samples that says which belong together, as for compare [default: auto]
    #[arg(long, value_name = "KEY")]
    pub(in crate::cli) cluster: Option<String>,
    /// Configuration file, as for compare [default: reportgen.toml in the current directory, if
    /// there]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Language of the findings [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub(in crate::cli) lang: Option<Lang>,
}
