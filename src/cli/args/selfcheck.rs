//! Arguments of `selfcheck`.

use std::path::PathBuf;

use clap::ValueEnum;

pub(super) const SELFCHECK_EXAMPLES: &str = "\
Examples:
  reportgen selfcheck                          the shipped reference vectors
  reportgen selfcheck --vectors mine.json      vectors of your own, as JSON:
      [{\"id\": \"coin\", \"method\": \"normal_sf\", \"inputs\": {\"z\": 0}, \"expected\": {\"sf\": 0.5},
        \"tol\": {\"abs\": 1e-12}, \"source\": \"symmetry\"}]
  reportgen selfcheck --aa runs/a runs/b       false positives when the arms' labels are swapped
  reportgen selfcheck --aa runs/a              false positives between two random parts of one run

Differences of swapped or randomly divided labels are symmetric around 0, whatever the scores are
like: --aa does not put rules for skewed differences (such as the bootstrap-t) to the proof.

Exit status: 0 everything agrees, or false positives within their limit; 1 something disagrees or
could not be checked, or too many false positives; 2 usage; 3 no per-sample outcomes that could be
relabelled; 4 input or output failed";

/// Arguments of `selfcheck`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct SelfcheckArguments {
    /// Check the vectors of this file instead of the shipped ones; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "aa")]
    pub(in crate::cli) vectors: Vec<PathBuf>,
    /// Measure the false-positive rate on relabelled samples of one run, or of two that can be paired
    #[arg(long, value_name = "RUN", num_args = 1..=2)]
    pub(in crate::cli) aa: Vec<PathBuf>,
    /// Studies drawn for each cell
    #[arg(long, value_name = "COUNT", requires = "aa", default_value_t = 2000,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(in crate::cli) replicates: u32,
    /// Which random studies; equal seeds give equal ones
    #[arg(long, value_name = "SEED", requires = "aa", default_value_t = 0)]
    pub(in crate::cli) seed: u64,
    /// Significance level whose false positives are counted [default: 0.05]
    #[arg(long, value_name = "ALPHA", requires = "aa")]
    pub(in crate::cli) alpha: Option<f64>,
    /// Field of the samples that says which belong together, as for compare [default: auto]
    #[arg(long, value_name = "KEY", requires = "aa")]
    pub(in crate::cli) cluster: Option<String>,
    /// Configuration file, as for compare [default: reportgen.toml in the current directory, if
    /// there]
    #[arg(long, value_name = "FILE", requires = "aa")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// How to write the result
    #[arg(long, value_enum, default_value_t = SelfcheckFormat::Table)]
    pub(in crate::cli) format: SelfcheckFormat,
}

/// `--format` of `selfcheck`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SelfcheckFormat {
    /// For a person
    Table,
    /// For a program
    Json,
}
