//! Noise between runs of one configuration: how far two of them lie apart by nothing but chance.
//!
//! With n runs of one configuration, standard deviation s, and two further runs of it, the
//! difference D of these two is normal with variance 2σ² and independent of s, so D/(s·√2) has
//! Student's t distribution with n − 1 degrees of freedom: the prediction interval of Hahn and
//! Meeker (1991, *Statistical Intervals*) for the difference of two further observations. It takes
//! the figures of runs for normal.

use super::Moments;
use super::distribution::{t_two_sided_p, t_upper_quantile};

/// Fewest runs that say anything about their spread.
const FEWEST_RUNS: u64 = 2;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunNoise {
    /// Number of runs, at least two.
    pub runs: u64,
    /// Standard deviation of their figures, in the unit of the figures.
    pub sd: f64,
}

impl RunNoise {
    /// The spread of these figures, one for each run; `None` below two.
    pub fn from_figures(figures: &[f64]) -> Option<Self> {
        let moments: Moments = figures.iter().copied().collect();
        let sd = moments.variance()?.sqrt();
        // Equal figures have no spread, whatever rounding makes of their mean.
        let equal = figures.windows(2).all(|two| two[0] == two[1]);
        (moments.n >= FEWEST_RUNS)
            .then_some(Self { runs: moments.n, sd: if equal { 0.0 } else { sd } })
    }

    /// Degrees of freedom of the standard deviation.
    pub fn df(self) -> f64 {
        (self.runs - 1) as f64
    }

    /// Standard deviation of the difference of two single runs.
    pub fn sd_of_difference(self) -> f64 {
        self.sd * std::f64::consts::SQRT_2
    }

    /// How far two further runs lie apart at most, with probability 1 − `alpha`:
    /// t(1 − α/2, n − 1)·s·√2.
    pub fn floor(self, alpha: f64) -> f64 {
        if self.sd == 0.0 {
            return 0.0;
        }
        t_upper_quantile(0.5 * alpha, self.df()) * self.sd_of_difference()
    }

    /// How often two further runs lie at least this far apart; below α exactly where the distance
    /// exceeds the floor at α. 1 without a distance, the smallest p where runs do not vary.
    pub fn p_value(self, difference: f64) -> f64 {
        if difference == 0.0 {
            return 1.0;
        }
        if self.sd == 0.0 {
            return f64::MIN_POSITIVE;
        }
        t_two_sided_p(difference.abs() / self.sd_of_difference(), self.df())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_at_the_floor_has_the_level_as_its_p() {
        for figures in [&[0.62, 0.64][..], &[0.62, 0.64, 0.61], &[3.0, 5.5, 4.0, 4.5, 9.0]] {
            let noise = RunNoise::from_figures(figures).expect("several runs");
            for alpha in [0.1, 0.05, 0.001] {
                let p = noise.p_value(-noise.floor(alpha));
                assert!((p - alpha).abs() < 1e-12, "{figures:?} at {alpha}: {p}");
            }
        }
    }

    #[test]
    fn one_run_has_no_noise_and_equal_runs_have_none() {
        assert_eq!(RunNoise::from_figures(&[0.6]), None);
        let equal = RunNoise::from_figures(&[0.1 + 0.2; 3]).expect("three runs");
        assert_eq!((equal.sd, equal.floor(0.05), equal.p_value(0.0)), (0.0, 0.0, 1.0));
        assert!(equal.p_value(1e-9) < 1e-300);
    }
}
