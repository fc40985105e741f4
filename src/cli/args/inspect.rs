//! Arguments of `inspect`.

use std::path::PathBuf;

use super::RunInspection;

/// Arguments of `inspect`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct InspectArguments {
    /// Run directories or files, or addresses in an object store (`s3://bucket/runs/a`) or on the Hugging
    /// Face Hub (`hf://datasets/OWNER/NAME/runs/a`); of several runs in one, `PATH::COLUMN=VALUE`
    #[arg(value_name = "RUN", required = true, num_args = 1..)]
    pub(in crate::cli) runs: Vec<PathBuf>,
    /// Print `[[reader]]` blocks for files that no reader takes, to be added to reportgen.toml, instead
    #[arg(long)]
    pub(in crate::cli) suggest: bool,
    #[command(flatten)]
    pub(in crate::cli) chosen: RunInspection,
}
