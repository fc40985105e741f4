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

/// Tables above a row that it is held against, the nearest ones.
const MOST_TABLES: usize = 100;

/// The tables above that each row may belong to: those with as many columns in which its figures are
/// those of the runs.
pub(super) fn tables_of(
    rows: &[Row],
    tables: &[Understood],
    facts: &Facts,
    (text, labels): (&str, &Labels<'_>),
) -> Vec<Vec<usize>> {
    let fits = |table: &Understood, row: &Row| {
        let figures = table.figures_of(row, text, labels);
        let mut agreeing = figures.iter().filter_map(|(figure, question)| {
            let (found, value) = answers::figure(facts, question).ok()?;
            Some(agrees(figure, value, found.unit))
        });
        agreeing.next() == Some(true) && agreeing.all(|agrees| agrees)
    };
    let of = |row: &Row| {
        let is_near = |table: &&Understood| {
            table.header.line < row.line && table.columns.len() == row.cells.len()
        };
        let above = tables.iter().enumerate().rev().filter(|(_, table)| is_near(table));
        let fitting = above.take(MOST_TABLES).filter(|(_, table)| fits(table, row));
        fitting.map(|(at, _)| at).collect()
    };
    rows.iter().map(of).collect()
}

/// What asks for something in a row that stays outside, with the lines of the tables that it fits.
pub(super) fn left(row: &Row, headers: &[usize], text: &str) -> Vec<FilledCell> {
    let asks = |cell: &Cell| {
        matches!(
            cell.written,
            Written::Asked(_)
                | Written::AskedOf(..)
                | Written::AskedSpread(_)
                | Written::AskedParts(_)
        )
    };
    let mut lines: Vec<String> = headers.iter().map(ToString::to_string).collect();
    lines.reverse();
    let refusal = || match headers {
        [] => Refusal::new("fill.stray-row"),
        [line] => Refusal::new("fill.stray-row-of").with("line", *line),
        _ => Refusal::new("fill.stray-row-several").with("lines", lines.clone()),
    };
    let asking = row.cells.iter().enumerate().filter(|(_, cell)| asks(cell));
    asking
        .map(|(column, cell)| FilledCell {
            line: row.line,
            column: column + 1,
            before: text.get(cell.content.clone()).unwrap_or_default().to_owned(),
            outcome: Outcome::Unclear(refusal()),
            edit: None,
        })
        .collect()
}
