//! `reportgen fill`.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::args::FillArguments;
use crate::cli::{Streams, config, edited, emit};
use crate::compare::{Verdict, VerdictReason};
use crate::diag::{Diagnostic, Severity};
use crate::exit::{ExitStatus, Failure};
use crate::fill::{self, Called, Facts, FillChoices, Filled, FilledCell, Outcome, Signs};
use crate::pipeline::{self, ArmInput, PipelineError};
use crate::render::{cell_markdown, clean_lines};
use crate::report::block::Text;
use crate::report::{direction_icon, judged};
use crate::settings::{FillName, Flags, Settings};
use crate::text::{Catalogue, LANGUAGES, Refusal};

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
    let settings =
        config::command_settings(arguments.config.as_deref(), &flags, streams.surroundings)?
            .drain_into(&mut noticed);
    let words = Catalogue::shipped(settings.lang);
    let path = &arguments.document;
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    let found = if is_file || !path.exists() { fs::read_to_string(path) } else { Err(no_file()) };
    let text = found.map_err(|source| Failure::read(path, source))?;
    let (facts, noticed) =
        facts(&arguments.runs, &settings, noticed).map_err(|error| error.into_failure(words))?;
    if let Some(section) = &arguments.section
        && let Some(sections) = fill::other_sections(&text, section)
    {
        let refusal = Refusal::new("fill.no-section").with("section", section.as_str());
        let refusal = refusal.with("path", path.display().to_string());
        return Err(Failure::usage(refusal.with("sections", sections)));
    }
    // Verdicts are words of the document.
    let tag = if fill::is_chinese(&text) { "zh" } else { "en" };
    let lang = LANGUAGES.iter().find(|lang| lang.tag == tag).copied();
    let judging = Catalogue::shipped(lang.unwrap_or(settings.lang));
    let judge = |delta: f64, verdict: Verdict, reason: Option<VerdictReason>| {
        cell_markdown(&judged(delta, (verdict, reason), [&[], &[]], judging).text)
    };
    let direction = |delta: f64| cell_markdown(&Text::icon(direction_icon(delta)));
    let signs = Signs { judged: &judge, direction: &direction };
    let called = called(&settings, &facts)?;
    let filled = fill::fill(&text, (&facts, &settings.names, &called), &choices(arguments), signs)
        .map_err(Failure::usage)?;
    if arguments.mode.write && filled.text != text {
        edited::write(path, &filled.text)?;
    }
    let shown = shown(arguments, (&text, &filled), words);
    streams.out.write_all(shown.as_bytes()).map_err(Failure::standard_output)?;
    let telling: Vec<Diagnostic> =
        noticed.into_iter().filter(|finding| finding.severity > Severity::Info).collect();
    emit::findings(&telling, words, streams.err).map_err(Failure::standard_output)?;
    Ok(if arguments.mode.check { checked(&filled.cells) } else { ExitStatus::Done })
}

fn no_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, Refusal::new("refused.no-file"))
}

/// The words of the document that the configuration explains.
fn called(settings: &Settings, facts: &Facts) -> Result<Vec<Called>, Failure> {
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

/// What the runs say, and what was noticed.
pub(super) fn facts(
    runs: &[PathBuf],
    settings: &Settings,
    noticed: Vec<Diagnostic>,
) -> Result<(Facts, Vec<Diagnostic>), PipelineError> {
    let arms: Vec<ArmInput> = runs.iter().map(|run| arm(run)).collect();
    if let [ArmInput { name, runs }] = arms.as_slice()
        && let [run] = runs.as_slice()
    {
        return pipeline::alone(run, settings, noticed, |pair, noticed| {
            (Facts::of_one(pair, name.as_deref()), noticed)
        });
    }
    pipeline::compare(&arms, &[], settings, noticed, |stages, mut noticed| {
        let pairs = stages.paired_arms.pairs.iter();
        let comparisons = stages.comparisons.iter().map(Vec::as_slice);
        noticed.extend(stages.findings.iter().flat_map(|found| found.diagnostics.clone()));
        (Facts::of_pairs(pairs.zip(comparisons)), noticed)
    })
}

/// A run, which `NAME=PATH` gives another name: the path is what exists behind the last `=` that has
/// something behind it.
fn arm(argument: &Path) -> ArmInput {
    let unnamed = ArmInput { name: None, runs: vec![argument.to_owned()] };
    let Some(text) = argument.to_str().filter(|_| !argument.exists()) else { return unnamed };
    let is_path = |path: &str| Path::new(path.split("::").next().unwrap_or(path)).exists();
    let mut parts = text.rmatch_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
    match parts.find(|(_, path)| is_path(path)) {
        Some((name, path)) => ArmInput { name: Some(name.to_owned()), runs: vec![path.into()] },
        None => unnamed,
    }
}

fn checked(cells: &[FilledCell]) -> ExitStatus {
    let any = |is: fn(&Outcome) -> bool| cells.iter().any(|cell| is(&cell.outcome));
    if any(|outcome| matches!(outcome, Outcome::Disagrees { .. })) {
        ExitStatus::GateFailed
    } else if any(|outcome| !matches!(outcome, Outcome::Unchosen)) {
        ExitStatus::NotGateable
    } else {
        ExitStatus::Done
    }
}

/// Writing to a string cannot fail; the macro keeps that in one place.
macro_rules! line {
    ($text:expr, $($piece:tt)*) => {{
        let _infallible = writeln!($text, $($piece)*);
    }};
}

fn shown(
    arguments: &FillArguments,
    (before, filled): (&str, &Filled),
    words: &Catalogue,
) -> String {
    let path = arguments.document.display().to_string();
    let diff = || edited::diff(&path, before, &filled.text);
    if arguments.mode.diff {
        return diff();
    }
    let mut text = summary(&path, &filled.cells, arguments.mode.write, words);
    cells(&filled.cells, arguments.explain, words, &mut text);
    let mut text = clean_lines(&text);
    if !arguments.mode.write && before != filled.text {
        line!(text, "\n{}", diff().trim_end());
    }
    text
}

/// How many cells were filled, refused and left.
fn summary(path: &str, cells: &[FilledCell], written: bool, words: &Catalogue) -> String {
    let count = |is: fn(&Outcome) -> bool| {
        cells.iter().filter(|cell| is(&cell.outcome)).count().to_string()
    };
    let counts = [
        ("path", path.to_owned()),
        ("filled", count(|outcome| matches!(outcome, Outcome::Written { .. }))),
        ("unclear", count(|outcome| matches!(outcome, Outcome::Unclear(_)))),
        ("missing", count(|outcome| matches!(outcome, Outcome::Missing(_)))),
        ("differing", count(|outcome| matches!(outcome, Outcome::Disagrees { .. }))),
    ];
    let key = if written { "fill.done" } else { "fill.dry-run" };
    format!("{}\n", words.fill(key, &counts))
}

/// The cells by what became of them; what the runs lack is told by reason, or one by one.
fn cells(cells: &[FilledCell], explained: bool, words: &Catalogue, text: &mut String) {
    let place = |cell: &FilledCell| format!("L{} c{}", cell.line, cell.column);
    let mut group = |key: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            line!(text, "\n{}", words.get(key));
            for written in lines {
                line!(text, "  {written}");
            }
        }
    };
    let written = cells.iter().filter_map(|cell| match &cell.outcome {
        Outcome::Written { text, source } => {
            Some(format!("{}  {} → {text}  {source}", place(cell), cell.before))
        }
        _ => None,
    });
    group("fill.filled", written.collect());
    let differing = cells.iter().filter_map(|cell| match &cell.outcome {
        Outcome::Disagrees { text, source } => {
            Some(format!("{}  {} ≠ {text}  {source}", place(cell), cell.before))
        }
        _ => None,
    });
    group("fill.differing-title", differing.collect());
    let reasons = |is: fn(&Outcome) -> Option<&Refusal>| {
        let of = cells.iter().filter_map(|cell| Some((place(cell), is(&cell.outcome)?)));
        let of = of.map(|(place, refusal)| (place, refusal.in_words(words)));
        let of: Vec<(String, String)> = of.collect();
        if explained { each(&of) } else { by_reason(&of, words) }
    };
    group(
        "fill.unclear-title",
        reasons(|outcome| match outcome {
            Outcome::Unclear(refusal) => Some(refusal),
            _ => None,
        }),
    );
    group(
        "fill.missing-title",
        reasons(|outcome| match outcome {
            Outcome::Missing(refusal) => Some(refusal),
            _ => None,
        }),
    );
}

fn each(reasons: &[(String, String)]) -> Vec<String> {
    reasons.iter().map(|(place, reason)| format!("{place}  {reason}")).collect()
}

/// One line for each reason, with the first place and how many more there are.
fn by_reason(reasons: &[(String, String)], words: &Catalogue) -> Vec<String> {
    let mut by: indexmap::IndexMap<&str, Vec<&str>> = indexmap::IndexMap::new();
    for (place, reason) in reasons {
        by.entry(reason).or_default().push(place);
    }
    let line = |(reason, places): (&str, Vec<&str>)| {
        let first = places.first().copied().unwrap_or_default();
        let more = match places.len() {
            0 | 1 => String::new(),
            many => words.fill("fill.more", &[("count", &(many - 1).to_string())]),
        };
        format!("{first}{more}  {reason}")
    };
    by.into_iter().map(line).collect()
}
