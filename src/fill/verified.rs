//! The figures of a document against those of the runs: each is taken for one that is asked for, column
//! by column, and columns that are far apart at once, so that it is found as what would be filled in, by
//! all that stands around it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{Called, Facts, FillChoices, Outcome, Parts, Regions, Signs, fill};
use crate::marked::{Cell, Document, Figure, Lines, Row, Written};
use crate::model::MetricNames;
use crate::text::Refusal;

/// What the runs say of the figures of the tables of a document; names of rows are none.
#[derive(Debug, Default)]
pub struct Verified {
    pub agreeing: usize,
    /// In the order of the document.
    pub differing: Vec<Differing>,
    /// Figures that are those of no one result.
    pub not_found: usize,
}

/// A figure that is not that of the runs.
#[derive(Debug)]
pub struct Differing {
    pub place: Range<usize>,
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    pub found: String,
    pub expected: String,
    /// File and line of the data, and of what.
    pub source: String,
}

/// How far apart columns are that are asked for at once: far enough that none is in the other's place, and
/// so few times that wide tables take no longer by the square of their width.
const APART: usize = 32;

/// Sets the figures of tables against the runs.
///
/// # Errors
/// When the shipped words cannot be read, which a test rules out.
pub fn verify(
    text: &str,
    (facts, names, called): (&Facts, &MetricNames, &[Called]),
) -> Result<Verified, toml::de::Error> {
    let signs = Signs { judged: &|_, _, _| String::new(), direction: &|_| String::new() };
    let none = (&Regions::default(), &Parts::default());
    let filled = |text: &str, refresh| {
        let choices = FillChoices { refresh, ..FillChoices::default() };
        Ok(fill(text, (facts, names, called), none, &choices, signs)?.cells)
    };
    let document = Document::read(text);
    let told = filled(text, false)?.into_iter();
    let told = told.filter(|cell| matches!(cell.outcome, Outcome::Disagrees { .. }));
    let contradicted: Vec<(usize, usize)> = told.map(|cell| (cell.line, cell.column)).collect();
    let rows = || document.tables.iter().flat_map(|table| &table.rows);
    let width = rows().map(|row| row.cells.len()).max().unwrap_or(0);
    let mut seen: BTreeMap<(usize, usize), Outcome> = BTreeMap::new();
    for first in 0..width.min(APART) {
        let columns = |row: &'_ Row| (first..row.cells.len()).step_by(APART);
        let asked = rows().flat_map(|row| columns(row).filter_map(|at| figure_cell(row, at)));
        let asked: Vec<&Cell> = asked.collect();
        if asked.is_empty() {
            continue;
        }
        // Other figures of the table may be wrong, and this one right.
        let cells = filled(&masked(text, &asked), true)?.into_iter();
        let of_columns = cells.filter(|cell| cell.column % APART == (first + 1) % APART);
        seen.extend(of_columns.map(|cell| ((cell.line, cell.column), cell.outcome)));
    }
    let mut verified = Verified::default();
    for table in &document.tables {
        let mut own = Verified::default();
        for row in &table.rows {
            for column in 0..row.cells.len() {
                let place = (row.line, column + 1);
                if let (Some(cell), Some(outcome)) = (figure_cell(row, column), seen.remove(&place))
                {
                    own.add(outcome, cell, contradicted.contains(&place), text);
                }
            }
        }
        verified.take(own);
    }
    let starts = verified.differing.iter().map(|one| one.place.start);
    let positions = Lines::new(text).positions(starts.collect::<Vec<_>>().into_iter());
    for (one, (line, column)) in verified.differing.iter_mut().zip(positions) {
        (one.line, one.column) = (line, column);
    }
    Ok(verified)
}

impl Verified {
    /// Whether figures can be set against these runs.
    ///
    /// # Errors
    /// When one has no figures, or two have one name.
    pub fn possible(facts: &Facts) -> Result<(), Refusal> {
        for (at, arm) in facts.arms.iter().enumerate() {
            if facts.figures.iter().all(|figure| figure.arm != at) {
                return Err(Refusal::new("lint.no-figures").with("name", arm.name.as_str()));
            }
        }
        facts.of_single_runs()
    }

    /// The metrics and the data sets of the runs by name; without one, what has no data set.
    pub fn names(facts: &Facts) -> [Vec<String>; 2] {
        let all = |names: BTreeSet<&str>| names.into_iter().map(str::to_owned).collect();
        [all(facts.metrics()), all(facts.datasets())]
    }

    fn add(&mut self, outcome: Outcome, own: &Cell, is_contradicted: bool, text: &str) {
        let found = text.get(own.content.clone()).unwrap_or_default();
        match outcome {
            Outcome::Written { text: expected, .. } if is_same(found, &expected) => {
                self.agreeing += 1;
            }
            Outcome::Written { text: expected, source } if is_contradicted => {
                let (found, place) = (found.to_owned(), own.content.clone());
                self.differing.push(Differing {
                    place,
                    line: 0,
                    column: 0,
                    found,
                    expected,
                    source,
                });
            }
            _ => self.not_found += 1,
        }
    }

    /// Adds a table. One of which most figures are others is about something else.
    fn take(&mut self, table: Self) {
        self.not_found += table.not_found;
        if table.differing.len() > table.agreeing {
            self.not_found += table.differing.len() + table.agreeing;
        } else {
            self.agreeing += table.agreeing;
            self.differing.extend(table.differing);
        }
    }
}

fn figure_cell(row: &Row, column: usize) -> Option<&Cell> {
    row.cells.get(column).filter(|cell| matches!(cell.written, Written::Figure(_)))
}

/// The document with these cells asking for their figures.
fn masked(text: &str, cells: &[&Cell]) -> String {
    let (mut masked, mut from) = (String::with_capacity(text.len()), 0);
    for cell in cells {
        masked.push_str(text.get(from..cell.content.start).unwrap_or_default());
        masked.push('?');
        from = cell.content.end;
    }
    masked + text.get(from..).unwrap_or_default()
}

/// Whether two texts are one figure, as far as the digits of the coarser one say.
fn is_same(found: &str, expected: &str) -> bool {
    let plain = |figure: &Figure| figure.suffix.trim().is_empty() || figure.is_share();
    let read = |text| Figure::read(text).filter(plain);
    let Some((own, runs)) = read(found).zip(read(expected)) else { return false };
    // A share may be written as a percentage in one place and not in the other.
    let factor = match (own.is_share(), runs.is_share()) {
        (true, false) => 100.0,
        (false, true) => 0.01,
        _ => 1.0,
    };
    let half = 0.5 * 10_f64.powf(-(own.decimals().min(runs.decimals()) as f64));
    (own.value - runs.value * factor).abs() <= half * (1.0 + 1e-6) + 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_the_same_as_far_as_its_digits_say() {
        for (found, expected, same) in [
            ("**57.0%**", "57.04%", true),
            ("57.1%", "57.04%", false),
            ("57%", "57.4%", true),
            ("0.57", "57.04%", true),
            ("+1.2 pp", "+1.20 pp", true),
            ("\u{2212}1.2", "-1.2 pp", false),
            ("1,200", "1200", true),
            ("x", "1", false),
        ] {
            assert_eq!(is_same(found, expected), same, "{found} {expected}");
        }
    }
}
