//! Percentages that no count of so many samples gives: `53.5%` of 10. Brown and Heathers (2017), "The GRIM
//! test", doi:10.1177/1948550616673876.

use super::agreement::{Agreement, most_fit};
use super::columns::{Columns, figure_in, number_place, printed_in};
use super::count_columns::TRIALS;
use super::printed::{Printed, Span};
use super::{Found, Page, Reckoned};
use crate::marked::Row;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let trials = columns.named(TRIALS);
    let [trials] = trials.as_slice() else { return Vec::new() };
    let head = |column: &usize| columns.heads.get(*column).map_or("", String::as_str);
    let shares =
        columns.figures.iter().filter(|column| *column != trials && columns.is_measured(**column));
    let found = shares.flat_map(|column| {
        let in_percent = head(column).contains('%');
        let rows = columns.rows.iter();
        let judged =
            rows.filter_map(|row| Some((*row, judge(row, *trials, (*column, in_percent))?)));
        let (rows, agreements): (Vec<&Row>, Vec<Agreement>) = judged.unzip();
        // Means and differences in per cent are in no row what counts give.
        let wrong = rows.into_iter().zip(agreements.clone()).filter(|(_, one)| !one.fits);
        let wrong = wrong.filter(|_| most_fit(&agreements));
        wrong.filter_map(|(row, one)| found(row, (*trials, *column), one, text)).collect::<Vec<_>>()
    });
    found.collect()
}

/// The percentage of a row and the nearest that its number of samples gives; none where it gives all that
/// can be printed so.
fn judge(row: &Row, trials: usize, (column, in_percent): (usize, bool)) -> Option<Agreement> {
    let n = figure_in(row, trials).filter(|n| n.is_whole() && n.value >= 2.0)?.value;
    let share = figure_in(row, column)?;
    let is_share = (share.suffix.trim() == "%" || in_percent) && !share.has_plus;
    let printed = Printed::from(share);
    let step = 100.0 / n;
    let is_telling = step > 2.0 * printed.unit() && (0.0..=100.0).contains(&printed.value);
    let nearest = (printed.value / step).round() * step;
    (is_share && is_telling).then(|| Agreement::new(printed, Span::exactly(nearest), false))
}

fn found(row: &Row, (trials, column): (usize, usize), one: Agreement, text: &str) -> Option<Found> {
    let n = printed_in(row, trials)?;
    let k = (one.span.middle() * n.value / 100.0).round();
    let reckoned = Reckoned {
        found: one.stated.text(),
        expected: one.stated.like(one.span.middle()),
        how: format!("100 × {} ÷ {}", n.like(k), n.text()),
        fix: None,
    };
    let place = number_place(row.cells.get(column)?, text);
    let found = Found::figure(place, "lint.impossible-share", reckoned);
    Some(found.with("successes", n.like(k)).with("trials", n.text()))
}
