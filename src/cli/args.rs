//! The arguments. The only file with attributes of the parser.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::gate::Rule;
use crate::render;
use crate::text::Lang;

/// Compare training and evaluation runs: comparability first, then statistics, then a report.
#[derive(Debug, Parser)]
#[command(name = "reportgen", version, about, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit status:
  0  done; gates asked for with --fail-on passed, or stayed undecided and say so
  1  a gate failed, or with --strict stayed undecided
  2  wrong usage or configuration
  3  not gateable: runs are not comparable, or required results are missing
  4  input or output failed";

const COMPARE_EXAMPLES: &str = "\
Examples:
  reportgen compare runs/kl-0.15 runs/kl-0.12 --vary kl_beta
  reportgen compare base.csv tuned.csv -o out/ --format md,html,json
  reportgen compare base/ tuned/ --fail-on regression,mismatch --margin exact_match=1
  reportgen compare base/ tuned/ --accept R201:base_checkpoint --fail-on mismatch
  reportgen compare base/ tuned/ --noise base-rerun1/ base-rerun2/
  reportgen compare --arm base='runs/base-seed*' --arm tuned='runs/tuned-seed*'

A run is a directory (or a single file). What is read: per-sample outcomes (JSONL, JSON, CSV,
Parquet with an id and a score column), metrics.json, summary.json, best_checkpoint.json, result
grids, per-step metrics (CSV, JSONL), configurations (YAML, JSON, TOML), training data that these
name, lm-evaluation-harness results and samples. `reportgen inspect RUN` shows what was found.

Several trainings of one arm, repeated with other seeds, are compared as one: name them with --arm.
The seed is then the unit, and verdicts are about a new training run. A pattern (*, ?, [...]) stands
in quotes, so that reportgen and not the shell expands it; --arm NAME=A --arm NAME=B adds up.

Exit status: 0 done, 1 gate failed, 2 usage, 3 not gateable, 4 input or output failed";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  reportgen explain R203
  reportgen explain r203 R207 --lang zh        title and advice in Chinese, the rule in English
  reportgen explain margin                     no code; the error names codes about margins
  reportgen explain --format json

Exit status: 0 done, 2 no such code";

const CHECK_EXAMPLES: &str = "\
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

const HANDOFF_EXAMPLES: &str = "\
Examples:
  reportgen handoff runs/sft/global_step_1000/huggingface
  reportgen handoff model --scan --format json | jq -r '.checks[] | [.check, .outcome] | @tsv'

Reads config.json, the tokenizer and the headers of the weights; loads nothing, needs no GPU.

Exit status: 0 ready; 1 not ready; 2 usage; 4 the directory cannot be read";

const SELFCHECK_EXAMPLES: &str = "\
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

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compare a baseline run with one or more candidates
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(Box<CompareArguments>),
    /// Decide whether runs may be compared, before an evaluation is paid for; they need no results yet
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Say whether a checkpoint directory is complete and loadable
    #[command(after_help = HANDOFF_EXAMPLES)]
    Handoff(HandoffArguments),
    /// Show what is found in a run: files, readers, metrics, samples, configuration
    Inspect(InspectArguments),
    /// Say what the code of a finding means, or list all codes
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArguments),
    /// Check the statistics: against reference vectors, or for false positives on your own samples
    #[command(after_help = SELFCHECK_EXAMPLES)]
    Selfcheck(SelfcheckArguments),
}

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
    pub lang: Option<LangArgument>,
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
    /// Directory with templates that replace or join the shipped ones
    #[arg(long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
    /// Configuration file [default: reportgen.toml in the current directory, if there]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

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
    pub lang: Option<LangArgument>,
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
}

/// `--fail-on` of `check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckRule {
    /// Runs are confounded or not comparable; always on
    Mismatch,
    /// Anything noticed that is more than a remark
    Warning,
}

/// Arguments of `handoff`.
#[derive(Debug, clap::Args)]
pub struct HandoffArguments {
    /// Directory with config.json, tokenizer and weights
    #[arg(value_name = "MODEL_DIR")]
    pub model: PathBuf,
    /// Look through the numbers of the weights too, for NaN, infinities and tensors of zeros
    #[arg(long)]
    pub scan: bool,
    /// Where to write: a directory (report.md, report.html, …), a file, or - for standard output
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Formats, comma-separated: md, html, json, csv
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = format_name)]
    pub format: Vec<String>,
    /// Language of the report [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub lang: Option<LangArgument>,
    /// Directory with templates that replace or join the shipped ones
    #[arg(long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
}

/// Arguments of `inspect`.
#[derive(Debug, clap::Args)]
pub struct InspectArguments {
    /// Run directories or files
    #[arg(value_name = "RUN", required = true, num_args = 1..)]
    pub runs: Vec<PathBuf>,
    /// Field of the samples that says which belong together, as for compare [default: auto]
    #[arg(long, value_name = "KEY")]
    pub cluster: Option<String>,
    /// Configuration file, as for compare [default: reportgen.toml in the current directory, if
    /// there]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Language of the findings [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub lang: Option<LangArgument>,
}

/// Arguments of `selfcheck`.
#[derive(Debug, clap::Args)]
pub struct SelfcheckArguments {
    /// Check the vectors of this file instead of the shipped ones; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "aa")]
    pub vectors: Vec<PathBuf>,
    /// Measure the false-positive rate on relabelled samples of one run, or of two that can be paired
    #[arg(long, value_name = "RUN", num_args = 1..=2)]
    pub aa: Vec<PathBuf>,
    /// Studies drawn for each cell
    #[arg(long, value_name = "COUNT", requires = "aa", default_value_t = 2000,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub replicates: u32,
    /// Which random studies; equal seeds give equal ones
    #[arg(long, value_name = "SEED", requires = "aa", default_value_t = 0)]
    pub seed: u64,
    /// Significance level whose false positives are counted [default: 0.05]
    #[arg(long, value_name = "ALPHA", requires = "aa")]
    pub alpha: Option<f64>,
    /// Field of the samples that says which belong together, as for compare [default: auto]
    #[arg(long, value_name = "KEY", requires = "aa")]
    pub cluster: Option<String>,
    /// Configuration file, as for compare [default: reportgen.toml in the current directory, if
    /// there]
    #[arg(long, value_name = "FILE", requires = "aa")]
    pub config: Option<PathBuf>,
    /// How to write the result
    #[arg(long, value_enum, default_value_t = SelfcheckFormat::Table)]
    pub format: SelfcheckFormat,
}

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
pub struct ExplainArguments {
    /// Codes such as R203, upper or lower case; without any, all of them with their titles
    #[arg(value_name = "CODE")]
    pub codes: Vec<String>,
    /// Language of title, severity, effect and advice [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub lang: Option<LangArgument>,
    /// How to write it
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
    pub format: ExplainFormat,
}

/// `--format` of `explain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// For a person
    Text,
    /// For a program: a list of objects
    Json,
}

/// `--format` of `selfcheck`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SelfcheckFormat {
    /// For a person
    Table,
    /// For a program
    Json,
}

/// `--lang`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LangArgument {
    /// Chinese
    Zh,
    /// English
    En,
}

impl From<LangArgument> for Lang {
    fn from(argument: LangArgument) -> Self {
        match argument {
            LangArgument::Zh => Self::Zh,
            LangArgument::En => Self::En,
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
}

impl From<RuleArgument> for Rule {
    fn from(argument: RuleArgument) -> Self {
        match argument {
            RuleArgument::Regression => Self::Regression,
            RuleArgument::Mismatch => Self::Mismatch,
            RuleArgument::Missing => Self::Missing,
            RuleArgument::Warning => Self::Warning,
        }
    }
}

/// A table of comparisons, which `csv` is, has nothing to hold in a check.
fn document_name(text: &str) -> Result<String, String> {
    match render::find(text) {
        Some(format) if format.name() != "csv" => Ok(format.name().to_owned()),
        _ => Err("no such format of a check; there are md, html, json".to_owned()),
    }
}

fn format_name(text: &str) -> Result<String, String> {
    match render::find(text) {
        Some(format) => Ok(format.name().to_owned()),
        None => Err(format!("no such format; there are {}", render::names().join(", "))),
    }
}
