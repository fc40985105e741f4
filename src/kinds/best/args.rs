//! Arguments of `best`.

use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen best runs/sft --metric exec_success_rate --dataset codecontests_valid
  reportgen best runs/sft -o out --format md,json      also writes out/best_checkpoint.json
  reportgen best runs/sft --format json | jq .best.not_separable

Reads evaluations by step (eval_step_500/summary.json, metrics.json, per-sample records,
best_checkpoint.json) and the validation loss over steps. Ties go to the earliest checkpoint.
[best] in reportgen.toml sets the same options, and [best.plan] the planned evaluations.

Exit status: 0 done, 2 usage, or unclear which metric decides, 4 I/O error";

/// Arguments of `best`.
#[derive(Debug, clap::Args)]
pub(super) struct BestArguments {
    /// Run directory
    #[arg(value_name = "RUN")]
    pub(super) run: PathBuf,
    /// Metric that decides [default: from the run's own best record, else the only metric]
    #[arg(long, value_name = "METRIC")]
    pub(super) metric: Option<String>,
    /// Dataset that decides
    #[arg(long, value_name = "DATASET")]
    pub(super) dataset: Option<String>,
    /// Loss over steps to show beside the metric [default: `val_loss`]
    #[arg(long, value_name = "NAME")]
    pub(super) loss: Option<String>,
    /// Significance level of the comparisons with the best [default: 0.05]
    #[arg(long, value_name = "ALPHA")]
    pub(super) alpha: Option<f64>,
}
