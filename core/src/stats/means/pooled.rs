//! A weighted mean of differences over datasets that do not share samples, from the spread of their
//! paired differences.

use super::clustered::{Robust, clustered_mean};
use super::student::{has_spread, t_interval};
use crate::stats::distribution::{reportable_p, t_two_sided_p};
use crate::stats::{ClusterClassSums, Design, Interval, PairedCounts};

/// Effective number of differences other than 0 below which t is off: its coverage falls below 94 %
/// where few differences, all one way, carry the mean.
const FEWEST_EFFECTIVE: f64 = 10.0;

/// What sums of equal differences are off by at most.
const ROUNDING: f64 = 1e-9;

/// Skewness of the mean beyond which t is off (Cochran 1977, *Sampling Techniques*, §2.15).
const MOST_SKEWED: f64 = 0.2;

/// A weighted sum of mean differences, its standard error (the root of the weighted sum of squared
/// standard errors, weights squared) and the degrees of freedom of Satterthwaite (1946,
/// *Biometrics Bulletin* 2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PooledMean {
    pub delta: f64,
    pub stderr: f64,
    pub df: f64,
}

/// What one dataset adds to the mean: each unit (pair or cluster) adds its difference over n.
struct Part {
    mean: f64,
    variance: f64,
    df: f64,
    /// Sums of the squares and fourth powers of what the units add.
    squares: f64,
    fourths: f64,
    /// Sum of the cubes of how far what they add lies from its mean, for scores.
    cubes: f64,
}

impl PooledMean {
    /// From the designs of the datasets and their weights. `None` where a design is not of paired
    /// samples or shows no spread, and where the differences are too few or too skewed for t:
    /// below ten effective ones, (Σx²)²/Σx⁴ over what each adds to the mean (Kish 1965, *Survey
    /// Sampling*), or beyond Cochran's limit.
    pub fn new(parts: &[(&Design, f64)]) -> Option<Self> {
        let weighted: Vec<(Part, f64)> = parts
            .iter()
            .map(|&(design, weight)| Some((part(design)?, weight)))
            .collect::<Option<_>>()?;
        let sum = |figure: fn(&Part) -> f64, power: i32| -> f64 {
            weighted.iter().map(|(part, weight)| figure(part) * weight.powi(power)).sum()
        };
        let variance = sum(|part| part.variance, 2);
        let effective = sum(|part| part.squares, 2).powi(2) / sum(|part| part.fourths, 4);
        let skewness = sum(|part| part.cubes, 3).abs() / variance.powf(1.5);
        let holds = effective >= FEWEST_EFFECTIVE - ROUNDING && skewness <= MOST_SKEWED;
        (variance > 0.0 && holds).then(|| Self {
            delta: sum(|part| part.mean, 1),
            stderr: variance.sqrt(),
            df: variance.powi(2) / sum(|part| part.variance.powi(2) / part.df, 4),
        })
    }

    /// The same where datasets do not vary on their own: the standard error that many times as large, with
    /// no more degrees of freedom than these.
    #[must_use]
    pub fn widened(self, factor: f64, most_df: f64) -> Self {
        Self { stderr: factor * self.stderr, df: self.df.min(most_df), ..self }
    }

    pub fn interval(self, level: f64) -> Interval {
        t_interval(self.delta, self.stderr, self.df, level)
    }

    /// Two-sided p-value of no difference.
    pub fn p(self) -> f64 {
        reportable_p(t_two_sided_p(self.delta / self.stderr, self.df))
    }
}

/// `None` for designs of other than paired samples, and for differences without spread other than 0.
fn part(design: &Design) -> Option<Part> {
    match design {
        Design::PairedBinary(counts) => outcomes(*counts),
        Design::PairedReal(sample) => {
            let moments = sample.differences;
            let n = moments.n as f64;
            let variance =
                moments.variance().filter(|_| has_spread(moments, moments.mean.abs()))?;
            Some(Part {
                mean: moments.mean,
                variance: variance / n,
                df: n - 1.0,
                squares: (moments.m2 + n * moments.mean.powi(2)) / n.powi(2),
                fourths: sample.fourths() / n.powi(4),
                cubes: sample.cubed_deviations() / n.powi(3),
            })
        }
        // Of sums over clusters that are not alike no single one is known.
        Design::PairedClustered(sums) if sums.classes.iter().any(|class| class.spread > 0.0) => {
            None
        }
        Design::PairedClustered(sums) => {
            let estimate = clustered_mean(sums)?;
            let Robust { stderr, df, .. } = estimate.robust();
            let n = sums.groups().map(|group| group.clusters * group.size).sum::<u64>() as f64;
            let values = || {
                let alike = |group: ClusterClassSums| group.clusters as f64;
                sums.groups().map(move |one| (one.sum / n, one.size as f64 / n, alike(one)))
            };
            let apart = |sum: f64, share: f64| sum - share * estimate.mean;
            (stderr > 0.0).then(|| Part {
                mean: estimate.mean,
                variance: stderr.powi(2),
                df,
                squares: values().map(|(sum, _, alike)| alike * sum.powi(2)).sum(),
                fourths: values().map(|(sum, _, alike)| alike * sum.powi(4)).sum(),
                cubes: values().map(|(sum, share, alike)| alike * apart(sum, share).powi(3)).sum(),
            })
        }
        _ => None,
    }
}

fn outcomes(counts: PairedCounts) -> Option<Part> {
    let (n, discordant) = (counts.n() as f64, counts.discordant() as f64);
    let mean = counts.delta();
    let variance = (discordant - n * mean * mean).max(0.0) / (n - 1.0) / n;
    let spreads = variance > 0.0 || discordant == 0.0;
    (n >= 2.0 && spreads).then(|| Part {
        mean,
        variance,
        df: n - 1.0,
        squares: discordant / n.powi(2),
        fourths: discordant / n.powi(4),
        cubes: 0.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{ClusterSums, DifferenceSample};

    fn outcomes_of(both_right: u64, gained: u64, lost: u64) -> Design {
        Design::PairedBinary(PairedCounts { both_right, gained, lost, both_wrong: 0 })
    }

    fn scores(counts: [u64; 3]) -> Design {
        let mut sample = DifferenceSample::default();
        for (value, count) in [0.0, 1.0, -1.0].into_iter().zip(counts) {
            (0..count).for_each(|_| sample.add(0.0, value));
        }
        Design::PairedReal(sample)
    }

    #[test]
    fn the_mean_of_two_datasets_is_that_of_two_samples_without_equal_variances() {
        // scipy 1.17.1, stats.ttest_ind(a, b, equal_var=False) of the differences a and −b, whose
        // difference of means is twice the mean: t, df and p.
        let designs = [outcomes_of(20, 8, 2), outcomes_of(30, 6, 4)];
        let parts: Vec<(&Design, f64)> = designs.iter().map(|design| (design, 0.5)).collect();
        let found = PooledMean::new(&parts).unwrap();
        let welch = [1.948_545_852_330_143_8, 59.414_136_291_099_3, 0.056_077_127_592_640_136];
        assert!((found.delta / found.stderr - welch[0]).abs() < 1e-12, "{found:?}");
        assert!((found.df - welch[1]).abs() < 1e-9, "{found:?}");
        assert!((found.p() - welch[2]).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn outcomes_scores_and_clusters_of_one_say_the_same() {
        let tables = [[40, 12, 8], [25, 10, 5]];
        let binary = tables.map(|[both, gained, lost]| outcomes_of(both, gained, lost));
        let real = tables.map(scores);
        let clusters = tables.map(|counts| {
            let values = [0.0, 1.0, -1.0].into_iter().zip(counts);
            let sums = values.flat_map(|(value, count)| (0..count).map(move |_| (value, 1)));
            Design::PairedClustered(ClusterSums::new(sums.collect()))
        });
        let pooled = |designs: &[Design; 2]| {
            let parts: Vec<(&Design, f64)> = designs.iter().map(|design| (design, 0.5)).collect();
            PooledMean::new(&parts).unwrap()
        };
        let (binary, real, clusters) = (pooled(&binary), pooled(&real), pooled(&clusters));
        for other in [real, clusters] {
            assert!((binary.delta - other.delta).abs() < 1e-14, "{binary:?} {other:?}");
            assert!((binary.stderr / other.stderr - 1.0).abs() < 1e-12, "{binary:?} {other:?}");
            assert!((binary.df / other.df - 1.0).abs() < 1e-12, "{binary:?} {other:?}");
        }
    }

    #[test]
    fn too_few_too_skewed_and_unpaired_differences_are_left_to_the_intervals() {
        let mean = |designs: &[Design]| {
            let parts: Vec<(&Design, f64)> = designs.iter().map(|design| (design, 0.5)).collect();
            PooledMean::new(&parts)
        };
        assert!(mean(&[outcomes_of(40, 5, 0), outcomes_of(40, 5, 0)]).is_some());
        assert_eq!(mean(&[outcomes_of(40, 5, 0), outcomes_of(40, 4, 0)]), None);
        // All gained: no spread.
        assert_eq!(mean(&[outcomes_of(0, 20, 0), outcomes_of(40, 20, 5)]), None);
        // Twelve differences of 1 among four hundred have a skewness of 0.27.
        assert_eq!(mean(&[scores([200, 11, 0]), scores([200, 1, 0])]), None);
        let unpaired = Design::IndependentReal {
            baseline: [1.0, 2.0].into_iter().collect(),
            candidate: [1.0, 2.0].into_iter().collect(),
        };
        assert_eq!(mean(&[outcomes_of(40, 12, 8), unpaired]), None);
    }
}
