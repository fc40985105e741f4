//! Arms of several runs over several datasets: robust aggregates of all scores of an arm, and how
//! probably a run of the candidate beats one of the baseline (Agarwal et al. 2021, *Deep
//! reinforcement learning at the edge of the statistical precipice*).
//!
//! Describes; verdicts on averages over datasets are those of the suites. A run is one training
//! that was evaluated on every dataset, so resamples draw whole runs: a lucky seed is lucky on
//! every dataset, and runs drawn dataset by dataset would make the intervals too narrow.

use super::{Comparison, by_metric};
use crate::model::{Dims, MetricSpec};
use crate::pairing::{ArmPair, PairArm};
use crate::stats::Interval;
use crate::stats::resampling::bootstrap::{RESAMPLES, percentile, resampled};
use crate::stats::resampling::tasks::{
    improvement_interval, interquartile_mean, mean_of_tasks, median_of_tasks, optimality_gap,
    probability_of_improvement,
};

/// Fewest datasets that are aggregated.
const FEWEST_DATASETS: usize = 2;

/// Fewest runs of an arm that are aggregated.
const FEWEST_RUNS: usize = 3;

/// Fewest runs of an arm whose resamples say something about further runs.
const FEWEST_RESAMPLED: usize = 5;

/// One metric of one pair of arms, all runs over all datasets.
#[derive(Debug)]
pub struct RunsOverDatasets<'a> {
    pub pair: &'a ArmPair<'a>,
    pub metric: &'a str,
    pub dims: &'a Dims,
    /// Meaning of the metric on the first dataset.
    pub spec: &'a MetricSpec,
    /// Datasets on which every run has a figure.
    pub datasets: Vec<&'a str>,
    pub arms: [Aggregates; 2],
    /// Mean over the datasets of the probability that a run of the candidate has the better figure
    /// than one of the baseline, ties half; the higher one where no side is good.
    pub improvement: f64,
    /// Its interval over resampled runs; `None` with fewer than five runs in an arm.
    pub improvement_interval: Option<Interval>,
}

/// The scores of one arm, in the metric's unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aggregates {
    pub runs: usize,
    /// Interquartile mean of all scores together.
    pub iqm: f64,
    /// Its interval over resampled runs; `None` with fewer than five.
    pub iqm_interval: Option<Interval>,
    /// Mean over the datasets of the mean over runs.
    pub mean: f64,
    /// Median over the datasets of the mean over runs.
    pub median: f64,
    /// How far scores stay below the best possible one on average; `None` where there is none.
    pub optimality_gap: Option<f64>,
}

/// Every metric of arms of at least three runs, by pair and metric.
pub fn runs_over_datasets<'a>(
    comparisons: &'a [Vec<Comparison<'a>>],
    alpha: f64,
) -> Vec<RunsOverDatasets<'a>> {
    comparisons
        .iter()
        .flat_map(|of_pair| {
            let metrics = by_metric(of_pair.iter(), |part| &part.cell.key);
            metrics.into_iter().filter_map(|(metric, parts)| one_metric(parts, metric, 1.0 - alpha))
        })
        .collect()
}

fn one_metric<'a>(
    of_metric: Vec<&'a Comparison<'a>>,
    (metric, dims): (&'a str, &'a Dims),
    level: f64,
) -> Option<RunsOverDatasets<'a>> {
    let parts: Vec<(&str, &Comparison<'_>)> = of_metric
        .into_iter()
        .filter(|part| part.counts())
        .filter_map(|part| Some((part.cell.key.dataset.as_deref()?, part)))
        .filter(|(_, part)| PairArm::BOTH.iter().all(|&which| scores(part, which).is_some()))
        .collect();
    let (_, first) = *parts.first()?;
    let runs = PairArm::BOTH.map(|which| first.pair.size(which));
    let same_unit = parts.iter().all(|(_, part)| part.cell.spec.unit == first.cell.spec.unit);
    if parts.len() < FEWEST_DATASETS || runs.iter().any(|&runs| runs < FEWEST_RUNS) || !same_unit {
        return None;
    }
    let spec = &first.cell.spec;
    let [baseline, candidate] = PairArm::BOTH
        .map(|which| parts.iter().filter_map(|(_, part)| scores(part, which)).collect::<Vec<_>>());
    let (better, worse) = match spec.direction.sign() {
        Some(-1.0) => (&baseline, &candidate),
        _ => (&candidate, &baseline),
    };
    Some(RunsOverDatasets {
        pair: first.pair,
        metric,
        dims,
        spec,
        datasets: parts.iter().map(|(dataset, _)| *dataset).collect(),
        improvement: probability_of_improvement(better, worse)?,
        improvement_interval: improvement_interval(better, worse, RESAMPLES, level)
            .filter(|_| runs.iter().all(|&runs| runs >= FEWEST_RESAMPLED)),
        arms: [&baseline, &candidate].map(|tasks| aggregates(tasks, spec, level)),
    })
}

/// The figure of every run of an arm, when all have one.
fn scores(comparison: &Comparison<'_>, which: PairArm) -> Option<Vec<f64>> {
    comparison.seeds.as_ref()?.arm(which).iter().map(|part| part.value).collect()
}

fn aggregates(tasks: &[Vec<f64>], spec: &MetricSpec, level: f64) -> Aggregates {
    let runs = tasks.first().map_or(0, Vec::len);
    let of_runs = |drawn: &[usize]| -> f64 {
        let tasks = tasks.iter().map(|task| drawn.iter().map(|&run| task[run]).collect());
        interquartile_mean(&tasks.collect::<Vec<Vec<f64>>>())
    };
    let iqm_interval =
        (runs >= FEWEST_RESAMPLED).then(|| percentile(&resampled(runs, RESAMPLES, of_runs), level));
    Aggregates {
        runs,
        iqm: interquartile_mean(tasks),
        iqm_interval,
        mean: mean_of_tasks(tasks),
        median: median_of_tasks(tasks),
        optimality_gap: gap(tasks, spec),
    }
}

/// Where a higher figure is better the best possible one is the upper bound, else the lower one.
fn gap(tasks: &[Vec<f64>], spec: &MetricSpec) -> Option<f64> {
    let (lowest, highest) = spec.bounds?;
    if spec.direction.sign()? > 0.0 {
        return highest.is_finite().then(|| optimality_gap(tasks, highest));
    }
    let mirrored: Vec<Vec<f64>> =
        tasks.iter().map(|task| task.iter().map(|score| -score).collect()).collect();
    lowest.is_finite().then(|| optimality_gap(&mirrored, -lowest))
}
