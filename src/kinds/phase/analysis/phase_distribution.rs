//! How the samples of a dataset ended, as shares that add up, in both arms.

use super::conversion::{self, Conversion};
use super::phase_shares::{PhaseShare, SUCCESS, WRONG};
use crate::compare::Comparison;
use crate::model::{Dims, Direction};
use crate::pairing::PairArm;

/// How the samples of one dataset ended.
#[derive(Debug)]
pub struct PhaseDistribution<'a> {
    pub dataset: Option<&'a str>,
    /// The grid point.
    pub dims: &'a Dims,
    /// One for each kind of ending, failures first, right answers last.
    pub shares: Vec<PhaseShare<'a>>,
    /// The share of code that ran, where some file or sample tells it.
    pub ran: Option<&'a Comparison<'a>>,
    /// What the shares of baseline and candidate sum up to, in percent, and how much rounding leaves
    /// open; `None` where a share is missing that the sum cannot do without.
    pub sums: [Option<PhaseSum>; 2],
    /// What became of errors.
    pub conversion: Option<Conversion>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhaseSum {
    pub total: f64,
    /// What rounding of the figures leaves open, in percentage points.
    pub rounding: f64,
}

impl PhaseSum {
    /// Whether it is 100% but for rounding.
    pub fn is_whole(self) -> bool {
        (self.total - 100.0).abs() <= self.rounding
    }
}

/// The kind that files leave out most: nothing was measured there.
const API: &str = "api_error";

/// Kinds of ending with the metrics that tell their share, in the order of the report.
const KINDS: &[(&str, &str)] = &[
    ("syntax_error", "syntax_error_rate"),
    ("runtime_error", "runtime_error_rate"),
    ("timeout", "timeout_rate"),
    (API, "api_error_rate"),
    (WRONG, "wrong_answer_rate"),
    (SUCCESS, "accepted_at_1"),
];
/// Kinds that the others stand before.
const LAST: usize = 3;
/// Fewest failures that make a distribution.
const FEWEST: usize = 2;
const RAN: &str = "exec_success_rate";
/// Rates of samples that are no kind of ending, or are told apart already.
const NO_KINDS: &[&str] = &[RAN, "truncation_rate", "success_rate", "fallback_rate", "error_rate"];

/// Every dataset and grid point with kinds of error.
pub(super) fn distributions<'a>(comparisons: &'a [Comparison<'a>]) -> Vec<PhaseDistribution<'a>> {
    let mut places: Vec<(Option<&str>, &Dims)> = Vec::new();
    for comparison in comparisons {
        let place = (comparison.cell.key.dataset.as_deref(), &comparison.cell.key.dims);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
        .into_iter()
        .filter_map(|(dataset, dims)| distribution(comparisons, dataset, dims))
        .collect()
}

fn distribution<'a>(
    comparisons: &'a [Comparison<'a>],
    dataset: Option<&'a str>,
    dims: &'a Dims,
) -> Option<PhaseDistribution<'a>> {
    let here: Vec<&Comparison<'a>> = comparisons
        .iter()
        .filter(|comparison| {
            comparison.cell.key.dataset.as_deref() == dataset && comparison.cell.key.dims == *dims
        })
        .collect();
    let find =
        |metric: &str| here.iter().copied().find(|comparison| comparison.cell.key.metric == metric);
    let mut shares: Vec<PhaseShare<'a>> = KINDS
        .iter()
        .map(|(name, metric)| PhaseShare { name: (*name).to_owned(), comparison: find(metric) })
        .collect();
    let failures = shares.iter().take(LAST).filter(|share| share.comparison.is_some()).count();
    if failures < FEWEST {
        return None;
    }
    let others = here.iter().filter_map(|comparison| {
        let name = comparison.cell.key.metric.strip_suffix("_rate")?;
        let listed = KINDS.iter().any(|(_, metric)| *metric == comparison.cell.key.metric)
            || NO_KINDS.contains(&comparison.cell.key.metric.as_str());
        (!listed && is_kind(comparison))
            .then(|| PhaseShare { name: name.to_owned(), comparison: Some(*comparison) })
    });
    shares.splice(LAST..LAST, others.collect::<Vec<_>>());
    fill_success(&mut shares, &here);
    let ran = find(RAN);
    let sums = PairArm::BOTH.map(|which| sum(&shares, which));
    let mut sides = PairArm::BOTH.into_iter().zip(sums);
    let adds_up =
        sides.all(|(which, sum)| sum.is_some_and(|sum| is_explained(&shares, which, sum)));
    let conversion = conversion::conversion(&here, &shares, adds_up);
    Some(PhaseDistribution { dataset, dims, shares, ran, sums, conversion })
}

/// Whether a sum is whole, or falls short where a share is not told.
pub(super) fn is_explained(shares: &[PhaseShare<'_>], which: PairArm, sum: PhaseSum) -> bool {
    let silent = shares.iter().any(|share| share.percent(which).is_none());
    sum.is_whole() || (silent && sum.total < 100.0)
}

/// Where no file has `accepted_at_1`, the score that makes the shares of both arms whole tells which
/// answers are right.
fn fill_success<'a>(shares: &mut [PhaseShare<'a>], here: &[&'a Comparison<'a>]) {
    let Some(place) = shares.iter().position(|share| share.name == SUCCESS) else { return };
    if shares.get(place).is_none_or(|share| share.comparison.is_some()) {
        return;
    }
    let fits = |comparison: &&&'a Comparison<'a>| {
        let spec = &comparison.cell.spec;
        if spec.direction != Direction::Higher || !spec.unit.is_rate() || is_kind(comparison) {
            return false;
        }
        let mut tried = shares.to_vec();
        if let Some(share) = tried.get_mut(place) {
            share.comparison = Some(**comparison);
        }
        PairArm::BOTH.iter().all(|which| sum(&tried, *which).is_some_and(PhaseSum::is_whole))
    };
    let found = here.iter().find(fits).copied();
    if let Some(share) = shares.get_mut(place) {
        share.comparison = found;
    }
}

/// Whether a rate follows from the kinds of error of samples.
fn is_kind(comparison: &Comparison<'_>) -> bool {
    let key = &comparison.cell.key;
    PairArm::BOTH.into_iter().any(|which| {
        let samples = comparison.cell.side(which).samples.as_ref();
        samples.is_some_and(|samples| samples.table.is_derived(&key.metric))
    })
}

/// The sum of every share but that of API errors, which may be left out.
fn sum(shares: &[PhaseShare<'_>], which: PairArm) -> Option<PhaseSum> {
    let is_left_out = |share: &&PhaseShare<'_>| share.percent(which).is_none() && share.name == API;
    let counted: Vec<&PhaseShare<'_>> = shares.iter().filter(|share| !is_left_out(share)).collect();
    let percents: Vec<f64> =
        counted.iter().map(|share| share.percent(which)).collect::<Option<_>>()?;
    let figures = counted.iter().filter_map(|share| share.comparison);
    if !over_the_same(figures.clone(), which) {
        return None;
    }
    Some(PhaseSum { total: percents.iter().sum(), rounding: rounding(figures, which) })
}

/// Whether figures stand on as many samples, as far as they tell; shares of different samples sum to
/// nothing.
pub(super) fn over_the_same<'a>(
    figures: impl Iterator<Item = &'a Comparison<'a>>,
    which: PairArm,
) -> bool {
    let mut sizes = figures.filter_map(|comparison| comparison.n(which));
    let first = sizes.next();
    sizes.all(|n| Some(n) == first)
}

/// What rounding leaves open of the sum of some figures, in percentage points; next to nothing where
/// samples tell them. One file rounds all of them alike, and the one that shows most digits shows how:
/// 0.2 beside 0.52 is 0.20.
pub(super) fn rounding<'a>(
    figures: impl Iterator<Item = &'a Comparison<'a>>,
    which: PairArm,
) -> f64 {
    let rounding_of = |comparison: &Comparison<'_>| {
        let side = comparison.cell.side(which);
        match (&side.samples, &side.stated, comparison.cell.spec.unit.whole()) {
            (None, Some(stated), Some(whole)) => Some(stated.rounding() / whole * 100.0),
            _ => None,
        }
    };
    let each: Vec<f64> = figures.filter_map(rounding_of).collect();
    let finest = each.iter().copied().fold(f64::INFINITY, f64::min);
    1e-6 + if each.is_empty() { 0.0 } else { finest * each.len() as f64 }
}
