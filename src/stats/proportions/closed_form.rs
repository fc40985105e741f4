//! Intervals for the difference of two shares in closed form. The decision table uses score
//! intervals; these serve to check them, and to recompute what other programs print.

use super::independent::Arm;
use super::one::wilson_share;
use crate::stats::distribution::normal_two_sided;
use crate::stats::{Interval, PairedCounts};

/// Newcombe's hybrid score interval for candidate − baseline of independent shares (Newcombe 1998,
/// *Statistics in Medicine* 17:873, method 10): the distances of two Wilson intervals, squared and
/// added.
pub fn newcombe_hybrid(baseline: Arm, candidate: Arm, level: f64) -> Interval {
    let distances = |arm: Arm| Distances::of(arm.share(), arm.n as u64, level);
    let observed = candidate.share() - baseline.share();
    square_and_add(observed, distances(candidate), distances(baseline), 0.0, level)
}

/// Agresti and Caffo's interval (2000, *The American Statistician* 54) for candidate − baseline:
/// Wald's after adding one success and one failure to either arm. May leave [−1, 1].
pub fn agresti_caffo(baseline: Arm, candidate: Arm, level: f64) -> Interval {
    let share = |arm: Arm| (arm.x + 1.0) / (arm.n + 2.0);
    let variance = |arm: Arm| share(arm) * (1.0 - share(arm)) / (arm.n + 2.0);
    let observed = share(candidate) - share(baseline);
    around(observed, variance(candidate) + variance(baseline), level)
}

/// How the correlation of paired outcomes enters [`newcombe_paired`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Correlation {
    /// φ as observed: Newcombe's method 8.
    Observed,
    /// φ with its numerator, where positive, made smaller by n/2 but not negative: method 10.
    Corrected,
}

/// Newcombe's square-and-add interval for candidate − baseline of paired shares (Newcombe 1998,
/// *Statistics in Medicine* 17:2635). At least one pair.
pub fn newcombe_paired(counts: PairedCounts, correlation: Correlation, level: f64) -> Interval {
    let n = counts.n() as f64;
    let right = |only: u64| (counts.both_right + only) as f64 / n;
    let distances = |share: f64| Distances::of(share, counts.n(), level);
    let (candidate, baseline) = (distances(right(counts.gained)), distances(right(counts.lost)));
    square_and_add(counts.delta(), candidate, baseline, phi(counts, correlation), level)
}

/// Bonett and Price's interval (2012, *Journal of Educational and Behavioral Statistics* 37) for
/// candidate − baseline of paired shares: Wald's after adding one pair in either direction. May
/// leave [−1, 1].
pub fn bonett_price(counts: PairedCounts, level: f64) -> Interval {
    let padded = PairedCounts { gained: counts.gained + 1, lost: counts.lost + 1, ..counts };
    wald_paired(padded, level)
}

/// The textbook interval of paired shares, d ± z√((ψ − d²)/n) with the discordant share ψ. Too
/// narrow in small samples. At least one pair.
pub fn wald_paired(counts: PairedCounts, level: f64) -> Interval {
    let (n, delta) = (counts.n() as f64, counts.delta());
    let discordant = counts.discordant() as f64 / n;
    around(delta, (discordant - delta * delta).max(0.0) / n, level)
}

/// How far the limits of Wilson's interval lie from the share.
#[derive(Clone, Copy)]
struct Distances {
    below: f64,
    above: f64,
}

impl Distances {
    fn of(share: f64, n: u64, level: f64) -> Self {
        let interval = wilson_share(share, n, level);
        Self { below: share - interval.lo, above: interval.hi - share }
    }
}

/// The interval of a difference whose two parts have these distances and this correlation.
fn square_and_add(
    observed: f64,
    candidate: Distances,
    baseline: Distances,
    phi: f64,
    level: f64,
) -> Interval {
    let norm = |a: f64, b: f64| (a * a - 2.0 * phi * a * b + b * b).max(0.0).sqrt();
    Interval {
        lo: observed - norm(candidate.below, baseline.above),
        hi: observed + norm(candidate.above, baseline.below),
        level,
    }
}

/// Correlation of the two outcomes of a pair; 0 where one of them never varies.
fn phi(counts: PairedCounts, correlation: Correlation) -> f64 {
    let [both, gained, lost, neither] =
        [counts.both_right, counts.gained, counts.lost, counts.both_wrong]
            .map(|count| count as f64);
    let margins = (both + gained) * (lost + neither) * (both + lost) * (gained + neither);
    if margins == 0.0 {
        return 0.0;
    }
    let surplus = both * neither - gained * lost;
    let corrected = match correlation {
        Correlation::Corrected if surplus > 0.0 => (surplus - 0.5 * counts.n() as f64).max(0.0),
        _ => surplus,
    };
    corrected / margins.sqrt()
}

fn around(estimate: f64, variance: f64, level: f64) -> Interval {
    let half = normal_two_sided(level) * variance.sqrt();
    Interval { lo: estimate - half, hi: estimate + half, level }
}
