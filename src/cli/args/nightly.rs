//! Arguments of `nightly`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::Reading;
use crate::quantity::{Moment, Period};
use crate::text::Lang;

pub(super) const NIGHTLY_EXAMPLES: &str = "\
Examples:
  reportgen nightly                      every job of reportgen.toml
  reportgen nightly main -o /srv/nightly
  reportgen nightly --dry-run            what would be compared with what
  reportgen nightly --accept main=runs/2026-03-01
  reportgen nightly --acknowledge main=accuracy

A job is a table of reportgen.toml:

  [job.main]
  runs = \"runs/*\"
  baseline = \"previous\"
  metric = [\"accuracy\"]
  fail-on = [\"regression\"]
  due = \"06:00\"

New and changed runs are compared with their baseline, one report for each night, beside an index of
all jobs and a history of all figures. A run that may still be written is waited for. A second call
without changes writes nothing. See docs/nightly.md

Exit status: 0 done, 1 a gate of the last night failed, 2 usage, 3 gates not evaluated, 4 I/O error or a
comparison that could not be made, 5 another process is at work in the output directory";

/// Arguments of `nightly`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct NightlyArguments {
    /// Jobs to run [default: all]
    #[arg(value_name = "JOB")]
    pub(in crate::cli) jobs: Vec<String>,
    /// Directory that the patterns of jobs are below [default: that of the configuration file]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) root: Option<PathBuf>,
    /// Output directory
    #[arg(short, long, value_name = "DIR", default_value = "nightly")]
    pub(in crate::cli) output: PathBuf,
    /// The time in place of the clock's, such as 2026-03-01T07:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(in crate::cli) at: Option<Moment>,
    /// How long a run without a sign of its end has to stay as it is until it is judged: 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "10m")]
    pub(in crate::cli) quiet_period: i64,
    /// Say what would be done, and write nothing
    #[arg(long, conflicts_with_all = ["accept", "acknowledge", "dismiss"])]
    pub(in crate::cli) dry_run: bool,
    /// Take a run for the baseline of `baseline = "accepted"` from now on; repeatable
    #[arg(long, value_name = "JOB=RUN", value_parser = pair)]
    pub(in crate::cli) accept: Vec<(String, String)>,
    /// The alert of a metric, or DATASET/METRIC, is known: it stays listed and is no longer the headline
    #[arg(long, value_name = "JOB=METRIC", value_parser = pair)]
    pub(in crate::cli) acknowledge: Vec<(String, String)>,
    /// The alert of a metric, or DATASET/METRIC, is a false alarm: it is no longer shown
    #[arg(long, value_name = "JOB=METRIC", value_parser = pair)]
    pub(in crate::cli) dismiss: Vec<(String, String)>,
    /// Form of the log on standard error
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) log_format: LogFormat,
    /// Language of reports and index [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub(in crate::cli) lang: Option<Lang>,
    /// Configuration file [default: reportgen.toml in the current directory]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}

/// `--log-format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(in crate::cli) enum LogFormat {
    /// Lines for people
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

fn moment(text: &str) -> Result<Moment, String> {
    text.parse()
        .map_err(|()| "write it as 2026-03-01T07:00:00Z or 2026-03-01T07:00:00+01:00".to_owned())
}

fn seconds(text: &str) -> Result<i64, String> {
    let period: Result<Period, ()> = text.parse();
    period.map(Period::seconds).map_err(|()| "write it as 90s, 10m, 2h or 1d".to_owned())
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (job, run) = text.split_once('=').ok_or("write JOB=NAME")?;
    Ok((job.trim().to_owned(), run.trim().to_owned()))
}
