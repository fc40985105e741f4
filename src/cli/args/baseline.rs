//! Arguments of `baseline`.

use std::path::PathBuf;

use clap::Subcommand;

use super::RunInspection;

pub(super) const BASELINE_EXAMPLES: &str = "\
Examples:
  reportgen baseline save runs/main -o baselines/main.rgb
  reportgen compare baselines/main.rgb runs/new --fail-on regression
  reportgen baseline diff baselines/main.rgb runs/new

compare, check, phase, samples and inspect take such a file in the place of a run. It holds settings,
figures, series, scores and hashes of each sample, and no texts: 100,000 samples in about 1 MB. One run
always gives the same bytes.

Exit status: 0 done, 2 usage error, 4 a run or file cannot be read or written";

/// Arguments of `baseline`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct BaselineArguments {
    /// Action
    #[command(subcommand)]
    pub(in crate::cli) action: BaselineAction,
}

/// What to do with baselines.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum BaselineAction {
    /// Save a run, or several that repeat it, in one file for later comparisons
    Save {
        /// Run directories or files; several become one arm
        #[arg(value_name = "RUN", required = true, num_args = 1..)]
        runs: Vec<PathBuf>,
        /// File to write; an older baseline there is replaced
        #[arg(short, long, value_name = "FILE", required = true)]
        output: PathBuf,
        #[command(flatten)]
        chosen: RunInspection,
    },
    /// List baseline files, with what is in them
    List {
        /// Baseline files, or directories that hold some
        #[arg(value_name = "PATH", default_value = ".")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        chosen: RunInspection,
    },
    /// Show what a baseline file holds
    Show {
        /// Baseline file
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        chosen: RunInspection,
    },
    /// Show what differs between two baselines or runs: settings, figures, samples
    Diff {
        /// The older one
        #[arg(value_name = "A")]
        before: PathBuf,
        /// The newer one
        #[arg(value_name = "B")]
        after: PathBuf,
        #[command(flatten)]
        chosen: RunInspection,
    },
}

impl BaselineAction {
    /// How it reads what it is given.
    pub(in crate::cli) fn chosen(&self) -> &RunInspection {
        match self {
            Self::Save { chosen, .. }
            | Self::List { chosen, .. }
            | Self::Show { chosen, .. }
            | Self::Diff { chosen, .. } => chosen,
        }
    }
}
