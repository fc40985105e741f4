//! Counts that add up as a run goes on, and fall.

use super::columns::{Columns, figure_in, has_word, number_place, printed_in};
use super::{Found, Page};
use crate::marked::Row;
use crate::text::Refusal;

const WORDS: &[&str] = &["cumulative", "cum.", "so far", "to date", "累计", "累积"];

/// What adds up and may fall all the same.
const MAY_FALL: &[&str] =
    &["pnl", "profit", "return", "returns", "reward", "rewards", "收益", "盈亏", "奖励"];

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let named = columns.figures.iter().filter(|column| {
        let head = columns.heads.get(**column).map_or("", String::as_str);
        !MAY_FALL.iter().any(|word| has_word(head, word))
            && WORDS.iter().any(|word| has_word(head, word))
    });
    // The newest may stand first or last; rows in no order have no past.
    let step = |row: &&Row| figure_in(row, 0).map(|figure| figure.value);
    let steps: Option<Vec<f64>> = columns.rows.iter().map(step).collect();
    let Some(steps) = steps else { return Vec::new() };
    let is_up = steps.is_sorted_by(|a, b| a < b);
    if !is_up && !steps.is_sorted_by(|a, b| a > b) {
        return Vec::new();
    }
    let found = named.flat_map(|&column| {
        columns.rows.windows(2).filter_map(move |rows| {
            let [first, second] = rows else { return None };
            let (before, after) = if is_up { (first, second) } else { (second, first) };
            fall(before, after, column, text)
        })
    });
    found.collect()
}

fn fall(before: &Row, after: &Row, column: usize, text: &str) -> Option<Found> {
    let [earlier, later] = [before, after].map(|row| figure_in(row, column));
    let (earlier, later) = (earlier?, later?);
    let is_count = earlier.is_whole() && later.is_whole() && later.value >= 0.0;
    let message = Refusal::new("lint.cumulative")
        .with("before", printed_in(before, column)?.text())
        .with("after", printed_in(after, column)?.text());
    let place = number_place(after.cells.get(column)?, text);
    (is_count && later.value < earlier.value).then(|| Found::at(place, message))
}
