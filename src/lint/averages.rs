//! Columns of averages against the columns that they are averages of.

use super::agreement::{Agreement, is_rule};
use super::columns::{Columns, OF_SAMPLES, figure_in, has_word, number_place, printed_in};
use super::printed::{Printed, Span};
use super::{Found, Page, Reckoned};
use crate::marked::Row;

pub(super) const WORDS: &[&str] = &["avg", "avg.", "average", "mean", "平均", "平均值", "均值"];
/// What a head of an average of the row may say besides; any other word says of what else it is.
const BESIDES: &[&str] =
    &["score", "acc", "accuracy", "overall", "macro", "all", "分", "得分", "准确率"];
/// Of how many sets of columns it may be one: of all, of those to the left, and to the right.
const SETS: usize = 3;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let targets = columns.named(WORDS);
    let [target] = targets.as_slice() else { return Vec::new() };
    // Beside such heads an average is one of samples.
    let of_samples = |head: &String| OF_SAMPLES.iter().any(|word| has_word(head, word));
    let is_of_row = columns.heads.get(*target).is_some_and(|head| is_of_row(head));
    if !is_of_row || columns.heads.iter().any(of_samples) {
        return Vec::new();
    }
    let parts: Vec<usize> = columns
        .figures
        .iter()
        .filter(|column| *column != target && columns.is_measured(**column))
        .filter(|column| columns.is_whole(*target) || !columns.is_whole(**column))
        .copied()
        .collect();
    let (left, right): (Vec<usize>, Vec<usize>) = parts.iter().partition(|part| *part < target);
    let sets = [parts, left, right].into_iter().filter(|set| set.len() > 1);
    let judged = sets.map(|set| {
        let own = columns.rows.iter().filter(|row| !columns.names_one(row, &set));
        let own = own.filter_map(|row| Some((*row, mean(row, &set, *target)?)));
        let (rows, agreements): (Vec<&Row>, Vec<Agreement>) = own.unzip();
        (rows, agreements, set)
    });
    let rules = judged.filter(|(_, agreements, _)| is_rule(agreements, SETS));
    let fits = |agreements: &[Agreement]| agreements.iter().filter(|row| row.fits).count();
    let best = rules.max_by_key(|(_, agreements, _)| fits(agreements));
    let Some((rows, agreements, best)) = best else { return Vec::new() };
    let wrong = rows.into_iter().zip(agreements).filter(|(_, agreement)| !agreement.fits);
    wrong
        .filter_map(|(row, Agreement { stated, span, .. })| {
            let place = number_place(row.cells.get(*target)?, text);
            let reckoned = Reckoned {
                found: stated.text(),
                expected: stated.like(span.middle()),
                how: mean_of(row, &best),
                fix: None,
            };
            Some(Found::figure(place, "lint.average", reckoned))
        })
        .collect()
}

/// Whether a head says average and nothing of what: `Avg`, `Avg. score`, and not `Avg (56)`, which is
/// over columns that are not all here, or `Avg latency`.
fn is_of_row(head: &str) -> bool {
    let head = WORDS
        .iter()
        .filter(|word| !word.is_ascii())
        .fold(head.to_owned(), |head, word| head.replace(word, " "));
    let words = head.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.into_iter().all(|word| WORDS.contains(&word) || BESIDES.contains(&word))
}

/// What is printed, and what the mean of some columns can be; none where one is missing.
fn mean(row: &Row, parts: &[usize], target: usize) -> Option<Agreement> {
    let is_share = figure_in(row, target)?.is_share();
    let mut sum = Span::exactly(0.0);
    for &part in parts {
        let figure = figure_in(row, part).filter(|figure| figure.is_share() == is_share)?;
        sum = sum.plus(Printed::from(figure).span());
    }
    let span = sum.scaled(1.0 / parts.len() as f64);
    Some(Agreement::new(printed_in(row, target)?, span, false))
}

/// How the mean of some columns is worked out.
fn mean_of(row: &Row, parts: &[usize]) -> String {
    let figures = parts.iter().filter_map(|part| printed_in(row, *part)).map(Printed::text);
    format!("({}) ÷ {}", figures.collect::<Vec<_>>().join(" + "), parts.len())
}
