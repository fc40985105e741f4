//! Rows that call a difference of two shares a change although their counts do not show one.

use super::rates::rates;
use super::{Found, Page};
use crate::marked::Row;
use crate::quantity;
use crate::stats::{Counts, Design, Interval, PairedCounts};
use crate::text::Refusal;

/// Level of the interval of a difference.
const LEVEL: f64 = 0.95;

const CLAIMS: &[&str] = &[
    "⬆", "⬇", "↑", "↓", "📈", "📉", "改善", "提升", "下降", "上升", "变好", "变差", "improve",
    "better", "worse", "regress",
];

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let rows = page.document.tables.iter().flat_map(|table| &table.rows);
    rows.filter_map(|row| in_row(row, page.text)).collect()
}

fn in_row(row: &Row, text: &str) -> Option<Found> {
    let cells: Vec<(&str, usize)> = row
        .cells
        .iter()
        .filter_map(|cell| Some((text.get(cell.content.clone())?, cell.content.start)))
        .collect();
    let rated = cells.iter().filter_map(|(cell, _)| match rates(cell).as_slice() {
        [rate] => {
            let [x, n] = [&rate.successes, &rate.trials].map(|count| count.printed.value as u64);
            Counts::new(x, n)
        }
        _ => None,
    });
    let counts: Vec<Counts> = rated.collect();
    let [before, after] = counts.as_slice() else { return None };
    let claims = |cell: &str| CLAIMS.iter().any(|word| cell.to_lowercase().contains(word));
    let (_, at) = cells.iter().find(|(cell, _)| rates(cell).is_empty() && claims(cell))?;
    let Interval { lo, hi, .. } = narrowest(*before, *after).interval(LEVEL)?;
    let interval = quantity::interval_text(100.0 * lo, 100.0 * hi, 1);
    let message = Refusal::new("lint.noise").with("interval", interval);
    (before.share() != after.share() && lo <= 0.0 && hi >= 0.0)
        .then(|| Found::at(*at..*at, message))
}

/// The design that finds a difference soonest: with equal numbers of samples these may be the same ones,
/// and every one that changed may have changed to the same side.
fn narrowest(before: Counts, after: Counts) -> Design {
    if before.n != after.n {
        return Design::IndependentBinary { baseline: before, candidate: after };
    }
    Design::PairedBinary(PairedCounts {
        both_right: before.x.min(after.x),
        gained: after.x.saturating_sub(before.x),
        lost: before.x.saturating_sub(after.x),
        both_wrong: before.n - before.x.max(after.x),
    })
}
