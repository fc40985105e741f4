//! Lines that look like rows and stand outside of every table: they are shown with their bars.

use std::cmp::Ordering;

use super::{Found, Page};
use crate::marked::{Row, Written};
use crate::text::Refusal;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let blocks = page.document.stray.chunk_by(|row, next| row.line + 1 == next.line);
    blocks.flat_map(|rows| in_block(rows, page)).collect()
}

/// Rows that follow each other.
fn in_block(rows: &[Row], page: &Page<'_>) -> Vec<Found> {
    // A single line with bars, and lines without a figure, are more often sentences than rows.
    let holds_figures = |rows: &[Row]| {
        let mut cells = rows.iter().flat_map(|row| &row.cells);
        cells.any(|cell| !matches!(cell.written, Written::Text(_)))
    };
    let is_torn = |rows: &[Row]| rows.len() > 1 && holds_figures(rows);
    if let [first, dashes, ..] = rows
        && is_dashes(dashes, page.text)
        && let Some(below) = rows.get(1..).filter(|below| is_torn(below))
    {
        let [head, cells] = [first, dashes].map(|row| row.cells.len());
        let key = match head.cmp(&cells) {
            Ordering::Equal => "lint.stray-above",
            Ordering::Less => "lint.stray-short",
            Ordering::Greater => "lint.stray-head",
        };
        let message = Refusal::new(key).with("head", head).with("dashes", cells);
        return found(first, below.len() + 1, message).into_iter().collect();
    }
    let groups = rows.chunk_by(|row, next| row.cells.len() == next.cells.len());
    let torn = groups.filter(|rows| is_torn(rows));
    torn.filter_map(|rows| found(rows.first()?, rows.len(), Refusal::new("lint.stray-row")))
        .collect()
}

fn found(first: &Row, rows: usize, message: Refusal) -> Option<Found> {
    let at = first.cells.first()?.space.start;
    Some(Found::at(at..at, message.with("rows", rows)))
}

/// Whether a row is what stands between a head and its rows.
fn is_dashes(row: &Row, text: &str) -> bool {
    row.cells.iter().all(|cell| {
        let content = text.get(cell.content.clone()).unwrap_or_default();
        content.contains('-') && content.trim_matches(':').bytes().all(|byte| byte == b'-')
    })
}
