//! `reportgen compare`.

use std::io::{self, Write};
use std::path::PathBuf;

use super::Failure;
use super::arms::{self, Named};
use super::{choices, drawn, noise};
use crate::cli::args::{CompareArguments, ProseArgument, RuleArgument};
use crate::cli::exit::ExitStatus;
use crate::cli::{Surroundings, emit};
use crate::diag::Diagnostic;
use crate::model::Asked;
use crate::pipeline::{self, ArmInput, Compared, PipelineError};
use crate::render::{self, TerminalOptions, Told};
use crate::settings::{Flags, Settings};

pub(super) fn run(
    arguments: CompareArguments,
    command: &str,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    if arguments.fail_on.contains(&RuleArgument::Expectation) {
        return Err(Failure::Usage(
            "expectations are judged by `reportgen phase`; leave `expectation` out of --fail-on"
                .to_owned(),
        ));
    }
    let made = made(arguments, &pipeline::compare, command, surroundings, out, err)?;
    Ok(status(&made))
}

/// How a report ends the process: by its gates, unless a run could not be read.
pub(super) fn status(made: &Made) -> ExitStatus {
    if made.compared.left_out > 0 {
        return ExitStatus::InputOutput;
    }
    ExitStatus::of_gates(&made.compared.gates, made.settings.strict)
}

/// The stages that make a report: those of [`pipeline::compare`], more or fewer.
pub(super) type Stages<'s> = dyn Fn(&[ArmInput], &[PathBuf], &Settings, &str, Vec<Diagnostic>) -> Result<Compared, PipelineError>
    + 's;

/// A report that was made and written.
pub(super) struct Made {
    /// The report and its gates.
    pub(super) compared: Compared,
    /// The choices that it was made with.
    pub(super) settings: Settings,
}

/// Makes a report, writes it in every format, and tells what came out.
pub(super) fn made(
    arguments: CompareArguments,
    stages: &Stages<'_>,
    command: &str,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Made, Failure> {
    let plan = drawn::Plan::of(
        arguments.output.as_deref(),
        &arguments.format,
        arguments.templates.as_deref(),
        arguments.own.as_ref(),
    )?;
    let mut noticed = Vec::new();
    let named = Named {
        runs: arguments.runs.clone(),
        arms: arguments.arm.clone(),
        baseline: arguments.baseline.clone(),
    };
    let mut settings = settings(arguments, surroundings)?.drain_into(&mut noticed);
    settings.catalogues = plan.catalogues();
    let arms = arms::resolve(&named, &settings.arms)?;
    let repeats = noise::resolve(&settings.noise, &arms)?.drain_into(&mut noticed);
    let read = arms.iter().flat_map(|arm| &arm.runs).chain(&repeats);
    plan.refuse_overwriting(read.map(PathBuf::as_path), "one of the runs")?;
    let compared = stages(&arms, &repeats, &settings, command, noticed)
        .map_err(Failure::pipeline(settings.lang))?;
    let written = plan.write(Told::Comparison(&compared.report), out)?;
    tell(&compared, &settings, &written, surroundings, out, err)
        .map_err(Failure::standard_output)?;
    Ok(Made { compared, settings })
}

fn settings(
    arguments: CompareArguments,
    surroundings: Surroundings,
) -> Result<crate::diag::Warned<Settings>, Failure> {
    if arguments.prose.contains(&ProseArgument::None) && arguments.prose.len() > 1 {
        let message = "--prose none leaves nothing to write; name no other part beside it";
        return Err(Failure::Usage(message.to_owned()));
    }
    let config = arguments.config;
    let flags = Flags {
        lang: arguments.lang,
        vary: arguments.vary,
        alpha: arguments.alpha,
        power: arguments.power,
        margins: arguments.margin,
        fail_on: arguments.fail_on.into_iter().map(Into::into).collect(),
        accept: arguments.accept,
        cluster: arguments.cluster,
        pass_at: arguments.pass_at,
        anytime: arguments.anytime,
        strict: arguments.strict,
        noise: arguments.noise,
        layout: Asked {
            by: arguments.by,
            split: arguments.split,
            prose: (!arguments.prose.is_empty())
                .then(|| arguments.prose.into_iter().filter_map(ProseArgument::part).collect()),
        },
    };
    choices::settings(config.as_deref(), &flags, surroundings.lang)
}

/// The summary for a person. When the report itself went to standard output, only what the report
/// cannot say: the gates.
fn tell(
    compared: &Compared,
    settings: &Settings,
    written: &[PathBuf],
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    let words = settings.words();
    if !written.is_empty() {
        let Surroundings { color, width, .. } = surroundings;
        let summary = render::terminal(&compared.report, TerminalOptions { color, width }, words);
        out.write_all(summary.as_bytes())?;
        for path in written {
            let path = render::clean(&path.display().to_string());
            writeln!(out, "{}", words.fill("terminal.written", &[("path", &path)]))?;
        }
    }
    for gate in &compared.report.gates {
        writeln!(err, "gate {}: {} ({})", gate.name, gate.outcome, gate.local_reason)?;
    }
    emit::notice(&compared.report, words, err)
}
