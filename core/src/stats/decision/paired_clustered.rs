//! Paired scores in clusters: the cluster is the unit.

use super::agreement;
use crate::stats::distribution::reportable_p;
use crate::stats::means::clustered::{
    ClusteredMean, Robust, cluster_t, clustered_interval, clustered_mean,
};
use crate::stats::planning::{Estimation, detectable_mean, fewest_flipped, needed_for_mean};
use crate::stats::resampling::sign_flip::{SignFlip, sign_flip_test};
use crate::stats::{Analysis, ClusterSums, Note, Options, Test};

/// Below this many clusters no p-value is given: five in one direction cannot reach 0.05.
pub(super) const FEWEST_CLUSTERS: usize = 6;

/// `None` without pairs.
pub(super) fn analyse(sums: &ClusterSums, options: Options) -> Option<Analysis> {
    let estimate = clustered_mean(sums)?;
    let interval = clustered_interval(sums, 1.0 - options.alpha);
    let test = test_of(sums, estimate);
    let mut notes = agreement::notes(interval, test, options.alpha);
    if sums.count() < FEWEST_CLUSTERS as u64 {
        notes.push(Note::FewClusters);
    }
    let reachable = test.is_some() && !notes.contains(&Note::Unattainable);
    let Robust { method, stderr, df } = estimate.robust();
    let fewest = fewest_flipped(options.alpha).max(FEWEST_CLUSTERS as u64);
    let design = Estimation::OneSample;
    let variance = stderr * stderr * estimate.clusters as f64;
    Some(Analysis {
        interval_method: if stderr > 0.0 { method } else { "unanimous" },
        delta: estimate.mean,
        interval,
        test,
        mde: detectable_mean(stderr, df + 1.0, design, options).filter(|_| reachable),
        needed: needed_for_mean(variance, estimate.mean, design, options)
            .map(|needed| needed.max(fewest)),
        notes,
    })
}

/// No test below six clusters; exact sign flips of whole clusters wherever these can be counted,
/// which is always so for up to 40 clusters with a difference and for scores on a grid; else t.
/// Many clusters of which few differ say no more than those few.
fn test_of(sums: &ClusterSums, estimate: ClusteredMean) -> Option<Test> {
    if sums.count() < FEWEST_CLUSTERS as u64 {
        return None;
    }
    if !sums.classes.is_empty() {
        // The sums of single clusters are not known.
        return Some(cluster_t(estimate));
    }
    let totals: Vec<f64> = sums.clusters.iter().map(|(sum, _)| *sum).collect();
    let Some(SignFlip { p, attainable }) = sign_flip_test(&totals) else {
        return Some(cluster_t(estimate));
    };
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
            // Roots have no common step, so sixty of them cannot be counted.
            let sum = |i: u32| f64::from(i + 2).sqrt() * [1.0, -0.5, 0.1][i as usize % 3];
            let mut clusters: Vec<(f64, u64)> = (0..small).map(|i| (sum(i), 3)).collect();
            let analysis_of = |clusters: &[(f64, u64)]| {
                analyse(&ClusterSums::new(clusters.to_vec()), Options::default()).unwrap()
            };
            assert_eq!(analysis_of(&clusters).interval_method, "cr1-t");
            clusters.push((30.0, 200));
            let analysis = analysis_of(&clusters);
            assert_eq!(analysis.interval_method, "cr2-t");
            let test = analysis.test.map(|test| test.method);
            assert_eq!(test, Some(if small < 40 { "cluster-sign-flip" } else { "cluster-t" }));
        }
    }

    fn analysed(clusters: Vec<(f64, u64)>, bound: Option<f64>) -> Analysis {
        analyse(&ClusterSums { bound, ..ClusterSums::new(clusters) }, Options::default()).unwrap()
    }

    #[test]
    fn four_of_many_clusters_that_differ_cannot_reach_the_level() {
        // 200 pairs of which two share a cluster, 4 gained: McNemar's exact test gives 2/2^4.
        let mut clusters = vec![(1.0, 2), (1.0, 1), (1.0, 1), (1.0, 1)];
        clusters.resize(199, (0.0, 1));
        let analysis = analysed(clusters, Some(1.0));
        let test = analysis.test.unwrap();
        assert_eq!((test.p, test.attainable), (0.125, Some(0.125)));
        assert!(analysis.notes.contains(&Note::Unattainable));
        assert_eq!(analysis.mde, None);
        assert_eq!(analysis.needed.map(|needed| needed >= 6), Some(true));
    }

    #[test]
    fn clusters_that_all_agree_leave_open_what_a_bounded_score_allows() {
        // z² of 90 % is 2.705543 by the tables; ten equal clusters, and ten of which one is large.
        let (z2, level) = (2.705_543_454_095_404, 0.9);
        let equal = ClusterSums { bound: Some(1.0), ..ClusterSums::new(vec![(0.0, 20); 10]) };
        let mut clusters = vec![(0.0, 10); 9];
        clusters.push((0.0, 110));
        let unequal = ClusterSums { bound: Some(1.0), ..ClusterSums::new(clusters) };
        for (sums, units) in [(equal, 10.0), (unequal, 40_000.0 / 13_000.0)] {
            let interval = clustered_interval(&sums, level).unwrap();
            let half = z2 / (units + z2);
            assert!((interval.hi - half).abs() < 1e-12 && interval.lo == -interval.hi);
        }
        // Six gained and six lost that cancel within their clusters.
        let cancelling = analysed(vec![(0.0, 2); 6], Some(1.0));
        assert!(cancelling.interval.is_some_and(|interval| interval.hi > 0.39));
        assert_eq!(cancelling.interval_method, "unanimous");
        assert_eq!(analysed(vec![(0.0, 2); 6], None).interval, None);
    }
}
