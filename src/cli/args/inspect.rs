//! Arguments of `inspect`.

use std::path::PathBuf;

use super::Reading;
use crate::text::Lang;

/// Arguments of `inspect`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct InspectArguments {
    /// Run directories or files; of several runs in one, `PATH::COLUMN=VALUE`
    #[arg(value_name = "RUN", required = true, num_args = 1..)]
    pub(in crate::cli) runs: Vec<PathBuf>,
    /// Sample field that defines clusters, as for compare [default: auto]
    #[arg(long, value_name = "KEY")]
    pub(in crate::cli) cluster: Option<String>,
    /// Configuration file [default: reportgen.toml in the current directory, if any]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Output language [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub(in crate::cli) lang: Option<Lang>,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}
