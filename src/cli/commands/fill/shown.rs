//! What `fill` says of the cells and regions of a document.

use std::fmt::Write as _;

use crate::cli::args::FillArguments;
use crate::cli::edited;
use crate::fill::{Filled, FilledCell, FilledRegion, Outcome, RegionOutcome};
use crate::render::clean_lines;
use crate::text::{Catalogue, Refusal};

/// Writing to a string cannot fail; the macro keeps that in one place.
macro_rules! line {
    ($text:expr, $($piece:tt)*) => {{
        let _infallible = writeln!($text, $($piece)*);
    }};
}

pub(super) fn shown(
    arguments: &FillArguments,
    (before, filled): (&str, &Filled),
    words: &Catalogue,
) -> String {
    let path = arguments.document.display().to_string();
    let diff = || edited::diff(&path, before, &filled.text);
    if arguments.mode.diff {
        return diff();
    }
    let mut text = summary(&path, &filled.cells, arguments.writes(), words);
    cells(&filled.cells, arguments.explain, words, &mut text);
    regions(&filled.regions, words, &mut text);
    let mut text = clean_lines(&text);
    if !arguments.writes() && before != filled.text {
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

/// What became of each region, in the order of the document.
fn regions(regions: &[FilledRegion], words: &Catalogue, text: &mut String) {
    if regions.is_empty() {
        return;
    }
    line!(text, "\n{}", words.get("fill.regions"));
    for FilledRegion { line, name, outcome, .. } in regions {
        line!(text, "  L{line} {name}  {}", region(outcome, words));
    }
}

/// What became of a region, or would.
pub(super) fn region(outcome: &RegionOutcome, words: &Catalogue) -> String {
    match outcome {
        RegionOutcome::Renewed(0) => words.get("fill.region-empty"),
        RegionOutcome::Renewed(count) => words.fill("fill.region-renewed", &[("count", count)]),
        RegionOutcome::Current => words.get("fill.region-current"),
        RegionOutcome::Edited => words.get("fill.region-edited"),
        RegionOutcome::Unclear(refusal) => refusal.in_words(words),
        RegionOutcome::Unchosen => words.get("fill.region-unchosen"),
        RegionOutcome::Declined => words.get("fill.region-declined"),
    }
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
