//! What the tables have already: how figures are written, which differ from those of the runs, which
//! way differences are taken.

use std::collections::{BTreeMap, BTreeSet};

use super::above::is_empty_word;
use super::answers;
use super::columns::Column;
use super::derived::{self, Operands};
use super::directions::Direction;
use super::facts::{Facts, Point, RunFigure};
use super::question::Question;
use super::readings::{Facet, Subject};
use super::style::{Look, Looks, Seen, agrees, is_percentage};
use super::understood::{Asked, Understood};
use crate::marked::{Figure, Written};
use crate::quantity::{self, Unit};

/// Signs of the way in which a difference goes.
const DIRECTIONS: &[char] =
    &['⬆', '⬇', '➡', '↑', '↓', '→', '↔', '±', '=', '≈', '▲', '▼', '🔺', '🔻'];

/// A cell by table, row and column.
pub(super) type Place = (usize, usize, usize);

#[derive(Debug, Default)]
pub(super) struct Surroundings {
    pub(super) looks: Looks,
    /// The arms that each table has cells for.
    pub(super) arms: BTreeMap<usize, BTreeSet<usize>>,
    /// Columns whose differences are the baseline − the other run.
    pub(super) turned: BTreeSet<(usize, usize)>,
    /// Columns that do not say which way they subtract, where other tables do so both ways.
    pub(super) either_way: BTreeSet<(usize, usize)>,
    /// Pairs of arms in the order in which columns subtract: the second less the first.
    pub(super) orders: BTreeSet<[usize; 2]>,
    /// Columns whose differences are neither; with one that is not, and what the runs give.
    pub(super) other_differences: BTreeMap<(usize, usize), [String; 2]>,
    /// Columns with a difference that is that of the runs.
    pub(super) agreeing_differences: BTreeSet<(usize, usize)>,
    /// Differences that are taken the other way than the head of their column says.
    pub(super) reversed: BTreeSet<Place>,
    /// A difference that is to the row above and to no other, as it is written.
    pub(super) to_row_above: Option<String>,
    /// Metrics of no known unit that the document may have in per cent and the runs as shares: a figure
    /// of either.
    pub(super) other_units: BTreeMap<String, [String; 2]>,
    /// Columns whose differences are others though their figures are those of the runs.
    pub(super) unrelated: BTreeSet<(usize, usize)>,
    /// Tables of which at least half of the figures are not those of the runs; with one that is not,
    /// and that of the runs.
    pub(super) distrusted: BTreeMap<usize, [String; 2]>,
    /// Whether verdicts are signs alone, by column.
    bare_verdicts: BTreeMap<(usize, usize), bool>,
    /// A verdict in signs that are not those of the way of a difference, by column.
    pub(super) other_verdicts: BTreeMap<(usize, usize), String>,
    /// Cells that ask for the same figure as another one of their table, with its line.
    pub(super) same: BTreeMap<Place, usize>,
}

impl Surroundings {
    /// Differences are held against figures of the document only if these are not replaced.
    pub(super) fn of(tables: &[Understood], facts: &Facts, are_replaced: bool) -> Self {
        let mut around = Self::default();
        let mut unsaid = Vec::new();
        for (position, table) in tables.iter().enumerate() {
            around.look_at_figures(position, table, facts);
        }
        for (position, table) in tables.iter().enumerate() {
            for (column, kind) in table.columns.iter().enumerate() {
                if let Column::Difference(direction) = kind {
                    let at = (position, column);
                    let choice = (facts, are_replaced);
                    let arms = around.look_at_differences(at, table, *direction, choice);
                    unsaid.extend(arms.map(|arms| (at, arms)));
                }
            }
        }
        around.settle_directions(&unsaid);
        around.look_at_verdicts(tables);
        around
    }

    fn look_at_verdicts(&mut self, tables: &[Understood]) {
        for (position, table) in tables.iter().enumerate() {
            let columns = table.columns.iter().enumerate();
            for (column, _) in columns.filter(|(_, kind)| matches!(kind, Column::Verdict)) {
                let cells = table.rows.iter().filter_map(|row| row.row.cells.get(column));
                for cell in cells {
                    if let Written::Text(words) = &cell.written
                        && !is_empty_word(words)
                    {
                        let bare = self.bare_verdicts.entry((position, column)).or_insert(true);
                        let has_words = words.contains(char::is_alphanumeric);
                        *bare &= !has_words;
                        if !has_words && !words.contains(DIRECTIONS) {
                            self.other_verdicts.insert((position, column), words.clone());
                        }
                    }
                }
            }
        }
    }

    /// Whether the verdicts of that column, else all of the document, are signs alone.
    pub(super) fn are_verdicts_bare(&self, at: (usize, usize)) -> bool {
        let all =
            || !self.bare_verdicts.is_empty() && self.bare_verdicts.values().all(|bare| *bare);
        self.bare_verdicts.get(&at).copied().unwrap_or_else(all)
    }

    /// Columns without a difference subtract as those of other tables do.
    fn settle_directions(&mut self, unsaid: &[((usize, usize), [usize; 2])]) {
        let said = self.orders.clone();
        for (at, [first, second]) in unsaid {
            let (straight, turned) = ([*first, *second], [*second, *first]);
            match (said.contains(&straight), said.contains(&turned)) {
                (true, true) => {
                    self.either_way.insert(*at);
                }
                (false, true) => {
                    self.turned.insert(*at);
                }
                _ => {
                    self.orders.insert(straight);
                }
            }
        }
    }

    fn look_at_figures(&mut self, position: usize, table: &Understood, facts: &Facts) {
        let (mut agreeing, mut differing) = (0, Vec::new());
        let with_figure = |(row, column, question): (usize, usize, Question)| {
            let found = answers::figure(facts, &question).ok();
            (row, column, question, found)
        };
        let asked: Vec<_> = questions(table).map(with_figure).collect();
        let arms = asked.iter().filter_map(|(.., found)| Some(found.as_ref()?.0.arm));
        let arms: BTreeSet<usize> = arms.collect();
        let mut points: BTreeMap<(usize, &Point), (Place, usize)> = BTreeMap::new();
        for (row, column, question, found) in asked {
            let place = (position, row, column);
            let line = table.line(row);
            if let Some((found, _)) = found {
                let first = *points.entry((found.arm, &found.point)).or_insert((place, line));
                if first.0 != place {
                    self.same.insert(place, first.1);
                    self.same.insert(first.0, line);
                }
            }
            let Some(figure) = table.figure(row, column) else { continue };
            if let Some((found, value)) = found {
                if agrees(figure, value, found.unit) {
                    agreeing += 1;
                } else {
                    let pair = disagreement(figure, line, found, value);
                    if may_be_percent(figure, found, value) {
                        self.other_units.insert(found.point.metric.clone(), pair.clone());
                    }
                    differing.push(pair);
                }
            }
            let look = Look::Figure(arm(&question, found.map(|(found, _)| found)));
            let metric = metric(&question, found.map(|(found, _)| found), facts);
            let is_rate = found.map_or(figure.is_share(), |(found, _)| found.unit.is_rate());
            let is_percentage =
                found.is_some_and(|(found, value)| is_percentage(figure, value, found.unit));
            let figure = figure.clone();
            let is_best = found.and_then(|(found, _)| facts.is_best(found, &arms));
            self.looks.add(Seen {
                table: position,
                column,
                look,
                metric,
                is_rate,
                is_best,
                is_percentage,
                figure,
            });
        }
        self.arms.insert(position, arms);
        self.look_at_figures_of_others(position, table, facts);
        let distrusted = differing.len() >= agreeing.max(1);
        if let Some(first) = differing.into_iter().next().filter(|_| distrusted) {
            self.distrusted.insert(position, first);
        }
    }

    /// How percentages of others are written in columns of figures of the runs.
    fn look_at_figures_of_others(&mut self, position: usize, table: &Understood, facts: &Facts) {
        for column in 0..table.columns.len() {
            let own = table.figures_of_column(column);
            let mut own = own.filter_map(|(_, question)| answers::figure(facts, &question).ok());
            let Some((own, _)) = own.next() else { continue };
            let others = (0..table.rows.len())
                .filter(|row| matches!(table.asked(*row, column), Some(Err(_))))
                .filter_map(|row| table.figure(row, column));
            let others: Vec<&Figure> = others.collect();
            // Shares of 1 may as well be percentages below 1.
            if !own.unit.is_rate() || others.iter().all(|figure| figure.may_be_fraction()) {
                continue;
            }
            for figure in others {
                self.looks.add(Seen {
                    table: position,
                    column,
                    look: Look::Figure(None),
                    metric: Some(own.point.metric.clone()),
                    is_rate: true,
                    is_best: None,
                    is_percentage: true,
                    figure: figure.clone(),
                });
            }
        }
    }

    /// Which way the differences of a column are taken, by those that are there; the arms of a column
    /// where none says it.
    fn look_at_differences(
        &mut self,
        at: (usize, usize),
        table: &Understood,
        direction: Direction,
        (facts, are_replaced): (&Facts, bool),
    ) -> Option<[usize; 2]> {
        let (_, column) = at;
        let (mut turned, mut arms) = (BTreeSet::new(), None);
        for row in 0..table.rows.len() {
            let operands = derived::operands(table, (row, column), facts, are_replaced).ok();
            arms = arms.or(operands.map(|operands| operands.arms()));
            let Some(figure) = table.figure(row, column) else { continue };
            self.looks.add(seen_difference(at, figure, operands));
            let Some(operands) = operands else {
                if is_relative_of_its_row(figure, table, row) {
                    self.unrelated.insert(at);
                }
                continue;
            };
            let ways = [operands, operands.swapped()];
            match ways.map(|one| is_of(figure, one, table, facts)) {
                [true, true] => {}
                [true, false] => drop(turned.insert(false)),
                [false, true] if direction.subtracted.is_none() => drop(turned.insert(true)),
                [false, _] if is_to_row_above(figure, operands, table, facts) => {
                    self.to_row_above.get_or_insert(written_at(figure, table.line(row)));
                }
                [false, is_reversed] => {
                    if is_reversed {
                        self.reversed.insert((at.0, row, column));
                    } else if is_relative(figure, operands.values) || are_confirmed(operands, table)
                    {
                        self.unrelated.insert(at);
                    }
                    let pair = other_difference(figure, operands, table.line(row));
                    self.other_differences.entry(at).or_insert(pair);
                }
            }
            if turned.len() > 1 {
                let pair = other_difference(figure, operands, table.line(row));
                self.other_differences.entry(at).or_insert(pair);
            }
        }
        if !turned.is_empty() {
            self.unrelated.remove(&at);
        }
        if direction.subtracted.is_some() {
            // The head says it, and is what the figures were held against.
            self.agreeing_differences.extend((!turned.is_empty()).then_some(at));
            self.orders.extend(arms);
            return None;
        }
        let Some(is_turned) = turned.first().copied() else { return arms };
        self.agreeing_differences.insert(at);
        if is_turned {
            self.turned.insert(at);
        }
        let order = arms.map(|[a, b]| if is_turned { [b, a] } else { [a, b] });
        self.orders.extend(order);
        None
    }
}

/// How a difference is written.
fn seen_difference(
    (table, column): (usize, usize),
    figure: &Figure,
    operands: Option<Operands<'_>>,
) -> Seen {
    let of = operands.map(|operands| operands.figures[0]);
    Seen {
        table,
        column,
        look: Look::Difference,
        metric: of.map(|figure| figure.point.metric.clone()),
        is_rate: of.map_or(figure.is_share(), |figure| figure.unit.is_rate()),
        is_best: None,
        is_percentage: false,
        figure: figure.clone(),
    }
}

/// Whether a difference is that of the runs, or that of the figures that stand beside it.
fn is_of(figure: &Figure, operands: Operands<'_>, table: &Understood, facts: &Facts) -> bool {
    let difference = operands.difference(facts).ok();
    let unit = operands.figures[0].unit;
    if difference.is_some_and(|(delta, _)| agrees(figure, delta, unit)) {
        return true;
    }
    let [first, second] =
        operands.cells.map(|cell| cell.and_then(|(row, column)| table.figure(row, column)));
    let Some((first, second)) = first.zip(second) else { return false };
    let half = 0.5 * 10_f64.powf(-(figure.decimals() as f64));
    (second.value - first.value - figure.value).abs() <= half * (1.0 + 1e-6) + 1e-9
}

/// Whether a bare figure of no known unit is nearer to a hundred times that of the runs.
fn may_be_percent(figure: &Figure, found: &RunFigure, value: f64) -> bool {
    let off = |shown: f64| (figure.value / shown).abs().ln().abs();
    let is_bare = found.unit == Unit::Plain && figure.suffix.is_empty();
    let is_percent = figure.value != 0.0 && agrees(figure, value * 100.0, Unit::Plain);
    let is_nearer = figure.value.abs() > 1.0 && off(value * 100.0) < off(value);
    is_bare && value.abs() <= 1.0 && (is_percent || is_nearer)
}

/// Whether a difference is that of its row and the one above, each of one run.
fn is_to_row_above(
    figure: &Figure,
    operands: Operands<'_>,
    table: &Understood,
    facts: &Facts,
) -> bool {
    let [None, Some((row, column))] = operands.cells else { return false };
    let [_, own] = operands.figures;
    let above = (0..row).rev().find_map(|above| match table.asked(above, column)? {
        Ok(Asked::Figure(question)) => answers::figure(facts, &question).ok(),
        _ => None,
    });
    above.is_some_and(|(above, value)| {
        above.point == own.point && agrees(figure, operands.values[1] - value, own.unit)
    })
}

/// Whether both figures stand there as the runs have them.
fn are_confirmed(operands: Operands<'_>, table: &Understood) -> bool {
    (0..2).all(|side| {
        let cell = operands.cells[side].and_then(|(row, column)| table.figure(row, column));
        cell.is_some_and(|own| agrees(own, operands.values[side], operands.figures[side].unit))
    })
}

/// Whether a difference of others is the change of their figures in relation to the first.
fn is_relative_of_its_row(figure: &Figure, table: &Understood, row: usize) -> bool {
    let columns = (0..table.columns.len())
        .filter(|column| matches!(table.columns.get(*column), Some(Column::Figure(_))));
    let values: Vec<f64> =
        columns.filter_map(|column| Some(table.figure(row, column)?.value)).collect();
    let [one, other] = values.as_slice() else { return false };
    let half = 0.5 * 10_f64.powf(-(figure.decimals() as f64));
    let is_difference = [other - one, one - other]
        .iter()
        .any(|delta| [1.0, 100.0].iter().any(|scale| (delta * scale - figure.value).abs() <= half));
    !is_difference && is_relative(figure, [*one, *other])
}

/// Whether a figure is the change from one value to the other in relation to the first, in percent.
fn is_relative(figure: &Figure, [one, other]: [f64; 2]) -> bool {
    let half = 0.5 * 10_f64.powf(-(figure.decimals() as f64));
    let is_from = |from: f64, to: f64| {
        let change = (to - from) / from.abs() * 100.0;
        change.is_finite() && (change - figure.value).abs() <= half * (1.0 + 1e-6)
    };
    is_from(one, other) || is_from(other, one)
}

fn other_difference(figure: &Figure, operands: Operands<'_>, line: usize) -> [String; 2] {
    let [first, second] = operands.values;
    let unit = operands.figures[0].unit;
    let delta = (second - first) * unit.shown_scale();
    let runs = quantity::difference_text(delta, operands.values, unit);
    [written_at(figure, line), runs]
}

fn arm(question: &Question, found: Option<&RunFigure>) -> Option<usize> {
    found.map(|found| found.arm).or_else(|| question.arm())
}

/// The metric that a figure is known to be of.
fn metric(question: &Question, found: Option<&RunFigure>, facts: &Facts) -> Option<String> {
    let said = || {
        question.facets().find_map(|facet| match facet {
            Facet::Metric(name) => Some(name.clone()),
            _ => None,
        })
    };
    let metrics = facts.metrics();
    let only = || metrics.first().filter(|_| metrics.len() == 1).map(|name| (*name).to_owned());
    // What is of a metric that the runs do not have is like none of theirs.
    let foreign = || question.facets().any(|facet| facet.subject() == Subject::Metric);
    found
        .map(|found| found.point.metric.clone())
        .or_else(said)
        .or_else(|| if foreign() { Some(String::new()) } else { only() })
}

/// Metrics of no known unit that the document writes in percent and the runs as shares: their figures
/// are nearer to those of the document a hundredfold.
pub(super) fn written_as_shares(tables: &[Understood], facts: &Facts) -> BTreeSet<String> {
    let mut votes: BTreeMap<String, i32> = BTreeMap::new();
    for table in tables {
        for (row, column, question) in questions(table) {
            let Some(figure) = table.figure(row, column) else { continue };
            let found = answers::figure(facts, &question).ok();
            let is_hundredfold = |(found, value): &(&RunFigure, f64)| {
                may_be_percent(figure, found, *value) && agrees(figure, value * 100.0, found.unit)
            };
            let has_sign = matches!(figure.suffix.trim(), "%" | "％");
            if !has_sign && !found.as_ref().is_some_and(is_hundredfold) {
                continue;
            }
            let found = found.map(|(found, _)| found);
            let Some(metric) = metric(&question, found, facts) else { continue };
            if let Some(is_share) = is_nearer_as_share(&metric, figure.value, facts) {
                *votes.entry(metric).or_default() += if is_share { 1 } else { -1 };
            }
        }
    }
    votes.into_iter().filter(|(_, votes)| *votes > 0).map(|(metric, _)| metric).collect()
}

/// `None` where the unit is known, or figures above 1 are no shares.
fn is_nearer_as_share(metric: &str, written: f64, facts: &Facts) -> Option<bool> {
    let own = || facts.figures.iter().filter(|figure| figure.point.metric == metric);
    let is_open = |figure: &RunFigure| {
        figure.unit == Unit::Plain && figure.value.value().is_none_or(|value| value.abs() <= 1.0)
    };
    let levels = own().filter_map(|figure| figure.value.value());
    let off = |scale: f64| {
        let apart = levels.clone().map(|level| (level * scale / written).abs().ln().abs());
        apart.filter(|apart| apart.is_finite()).reduce(f64::min)
    };
    let distances = off(100.0).zip(off(1.0));
    distances.filter(|_| own().all(is_open)).map(|(share, plain)| share < plain)
}

/// What the cells of a table ask for, by row and column.
fn questions(table: &Understood) -> impl Iterator<Item = (usize, usize, Question)> {
    (0..table.rows.len())
        .flat_map(|row| table.figures(row).map(move |(column, asked)| (row, column, asked)))
}

/// A figure with the line that it stands in.
fn written_at(figure: &Figure, line: usize) -> String {
    format!("{} (L{line})", figure.written())
}

fn disagreement(figure: &Figure, line: usize, found: &RunFigure, value: f64) -> [String; 2] {
    [written_at(figure, line), quantity::figure(value, found.unit)]
}

impl Understood {
    pub(super) fn line(&self, row: usize) -> usize {
        self.rows.get(row).map_or(0, |row| row.row.line)
    }

    /// The figure that stands in a cell.
    pub(super) fn figure(&self, row: usize, column: usize) -> Option<&Figure> {
        match &self.rows.get(row)?.row.cells.get(column)?.written {
            Written::Figure(figure) => Some(figure),
            _ => None,
        }
    }
}
