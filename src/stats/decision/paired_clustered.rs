//! Paired scores in clusters: the cluster is the unit.

use super::{Method, agreement};
use crate::stats::distribution::reportable_p;
use crate::stats::means::clustered::{ClusteredMean, Robust, cluster_t, clustered_mean};
use crate::stats::planning::{Estimation, detectable_mean, needed_for_mean};
use crate::stats::resampling::sign_flip::{SignFlip, sign_flip_test};
use crate::stats::{Analysis, ClusterSums, Design, Interval, Note, Options, Test};

/// Below this many clusters no p-value is given: five in one direction cannot reach 0.05.
pub(super) const FEWEST_CLUSTERS: usize = 6;

/// From this many clusters on the t approximation holds its level.
const MANY_CLUSTERS: usize = 40;

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
        let Robust { method, stderr, df } = estimate.robust();
        let one = Estimation::OneSample;
        let variance = stderr * stderr * estimate.clusters as f64;
        Analysis {
            interval_method: method,
            delta: estimate.mean,
            interval,
            test,
            mde: detectable_mean(stderr, df + 1.0, one, options).filter(|_| reachable),
            needed: needed_for_mean(variance, estimate.mean, one, options),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_unequal_clusters_are_judged_by_cr2_at_any_number() {
        for small in [8_u32, 60] {
            let mut clusters: Vec<(f64, u64)> =
                (0..small).map(|i| (f64::from(i % 3) - 0.5, 3)).collect();
            let analysis_of = |clusters: &[(f64, u64)]| {
                let design = Design::PairedClustered(ClusterSums { clusters: clusters.to_vec() });
                PairedClustered.analyse(&design, Options::default())
            };
            assert_eq!(analysis_of(&clusters).interval_method, "cr1-t");
            clusters.push((30.0, 200));
            let analysis = analysis_of(&clusters);
            assert_eq!(analysis.interval_method, "cr2-t");
            let test = analysis.test.map(|test| test.method);
            assert_eq!(test, Some(if small < 40 { "cluster-sign-flip" } else { "cluster-t" }));
        }
    }
}
