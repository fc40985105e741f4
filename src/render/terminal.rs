//! The short answer for a terminal: may these be compared, and what came out.
//!
//! Owns columns, colours and the choice of rows. Draws only signs that every terminal shows two
//! cells wide; the full report is elsewhere.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, presets};
use unicode_width::UnicodeWidthStr as _;

use crate::model::{Dims, Unit};
use crate::report::block::{Icon, Span, Text};
use crate::report::{ComparisonView, Report, SuiteView, quantity};
use crate::text::Catalogue;

use super::{escape, inline};

/// The most rows shown; the report has them all.
const MOST_ROWS: usize = 20;

/// The most characters of a name from a run.
const LONGEST_NAME: usize = 60;

/// Verdicts, from the one a reader must see first.
const VERDICTS: [&str; 6] =
    ["worse", "better", "inconclusive", "equivalent", "identical", "not-assessable"];

/// What the terminal can show; the caller knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TerminalOptions {
    /// Colours are wanted and understood.
    pub color: bool,
    /// Columns of the terminal; `None` leaves tables as wide as they are.
    pub width: Option<u16>,
}

/// A table without a report around it, ending in one newline: one row of cells below the other,
/// text to the left and `numbers`, a range of columns, to the right.
pub fn plain_table(heads: &[&str], rows: Vec<Vec<String>>, numbers: Range<usize>) -> String {
    let heads = heads.iter().map(|head| (*head).to_owned()).collect();
    let rows = rows.into_iter().map(|row| row.iter().map(|cell| Cell::new(short(cell))).collect());
    let table = ruled(heads, rows.collect(), numbers);
    table.lines().flat_map(|line| [line.trim_end().to_owned(), "\n".to_owned()]).collect()
}

/// The summary, ending in one newline.
pub fn terminal(report: &Report, options: TerminalOptions) -> String {
    let words = Catalogue::of(report.lang);
    let mut parts = Vec::new();
    let headline = inline::plain(&with_even_signs(&report.headline), 400);
    if !headline.is_empty() {
        parts.push(paint(&headline, headline_style(report.comparability.grade), options));
    }
    if !report.comparisons.is_empty() {
        let rows = chosen(&report.comparisons);
        parts.push(table(&rows, report, words, options));
        if rows.len() < report.comparisons.len() {
            let more = (report.comparisons.len() - rows.len()).to_string();
            parts.push(words.fill("terminal.more", &[("count", &more)]));
        }
        parts.push(counts(report, words));
    }
    format!("{}\n", parts.join("\n\n"))
}

/// Without the signs that need U+FE0F, whose width terminals disagree about.
fn with_even_signs(text: &Text) -> Text {
    let spans = text.0.iter().filter_map(|span| match span {
        Span::Icon(Icon::Up) => Some(Span::Plain("🔺".to_owned())),
        Span::Icon(Icon::Down) => Some(Span::Plain("🔻".to_owned())),
        Span::Icon(Icon::Flat | Icon::Caution) => None,
        other => Some(other.clone()),
    });
    Text(spans.collect())
}

/// All rows in order, or the most urgent ones, each kind in order.
fn chosen(comparisons: &[ComparisonView]) -> Vec<&ComparisonView> {
    let mut rows: Vec<&ComparisonView> = comparisons.iter().collect();
    if rows.len() > MOST_ROWS {
        rows.sort_by_key(|row| VERDICTS.iter().position(|verdict| *verdict == row.verdict));
        rows.truncate(MOST_ROWS);
    }
    rows
}

fn several_candidates(report: &Report) -> bool {
    let mut names = report.comparisons.iter().map(|comparison| &comparison.candidate_run);
    names.next().is_some_and(|first| names.any(|name| name != first))
}

/// The columns that give way, in this order, when the terminal is too narrow.
#[derive(Clone, Copy)]
struct Columns {
    candidate: bool,
    interval: bool,
    p: bool,
}

fn table(
    rows: &[&ComparisonView],
    report: &Report,
    words: &Catalogue,
    options: TerminalOptions,
) -> String {
    let candidate = several_candidates(report);
    let mut drawn = Table::new();
    for (interval, p) in [(true, true), (false, true), (false, false)] {
        drawn = filled(rows, &report.suites, Columns { candidate, interval, p }, words);
        let widest = drawn.lines().map(|line| line.trim_end().width()).max().unwrap_or(0);
        if options.width.is_none_or(|width| widest <= usize::from(width)) {
            break;
        }
        drawn.set_content_arrangement(ContentArrangement::Dynamic);
    }
    if let Some(width) = options.width {
        drawn.set_width(width);
    }
    let lines = drawn.lines().map(|line| verdict_painted(line.trim_end(), words, options));
    lines.collect::<Vec<_>>().join("\n")
}

/// One row for each comparison, then one for each average over datasets.
fn filled(
    rows: &[&ComparisonView],
    suites: &[SuiteView],
    columns: Columns,
    words: &Catalogue,
) -> Table {
    let names = if columns.candidate { 2 } else { 1 };
    let heads = heads(rows, columns, words);
    let last = heads.len().saturating_sub(1);
    let averages = suites.iter().map(|suite| suite_cells(suite, columns, words));
    let rows = rows.iter().map(|row| cells(row, columns, words)).chain(averages);
    ruled(heads, rows.collect(), names..last)
}

/// One rule below the heads and nothing else.
fn ruled(heads: Vec<String>, rows: Vec<Vec<Cell>>, numbers: Range<usize>) -> Table {
    let rule = presets::NOTHING.header_separator(LineStyle::none().fill('─').junction('─'));
    let mut table = Table::new();
    table.load_style(rule).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(heads);
    table.add_rows(rows);
    let last = table.column_count().saturating_sub(1);
    for (position, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if position == last { 0 } else { 2 }));
        if numbers.contains(&position) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn heads(rows: &[&ComparisonView], columns: Columns, words: &Catalogue) -> Vec<String> {
    let level = rows.iter().find_map(|row| row.delta.as_ref()?.level);
    let level = level.map_or_else(String::new, |level| format!("{:.0}% ", level * 100.0));
    let mut heads = vec![words.get("terminal.metric")];
    if columns.candidate {
        heads.push(words.get("terminal.run"));
    }
    heads.extend(
        ["baseline", "candidate", "delta"].map(|head| words.get(&format!("terminal.{head}"))),
    );
    if columns.interval {
        heads.push(words.fill("terminal.interval", &[("level", &level)]));
    }
    if columns.p {
        heads.push(words.get("terminal.p"));
    }
    heads.push(words.get("terminal.verdict_head"));
    heads
}

fn cells(row: &ComparisonView, columns: Columns, words: &Catalogue) -> Vec<Cell> {
    let unit = Unit::of_name(row.unit);
    let figures = row.compared();
    let places = figures.iter().flatten().map(|value| quantity::decimals(*value, unit));
    let places = places.max().unwrap_or(0);
    let [baseline, candidate] =
        figures.map(|value| value.map_or_else(missing, |value| quantity::figure(value, unit)));
    let delta = row.delta.as_ref();
    let change = delta.map(|delta| quantity::signed_with_unit(delta.absolute, places, unit));
    let mut cells = vec![name(row)];
    if columns.candidate {
        cells.push(short(&row.candidate_run));
    }
    cells.extend([baseline, candidate, change.unwrap_or_else(missing)]);
    let unknown = || if delta.is_some() { none() } else { missing() };
    if columns.interval {
        let ci = delta.and_then(|delta| delta.ci);
        cells.push(ci.map_or_else(unknown, |[lo, hi]| quantity::interval(lo, hi, places)));
    }
    if columns.p {
        let p = row.test.as_ref().and_then(|test| test.p_adjusted).filter(|_| delta.is_some());
        cells.push(p.map_or_else(unknown, quantity::p_value));
    }
    cells.push(verdict(row.verdict, words));
    cells.into_iter().map(Cell::new).collect()
}

/// A mean of differences stands beside no figures of the arms: datasets have no common scale.
fn suite_cells(suite: &SuiteView, columns: Columns, words: &Catalogue) -> Vec<Cell> {
    let mean = suite.macro_mean;
    let [lo, hi] = mean.ci;
    let places = quantity::decimals_for_interval(lo, hi);
    let datasets = suite.datasets.to_string();
    let average = words.fill("terminal.suite", &[("datasets", &datasets)]);
    let mut cells = vec![named(&suite.metric, Some(&average), &suite.dims)];
    if columns.candidate {
        cells.push(short(&suite.candidate_run));
    }
    cells.extend([none(), none()]);
    cells.push(quantity::signed_with_unit(mean.delta, places, suite.metric_unit));
    if columns.interval {
        cells.push(quantity::interval(lo, hi, places));
    }
    if columns.p {
        cells.push(quantity::p_value(suite.p_adjusted));
    }
    cells.push(verdict(suite.verdict, words));
    cells.into_iter().map(Cell::new).collect()
}

fn name(row: &ComparisonView) -> String {
    named(&row.metric, row.dataset.as_deref(), &row.dims)
}

/// `accuracy (okvqa, shots=1)`.
fn named(metric: &str, place: Option<&str>, dims: &Dims) -> String {
    let dims = dims.iter().map(|(name, value)| format!("{name}={value}"));
    let place: Vec<String> = place.map(str::to_owned).into_iter().chain(dims).collect();
    if place.is_empty() {
        short(metric)
    } else {
        short(&format!("{metric} ({})", place.join(", ")))
    }
}

/// A text from a run: no control character reaches the terminal.
fn short(text: &str) -> String {
    escape::bounded(&escape::clean(text), LONGEST_NAME)
}

fn missing() -> String {
    "?".to_owned()
}

/// What does not apply.
fn none() -> String {
    "—".to_owned()
}

fn verdict(verdict: &str, words: &Catalogue) -> String {
    words.get(&format!("terminal.verdict.{verdict}"))
}

fn counts(report: &Report, words: &Catalogue) -> String {
    let verdicts = report.verdicts;
    let number = |verdict: &str| match verdict {
        "worse" => verdicts.worse,
        "better" => verdicts.better,
        "inconclusive" => verdicts.inconclusive,
        "equivalent" => verdicts.equivalent,
        "identical" => verdicts.identical,
        _ => verdicts.not_assessable,
    };
    let counted: Vec<String> = VERDICTS
        .iter()
        .filter(|verdict| number(verdict) > 0)
        .map(|name| format!("{} {}", number(name), words.get(&format!("terminal.count.{name}"))))
        .collect();
    counted.join(&words.get("punctuation.comma"))
}

/// The verdict stands last, so that its colour cannot disturb the widths of other columns.
fn verdict_painted(line: &str, words: &Catalogue, options: TerminalOptions) -> String {
    for name in VERDICTS {
        if let Some(before) = line.strip_suffix(&verdict(name, words)) {
            let word = &line[before.len()..];
            return format!("{before}{}", paint(word, verdict_style(name), options));
        }
    }
    line.to_owned()
}

fn verdict_style(verdict: &str) -> Style {
    match verdict {
        "better" => AnsiColor::Green.on_default(),
        "worse" => AnsiColor::Red.on_default().bold(),
        "inconclusive" => AnsiColor::Yellow.on_default(),
        "not-assessable" => Style::new().dimmed(),
        _ => Style::new(),
    }
}

fn headline_style(grade: &str) -> Style {
    let color = match grade {
        "identical" => AnsiColor::Cyan,
        "as declared" => AnsiColor::Green,
        "confounded" => AnsiColor::Yellow,
        _ => AnsiColor::Red,
    };
    color.on_default().bold()
}

fn paint(text: &str, style: Style, options: TerminalOptions) -> String {
    if options.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
