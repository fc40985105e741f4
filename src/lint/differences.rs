//! Columns of differences against the columns that they are differences of.

use std::ops::Range;

use super::agreement::{Agreement, is_rule, most_fit};
use super::columns::{
    Columns, figure_in, has_word, is_spread, name_of, number_place, plain_head, rewritten,
};
use super::printed::{Printed, Span, Way};
use super::{Found, Page, Reckoned, averages, slips};
use crate::marked::{Figure, Row, Written};

pub(super) const WORDS: &[&str] = &[
    "差异",
    "差值",
    "变化",
    "提升",
    "下降",
    "涨幅",
    "降幅",
    "节省",
    "Δ",
    "δ",
    "delta",
    "diff",
    "difference",
    "change",
    "gain",
    "improvement",
    "drop",
    "reduction",
    "saved",
    "saving",
    "savings",
    "impr",
    "impr.",
    "+/-",
    "gap",
];

/// Heads of differences that are often counted to the good side, whichever that is.
const TO_THE_GOOD: &[&str] = &[
    "提升",
    "下降",
    "涨幅",
    "降幅",
    "节省",
    "gain",
    "improvement",
    "impr",
    "drop",
    "reduction",
    "saved",
    "saving",
    "savings",
    "gap",
];

/// Heads of differences over samples or steps that are not those of the columns beside them.
const OF_OTHERS: &[&str] = &[
    "mean", "avg", "average", "median", "paired", "pooled", "adjusted", "max", "min", "平均",
    "均值", "中位", "配对",
];

/// How many columns next to one of differences may be what it is of. In wider tables what is farther away
/// is of something else.
const NEAREST: usize = 16;

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

impl Recipe {
    fn pair(self) -> (usize, usize, Option<usize>) {
        (self.from, self.to, self.against)
    }
}

/// A column of differences.
struct Target<'c> {
    column: usize,
    /// It may be counted to the good side.
    to_the_good: bool,
    /// Its head says that it is in per cent.
    in_percent: bool,
    /// It holds whole numbers without a unit.
    is_whole: bool,
    columns: &'c Columns<'c>,
    named: &'c Named,
    text: &'c str,
}

/// Rows that sum up others, by line.
struct Named {
    spreads: Vec<usize>,
    means: Vec<usize>,
}

impl Named {
    fn of(columns: &Columns<'_>, text: &str) -> Self {
        let lines = |is: &dyn Fn(&str) -> bool| {
            let rows = columns.rows.iter().filter(|row| is(&name_of(row, text)));
            rows.map(|row| row.line).collect()
        };
        Self {
            spreads: lines(&is_spread),
            means: lines(&|name| averages::WORDS.iter().any(|word| has_word(name, word))),
        }
    }
}

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let head = |column: usize| columns.heads.get(column).map_or("", String::as_str);
    let has = |column, words: &[&str]| words.iter().any(|word| has_word(head(column), word));
    let (targets, others): (Vec<usize>, Vec<usize>) =
        columns.figures.iter().partition(|column| is_difference(head(**column)));
    let operands: Vec<usize> =
        others.into_iter().filter(|column| columns.is_measured(*column)).collect();
    if targets.is_empty() {
        return Vec::new();
    }
    let named = Named::of(columns, text);
    let judged = targets
        .into_iter()
        .filter(|column| columns.is_measured(*column) && !has(*column, OF_OTHERS));
    let found = judged.flat_map(|column| {
        let target = Target {
            column,
            to_the_good: has(column, TO_THE_GOOD),
            in_percent: head(column).contains(['%', '％']),
            is_whole: columns.is_whole(column),
            columns,
            named: &named,
            text,
        };
        in_column(&target, &operands)
    });
    found.collect()
}

/// Whether a head says that its column holds differences.
pub(super) fn is_difference(head: &str) -> bool {
    WORDS.iter().any(|word| has_word(head, word)) || head.starts_with("vs")
}

fn in_column(target: &Target<'_>, operands: &[usize]) -> Vec<Found> {
    let recipes = target.recipes(operands);
    let pairs = recipes.chunk_by(|one, next| one.pair() == next.pair());
    let tried = pairs.filter(|ways| ways.iter().all(|way| way.from <= way.to)).count();
    // What most rows follow.
    let followed: Vec<(Recipe, Vec<Agreement>)> = recipes
        .into_iter()
        .filter_map(|recipe| Some((recipe, target.agreements(recipe)?)))
        .filter(|(_, rows)| most_fit(rows))
        .collect();
    let rules = followed.iter().filter(|(_, rows)| is_rule(rows, tried));
    // Figures of one row are nearer to each other than to those of another, and the first is mostly what
    // is subtracted.
    let best = rules.max_by_key(|(recipe, rows)| {
        let with_sign = |row: &&Agreement| row.stated.can_be(row.span);
        let fits = rows.iter().filter(|row| row.fits).count();
        let is_own = recipe.against.is_none();
        (fits, rows.iter().filter(with_sign).count(), is_own, recipe.from < recipe.to)
    });
    let Some(&(best, _)) = best else { return Vec::new() };
    // Metrics of one table may be set against each other in several ways.
    let is_right = |row: &Row| {
        let same_pair = WAYS.map(|way| Recipe { way, ..best });
        let ways = followed.iter().map(|(recipe, _)| *recipe).chain(same_pair);
        ways.into_iter()
            .any(|recipe| target.agreement(row, recipe).is_some_and(|agreement| agreement.fits))
    };
    let wrong = target.columns.rows.iter().filter(|row| !is_right(row));
    wrong.filter_map(|row| target.found(row, best)).collect()
}

impl Target<'_> {
    /// What the column may be: of two of the nearest columns, or of one against its first or last row.
    fn recipes(&self, operands: &[usize]) -> Vec<Recipe> {
        let mut near = operands.to_vec();
        near.sort_by_key(|operand| operand.abs_diff(self.column));
        near.truncate(NEAREST);
        let last = self.columns.rows.len().saturating_sub(1);
        let rows = [0, last].into_iter().filter(|row| self.is_reference(*row));
        let rows: Vec<Option<usize>> = rows.map(Some).collect();
        let pairs = near.iter().flat_map(|&from| near.iter().map(move |&to| (from, to)));
        let recipes = pairs.flat_map(|(from, to)| {
            let against = if from == to { rows.clone() } else { vec![None] };
            against
                .into_iter()
                .flat_map(move |against| WAYS.map(|way| Recipe { from, to, way, against }))
        });
        recipes.filter(|recipe| self.is_possible(*recipe)).collect()
    }

    /// Whether a row may be what all others are set against: it differs from itself by nothing.
    fn is_reference(&self, at: usize) -> bool {
        let row = self.columns.rows.get(at);
        row.is_some_and(|row| figure_in(row, self.column).is_none_or(|figure| figure.value == 0.0))
    }

    /// Differences of whole numbers are whole, and shares of a hundred are none.
    fn is_possible(&self, recipe: Recipe) -> bool {
        let is_whole = [recipe.from, recipe.to].map(|column| self.columns.is_whole(column));
        match recipe.way {
            Way::Relative => is_whole[0] == is_whole[1],
            Way::Absolute | Way::Points => self.is_whole || !is_whole.contains(&true),
        }
    }

    /// How each row agrees; none where too many do not.
    fn agreements(&self, recipe: Recipe) -> Option<Vec<Agreement>> {
        let (mut agreements, mut left) = (Vec::new(), self.columns.rows.len() / 3);
        for row in &self.columns.rows {
            let Some(agreement) = self.agreement(row, recipe) else { continue };
            if !agreement.fits {
                left = left.checked_sub(1)?;
            }
            agreements.push(agreement);
        }
        Some(agreements)
    }

    fn agreement(&self, row: &Row, recipe: Recipe) -> Option<Agreement> {
        // The deviation of differences is not the difference of deviations, nor the mean of changes in
        // per cent the change of means.
        let is_mean = recipe.way == Way::Relative && self.named.means.contains(&row.line);
        if is_mean || self.named.spreads.contains(&row.line) {
            return None;
        }
        let (from, to) = self.operands(row, recipe)?;
        let stated = figure_in(row, self.column)?;
        let span = self.span([from, to], stated, recipe.way)?;
        let has_sign = stated.has_plus || stated.value < 0.0;
        // What is written without a sign may be a distance.
        let either_sign = !has_sign || self.to_the_good || names_a_good_side(row);
        Some(Agreement::new(Printed::from(stated), span, either_sign))
    }

    fn operands<'r>(&'r self, row: &'r Row, recipe: Recipe) -> Option<(&'r Figure, &'r Figure)> {
        Some((figure_in(self.reference(row, recipe)?, recipe.from)?, figure_in(row, recipe.to)?))
    }

    /// The row that holds what is subtracted.
    fn reference<'r>(&'r self, row: &'r Row, recipe: Recipe) -> Option<&'r Row> {
        let Some(at) = recipe.against else { return Some(row) };
        self.columns.rows.get(at).copied().filter(|reference| reference.line != row.line)
    }

    /// What the difference of two figures can be, where such figures can have one of that kind.
    fn span(&self, [from, to]: [&Figure; 2], stated: &Figure, way: Way) -> Option<Span> {
        let same_unit = from.is_share() == to.is_share();
        let in_percent = stated.suffix.trim() == "%" || self.in_percent;
        let is_so = match way {
            Way::Absolute => from.is_share() || !stated.is_share(),
            Way::Points => !from.is_share() && stated.is_share(),
            Way::Relative => in_percent,
        };
        let [before, after] = [from, to].map(|figure| Printed::from(figure).span());
        (same_unit && is_so).then(|| way.span(before, after))?
    }

    fn found(&self, row: &Row, recipe: Recipe) -> Option<Found> {
        let agreement = self.agreement(row, recipe)?;
        let (from, to) = self.operands(row, recipe)?;
        let stated = figure_in(row, self.column)?;
        let [before, after] = [from, to].map(|figure| Printed::from(figure).text());
        let value = recipe.way.of([from.value, to.value])?;
        let key = if recipe.way == Way::Relative { "lint.relative" } else { "lint.difference" };
        let reckoned = Reckoned {
            found: agreement.stated.text(),
            expected: agreement.stated.like(value),
            how: recipe.way.formula(&before, &after),
            fix: self.is_clear(row, recipe, &agreement).then(|| rewritten(stated, value)),
        };
        let place = number_place(row.cells.get(self.column)?, self.text);
        let unit = |figure: &Figure| figure.suffix.trim_end().to_owned();
        let own = unit(stated);
        let right = if own.is_empty() { "" } else { recipe.way.unit(from.is_share()) };
        let told = [reckoned.found.clone() + &own, reckoned.expected.clone() + right];
        let reference = recipe.against.and_then(|_| self.reference(row, recipe)?.cells.first());
        let source = reference.map(|cell| cell.content.clone());
        let source = source.or_else(|| self.columns.head_place(recipe.from));
        let target = self.columns.head_place(recipe.to);
        Some(
            Found::told(place, key, reckoned, told)
                .with("before", before + &unit(from))
                .with("from", self.name(source))
                .with("after", after + &unit(to))
                .with("to", self.name(target)),
        )
    }

    /// What a column or a row is called, without emphasis.
    fn name(&self, place: Option<Range<usize>>) -> String {
        let name = place.and_then(|place| self.text.get(place)).unwrap_or_default();
        plain_head(name)
    }

    /// Whether the difference must be what is wrong: its sign is right, and means what it says, and no slip
    /// in one of the figures that it is of explains it.
    fn is_clear(&self, row: &Row, recipe: Recipe, agreement: &Agreement) -> bool {
        let Agreement { stated, span, either_sign, .. } = *agreement;
        let Some((from, to)) = self.operands(row, recipe) else { return false };
        let sources = [from, to].map(Printed::from);
        !either_sign
            && stated.value * span.middle() > 0.0
            && !slips::explains(sources, stated, |sources| recipe.way.of(sources))
    }
}

/// Whether a row says with an arrow which side is good.
fn names_a_good_side(row: &Row) -> bool {
    row.cells.iter().any(|cell| match &cell.written {
        Written::Text(text) => text.contains(['↓', '↑']),
        _ => false,
    })
}
