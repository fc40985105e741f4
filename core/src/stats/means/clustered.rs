//! Means of values in clusters: the cluster is the unit.

use super::student::{t_interval, t_test, unanimous_interval};
use crate::stats::{ClusterClassSums, ClusterSums, Interval, Test};

/// Residuals relative to the cluster sums that are rounding, not variation.
const ROUNDING: f64 = 1e-12;

/// CR2 is used where its degrees of freedom fall below this share of G − 1: the sizes are then so
/// unequal that CR1 is too small and G − 1 too many. In simulations of scores −1, 0, 1 with an
/// intracluster correlation of 0.3, CR1 at 95 % covered 94 % or more where the share was above
/// 0.8, 93 % at 0.74, and down to 75 % below; CR2 covered 93 % or more everywhere.
const UNEQUAL: f64 = 0.75;

/// Mean over the samples of all clusters and its cluster-robust standard errors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusteredMean {
    /// Mean over samples, not over clusters.
    pub mean: f64,
    /// Root of the sum over clusters of squared residual sums, over n, times √(G/(G − 1)); 0 for one
    /// cluster or when all residual sums vanish.
    pub cr1: f64,
    /// Each residual sum over √(1 − share of the samples in its cluster): unbiased for samples
    /// that are independent, whatever the sizes. 0 where `cr1` is.
    pub cr2: f64,
    /// Satterthwaite degrees of freedom of `cr2`: G − 1 for equal sizes, fewer for unequal ones; 0
    /// for one cluster.
    pub cr2_df: f64,
    pub clusters: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Robust {
    /// Tag of the interval, `cr1-t` or `cr2-t`.
    pub method: &'static str,
    /// Standard error; 0 when nothing varies between clusters.
    pub stderr: f64,
    pub df: f64,
}

impl ClusteredMean {
    /// CR1 with G − 1 degrees of freedom; CR2 with its own where the sizes are very unequal.
    pub fn robust(self) -> Robust {
        let df = self.clusters as f64 - 1.0;
        if self.cr2_df < UNEQUAL * df {
            return Robust { method: "cr2-t", stderr: self.cr2, df: self.cr2_df };
        }
        Robust { method: "cr1-t", stderr: self.cr1, df }
    }

    /// t interval around the standard error that suits the sizes; `None` where clusters do not
    /// spread.
    pub fn interval(self, level: f64) -> Option<Interval> {
        let Robust { stderr, df, .. } = self.robust();
        (stderr > 0.0).then(|| t_interval(self.mean, stderr, df, level))
    }
}

/// Cluster-robust mean: CR1, the standard error of Liang and Zeger (1986, *Biometrika* 73) with the
/// G/(G − 1) correction, and CR2 with Satterthwaite degrees of freedom of Bell and `McCaffrey` (2002, *Survey
/// Methodology* 28). `None` without samples.
pub fn clustered_mean(sums: &ClusterSums) -> Option<ClusteredMean> {
    let groups = || sums.groups();
    let clusters = sums.count() as f64;
    let n = groups().map(|group| group.clusters * group.size).sum::<u64>() as f64;
    if n == 0.0 {
        return None;
    }
    let mean = groups().map(|group| group.clusters as f64 * group.sum).sum::<f64>() / n;
    let residual = |group: ClusterClassSums| {
        let of_mean = (group.sum - group.size as f64 * mean).powi(2);
        group.clusters as f64 * of_mean + group.spread
    };
    let squares: f64 = groups().map(residual).sum();
    let largest = groups().map(|group| group.sum.abs()).fold(0.0, f64::max);
    let varies = squares.sqrt() > ROUNDING * largest;
    let (cr1, cr2) = if varies && clusters > 1.0 {
        let weighted = groups().map(|group| residual(group) / (1.0 - group.size as f64 / n));
        let small = (clusters / (clusters - 1.0)).sqrt();
        (squares.sqrt() / n * small, weighted.sum::<f64>().sqrt() / n)
    } else {
        (0.0, 0.0)
    };
    let cr2_df = satterthwaite(sums, n);
    Some(ClusteredMean { mean, cr1, cr2, cr2_df, clusters: sums.count() })
}

/// t interval around the standard error that suits the sizes; for clusters that all agree
/// [`unanimous_interval`], where the differences have a bound.
///
/// Clusters that differ in size count as many as n²/Σn² equal ones (Kish 1965, *Survey Sampling*):
/// of few large ones little is known about how many others would disagree. `None` below two
/// clusters.
pub(in crate::stats) fn clustered_interval(sums: &ClusterSums, level: f64) -> Option<Interval> {
    let estimate = clustered_mean(sums).filter(|estimate| estimate.clusters >= 2)?;
    if let Some(interval) = estimate.interval(level) {
        return Some(interval);
    }
    let sizes = || sums.groups().map(|group| (group.clusters as f64, group.size as f64));
    let all: f64 = sizes().map(|(clusters, size)| clusters * size).sum();
    let effective =
        all.powi(2) / sizes().map(|(clusters, size)| clusters * (size * size)).sum::<f64>();
    Some(unanimous_interval(estimate.mean, effective, sums.bound?, level))
}

/// Degrees of freedom of CR2 if samples were independent: (tr P)²/tr P² of the quadratic form P
/// in the weighted cluster sums; 0 for one cluster.
fn satterthwaite(sums: &ClusterSums, n: f64) -> f64 {
    if sums.count() < 2 {
        return 0.0;
    }
    let (mut trace, mut squares, mut crossed, mut shared) = (0.0, 0.0, 0.0, 0.0);
    for group in sums.groups() {
        let (clusters, size) = (group.clusters as f64, group.size as f64);
        let share = size / n;
        let weight = size / (1.0 - share);
        trace += clusters * size;
        squares += clusters * (weight * weight);
        crossed += clusters * (weight * weight * share);
        shared += clusters * (weight * share);
    }
    trace * trace / (squares - 2.0 * crossed + shared * shared)
}

/// Difference of the means of two arms whose samples are in clusters of their own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoClusteredMeans {
    /// Candidate mean − baseline mean, both over samples.
    pub delta: f64,
    /// Root of the sum of the arms' squared CR2 standard errors; above 0.
    pub stderr: f64,
    /// The smaller of the arms' CR2 degrees of freedom.
    pub df: f64,
    /// Sum over the arms of what one cluster contributes, variance times number of clusters.
    pub variances: f64,
}

impl TwoClusteredMeans {
    /// CR2 of the arms added up, which is CR2 of the regression on the arm (Bell and `McCaffrey`
    /// 2002). The degrees of freedom are those of one arm: Welch's are too many where few clusters
    /// meet many, whose average score and spread depend on each other (see the methodology for the
    /// simulations). For the same reason an arm whose clusters all agree is taken to spread like
    /// the other one. `None` below two clusters in an arm and when neither arm varies.
    pub fn new(baseline: &ClusterSums, candidate: &ClusterSums) -> Option<Self> {
        let (before, after) = (clustered_mean(baseline)?, clustered_mean(candidate)?);
        let df = before.cr2_df.min(after.cr2_df);
        if before.clusters.min(after.clusters) < 2 || df <= 0.0 {
            return None;
        }
        let of_cluster = |arm: ClusteredMean| arm.cr2.powi(2) * arm.clusters as f64;
        let [spread_before, spread_after] = [of_cluster(before), of_cluster(after)];
        let first = if spread_before > 0.0 { spread_before } else { spread_after };
        let second = if spread_after > 0.0 { spread_after } else { spread_before };
        let squared = first / before.clusters as f64 + second / after.clusters as f64;
        (squared > 0.0).then(|| Self {
            delta: after.mean - before.mean,
            stderr: squared.sqrt(),
            df,
            variances: first + second,
        })
    }

    pub(in crate::stats) fn interval(self, level: f64) -> Interval {
        t_interval(self.delta, self.stderr, self.df, level)
    }

    pub(in crate::stats) fn test(self) -> Test {
        t_test("cluster-unpaired-t", self.delta / self.stderr, self.df)
    }
}

/// mean/SE against Student's t with the standard error that suits the sizes, for at least two
/// clusters with spread between them.
pub fn cluster_t(estimate: ClusteredMean) -> Test {
    let Robust { stderr, df, .. } = estimate.robust();
    t_test("cluster-t", estimate.mean / stderr, df)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(clusters: &[(f64, u64)]) -> ClusterSums {
        ClusterSums::new(clusters.to_vec())
    }

    #[test]
    fn equal_sizes_make_both_corrections_one() {
        let estimate = clustered_mean(&sums(&[(1.0, 4), (3.0, 4), (0.0, 4), (-2.0, 4)])).unwrap();
        assert!((estimate.cr1 - estimate.cr2).abs() < 1e-15, "{estimate:?}");
        assert!((estimate.cr2_df - 3.0).abs() < 1e-12, "{estimate:?}");
        assert_eq!(estimate.robust().method, "cr1-t");
    }

    #[test]
    fn a_cluster_that_outweighs_the_rest_calls_for_the_second_correction() {
        let mut clusters = vec![(1.0, 2), (-1.0, 2), (2.0, 2), (0.0, 2), (1.0, 2), (-1.0, 2)];
        assert_eq!(clustered_mean(&sums(&clusters)).unwrap().robust().method, "cr1-t");
        clusters.push((9.0, 30));
        let robust = clustered_mean(&sums(&clusters)).unwrap().robust();
        assert_eq!(robust.method, "cr2-t");
        assert!(robust.df < 3.0, "{robust:?}");
    }

    #[test]
    fn two_arms_of_clusters_are_a_regression_on_the_arm() {
        // numpy 2.4.6, CR2 and its degrees of freedom in matrix form: OLS of single outcomes on the arm for
        // the standard error, on a constant in either arm for the degrees of freedom.
        let before = sums(&[(3.0, 5), (1.0, 3), (4.0, 9), (2.0, 4)]);
        let after = sums(&[(5.0, 6), (2.0, 2), (6.0, 11), (1.0, 3), (4.0, 7)]);
        let found = TwoClusteredMeans::new(&before, &after).unwrap();
        assert!((found.delta - 0.144_499_178_981_937).abs() < 1e-12, "{found:?}");
        assert!((found.stderr - 0.087_380_625_894_042).abs() < 1e-12, "{found:?}");
        assert!((found.df - 2.491_603_053_435).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn an_arm_without_spread_is_taken_to_spread_like_the_other() {
        let varied = sums(&[(1.0, 4), (3.0, 4), (0.0, 4), (2.0, 4)]);
        let (all_right, twice) = (sums(&[(4.0, 4); 4]), sums(&[(4.0, 4); 8]));
        let stderr = |candidate: &ClusterSums| {
            TwoClusteredMeans::new(&varied, candidate).map(|found| found.stderr.powi(2))
        };
        let alone = clustered_mean(&varied).unwrap().cr2.powi(2);
        assert!((stderr(&all_right).unwrap() - 2.0 * alone).abs() < 1e-15);
        assert!((stderr(&twice).unwrap() - 1.5 * alone).abs() < 1e-15);
        assert_eq!(TwoClusteredMeans::new(&all_right, &twice), None);
    }

    #[test]
    fn clusters_that_are_counted_say_what_single_ones_say() {
        let single = sums(&[(1.0, 4), (1.0, 4), (3.0, 4), (0.0, 2), (-2.0, 2), (5.0, 9)]);
        let class = |clusters, size, sum, spread| ClusterClassSums { clusters, size, sum, spread };
        // The sums of four pairs are 1, 1 and 3, of two pairs 0 and −2.
        let (of_four, of_two) = (5.0_f64 / 3.0, -1.0);
        let spread = 2.0 * (1.0 - of_four).powi(2) + (3.0 - of_four).powi(2);
        let classes =
            vec![class(3, 4, of_four, spread), class(2, 2, of_two, 2.0), class(1, 9, 5.0, 0.0)];
        let counted = ClusterSums { classes, ..ClusterSums::default() };
        let [one, other] = [single, counted].map(|sums| clustered_mean(&sums).unwrap());
        assert_eq!(one.clusters, other.clusters);
        for (a, b) in [
            (one.mean, other.mean),
            (one.cr1, other.cr1),
            (one.cr2, other.cr2),
            (one.cr2_df, other.cr2_df),
        ] {
            assert!((a - b).abs() < 1e-12, "{one:?} {other:?}");
        }
    }
}
