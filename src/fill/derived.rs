//! What follows from figures: differences of two, and what sums differences up.

use std::collections::BTreeSet;

use super::above::is_empty_word;
use super::answers::{self, Unanswered, point_fits, point_name};
use super::columns::Column;
use super::composites::says;
use super::directions::Direction;
use super::facts::{Difference, Facts, Point, RunFigure};
use super::question::Question;
use super::readings::{Facet, Statistic};
use super::style::agrees;
use super::understood::{Asked, Understood};
use crate::marked::Written;
use crate::model::{DimValue, Dims};
use crate::quantity::settled;
use crate::text::Refusal;

/// Two figures of one row, the first subtracted from the second.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operands<'f> {
    pub(super) figures: [&'f RunFigure; 2],
    pub(super) values: [f64; 2],
    /// Row and column of each; the baseline of a row of another run may have none.
    pub(super) cells: [Option<(usize, usize)>; 2],
    /// Where the baseline of a row of another run has its own.
    pub(super) reference: Option<(usize, usize)>,
}

impl<'f> Operands<'f> {
    pub(super) fn arms(&self) -> [usize; 2] {
        self.figures.map(|figure| figure.arm)
    }

    #[must_use]
    pub(super) fn swapped(self) -> Self {
        let ([a, b], [x, y], [m, n]) = (self.figures, self.values, self.cells);
        Self { figures: [b, a], values: [y, x], cells: [n, m], ..self }
    }

    /// The difference as `compare` has it, with its verdict where it has one.
    pub(super) fn difference(
        &self,
        facts: &'f Facts,
    ) -> Result<(f64, Option<&'f Difference>), Unanswered> {
        let [first, second] = self.values;
        let [figure, _] = self.figures;
        let Some((delta, compared)) = facts.difference(self.arms(), &figure.point) else {
            return Ok((second - first, None));
        };
        let shown = figure.unit.shown_scale();
        if ((second - first - delta) * shown).abs() > 1e-6 {
            let refusal =
                Refusal::new("fill.other-samples").with("asked", point_name(&figure.point));
            return Err(Unanswered::Unclear(refusal));
        }
        Ok((delta, Some(compared)))
    }
}

/// A figure of the runs and the cell that asks for it.
type Found<'f> = ((usize, usize), &'f RunFigure, f64);

/// What the difference in a row is of: the two runs that its head names, the two runs among its
/// figures, the baseline and the figure just before it; where the whole row is of one run, that figure
/// and the baseline's. Figures that the runs contradict are nothing to reckon with, unless they
/// `are_replaced`.
pub(super) fn operands<'f>(
    table: &Understood,
    (row, column): (usize, usize),
    facts: &'f Facts,
    are_replaced: bool,
) -> Result<Operands<'f>, Unanswered> {
    let direction = match table.columns.get(column) {
        Some(Column::Difference(direction)) => *direction,
        _ => Direction::default(),
    };
    let mut found: Vec<Found<'f>> = Vec::new();
    for (at, question) in table.figures(row) {
        let (figure, value) = answers::figure(facts, &question)?;
        found.push(((row, at), figure, value));
    }
    for (cell, figure, value) in found.iter().filter(|_| !are_replaced) {
        confirmed(table, *cell, figure, *value)?;
    }
    let arms: BTreeSet<usize> = found.iter().map(|(_, figure, _)| figure.arm).collect();
    let is_difference = |one: &&Column| matches!(one, Column::Difference(_));
    let are_adjacent = |pair: &[Column]| pair.iter().all(|one| is_difference(&one));
    let is_each_behind_one = table.columns.iter().filter(is_difference).count() > 1
        && !table.columns.windows(2).any(are_adjacent);
    let says_which = direction.subtracted.is_some() || is_each_behind_one;
    let operands = match (found.as_slice(), arms.len()) {
        ([first, second], 2) if !table.has_other_figures => of_two(*first, *second)?,
        (all, 3..) if says_which => of_several(all, column, direction)?,
        (_, 1) if !table.has_other_baseline => of_one(table, &found, (row, column), facts)?,
        _ => return Err(unclear("fill.which-two")),
    };
    directed(operands, direction)
}

fn unclear(key: &'static str) -> Unanswered {
    Unanswered::Unclear(Refusal::new(key))
}

/// The baseline is subtracted, wherever it stands.
fn of_two<'f>(first: Found<'f>, second: Found<'f>) -> Result<Operands<'f>, Unanswered> {
    let ((one, a, x), (other, b, y)) = (first, second);
    if a.point != b.point {
        return Err(unclear("fill.other-point"));
    }
    let (figures, values, cells) = ([a, b], [x, y], [Some(one), Some(other)]);
    let operands = Operands { figures, values, cells, reference: None };
    Ok(if b.arm == 0 { operands.swapped() } else { operands })
}

/// Of several runs in a row those that the head names, else the baseline and the one just before.
fn of_several<'f>(
    found: &[Found<'f>],
    column: usize,
    direction: Direction,
) -> Result<Operands<'f>, Unanswered> {
    let of = |arm: usize| found.iter().find(|(_, figure, _)| figure.arm == arm);
    let subtracted = of(direction.subtracted.unwrap_or_default());
    let before = || found.iter().find(|((_, at), ..)| at + 1 == column);
    let from = direction.from.map_or_else(before, of);
    match subtracted.zip(from) {
        Some((a, b)) if a.1.arm != b.1.arm => of_two(*a, *b),
        _ => Err(unclear("fill.which-two")),
    }
}

/// The only figure before it in a row of one run, and the baseline's.
fn of_one<'f>(
    table: &Understood,
    found: &[Found<'f>],
    (row, column): (usize, usize),
    facts: &'f Facts,
) -> Result<Operands<'f>, Unanswered> {
    let Some(at) = table.only_figure_before(row, column) else {
        return Err(unclear("fill.which-two"));
    };
    let before = found.iter().find(|((_, own), ..)| *own == at);
    let Some((cell, own, value)) = before else { return Err(unclear("fill.which-two")) };
    let reference = reference_arm(table, row, facts)?;
    if own.arm == reference {
        return Err(unclear("fill.is-baseline"));
    }
    if table.columns_with_figures_of_others.contains(&column) {
        return Err(unclear("fill.which-two"));
    }
    let baseline = facts.figure(reference, &own.point);
    let Some((baseline, of_baseline)) =
        baseline.and_then(|figure| Some((figure, figure.value.value()?)))
    else {
        let asked = point_name(&own.point);
        return Err(Unanswered::Missing(Refusal::new("fill.not-run").with("asked", asked)));
    };
    let of_reference = |(row, question): (usize, Question)| {
        let (figure, _) = answers::figure(facts, &question).ok()?;
        (figure.arm == reference && figure.point == own.point).then_some((row, at))
    };
    Ok(Operands {
        figures: [baseline, own],
        values: [of_baseline, *value],
        cells: [None, Some(*cell)],
        reference: table.figures_of_column(at).find_map(of_reference),
    })
}

/// The run whose row has a stroke or nothing where others have their difference; else the first run.
///
/// # Errors
/// When such a row is of none of the runs, or of several.
fn reference_arm(table: &Understood, below: usize, facts: &Facts) -> Result<usize, Unanswered> {
    let (mut marked, mut empty, mut above) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for (row, of_table) in table.rows.iter().enumerate() {
        let cells = table.columns.iter().zip(&of_table.row.cells);
        let differences = cells.filter(|(column, _)| matches!(column, Column::Difference(_)));
        for (_, cell) in differences {
            let rows = match &cell.written {
                Written::Text(words) if words.is_empty() => &mut empty,
                Written::Text(words) if is_empty_word(words) => &mut marked,
                Written::Figure(figure) if figure.value == 0.0 => &mut marked,
                _ => continue,
            };
            let arm = arm_of_row(table, row, facts);
            rows.insert(arm);
            above.push((row, arm));
        }
    }
    // One of none of the runs may begin a group of its own.
    let above = above.into_iter().filter(|(row, _)| *row < below);
    let above: Vec<Option<usize>> = above.map(|(_, arm)| arm).collect();
    if !above.is_empty() && above.iter().all(Option::is_none) {
        return Err(unclear("fill.which-two"));
    }
    let rows = if marked.is_empty() { empty } else { marked };
    let runs: Vec<usize> = rows.iter().copied().flatten().collect();
    match runs.as_slice() {
        [] if rows.is_empty() => Ok(0),
        // What is none of the runs may have no difference either.
        [0] => Ok(0),
        [arm] if rows.len() == 1 => Ok(*arm),
        _ => Err(unclear("fill.which-two")),
    }
}

/// The run that all figures of a row are of.
fn arm_of_row(table: &Understood, row: usize, facts: &Facts) -> Option<usize> {
    let arms = table
        .figures(row)
        .map(|(_, question)| answers::figure(facts, &question).ok().map(|(figure, _)| figure.arm));
    let arms: BTreeSet<Option<usize>> = arms.collect();
    arms.first().copied().flatten().filter(|_| arms.len() == 1)
}

/// The operands in the order that a head asks for.
fn directed(operands: Operands<'_>, direction: Direction) -> Result<Operands<'_>, Unanswered> {
    let [first, second] = operands.arms();
    if direction.is_gain && operands.figures[0].good_side < 0.0 {
        return Err(unclear("fill.which-gain"));
    }
    let names = |arm: Option<usize>, own: usize| arm.is_none_or(|arm| arm == own);
    match direction {
        Direction { subtracted, from, .. } if names(subtracted, first) && names(from, second) => {
            Ok(operands)
        }
        Direction { subtracted, from, .. } if names(subtracted, second) && names(from, first) => {
            Ok(operands.swapped())
        }
        _ => Err(unclear("fill.which-two")),
    }
}

/// What a row of differences has in a column: the figures of two runs above or below it.
pub(super) fn operands_of_column<'f>(
    table: &Understood,
    (row, column): (usize, usize),
    facts: &'f Facts,
    are_replaced: bool,
) -> Result<Operands<'f>, Unanswered> {
    let mut found: Vec<Found<'f>> = Vec::new();
    for other in (0..table.rows.len()).filter(|other| *other != row) {
        match table.asked(other, column) {
            Some(Ok(Asked::Figure(question))) => {
                let (figure, value) = answers::figure(facts, &question)?;
                found.push(((other, column), figure, value));
            }
            Some(Ok(_)) => {}
            _ => return Err(unclear("fill.which-two")),
        }
    }
    for (cell, figure, value) in found.iter().filter(|_| !are_replaced) {
        confirmed(table, *cell, figure, *value)?;
    }
    match found.as_slice() {
        [first, second] if first.1.arm != second.1.arm => of_two(*first, *second),
        _ => Err(unclear("fill.which-two")),
    }
}

/// A figure that the document has and the runs do not is nothing to reckon with.
pub(super) fn confirmed(
    table: &Understood,
    (row, column): (usize, usize),
    figure: &RunFigure,
    value: f64,
) -> Result<(), Unanswered> {
    let cell = table.rows.get(row).and_then(|row| row.row.cells.get(column));
    match cell.map(|cell| &cell.written) {
        Some(Written::Figure(written)) if !agrees(written, value, figure.unit) => {
            let refusal = Refusal::new("fill.unconfirmed").with("figure", written.written());
            Err(Unanswered::Unclear(refusal))
        }
        Some(Written::Text(words)) if !says(words, figure, value) => {
            let refusal = Refusal::new("fill.unconfirmed").with("figure", words.as_str());
            Err(Unanswered::Unclear(refusal))
        }
        _ => Ok(()),
    }
}

/// The differences at the points of a question, and how many points there should be.
pub(super) struct Summed<'f> {
    pub(super) known: Vec<(f64, [f64; 2], &'f RunFigure)>,
    pub(super) planned: usize,
}

/// The points that the document has cells for, beside those of the runs.
pub(super) fn points_asked(tables: &[Understood]) -> BTreeSet<Dims> {
    let mut points = BTreeSet::new();
    for table in tables {
        for row in 0..table.rows.len() {
            for (_, question) in table.figures(row) {
                let mut dims = Dims::none();
                for facet in question.facets() {
                    if let Facet::At(axis, value) = facet {
                        dims.insert(axis, value.clone());
                    }
                }
                points.insert(dims);
            }
        }
    }
    points
}

pub(super) fn summed<'f>(
    question: &Question,
    arms: [usize; 2],
    asked: &BTreeSet<Dims>,
    facts: &'f Facts,
) -> Result<Summed<'f>, Unanswered> {
    let [first, second] = arms;
    let fits = |point: &Point| question.facets().all(|facet| point_fits(point, facet));
    let points: BTreeSet<&Point> =
        facts.figures.iter().map(|figure| &figure.point).filter(|point| fits(point)).collect();
    let metrics: BTreeSet<_> = points.iter().map(|point| (&point.metric, &point.dataset)).collect();
    if metrics.len() > 1 {
        let points: Vec<&Point> = points.into_iter().collect();
        let names = points.iter().map(|point| point_name(point)).collect();
        return Err(answers::ambiguous(false, &points, names));
    }
    let axes: BTreeSet<&str> = facts.axes();
    let at = |dims: &Dims| {
        question.facets().all(|facet| match facet {
            Facet::At(axis, value) => dims.get(axis) == Some(value),
            _ => true,
        })
    };
    let is_whole = |dims: &&Dims| dims.names().collect::<BTreeSet<_>>() == axes && at(dims);
    let mut planned: BTreeSet<&Dims> = points.iter().map(|point| &point.dims).collect();
    planned.extend(asked.iter().filter(is_whole));
    let mut known = Vec::new();
    for point in points {
        let of =
            |arm| facts.figure(arm, point).and_then(|figure| Some((figure, figure.value.value()?)));
        let (Some((a, x)), Some((b, y))) = (of(first), of(second)) else { continue };
        let (figures, values) = ([a, b], [x, y]);
        let operands = Operands { figures, values, cells: [None, None], reference: None };
        known.push((settled(operands.difference(facts)?.0), [x, y], b));
    }
    Ok(Summed { known, planned: planned.len() })
}

impl Summed<'_> {
    pub(super) fn mean(&self) -> Option<f64> {
        let sum: f64 = self.known.iter().map(|(delta, ..)| delta).sum();
        (!self.known.is_empty()).then(|| settled(sum / self.known.len() as f64))
    }

    /// The largest change to the good side (+1) or away from it (−1); where there is no good side, up
    /// or down.
    pub(super) fn extreme(&self, side: f64) -> Option<f64> {
        let along = |(delta, _, figure): &&(f64, [f64; 2], &RunFigure)| {
            delta * side * if figure.good_side == 0.0 { 1.0 } else { figure.good_side }
        };
        let moved = self.known.iter().filter(|known| along(known) > 0.0);
        moved.max_by(|a, b| along(a).total_cmp(&along(b))).map(|(delta, ..)| *delta)
    }

    /// How far each difference moved to the other sum, over the points that both know.
    pub(super) fn moved_to(&self, other: &Self, axis: &str) -> Vec<f64> {
        let place = |figure: &RunFigure| Point {
            dims: figure.point.dims.without(axis),
            ..figure.point.clone()
        };
        let moved = self.known.iter().filter_map(|(before, _, figure)| {
            let same = |(_, _, later): &&(f64, [f64; 2], &RunFigure)| place(later) == place(figure);
            other.known.iter().find(same).map(|(after, ..)| after - before)
        });
        moved.collect()
    }

    pub(super) fn count(&self, statistic: Statistic) -> usize {
        let along = |(delta, _, figure): &&(f64, [f64; 2], &RunFigure)| {
            delta * if figure.good_side == 0.0 { 1.0 } else { figure.good_side }
        };
        let counts = |known: &&(f64, [f64; 2], &RunFigure)| match statistic {
            Statistic::Improved => along(known) > 0.0,
            Statistic::Declined => along(known) < 0.0,
            _ => along(known) == 0.0,
        };
        self.known.iter().filter(counts).count()
    }
}

/// The first and the last mean of a row, which its trend goes between.
pub(super) fn ends_of_trend(
    table: &Understood,
    row: usize,
) -> Option<(Question, Question, (String, [DimValue; 2]))> {
    let means: Vec<Question> = (0..table.columns.len())
        .filter(|&column| matches!(table.columns.get(column), Some(Column::Statistic(..))))
        .filter_map(|column| match table.asked(row, column)? {
            Ok(Asked::Statistic(Statistic::Mean, question)) => Some(question),
            _ => None,
        })
        .collect();
    let [first, .., last] = means.as_slice() else { return None };
    let value = |question: &Question, axis: &str| {
        question.facets().find_map(|facet| match facet {
            Facet::At(own, value) if own == axis => Some(value.clone()),
            _ => None,
        })
    };
    let mut moved = first.facets().filter_map(|facet| match facet {
        Facet::At(axis, from) => {
            let to = value(last, axis).filter(|to| to != from)?;
            Some((axis.clone(), [from.clone(), to]))
        }
        _ => None,
    });
    let along = moved.next()?;
    moved.next().is_none().then(|| (first.clone(), last.clone(), along))
}
