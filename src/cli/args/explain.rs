//! Arguments of `explain`.

use clap::ValueEnum;

use crate::text::Lang;

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  reportgen explain R203
  reportgen explain r203 R207 --lang zh
  reportgen explain margin                     not a code; the error lists codes about margins
  reportgen explain chrf eval_accuracy         direction, unit, role and source of metrics
  reportgen explain --format json

Exit status: 0 done, 2 no such code or metric";

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ExplainArguments {
    /// Codes such as R203 or metric names, case-insensitive [default: list all codes]
    #[arg(value_name = "CODE_OR_METRIC")]
    pub(in crate::cli) words: Vec<String>,
    /// Output language [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub(in crate::cli) lang: Option<Lang>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
    pub(in crate::cli) format: ExplainFormat,
}

/// `--format` of `explain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ExplainFormat {
    /// Human-readable
    Text,
    /// Machine-readable: a list of objects
    Json,
}
