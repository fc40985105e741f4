//! Columns of differences against the columns that they are differences of.

use super::columns::{Columns, figure_in, is_rule, printed_in};
use super::printed::{Printed, Span};
use super::{Found, Page};
use crate::marked::Row;
use crate::text::Refusal;

const WORDS: &[&str] = &[
    "差异",
    "差值",
    "变化",
    "提升",
    "下降",
    "涨幅",
    "Δ",
    "δ",
    "delta",
    "diff",
    "difference",
    "change",
    "gain",
    "improvement",
    "drop",
    "impr",
    "impr.",
    "+/-",
    "gap",
];

/// How a difference is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Absolute,
    /// Of shares, in points of a hundred.
    Points,
    /// In per cent of the first.
    Relative,
}

/// From which column to which, and how.
#[derive(Debug, Clone, Copy)]
struct Recipe {
    from: usize,
    to: usize,
    way: Way,
}

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let tables = page.document.tables.iter();
    tables.flat_map(|table| in_table(&Columns::of(table, page.text))).collect()
}

fn in_table(columns: &Columns<'_>) -> Vec<Found> {
    let targets = columns.named(WORDS);
    let operands: Vec<usize> =
        columns.figures.iter().filter(|column| !targets.contains(column)).copied().collect();
    targets.iter().flat_map(|&target| in_column(columns, &operands, target)).collect()
}

fn in_column(columns: &Columns<'_>, operands: &[usize], target: usize) -> Vec<Found> {
    let judged = |recipe: Recipe| {
        let rows = columns.rows.iter().filter_map(|row| Some((*row, fits(row, recipe, target)?)));
        rows.collect::<Vec<(&Row, bool)>>()
    };
    let count = |rows: &[(&Row, bool)]| rows.iter().filter(|(_, fits)| *fits).count();
    let ways = [Way::Absolute, Way::Points, Way::Relative];
    let pairs = operands.iter().flat_map(|&from| operands.iter().map(move |&to| (from, to)));
    let recipes = pairs
        .filter(|(from, to)| from != to)
        .flat_map(|(from, to)| ways.map(|way| Recipe { from, to, way }));
    let best = recipes.map(|recipe| (judged(recipe), recipe)).max_by_key(|(rows, _)| count(rows));
    let Some((rows, recipe)) = best.filter(|(rows, _)| is_rule(count(rows), rows.len())) else {
        return Vec::new();
    };
    let wrong = rows.into_iter().filter(|(_, fits)| !fits);
    wrong.filter_map(|(row, _)| found(row, recipe, target)).collect()
}

/// What stands in the row for that recipe: both operands, and the difference without its arrow.
fn operands(row: &Row, recipe: Recipe, target: usize) -> Option<(Span, Printed)> {
    let [from, to, target] = [recipe.from, recipe.to, target].map(|at| figure_in(row, at));
    let (from, to, target) = (from?, to?, target?);
    let same_unit = from.is_share() == to.is_share();
    let [before, after] = [from, to].map(|figure| Printed::from(figure).span());
    let span = match recipe.way {
        Way::Absolute if same_unit && (from.is_share() || !target.is_share()) => {
            after.minus(before)
        }
        Way::Points if same_unit && !from.is_share() && target.is_share() => {
            after.minus(before).scaled(100.0)
        }
        Way::Relative if same_unit && target.suffix.trim() != "pp" => after.relative_to(before)?,
        _ => return None,
    };
    Some((span, Printed::from(target)))
}

fn fits(row: &Row, recipe: Recipe, target: usize) -> Option<bool> {
    operands(row, recipe, target).map(|(span, printed)| printed.can_be(span))
}

fn found(row: &Row, recipe: Recipe, target: usize) -> Option<Found> {
    let (span, printed) = operands(row, recipe, target)?;
    let [from, to] = [recipe.from, recipe.to].map(|column| {
        let operand = printed_in(row, column);
        operand.map(|operand| operand.like(operand.value)).unwrap_or_default()
    });
    let key = if recipe.way == Way::Relative { "lint.relative" } else { "lint.difference" };
    let message = Refusal::new(key)
        .with("found", printed.like(printed.value))
        .with("expected", printed.like(span.middle()))
        .with("before", from)
        .with("after", to);
    Some(Found { at: row.cells.get(target)?.content.start, message })
}
