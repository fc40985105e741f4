//! `reportgen fill`.

mod asked;
mod parts;
mod plan;
mod shown;
mod skeleton;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::args::FillArguments;
use crate::cli::{Streams, config, edited, emit};
use crate::collect::RunAddress;
use crate::compare::{Verdict, VerdictReason};
use crate::diag::{Code, Diagnostic, Severity};
use crate::exit::{ExitStatus, Failure};
use crate::fill::{
    self, Called, Facts, FillChoices, Filled, Outcome, Parts, RegionOutcome, Regions, Signs,
};
use crate::pipeline::{self, ArmInput, PipelineError, Stages};
use crate::render::{cell_markdown, clean};
use crate::report::block::Text;
use crate::report::{direction_icon, judged};
use crate::settings::{FillName, Flags, Settings};
use crate::text::{Catalogue, LANGUAGES, Lang, Refusal};

pub(super) fn run_command(
    arguments: &FillArguments,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let flags = Flags {
        lang: arguments.lang,
        vary: arguments.vary.clone(),
        access: arguments.reading.flags(),
        ..Flags::default()
    };
    let mut noticed = Vec::new();
    let mut settings =
        config::command_settings(arguments.config.as_deref(), &flags, streams.surroundings)?
            .drain_into(&mut noticed);
    let words = Catalogue::shipped(settings.lang);
    if let Some(kind) = arguments.planned.new {
        return skeleton::run(kind, arguments, &settings, streams);
    }
    let path = &arguments.document;
    let text = text_of(path)?;
    let regions = Regions::read(&text)
        .map_err(|refusal| Failure::usage(refusal.with("path", path.display().to_string())))?;
    // What is written into a document is in its language.
    settings.lang = language(&text).unwrap_or(settings.lang);
    let now = streams.surroundings.now;
    let (there, absent) = absent_runs(&arguments.runs);
    tell_absent(&absent, words, streams)?;
    let (facts, parts, noticed) = read_runs(&there, &settings, noticed, |stages, noticed| {
        if regions.is_empty() {
            return Ok(Parts::default());
        }
        parts::parts((stages, noticed), &settings, (arguments, now))
    })
    .map_err(|error| error.into_failure(words))?;
    facts.of_single_runs().map_err(Failure::usage)?;
    let facts = absent.iter().fold(facts, |facts, (at, (_, name))| facts.with_absent(*at, name));
    let parts = parts.unwrap_or_else(|| Ok(Parts::default())).map_err(Failure::usage)?;
    has_section(arguments, &text)?;
    let judging = settings.words();
    let judge = |delta: f64, verdict: Verdict, reason: Option<VerdictReason>| {
        cell_markdown(&judged(delta, (verdict, reason), [&[], &[]], judging).text)
    };
    let direction = |delta: f64| cell_markdown(&Text::icon(direction_icon(delta)));
    let signs = Signs { judged: &judge, direction: &direction };
    let called = called(&settings, &facts)?;
    let known = (&facts, &settings.names, called.as_slice());
    let filled = fill::fill(&text, known, (&regions, &parts), &choices(arguments), signs)
        .map_err(Failure::usage)?;
    let filled = if arguments.interactive {
        let answers = &mut io::stdin().lock();
        asked::accepted(filled, (path, &text), words, (answers, streams.out))?
    } else {
        filled
    };
    if arguments.writes() && filled.text != text {
        edited::write(path, &filled.text)?;
    }
    let shown = shown::shown(arguments, (&text, &filled), words);
    streams.out.write_all(shown.as_bytes()).map_err(Failure::standard_output)?;
    let telling: Vec<Diagnostic> =
        noticed.into_iter().filter(|finding| finding.severity > Severity::Info).collect();
    emit::findings(&telling, words, streams.err).map_err(Failure::standard_output)?;
    Ok(if arguments.mode.check { checked(&filled) } else { ExitStatus::Done })
}

fn tell_absent(
    absent: &BTreeMap<usize, (PathBuf, String)>,
    words: &Catalogue,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    for (path, name) in absent.values() {
        let facts = [("path", path.display().to_string()), ("name", name.clone())];
        let told = clean(&words.fill("fill.no-run", &facts));
        writeln!(streams.err, "{told}").map_err(Failure::standard_output)?;
    }
    Ok(())
}

/// Refuses a section that no table stands in.
fn has_section(arguments: &FillArguments, text: &str) -> Result<(), Failure> {
    let Some(section) = &arguments.section else { return Ok(()) };
    let Some(sections) = fill::other_sections(text, section) else { return Ok(()) };
    let refusal = Refusal::new("fill.no-section").with("section", section.as_str());
    let refusal = refusal.with("path", arguments.document.display().to_string());
    Err(Failure::usage(refusal.with("sections", sections)))
}

fn text_of(path: &Path) -> Result<String, Failure> {
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    let found = if is_file || !path.exists() { fs::read_to_string(path) } else { Err(no_file()) };
    found.map_err(|source| Failure::read(path, source))
}

/// Runs that have been made, and those that have not, by their place among all. If none has, all count as
/// made, and are told as such.
fn absent_runs(runs: &[PathBuf]) -> (Vec<PathBuf>, BTreeMap<usize, (PathBuf, String)>) {
    let is_absent = |path: &Path| {
        let path = RunAddress::of(path).path;
        !path.exists() || path.read_dir().is_ok_and(|mut entries| entries.next().is_none())
    };
    let places = runs.iter().enumerate().map(|(at, run)| (at, planned_path(run)));
    let absent: BTreeMap<usize, (PathBuf, String)> = places
        .filter(|(_, (_, path))| is_absent(path))
        .map(|(at, (name, path))| (at, (path, name)))
        .collect();
    if absent.len() == runs.len() {
        return (runs.to_vec(), BTreeMap::new());
    }
    let there = runs.iter().enumerate().filter(|(at, _)| !absent.contains_key(at));
    (there.map(|(_, run)| run.clone()).collect(), absent)
}

/// The name and the path of a run that may not be there yet: `KL=0.15=runs/a`.
fn planned_path(argument: &Path) -> (String, PathBuf) {
    let (said, path) = named_path(argument);
    let written = path.to_string_lossy().into_owned();
    let (said, path) = match written.rsplit_once('=').filter(|_| said.is_none() && !path.exists()) {
        Some((name, path)) if !path.is_empty() => (Some(name.to_owned()), PathBuf::from(path)),
        _ => (said, path),
    };
    let last = || path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = said.or_else(last).unwrap_or(written);
    (name, path)
}

fn no_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, Refusal::new("refused.no-file"))
}

/// The words of the document that the configuration explains.
pub(super) fn called(settings: &Settings, facts: &Facts) -> Result<Vec<Called>, Failure> {
    let read = |name: &FillName| {
        let called = Called { words: name.words.clone(), says: name.says.clone() };
        match called.known_instead(facts, &settings.names) {
            None => Ok(called),
            Some(known) => {
                let said = name.says.as_ref().map(|(name, value)| format!("{name}={value}"));
                let refusal = Refusal::new("refused.fill-name")
                    .with("path", name.location.path.clone())
                    .with("line", name.location.line.unwrap_or(1))
                    .with("said", said.unwrap_or_default());
                Err(Failure::usage(refusal.with("known", known)))
            }
        }
    };
    settings.fill.iter().map(read).collect()
}

fn choices(arguments: &FillArguments) -> FillChoices {
    FillChoices {
        partial: arguments.extent.partial,
        refresh: arguments.extent.refresh,
        adopts_stray_rows: arguments.extent.adopt_orphans,
        only: arguments.only.map(Into::into),
        section: arguments.section.clone(),
    }
}

/// What the runs say, what `also` makes of their comparison where there is one, and what was noticed.
pub(super) fn read_runs<T>(
    runs: &[PathBuf],
    settings: &Settings,
    noticed: Vec<Diagnostic>,
    also: impl FnOnce(&Stages<'_>, &[Diagnostic]) -> T,
) -> Result<(Facts, Option<T>, Vec<Diagnostic>), PipelineError> {
    let arm = |run: &PathBuf| {
        let (name, path) = named_path(run);
        ArmInput { name, runs: vec![path] }
    };
    let arms: Vec<ArmInput> = runs.iter().map(arm).collect();
    if let [ArmInput { name, runs }] = arms.as_slice()
        && let [run] = runs.as_slice()
    {
        return pipeline::pair_single_run(run, settings, noticed, |pair, noticed| {
            let facts = Facts::of_one(pair, name.as_deref());
            (facts.guessing_percent(guesses_percent(&noticed)), None, noticed)
        });
    }
    pipeline::compare(&arms, &[], settings, noticed, |stages, mut noticed| {
        let pairs = stages.paired_arms.pairs.iter();
        let comparisons = stages.comparisons.iter().map(Vec::as_slice);
        let made = also(stages, &noticed);
        noticed.extend(stages.findings.iter().flat_map(|found| found.diagnostics.clone()));
        let facts = Facts::of_pairs(pairs.zip(comparisons));
        (facts.guessing_percent(guesses_percent(&noticed)), Some(made), noticed)
    })
}

fn guesses_percent(noticed: &[Diagnostic]) -> bool {
    noticed.iter().any(|finding| finding.code == Code::UnitInferred)
}

/// The name that `NAME=PATH` gives a run, and its path: what exists behind the last `=` that has
/// something behind it.
fn named_path(argument: &Path) -> (Option<String>, PathBuf) {
    let unnamed = (None, argument.to_owned());
    let Some(text) = argument.to_str().filter(|_| !argument.exists()) else { return unnamed };
    let is_path = |path: &str| Path::new(path.split("::").next().unwrap_or(path)).exists();
    let mut parts = text.rmatch_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
    match parts.find(|(_, path)| is_path(path)) {
        Some((name, path)) => (Some(name.to_owned()), path.into()),
        None => unnamed,
    }
}

fn checked(filled: &Filled) -> ExitStatus {
    let cell = |is: fn(&Outcome) -> bool| filled.cells.iter().any(|cell| is(&cell.outcome));
    let region = |is: fn(&RegionOutcome) -> bool| filled.regions.iter().any(|one| is(&one.outcome));
    if cell(|outcome| matches!(outcome, Outcome::Disagrees { .. }))
        || region(|outcome| matches!(outcome, RegionOutcome::Edited))
    {
        ExitStatus::GateFailed
    } else if cell(|outcome| !matches!(outcome, Outcome::Unchosen))
        || region(|outcome| !matches!(outcome, RegionOutcome::Current | RegionOutcome::Unchosen))
    {
        ExitStatus::NotGateable
    } else {
        ExitStatus::Done
    }
}

/// The language of a document, if it is one that reports are written in.
fn language(text: &str) -> Option<Lang> {
    let tag = if fill::is_chinese(text) { "zh" } else { "en" };
    LANGUAGES.iter().find(|lang| lang.tag == tag).copied()
}
