//! What became of the cells of a part of a grid: counts, mean, extremes. Cells that one arm lacks
//! count as missing and in no average.

use super::layout::{self, ReportGrid, ReportGridPage};
use super::phrases::cannot_exist;
use crate::compare::Comparison;
use crate::model::{Absence, DimValue, Measured};
use crate::pairing::PairArm;
use crate::quantity::settled;

#[derive(Debug)]
pub(in crate::report) struct ReportTally<'a> {
    /// Cells that both arms have a figure in, with the difference in its unit.
    pub(in crate::report) known: Vec<(&'a Comparison<'a>, f64)>,
    /// Cells that moved to the metric's good side; where it has none, that rose.
    pub(in crate::report) improved: usize,
    pub(in crate::report) declined: usize,
    pub(in crate::report) tied: usize,
    /// Cells without a difference because what an arm ran gave no figure.
    pub(in crate::report) failed: usize,
    /// Cells that there should be; a cell that cannot exist in an arm is none.
    pub(in crate::report) total: usize,
}

impl<'a> ReportTally<'a> {
    pub(in crate::report) fn new(comparisons: &[&'a Comparison<'a>]) -> Self {
        let known: Vec<(&Comparison<'_>, f64)> = comparisons
            .iter()
            .filter_map(|comparison| Some((*comparison, settled(comparison.delta?))))
            .collect();
        let count = |keep: &dyn Fn(f64) -> bool| {
            known.iter().filter(|(comparison, delta)| keep(delta * good_side(comparison))).count()
        };
        Self {
            improved: count(&|change| change > 0.0),
            declined: count(&|change| change < 0.0),
            tied: count(&|change| change == 0.0),
            failed: comparisons.iter().filter(|comparison| has_failed(comparison)).count(),
            total: comparisons.iter().filter(|comparison| can_exist(comparison)).count(),
            known,
        }
    }

    pub(in crate::report) fn missing(&self) -> usize {
        self.total.saturating_sub(self.known.len())
    }

    /// Cells without a difference that can still be run.
    pub(in crate::report) fn open(&self) -> usize {
        self.missing().saturating_sub(self.failed)
    }

    /// The mean difference of the known cells, each counted once.
    pub(in crate::report) fn mean(&self) -> Option<f64> {
        let sum: f64 = self.known.iter().map(|(_, delta)| delta).sum();
        (!self.known.is_empty()).then(|| sum / self.known.len() as f64)
    }

    /// How many cells changed by as much.
    pub(in crate::report) fn equals(&self, delta: f64) -> usize {
        self.known.iter().filter(|(_, other)| settled(other - delta) == 0.0).count()
    }

    /// The largest change towards (+1) or against (−1) the metric's good side; the first of equals.
    pub(in crate::report) fn extreme(&self, side: f64) -> Option<(&'a Comparison<'a>, f64)> {
        let along =
            |(comparison, delta): &(&Comparison<'_>, f64)| side * delta * good_side(comparison);
        let moved = self.known.iter().filter(|cell| along(cell) > 0.0);
        moved.rev().max_by(|a, b| along(a).total_cmp(&along(b))).copied()
    }
}

fn good_side(comparison: &Comparison<'_>) -> f64 {
    comparison.cell.spec.direction.sign().unwrap_or(1.0)
}

pub(super) fn can_exist(comparison: &Comparison<'_>) -> bool {
    comparison.delta.is_some() || !cannot_exist(comparison)
}

/// A cell that one arm has not run yet is open, whatever became of it in the other.
fn has_failed(comparison: &Comparison<'_>) -> bool {
    let is = |absence| {
        let absent = Measured::Absent(absence);
        PairArm::BOTH.iter().any(|&which| comparison.cell.side(which).value() == absent)
    };
    comparison.delta.is_none()
        && is(Absence::Failed)
        && !is(Absence::NotRun)
        && !is(Absence::NotApplicable)
}

/// The mean differences at one value of an axis, page by page.
#[derive(Debug)]
pub(in crate::report) struct Along<'a> {
    pub(in crate::report) value: DimValue,
    pub(in crate::report) pages: Vec<ReportTally<'a>>,
    /// From the first page to the last, over the cells that are known on both.
    pub(in crate::report) change: Option<Change>,
}

/// How a mean difference moved between two pages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::report) struct Change {
    /// Last page − first page, in the unit of the difference.
    pub(in crate::report) delta: f64,
    pub(in crate::report) known: usize,
    /// Cells that the larger of both pages has.
    pub(in crate::report) total: usize,
}

pub(in crate::report) fn along<'a>(
    group: &ReportGrid<'a>,
    pages: &[ReportGridPage<'a>],
    axis: &str,
) -> Vec<Along<'a>> {
    let of = |value: DimValue| {
        let pages: Vec<ReportTally<'a>> = pages
            .iter()
            .map(|page| {
                let here = |comparison: &&Comparison<'_>| {
                    layout::coordinate(comparison, axis).as_ref() == Some(&value)
                };
                ReportTally::new(&page.comparisons.iter().copied().filter(here).collect::<Vec<_>>())
            })
            .collect();
        Along { change: change(group, &pages), value, pages }
    };
    layout::axis_values(&group.comparisons, axis).into_iter().map(of).collect()
}

/// Only cells that are known on both pages: a mean over other cells would move without any change.
fn change(group: &ReportGrid<'_>, pages: &[ReportTally<'_>]) -> Option<Change> {
    let [first, .., last] = pages else { return None };
    let name = group.page.as_deref()?;
    let place = |comparison: &Comparison<'_>| {
        let key = &comparison.cell.key;
        let dataset = (name != crate::model::DATASET_AXIS).then(|| key.dataset.clone());
        (dataset, key.dims.without(name))
    };
    let moved: Vec<f64> = last
        .known
        .iter()
        .filter_map(|(comparison, after)| {
            let same = first.known.iter().find(|(other, _)| place(other) == place(comparison));
            same.map(|(_, before)| after - before)
        })
        .collect();
    (!moved.is_empty()).then(|| Change {
        delta: settled(moved.iter().sum::<f64>() / moved.len() as f64),
        known: moved.len(),
        total: first.total.max(last.total),
    })
}
