//! The arguments: those of every kind of report, and those of the other commands, one file each.
//! With the kinds the only place with attributes of the parser.

mod baseline;
mod comment;
mod config;
mod explain;
mod fill;
mod init;
mod inspect;
mod lint;
mod manual;
#[cfg(feature = "history")]
mod nightly;
mod plan;
mod preset;
mod reading;
mod report;
mod selfcheck;
mod templates;
mod usage;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args as _, FromArgMatches as _, Subcommand, ValueEnum};

use crate::kinds::{self, KINDS, Kind};
use crate::render;
use crate::report::Detail;
use crate::settings::{PRESETS, Preset};
use crate::text::{LANGUAGES, Lang, Refusal};

pub(super) use baseline::{BaselineAction, BaselineArguments};
use comment::Commenting;
pub(super) use config::{ConfigAction, ConfigArguments, ConfigFormat};
pub(super) use explain::{ExplainArguments, ExplainFormat};
pub(super) use fill::{FillArguments, NewArgument, Planned};
pub(super) use init::InitArguments;
pub(super) use inspect::InspectArguments;
pub(super) use lint::{LintArguments, LintFormat};
pub(super) use manual::{CompletionsArguments, ManArguments};
#[cfg(feature = "history")]
pub(super) use nightly::{LogFormat, NightlyArguments};
pub(super) use plan::PlanArguments;
pub(super) use preset::PresetArguments;
pub(super) use reading::{MemorySize, Reading, RunInspection};
pub(super) use report::ReportArguments;
pub(super) use selfcheck::{SelfcheckArguments, SelfcheckFormat};
pub(super) use templates::{TemplatesAction, TemplatesArguments};
pub(super) use usage::in_words;

const ABOUT: &str = "Compare ML evaluation runs: are they comparable, and which is better?";

const EXIT_CODES: &str = "\
Exit status:
  0  done; every gate passed or was inconclusive
  1  a gate failed, or with --strict was inconclusive
  2  usage or configuration error
  3  gates not evaluated: runs are not comparable, or required results are missing
  4  I/O error
  5  nightly: another process is at work in the output directory";

/// Kinds that stand before the commands that look into runs.
const MOST_USED: usize = 2;

/// What the command line asks for.
pub(super) enum Asked {
    Report(ReportAsked),
    Other(Command),
}

pub(super) struct ReportAsked {
    pub(super) kind: &'static Kind,
    pub(super) drawing: Drawing,
    /// The arguments, those of the kind among them.
    pub(super) matches: clap::ArgMatches,
}

/// The commands that make no report of a kind of their own.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Render a custom report, declared in reportgen.toml, from the data of another command
    #[command(after_help = report::REPORT_EXAMPLES, display_order = 20)]
    Report(ReportArguments),
    /// List report templates, or export them for editing
    #[command(after_help = templates::TEMPLATES_EXAMPLES, display_order = 21)]
    Templates(TemplatesArguments),
    /// List the shipped settings for --preset, or print one to copy
    #[command(after_help = preset::PRESET_EXAMPLES, display_order = 21)]
    Preset(PresetArguments),
    /// Show the settings that hold, or the schema of reportgen.toml
    #[command(after_help = config::CONFIG_EXAMPLES, display_order = 21)]
    Config(ConfigArguments),
    #[cfg(feature = "history")]
    /// Run the jobs of reportgen.toml: a report each night, an index, history
    #[command(after_help = nightly::NIGHTLY_EXAMPLES, display_order = 18)]
    Nightly(NightlyArguments),
    /// Fill the ? cells of a Markdown document from runs
    #[command(after_help = fill::FILL_EXAMPLES, display_order = 19)]
    Fill(FillArguments),
    /// Check the figures of Markdown documents against each other
    #[command(after_help = lint::LINT_EXAMPLES, display_order = 19)]
    Lint(LintArguments),
    /// Write a commented reportgen.toml from what runs hold
    #[command(after_help = init::INIT_EXAMPLES, display_order = 17)]
    Init(InitArguments),
    /// Show the contents of a run: files, readers, metrics, samples, configuration
    #[command(display_order = 2)]
    Inspect(InspectArguments),
    /// Write the SQL by which an engine counts the samples of two large runs
    #[command(after_help = plan::PLAN_EXAMPLES, display_order = 19)]
    Plan(PlanArguments),
    /// Save a run in one small file, and compare with it when the run is gone
    #[command(after_help = baseline::BASELINE_EXAMPLES, display_order = 19)]
    Baseline(BaselineArguments),
    /// Explain a finding code or a metric name, or list all codes
    #[command(after_help = explain::EXPLAIN_EXAMPLES, display_order = 3)]
    Explain(ExplainArguments),
    /// Check the statistics against reference vectors, or on your own samples
    #[command(after_help = selfcheck::SELFCHECK_EXAMPLES, display_order = 22)]
    Selfcheck(SelfcheckArguments),
    /// Print the completion script of a shell
    #[command(after_help = manual::COMPLETIONS_EXAMPLES, display_order = 23)]
    Completions(CompletionsArguments),
    /// Print the manual page, or write one for each command to a directory
    #[command(after_help = manual::MAN_EXAMPLES, display_order = 24)]
    Man(ManArguments),
}

impl Command {
    /// What may be read of runs; `None` of a command that reads none, and of `report`, whose arguments
    /// are those of another.
    pub(super) fn reading(&self) -> Option<&Reading> {
        match self {
            Self::Fill(arguments) => Some(&arguments.reading),
            Self::Init(arguments) => Some(&arguments.reading),
            Self::Inspect(arguments) => Some(&arguments.chosen.reading),
            #[cfg(feature = "history")]
            Self::Nightly(arguments) => Some(&arguments.reading),
            Self::Plan(arguments) => Some(&arguments.reading),
            Self::Baseline(BaselineArguments { action }) => Some(&action.chosen().reading),
            Self::Report(_) | Self::Templates(_) | Self::Preset(_) | Self::Config(_) => None,
            Self::Lint(_) | Self::Explain(_) | Self::Selfcheck(_) => None,
            Self::Completions(_) | Self::Man(_) => None,
        }
    }
}

/// Where the report of a kind goes, how it looks, and what it is configured by.
#[derive(Debug, clap::Args)]
pub(super) struct Drawing {
    #[arg(short, long, value_name = "PATH", help = output_help())]
    pub(super) output: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FORMATS",
        value_delimiter = ',',
        value_parser = format_name,
        help = format!("Formats, comma-separated: {}", render::names().join(", "))
    )]
    pub(super) format: Vec<String>,
    /// Draw the charts of the Markdown report as SVG files beside it (needs -o DIR)
    #[arg(long)]
    pub(super) assets: bool,
    /// Replace what is no report, is one of another kind, or has marked places that cannot be read
    #[arg(long)]
    pub(super) force: bool,
    /// Level of detail: brief (at most 30 lines, for pasting), standard, or full (nothing folded)
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub(super) detail: DetailArgument,
    /// Report language [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub(super) lang: Option<Lang>,
    /// Directory with templates that override or extend the shipped ones
    #[arg(long, value_name = "DIR")]
    pub(super) templates: Option<PathBuf>,
    /// Configuration file [default: reportgen.toml in the current directory, if any]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[arg(long, value_name = "NAME", value_parser = preset_name, help = preset_help())]
    pub(super) preset: Option<String>,
    #[command(flatten)]
    pub(super) commenting: Commenting,
    #[command(flatten)]
    pub(super) reading: Reading,
}

fn preset_help() -> String {
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    format!("Shipped settings below those of the configuration file: {}", names.join(", "))
}

fn preset_name(text: &str) -> Result<String, Refusal> {
    Preset::find(text).map(|preset| preset.name.to_owned())
}

fn output_help() -> String {
    let files = render::FORMATS.iter().take(2);
    let files: Vec<String> = files.map(|format| format!("report.{}", format.extension())).collect();
    format!("Output: a directory (for {}, …), a file, or - for standard output", files.join(", "))
}

/// `--detail` of every report.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(super) enum DetailArgument {
    Brief,
    #[default]
    Standard,
    Full,
}

impl From<DetailArgument> for Detail {
    fn from(asked: DetailArgument) -> Self {
        match asked {
            DetailArgument::Brief => Self::Brief,
            DetailArgument::Standard => Self::Standard,
            DetailArgument::Full => Self::Full,
        }
    }
}

impl ValueEnum for Lang {
    fn value_variants<'a>() -> &'a [Self] {
        LANGUAGES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.tag).help(self.name))
    }
}

/// The whole command line: the kinds of reports, then the other commands.
pub(super) fn parser() -> clap::Command {
    let kinds = KINDS.iter().enumerate().map(|(position, kind)| {
        let command = (kind.add_arguments)(clap::Command::new(kind.name));
        let position = if position < MOST_USED { position } else { position + 2 };
        let command = Drawing::augment_args(command).display_order(position);
        command.about(kind.about).after_help(kind.examples)
    });
    let command = clap::Command::new("reportgen")
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(EXIT_CODES)
        .max_term_width(100)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(kinds);
    // Last: the parser takes the comment above `Command` for a description of the program.
    Command::augment_subcommands(command).about(ABOUT)
}

/// Reads a command line, the name of the program first.
pub(super) fn parse<S: Into<OsString> + Clone>(
    words: impl IntoIterator<Item = S>,
) -> Result<Asked, clap::Error> {
    let matches = parser().try_get_matches_from(words)?;
    let kind = matches.subcommand().and_then(|(name, own)| Some((kinds::find(name)?, own)));
    match kind {
        None => Command::from_arg_matches(&matches).map(Asked::Other),
        Some((kind, matches)) => {
            let drawing = Drawing::from_arg_matches(matches)?;
            Ok(Asked::Report(ReportAsked { kind, drawing, matches: matches.clone() }))
        }
    }
}

fn format_name(text: &str) -> Result<String, Refusal> {
    match render::find(text) {
        Some(format) => Ok(format.name().to_owned()),
        None => Err(Refusal::new("refused.format").among(text, render::names())),
    }
}
