//! Arguments of `plan`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::Reading;
use crate::plan::Dialect;
use crate::text::Lang;

pub(super) const PLAN_EXAMPLES: &str = "\
Examples:
  reportgen plan a.parquet b.parquet --dialect duckdb > stats.sql
  reportgen plan 'runs/a/*.jsonl' runs/b --dialect spark --cluster repo > stats.sql
  reportgen plan table:lake.eval.a table:lake.eval.b --dialect trino --id sample_id --metric accepted
  reportgen plan a.parquet b.parquet --dialect duckdb --changed 500 > changed.sql

For samples that are too many to be read here. The engine runs the statement where they lie and writes
counts of some kilobytes; `reportgen compare --stats FILE` makes the report of them.

A and B are Parquet files or JSON lines, directories of them, or patterns. What their columns are is found
by their names and first records, as compare finds it; of a table or of files that cannot be opened here
--id and --metric have to say it.

Exit status: 0 done, 2 usage, 4 I/O error";

/// Arguments of `plan`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct PlanArguments {
    /// Samples of the baseline: files, a directory, a pattern, or table:CATALOG.SCHEMA.NAME
    #[arg(value_name = "A")]
    pub(in crate::cli) baseline: String,
    /// Samples of the candidate
    #[arg(value_name = "B")]
    pub(in crate::cli) candidate: String,
    /// Engine that is to run the statement
    #[arg(long, value_enum)]
    pub(in crate::cli) dialect: DialectArgument,
    /// Column of scores; repeatable [default: all that are found]
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) metric: Vec<String>,
    /// Column of scores with so many distinct values that their sums are taken instead; repeatable
    /// [default: by the first records]
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) sums: Vec<String>,
    /// Column that says which samples are the same [default: by its name]
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) id: Option<String>,
    /// Column with the name of the dataset [default: by its name]
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) dataset: Option<String>,
    /// Column with the prompt, `none` for no comparison of prompts [default: by its name]
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) prompt: Option<String>,
    /// Column with the right answer, `none` for no comparison [default: by its name]
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) target: Option<String>,
    /// Column that says which samples belong together, `none` if all are independent [default: by its name]
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) cluster: Option<String>,
    /// File, or directory, that the engine is to write
    #[arg(long, value_name = "PATH", default_value = "stats.parquet")]
    pub(in crate::cli) output: String,
    /// Write the statement that lists samples whose scores differ, this many at most, instead
    #[arg(long, value_name = "MOST", num_args = 0..=1, default_missing_value = "1000")]
    pub(in crate::cli) changed: Option<u64>,
    /// Configuration file [default: reportgen.toml in the current directory, if any]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Language of messages [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub(in crate::cli) lang: Option<Lang>,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}

/// `--dialect`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DialectArgument {
    Duckdb,
    Spark,
    Trino,
    Bigquery,
}

impl From<DialectArgument> for Dialect {
    fn from(asked: DialectArgument) -> Self {
        match asked {
            DialectArgument::Duckdb => Self::Duckdb,
            DialectArgument::Spark => Self::Spark,
            DialectArgument::Trino => Self::Trino,
            DialectArgument::Bigquery => Self::Bigquery,
        }
    }
}
