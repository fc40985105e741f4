//! Columns of averages against the columns that they are averages of.

use super::columns::{Columns, figure_in, is_rule, number_place, printed_in};
use super::printed::{Printed, Span};
use super::{Found, Page, Reckoned};
use crate::marked::Row;

pub(super) const WORDS: &[&str] = &["avg", "avg.", "average", "mean", "平均", "平均值", "均值"];
/// Columns that may stand among results and are none.
const NO_RESULTS: &[&str] =
    &["#", "rank", "params", "size", "n", "排名", "参数量", "样本数", "year"];

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let targets = columns.named(WORDS);
    let others = columns.named(NO_RESULTS);
    let [target] = targets.as_slice() else { return Vec::new() };
    // `Avg (56)` is over columns that are not all here.
    let head = columns.heads.get(*target).map_or("", String::as_str);
    if head.contains(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let parts: Vec<usize> = columns
        .figures
        .iter()
        .filter(|column| *column != target && !others.contains(column))
        .copied()
        .collect();
    let (left, right): (Vec<usize>, Vec<usize>) = parts.iter().partition(|part| *part < target);
    let sets = [parts, left, right].into_iter().filter(|set| set.len() > 1);
    let judged = sets.map(|set| {
        let rows =
            columns.rows.iter().filter(|row| !columns.names_one(row, &set)).filter_map(|row| {
                let (span, printed) = mean(row, &set, *target)?;
                Some((*row, span, printed))
            });
        let rows = rows.collect::<Vec<(&Row, Span, Printed)>>();
        (rows, set)
    });
    let fits = |rows: &[(&Row, Span, Printed)]| {
        rows.iter().filter(|(_, span, printed)| printed.can_be(*span)).count()
    };
    let best = judged.max_by_key(|(rows, _)| fits(rows));
    let Some((rows, best)) = best.filter(|(rows, _)| is_rule(fits(rows), rows.len())) else {
        return Vec::new();
    };
    let wrong = rows.into_iter().filter(|(_, span, printed)| !printed.can_be(*span));
    wrong
        .filter_map(|(row, span, printed)| {
            let place = number_place(row.cells.get(*target)?, text);
            let reckoned = Reckoned {
                found: printed.text(),
                expected: printed.like(span.middle()),
                how: mean_of(row, &best),
                fix: None,
            };
            Some(Found::figure(place, "lint.average", reckoned))
        })
        .collect()
}

/// What the mean of some columns can be, and what is printed; none where one is missing.
fn mean(row: &Row, parts: &[usize], target: usize) -> Option<(Span, Printed)> {
    let is_share = figure_in(row, target)?.is_share();
    let mut sum = Span::exactly(0.0);
    for &part in parts {
        let figure = figure_in(row, part).filter(|figure| figure.is_share() == is_share)?;
        sum = sum.plus(Printed::from(figure).span());
    }
    Some((sum.scaled(1.0 / parts.len() as f64), printed_in(row, target)?))
}

/// How the mean of some columns is worked out.
fn mean_of(row: &Row, parts: &[usize]) -> String {
    let figures = parts.iter().filter_map(|part| printed_in(row, *part)).map(Printed::text);
    format!("({}) ÷ {}", figures.collect::<Vec<_>>().join(" + "), parts.len())
}
