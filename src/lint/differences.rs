//! Columns of differences against the columns that they are differences of.

use super::columns::{Columns, figure_in, has_word, is_rule, number_place, printed_in, rewritten};
use super::printed::{Printed, Span, Way};
use super::{Found, Page, Reckoned};
use crate::marked::{Row, Written};

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

/// Heads of differences that are often counted to the good side, whichever that is.
const TO_THE_GOOD: &[&str] =
    &["提升", "下降", "涨幅", "降幅", "gain", "improvement", "impr", "drop", "reduction", "gap"];

const WAYS: [Way; 3] = [Way::Absolute, Way::Points, Way::Relative];

/// From which column to which, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Recipe {
    from: usize,
    to: usize,
    way: Way,
    /// The row that all others are set against, where it is not their own.
    against: Option<usize>,
}

/// A column of differences.
struct Target<'c> {
    column: usize,
    /// It may be counted to the good side.
    to_the_good: bool,
    /// Its head says that it is in per cent.
    in_percent: bool,
    columns: &'c Columns<'c>,
    text: &'c str,
}

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let targets = columns.named(WORDS);
    let operands: Vec<usize> =
        columns.figures.iter().filter(|column| !targets.contains(column)).copied().collect();
    let found = targets.iter().flat_map(|&column| {
        let head = columns.heads.get(column).map_or("", String::as_str);
        let target = Target {
            column,
            to_the_good: TO_THE_GOOD.iter().any(|word| has_word(head, word)),
            in_percent: head.contains(['%', '％']),
            columns,
            text,
        };
        in_column(&target, &operands)
    });
    found.collect()
}

fn in_column(target: &Target<'_>, operands: &[usize]) -> Vec<Found> {
    let last = target.columns.rows.len().saturating_sub(1);
    let pairs = operands.iter().flat_map(|&from| operands.iter().map(move |&to| (from, to)));
    let recipes = pairs.flat_map(|(from, to)| {
        let against = if from == to { vec![Some(0), Some(last)] } else { vec![None] };
        against
            .into_iter()
            .flat_map(move |against| WAYS.map(|way| Recipe { from, to, way, against }))
    });
    // Recipes that most rows follow, with how many do.
    let rules: Vec<(Recipe, usize)> = recipes
        .filter_map(|recipe| {
            let rows = target.columns.rows.iter().filter_map(|row| target.fits(row, recipe));
            let judged: Vec<bool> = rows.collect();
            let fits = judged.iter().filter(|fits| **fits).count();
            is_rule(fits, judged.len()).then_some((recipe, fits))
        })
        .collect();
    // Figures of one row are nearer to each other than to those of another.
    let best = rules.iter().max_by_key(|(recipe, fits)| (*fits, recipe.against.is_none()));
    let Some(&(best, _)) = best else { return Vec::new() };
    // Metrics of one table may be set against each other in several ways.
    let is_right = |row: &Row| {
        let same_pair = WAYS.map(|way| Recipe { way, ..best });
        let ways = rules.iter().map(|(recipe, _)| *recipe).chain(same_pair);
        ways.into_iter().any(|recipe| target.fits(row, recipe) == Some(true))
    };
    let wrong = target.columns.rows.iter().filter(|row| !is_right(row));
    wrong.filter_map(|row| target.found(row, best)).collect()
}

impl Target<'_> {
    /// What stands in the row for that recipe: both operands, and the difference without its arrow.
    fn operands(&self, row: &Row, recipe: Recipe) -> Option<(Span, Printed)> {
        let from = figure_in(self.reference(row, recipe)?, recipe.from)?;
        let (to, stated) = figure_in(row, recipe.to).zip(figure_in(row, self.column))?;
        let same_unit = from.is_share() == to.is_share();
        let in_percent = stated.suffix.trim() == "%" || self.in_percent;
        let [before, after] = [from, to].map(|figure| Printed::from(figure).span());
        let span = match recipe.way {
            Way::Absolute if same_unit && (from.is_share() || !stated.is_share()) => {
                after.minus(before)
            }
            Way::Points if same_unit && !from.is_share() && stated.is_share() => {
                after.minus(before).scaled(100.0)
            }
            Way::Relative if same_unit && in_percent => after.relative_to(before)?,
            _ => return None,
        };
        Some((span, Printed::from(stated)))
    }

    /// The row that holds what is subtracted.
    fn reference<'r>(&'r self, row: &'r Row, recipe: Recipe) -> Option<&'r Row> {
        match recipe.against {
            None => Some(row),
            Some(at) => self.columns.rows.get(at).copied(),
        }
    }

    fn fits(&self, row: &Row, recipe: Recipe) -> Option<bool> {
        let (span, stated) = self.operands(row, recipe)?;
        let figure = figure_in(row, self.column)?;
        let has_sign = figure.has_plus || stated.value < 0.0;
        // What is written without a sign may be a distance.
        let is_either_way = !has_sign || self.to_the_good || names_a_good_side(row);
        let turned = Printed { value: -stated.value, ..stated };
        Some(stated.can_be(span) || (is_either_way && turned.can_be(span)))
    }

    fn found(&self, row: &Row, recipe: Recipe) -> Option<Found> {
        self.fits(row, recipe)?;
        let (span, stated) = self.operands(row, recipe)?;
        let text = |row, column| printed_in(row, column).map(Printed::text);
        let from = text(self.reference(row, recipe)?, recipe.from)?;
        let to = text(row, recipe.to)?;
        let key = if recipe.way == Way::Relative { "lint.relative" } else { "lint.difference" };
        let reckoned = Reckoned {
            found: stated.text(),
            expected: stated.like(span.middle()),
            how: recipe.way.formula(&from, &to),
            fix: Some(rewritten(figure_in(row, self.column)?, span.middle())),
        };
        let place = number_place(row.cells.get(self.column)?, self.text);
        Some(Found::figure(place, key, reckoned).with("before", from).with("after", to))
    }
}

/// Whether a row says with an arrow which side is good.
fn names_a_good_side(row: &Row) -> bool {
    row.cells.iter().any(|cell| match &cell.written {
        Written::Text(text) => text.contains(['↓', '↑']),
        _ => false,
    })
}
