//! Columns of averages against the columns that they are averages of.

use super::columns::{Columns, figure_in, is_rule, printed_in};
use super::printed::{Printed, Span};
use super::{Found, Page};
use crate::marked::Row;
use crate::text::Refusal;

pub(super) const WORDS: &[&str] = &["avg", "avg.", "average", "mean", "平均", "平均值", "均值"];
/// Columns that may stand among results and are none.
const NO_RESULTS: &[&str] =
    &["#", "rank", "params", "size", "n", "排名", "参数量", "样本数", "year"];

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let tables = page.document.tables.iter();
    tables.flat_map(|table| in_table(&Columns::of(table, page.text))).collect()
}

fn in_table(columns: &Columns<'_>) -> Vec<Found> {
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
        rows.collect::<Vec<(&Row, Span, Printed)>>()
    });
    let fits = |rows: &[(&Row, Span, Printed)]| {
        rows.iter().filter(|(_, span, printed)| printed.can_be(*span)).count()
    };
    let best = judged.max_by_key(|rows| fits(rows));
    let Some(rows) = best.filter(|rows| is_rule(fits(rows), rows.len())) else {
        return Vec::new();
    };
    let wrong = rows.into_iter().filter(|(_, span, printed)| !printed.can_be(*span));
    wrong
        .filter_map(|(row, span, printed)| {
            let message = Refusal::new("lint.average")
                .with("found", printed.like(printed.value))
                .with("expected", printed.like(span.middle()));
            Some(Found { at: row.cells.get(*target)?.content.start, message })
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
