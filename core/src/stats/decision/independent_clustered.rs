//! Scores of different samples in clusters: the cluster is the unit of either arm.

use super::agreement;
use super::paired_clustered::FEWEST_CLUSTERS;
use crate::stats::means::clustered::TwoClusteredMeans;
use crate::stats::planning::{Estimation, detectable_mean, needed_for_mean};
use crate::stats::{Analysis, ClusterSums, Note, Options};

/// Tag of the interval.
const INTERVAL: &str = "cr2-unpaired-t";

/// `None` without clusters in either arm.
pub(super) fn analyse(
    baseline: &ClusterSums,
    candidate: &ClusterSums,
    options: Options,
) -> Option<Analysis> {
    let smaller = baseline.clusters.len().min(candidate.clusters.len());
    if smaller == 0 {
        return None;
    }
    let Some(means) = TwoClusteredMeans::new(baseline, candidate) else {
        return Some(Analysis::unassessed(INTERVAL, mean(candidate) - mean(baseline)));
    };
    let interval = Some(means.interval(1.0 - options.alpha));
    let test = (smaller >= FEWEST_CLUSTERS).then(|| means.test());
    let mut notes = agreement::notes(interval, test, options.alpha);
    if test.is_none() {
        notes.push(Note::FewClusters);
    }
    // Its degrees of freedom are those of one arm alone.
    let design = Estimation::OneSample;
    Some(Analysis {
        interval_method: INTERVAL,
        delta: means.delta,
        interval,
        test,
        mde: detectable_mean(means.stderr, means.df + 1.0, design, options)
            .filter(|_| test.is_some()),
        needed: needed_for_mean(means.variances, means.delta, design, options)
            .map(|needed| needed.max(FEWEST_CLUSTERS as u64)),
        notes,
    })
}

/// Mean over the samples of all clusters.
fn mean(sums: &ClusterSums) -> f64 {
    let (sum, n) =
        sums.clusters.iter().fold((0.0, 0), |(sum, n), cluster| (sum + cluster.0, n + cluster.1));
    sum / n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analysed(arms: [&[(f64, u64)]; 2]) -> Analysis {
        let [baseline, candidate] = arms.map(|clusters| ClusterSums::new(clusters.to_vec()));
        analyse(&baseline, &candidate, Options::default()).unwrap()
    }

    #[test]
    fn below_six_clusters_in_an_arm_there_is_an_interval_and_no_p_value() {
        let six = [(1.0, 2), (2.0, 3), (0.0, 2), (3.0, 4), (1.0, 1), (2.0, 2)];
        let of_five = analysed([&six, &six[..5]]);
        assert!(of_five.interval.is_some() && of_five.mde.is_none(), "{of_five:?}");
        assert_eq!((of_five.test, of_five.notes), (None, vec![Note::FewClusters]));
        assert!(analysed([&six, &six]).test.is_some_and(|test| test.p == 1.0));
    }

    #[test]
    fn one_cluster_in_an_arm_says_nothing_but_the_difference() {
        let alone = analysed([&[(3.0, 4)], &[(1.0, 2), (2.0, 2)]]);
        assert_eq!((alone.delta, alone.interval, alone.test), (0.0, None, None));
    }
}
