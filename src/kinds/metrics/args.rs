//! Arguments of `metrics`.

use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen metrics eval_step_500/results.jsonl -o eval_step_500/metrics
  reportgen metrics valid.jsonl mbpp.jsonl.gz --wall-clock codecontests_valid=120 --max-tokens 2048 -o out
  reportgen metrics --dataset HumanEval=samples.jsonl --format json | jq '.datasets[].metrics[]'

With -o DIR it also writes DIR/metrics.json, DIR/summary.json and DIR/qa_logs/. Memory stays the
same whatever the size of the files.

Exit status: 0 done; 2 usage; 4 no record of an outcome could be read";

/// Arguments of `metrics`.
#[derive(Debug, clap::Args)]
pub(super) struct MetricsArguments {
    /// Files of JSON lines, one judged answer a line, also .gz; or directories of such files
    #[arg(value_name = "SAMPLES", required_unless_present = "dataset")]
    pub(super) samples: Vec<PathBuf>,
    /// A file whose records all belong to that dataset, whatever they say; may be repeated
    #[arg(long, value_name = "NAME=FILE")]
    pub(super) dataset: Vec<String>,
    /// Seconds that the evaluation of a dataset took, for its throughput; may be repeated
    #[arg(long, value_name = "NAME=SECONDS")]
    pub(super) wall_clock: Vec<String>,
    /// Tokens at which generation stopped, where records do not say whether it did
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_tokens: Option<u64>,
    /// Seed of the records drawn for reading
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
}
