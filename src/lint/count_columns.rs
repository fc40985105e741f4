//! Tables with a column of counts, one of how many were tried and one of the share: `n`, `correct`,
//! `accuracy`.

use super::agreement::{Agreement, is_rule};
use super::columns::{Columns, figure_in, is_only, number_place, printed_in};
use super::printed::{Printed, Span};
use super::rates::{self, SHARES};
use super::{Found, Page};
use crate::marked::{Figure, Row};

pub(super) const TRIALS: &[&str] =
    &["n", "total", "samples", "questions", "problems", "样本数", "总数", "题数", "总题数"];
const SUCCESSES: &[&str] =
    &["correct", "passed", "solved", "right", "resolved", "正确", "正确数", "通过", "通过数"];

/// Columns of counts, of how many were tried, and of their share.
#[derive(Clone, Copy)]
struct Recipe {
    successes: usize,
    trials: usize,
    share: usize,
}

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let Some((recipe, fits)) = named(columns) else { return Vec::new() };
    let judged = columns.rows.iter().filter_map(|row| Some((*row, judge(row, recipe)?)));
    let (rows, agreements): (Vec<&Row>, Vec<Agreement>) = judged.unzip();
    // Heads that say it whole are believed; what they only sound like has to show in most rows.
    if !fits && !is_rule(&agreements, 1) {
        return Vec::new();
    }
    let wrong = rows.into_iter().zip(agreements).filter(|(_, agreement)| !agreement.fits);
    wrong.filter_map(|(row, _)| found(row, recipe, text)).collect()
}

/// The only columns with such heads, and whether these heads say nothing else.
fn named(columns: &Columns<'_>) -> Option<(Recipe, bool)> {
    let only = |words: &[&str]| match columns.named(words).as_slice() {
        [column] => Some(*column),
        _ => None,
    };
    let recipe =
        Recipe { successes: only(SUCCESSES)?, trials: only(TRIALS)?, share: only(SHARES)? };
    let is_whole = |column: usize, words: &[&str]| {
        columns.heads.get(column).is_some_and(|head| is_only(head, words))
    };
    let whole = is_whole(recipe.successes, SUCCESSES)
        && is_whole(recipe.trials, TRIALS)
        && is_whole(recipe.share, SHARES);
    let apart = recipe.successes != recipe.trials && recipe.trials != recipe.share;
    (apart && recipe.successes != recipe.share).then_some((recipe, whole))
}

/// The share that is printed and what it should be, in its unit; none where its counts are none.
fn judge(row: &Row, recipe: Recipe) -> Option<Agreement> {
    let count = |column| {
        figure_in(row, column).filter(|figure| figure.is_whole()).map(|figure| figure.value)
    };
    let (k, n) = (count(recipe.successes)?, count(recipe.trials)?);
    let figure = figure_in(row, recipe.share)?;
    let span = Span::exactly(scale(figure) * k / n);
    (n >= 1.0 && (0.0..=n).contains(&k)).then(|| Agreement::new(Printed::from(figure), span, false))
}

/// Whether a share is written in per cent.
fn scale(figure: &Figure) -> f64 {
    if figure.is_share() || figure.value > 1.0 { 100.0 } else { 1.0 }
}

fn found(row: &Row, recipe: Recipe, text: &str) -> Option<Found> {
    let figure = figure_in(row, recipe.share)?;
    let [k, n] = [recipe.successes, recipe.trials].map(|column| printed_in(row, column));
    let place = number_place(row.cells.get(recipe.share)?, text);
    let share = (Printed::from(figure), scale(figure));
    Some(rates::mismatch(share, [k?.value, n?.value], place))
}
