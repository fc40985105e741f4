//! Rows of totals and averages against the rows above them.

use super::columns::{Columns, figure_in, has_word, name_of, number_place, printed_in};
use super::printed::{Printed, Span, Way};
use super::{Found, Page, Reckoned, averages, differences};
use crate::marked::{Figure, Row};

pub(super) const TOTAL: &[&str] = &["total", "sum", "合计", "总计", "总和"];

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

/// The last row of a table, where its name says that it sums the others up.
fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let Some((row, above)) = columns.rows.split_last() else { return Vec::new() };
    let name = name_of(row, text);
    let is = |words: &[&str]| words.iter().any(|word| has_word(&name, word));
    let (key, divisor) = if is(averages::WORDS) {
        ("lint.mean-row", above.len() as f64)
    } else if is(TOTAL) {
        ("lint.total", 1.0)
    } else {
        return Vec::new();
    };
    let sums = columns.figures.iter().filter_map(|&column| {
        if key == "lint.total" && is_of_all(row, above, column) {
            return None;
        }
        let (span, printed, are_counts) = sum(row, above, column)?;
        if is_of_its_row(columns, row, column) {
            return None;
        }
        let span = span.scaled(1.0 / divisor);
        // A sum of counts is not rounded, a mean of them may be.
        let fits = if are_counts && key == "lint.total" {
            printed.value == span.middle()
        } else {
            printed.can_be(span)
        };
        Some(Summed { column, span, printed, fits })
    });
    let sums: Vec<Summed> = sums.collect();
    let fits = sums.iter().filter(|sum| sum.fits).count();
    // Averages may be weighted, and shares no sums: the columns that fit say what the row is. Of two
    // columns one is enough where the other holds what no average is, however weighted.
    let is_one_of_two = fits == 1
        && matches!(sums.as_slice(), [_, _])
        && sums.iter().all(|sum| sum.fits || (divisor > 1.0 && is_beyond(sum, above)));
    if above.len() < 2 || !((fits >= 2 && 3 * fits >= 2 * sums.len()) || is_one_of_two) {
        return Vec::new();
    }
    // In a row of means the total of a count is as usual.
    let is_sum = |sum: &Summed| divisor > 1.0 && sum.printed.can_be(sum.span.scaled(divisor));
    let wrong = sums.into_iter().filter(|sum| !sum.fits && !is_sum(sum));
    wrong
        .filter_map(|Summed { column, span, printed, .. }| {
            let parts = above.iter().filter_map(|row| printed_in(row, column)).map(Printed::text);
            let parts = parts.collect::<Vec<_>>().join(" + ");
            let reckoned = Reckoned {
                found: printed.text(),
                expected: printed.like(span.middle()),
                how: if divisor > 1.0 { format!("({parts}) ÷ {}", above.len()) } else { parts },
                fix: None,
            };
            let place = number_place(row.cells.get(column)?, text);
            Some(Found::figure(place, key, reckoned).with("rows", above.len()))
        })
        .collect()
}

/// What a column of the last row should be, and is.
struct Summed {
    column: usize,
    span: Span,
    printed: Printed,
    fits: bool,
}

/// Whether all figures above are larger, or all are smaller.
fn is_beyond(sum: &Summed, above: &[&Row]) -> bool {
    let parts = || above.iter().filter_map(|row| printed_in(row, sum.column));
    let room = sum.printed.unit();
    parts().all(|part| part.value > sum.printed.value + room)
        || parts().all(|part| part.value < sum.printed.value - room)
}

/// Whether a figure is the change, in per cent, between two others of its row: that of sums or means is not
/// the sum or the mean of changes.
fn is_of_its_row(columns: &Columns<'_>, row: &Row, column: usize) -> bool {
    let Some(figure) = figure_in(row, column).filter(|figure| figure.is_share()) else {
        return false;
    };
    let is_named = columns.heads.get(column).is_some_and(|head| differences::is_difference(head));
    let printed = Printed::from(figure);
    let others = || columns.figures.iter().filter(|other| **other != column);
    let span = |column: &usize| printed_in(row, *column).map(Printed::span);
    let is_change = |from: &usize, to: &usize| {
        let (Some(from), Some(to)) = (span(from), span(to)) else { return false };
        let change = Way::Relative.span(from, to);
        change.is_some_and(|change| printed.can_be(change) || printed.turned().can_be(change))
    };
    is_named && others().any(|from| others().any(|to| from != to && is_change(from, to)))
}

/// Whether one of the figures above is as large, as with a rate or a time over all, and not with a sum.
fn is_of_all(row: &Row, above: &[&Row], column: usize) -> bool {
    let value = |row: &Row| figure_in(row, column).map(|figure| figure.value);
    let reaches = |total: f64| above.iter().filter_map(|row| value(row)).any(|part| part >= total);
    value(row).is_some_and(|total| total > 0.0 && reaches(total))
}

/// What the rows above come to, what is printed, and whether all of it may be counts; none where one has no
/// figure or another unit.
fn sum(row: &Row, above: &[&Row], column: usize) -> Option<(Span, Printed, bool)> {
    let printed = figure_in(row, column)?;
    let mut sum = Span::exactly(0.0);
    for row in above {
        let figure =
            figure_in(row, column).filter(|figure| figure.is_share() == printed.is_share())?;
        sum = sum.plus(Printed::from(figure).span());
    }
    let is_count = |row: &Row| figure_in(row, column).is_some_and(Figure::is_whole);
    let are_counts = is_count(row) && above.iter().all(|row| is_count(row));
    Some((sum, Printed::from(printed), are_counts))
}
