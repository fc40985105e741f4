//! The short answer for a terminal: may these be compared, and what came out.
//!
//! Owns columns, colours and the choice of rows. Draws only signs that every terminal shows two
//! cells wide; the full report is elsewhere.

use std::collections::BTreeSet;
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, presets};
use unicode_width::UnicodeWidthStr as _;

use crate::model::Dims;
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Icon, Span, Text};
use crate::report::{ArmView, Comparability, ComparisonView, Report, SuiteView};
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
pub fn terminal(report: &Report, options: TerminalOptions, words: &Catalogue) -> String {
    let mut parts = Vec::new();
    let headline = inline::plain(&with_even_signs(&report.headline), 400);
    if !headline.is_empty() {
        parts.push(paint(&headline, headline_style(&report.comparability), options));
    }
    parts.extend(accepted(report, words));
    if !report.comparisons.is_empty() {
        let rows = chosen(&report.comparisons);
        parts.push(table(&rows, report, words, options));
        if rows.len() < report.comparisons.len() {
            let more = (report.comparisons.len() - rows.len()).to_string();
            parts.push(words.fill("terminal.more", &[("count", &more)]));
        }
        parts.push(counts(report, words));
        parts.extend(noise(report, words));
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

/// The rules that were accepted, and the grade without them.
fn accepted(report: &Report, words: &Catalogue) -> Option<String> {
    let of = &report.comparability;
    let rules: Vec<String> = of.accepted.iter().map(|one| short(&one.rule)).collect();
    let findings: usize = of.accepted.iter().map(|one| one.findings).sum();
    let (rules, grade) = (rules.join(&words.get("punctuation.comma")), of.grade_unaccepted);
    let grade = words.get(&format!("grade.{}.title", grade.replace(' ', "-")));
    let count = findings.to_string();
    let args = [("count", count.as_str()), ("rules", &rules), ("grade", &grade)];
    let key = if of.grade_unaccepted == of.grade { "accepted-same" } else { "accepted" };
    (findings > 0).then(|| words.fill(&format!("terminal.{key}"), &args))
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
    let accepted = rows.iter().map(|row| &row.accepted);
    let accepted = accepted.chain(report.suites.iter().map(|suite| &suite.accepted));
    let mut endings: BTreeSet<String> = accepted.map(|codes| beside(codes, words)).collect();
    endings.insert(String::new());
    let lines =
        drawn.lines().map(|line| verdict_painted(line.trim_end(), &endings, words, options));
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
    let shown = |value: Option<f64>, arm: &ArmView| {
        let figure = value.map(|value| quantity::figure(value, unit));
        figure.map_or_else(missing, |figure| quantity::covered(figure, arm.part))
    };
    let [mine, theirs] = figures;
    let (baseline, candidate) = (shown(mine, &row.baseline), shown(theirs, &row.candidate));
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
    cells.push(verdict(row.verdict, words) + &beside(&row.accepted, words));
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
    cells.push(verdict(suite.verdict, words) + &beside(&suite.accepted, words));
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

/// The codes that a verdict stands in spite of.
fn beside(accepted: &[&str], words: &Catalogue) -> String {
    if accepted.is_empty() {
        return String::new();
    }
    let codes = accepted.join(&words.get("punctuation.comma"));
    let detail = words.fill("accepted.beside", &[("codes", &codes)]);
    words.fill("phrase.detail", &[("detail", &detail)])
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

/// How many differences another run of the baseline could make, where runs tell its noise.
fn noise(report: &Report, words: &Catalogue) -> Option<String> {
    let measured = report.comparisons.iter().filter_map(|one| one.noise.as_ref());
    let runs = measured.clone().map(|noise| noise.runs).max()?.to_string();
    let within = measured.clone().filter(|noise| noise.within).count().to_string();
    let count = measured.count().to_string();
    let args = [("runs", runs.as_str()), ("within", &within), ("count", &count)];
    Some(words.fill("terminal.noise", &args))
}

/// The verdict stands last, so that its colour cannot disturb the widths of other columns; behind it
/// at most one of `endings`.
fn verdict_painted(
    line: &str,
    endings: &BTreeSet<String>,
    words: &Catalogue,
    options: TerminalOptions,
) -> String {
    for name in VERDICTS {
        let word = verdict(name, words);
        if let Some((before, after)) = line.rsplit_once(&word)
            && endings.contains(after)
        {
            return format!("{before}{}{after}", paint(&word, verdict_style(name), options));
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

fn headline_style(of: &Comparability) -> Style {
    let color = match of.grade {
        "identical" => AnsiColor::Cyan,
        "as declared" if of.grade_unaccepted == of.grade => AnsiColor::Green,
        "as declared" | "confounded" => AnsiColor::Yellow,
        _ => AnsiColor::Red,
    };
    color.on_default().bold()
}

fn paint(text: &str, style: Style, options: TerminalOptions) -> String {
    if options.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
