//! What one arm has for a cell: per-sample outcomes, an aggregate that a file states, or both.

use std::sync::Arc;

use super::arm_scores::{mean_of_infinite, right_of};
use super::counted::CountedSide;
use super::partners::PairableRows;
use crate::model::{Absence, Column, Measured, SampleStatus, SampleTable, Scalar, Source};
use crate::quantity::{Unit, spelled_decimals};

/// What one arm has for a cell.
#[derive(Debug, Default)]
pub struct PairSide<'a> {
    pub samples: Option<SampledSide<'a>>,
    /// Samples that an engine counted.
    pub counted: Option<CountedSide<'a>>,
    pub stated: Option<StatedSide<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub struct StatedSide<'a> {
    pub scalar: &'a Scalar,
    /// Samples behind it: stated beside the figure, or for the dataset as a whole.
    pub n: Option<u64>,
    /// From the unit of the file to the unit of the cell: 0.01 where a file writes percentages
    /// and another one shares, 100 where it writes shares of what is declared a percentage.
    pub(super) scale: f64,
    /// Whether the samples beside it prove that it is a share, against the unit that the user
    /// declares.
    pub share_by_samples: bool,
    /// Several answers to each problem, where something shows them.
    pub answers: Option<AnswersEach>,
    /// Whether its standard error takes every answer for a sample, and is none of the figure.
    pub(super) stderr_of_answers: bool,
}

/// Several answers to each problem behind a stated figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswersEach {
    pub answers: u64,
    /// The size as stated.
    pub stated: u64,
    /// Who says that there are several.
    pub shown_by: AnswersShownBy,
}

/// What says that there are several answers to each problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswersShownBy {
    /// The name of the metric, or a number beside the figure; the size counts problems.
    File,
    /// As before; the size counts answers, as far as the figures tell.
    Size,
    /// The figure alone, which is no whole part of its size and one of so many answers.
    Figure,
}

impl<'a> StatedSide<'a> {
    pub(super) fn new(scalar: &'a Scalar, n: Option<u64>) -> Self {
        Self {
            scalar,
            n,
            scale: 1.0,
            share_by_samples: false,
            answers: None,
            stderr_of_answers: false,
        }
    }

    /// The figure in the unit of the cell.
    pub fn value(&self) -> Measured {
        match self.scalar.value {
            Measured::Value(value) if self.scale == 1.0 => Measured::Value(value),
            Measured::Value(value) => Measured::new(value * self.scale),
            absent @ Measured::Absent(_) => absent,
        }
    }

    /// Decimals that the file writes; where its text is not known, those of the shortest spelling of
    /// the number.
    pub fn decimals(&self) -> usize {
        if let Some(decimals) = self.scalar.decimals {
            return usize::from(decimals);
        }
        spelled_decimals(self.scalar.value.value().unwrap_or_default())
    }

    /// Whether the file writes a percentage, of a rate whose cell has that unit.
    pub fn is_percentage(&self, unit: Unit) -> bool {
        self.scale < 1.0 || (self.scale == 1.0 && unit == Unit::Percent)
    }

    /// Half a unit of the last digit written, in the unit of the cell; at least what four decimals
    /// of a share leave open.
    pub fn rounding(&self) -> f64 {
        (0.5 * 10_f64.powf(-(self.decimals() as f64)) * self.scale).max(5e-5)
    }

    /// Half a unit of the last digit of the standard error in its shortest spelling; of 0, that of
    /// the figure.
    pub fn stderr_rounding(&self) -> f64 {
        let decimals = match self.scalar.stderr {
            None | Some(0.0) => self.decimals(),
            Some(stderr) => spelled_decimals(stderr),
        };
        0.5 * 10_f64.powf(-(decimals as f64)) * self.scale
    }

    /// The clusters that the samples are in, where there are fewer of them.
    pub fn clusters(&self) -> Option<u64> {
        self.scalar.clusters.filter(|&clusters| self.n.is_some_and(|n| clusters < n))
    }

    /// The standard error in the unit of the cell.
    pub fn stderr(&self) -> Option<f64> {
        let stderr = self.scalar.stderr.filter(|_| !self.stderr_of_answers);
        stderr.map(|stderr| stderr * self.scale)
    }
}

/// Per-sample outcomes of one arm for one metric, duplicates and contradictions taken out.
#[derive(Debug)]
pub struct SampledSide<'a> {
    pub table: &'a SampleTable,
    pub column: &'a Column,
    /// Mean over the distinct scored samples, in the metric's unit: infinite where a score is that
    /// counts, and NaN where such scores are infinite in both directions.
    pub mean: f64,
    /// Distinct samples with a score.
    pub scored: u64,
    /// Those of them with an infinite score; 0 for scores with bounds, where it is no score.
    pub infinite: u64,
    /// Distinct samples without a score that the producer marks as failed.
    pub errored: u64,
    /// Other distinct samples without a score.
    pub unscored: u64,
    pub distinct: Arc<PairableRows>,
    largest: f64,
    /// Scores of exactly 0 or 1.
    outcomes: u64,
    only_hundreds: bool,
    scale: f64,
    /// Distinct samples whose score is written as −∞ and as +∞.
    written_infinite: [u64; 2],
}

/// Standard errors up to this many times that of single samples are rounded, or from another formula.
const WIDER: f64 = 1.1;

/// Scores are percentages only above this; rounding alone lifts a share a little above 1.
const CLEARLY_ABOVE_ONE: f64 = 1.5;

impl SampledSide<'_> {
    /// Samples that have a record, with a score or without.
    pub fn recorded(&self) -> u64 {
        self.distinct.recorded()
    }

    /// Rows of the distinct samples, in reading order.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        self.distinct.rows().iter().map(|&row| row as usize)
    }

    /// The scores of the distinct samples in the unit of the cell, in reading order.
    pub fn scores(&self) -> impl Iterator<Item = f64> {
        self.rows().filter_map(|row| self.score(row))
    }

    /// Distinct samples cut at the length limit.
    pub fn truncated(&self) -> u64 {
        self.distinct.truncated
    }

    /// Whether the answer of a row was cut at the length limit.
    pub fn is_truncated(&self, row: usize) -> bool {
        self.table.truncated().get(row).copied().unwrap_or(false)
    }

    /// The score of a row in the unit of the cell.
    pub fn score(&self, row: usize) -> Option<f64> {
        self.column.get(row).map(|score| score * self.scale)
    }

    /// The score of a row, infinite ones included where these count.
    pub fn ranked_score(&self, row: usize) -> Option<f64> {
        let infinite = || self.column.infinite(row).filter(|_| self.infinite > 0);
        self.score(row).or_else(infinite)
    }

    /// Whether a row has a score, an infinite one included where these count.
    pub fn is_scored(&self, row: usize) -> bool {
        self.column.is_scored(row, self.infinite > 0)
    }

    /// The score of a single answer by its position among all of them, in the unit of the cell;
    /// `None` unless the scores of the rows are means of several, see
    /// [`SampleTable::answers_behind`].
    pub fn answer_score(&self, answer: usize) -> Option<f64> {
        let score = self.table.answers_behind(self.column)?.get(answer)?;
        Some(score * self.scale)
    }

    /// Whether the scores are means of those of several answers.
    pub fn is_mean_of_answers(&self) -> bool {
        self.table.answers_behind(self.column).is_some()
    }

    /// The score that stands for right when there are only two: 0 and 1, or 0 and 100.
    fn right(&self) -> Option<f64> {
        right_of(self.outcomes == self.scored, self.only_hundreds)
    }

    /// That score in the unit of the cell; `None` where scores are not just right or wrong.
    pub fn right_score(&self) -> Option<f64> {
        self.right().map(|right| right * self.scale)
    }

    /// Whether every score is right or wrong.
    pub fn is_binary(&self) -> bool {
        self.right().is_some()
    }

    /// Whether scores are shares by themselves: each answer scores 0 or 1, also where a row is the
    /// mean of several, or most do and none exceeds 1.
    pub(super) fn has_outcomes(&self) -> bool {
        let answers = self.table.answers_behind(self.column);
        let most = self.largest == 1.0 && 2 * self.outcomes > self.scored;
        answers.is_some_and(Column::is_binary) || self.right_score() == Some(1.0) || most
    }

    /// Whether the sample is right; only for outcomes that are right or wrong.
    pub fn outcome(&self, row: usize) -> Option<bool> {
        Some(self.column.get(row)? == self.right()?)
    }

    /// Right samples of all scored ones; only for outcomes that are right or wrong.
    pub fn right_count(&self) -> Option<u64> {
        let right = self.right()?;
        Some((self.mean / (right * self.scale) * self.scored as f64).round() as u64)
    }

    /// Shares, unless a score exceeds 1.
    pub(super) fn unit_of_rate(&self) -> Unit {
        unit_of_rate(self.largest)
    }

    /// Takes infinite scores for results, because the metric has no bounds: a mean over one of them
    /// is infinite.
    pub(super) fn count_infinite(&mut self) {
        let [below, above] = self.written_infinite;
        self.infinite = below + above;
        if self.infinite == 0 {
            return;
        }
        self.scored += self.infinite;
        self.unscored = self.unscored.saturating_sub(self.infinite);
        self.only_hundreds = false;
        self.mean = mean_of_infinite(below, above);
    }

    pub(super) fn rescale(&mut self, scale: f64) {
        self.scale = scale;
        self.mean *= scale;
    }
}

fn unit_of_rate(largest: f64) -> Unit {
    if largest > CLEARLY_ABOVE_ONE { Unit::Percent } else { Unit::Fraction }
}

impl PairSide<'_> {
    /// The figure: from the samples where there are any, else as stated.
    pub fn value(&self) -> Measured {
        if let Some(counted) = &self.counted {
            return Measured::new(counted.mean);
        }
        match (&self.samples, &self.stated) {
            (Some(samples), _) if samples.scored > 0 => Measured::new(samples.mean),
            (_, Some(stated)) => stated.value(),
            (Some(_), None) => Measured::Absent(Absence::Failed),
            (None, None) => Measured::Absent(Absence::NotRun),
        }
    }

    /// Samples behind the figure, when known.
    pub fn n(&self) -> Option<u64> {
        if let Some(counted) = &self.counted {
            return Some(counted.scored);
        }
        match (&self.samples, &self.stated) {
            (Some(samples), _) if samples.scored > 0 => Some(samples.scored),
            (_, Some(stated)) => stated.n,
            _ => None,
        }
    }

    /// Whether it says that its figure varies more than that of so many single samples, up to rounding:
    /// by clusters, or by a standard error beyond that of a share of `whole`.
    pub fn is_wider(&self, whole: Option<f64>) -> bool {
        if let Some(samples) = self.samples.as_ref().filter(|samples| samples.scored > 0) {
            return !samples.table.clusters().is_empty();
        }
        let Some(stated) = self.stated else { return false };
        let share = || Some(stated.value().value()? / whole?);
        let of_samples =
            || share().zip(stated.n).map(|(share, n)| (share * (1.0 - share) / n as f64).sqrt());
        let spread = stated.stderr().zip(whole).map(|(stderr, whole)| stderr / whole);
        let is_beyond = spread.zip(of_samples()).is_some_and(|(own, least)| own > WIDER * least);
        stated.clusters().is_some() || is_beyond
    }

    /// The unit that the scores of samples have by their size.
    pub(super) fn unit_of_samples(&self) -> Option<Unit> {
        let counted = self.counted.as_ref().map(|counted| unit_of_rate(counted.largest()));
        self.samples.as_ref().map(SampledSide::unit_of_rate).or(counted)
    }

    /// Whether the scores of samples are shares by themselves.
    pub(super) fn has_outcomes(&self) -> bool {
        self.samples.as_ref().is_some_and(SampledSide::has_outcomes)
            || self.counted.as_ref().is_some_and(CountedSide::has_outcomes)
    }

    /// Takes infinite scores for results.
    pub(super) fn count_infinite(&mut self) {
        self.samples.iter_mut().for_each(SampledSide::count_infinite);
        self.counted.iter_mut().for_each(CountedSide::count_infinite);
    }

    /// Where the figure stood.
    pub fn source(&self, metric: &str) -> Option<Source> {
        if let Some(counted) = &self.counted {
            return Some(Source::key(&counted.counted.path, metric));
        }
        match (&self.samples, &self.stated) {
            (Some(samples), _) if samples.scored > 0 => {
                let first = samples.rows().find(|&row| samples.ranked_score(row).is_some())?;
                Some(samples.table.source(first, metric))
            }
            (_, Some(stated)) => Some(stated.scalar.source.clone()),
            _ => None,
        }
    }
}

/// The distinct samples of a table for one metric.
pub(super) fn side_samples<'a>(
    table: &'a SampleTable,
    column: &'a Column,
    distinct: &Arc<PairableRows>,
) -> SampledSide<'a> {
    let rows = distinct.rows();
    let scores = ScoreSummary::new(column, rows);
    let (mut errored, mut unscored, mut written_infinite) = (0, 0, [0; 2]);
    let missing = if scores.count < rows.len() as u64 { rows } else { &[] };
    for row in missing.iter().map(|&row| row as usize) {
        match column.get(row) {
            Some(_) => {}
            None if table.statuses().get(row) == Some(&SampleStatus::Errored) => errored += 1,
            None => {
                unscored += 1;
                if let Some(infinite) = column.infinite(row) {
                    written_infinite[usize::from(infinite > 0.0)] += 1;
                }
            }
        }
    }
    SampledSide {
        table,
        column,
        mean: scores.mean,
        scored: scores.count,
        infinite: 0,
        errored,
        unscored,
        distinct: Arc::clone(distinct),
        largest: scores.largest,
        outcomes: scores.outcomes,
        only_hundreds: scores.hundreds == scores.count,
        scale: 1.0,
        written_infinite,
    }
}

/// What is known of the scores of some rows.
struct ScoreSummary {
    count: u64,
    mean: f64,
    largest: f64,
    /// Scores of exactly 0 or 1, and of 0 or 100.
    outcomes: u64,
    hundreds: u64,
}

impl ScoreSummary {
    /// The mean over no score is 0.
    fn new(column: &Column, rows: &[u32]) -> Self {
        let mean = |sum: f64, count: u64| if count > 0 { sum / count as f64 } else { 0.0 };
        if let Some([wrong, right]) = column.outcome_counts(rows) {
            let count = wrong + right;
            let largest = if right > 0 { 1.0 } else { 0.0 };
            let mean = mean(right as f64, count);
            return Self { count, mean, largest, outcomes: count, hundreds: wrong };
        }
        let (mut count, mut outcomes, mut hundreds) = (0, 0, 0);
        let (mut sum, mut largest) = (Sum::default(), f64::NEG_INFINITY);
        for score in rows.iter().filter_map(|&row| column.get(row as usize)) {
            count += 1;
            sum.add(score);
            largest = largest.max(score);
            outcomes += u64::from(score == 0.0 || score == 1.0);
            hundreds += u64::from(score == 0.0 || score == 100.0);
        }
        Self { count, mean: mean(sum.total(), count), largest, outcomes, hundreds }
    }
}

/// Compensated sum (Neumaier 1974): the order of records shows at most in the last bit of a mean.
#[derive(Default)]
struct Sum {
    sum: f64,
    compensation: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        let total = self.sum + value;
        self.compensation += if self.sum.abs() >= value.abs() {
            (self.sum - total) + value
        } else {
            (value - total) + self.sum
        };
        self.sum = total;
    }

    fn total(&self) -> f64 {
        self.sum + self.compensation
    }
}
