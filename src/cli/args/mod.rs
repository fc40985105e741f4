//! The arguments, one file for each command. The only place with attributes of the parser.

mod best;
mod check;
mod compare;
mod explain;
mod handoff;
mod inspect;
mod metrics;
mod phase;
mod progress;
mod quality;
mod report;
mod selfcheck;
mod templates;

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Parser, Subcommand, ValueEnum};

use crate::render;
use crate::text::{LANGUAGES, Lang};

pub(super) use best::BestArguments;
pub(super) use check::{CheckArguments, CheckRule};
pub(super) use compare::{CompareArguments, ProseArgument, RuleArgument};
pub(super) use explain::{ExplainArguments, ExplainFormat};
pub(super) use handoff::HandoffArguments;
pub(super) use inspect::InspectArguments;
pub(super) use metrics::MetricsArguments;
pub(super) use phase::PhaseArguments;
pub(super) use progress::ProgressArguments;
pub(super) use quality::QualityArguments;
pub(super) use report::{Own, ReportArguments, parsed, sources};
pub(super) use selfcheck::{SelfcheckArguments, SelfcheckFormat};
pub(super) use templates::{TemplatesAction, TemplatesArguments};

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

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compare a baseline run with one or more candidates
    #[command(after_help = compare::COMPARE_EXAMPLES)]
    Compare(Box<CompareArguments>),
    /// Decide whether runs may be compared, before an evaluation is paid for; they need no results yet
    #[command(after_help = check::CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Tell a comparison as the report of a phase: beside what was expected of it
    #[command(after_help = phase::PHASE_EXAMPLES)]
    Phase(Box<PhaseArguments>),
    /// Say how one run moved between two of its steps, what it costs, and which rules hold
    #[command(after_help = progress::PROGRESS_EXAMPLES)]
    Progress(ProgressArguments),
    /// Say what failed in a training and why, from its logs and the outcomes of its samples
    #[command(after_help = quality::QUALITY_EXAMPLES)]
    Quality(QualityArguments),
    /// Turn per-sample outcomes into metrics.json, summary.json and records drawn for reading
    #[command(after_help = metrics::METRICS_EXAMPLES)]
    Metrics(MetricsArguments),
    /// Choose the best checkpoint of a run, and say how sure the choice is
    #[command(after_help = best::BEST_EXAMPLES)]
    Best(BestArguments),
    /// Say whether a checkpoint directory is complete and loadable
    #[command(after_help = handoff::HANDOFF_EXAMPLES)]
    Handoff(HandoffArguments),
    /// Draw a report of your own, declared in reportgen.toml, from what another command found
    #[command(after_help = report::REPORT_EXAMPLES)]
    Report(ReportArguments),
    /// List the templates of reports, or copy them out to be changed
    #[command(after_help = templates::TEMPLATES_EXAMPLES)]
    Templates(TemplatesArguments),
    /// Show what is found in a run: files, readers, metrics, samples, configuration
    Inspect(InspectArguments),
    /// Say what the code of a finding means, or list all codes
    #[command(after_help = explain::EXPLAIN_EXAMPLES)]
    Explain(ExplainArguments),
    /// Check the statistics: against reference vectors, or for false positives on your own samples
    #[command(after_help = selfcheck::SELFCHECK_EXAMPLES)]
    Selfcheck(SelfcheckArguments),
}

/// Where the report of a command goes, and how it looks.
#[derive(Debug, clap::Args)]
pub struct Drawing {
    /// Where to write: a directory (report.md, report.html, …), a file, or - for standard output
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Formats, comma-separated: md, html, json, csv
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = format_name)]
    pub format: Vec<String>,
    /// Language of the report [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub lang: Option<Lang>,
    /// Directory with templates that replace or join the shipped ones
    #[arg(long, value_name = "DIR")]
    pub templates: Option<PathBuf>,
    /// The kind of report that the user made of this one.
    #[arg(skip)]
    pub own: Option<Own>,
}

/// `--lang`.
impl ValueEnum for Lang {
    fn value_variants<'a>() -> &'a [Self] {
        LANGUAGES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.tag).help(self.name))
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
