//! Two named rows of one table whose figures are all the same: one result may have been set down twice.

use super::columns::{Columns, figure_in};
use super::{Found, Page};
use crate::marked::{Row, Written};
use crate::text::Refusal;

/// Figures that have to be equal, and how many different ones there have to be among them.
const LEAST: usize = 4;
const LEAST_DIFFERENT: usize = 3;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let named = columns.rows.iter().filter(|row| has_name(row));
    let rows: Vec<(&Row, Vec<String>)> = named
        .map(|row| (*row, figures_of(columns, row)))
        .filter(|(_, all)| is_telling(all))
        .collect();
    let repeated = rows.iter().enumerate().filter_map(|(at, (row, figures))| {
        let mut earlier = rows
            .get(..at)?
            .iter()
            .filter(|(first, other)| other == figures && tells(first, text) == tells(row, text));
        // One finding for each figures that stand several times.
        let (first, _) = earlier.next().filter(|_| earlier.next().is_none())?;
        let place = row.cells.first()?.content.clone();
        let message =
            Refusal::new("lint.equal-rows").with("count", figures.len()).with("line", first.line);
        Some(Found::at(place, message))
    });
    repeated.collect()
}

/// All that a row says behind its name, emphasis aside.
fn tells<'t>(row: &Row, text: &'t str) -> Vec<&'t str> {
    let cells = row.cells.iter().skip(1).filter_map(|cell| text.get(cell.content.clone()));
    cells.map(|cell| cell.trim_matches(['*', '_', '`', ' '])).collect()
}

/// Whether a row is about something with a name; steps of a sweep may well end in the same figures.
fn has_name(row: &Row) -> bool {
    row.cells.first().is_some_and(|cell| match &cell.written {
        Written::Text(text) => text.contains(char::is_alphabetic),
        _ => false,
    })
}

fn figures_of(columns: &Columns<'_>, row: &Row) -> Vec<String> {
    let figures = columns.figures.iter().filter_map(|&column| {
        let figure = figure_in(row, column)?;
        Some(format!("{column}:{}{}", figure.number, figure.suffix.trim()))
    });
    figures.collect()
}

/// Whether figures are too many and too different to agree by accident.
fn is_telling(figures: &[String]) -> bool {
    let mut values: Vec<&str> =
        figures.iter().filter_map(|figure| Some(figure.split_once(':')?.1)).collect();
    values.retain(|value| value.contains('.'));
    let count = values.len();
    values.sort_unstable();
    values.dedup();
    count >= LEAST && values.len() >= LEAST_DIFFERENT
}
