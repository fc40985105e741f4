//! The tables of a comparison as a paper prints them: every difference with its interval, bold where it is
//! established, and below it how it was found.

use std::collections::BTreeSet;

use super::ReportMaterial;
use super::block::{Cell, Table, Text};
use super::brief::{self, Cells};
use super::data::{ComparisonData, ComparisonView, SuiteView};
use super::sections::method::name_of;
use crate::model::Dims;
use crate::quantity;
use crate::text::Catalogue;

/// A table with what stands above and below it.
#[derive(Debug, Clone, PartialEq)]
pub struct PaperTable {
    pub caption: Text,
    pub table: Table,
    pub notes: Vec<String>,
}

/// One for each candidate.
pub(super) fn tables(data: &ComparisonData, material: &ReportMaterial<'_>) -> Vec<PaperTable> {
    let mut candidates: Vec<&str> = Vec::new();
    for row in data.comparisons.iter().filter(|row| row.delta.is_some()) {
        if !candidates.contains(&row.candidate_run.as_str()) {
            candidates.push(&row.candidate_run);
        }
    }
    candidates.into_iter().map(|candidate| table(candidate, data, material)).collect()
}

fn table(candidate: &str, data: &ComparisonData, material: &ReportMaterial<'_>) -> PaperTable {
    let words = material.words;
    let is_its = |row: &&ComparisonView| row.delta.is_some() && row.candidate_run == candidate;
    let compared: Vec<&ComparisonView> = data.comparisons.iter().filter(is_its).collect();
    let averages: Vec<&SuiteView> =
        data.suites.iter().filter(|suite| suite.candidate_run == candidate).collect();
    let of_averages = averages.iter().map(|suite| of_average(suite, words));
    let of_results = compared.iter().map(|row| of_comparison(row, words));
    let rows: Vec<PaperRow> = of_averages.chain(of_results).collect();
    let baseline = compared.first().map_or("", |row| row.baseline_run.as_str());
    let level = quantity::level(1.0 - material.options.alpha);
    let has = |of: fn(&PaperRow) -> &Option<String>| rows.iter().any(|row| of(row).is_some());
    let text = |text: &Option<String>| text.clone().map_or_else(Cell::dash, Cell::text);
    let table = Table::of_rows(&rows)
        .left(words.get("results.metric"), |row| row.metric.as_str())
        .when(has(|row| &row.dataset), |table| {
            table.left(words.get("results.dataset"), |row| text(&row.dataset))
        })
        .when(has(|row| &row.place), |table| {
            table.left(words.get("results.dims"), |row| text(&row.place))
        })
        .right("n", |row| row.n.map_or_else(Cell::dash, Cell::count))
        .right(baseline, |row| row.figures[0].clone())
        .right(candidate, |row| row.figures[1].clone())
        .right(words.get("results.difference"), |row| {
            match (row.is_established, row.is_equivalent) {
                (true, _) => strong(&row.delta),
                (_, true) => equivalent(&row.delta),
                _ => row.delta.clone(),
            }
        })
        .right(words.fill("paper.interval", &[("level", &level)]), |row| row.interval.clone())
        .right(words.get("paper.p"), |row| row.p.clone());
    let args = [("candidate", candidate), ("baseline", baseline)];
    PaperTable {
        caption: words.fill("paper.caption", &args).into(),
        table: table.table(),
        notes: notes(&compared, &rows, !averages.is_empty(), material),
    }
}

/// A comparison as a paper prints it.
struct PaperRow {
    metric: String,
    dataset: Option<String>,
    place: Option<String>,
    /// Pairs, or samples of the smaller arm.
    n: Option<u64>,
    figures: [Cell; 2],
    delta: Cell,
    interval: Cell,
    p: Cell,
    /// Whether it is better or worse for certain.
    is_established: bool,
    is_equivalent: bool,
    /// Whether a verdict could have been given.
    is_judged: bool,
}

impl PaperRow {
    /// One without a dataset or a size.
    fn new(metric: &str, dims: &Dims, cells: Cells, verdict: &str) -> Self {
        let Cells { figures, delta, interval, p } = cells;
        Self {
            metric: metric.to_owned(),
            dataset: None,
            place: (!dims.is_empty()).then(|| dims.to_string()),
            n: None,
            figures,
            delta,
            interval,
            p,
            is_established: matches!(verdict, "better" | "worse"),
            is_equivalent: verdict == "equivalent",
            is_judged: verdict != "not-assessable",
        }
    }
}

fn of_comparison(view: &ComparisonView, words: &Catalogue) -> PaperRow {
    let paired = view.pairing.as_ref().map(|pairs| pairs.paired).filter(|paired| *paired > 0);
    let sizes = view.baseline.n.zip(view.candidate.n);
    PaperRow {
        dataset: view.dataset.clone(),
        n: paired.or(sizes.map(|(a, b)| a.min(b))),
        ..PaperRow::new(&view.metric, &view.dims, brief::cells(view, words), view.verdict)
    }
}

/// An average over datasets as a paper prints it.
fn of_average(suite: &SuiteView, words: &Catalogue) -> PaperRow {
    PaperRow {
        dataset: Some(words.fill("terminal.suite", &[("datasets", suite.datasets)])),
        ..PaperRow::new(&suite.metric, &suite.dims, brief::average_cells(suite), suite.verdict)
    }
}

fn equivalent(cell: &Cell) -> Cell {
    Cell { text: cell.text.clone().and_plain(" ="), ..cell.clone() }
}

fn strong(cell: &Cell) -> Cell {
    Cell { text: cell.text.in_bold(), ..cell.clone() }
}

/// What bold means, and by which tests p was found.
fn notes(
    compared: &[&ComparisonView],
    rows: &[PaperRow],
    has_averages: bool,
    material: &ReportMaterial<'_>,
) -> Vec<String> {
    let words = material.words;
    let tests: BTreeSet<&str> =
        compared.iter().filter_map(|row| Some(row.test.as_ref()?.method)).collect();
    let tests: Vec<String> =
        tests.into_iter().map(|test| name_of("method.test", test, words)).collect();
    let any = |holds: fn(&PaperRow) -> bool| rows.iter().any(holds);
    let alpha = quantity::level(material.options.alpha);
    let bold = match (any(|row| row.is_established), any(|row| row.is_judged)) {
        (true, _) => "paper.bold",
        (false, true) => "paper.none-established",
        (false, false) => "paper.none-judged",
    };
    let mut notes = vec![words.fill(bold, &[("alpha", alpha)])];
    notes.extend(any(|row| row.is_equivalent).then(|| words.get("paper.equivalent")));
    if !tests.is_empty() {
        let tests = tests.join(&words.get("punctuation.semicolon"));
        notes.push(words.fill("paper.tests", &[("tests", tests)]));
    }
    notes.extend(has_averages.then(|| words.get("paper.averages")));
    notes
}
