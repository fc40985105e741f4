//! Arguments of `best`.

use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen best runs/sft --metric exec_success_rate --dataset codecontests_valid
  reportgen best runs/sft -o out --format md,json      also writes out/best_checkpoint.json
  reportgen best runs/sft --format json | jq .best.not_separable

Reads evaluations by step or epoch (eval_step_500/summary.json, epoch_3/metrics.json, per-sample
records, best_checkpoint.json, logged val_accuracy) and the validation loss over them. Ties go to the earliest checkpoint.
[best] in reportgen.toml sets the same options, and [best.plan] the planned evaluations.

Exit status: 0 done, 2 usage, or unclear which metric decides, 4 I/O error";

/// Arguments of `best`.
#[derive(Debug, clap::Args)]
pub(super) struct BestArguments {
    /// Run directory
    #[arg(value_name = "RUN")]
    pub(super) run: PathBuf,
    /// Metric that decides [default: from the run's own best record, else the only metric
    /// beside losses]
    #[arg(long, value_name = "METRIC")]
    pub(super) metric: Option<String>,
    /// Dataset that decides
    #[arg(long, value_name = "DATASET")]
    pub(super) dataset: Option<String>,
    /// Higher is better for this metric, if the shipped catalogue does not know it; repeatable
    #[arg(long, value_name = "NAME")]
    pub(super) higher: Vec<String>,
    /// Lower is better for this metric; repeatable
    #[arg(long, value_name = "NAME")]
    pub(super) lower: Vec<String>,
    /// Loss over steps to show beside the metric [default: `val_loss`]
    #[arg(long, value_name = "NAME")]
    pub(super) loss: Option<String>,
    /// Significance level of the comparisons with the best [default: 0.05]
    #[arg(long, value_name = "ALPHA")]
    pub(super) alpha: Option<f64>,
}
