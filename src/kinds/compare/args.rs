//! Arguments of `compare`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::gate::GateRule;
use crate::kinds::arms::ArmsArguments;
use crate::kinds::samples::SamplesBeside;
use crate::model::Prose;

/// What is settled before samples are counted, and what asks for single runs or samples.
const COUNTED_ALREADY: [&str; 9] =
    ["runs", "arms", "across", "noise", "samples", "baseline", "chosen", "pool", "pass_at"];

pub(super) const EXAMPLES: &str = "\
Examples:
  reportgen compare runs/kl-0.15 runs/kl-0.12 --vary kl_beta
  reportgen compare base.csv tuned.csv -o out/ --format md,html,json
  reportgen compare base/ tuned/ -o report.html --samples 50
  reportgen compare base/ tuned/ --fail-on regression,mismatch --margin exact_match=1
  reportgen compare base/ tuned/ --accept R201:base_checkpoint --fail-on mismatch
  reportgen compare base/ tuned/ --noise base-rerun1/ base-rerun2/
  reportgen compare --stats stats.parquet
  reportgen compare kl-0.15/ kl-0.12/ --vary kl_beta --by samples,shot --split epoch
  reportgen compare answers.csv --across model --baseline gpt-4
  reportgen compare runs --across kl_beta --where seed=0
  reportgen compare --arm base='runs/base-seed*' --arm tuned='runs/tuned-seed*'

A run is a directory or a single file. Supported input: per-sample outcomes (JSONL, JSON, CSV or
Parquet with an id and a score column), metrics.json, summary.json, best_checkpoint.json, result
grids, per-step metrics (CSV, JSONL), configurations (YAML, JSON, TOML), the training data they
name, and lm-evaluation-harness results and samples. `reportgen inspect RUN` shows what was found.

One of several runs in a file is named by a column of its records: answers.jsonl::model=gpt-4.
Such a file is refused as one run, unless seeds alone differ or --pool COLUMN averages over the
column.

A directory of several runs (runs/, mlruns/, a sweep) is refused as one run, with their names. Name
one as runs::NAME or by its configuration as runs::lr=1e-3, several as 'runs::PATTERN', or make arms
of a key with --across KEY; --pool run reads the directory as one run.

To compare several trainings with different seeds as one arm, use --arm. The seed is then the unit,
and verdicts are about a new training run. Quote patterns (*, ?, [...]) so that the shell does not
expand them; --arm NAME=A --arm NAME=B adds both to one arm.

Exit status: 0 done, 1 gate failed, 2 usage, 3 gates not evaluated, 4 I/O error";

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
pub(in crate::kinds) struct CompareArguments {
    /// What is compared with what.
    #[command(flatten)]
    pub(super) arms: ArmsArguments,
    /// File of counts that an engine wrote by the statement of `reportgen plan`, in the place of RUNs
    #[arg(long, value_name = "FILE", conflicts_with_all = COUNTED_ALREADY)]
    pub(super) stats: Option<PathBuf>,
    /// Repeated runs of the baseline's configuration (same or another seed), as paths or patterns.
    /// Their spread is the noise floor; differences within it are inconclusive
    #[arg(long, value_name = "RUN", num_args = 1..)]
    pub(super) noise: Vec<String>,
    /// Significance level of all primary tests together [default: 0.05]
    #[arg(long, value_name = "ALPHA")]
    pub(super) alpha: Option<f64>,
    /// Power for detectable differences and needed sample sizes [default: 0.8]
    #[arg(long, value_name = "POWER")]
    pub(super) power: Option<f64>,
    /// Primary metric, tested at the full level; repeatable [default: by metric roles]
    #[arg(long, value_name = "NAME")]
    pub(super) metric: Vec<String>,
    /// Higher is better for this metric, if the shipped catalogue does not know it; repeatable
    #[arg(long, value_name = "NAME")]
    pub(super) higher: Vec<String>,
    /// Lower is better for this metric; repeatable
    #[arg(long, value_name = "NAME")]
    pub(super) lower: Vec<String>,
    /// Largest difference that does not matter: within ±VALUE is equivalent, above −VALUE is not
    /// inferior (for rates in pp, also written `VALUEpp`); repeatable
    #[arg(long, value_name = "METRIC=VALUE")]
    pub(super) margin: Vec<String>,
    /// Additional k for pass@k and pass^k if problems have several answers; comma-separated
    #[arg(long, value_name = "K", value_delimiter = ',')]
    pub(super) pass_at: Vec<u32>,
    /// Gates to apply: exit with 1 if one fails, 3 if one cannot be evaluated; comma-separated
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_enum)]
    pub(super) fail_on: Vec<RuleArgument>,
    /// Treat inconclusive gates as failed
    #[arg(long)]
    pub(super) strict: bool,
    /// Keep verdicts valid if a growing run is compared repeatedly (paired 0/1 outcomes only; not
    /// with --margin)
    #[arg(long)]
    pub(super) anytime: bool,
    /// Axes of the result tables, comma-separated: the last for columns, the others for rows
    /// (`dataset` is an axis too). Planned results that have not run yet show as ?
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    pub(super) by: Vec<String>,
    /// Axis with separate tables for each value [default: epoch, step or similar]
    #[arg(long, value_name = "KEY")]
    pub(super) split: Option<String>,
    /// Sections to leave for you to fill in; comma-separated [default: both with --by or --split]
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_enum)]
    pub(super) prose: Vec<ProseArgument>,
    /// Samples in the report.
    #[command(flatten)]
    pub(in crate::kinds) shown: SamplesBeside,
}

/// `--prose`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ProseArgument {
    /// Strengths and weaknesses of each candidate
    Findings,
    /// Recommendation
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
    /// A result is worse
    Regression,
    /// Runs are confounded or not comparable
    Mismatch,
    /// One arm lacks a result, or too many samples, that the other has
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
