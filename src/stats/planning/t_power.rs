//! Power and sizes of t tests, exactly, by the noncentral t distribution.

use super::{Estimation, units_for_mean};
use crate::stats::Options;
use crate::stats::distribution::noncentral_t::noncentral_t_sf;
use crate::stats::distribution::root::bisect;
use crate::stats::distribution::t_upper_quantile;

/// Sizes above which the normal theory of [`units_for_mean`] is as exact as the root.
const LARGE: f64 = 1e6;

/// Power of the two-sided paired t test: `n` ≥ 2 pairs, not necessarily whole, differences of mean
/// `delta` and standard deviation `sd` > 0. A rejection in the wrong direction counts, as in
/// Cohen (1988), *Statistical Power Analysis*.
pub fn paired_t_power(n: f64, delta: f64, sd: f64, alpha: f64) -> f64 {
    two_sided_power(n - 1.0, delta / sd * n.sqrt(), alpha)
}

/// Power of the two-sided t test of two samples of `n` ≥ 2 values each, with a common standard
/// deviation `sd` > 0.
pub fn two_sample_t_power(n: f64, delta: f64, sd: f64, alpha: f64) -> f64 {
    two_sided_power(2.0 * n - 2.0, delta / sd * (0.5 * n).sqrt(), alpha)
}

fn two_sided_power(df: f64, noncentrality: f64, alpha: f64) -> f64 {
    let critical = t_upper_quantile(0.5 * alpha, df);
    let shift = noncentrality.abs();
    noncentral_t_sf(critical, df, shift) + noncentral_t_sf(critical, df, -shift)
}

/// Pairs for which the two-sided paired t test finds a mean difference `delta` with the stated
/// power; at least 2, not rounded. `None` when the difference or the deviation is not above 0 in
/// size, or the size is beyond counting.
pub fn paired_t_pairs(delta: f64, sd: f64, options: Options) -> Option<f64> {
    let effect = (delta / sd).abs();
    if !(effect > 0.0 && effect.is_finite()) {
        return None;
    }
    let approximate = units_for_mean(1.0, effect, Estimation::OneSample, options);
    if approximate > LARGE {
        return Some(approximate).filter(|pairs| pairs.is_finite());
    }
    let enough = |n: f64| paired_t_power(n, effect, 1.0, options.alpha) >= options.power;
    if enough(2.0) {
        return Some(2.0);
    }
    let mut most = approximate.max(4.0);
    while !enough(most) && most < 2.0 * LARGE {
        most *= 2.0;
    }
    Some(bisect(most, 2.0, enough))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_theory_of_the_report_is_within_one_pair_of_the_exact_size() {
        for power in [0.5, 0.8, 0.95] {
            for effect in [0.05, 0.2, 0.5, 1.0] {
                let options = Options { alpha: 0.05, power };
                let exact = paired_t_pairs(effect, 1.0, options).unwrap();
                let quick = units_for_mean(1.0, effect, Estimation::OneSample, options);
                assert!((exact - quick).abs() < 1.0, "{power} {effect}: {exact} {quick}");
            }
        }
    }

    #[test]
    fn no_difference_is_never_found_and_a_huge_one_by_two_pairs() {
        let options = Options::default();
        assert_eq!(paired_t_pairs(0.0, 1.0, options), None);
        assert_eq!(paired_t_pairs(1.0, 0.0, options), None);
        assert_eq!(paired_t_pairs(1e9, 1.0, options), Some(2.0));
        assert!(paired_t_pairs(1e-9, 1.0, options).unwrap() > 1e18);
    }
}
