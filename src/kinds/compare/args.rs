//! Arguments of `compare`.

use clap::ValueEnum;

use crate::gate::GateRule;
use crate::kinds::arms::ArmsArguments;
use crate::model::Prose;

pub(super) const EXAMPLES: &str = "\
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
pub(in crate::kinds) struct CompareArguments {
    /// What is compared with what.
    #[command(flatten)]
    pub(super) arms: ArmsArguments,
    /// Further runs of the baseline's configuration (another seed, or run again): how far they lie
    /// apart is the noise floor, and a difference within it is no verdict. Paths or patterns
    #[arg(long, value_name = "RUN", num_args = 1..)]
    pub(super) noise: Vec<String>,
    /// Significance level of the primary tests together [default: 0.05]
    #[arg(long, value_name = "ALPHA")]
    pub(super) alpha: Option<f64>,
    /// Power for detectable effects and needed sizes [default: 0.8]
    #[arg(long, value_name = "POWER")]
    pub(super) power: Option<f64>,
    /// Metric that decides: tested first and at the whole level, all others after it [default: by the
    /// role of each metric]; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(super) metric: Vec<String>,
    /// More of this metric is better: for names that the shipped catalogue does not know; may be
    /// repeated
    #[arg(long, value_name = "NAME")]
    pub(super) higher: Vec<String>,
    /// Less of this metric is better; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(super) lower: Vec<String>,
    /// What does not matter: within ±VALUE is equivalent, above −VALUE not inferior (pp for rates,
    /// or `VALUEpp`); may be repeated
    #[arg(long, value_name = "METRIC=VALUE")]
    pub(super) margin: Vec<String>,
    /// Further k of pass@k and pass^k where problems have several answers; comma-separated
    #[arg(long, value_name = "K", value_delimiter = ',')]
    pub(super) pass_at: Vec<u32>,
    /// Exit with 1 or 3 when this is found; comma-separated
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_enum)]
    pub(super) fail_on: Vec<RuleArgument>,
    /// Let a gate that stays undecided fail
    #[arg(long)]
    pub(super) strict: bool,
    /// Verdicts that hold however often a growing run is compared (paired outcomes 0 or 1 only;
    /// not with --margin)
    #[arg(long)]
    pub(super) anytime: bool,
    /// Axes of the grids of results, comma-separated: the last one makes columns, the others rows;
    /// `dataset` is an axis too. What is planned and not run yet is then shown as ?
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    pub(super) by: Vec<String>,
    /// Axis of which each value gets its own tables [default: epoch, step or the like]
    #[arg(long, value_name = "KEY")]
    pub(super) split: Option<String>,
    /// Parts left for a person to write; comma-separated [default: both with --by or --split]
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_enum)]
    pub(super) prose: Vec<ProseArgument>,
}

/// `--prose`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ProseArgument {
    /// Strengths and weaknesses of each candidate
    Findings,
    /// What to choose
    Conclusion,
    /// Neither
    None,
}

impl ProseArgument {
    /// The part; `None` for neither.
    pub(super) fn part(self) -> Option<Prose> {
        match self {
            Self::Findings => Some(Prose::Findings),
            Self::Conclusion => Some(Prose::Conclusion),
            Self::None => None,
        }
    }
}

/// `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RuleArgument {
    /// Some cell is worse
    Regression,
    /// Runs are confounded or not comparable
    Mismatch,
    /// A figure, or too many samples, of one arm are missing in the other
    Missing,
    /// Any finding of severity warning or error
    Warning,
    /// An expectation is missed or violated (only for `reportgen phase`)
    Expectation,
}

impl From<RuleArgument> for GateRule {
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
