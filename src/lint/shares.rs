//! A column of shares of one whole that do not come to 100%.

use super::columns::{Columns, figure_in, has_word, is_only, number_place, printed_in};
use super::printed::{Printed, Span};
use super::{Found, Page, Reckoned, totals};
use crate::marked::{Row, Written};

const WORDS: &[&str] = &[
    "share",
    "shares",
    "proportion",
    "% of total",
    "percentage of total",
    "占比",
    "比重",
    "构成比",
];
/// Names of rows that stand for all that has no row.
const REST: &[&str] = &["other", "others", "rest", "remaining", "其他", "其它", "其余"];
/// The most that shares of one whole come to by a slip; what comes to more is shares of several.
const MOST: f64 = 115.0;
/// The same under a head that says nothing but share, and where a row gives their sum.
const MOST_NAMED: f64 = 130.0;
const MOST_TOTALLED: f64 = 150.0;
const WHOLE: f64 = 100.0;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let named = columns.named(WORDS);
    named.into_iter().filter_map(|column| in_column(columns, column, text)).collect()
}

fn in_column(columns: &Columns<'_>, column: usize, text: &str) -> Option<Found> {
    let head = columns.heads.get(column)?;
    let names = |row: &Row, words: &[&str]| match row.cells.first().map(|cell| &cell.written) {
        Some(Written::Text(name)) => words.iter().any(|word| has_word(&name.to_lowercase(), word)),
        _ => false,
    };
    let (total, parts): (Vec<&Row>, Vec<&Row>) =
        columns.rows.iter().copied().partition(|row| names(row, totals::TOTAL));
    let printed: Option<Vec<Printed>> = parts.iter().map(|row| share(row, column, head)).collect();
    let printed = printed.filter(|shares| shares.len() > 2)?;
    let mut sum = Span::exactly(0.0);
    for share in &printed {
        sum = sum.plus(share.span());
    }
    let is_whole =
        total.iter().any(|row| share(row, column, head).is_some_and(|all| all.value == WHOLE))
            || parts.iter().any(|row| names(row, REST));
    let is_named = is_only(head, WORDS);
    let most = match (is_named, total.is_empty()) {
        (true, false) => MOST_TOTALLED,
        (true, true) => MOST_NAMED,
        (false, _) => MOST,
    };
    let least = if is_whole { WHOLE - (most - WHOLE) } else { WHOLE };
    let (first, last) = (parts.first()?, *printed.first()?);
    let reckoned = Reckoned {
        found: last.like(sum.middle()),
        expected: last.like(WHOLE),
        how: printed.iter().map(|share| share.text()).collect::<Vec<_>>().join(" + "),
        fix: None,
    };
    // Shares that were all cut, or all rounded, are each up to a unit off.
    let is_off = sum.lo > WHOLE || (sum.hi + (sum.hi - sum.lo) / 2.0 < WHOLE && is_whole);
    let is_meant = (least..=most).contains(&sum.middle());
    let place = number_place(first.cells.get(column)?, text);
    (is_off && is_meant)
        .then(|| Found::figure(place, "lint.share-sum", reckoned).with("rows", parts.len()))
}

/// The percentage of a row.
fn share(row: &Row, column: usize, head: &str) -> Option<Printed> {
    let figure = figure_in(row, column)?;
    let is_percent = figure.suffix.trim() == "%" || head.contains('%');
    (is_percent && figure.value >= 0.0 && !figure.has_plus).then(|| printed_in(row, column))?
}
