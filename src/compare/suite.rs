//! One metric over several datasets: the mean of the differences, with an interval.
//!
//! The datasets are the suite that was asked for, not a sample of all datasets: the interval speaks
//! of these. Its limits are put together from those of the datasets (MOVER: Zou and Donner 2008,
//! *Statistics in Medicine* 27), so each dataset keeps the method that fits it, and the p-value is
//! the level at which the interval reaches 0: interval and test cannot disagree.
//!
//! Of arms of several runs each run's mean over the datasets is formed first, and these means are
//! compared as one figure for each run: a lucky seed is lucky on every dataset.

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::evidence::Evidence;
use super::{Choices, Comparison, Noise, NonInferiority, Reason, Verdict, margins, metrics, seeds};
use crate::diag::Code;
use crate::group::{ArmPair, Which};
use crate::model::{Dims, MetricSpec};
use crate::stats::{self, Interval, holm};

/// Fewest datasets that are averaged.
const FEWEST_DATASETS: usize = 2;

/// p-values below this cannot be told apart by the level of an interval.
const SMALLEST_P: f64 = 1e-12;

/// Halvings of the range of levels, on a logarithmic scale: p to five digits.
const HALVINGS: u32 = 22;

/// Tag of intervals that are put together from those of the datasets.
pub(crate) const OF_DATASETS: &str = "mover";

/// One metric of one pair of arms over several datasets.
#[derive(Debug)]
pub struct Suite<'a> {
    /// The pair of arms.
    pub pair: &'a ArmPair<'a>,
    /// Canonical name of the metric.
    pub metric: &'a str,
    /// Grid coordinates.
    pub dims: &'a Dims,
    /// Meaning of the metric on the first dataset.
    pub spec: &'a MetricSpec,
    /// Datasets averaged.
    pub datasets: usize,
    /// Datasets with the metric in at least one arm that are not: a side is missing, nothing can
    /// be said about the difference, or a finding takes the verdict.
    pub left_out: usize,
    /// Whether a run is incomplete on a dataset that is left out: the average is shown and gets no
    /// verdict, because it is over what the run got done.
    pub is_incomplete: bool,
    /// Every dataset counts the same.
    pub macro_mean: SuiteMean,
    /// Every sample counts the same; `None` where sizes are not known or samples were not paired.
    /// Describes only: its p is in no family and is not adjusted.
    pub micro_mean: Option<SuiteMean>,
    /// p of the macro mean, adjusted by Holm over the suites of this report that can have a
    /// verdict, or over those that cannot.
    pub p_adjusted: f64,
    /// How far the averages of runs of the baseline's configuration lie apart, where some repeat it.
    pub noise: Option<Noise<'a>>,
    /// Non-inferiority of the macro mean within the margin declared for the metric.
    pub noninferiority: Option<NonInferiority>,
    /// Findings that a dataset is averaged in spite of, because the user accepted them.
    pub accepted: Vec<Code>,
    /// What the macro mean says; the rules are those of a single comparison.
    pub verdict: Verdict,
}

/// A weighted mean of differences, in the unit of the difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteMean {
    /// Tag of the interval: `mover`, or the method that compares the means of runs.
    pub method: &'static str,
    /// Candidate − baseline.
    pub delta: f64,
    /// Interval at the level of the report.
    pub interval: Interval,
    /// Interval for margins, at 1 − 2α.
    pub margin_interval: Interval,
    /// Two-sided p-value of no difference; 1e-12 stands for that or less.
    pub p: f64,
    /// Largest part of the mean that samples without score or partner could make up.
    pub slack: f64,
}

/// Every metric with comparisons on several datasets, by pair and metric.
pub fn suites<'a>(comparisons: &'a [Vec<Comparison<'a>>], choices: &Choices) -> Vec<Suite<'a>> {
    let mut suites: Vec<Suite<'a>> = comparisons
        .iter()
        .flat_map(|of_pair| {
            let metrics = metrics(of_pair.iter().map(|one| &one.cell.key));
            metrics.into_iter().filter_map(|metric| suite(of_pair, metric, choices))
        })
        .collect();
    adjust(&mut suites);
    for suite in &mut suites {
        if suite.is_incomplete {
            suite.verdict = Verdict::NotAssessable;
            continue;
        }
        suite.noninferiority = noninferiority(suite, choices);
        if suite.verdict != Verdict::Identical {
            suite.verdict = judge(suite, choices);
        }
    }
    suites
}

/// Holm over the two families of [`super::family`]: what can lead to a verdict, and what only
/// describes. Only macro means are tested.
fn adjust(suites: &mut [Suite<'_>]) {
    for judged in [true, false] {
        let mut family: Vec<&mut Suite<'_>> = suites
            .iter_mut()
            .filter(|suite| suite.spec.direction.sign().is_some() == judged)
            .collect();
        let raw: Vec<f64> = family.iter().map(|suite| suite.macro_mean.p).collect();
        for (suite, adjusted) in family.iter_mut().zip(holm(&raw)) {
            suite.p_adjusted = adjusted;
        }
        let mut noises: Vec<&mut Noise<'_>> =
            family.iter_mut().filter_map(|suite| suite.noise.as_mut()).collect();
        let raw: Vec<f64> = noises.iter().map(|noise| noise.p).collect();
        for (noise, adjusted) in noises.iter_mut().zip(holm(&raw)) {
            noise.p_adjusted = Some(adjusted);
        }
    }
}

fn suite<'a>(
    of_pair: &'a [Comparison<'a>],
    (metric, dims): (&'a str, &'a Dims),
    choices: &Choices,
) -> Option<Suite<'a>> {
    let own: Vec<&Comparison<'_>> = of_pair
        .iter()
        .filter(|one| one.cell.key.is_of(metric, dims))
        .filter(|one| one.cell.key.dataset.is_some())
        .collect();
    let parts: Vec<&Comparison<'_>> = own.iter().copied().filter(|one| is_usable(one)).collect();
    let first = *parts.first()?;
    let same_unit = parts.iter().all(|one| one.cell.spec.unit == first.cell.spec.unit);
    if parts.len() < FEWEST_DATASETS || !same_unit {
        return None;
    }
    let equal = vec![1.0 / parts.len() as f64; parts.len()];
    let macro_mean = if first.pair.is_repeated() {
        over_runs(&parts, choices.options)
    } else {
        mean(&parts, &equal, choices.options)
    };
    let sizes: Option<Vec<f64>> = parts.iter().map(|one| one.paired.map(|n| n as f64)).collect();
    let micro_mean = sizes.and_then(|sizes| {
        let total: f64 = sizes.iter().sum();
        let weights: Vec<f64> = sizes.iter().map(|size| size / total).collect();
        mean(&parts, &weights, choices.options)
    });
    let accepted: BTreeSet<Code> = parts.iter().flat_map(|one| one.accepted.clone()).collect();
    let macro_mean = macro_mean?;
    Some(Suite {
        noise: Noise::of_average(&parts, macro_mean.delta, choices.options.alpha),
        pair: first.pair,
        metric,
        dims,
        spec: &first.cell.spec,
        datasets: parts.len(),
        left_out: own.len() - parts.len(),
        is_incomplete: own.iter().any(
            |one| matches!(one.reason, Some(Reason::Blocked(code)) if code.means_incomplete()),
        ),
        macro_mean,
        micro_mean,
        p_adjusted: f64::NAN,
        noninferiority: None,
        accepted: accepted.into_iter().collect(),
        verdict: if parts.iter().all(|one| one.verdict == Verdict::Identical) {
            Verdict::Identical
        } else {
            Verdict::NotAssessable
        },
    })
}

/// Whether no finding has taken the verdict from the dataset, and every run has a figure or, of
/// arms of one run, the difference an interval.
fn is_usable(comparison: &Comparison<'_>) -> bool {
    let is_known = match &comparison.seeds {
        Some(seeds) => seeds.is_complete(),
        None => comparison.analysis.as_ref().is_some_and(|found| found.interval.is_some()),
    };
    is_known && !comparison.is_blocked()
}

/// The means of the runs over the datasets, compared as one figure for each run. `None` below two
/// runs in an arm and when neither arm varies.
fn over_runs(parts: &[&Comparison<'_>], options: stats::Options) -> Option<SuiteMean> {
    let first = parts.first()?;
    let [baseline, candidate] = Which::BOTH.map(|which| run_means(parts, which));
    if baseline.len().min(candidate.len()) < 2 {
        return None;
    }
    let bound = margins::largest_difference(&first.cell.spec);
    let design = seeds::of_figures(first.pair, &baseline, &candidate, bound);
    let evidence = Evidence::of_seeds(design, first.cell.spec.unit);
    let analysis = evidence.analyse(options, false)?;
    Some(SuiteMean {
        method: analysis.interval_method,
        delta: analysis.delta,
        interval: analysis.interval?,
        margin_interval: evidence.interval(1.0 - 2.0 * options.alpha)?,
        p: analysis.test?.p,
        slack: parts.iter().map(|one| one.slack()).sum::<f64>() / parts.len() as f64,
    })
}

/// Each run's mean over the datasets, the lead first.
fn run_means(parts: &[&Comparison<'_>], which: Which) -> Vec<f64> {
    let runs = parts.first().map_or(0, |one| one.pair.size(which));
    let figures = |run: usize| {
        let of = move |one: &&Comparison<'_>| one.seeds.as_ref()?.arm(which).get(run)?.value;
        parts.iter().filter_map(of)
    };
    (0..runs).map(|run| figures(run).sum::<f64>() / parts.len() as f64).collect()
}

fn mean(parts: &[&Comparison<'_>], weights: &[f64], options: stats::Options) -> Option<SuiteMean> {
    let deltas: Vec<f64> = parts.iter().map(|one| one.delta).collect::<Option<_>>()?;
    let delta: f64 = deltas.iter().zip(weights).map(|(delta, weight)| delta * weight).sum();
    let at = |level: f64| -> Option<Interval> {
        let intervals: Vec<Interval> =
            parts.par_iter().map(|one| one.interval_at(level)).collect::<Option<_>>()?;
        Some(mover(&deltas, &intervals, weights, level))
    };
    Some(SuiteMean {
        method: OF_DATASETS,
        delta,
        interval: at(1.0 - options.alpha)?,
        margin_interval: at(1.0 - 2.0 * options.alpha)?,
        p: p_value(&at),
        slack: parts.iter().zip(weights).map(|(one, w)| w * one.slack()).sum(),
    })
}

/// Non-inferiority of the mean, with everything that samples without a score could make up against
/// it; `None` without a usable margin, a good side, or intervals that decide.
fn noninferiority(suite: &Suite<'_>, choices: &Choices) -> Option<NonInferiority> {
    if choices.anytime {
        return None;
    }
    let margin = margins::usable(*choices.margins.get(suite.metric)?, suite.spec)?;
    let sign = suite.spec.direction.sign()?;
    let SuiteMean { delta, margin_interval: Interval { lo, hi, level }, slack, .. } =
        suite.macro_mean;
    let (bad, good) = (f64::min(sign * lo, sign * hi), f64::max(sign * lo, sign * hi));
    // Another run of the baseline is no farther from the difference than this.
    let reach = suite.noise.as_ref().map_or(0.0, |noise| noise.reach);
    let (lowest, highest) = (sign * delta - reach, sign * delta + reach);
    Some(NonInferiority {
        margin,
        level,
        limit: sign * bad,
        outcome: margins::shown((bad - slack).min(lowest), (good + slack).max(highest), margin),
    })
}

fn judge(suite: &Suite<'_>, choices: &Choices) -> Verdict {
    let SuiteMean { delta, interval, margin_interval, slack, .. } = suite.macro_mean;
    if choices.anytime {
        // Its intervals are for one look.
        return Verdict::NotAssessable;
    }
    let margin = choices.margins.get(suite.metric);
    if let Some(margin) = margin.and_then(|&margin| margins::usable(margin, suite.spec))
        && margin_interval.lo - slack > -margin
        && margin_interval.hi + slack < margin
    {
        let reach = suite.noise.as_ref().map_or(0.0, |noise| noise.reach);
        let stands = reach == 0.0 || delta.abs() + reach < margin;
        return if stands { Verdict::Equivalent } else { Verdict::Inconclusive };
    }
    let widened = Interval { lo: interval.lo - slack, hi: interval.hi + slack, ..interval };
    if suite.p_adjusted >= choices.options.alpha || !widened.excludes(0.0) {
        return Verdict::Inconclusive;
    }
    let drowned = suite.noise.as_ref().and_then(|noise| noise.p_adjusted);
    if drowned.is_some_and(|p| p >= choices.options.alpha) {
        return Verdict::Inconclusive;
    }
    match suite.spec.direction.sign() {
        Some(sign) if sign * delta > 0.0 => Verdict::Better,
        Some(_) => Verdict::Worse,
        None => Verdict::NotAssessable,
    }
}

/// The interval of the weighted mean from those of its parts.
fn mover(deltas: &[f64], intervals: &[Interval], weights: &[f64], level: f64) -> Interval {
    let delta: f64 = deltas.iter().zip(weights).map(|(delta, weight)| delta * weight).sum();
    let below = deltas.iter().zip(intervals).map(|(delta, interval)| delta - interval.lo);
    let above = deltas.iter().zip(intervals).map(|(delta, interval)| interval.hi - delta);
    Interval { lo: delta - norm(below, weights), hi: delta + norm(above, weights), level }
}

/// Root of the weighted sum of squares.
fn norm(distances: impl Iterator<Item = f64>, weights: &[f64]) -> f64 {
    distances.zip(weights).map(|(distance, weight)| (distance * weight).powi(2)).sum::<f64>().sqrt()
}

/// The smallest α whose interval at 1 − α excludes 0; 1 when none does. A level at which some
/// dataset has no interval excludes nothing.
fn p_value(interval_at: &impl Fn(f64) -> Option<Interval>) -> f64 {
    let excludes = |p: f64| interval_at(1.0 - p).is_some_and(|interval| interval.excludes(0.0));
    if excludes(SMALLEST_P) {
        return SMALLEST_P;
    }
    let (mut covering, mut excluding) = (SMALLEST_P.ln(), 0.0_f64);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (covering + excluding);
        if excludes(middle.exp()) { excluding = middle } else { covering = middle }
    }
    excluding.exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Design, DifferenceSample};

    #[test]
    fn a_mean_over_datasets_is_no_surer_than_all_sign_patterns_of_all_pairs() {
        // Three datasets of eight pairs, every difference near 1: 2/2^24 is the exact p.
        let designs: Vec<Design> = (0..3)
            .map(|dataset| {
                let mut sample = DifferenceSample::default();
                (0..8).for_each(|i| sample.add(0.0, 1.0 + f64::from(i + dataset) / 1e4));
                Design::PairedReal(sample)
            })
            .collect();
        let deltas: Vec<f64> = designs
            .iter()
            .map(|one| one.analyse(stats::Options::default()).unwrap().delta)
            .collect();
        let at = |level: f64| {
            let intervals: Vec<Interval> =
                designs.iter().map(|one| one.interval(level)).collect::<Option<_>>()?;
            Some(mover(&deltas, &intervals, &[1.0 / 3.0; 3], level))
        };
        let p = p_value(&at);
        // Each dataset alone has no interval from 2/2^8 downwards.
        assert!((2.0_f64.powi(-7)..0.01).contains(&p), "{p}");
        assert!(p >= 2.0_f64.powi(-23));
    }
}
