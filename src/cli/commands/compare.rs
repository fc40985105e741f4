//! `reportgen compare`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indexmap::{IndexMap, IndexSet};

use super::Failure;
use super::arms::{self, Named};
use super::{choices, noise};
use crate::cli::args::CompareArguments;
use crate::cli::exit::ExitStatus;
use crate::cli::output::{self, Target};
use crate::cli::{Surroundings, emit};
use crate::diag::Diagnostic;
use crate::pipeline::{self, ArmInput, Compared, PipelineError};
use crate::render::{self, Format, RenderOptions, TerminalOptions};
use crate::settings::{Flags, Settings};
use crate::text::Catalogue;

pub(super) fn run(
    arguments: CompareArguments,
    command: &str,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let made = made(arguments, pipeline::compare, command, surroundings, out, err)?;
    if made.compared.left_out > 0 {
        return Ok(ExitStatus::InputOutput);
    }
    Ok(ExitStatus::of_gates(&made.compared.gates, made.settings.strict))
}

/// The stages that make a report: those of [`pipeline::compare`] or fewer.
pub(super) type Stages = fn(
    &[ArmInput],
    &[PathBuf],
    &Settings,
    &str,
    Vec<Diagnostic>,
) -> Result<Compared, PipelineError>;

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
    stages: Stages,
    command: &str,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Made, Failure> {
    let formats = formats(&arguments);
    let target = target(arguments.output.as_deref(), formats.len())?;
    let options = RenderOptions { templates: templates(arguments.templates.as_deref())? };
    let mut noticed = Vec::new();
    let named = Named {
        runs: arguments.runs.clone(),
        arms: arguments.arm.clone(),
        baseline: arguments.baseline.clone(),
    };
    let settings = settings(arguments, surroundings)?.drain_into(&mut noticed);
    let arms = arms::resolve(&named, &settings.arms)?;
    let repeats = noise::resolve(&settings.noise, &arms)?.drain_into(&mut noticed);
    refuse_overwriting(&arms, &repeats, &formats, &target)?;
    let compared = stages(&arms, &repeats, &settings, command, noticed)
        .map_err(Failure::pipeline(settings.lang))?;
    let written = write_formats(&compared, &formats, &target, &options, out)?;
    tell(&compared, &settings, &written, surroundings, out, err)
        .map_err(Failure::standard_output)?;
    Ok(Made { compared, settings })
}

/// A report must not replace what it is about.
fn refuse_overwriting(
    arms: &[ArmInput],
    repeats: &[PathBuf],
    formats: &[&'static dyn Format],
    target: &Target,
) -> Result<(), Failure> {
    let outputs = formats.iter().filter_map(|format| target.file(format.extension()));
    for output in outputs.filter_map(|path| path.canonicalize().ok()) {
        let own = output.file_stem().is_some_and(|stem| stem == "report");
        let part_of = |input: &PathBuf| {
            let input = input.canonicalize().ok();
            input.is_some_and(|input| output == input || (output.starts_with(&input) && !own))
        };
        if arms.iter().flat_map(|arm| &arm.runs).chain(repeats).any(part_of) {
            let path = output.display();
            return Err(Failure::Usage(format!(
                "`{path}` belongs to one of the runs; write the report elsewhere"
            )));
        }
    }
    Ok(())
}

/// Where the reports go; several need a directory.
fn target(output: Option<&Path>, formats: usize) -> Result<Target, Failure> {
    let target = Target::of(output, formats);
    if formats <= 1 {
        return Ok(target);
    }
    let one_file = output.filter(|path| format_of(path).is_some() && !path.is_dir());
    match (one_file, &target) {
        (Some(path), _) => {
            let path = path.display();
            Err(Failure::Usage(format!(
                "`{path}` names one file, but there are several formats: add `-o DIR`"
            )))
        }
        (None, Target::Standard) => {
            Err(Failure::Usage("several formats need a directory: add `-o DIR`".to_owned()))
        }
        (None, _) => Ok(target),
    }
}

/// The format that a path's extension names.
fn format_of(path: &Path) -> Option<&'static dyn Format> {
    let extension = path.extension()?.to_str()?;
    render::FORMATS.iter().copied().find(|format| format.extension() == extension)
}

/// The formats asked for, or the one that the output's extension names, or Markdown.
fn formats(arguments: &CompareArguments) -> Vec<&'static dyn Format> {
    if !arguments.format.is_empty() {
        let names: IndexSet<&String> = arguments.format.iter().collect();
        return names.into_iter().filter_map(|name| render::find(name)).collect();
    }
    let named = arguments.output.as_deref().and_then(format_of);
    named.or_else(|| render::find("md")).into_iter().collect()
}

fn settings(
    arguments: CompareArguments,
    surroundings: Surroundings,
) -> Result<crate::diag::Warned<Settings>, Failure> {
    let config = arguments.config;
    let flags = Flags {
        lang: arguments.lang.map(Into::into),
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
    };
    choices::settings(config.as_deref(), &flags, surroundings.lang)
}

/// Every file of the directory by its name below it.
fn templates(directory: Option<&Path>) -> Result<IndexMap<String, String>, Failure> {
    let Some(directory) = directory else { return Ok(IndexMap::new()) };
    let mut found = IndexMap::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(current) = pending.pop() {
        let failed = |source: io::Error| Failure::Read { path: current.clone(), source };
        let entries: Result<Vec<_>, _> = fs::read_dir(&current).map_err(failed)?.collect();
        for entry in entries.map_err(failed)? {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if let Ok(below) = path.strip_prefix(directory) {
                let name = below.to_string_lossy().replace('\\', "/");
                let text = fs::read_to_string(&path)
                    .map_err(|source| Failure::Read { path: path.clone(), source })?;
                found.insert(name, text);
            }
        }
    }
    found.sort_keys();
    Ok(found)
}

/// Writes every format; returns the paths written.
fn write_formats(
    compared: &Compared,
    formats: &[&'static dyn Format],
    target: &Target,
    options: &RenderOptions,
    out: &mut dyn Write,
) -> Result<Vec<PathBuf>, Failure> {
    let mut written = Vec::new();
    for format in formats {
        let text = format.render(&compared.report, options)?;
        match target.file(format.extension()) {
            None => out.write_all(text.as_bytes()).map_err(Failure::standard_output)?,
            Some(path) => {
                output::write_whole(&path, &text).map_err(|source| Failure::Write {
                    place: format!("`{}`", path.display()),
                    source,
                })?;
                written.push(path);
            }
        }
    }
    Ok(written)
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
    let words = Catalogue::of(settings.lang);
    if !written.is_empty() {
        let Surroundings { color, width, .. } = surroundings;
        let summary = render::terminal(&compared.report, TerminalOptions { color, width });
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
