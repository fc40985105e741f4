//! A column of shares of one whole that do not come to 100%.

use super::columns::{Columns, figure_in, has_word, is_only, number_place, plain_head, printed_in};
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
/// What a cell begins with that says of which other row its own is a part.
const WITHIN: &[&str] = &["within ", "of which", "thereof", "└", "↳", "其中"];
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
    if run_along_rows(columns, &named) {
        return Vec::new();
    }
    named.into_iter().filter_map(|column| in_column(columns, column, text)).collect()
}

/// Whether the shares of each row come to about the whole.
fn run_along_rows(columns: &Columns<'_>, shares: &[usize]) -> bool {
    let of_row = |row: &&Row| {
        let all: Option<Vec<f64>> =
            shares.iter().map(|column| Some(figure_in(row, *column)?.value)).collect();
        all.map(|all| all.into_iter().sum::<f64>())
    };
    let sums: Vec<f64> = columns.rows.iter().filter_map(of_row).collect();
    shares.len() > 1
        && !sums.is_empty()
        && sums.iter().all(|sum| (sum - WHOLE).abs() <= shares.len() as f64 / 2.0)
}

fn in_column(columns: &Columns<'_>, column: usize, text: &str) -> Option<Found> {
    let head = columns.heads.get(column)?;
    let names = |row: &Row, words: &[&str]| match row.cells.first().map(|cell| &cell.written) {
        Some(Written::Text(name)) => words.iter().any(|word| has_word(&name.to_lowercase(), word)),
        _ => false,
    };
    let (total, parts): (Vec<&Row>, Vec<&Row>) =
        columns.rows.iter().copied().partition(|row| names(row, totals::TOTAL));
    let printed = |parts: &[&Row]| -> Option<Vec<Printed>> {
        parts.iter().map(|row| share(row, column, head)).collect()
    };
    let hold_others = printed(&parts).is_some_and(|shares| holds_parts(&shares));
    let parts: Vec<&Row> = parts.into_iter().filter(|row| !is_within(row)).collect();
    let printed = printed(&parts).filter(|shares| shares.len() > 2)?;
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
    (is_off && is_meant && (is_whole || !hold_others)).then(|| {
        let head = columns.head_place(column).and_then(|place| text.get(place));
        Found::figure(place, "lint.share-sum", reckoned)
            .with("rows", parts.len())
            .with("column", plain_head(head.unwrap_or_default()))
    })
}

/// Whether a cell of a row says that it is a part of another one.
fn is_within(row: &Row) -> bool {
    row.cells.iter().any(|cell| match &cell.written {
        Written::Text(text) => {
            let text = text.to_lowercase();
            WITHIN.iter().any(|word| text.starts_with(word))
        }
        _ => false,
    })
}

/// Whether shares with decimals below one come to just that one: then they are its parts, and without
/// them all come to no more than the whole.
fn holds_parts(shares: &[Printed]) -> bool {
    let sum = |shares: &[Printed]| {
        shares.iter().fold(Span::exactly(0.0), |sum, share| sum.plus(share.span()))
    };
    let parts = |at: usize| {
        let over = shares.get(at).filter(|share| share.decimals > 0)?;
        let below = shares.get(at + 1..)?;
        let ends = (2..=below.len()).filter_map(|count| below.get(..count));
        ends.map(sum).find(|parts| over.can_be(*parts))
    };
    let all = sum(shares);
    (0..shares.len()).filter_map(parts).any(|parts| all.minus(parts).lo <= WHOLE)
}

/// The percentage of a row.
fn share(row: &Row, column: usize, head: &str) -> Option<Printed> {
    let figure = figure_in(row, column)?;
    let is_percent = figure.suffix.trim() == "%" || head.contains('%');
    (is_percent && figure.value >= 0.0 && !figure.has_plus).then(|| printed_in(row, column))?
}
