//! Intervals for the ratio of two shares, candidate over baseline: what a relative change leaves
//! open.

use super::independent::Arm;
use crate::stats::distribution::normal_two_sided;
use crate::stats::distribution::root::boundary;
use crate::stats::proportions::wilson::wilson_limits;
use crate::stats::{Interval, PairedCounts};

/// Score interval for candidate share ÷ baseline share of independent samples (Koopman 1984,
/// *Biometrics* 40, with the factor N/(N − 1) of Miettinen and Nurminen 1985, *Statistics in
/// Medicine* 4): all ratios whose score statistic stays within ±z. The upper limit is infinite where
/// the baseline may be 0; `None` where both shares are 0.
pub fn score_ratio(baseline: Arm, candidate: Arm, level: f64) -> Option<Interval> {
    if baseline.x <= 0.0 && candidate.x <= 0.0 {
        return None;
    }
    let z = normal_two_sided(level);
    // On the scale r/(1 + r), which leads from 0 to 1, the search needs no first guess.
    let accepted = |scaled: f64| score_z(baseline, candidate, ratio(scaled)).abs() <= z;
    let observed = candidate.share() / (candidate.share() + baseline.share());
    let lo = if candidate.x <= 0.0 { 0.0 } else { ratio(boundary(observed, 0.0, accepted)) };
    let hi =
        if baseline.x <= 0.0 { f64::INFINITY } else { ratio(boundary(observed, 1.0, accepted)) };
    Some(Interval { lo, hi, level })
}

fn ratio(scaled: f64) -> f64 {
    if scaled >= 1.0 { f64::INFINITY } else { scaled / (1.0 - scaled) }
}

/// Score statistic for the hypothesis that candidate ÷ baseline is `ratio`; positive when the
/// observed ratio is larger.
fn score_z(baseline: Arm, candidate: Arm, ratio: f64) -> f64 {
    if ratio.is_infinite() {
        return if baseline.x > 0.0 { f64::NEG_INFINITY } else { 0.0 };
    }
    let surplus = candidate.share() - ratio * baseline.share();
    if surplus == 0.0 {
        return 0.0;
    }
    let total = baseline.n + candidate.n;
    // Maximum-likelihood baseline share under the hypothesis: the smaller root of
    // N·r·p² − (r(n₁ + x₀) + x₁ + n₀)·p + x₀ + x₁, by the form without cancellation.
    let middle = ratio * (candidate.n + baseline.x) + candidate.x + baseline.n;
    let events = baseline.x + candidate.x;
    let root = (middle * middle - 4.0 * total * ratio * events).max(0.0).sqrt();
    let share = (2.0 * events / (middle + root)).min(1.0);
    let spread = |share: f64| (share * (1.0 - share)).max(0.0);
    let variance =
        spread((ratio * share).min(1.0)) / candidate.n + ratio * ratio * spread(share) / baseline.n;
    surplus / (variance * total / (total - 1.0)).sqrt()
}

/// Bonett and Price's hybrid interval (2006, *Statistics in Medicine* 25:3039) for candidate share ÷
/// baseline share of paired outcomes: two Wilson intervals at a level that allows for their
/// correlation. `None` where no pair is right in either arm; the upper limit is infinite where the
/// baseline may be 0.
pub fn bonett_price_ratio(counts: PairedCounts, level: f64) -> Option<Interval> {
    let either = (counts.both_right + counts.discordant()) as f64;
    if either == 0.0 {
        return None;
    }
    let [candidate, baseline] =
        [counts.gained, counts.lost].map(|only| (counts.both_right + only) as f64);
    let spread = |x: f64| ((1.0 - (x + 1.0) / (either + 2.0)) / (x + 1.0)).sqrt();
    let joint = (counts.discordant() as f64 + 2.0) / ((candidate + 1.0) * (baseline + 1.0));
    let z = normal_two_sided(level) * joint.sqrt() / (spread(candidate) + spread(baseline));
    let wilson = |x: f64| wilson_limits(x / either, either, z);
    let ((candidate_lo, candidate_hi), (baseline_lo, baseline_hi)) =
        (wilson(candidate), wilson(baseline));
    let hi = if baseline_lo > 0.0 { candidate_hi / baseline_lo } else { f64::INFINITY };
    Some(Interval { lo: candidate_lo / baseline_hi, hi, level })
}
