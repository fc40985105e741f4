//! Arguments of `check`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{Own, document_name};
use crate::text::Lang;

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  reportgen check runs/kl-0.15 runs/kl-0.12 --vary kl_beta && ./start_eval.sh
  reportgen check base/config.yaml tuned/config.yaml
  reportgen check base/ tuned/ --fail-on warning -o out/ --format md,json

The comparability part of `reportgen compare` alone: configurations, data files, samples where
there are any, and what was noticed while reading. No figure is compared and no statistic
computed. Results that a run has not yet are no finding. `reportgen inspect RUN` looks at one run
by itself.

The exit status is the answer, so that a script can wait for it: 3 when runs are confounded or
not comparable, whatever --fail-on says; --report-only ends with 0 then. fail_on of reportgen.toml
is for compare and not used here.

Exit status: 0 comparable as declared, 1 --fail-on warning found one, 2 usage, 3 confounded or not
comparable, 4 input or output failed";

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct CheckArguments {
    /// Run directories or files; the first is the baseline unless --baseline names another
    #[arg(value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Runs of one arm: a path or a pattern, as for compare
    #[arg(long, value_name = "NAME=PATTERN")]
    pub arm: Vec<String>,
    /// What the others are compared with: one of RUN, or the name of an arm
    #[arg(long, value_name = "RUN|NAME")]
    pub baseline: Option<PathBuf>,
    /// Configuration key that is meant to differ; may be repeated
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    pub vary: Vec<String>,
    /// Finding that you answer for: it is shown as accepted, never hidden, and no longer confounds,
    /// blocks or counts as a warning. What is missing stays missing: incomplete runs get no verdict.
    /// SUBJECT is a key, metric, dataset, run or candidate that the finding names; may be repeated
    #[arg(long, value_name = "CODE[:SUBJECT]")]
    pub accept: Vec<String>,
    /// Where to write: a directory, a file, or - for standard output
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Formats, comma-separated: md, html, json
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = document_name)]
    pub format: Vec<String>,
    /// Language of the report [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub lang: Option<Lang>,
    /// Field of the samples that says which belong together, as for compare [default: auto]
    #[arg(long, value_name = "KEY")]
    pub cluster: Option<String>,
    /// Exit with 1 on any warning too; a mismatch always ends with 3
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_enum)]
    pub fail_on: Vec<CheckRule>,
    /// Exit with 0 whatever is found
    #[arg(long, conflicts_with = "fail_on")]
    pub report_only: bool,
    /// Directory with templates that replace or join the shipped ones
    #[arg(long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
    /// Configuration file [default: reportgen.toml in the current directory, if there]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The kind of report that the user made of this one.
    #[arg(skip)]
    pub own: Option<Own>,
}

/// `--fail-on` of `check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckRule {
    /// Runs are confounded or not comparable; always on
    Mismatch,
    /// Anything noticed that is more than a remark
    Warning,
}
