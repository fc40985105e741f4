//! Planning: the smallest difference a design can find, and the size a difference needs.
//!
//! Prospective statements at a stated power, from normal quantiles. Never the "observed power" of
//! the result at hand, which only repeats its p-value.

pub mod answers;

use super::Options;
use super::distribution::normal_upper_quantile;
use super::distribution::root::bisect;

/// How a mean difference is estimated, which decides what estimating the spread costs: in units
/// of z², added to the normal-theory size (Guenther 1981, *The American Statistician* 35).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Estimation {
    /// One sample of differences.
    OneSample,
    /// Two arms, sizes counted per arm.
    TwoSamples,
}

impl Estimation {
    fn spread_cost(self, z_alpha: f64) -> f64 {
        let share = match self {
            Self::OneSample => 0.5,
            Self::TwoSamples => 0.25,
        };
        share * z_alpha * z_alpha
    }
}

/// Normal quantiles of the level (two-sided) and of the power.
fn quantiles(options: Options) -> (f64, f64) {
    (normal_upper_quantile(0.5 * options.alpha), normal_upper_quantile(1.0 - options.power))
}

/// A size rounded up to whole units; `None` when it is not a number or beyond counting.
fn whole(units: f64) -> Option<u64> {
    (units.is_finite() && units < 1e18).then(|| units.ceil().max(1.0) as u64)
}

/// Smallest mean difference found with the stated power when its standard error over `n` units is
/// `stderr`. `None` without spread or with too few units to estimate it.
pub fn detectable_mean(
    stderr: f64,
    n: f64,
    estimation: Estimation,
    options: Options,
) -> Option<f64> {
    let (z_alpha, z_beta) = quantiles(options);
    let informative = n - estimation.spread_cost(z_alpha);
    (stderr > 0.0 && informative > 0.0)
        .then(|| (z_alpha + z_beta) * stderr * (n / informative).sqrt())
}

/// Units (per arm for [`Estimation::TwoSamples`]) that find a mean difference `delta` when one
/// unit contributes `variance`. Not rounded.
pub fn units_for_mean(variance: f64, delta: f64, estimation: Estimation, options: Options) -> f64 {
    let (z_alpha, z_beta) = quantiles(options);
    (z_alpha + z_beta).powi(2) * variance / (delta * delta) + estimation.spread_cost(z_alpha)
}

/// [`units_for_mean`] in whole units; `None` when the difference or the variance is 0.
pub fn needed_for_mean(
    variance: f64,
    delta: f64,
    estimation: Estimation,
    options: Options,
) -> Option<u64> {
    (variance > 0.0 && delta != 0.0)
        .then(|| units_for_mean(variance, delta, estimation, options))
        .and_then(whole)
}

/// Fewest units whose sign-flip test can give a p below `alpha`, in (0, 1): all of them in one
/// direction give 2^(1 − m). 6 for 0.05.
pub fn fewest_flipped(alpha: f64) -> u64 {
    (1.0 - alpha.log2()).floor() as u64 + 1
}

/// Pairs that find a difference `delta` of paired shares when a share `discordant` ≥ |delta| of
/// the pairs disagrees: ((a√ψ + b√(ψ − δ²))/δ)² with the
/// normal quantiles a of the level and b of the power, Connor (1987), *Biometrics* 43. Not
/// rounded.
pub fn connor_pairs(discordant: f64, delta: f64, options: Options) -> f64 {
    let (z_alpha, z_beta) = quantiles(options);
    let alternative = (discordant - delta * delta).max(0.0).sqrt();
    ((z_alpha * discordant.sqrt() + z_beta * alternative) / delta).powi(2)
}

/// [`connor_pairs`] in whole pairs; `None` when the difference is 0.
pub fn needed_pairs(discordant: f64, delta: f64, options: Options) -> Option<u64> {
    (delta != 0.0).then(|| connor_pairs(discordant, delta, options)).and_then(whole)
}

/// Smallest difference of paired shares that `n` pairs find when a share `discordant` of them
/// disagrees: Connor's formula solved for the difference. A difference cannot exceed the
/// discordance, so where the solution would, both grow together. `None` when not even complete
/// disagreement in one direction would be found.
pub fn detectable_paired_share(n: f64, discordant: f64, options: Options) -> Option<f64> {
    let enough = |delta: f64| connor_pairs(discordant.max(delta), delta, options) <= n;
    enough(1.0).then(|| bisect(1.0, 0.0, enough))
}

/// Share of discordant pairs that `n` pairs without any cannot rule out: the exact one-sided
/// upper limit 1 − α^(1/n).
pub fn discordance_bound(n: f64, options: Options) -> f64 {
    -(options.alpha.ln() / n).exp_m1()
}

/// Units per arm that find the difference of two independent shares, pooled variance under no
/// difference and separate variances under the alternative (Fleiss, Levin and Paik 2003, ch. 4,
/// without continuity correction). Not rounded.
pub fn two_share_units(baseline: f64, candidate: f64, options: Options) -> f64 {
    two_share_margin(baseline, candidate, 1.0, 1.0, options).powi(2)
        / (candidate - baseline).powi(2)
}

/// [`two_share_units`] in whole units; `None` when the shares are equal.
pub fn needed_per_arm(baseline: f64, candidate: f64, options: Options) -> Option<u64> {
    (candidate != baseline).then(|| two_share_units(baseline, candidate, options)).and_then(whole)
}

/// Smallest difference of two independent shares that arms of these sizes find, away from the
/// baseline's share towards the farther end of the scale, where the variance is not smaller than
/// on the other side near that share. `None` when no difference in that direction would be found.
pub fn detectable_share(
    baseline: f64,
    n_baseline: f64,
    n_candidate: f64,
    options: Options,
) -> Option<f64> {
    let sign = if baseline <= 0.5 { 1.0 } else { -1.0 };
    let farthest = if baseline <= 0.5 { 1.0 - baseline } else { baseline };
    let found = |delta: f64| {
        let candidate = baseline + sign * delta;
        delta >= two_share_margin(baseline, candidate, n_baseline, n_candidate, options)
    };
    found(farthest).then(|| bisect(farthest, 0.0, found))
}

/// Quantile of the level times the standard error under no difference, plus quantile of the power
/// times the standard error under the alternative.
fn two_share_margin(
    baseline: f64,
    candidate: f64,
    n_baseline: f64,
    n_candidate: f64,
    options: Options,
) -> f64 {
    let (z_alpha, z_beta) = quantiles(options);
    let spread = |share: f64| (share * (1.0 - share)).max(0.0);
    let pooled = (n_baseline * baseline + n_candidate * candidate) / (n_baseline + n_candidate);
    let null = spread(pooled) * (1.0 / n_baseline + 1.0 / n_candidate);
    let alternative = spread(baseline) / n_baseline + spread(candidate) / n_candidate;
    z_alpha * null.sqrt() + z_beta * alternative.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * b.abs()
    }

    #[test]
    fn the_detectable_mean_needs_just_the_size_at_hand() {
        let options = Options::default();
        for estimation in [Estimation::OneSample, Estimation::TwoSamples] {
            for n in [5.0_f64, 50.0, 1e6] {
                // One unit of variance 2 per pair, or 1 per arm.
                let delta =
                    detectable_mean((2.0 / n).sqrt(), n, estimation, options).unwrap_or(f64::NAN);
                assert!(close(units_for_mean(2.0, delta, estimation, options), n), "{n}");
            }
        }
    }

    /// Sizes at the root of the exact power at α = 0.05, differences of mean 0.05, 0.2, 0.5 and 1
    /// standard deviations: scipy 1.17.1, `optimize.brentq` over `stats.nct.sf`.
    #[test]
    fn the_size_by_normal_theory_is_within_one_pair_of_the_exact_one() {
        for (power, exact) in [
            (0.5, [1538.331, 97.958, 17.350, 5.932]),
            (0.8, [3141.465, 198.151, 33.367, 9.938]),
            (0.95, [5199.805, 326.795, 53.941, 15.063]),
        ] {
            let options = Options { alpha: 0.05, power };
            for (effect, exact) in [0.05, 0.2, 0.5, 1.0].into_iter().zip(exact) {
                let size = units_for_mean(1.0, effect, Estimation::OneSample, options);
                assert!((exact - size).abs() < 1.0, "{power} {effect}: {exact} {size}");
            }
        }
    }

    #[test]
    fn the_fewest_units_are_the_first_with_a_p_below_the_level() {
        // 2^(1 − m): 0.0625 at 5, 0.03125 at 6, 0.015625 at 7; a p of just the level is not below.
        for (alpha, fewest) in [(0.05, 6), (0.0625, 6), (0.06, 6), (0.03, 7), (0.9, 2)] {
            assert_eq!(fewest_flipped(alpha), fewest, "{alpha}");
        }
    }

    #[test]
    fn the_detectable_paired_share_needs_just_the_pairs_at_hand() {
        let options = Options::default();
        for (n, discordant) in [(200.0, 0.2), (1e6, 0.05), (20.0, 0.01)] {
            let delta = detectable_paired_share(n, discordant, options).unwrap_or(f64::NAN);
            assert!(close(connor_pairs(discordant.max(delta), delta, options), n), "{n}");
        }
        assert_eq!(detectable_paired_share(3.0, 0.5, options), None);
    }

    #[test]
    fn the_detectable_share_needs_just_the_arms_at_hand() {
        let options = Options::default();
        for (share, n) in [(0.57, 1500.0), (0.0, 100.0), (1.0, 100.0)] {
            let delta = detectable_share(share, n, n, options).unwrap_or(f64::NAN);
            let candidate = if share <= 0.5 { share + delta } else { share - delta };
            assert!(close(two_share_units(share, candidate, options), n), "{share}");
        }
        assert_eq!(detectable_share(0.5, 3.0, 3.0, options), None);
    }
}
