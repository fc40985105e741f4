//! Rows that stand outside of any table, torn from it by what was put between.

use super::answers;
use super::facts::Facts;
use super::labels::Labels;
use super::style::agrees;
use super::understood::Understood;
use super::{FilledCell, Outcome};
use crate::marked::Row;
use crate::marked::{Cell, Written};
use crate::text::Refusal;

/// The tables that the rows belong to: the only one above with as many columns in which their figures
/// are those of the runs.
pub(super) fn tables_of(
    rows: &[Row],
    tables: &[Understood],
    facts: &Facts,
    (text, labels): (&str, &Labels<'_>),
) -> Vec<Option<usize>> {
    let fits = |table: &Understood, row: &Row| {
        let (agreeing, figures) = table.agreement(row, facts, (text, labels));
        table.header.line < row.line && figures > 0 && agreeing == figures
    };
    let of = |row: &Row| {
        let mut fitting = (0..tables.len())
            .filter(|&table| tables.get(table).is_some_and(|table| fits(table, row)));
        let only = fitting.next()?;
        fitting.next().is_none().then_some(only)
    };
    rows.iter().map(of).collect()
}

/// What asks for something in a row that stays outside, with the line of the table that it fits.
pub(super) fn left(row: &Row, header: Option<usize>, text: &str) -> Vec<FilledCell> {
    let asks = |cell: &Cell| matches!(cell.written, Written::Asked(_) | Written::AskedOf(..));
    let refusal = || match header {
        Some(line) => Refusal::new("fill.stray-row-of").with("line", line),
        None => Refusal::new("fill.stray-row"),
    };
    let asking = row.cells.iter().enumerate().filter(|(_, cell)| asks(cell));
    asking
        .map(|(column, cell)| FilledCell {
            line: row.line,
            column: column + 1,
            before: text.get(cell.content.clone()).unwrap_or_default().to_owned(),
            outcome: Outcome::Unclear(refusal()),
        })
        .collect()
}

impl Understood {
    /// How many figures a row would have in the table, and how many of them are those of the runs.
    fn agreement(
        &self,
        row: &Row,
        facts: &Facts,
        (text, labels): (&str, &Labels<'_>),
    ) -> (usize, usize) {
        let trial = self.with_only(row, text, labels);
        let figures = trial.figures(0).filter_map(|(column, question)| {
            let figure = trial.figure(0, column)?;
            let (found, value) = answers::figure(facts, &question).ok()?;
            Some(agrees(figure, value, found.unit))
        });
        let figures: Vec<bool> = figures.collect();
        (figures.iter().filter(|agrees| **agrees).count(), figures.len())
    }
}
