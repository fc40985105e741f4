//! Lines that look like rows and stand outside of every table: they are shown with their bars.

use super::{Found, Page};
use crate::marked::{Row, Written};
use crate::text::Refusal;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let rows = page.document.stray.as_slice();
    let groups =
        rows.chunk_by(|row, next| row.line + 1 == next.line && row.cells.len() == next.cells.len());
    // A single line with bars, and lines without a figure, are more often sentences than rows.
    let holds_figures = |rows: &[Row]| {
        let mut cells = rows.iter().flat_map(|row| &row.cells);
        cells.any(|cell| !matches!(cell.written, Written::Text(_)))
    };
    let torn = groups.filter(|rows| rows.len() > 1 && holds_figures(rows));
    torn.map(|rows| {
        let at = rows.first().and_then(|row| row.cells.first()).map_or(0, |cell| cell.space.start);
        Found::at(at..at, Refusal::new("lint.stray-row").with("rows", rows.len()))
    })
    .collect()
}
