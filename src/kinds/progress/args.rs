//! Arguments of `progress`.

use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen progress runs/grpo
  reportgen progress runs/grpo --from 3 --to 5 --config reportgen.toml --lang zh -o progress.md

Compares two steps of one run: the first and the last recorded one unless --from and --to say
otherwise. Shares, cost, scores, signals, milestones and predictions are declared in [progress] of
reportgen.toml; without it there is a table of all metrics with their trends.

Exit status: 0 done; 2 usage, configuration, or a step that is not recorded; 4 the run cannot be
read or has no metric over steps";

/// Arguments of `progress`.
#[derive(Debug, clap::Args)]
pub(super) struct ProgressArguments {
    /// Directory of the run, or one file of metrics over steps
    #[arg(value_name = "RUN")]
    pub(super) run: PathBuf,
    /// The earlier step [default: the first that is recorded]
    #[arg(long, value_name = "STEP")]
    pub(super) from: Option<f64>,
    /// The later step [default: the last that is recorded]
    #[arg(long, value_name = "STEP")]
    pub(super) to: Option<f64>,
    /// Generations whose patterns are counted [default: 5]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) last: Option<u64>,
}
