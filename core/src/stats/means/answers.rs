//! Means of several answers to each problem: how much of their variance is sampling.

use crate::stats::Moments;

/// How the variance of problems' mean scores divides (Miller 2024).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VarianceSplit {
    /// Variance of the means of answers, over problems.
    pub total: f64,
    /// Part of it that comes from sampling answers: E\[σ²\]/K.
    pub sampling: f64,
}

/// Above this share of sampling in the variance more answers to each problem help, below it only
/// more problems do: E\[σ²\]/K > Var(x)/3 is the same as sampling > total/4.
pub const WORTH_MORE_ANSWERS: f64 = 0.25;

impl VarianceSplit {
    /// From the means of problems, the mean variance of answers within problems, and the mean of
    /// one over the number of answers. `None` below two problems and where nothing varies.
    pub fn new(means: &Moments, within: f64, inverse_answers: f64) -> Option<Self> {
        let total = means.m2 / means.n.checked_sub(1).filter(|&df| df > 0)? as f64;
        (total > 0.0).then_some(Self { total, sampling: within * inverse_answers })
    }

    /// Share of sampling in the variance; an estimate beyond all of it is all of it.
    pub fn sampling_share(self) -> f64 {
        (self.sampling / self.total).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: means 0, 1/2, 1 have variance 1/4; answers 0, 1 have variance 1/2, over three
    /// problems 1/6 each, halved by K = 2.
    #[test]
    fn the_variance_of_means_divides_into_problems_and_sampling() {
        let mut means = Moments::default();
        for mean in [0.0, 0.5, 1.0] {
            means.add(mean);
        }
        let split = VarianceSplit::new(&means, 1.0 / 6.0, 0.5).expect("they vary");
        assert!((split.total - 0.25).abs() < 1e-15, "{split:?}");
        assert!((split.sampling_share() - 1.0 / 3.0).abs() < 1e-15, "{split:?}");
        assert_eq!(VarianceSplit::new(&Moments::default(), 0.0, 0.5), None);
    }
}
