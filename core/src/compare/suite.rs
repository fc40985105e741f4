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

use super::family::{Adjusted, ComparisonFamily, Unadjusted};
use super::hidden::hidden_in_part;
use super::suite_groups::SuiteField;
use super::suite_mean::{HiddenInSuite, SuiteMean, SuiteSamples, over_runs};
use super::verdict::{Challenges, Established, VerdictGrounds};
use super::{
    CompareOptions, MeasuredCell, Noise, NonInferiority, Verdict, VerdictReason, by_metric, margins,
};
use crate::diag::Code;
use crate::model::{Dims, GivenRole, MetricRole, MetricSpec};
use crate::pairing::{ArmPair, CellPair};

/// Fewest datasets that are averaged.
const FEWEST_DATASETS: usize = 2;

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
    /// Their names.
    pub(super) dataset_names: Vec<String>,
    /// Datasets with the metric in at least one arm that are not: a side is missing, nothing can
    /// be said about the difference, or a finding takes the verdict.
    pub left_out: usize,
    /// Every dataset counts the same.
    pub macro_mean: SuiteMean,
    /// How many times as large its standard error is as that of independent datasets, where samples
    /// with one id go together.
    pub(super) together: Option<f64>,
    /// Fields by whose values the differences of all datasets together are alike.
    pub hidden: Vec<HiddenInSuite>,
    /// The same mean with the clusters that fields hide, in some dataset or in all together.
    careful: Vec<SuiteMean>,
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

/// Every metric on several datasets, by pair and metric. `hypotheses` says what the test of each cell
/// asks. Only macro means are tested.
pub(super) fn averages<'a>(
    measured: &[Vec<MeasuredCell<'a>>],
    hypotheses: &[usize],
    options: &CompareOptions,
) -> Vec<Average<'a>> {
    let mut asks = hypotheses.iter().copied();
    let mut averages = Vec::new();
    let tests = measured.iter().map(|of_pair| tests_of_fields(of_pair)).sum();
    for of_pair in measured {
        let metrics = by_metric(of_pair.iter().zip(asks.by_ref()), |(part, _)| &part.cell.key);
        let average = |(metric, parts): (_, Vec<_>)| average(&parts, metric, tests, options);
        let mut found: Vec<_> = metrics.into_iter().filter_map(average).collect();
        found.sort_by_key(|one| MetricRole::rank(one.role.map(|given| given.role)));
        averages.extend(found);
    }
    averages
}

/// Holds each dataset of an average against the fields that all of them show together.
pub(super) fn share_hidden(measured: &mut [Vec<MeasuredCell<'_>>], averages: &[Average<'_>]) {
    for (average, found) in
        averages.iter().flat_map(|one| one.hidden.iter().map(move |it| (one, it)))
    {
        let cells = measured.iter_mut().flatten();
        for part in cells.filter(|part| std::ptr::eq(part.pair, average.pair)) {
            let is_part = part.cell.key.is_of(average.metric, average.dims)
                && is_of_dataset(part.cell)
                && is_usable(part);
            let is_known =
                part.hidden.iter().any(|hidden| found.field.is(&hidden.key, &hidden.origin));
            let field = found.field.in_part(part).filter(|field| !field.are_few());
            let hidden = field.filter(|_| is_part && !is_known);
            let hidden = hidden.and_then(|field| hidden_in_part(part, field, found.correlation));
            part.hidden.extend(hidden);
        }
    }
}

/// How many tests hold fields against the differences of all datasets together.
fn tests_of_fields(of_pair: &[MeasuredCell<'_>]) -> usize {
    let of_metric = |mut parts: Vec<_>| -> usize {
        parts.retain(|part: &&MeasuredCell<'_>| is_of_dataset(part.cell) && is_usable(part));
        let fields =
            if parts.len() < FEWEST_DATASETS { Vec::new() } else { SuiteField::all(&parts) };
        fields.iter().map(SuiteField::tests).sum()
    };
    by_metric(of_pair.iter(), |part| &part.cell.key).into_values().map(of_metric).sum()
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
    of_metric: &[(&'_ MeasuredCell<'a>, usize)],
    (metric, dims): (&'a str, &'a Dims),
    tests: usize,
    options: &CompareOptions,
) -> Option<Average<'a>> {
    let all: Vec<(&MeasuredCell<'a>, usize)> =
        of_metric.iter().copied().filter(|(part, _)| is_of_dataset(part.cell)).collect();
    let (parts, asks): (Vec<&MeasuredCell<'a>>, Vec<usize>) =
        all.iter().copied().filter(|(part, _)| is_usable(part)).unzip();
    let first = *parts.first()?;
    let same_unit = parts.iter().all(|part| part.cell.spec.unit == first.cell.spec.unit);
    if parts.len() < FEWEST_DATASETS || !same_unit {
        return None;
    }
    let equal = vec![1.0 / parts.len() as f64; parts.len()];
    let samples = SuiteSamples::new(&parts);
    let own = || parts.iter().map(|part| part.evidence.as_ref()).collect::<Option<Vec<_>>>();
    let macro_mean = if first.pair.is_repeated() {
        over_runs(&parts, &equal, options.stats)
    } else {
        own().and_then(|own| samples.mean(&equal, options.stats, &own))
    };
    let (hidden, careful) = samples.with_hidden(&equal, tests, options);
    let sizes: Option<Vec<f64>> =
        parts.iter().map(|part| part.paired().map(|n| n as f64)).collect();
    let micro_mean = sizes.zip(own()).and_then(|(sizes, own)| {
        let total: f64 = sizes.iter().sum();
        let weights: Vec<f64> = sizes.iter().map(|size| size / total).collect();
        samples.mean(&weights, options.stats, &own)
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
        dataset_names: parts.iter().filter_map(|part| part.cell.key.dataset.clone()).collect(),
        left_out: all.len() - parts.len(),
        macro_mean,
        together: samples.together(&equal),
        hidden,
        careful,
        micro_mean,
        accepted: codes(|part| &part.accepted),
        confounded: codes(|part| &part.confounded),
        identical: parts.iter().all(|part| part.is_identical()),
        refused: incomplete.or(infinite),
    })
}

/// Whether a cell is of a dataset of its own.
fn is_of_dataset(cell: &CellPair<'_>) -> bool {
    cell.key.dataset.is_some() && cell.total.is_none()
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

impl Average<'_> {
    /// Whether the mean differs as well with the clusters that fields hide, with the adjustment that
    /// its p-value had in the family.
    fn differs_with_hidden(&self, adjusted: Option<Adjusted>, options: &CompareOptions) -> bool {
        let Some(adjusted) = adjusted else { return true };
        self.careful.iter().all(|SuiteMean { interval, p, .. }| {
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
    let careful = average.careful.iter().map(|careful| careful.margin_interval);
    let widened = careful.fold(margin_interval, |all, one| all.covering(one.lo, one.hi));
    let widened = widened.widened(slack);
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
