//! Intervals of single arms: what one figure leaves open by itself.
//!
//! From samples only, because a stated figure says too little about its spread. Knows nothing of
//! differences between arms.

use std::collections::BTreeMap;

use super::{MeasuredCell, counted};
use crate::model::MetricSpec;
use crate::pairing::{CountedSide, PairArm, SampledSide, side_clusters};
use crate::stats::means::clustered::clustered_mean;
use crate::stats::{self, ClusterSums, Counts, Interval, Moments, mean_interval};

/// The interval of one arm's figure, in the metric's unit: cluster-robust where samples belong
/// together, Wilson's for other outcomes right or wrong, else Student's t. Cut off at the bounds of
/// the metric.
pub(super) fn arm_interval(
    comparison: &MeasuredCell<'_>,
    which: PairArm,
    level: f64,
) -> Option<[f64; 2]> {
    let spec = &comparison.cell.spec;
    if let Some(seeds) = &comparison.seeds {
        return over_seeds(seeds.moments(which), spec, level);
    }
    if let Some(counted) = &comparison.cell.side(which).counted {
        return of_counts(comparison, counted, level);
    }
    let samples =
        comparison.cell.side(which).samples.as_ref().filter(|samples| samples.scored > 0)?;
    if samples.infinite > 0 {
        return None;
    }
    if let Some(sums) = cluster_sums(comparison, samples) {
        let mean = clustered_mean(&sums)?;
        return match samples.right_count() {
            Some(right) if right == 0 || right == samples.scored => {
                // Outcomes that are all the same have no spread: whole clusters count instead.
                let right = if right == 0 { 0 } else { mean.clusters };
                rate_interval(right, mean.clusters, spec, level)
            }
            _ => Some(within_bounds(mean.interval(level)?, spec)),
        };
    }
    if let Some(right) = samples.right_count() {
        return rate_interval(right, samples.scored, spec, level);
    }
    let mut moments = Moments::default();
    for score in samples.scores() {
        moments.add(score);
    }
    Some(within_bounds(mean_interval(moments, level)?, spec))
}

/// The interval of samples that an engine counted; `None` where they are in clusters, which are counted
/// for differences alone.
fn of_counts(
    comparison: &MeasuredCell<'_>,
    side: &CountedSide<'_>,
    level: f64,
) -> Option<[f64; 2]> {
    let spec = &comparison.cell.spec;
    if side.infinite > 0 || comparison.clusters().is_some() {
        return None;
    }
    if let Some(right) = side.right_count() {
        return rate_interval(right, side.scored, spec, level);
    }
    Some(within_bounds(mean_interval(counted::moments(side), level)?, spec))
}

/// The interval of a mean over trainings.
fn over_seeds(moments: Moments, spec: &MetricSpec, level: f64) -> Option<[f64; 2]> {
    mean_interval(moments, level).map(|interval| within_bounds(interval, spec))
}

fn rate_interval(right: u64, n: u64, spec: &MetricSpec, level: f64) -> Option<[f64; 2]> {
    let interval = stats::wilson(Counts::new(right, n)?, level);
    let whole = spec.unit.whole().unwrap_or(1.0);
    Some([interval.lo * whole, interval.hi * whole])
}

/// Sums of scores by cluster; `None` if samples are independent.
fn cluster_sums(comparison: &MeasuredCell<'_>, samples: &SampledSide<'_>) -> Option<ClusterSums> {
    let clusters_of = side_clusters(samples, &comparison.pair.clustering)?;
    let mut clusters: BTreeMap<(u64, usize), (f64, u64)> = BTreeMap::new();
    for row in samples.rows() {
        if let Some(score) = samples.score(row) {
            let (sum, count) = clusters.entry(clusters_of.cluster_of(row)).or_default();
            *sum += score;
            *count += 1;
        }
    }
    Some(ClusterSums::new(clusters.into_values().collect()))
}

/// A limit beyond what a score can be says nothing.
fn within_bounds(interval: Interval, spec: &MetricSpec) -> [f64; 2] {
    let (lo, hi) = spec.bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    [interval.lo.max(lo), interval.hi.min(hi)]
}
