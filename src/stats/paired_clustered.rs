//! Paired scores in clusters: the cluster is the unit.

use super::distribution::{reportable_p, t_two_sided_p};
use super::mean::t_interval;
use super::power::{Estimation, detectable_mean, needed_for_mean};
use super::sign_flip::{SignFlip, sign_flip_test};
use super::{Analysis, ClusterSums, Design, Interval, Method, Note, Options, Test, agreement};

/// Below this many clusters no p-value is given: five in one direction cannot reach 0.05.
const FEWEST_CLUSTERS: usize = 6;

/// From this many clusters on the t approximation holds its level.
const MANY_CLUSTERS: usize = 40;

/// Residuals relative to the cluster sums that are rounding, not variation.
const ROUNDING: f64 = 1e-12;

/// The row of the decision table.
pub(super) struct PairedClustered;

impl Method for PairedClustered {
    fn id(&self) -> &'static str {
        "paired-clustered"
    }

    fn applies(&self, design: &Design) -> bool {
        matches!(design, Design::PairedClustered(sums) if clustered_mean(sums).is_some())
    }

    fn analyse(&self, design: &Design, options: Options) -> Analysis {
        let Design::PairedClustered(sums) = design else {
            return Analysis::unassessed("cr1-t", f64::NAN);
        };
        let Some(estimate) = clustered_mean(sums) else {
            return Analysis::unassessed("cr1-t", f64::NAN);
        };
        let interval = estimate.interval(1.0 - options.alpha);
        let test = test_of(sums, estimate);
        let mut notes = agreement::notes(interval, test, options.alpha);
        if sums.clusters.len() < FEWEST_CLUSTERS {
            notes.push(Note::FewClusters);
        }
        let reachable = test.is_some() && !notes.contains(&Note::Unattainable);
        let clusters = estimate.clusters as f64;
        let one = Estimation::OneSample;
        Analysis {
            interval_method: "cr1-t",
            delta: estimate.mean,
            interval,
            test,
            mde: detectable_mean(estimate.cr1, clusters, one, options).filter(|_| reachable),
            needed: needed_for_mean(estimate.cr1.powi(2) * clusters, estimate.mean, one, options),
            notes,
        }
    }

    fn interval(&self, design: &Design, level: f64) -> Option<Interval> {
        match design {
            Design::PairedClustered(sums) => clustered_mean(sums)?.interval(level),
            _ => None,
        }
    }
}

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
    fn interval(self, level: f64) -> Option<Interval> {
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

/// No test below six clusters, exact sign flips of whole clusters below forty, t from there on.
fn test_of(sums: &ClusterSums, estimate: ClusteredMean) -> Option<Test> {
    if sums.clusters.len() < FEWEST_CLUSTERS {
        return None;
    }
    if sums.clusters.len() >= MANY_CLUSTERS && estimate.cr1 > 0.0 {
        return Some(cluster_t(estimate));
    }
    let totals: Vec<f64> = sums.clusters.iter().map(|(sum, _)| *sum).collect();
    let SignFlip { p, attainable } = sign_flip_test(&totals)?;
    Some(Test {
        method: "cluster-sign-flip",
        p: reportable_p(p),
        statistic: None,
        attainable: Some(reportable_p(attainable)),
    })
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
