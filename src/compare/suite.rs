//! One metric over several datasets: the mean of the differences, with an interval.
//!
//! The datasets are the suite that was asked for, not a sample of all datasets: the interval speaks
//! of these. Where all samples are paired it is t around the pooled variance of their differences.
//! Elsewhere, where these are too few or too skewed for t, and where datasets share questions, its
//! limits are put together from those of the datasets (`suite_interval.rs`), so each dataset keeps
//! the method that fits it, and the p-value is the level at which the interval reaches 0: interval
//! and test cannot disagree.
//!
//! Of arms of several runs each run's mean over the datasets is formed first, and these means are
//! compared as one figure for each run: a lucky seed is lucky on every dataset.

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::evidence::ComparisonEvidence;
use super::family::{Adjusted, ComparisonFamily, Unadjusted};
use super::suite_interval::{dependences, mover, p_value};
use super::verdict::{Challenges, Established, VerdictGrounds};
use super::{
    CompareOptions, MeasuredCell, Noise, NonInferiority, Verdict, VerdictReason, margins, metrics,
    seeds,
};
use crate::diag::Code;
use crate::model::{Dims, GivenRole, MetricRole, MetricSpec};
use crate::pairing::{ArmPair, CellPair, PairArm};
use crate::stats::means::pooled::PooledMean;
use crate::stats::{self, Interval};

/// Fewest datasets that are averaged.
const FEWEST_DATASETS: usize = 2;

/// Tag of intervals that are put together from those of the datasets.
const OF_DATASETS: &str = "mover";

/// Tag of intervals by the pooled variance of paired differences.
const POOLED: &str = "pooled-t";

/// One metric of one pair of arms over several datasets, before other averages are looked at.
#[derive(Debug)]
pub struct Average<'a> {
    pub pair: &'a ArmPair<'a>,
    pub metric: &'a str,
    pub dims: &'a Dims,
    /// Meaning of the metric on the first dataset.
    pub spec: &'a MetricSpec,
    /// That dataset.
    cell: &'a CellPair<'a>,
    /// What the metric is for in this comparison; `None` for one that is only described.
    pub role: Option<GivenRole>,
    /// What the tests of its datasets ask, as numbers.
    pub(super) asks: Vec<usize>,
    pub datasets: usize,
    /// Datasets with the metric in at least one arm that are not: a side is missing, nothing can
    /// be said about the difference, or a finding takes the verdict.
    pub left_out: usize,
    /// Every dataset counts the same.
    pub macro_mean: SuiteMean,
    /// The same with the clusters that fields hide in some dataset.
    careful: Option<SuiteMean>,
    /// Every sample counts the same; `None` where sizes are not known or samples were not paired.
    /// Describes only: its p is in no family and is not adjusted.
    pub micro_mean: Option<SuiteMean>,
    /// How far the averages of runs of the baseline's configuration lie apart, where some repeat it.
    pub noise: Option<Noise<'a>>,
    /// Findings that a dataset is averaged in spite of, because the user accepted them.
    pub accepted: Vec<Code>,
    /// Findings that confound a dataset that is averaged, and not the pair as a whole.
    pub confounded: Vec<Code>,
    /// Whether every dataset averaged is identical.
    identical: bool,
    /// Why the average is shown and gets no verdict: a run is incomplete on a dataset that is left
    /// out, or its figure there is infinite.
    refused: Option<VerdictReason>,
}

/// An average among those of a report, and what it says.
#[derive(Debug)]
pub struct Suite<'a> {
    average: Average<'a>,
    /// The test of the macro mean among those of its family, averages and single comparisons; `None`
    /// where it is only described.
    pub adjusted: Option<Adjusted>,
    /// Non-inferiority of the macro mean within the margin declared for the metric.
    pub noninferiority: Option<NonInferiority>,
    /// What the macro mean says; the rules are those of a single comparison.
    pub verdict: Verdict,
    /// Why, where a verdict needs a reason.
    pub reason: Option<VerdictReason>,
}

/// What was averaged is read from the suite as it is from what it was made of.
impl<'a> std::ops::Deref for Suite<'a> {
    type Target = Average<'a>;

    fn deref(&self) -> &Average<'a> {
        &self.average
    }
}

/// A weighted mean of differences, in the unit of the difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteMean {
    /// Tag of the interval: `pooled-t`, `mover`, or the method that compares the means of runs.
    pub method: &'static str,
    pub delta: f64,
    pub interval: Interval,
    /// Interval for margins, at 1 − 2α.
    pub margin_interval: Interval,
    /// Two-sided p-value of no difference; 1e-12 stands for that or less.
    pub p: f64,
    /// Largest part of the mean that samples without score or partner could make up.
    pub slack: f64,
}

/// Every metric on several datasets, by pair and metric. `hypotheses` says what the test of each cell
/// asks. Only macro means are tested.
pub(super) fn averages<'a>(
    measured: &[Vec<MeasuredCell<'a>>],
    hypotheses: &[usize],
    options: &CompareOptions,
) -> Vec<Average<'a>> {
    let mut asks = hypotheses.iter().copied();
    let mut averages = Vec::new();
    for of_pair in measured {
        let of_pair: Vec<_> = of_pair.iter().zip(asks.by_ref()).collect();
        let metrics = metrics(of_pair.iter().map(|(part, _)| &part.cell.key));
        let mut found: Vec<_> =
            metrics.into_iter().filter_map(|metric| average(&of_pair, metric, options)).collect();
        found.sort_by_key(|one| MetricRole::rank(one.role.map(|given| given.role)));
        averages.extend(found);
    }
    averages
}

impl Average<'_> {
    /// With which tests its own is adjusted, where its role asks for a test.
    pub fn family(&self) -> Option<ComparisonFamily> {
        ComparisonFamily::for_metric(self.role.map(|given| given.role), self.spec)
    }

    fn margin(&self, options: &CompareOptions) -> Option<f64> {
        let margin = margins::usable_margin(self.cell, options);
        margin.filter(|_| margins::level(options).is_some())
    }

    /// The test of the macro mean, where it can lead to a verdict.
    pub(super) fn unadjusted(
        &self,
        hypothesis: usize,
        options: &CompareOptions,
    ) -> Option<Unadjusted> {
        let found = Unadjusted {
            family: self.family().filter(|_| self.refused.is_none() && !options.anytime)?,
            p: self.macro_mean.p,
            attainable: None,
            noise_p: self.noise.as_ref().map(|noise| noise.p),
            hypothesis,
        };
        match found.family {
            ComparisonFamily::Guard if self.margin(options).is_some() => None,
            ComparisonFamily::Guard => {
                Some(found.for_worse_alone(Some(self.macro_mean.delta), self.spec.direction))
            }
            _ => Some(found),
        }
    }
}

fn average<'a>(
    of_pair: &[(&MeasuredCell<'a>, usize)],
    (metric, dims): (&'a str, &'a Dims),
    options: &CompareOptions,
) -> Option<Average<'a>> {
    let all: Vec<(&MeasuredCell<'a>, usize)> =
        of_pair.iter().copied().filter(|(part, _)| is_part(part.cell, metric, dims)).collect();
    let (parts, asks): (Vec<&MeasuredCell<'a>>, Vec<usize>) =
        all.iter().copied().filter(|(part, _)| is_usable(part)).unzip();
    let first = *parts.first()?;
    let same_unit = parts.iter().all(|part| part.cell.spec.unit == first.cell.spec.unit);
    if parts.len() < FEWEST_DATASETS || !same_unit {
        return None;
    }
    let equal = vec![1.0 / parts.len() as f64; parts.len()];
    let macro_mean = if first.pair.is_repeated() {
        over_runs(&parts, options.stats)
    } else {
        mean(&parts, &equal, options.stats, |part| part.evidence.as_ref())
    };
    let hides = parts.iter().any(|part| !part.hidden.is_empty());
    let careful = if hides {
        let level = 1.0 - options.stats.alpha;
        mean(&parts, &equal, options.stats, |part| most_careful(part, level))
    } else {
        None
    };
    let sizes: Option<Vec<f64>> =
        parts.iter().map(|part| part.paired().map(|n| n as f64)).collect();
    let micro_mean = sizes.and_then(|sizes| {
        let total: f64 = sizes.iter().sum();
        let weights: Vec<f64> = sizes.iter().map(|size| size / total).collect();
        mean(&parts, &weights, options.stats, |part| part.evidence.as_ref())
    });
    let codes = |of: for<'p> fn(&'p MeasuredCell<'_>) -> &'p [Code]| -> Vec<Code> {
        let codes: BTreeSet<Code> = parts.iter().flat_map(|part| of(part)).copied().collect();
        codes.into_iter().collect()
    };
    let macro_mean = macro_mean?;
    let mut blocked = all.iter().filter_map(|(part, _)| part.blocked());
    let incomplete = blocked.find(|code| code.means_incomplete()).map(VerdictReason::Blocked);
    let infinite =
        all.iter().any(|(part, _)| part.is_infinite()).then_some(VerdictReason::InfiniteScores);
    Some(Average {
        noise: Noise::for_average(&parts, macro_mean.delta, options.stats.alpha),
        pair: first.pair,
        metric,
        dims,
        spec: &first.cell.spec,
        cell: first.cell,
        role: first.cell.role,
        asks,
        datasets: parts.len(),
        left_out: all.len() - parts.len(),
        macro_mean,
        careful,
        micro_mean,
        accepted: codes(|part| &part.accepted),
        confounded: codes(|part| &part.confounded),
        identical: parts.iter().all(|part| part.is_identical()),
        refused: incomplete.or(infinite),
    })
}

/// Whether a cell is of that metric on a dataset of its own.
fn is_part(cell: &CellPair<'_>, metric: &str, dims: &Dims) -> bool {
    cell.key.is_of(metric, dims) && cell.key.dataset.is_some() && cell.total.is_none()
}

/// Whether no finding has taken the verdict from the dataset, and every run has a figure or, of
/// arms of one run, the difference an interval.
fn is_usable(cell: &MeasuredCell<'_>) -> bool {
    let is_known = match &cell.seeds {
        Some(seeds) => seeds.is_complete(),
        None => cell.analysis.as_ref().is_some_and(|found| found.interval.is_some()),
    };
    is_known && !cell.is_blocked()
}

/// The means of the runs over the datasets, compared as one figure for each run. `None` below two
/// runs in an arm and when neither arm varies.
fn over_runs(parts: &[&MeasuredCell<'_>], options: stats::Options) -> Option<SuiteMean> {
    let first = parts.first()?;
    let [baseline, candidate] = PairArm::BOTH.map(|which| run_means(parts, which));
    if baseline.len().min(candidate.len()) < 2 {
        return None;
    }
    let bound = first.cell.spec.range();
    let design = seeds::figures_design(first.pair, &baseline, &candidate, bound);
    let evidence = ComparisonEvidence::new(design, &first.cell.spec);
    let analysis = evidence.analysis_at(options)?;
    Some(SuiteMean {
        method: analysis.interval_method,
        delta: analysis.delta,
        interval: analysis.interval?,
        margin_interval: evidence.interval(1.0 - 2.0 * options.alpha)?,
        p: analysis.test?.p,
        slack: parts.iter().map(|part| part.slack()).sum::<f64>() / parts.len() as f64,
    })
}

/// Each run's mean over the datasets, the lead first.
fn run_means(parts: &[&MeasuredCell<'_>], which: PairArm) -> Vec<f64> {
    let runs = parts.first().map_or(0, |part| part.pair.size(which));
    let figures = |run: usize| {
        let of = move |part: &&MeasuredCell<'_>| part.seeds.as_ref()?.arm(which).get(run)?.value;
        parts.iter().filter_map(of)
    };
    (0..runs).map(|run| figures(run).sum::<f64>() / parts.len() as f64).collect()
}

/// The weighted mean of the differences, from the evidence of each part.
fn mean<'c>(
    parts: &[&'c MeasuredCell<'_>],
    weights: &[f64],
    options: stats::Options,
    evidence_of: impl Fn(&'c MeasuredCell<'_>) -> Option<&'c ComparisonEvidence> + Sync,
) -> Option<SuiteMean> {
    let deltas: Vec<f64> = parts.iter().map(|part| part.delta).collect::<Option<_>>()?;
    let slack = parts.iter().zip(weights).map(|(part, w)| w * part.slack()).sum();
    let range = margins::range(&parts.first()?.cell.spec);
    let dependences = dependences(parts);
    // Satterthwaite's degrees of freedom are for independent datasets.
    let pooled = dependences.is_empty().then(|| pooled(parts, weights, &evidence_of)).flatten();
    if let Some(pooled) = pooled {
        let interval = |level| margins::clipped_to_range(pooled.interval(level), range);
        return Some(SuiteMean {
            method: POOLED,
            delta: pooled.delta,
            interval: interval(1.0 - options.alpha),
            margin_interval: interval(1.0 - 2.0 * options.alpha),
            p: pooled.p(),
            slack,
        });
    }
    let delta: f64 = deltas.iter().zip(weights).map(|(delta, weight)| delta * weight).sum();
    let at = |level: f64| -> Option<Interval> {
        let intervals: Vec<Interval> = parts
            .par_iter()
            .map(|part| evidence_of(part)?.interval(level))
            .collect::<Option<_>>()?;
        Some(margins::clipped_to_range(
            mover(&deltas, &intervals, weights, &dependences, level),
            range,
        ))
    };
    Some(SuiteMean {
        method: OF_DATASETS,
        delta,
        interval: at(1.0 - options.alpha)?,
        margin_interval: at(1.0 - 2.0 * options.alpha)?,
        p: p_value(&at),
        slack,
    })
}

/// The mean by the pooled variance of paired differences, in the unit of the difference.
fn pooled<'c>(
    parts: &[&'c MeasuredCell<'_>],
    weights: &[f64],
    evidence_of: impl Fn(&'c MeasuredCell<'_>) -> Option<&'c ComparisonEvidence>,
) -> Option<PooledMean> {
    let evidence = parts.iter().map(|part| evidence_of(part)).collect::<Option<Vec<_>>>()?;
    let scaled = evidence
        .iter()
        .zip(weights)
        .map(|(evidence, weight)| (&evidence.design, weight * evidence.scale));
    PooledMean::new(&scaled.collect::<Vec<_>>())
}

/// The evidence that says least of the difference: that of a field which hides clusters, or what
/// counts by itself.
fn most_careful<'c>(part: &'c MeasuredCell<'_>, level: f64) -> Option<&'c ComparisonEvidence> {
    let all = part.hidden.iter().map(|hidden| &hidden.evidence).chain(&part.evidence);
    let width = |evidence: &&ComparisonEvidence| {
        let interval = evidence.interval(level);
        interval.map_or(f64::INFINITY, |interval| interval.hi - interval.lo)
    };
    all.max_by(|a, b| width(a).total_cmp(&width(b)))
}

impl Average<'_> {
    /// Whether the mean differs as well with the clusters that fields hide, with the adjustment that
    /// its p-value had in the family.
    fn differs_with_hidden(&self, adjusted: Option<Adjusted>, options: &CompareOptions) -> bool {
        let Some(adjusted) = adjusted else { return true };
        self.careful.is_none_or(|SuiteMean { interval, p, .. }| {
            let p = p * (adjusted.p / self.macro_mean.p);
            interval.excludes(0.0) && p < options.stats.alpha
        })
    }
}

/// Judges an average by the rules of a single comparison. Missing scores widen its intervals by the
/// most that they could make up.
pub(super) fn judge<'a>(
    average: Average<'a>,
    adjusted: Option<Adjusted>,
    options: &CompareOptions,
) -> Suite<'a> {
    let SuiteMean { delta, interval, margin_interval, slack, p, .. } = average.macro_mean;
    let margin = average.margin(options);
    // Intervals are for one look, and none is needed where nothing differs.
    let unsupported = options.anytime && !average.identical;
    let reach = average.noise.as_ref().map(|noise| noise.reach);
    let refused = average.refused.or_else(|| unsupported.then_some(VerdictReason::NoAnytimeMethod));
    let careful = average.careful.map_or(margin_interval, |careful| careful.margin_interval);
    let widened = margin_interval.covering(careful.lo, careful.hi).widened(slack);
    let widest = reach.map_or(widened, |reach| widened.covering(delta - reach, delta + reach));
    let noninferiority = margin.filter(|_| refused.is_none()).and_then(|margin| {
        margins::compare_with_margin(margin_interval, Some(widest), margin, average.spec.direction)
    });
    let grounds = VerdictGrounds {
        refused,
        direction: average.spec.direction,
        role: average.role.map(|given| given.role),
        all_equal: average.identical,
        delta: Some(delta),
        p: Some(p),
        adjusted,
        interval: Some(interval),
        untested: VerdictReason::TooFew,
        margin: margin.map(|margin| (margin, margin_interval)),
        shown: noninferiority.map(|shown| shown.outcome),
        noise: average.noise.as_ref().map(|noise| (noise.p, noise.reach)),
    };
    let established = grounds.established(options);
    let survives = match (established, margin) {
        (Some(Established::Equivalence), Some(margin)) => {
            margin_interval.widened(slack).is_within(margin)
        }
        _ => interval.widened(slack).excludes(0.0),
    };
    let hidden_clusters = match established {
        Some(Established::Equivalence) => !margin.is_some_and(|margin| widened.is_within(margin)),
        _ => !average.differs_with_hidden(adjusted, options),
    };
    let challenges = Challenges { survives, hidden_clusters, too_skewed: None };
    let (verdict, reason) = grounds.verdict(established, challenges, options);
    Suite { average, adjusted, noninferiority, verdict, reason }
}
