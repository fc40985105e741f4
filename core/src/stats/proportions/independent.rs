//! Two independent shares: the score interval with its test, and Newcombe's interval.

use crate::stats::distribution::root::{boundary, rising_to_falling};
use crate::stats::distribution::{normal_two_sided, normal_two_sided_p};
use crate::stats::{Counts, Interval, Test, wilson};

/// Successes of trials, where a sum of scores between 0 and 1 may stand for the successes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arm {
    /// Successes, between 0 and `n`.
    pub x: f64,
    /// Trials, at least 1.
    pub n: f64,
}

impl Arm {
    pub fn share(self) -> f64 {
        self.x / self.n
    }
}

impl From<Counts> for Arm {
    fn from(counts: Counts) -> Self {
        Self { x: counts.x as f64, n: counts.n as f64 }
    }
}

/// Score interval for candidate share − baseline share (Miettinen and Nurminen 1985, *Statistics
/// in Medicine* 4): all differences whose score statistic stays within ±z.
pub fn miettinen_nurminen(baseline: Arm, candidate: Arm, level: f64) -> Interval {
    let z = normal_two_sided(level);
    let accepted = |delta: f64| score_z(baseline, candidate, delta).abs() <= z;
    let observed = candidate.share() - baseline.share();
    Interval {
        lo: boundary(observed, -1.0, accepted),
        hi: boundary(observed, 1.0, accepted),
        level,
    }
}

/// Newcombe's hybrid score interval for candidate − baseline (Newcombe 1998, *Statistics in
/// Medicine* 17:873, method 10): the distances of the limits of two Wilson intervals from their
/// shares, squared and added.
pub fn newcombe_hybrid(baseline: Counts, candidate: Counts, level: f64) -> Interval {
    let below_and_above = |arm: Counts| {
        let Interval { lo, hi, .. } = wilson(arm, level);
        (arm.share() - lo, hi - arm.share())
    };
    let (baseline_below, baseline_above) = below_and_above(baseline);
    let (candidate_below, candidate_above) = below_and_above(candidate);
    let norm = |a: f64, b: f64| (a * a + b * b).sqrt();
    let observed = candidate.share() - baseline.share();
    Interval {
        lo: observed - norm(candidate_below, baseline_above),
        hi: observed + norm(candidate_above, baseline_below),
        level,
    }
}

/// The test of that interval at difference 0, its variance times N/(N − 1); p is 1 when both
/// shares are 0 or both are 1. The smallest p of the design is that of complete separation.
pub fn score_test(baseline: Arm, candidate: Arm) -> Test {
    let z = score_z(baseline, candidate, 0.0);
    let separated = (baseline.n + candidate.n - 1.0).sqrt();
    Test {
        method: "score",
        p: normal_two_sided_p(z),
        statistic: Some(z),
        attainable: Some(normal_two_sided_p(separated)),
    }
}

/// Difference of both shares, candidate − baseline, in standard errors of the share of both together:
/// the root of Pearson's χ² without a correction. Not a number where neither share varies.
pub fn pooled_z(baseline: Arm, candidate: Arm) -> f64 {
    let share = (baseline.x + candidate.x) / (baseline.n + candidate.n);
    let variance = share * (1.0 - share) * (1.0 / baseline.n + 1.0 / candidate.n);
    (candidate.share() - baseline.share()) / variance.sqrt()
}

/// χ² of one degree of freedom beyond which shares differ by more than chance at 5 %.
const BEYOND_CHANCE: f64 = 3.841;

/// Whether two shares differ by more than chance at 5 %, by [`pooled_z`].
pub fn differ_beyond_chance(baseline: Arm, candidate: Arm) -> bool {
    pooled_z(baseline, candidate).powi(2) > BEYOND_CHANCE
}

/// Score statistic for the hypothesis that candidate − baseline is `delta`, in [−1, 1]; positive
/// when the observed difference is larger. Infinite where the hypothesis leaves no variance but
/// the data contradict it.
pub fn score_z(baseline: Arm, candidate: Arm, delta: f64) -> f64 {
    let surplus = candidate.share() - baseline.share() - delta;
    if surplus == 0.0 {
        return 0.0;
    }
    let share = constrained_share(baseline, candidate, delta);
    let spread = |share: f64| (share * (1.0 - share)).max(0.0);
    let variance = spread(share) / baseline.n + spread(share + delta) / candidate.n;
    let total = baseline.n + candidate.n;
    surplus / (variance * total / (total - 1.0)).sqrt()
}

/// Maximum-likelihood baseline share when the candidate's is held `delta` above it.
///
/// The log-likelihood is concave, so the root of its derivative is found by Newton's steps, halving where
/// one leaves the bracket: unlike the closed form of the cubic equation this keeps its digits when shares
/// come close to 0 or 1 in large samples.
pub fn constrained_share(baseline: Arm, candidate: Arm, delta: f64) -> f64 {
    if delta == 0.0 {
        return (baseline.x + candidate.x) / (baseline.n + candidate.n);
    }
    let part = |events: f64, share: f64| if events > 0.0 { events / share } else { 0.0 };
    let slope_and_curvature = |share: f64| {
        let terms = [
            (baseline.x, share, 1.0),
            (baseline.n - baseline.x, 1.0 - share, -1.0),
            (candidate.x, share + delta, 1.0),
            (candidate.n - candidate.x, 1.0 - share - delta, -1.0),
        ];
        terms.iter().fold((0.0, 0.0), |(slope, curvature), &(events, share, sign)| {
            let term = part(events, share);
            (slope + sign * term, curvature - part(term, share))
        })
    };
    rising_to_falling((-delta).max(0.0), (1.0 - delta).min(1.0), slope_and_curvature)
}
