//! Tests that ask the same question twice: figures of which one follows from the other.
//!
//! Accuracy and its error rate have one p, and so have two names of one score. Such tests count once
//! in their family.

use std::collections::BTreeMap;

use super::joined::Joined;
use super::suite::Average;
use super::{ComparisonFamily, MeasuredCell};
use crate::pairing::{CellKey, PairArm, SampledSide};

/// Relative to the figures: what is rounding and not a difference.
const ROUNDING: f64 = 1e-9;

/// Tests at one place with one p that are held against each other; of more, each counts, which makes
/// the adjustment stricter.
const MOST_ALIKE: usize = 256;

/// What the test of each cell asks, as the number of the first cell that asks it.
pub(super) fn hypotheses(measured: &[Vec<MeasuredCell<'_>>]) -> Vec<usize> {
    let mut by_place = BTreeMap::<_, BTreeMap<(u64, usize), &MeasuredCell<'_>>>::new();
    let mut found = Vec::new();
    for (pair, cells) in measured.iter().enumerate() {
        for cell in cells {
            let new = found.len();
            let Some(test) = cell.test() else {
                found.push(new);
                continue;
            };
            let CellKey { dataset, dims, .. } = &cell.cell.key;
            let here = by_place.entry((pair, dataset, dims)).or_default();
            // Numbers that are not negative are ordered like their bits.
            let [least, own, most] = [1.0 - 2.0 * ROUNDING, 1.0, 1.0 + 2.0 * ROUNDING]
                .map(|share| (test.p.abs() * share).to_bits());
            let alike = here.range((least, 0)..=(most, new)).take(MOST_ALIKE);
            let same = alike.filter(|(_, other)| asks_the_same(other, cell));
            let number = same.map(|((_, first), _)| *first).min().unwrap_or(new);
            if number == new {
                here.insert((own, number), cell);
            }
            found.push(number);
        }
    }
    found
}

/// What the test of each average asks, as a number that no cell has: averages over the same
/// questions ask one.
pub(super) fn hypotheses_of_averages(averages: &[Average<'_>], cells: usize) -> Vec<usize> {
    let mut earliest = BTreeMap::new();
    let numbered = averages.iter().enumerate();
    numbered.map(|(at, own)| cells + *earliest.entry(&own.asks).or_insert(at)).collect()
}

/// Whether the tests of two cells at one place ask the same. Guards are asked for worse alone, which
/// is another question.
fn asks_the_same(a: &MeasuredCell<'_>, b: &MeasuredCell<'_>) -> bool {
    let apart = |cell: &MeasuredCell<'_>| {
        let family = cell.family()?;
        Some(
            matches!(family, ComparisonFamily::Guard | ComparisonFamily::Descriptive)
                .then_some(family),
        )
    };
    let p = |cell: &MeasuredCell<'_>| cell.test().map(|test| test.p);
    let has_one_p = p(a).zip(p(b)).is_some_and(|(a, b)| (a - b).abs() <= ROUNDING * a.max(b));
    has_one_p
        && apart(a).is_some()
        && apart(a) == apart(b)
        && (are_linear(a, b) || are_complements(a, b))
}

/// Whether the scores of one are a linear function of the other's over the same pairs.
fn are_linear(a: &MeasuredCell<'_>, b: &MeasuredCell<'_>) -> bool {
    if a.seeds.is_some() || a.cell.table.is_none() || a.cell.table != b.cell.table {
        return false;
    }
    let (Some(first), Some(second)) = (Joined::new(a.pair, a.cell), Joined::new(b.pair, b.cell))
    else {
        return false;
    };
    let arms = [(first.baseline, second.baseline), (first.candidate, second.candidate)];
    let scores = |(a, b): (&'_ SampledSide<'_>, &'_ SampledSide<'_>), row: usize| {
        (a.score(row), b.score(row))
    };
    let rows = || {
        first.rows().flat_map(move |(mine, theirs, _)| {
            let [baseline, candidate] = arms;
            [scores(baseline, mine), scores(candidate, theirs)]
        })
    };
    let Some(line) = Line::through(rows().filter_map(|(a, b)| a.zip(b))) else { return false };
    rows().all(|(a, b)| match (a, b) {
        (Some(a), Some(b)) => line.holds(a, b),
        (None, None) => true,
        _ => false,
    })
}

/// `b = at + slope·a`.
struct Line {
    at: f64,
    slope: f64,
}

impl Line {
    /// The line through the first two points that differ; `None` where all are one, or b stays.
    fn through(mut points: impl Iterator<Item = (f64, f64)>) -> Option<Self> {
        let first = points.next()?;
        let second = points.find(|point| point.0 != first.0)?;
        let slope = (second.1 - first.1) / (second.0 - first.0);
        (slope != 0.0).then_some(Self { at: first.1 - slope * first.0, slope })
    }

    fn holds(&self, a: f64, b: f64) -> bool {
        let expected = self.at + self.slope * a;
        (expected - b).abs() <= ROUNDING * (self.at.abs() + (self.slope * a).abs() + b.abs())
    }
}

/// Whether two rates without samples in common sum to one in every run of both arms, over as many
/// samples.
fn are_complements(a: &MeasuredCell<'_>, b: &MeasuredCell<'_>) -> bool {
    let (Some(whole), Some(other)) = (a.cell.spec.unit.whole(), b.cell.spec.unit.whole()) else {
        return false;
    };
    let is_stated = |cell: &MeasuredCell<'_>| cell.paired().is_none();
    let figures = |cell: &MeasuredCell<'_>, which: PairArm| -> Vec<(Option<f64>, Option<u64>)> {
        match &cell.seeds {
            Some(seeds) => seeds.arm(which).iter().map(|run| (run.value, run.n)).collect(),
            None => vec![(cell.figure(which), cell.n(which))],
        }
    };
    is_stated(a)
        && is_stated(b)
        && PairArm::BOTH.into_iter().all(|which| {
            let (mine, theirs) = (figures(a, which), figures(b, which));
            mine.len() == theirs.len()
                && mine.iter().zip(&theirs).all(|(&(x, n), &(y, m))| {
                    let sum = x.zip(y).map(|(x, y)| x / whole + y / other);
                    n == m && sum.is_some_and(|sum| (sum - 1.0).abs() <= ROUNDING)
                })
        })
}
