//! One figure with two values: in a document and in its translation, whose tables have figures of the same
//! rows and columns in common, nearly all of which agree. Other documents with such tables are mostly those
//! of two runs.

use std::collections::BTreeMap;
use std::ops::Range;

use super::columns::{Columns, figure_in, number_place, plain_head};
use super::printed::{Printed, Span};
use super::{Finding, TWO_VALUES};
use crate::marked::{Cell, Figure, Lines, Row};
use crate::text::Refusal;

/// How many figures two tables have to agree in, how many of them have to differ from each other, and how
/// many of all that they have in common may not agree.
const LEAST: usize = 4;
const LEAST_DIFFERENT: usize = 3;
const MOST_OTHERS: f64 = 0.2;
/// How languages are called in names of files and directories.
const LANGUAGES: &[&str] = &[
    "en", "eng", "english", "us", "zh", "cn", "chs", "cht", "hans", "hant", "tw", "hk", "chinese",
    "中文", "英文", "ja", "jp", "japanese", "ko", "kr", "korean", "es", "fr", "de", "pt", "br",
    "ru", "vi", "it", "id", "tr", "ar",
];

/// The figures of a table.
pub struct Figures {
    /// Rows and columns.
    shape: (usize, usize),
    /// By row and column.
    by_place: BTreeMap<(usize, usize), Noted>,
    /// Where figures stand whose names of row and column no other has.
    by_name: BTreeMap<[String; 2], (usize, usize)>,
}

/// A figure and where it stands.
struct Noted {
    shown: String,
    span: Span,
    is_share: bool,
    has_decimals: bool,
    line: usize,
    column: usize,
    place: Range<usize>,
}

/// The figures of a table; `None` where it has too few.
pub(super) fn figures_of(columns: &Columns<'_>, text: &str, lines: &Lines<'_>) -> Option<Figures> {
    let (mut by_place, mut by_name, mut twice) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for (at, row) in columns.rows.iter().enumerate() {
        let name = name_of(row, &columns.figures, text);
        for &column in &columns.figures {
            let (Some(figure), Some(cell)) = (figure_in(row, column), row.cells.get(column)) else {
                continue;
            };
            by_place.insert((at, column), noted(figure, cell, text, (lines, row.line)));
            let head = plain_head(columns.heads.get(column).map_or("", String::as_str));
            let key = [name.clone(), head];
            if by_name.insert(key.clone(), (at, column)).is_some() {
                twice.push(key);
            }
        }
    }
    for key in twice {
        by_name.remove(&key);
    }
    let shape = (columns.rows.len(), columns.heads.len());
    (by_place.len() > LEAST).then_some(Figures { shape, by_place, by_name })
}

/// What a row says besides its figures, in lower case.
fn name_of(row: &Row, figures: &[usize], text: &str) -> String {
    let others = row.cells.iter().enumerate().filter(|(at, _)| !figures.contains(at));
    let names = others.filter_map(|(_, cell)| text.get(cell.content.clone()));
    names.map(|name| plain_head(&name.to_lowercase())).collect::<Vec<_>>().join(" ")
}

fn noted(figure: &Figure, cell: &Cell, text: &str, (lines, line): (&Lines<'_>, usize)) -> Noted {
    let place = number_place(cell, text);
    let position = lines.positions(std::iter::once(place.start));
    let printed = Printed::from(figure);
    Noted {
        shown: figure.written(),
        span: printed.span(),
        is_share: figure.is_share(),
        has_decimals: printed.decimals > 0,
        line,
        column: position.first().map_or(1, |(_, column)| *column),
        place,
    }
}

impl Noted {
    /// Whether both may be one value, rounded or cut.
    fn agrees(&self, other: &Self) -> bool {
        let scaled = |one: &Self, with: &Self| {
            let is_fraction = !one.is_share && one.span.hi.abs() <= 1.0 && with.is_share;
            one.span.scaled(if is_fraction { 100.0 } else { 1.0 })
        };
        let (one, two) = (scaled(self, other), scaled(other, self));
        let room = (one.hi - one.lo).max(two.hi - two.lo) / 2.0;
        one.lo <= two.hi + room && two.lo <= one.hi + room
    }
}

/// The documents that there are in several languages, by their positions: the versions of each together.
pub fn versions<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<Vec<usize>> {
    let mut versions = BTreeMap::<String, Vec<usize>>::new();
    for (at, path) in paths.enumerate() {
        versions.entry(untranslated(path)).or_default().push(at);
    }
    versions.into_values().filter(|versions| versions.len() > 1).collect()
}

/// What a document is called without words for its language: that of its translations too.
fn untranslated(path: &str) -> String {
    let path = path.to_lowercase();
    let parts = path.split('/').map(|part| {
        let words = part.split(['_', '-', '.', ' ']).filter(|word| !LANGUAGES.contains(word));
        words.collect::<Vec<_>>().join("-")
    });
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
}

/// What is found of the tables of documents, each with its path, of which some are versions of one: the
/// number of the document, and the finding in it.
pub fn contradictions(
    documents: &[(String, Vec<Figures>)],
    versions: &[Vec<usize>],
) -> Vec<(usize, Finding)> {
    let mut found = BTreeMap::new();
    for versions in versions {
        for (at, &second) in versions.iter().enumerate() {
            for &first in versions.iter().take(at) {
                for (place, finding) in between(documents, first, second) {
                    found.entry((second, place)).or_insert(finding);
                }
            }
        }
    }
    found.into_iter().map(|((document, _), finding)| (document, finding)).collect()
}

/// What differs between tables of two documents, by where it stands in the second.
fn between(
    documents: &[(String, Vec<Figures>)],
    first: usize,
    second: usize,
) -> Vec<(usize, Finding)> {
    let (Some((path, earlier)), Some((_, later))) = (documents.get(first), documents.get(second))
    else {
        return Vec::new();
    };
    let pairs = later.iter().flat_map(|table| earlier.iter().map(move |other| (table, other)));
    pairs.flat_map(|(table, other)| in_pair(table, (other, path))).collect()
}

/// What differs between two tables that agree otherwise: figures of the same names, or, where names are
/// translated, of the same places.
fn in_pair(figures: &Figures, (others, path): (&Figures, &str)) -> Vec<(usize, Finding)> {
    let named = figures.by_name.iter().filter_map(|(key, place)| {
        let other = others.by_place.get(others.by_name.get(key)?)?;
        Some((figures.by_place.get(place)?, other))
    });
    let placed = || {
        let is_alike = figures.shape == others.shape;
        let pairs = figures.by_place.iter().filter(move |_| is_alike);
        pairs.filter_map(|(place, one)| Some((one, others.by_place.get(place)?))).collect()
    };
    let (same, differing) =
        differing(named.collect()).or_else(|| differing(placed())).unwrap_or_default();
    let found = differing.into_iter().map(|(one, other)| {
        let message = Refusal::new("lint.two-values")
            .with("found", one.shown.as_str())
            .with("other", other.shown.as_str())
            .with("place", format!("{path}:{}", other.line))
            .with("count", same);
        let Noted { line, column, place, .. } = one;
        let (line, column, place) = (*line, *column, place.clone());
        (place.start, Finding { rule: TWO_VALUES, line, column, place, message, reckoned: None })
    });
    found.collect()
}

/// How many pairs agree, and those that do not; `None` unless nearly all do.
fn differing<'f>(
    pairs: Vec<(&'f Noted, &'f Noted)>,
) -> Option<(usize, Vec<(&'f Noted, &'f Noted)>)> {
    let all = pairs.len();
    let (same, different): (Vec<_>, Vec<_>) =
        pairs.into_iter().partition(|(one, other)| one.agrees(other));
    let telling = same.iter().filter(|(one, _)| one.has_decimals);
    let mut telling: Vec<&str> = telling.map(|(one, _)| one.shown.as_str()).collect();
    let count = telling.len();
    telling.sort_unstable();
    telling.dedup();
    let is_copy = count >= LEAST
        && telling.len() >= LEAST_DIFFERENT
        && different.len() as f64 <= MOST_OTHERS * all as f64;
    is_copy.then_some((same.len(), different))
}
