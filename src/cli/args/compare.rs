//! Arguments of `compare`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{Own, format_name};
use crate::gate::Rule;
use crate::model::Prose;
use crate::text::Lang;

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  reportgen compare runs/kl-0.15 runs/kl-0.12 --vary kl_beta
  reportgen compare base.csv tuned.csv -o out/ --format md,html,json
  reportgen compare base/ tuned/ --fail-on regression,mismatch --margin exact_match=1
  reportgen compare base/ tuned/ --accept R201:base_checkpoint --fail-on mismatch
  reportgen compare base/ tuned/ --noise base-rerun1/ base-rerun2/
  reportgen compare kl-0.15/ kl-0.12/ --vary kl_beta --by samples,shot --split epoch
  reportgen compare --arm base='runs/base-seed*' --arm tuned='runs/tuned-seed*'

A run is a directory (or a single file). What is read: per-sample outcomes (JSONL, JSON, CSV,
Parquet with an id and a score column), metrics.json, summary.json, best_checkpoint.json, result
grids, per-step metrics (CSV, JSONL), configurations (YAML, JSON, TOML), training data that these
name, lm-evaluation-harness results and samples. `reportgen inspect RUN` shows what was found.

Several trainings of one arm, repeated with other seeds, are compared as one: name them with --arm.
The seed is then the unit, and verdicts are about a new training run. A pattern (*, ?, [...]) stands
in quotes, so that reportgen and not the shell expands it; --arm NAME=A --arm NAME=B adds up.

Exit status: 0 done, 1 gate failed, 2 usage, 3 not gateable, 4 input or output failed";

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
pub struct CompareArguments {
    /// Run directories or files; the first is the baseline unless --baseline names another
    #[arg(value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Runs of one arm: a path or a pattern; repeat it for further arms, or to add runs to one. The
    /// first arm is the baseline. Each RUN beside it is an arm of its own and needs --baseline
    #[arg(long, value_name = "NAME=PATTERN")]
    pub arm: Vec<String>,
    /// Further runs of the baseline's configuration (another seed, or run again): how far they lie
    /// apart is the noise floor, and a difference within it is no verdict. Paths or patterns
    #[arg(long, value_name = "RUN", num_args = 1..)]
    pub noise: Vec<String>,
    /// What the others are compared with: one of RUN, or the name of an arm
    #[arg(long, value_name = "RUN|NAME")]
    pub baseline: Option<PathBuf>,
    /// Configuration key that is meant to differ; may be repeated
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    pub vary: Vec<String>,
    /// Where to write: a directory (report.md, report.html, …), a file, or - for standard output
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Formats, comma-separated: md, html, json, csv
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = format_name)]
    pub format: Vec<String>,
    /// Language of the report [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub lang: Option<Lang>,
    /// Significance level of the family of tests [default: 0.05]
    #[arg(long, value_name = "ALPHA")]
    pub alpha: Option<f64>,
    /// Power for detectable effects and needed sizes [default: 0.8]
    #[arg(long, value_name = "POWER")]
    pub power: Option<f64>,
    /// What does not matter: within ±VALUE is equivalent, above −VALUE not inferior (pp for rates,
    /// or `VALUEpp`); may be repeated
    #[arg(long, value_name = "METRIC=VALUE")]
    pub margin: Vec<String>,
    /// Finding that you answer for: it is shown as accepted, never hidden, and no longer confounds,
    /// blocks or counts as a warning. What is missing stays missing: incomplete runs get no verdict.
    /// SUBJECT is a key, metric, dataset, run or candidate that the finding names; may be repeated
    #[arg(long, value_name = "CODE[:SUBJECT]")]
    pub accept: Vec<String>,
    /// Field of the samples that says which belong together: a name, a path such as doc.page,
    /// none, or auto [default: auto]
    #[arg(long, value_name = "KEY")]
    pub cluster: Option<String>,
    /// Further k of pass@k and pass^k where problems have several answers; comma-separated
    #[arg(long, value_name = "K", value_delimiter = ',')]
    pub pass_at: Vec<u32>,
    /// Exit with 1 or 3 when this is found; comma-separated
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_enum)]
    pub fail_on: Vec<RuleArgument>,
    /// Let a gate that stays undecided fail
    #[arg(long)]
    pub strict: bool,
    /// Verdicts that hold however often a growing run is compared (paired outcomes 0 or 1 only;
    /// not with --margin)
    #[arg(long)]
    pub anytime: bool,
    /// Axes of the grids of results, comma-separated: the last one makes columns, the others rows;
    /// `dataset` is an axis too. What is planned and not run yet is then shown as ?
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    pub by: Vec<String>,
    /// Axis of which each value gets its own tables [default: epoch, step or the like]
    #[arg(long, value_name = "KEY")]
    pub split: Option<String>,
    /// Parts left for a person to write; comma-separated [default: both with --by or --split]
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_enum)]
    pub prose: Vec<ProseArgument>,
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

/// `--prose`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProseArgument {
    /// Strengths and weaknesses of each candidate
    Findings,
    /// What to choose
    Conclusion,
    /// Neither
    None,
}

impl ProseArgument {
    /// The part; `None` for neither.
    pub fn part(self) -> Option<Prose> {
        match self {
            Self::Findings => Some(Prose::Findings),
            Self::Conclusion => Some(Prose::Conclusion),
            Self::None => None,
        }
    }
}

/// `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RuleArgument {
    /// Some cell is worse
    Regression,
    /// Runs are confounded or not comparable
    Mismatch,
    /// A figure, or too many samples, of one arm are missing in the other
    Missing,
    /// Anything noticed that is more than a remark
    Warning,
    /// An expectation is missed or violated (only for `reportgen phase`)
    Expectation,
}

impl From<RuleArgument> for Rule {
    fn from(argument: RuleArgument) -> Self {
        match argument {
            RuleArgument::Regression => Self::Regression,
            RuleArgument::Mismatch => Self::Mismatch,
            RuleArgument::Missing => Self::Missing,
            RuleArgument::Warning => Self::Warning,
            RuleArgument::Expectation => Self::Expectation,
        }
    }
}
