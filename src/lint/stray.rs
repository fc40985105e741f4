//! Lines that look like rows and stand outside of every table: they are shown with their bars.

use super::{Found, Page};
use crate::text::Refusal;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    for row in &page.document.stray {
        let at = row.cells.first().map_or(0, |cell| cell.space.start);
        match found.last_mut() {
            Some((_, first, count)) if *first + *count == row.line => *count += 1,
            _ => found.push((at, row.line, 1)),
        }
    }
    // A single line with bars is more often a sentence than a row.
    let torn = found.into_iter().filter(|(_, _, rows)| *rows > 1);
    torn.map(|(at, _, rows)| Found {
        at,
        message: Refusal::new("lint.stray-row").with("rows", rows),
    })
    .collect()
}
