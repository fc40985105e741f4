//! Arguments of `quality`.

use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen quality runs/grpo_base
  reportgen quality logs/train.log --patterns my_patterns.toml --lang zh -o report.md
  reportgen quality runs/grpo_base --format json | jq -r '.runs[].errors.signatures[] | [.count, .type] | @tsv'

Log lines are interpreted by patterns, shipped or your own (docs/formats.md).

Exit status: 0 done; 2 usage or configuration; 4 nothing could be read";

/// Arguments of `quality`.
#[derive(Debug, clap::Args)]
pub(super) struct QualityArguments {
    /// Run directories, logs or sample files
    #[arg(value_name = "RUN", required = true)]
    pub(super) runs: Vec<PathBuf>,
    /// Pattern file for log lines, applied before those in reportgen.toml; repeatable
    #[arg(long, value_name = "FILE")]
    pub(super) patterns: Vec<PathBuf>,
}
