//! Arguments of `metrics`.

use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen metrics eval_step_500/results.jsonl -o eval_step_500/metrics
  reportgen metrics valid.jsonl mbpp.jsonl.gz --wall-clock codecontests_valid=120 --max-tokens 2048 -o out
  reportgen metrics --dataset HumanEval=samples.jsonl --format json | jq '.datasets[].metrics[]'

With -o DIR it also writes DIR/metrics.json, DIR/summary.json and DIR/qa_logs/. Memory use does not
grow with file size.

Exit status: 0 done; 2 usage; 4 no readable record with an outcome";

/// Arguments of `metrics`.
#[derive(Debug, clap::Args)]
pub(super) struct MetricsArguments {
    /// JSON-lines files (or .gz, .zst) with one judged answer per line, or directories of them
    #[arg(value_name = "SAMPLES", required_unless_present = "dataset")]
    pub(super) samples: Vec<PathBuf>,
    /// Assign all records of FILE to dataset NAME, whatever they say themselves; repeatable
    #[arg(long, value_name = "NAME=FILE")]
    pub(super) dataset: Vec<String>,
    /// Evaluation time of a dataset in seconds, for throughput; repeatable
    #[arg(long, value_name = "NAME=SECONDS")]
    pub(super) wall_clock: Vec<String>,
    /// Token limit of generation, for records that do not say whether they were truncated
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_tokens: Option<u64>,
    /// Seed for the records sampled for review
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
}
