//! Means of values in clusters: the cluster is the unit.

use super::one::t_interval;
use crate::stats::distribution::t_two_sided_p;
use crate::stats::resampling::sign_flip::SignFlip;
use crate::stats::{ClusterSums, Interval, Test};

/// Residuals relative to the cluster sums that are rounding, not variation.
const ROUNDING: f64 = 1e-12;

/// Mean over the samples of all clusters and its cluster-robust standard errors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusteredMean {
    /// Mean over samples, not over clusters.
    pub mean: f64,
    /// Root of the sum over clusters of squared residual sums, over n: too small with few clusters.
    pub cr0: f64,
    /// `cr0`·√(G/(G − 1)); 0 for one cluster or when all residual sums vanish.
    pub cr1: f64,
    /// Number of clusters G.
    pub clusters: u64,
}

impl ClusteredMean {
    /// t interval with G − 1 degrees of freedom around the CR1 standard error. Clusters that all
    /// agree leave the one value itself when sign flips of so many could reject at this level.
    pub(in crate::stats) fn interval(self, level: f64) -> Option<Interval> {
        if self.cr1 > 0.0 {
            return Some(t_interval(self.mean, self.cr1, (self.clusters - 1) as f64, level));
        }
        let rejects = SignFlip::of_one_sign(self.clusters).attainable <= 1.0 - level;
        rejects.then_some(Interval { lo: self.mean, hi: self.mean, level })
    }
}

/// Cluster-robust mean (Liang and Zeger 1986, *Biometrika* 73, with the G/(G − 1) correction);
/// `None` without samples.
pub fn clustered_mean(sums: &ClusterSums) -> Option<ClusteredMean> {
    let clusters = sums.clusters.len() as f64;
    let n = sums.clusters.iter().map(|(_, count)| count).sum::<u64>() as f64;
    if n == 0.0 {
        return None;
    }
    let mean = sums.clusters.iter().map(|(sum, _)| sum).sum::<f64>() / n;
    let squares: f64 =
        sums.clusters.iter().map(|(sum, count)| (sum - *count as f64 * mean).powi(2)).sum();
    let largest = sums.clusters.iter().map(|(sum, _)| sum.abs()).fold(0.0, f64::max);
    let cr0 = if squares.sqrt() > ROUNDING * largest { squares.sqrt() / n } else { 0.0 };
    let cr1 = if clusters > 1.0 { cr0 * (clusters / (clusters - 1.0)).sqrt() } else { 0.0 };
    Some(ClusteredMean { mean, cr0, cr1, clusters: sums.clusters.len() as u64 })
}

/// mean/CR1 against Student's t with G − 1 degrees of freedom, for at least two clusters with
/// spread between them.
pub fn cluster_t(estimate: ClusteredMean) -> Test {
    let t = estimate.mean / estimate.cr1;
    Test {
        method: "cluster-t",
        p: t_two_sided_p(t, (estimate.clusters - 1) as f64),
        statistic: Some(t),
        attainable: None,
    }
}
