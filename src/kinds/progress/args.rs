//! Arguments of `progress`.

use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen progress runs/grpo
  reportgen progress runs/grpo --from 3 --to 5 --config reportgen.toml --lang zh -o progress.md

Compares two steps of one run, by default the first and the last recorded. Declare rates, cost,
scores, signals, milestones and predictions in [progress] of reportgen.toml; without it, the report
is a table of all metrics with their trends.

Exit status: 0 done; 2 usage, configuration, or unrecorded step; 4 the run is unreadable or has no
metric over steps";

/// Arguments of `progress`.
#[derive(Debug, clap::Args)]
pub(super) struct ProgressArguments {
    /// Run directory, or a file of metrics over steps
    #[arg(value_name = "RUN")]
    pub(super) run: PathBuf,
    /// Earlier step [default: first recorded]
    #[arg(long, value_name = "STEP")]
    pub(super) from: Option<f64>,
    /// Later step [default: last recorded]
    #[arg(long, value_name = "STEP")]
    pub(super) to: Option<f64>,
    /// Number of generations to count patterns in [default: 5]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) last: Option<u64>,
}
