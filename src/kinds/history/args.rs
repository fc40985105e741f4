//! Arguments of `history`.

use std::path::PathBuf;

use crate::quantity::Night;

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen history --metric accuracy --since 2026-03-01
  reportgen history /srv/nightly --job main --format csv > figures.csv
  reportgen history --run runs/2026-03-01 --format json

Shows the figures that `reportgen nightly` filed, the last revision of each run, one row a figure. The
files below DIR/history/v1 can be read with DuckDB, pandas or polars as they are; manifest.json lists
those that count.

Exit status: 0 done, 2 usage, 4 there is no history, or a file of it could not be read";

/// Arguments of `history`.
#[derive(Debug, clap::Args)]
pub(super) struct HistoryArguments {
    /// Output directory of `reportgen nightly`
    #[arg(value_name = "DIR", default_value = "nightly")]
    pub(super) directory: PathBuf,
    /// Metric by its canonical name; repeatable
    #[arg(long, value_name = "NAME")]
    pub(super) metric: Vec<String>,
    /// Run by its path below the root; repeatable
    #[arg(long, value_name = "RUN")]
    pub(super) run: Vec<String>,
    /// Job; repeatable
    #[arg(long, value_name = "JOB")]
    pub(super) job: Vec<String>,
    /// First night, such as 2026-03-01
    #[arg(long, value_name = "DATE", value_parser = night)]
    pub(super) since: Option<Night>,
    /// Last night
    #[arg(long, value_name = "DATE", value_parser = night)]
    pub(super) until: Option<Night>,
}

fn night(text: &str) -> Result<Night, String> {
    text.parse().map_err(|()| "write it as 2026-03-01".to_owned())
}
