//! One file for each command; `arms` says which runs a command compares, `noise` which repeat the
//! baseline, `choices` how.

mod arms;
mod best;
mod check;
mod choices;
mod compare;
mod drawn;
mod explain;
mod handoff;
mod inspect;
mod metrics;
mod noise;
mod own_templates;
mod phase;
mod progress;
mod quality;
mod report;
mod selfcheck;
mod templates;

use std::io::{self, Write};
use std::path::PathBuf;

use super::Surroundings;
use super::args::{Arguments, Command};
use super::exit::ExitStatus;
use crate::collect::checkpoint::Unlistable;
use crate::collect::logs::NotPatterns;
use crate::pipeline::PipelineError;
use crate::progress::NoProgress;
use crate::render::RenderError;
use crate::settings::SettingsError;
use crate::stats::reference::NotVectors;
use crate::text::{Lang, NotWords};

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The words on the command line do not fit together.
    #[error("{0}")]
    Usage(String),
    /// Configuration and flags contradict themselves.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A file that the user named cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file of reference vectors holds something else.
    #[error(
        "`{}`, {source}; a file of vectors is a JSON list of objects with id, method, inputs, expected, tol, source",
        path.display()
    )]
    NotVectors {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: NotVectors,
    },
    /// A model directory cannot be read.
    #[error(transparent)]
    Model(#[from] Unlistable),
    /// A file of patterns cannot be used.
    #[error(transparent)]
    Patterns(#[from] NotPatterns),
    /// No run has a log or samples.
    #[error(
        "no log and no samples in any run; name a directory that holds `*.log`, `*.out` or `*.err`, or a log itself"
    )]
    NothingToJudge,
    /// The runs cannot be read.
    #[error("{source}")]
    Pipeline {
        /// Why.
        source: PipelineError,
        /// The language of what was noticed before.
        lang: Lang,
    },
    /// No file holds an outcome.
    #[error(
        "no record of an outcome was found; a record needs `error_type`, `accepted`, `pass_ratio` or \
         a raw result of a sandbox"
    )]
    NoOutcomes,
    /// There is nothing to tell of a run between two steps.
    #[error(transparent)]
    Progress(#[from] NoProgress),
    /// Words of the user that cannot take the place of the shipped ones.
    #[error("`{path}`, {source}")]
    Words {
        /// The file as the user named it.
        path: String,
        /// What is wrong, and where.
        source: NotWords,
    },
    /// A report cannot be drawn.
    #[error("cannot render the report")]
    Render(#[from] RenderError),
    /// A result cannot be written.
    #[error("cannot write {place}")]
    Write {
        /// A path in backticks, or standard output.
        place: String,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl Failure {
    /// The status that the process ends with.
    pub(super) fn status(&self) -> ExitStatus {
        match self {
            Self::Usage(_)
            | Self::Settings(_)
            | Self::Progress(
                NoProgress::NoAxis { .. }
                | NoProgress::NotRecorded { .. }
                | NoProgress::Reversed { .. },
            )
            | Self::Patterns(_)
            | Self::Render(_)
            | Self::Words { .. }
            | Self::Pipeline {
                source:
                    PipelineError::TooFewRuns { .. }
                    | PipelineError::UnknownCluster { .. }
                    | PipelineError::UnknownAxis { .. }
                    | PipelineError::Layout(_)
                    | PipelineError::Best(_),
                ..
            } => ExitStatus::Usage,
            Self::Read { .. }
            | Self::NotVectors { .. }
            | Self::Model(_)
            | Self::NoOutcomes
            | Self::Progress(NoProgress::NoSeries { .. })
            | Self::NothingToJudge
            | Self::Pipeline { .. }
            | Self::Write { .. } => ExitStatus::InputOutput,
        }
    }

    /// A failure to read runs, after something was noticed in that language.
    fn pipeline(lang: Lang) -> impl Fn(PipelineError) -> Self {
        move |source| Self::Pipeline { source, lang }
    }

    /// A failure to write to standard output.
    fn standard_output(source: io::Error) -> Self {
        Self::Write { place: "standard output".to_owned(), source }
    }
}

/// Runs the command.
pub(super) fn run(
    arguments: Arguments,
    command: &str,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    dispatch(arguments.command, command, surroundings, out, err)
}

fn dispatch(
    asked: Command,
    command: &str,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    if let Some((directory, own)) = asked.templates() {
        for warning in own_templates::unused(directory, own) {
            writeln!(err, "{warning}").map_err(Failure::standard_output)?;
        }
    }
    match asked {
        Command::Compare(arguments) => compare::run(*arguments, command, surroundings, out, err),
        Command::Check(arguments) => check::run(arguments, command, surroundings, out, err),
        Command::Explain(arguments) => explain::run(&arguments, surroundings, out),
        Command::Best(arguments) => best::run(&arguments, surroundings, out, err),
        Command::Handoff(arguments) => handoff::run(&arguments, surroundings, out, err),
        Command::Inspect(arguments) => inspect::run(&arguments, surroundings, out, err),
        Command::Metrics(arguments) => metrics::run(&arguments, surroundings, out, err),
        Command::Progress(arguments) => progress::run(&arguments, surroundings, out, err),
        Command::Phase(arguments) => phase::run(*arguments, command, surroundings, out, err),
        Command::Quality(arguments) => quality::run(&arguments, surroundings, out, err),
        Command::Report(arguments) => report::run(arguments, command, surroundings, out, err),
        Command::Templates(arguments) => templates::run(&arguments, out),
        Command::Selfcheck(arguments) => selfcheck::run(&arguments, surroundings, out, err),
    }
}
