//! Arguments of `selfcheck`.

use std::path::PathBuf;

use clap::ValueEnum;

pub(super) const SELFCHECK_EXAMPLES: &str = "\
Examples:
  reportgen selfcheck                          the shipped reference vectors
  reportgen selfcheck --vectors mine.json      your own vectors, as JSON:
      [{\"id\": \"coin\", \"method\": \"normal_sf\", \"inputs\": {\"z\": 0}, \"expected\": {\"sf\": 0.5},
        \"tol\": {\"abs\": 1e-12}, \"source\": \"symmetry\"}]
  reportgen selfcheck --aa runs/a runs/b       false positives when arm labels are swapped
  reportgen selfcheck --aa runs/a              false positives between two random parts of one run

With swapped or random labels, differences are symmetric around 0 whatever the scores, so --aa does
not test methods for skewed differences (such as bootstrap-t).

Exit status: 0 all checks pass, or false positives within their limit; 1 a check failed or could not
run, or too many false positives; 2 usage; 3 no per-sample outcomes to relabel; 4 I/O error";

/// Arguments of `selfcheck`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct SelfcheckArguments {
    /// Check the vectors in this file instead of the shipped ones; repeatable
    #[arg(long, value_name = "FILE", conflicts_with = "aa")]
    pub(in crate::cli) vectors: Vec<PathBuf>,
    /// Measure the false-positive rate on relabelled samples of one run, or of two paired runs
    #[arg(long, value_name = "RUN", num_args = 1..=2)]
    pub(in crate::cli) aa: Vec<PathBuf>,
    /// Number of simulated comparisons per result
    #[arg(long, value_name = "COUNT", requires = "aa", default_value_t = 2000,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) replicates: u32,
    /// Random seed
    #[arg(long, value_name = "SEED", requires = "aa", default_value_t = 0)]
    pub(in crate::cli) seed: u64,
    /// Significance level to test [default: 0.05]
    #[arg(long, value_name = "ALPHA", requires = "aa")]
    pub(in crate::cli) alpha: Option<f64>,
    /// Sample field that defines clusters, as for compare [default: auto]
    #[arg(long, value_name = "KEY", requires = "aa")]
    pub(in crate::cli) cluster: Option<String>,
    /// Configuration file [default: reportgen.toml in the current directory, if any]
    #[arg(long, value_name = "FILE", requires = "aa")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = SelfcheckFormat::Table)]
    pub(in crate::cli) format: SelfcheckFormat,
}

/// `--format` of `selfcheck`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SelfcheckFormat {
    /// Human-readable
    Table,
    /// Machine-readable
    Json,
}
