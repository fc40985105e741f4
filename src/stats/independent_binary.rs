//! Two independent shares: Miettinen and Nurminen's score interval and its own test.

use super::boundary::{bisect, boundary};
use super::distribution::{normal_two_sided, normal_two_sided_p};
use super::power::{detectable_share, needed_per_arm};
use super::{Analysis, Counts, Design, Interval, Method, Options, Test, agreement};

/// The row of the decision table.
pub(super) struct IndependentBinary;

impl Method for IndependentBinary {
    fn id(&self) -> &'static str {
        "independent-binary"
    }

    fn applies(&self, design: &Design) -> bool {
        arms_of(design).is_some()
    }

    fn analyse(&self, design: &Design, options: Options) -> Analysis {
        match arms_of(design) {
            Some((baseline, candidate)) => analyse_arms(baseline, candidate, options),
            None => Analysis::unassessed("miettinen-nurminen", f64::NAN),
        }
    }

    fn interval(&self, design: &Design, level: f64) -> Option<Interval> {
        let (baseline, candidate) = arms_of(design)?;
        Some(miettinen_nurminen(baseline, candidate, level))
    }
}

fn arms_of(design: &Design) -> Option<(Arm, Arm)> {
    match design {
        Design::IndependentBinary { baseline, candidate } if baseline.n.min(candidate.n) > 0 => {
            Some(((*baseline).into(), (*candidate).into()))
        }
        _ => None,
    }
}

/// Successes of trials, where a sum of scores between 0 and 1 may stand for the successes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arm {
    /// Successes, between 0 and `n`.
    pub x: f64,
    /// Trials, at least 1.
    pub n: f64,
}

impl Arm {
    /// Share of successes.
    pub fn share(self) -> f64 {
        self.x / self.n
    }
}

impl From<Counts> for Arm {
    fn from(counts: Counts) -> Self {
        Self { x: counts.x as f64, n: counts.n as f64 }
    }
}

/// Interval, test and planning figures for two arms.
pub(super) fn analyse_arms(baseline: Arm, candidate: Arm, options: Options) -> Analysis {
    let interval = Some(miettinen_nurminen(baseline, candidate, 1.0 - options.alpha));
    let test = Some(score_test(baseline, candidate));
    let (before, after) = (baseline.share(), candidate.share());
    Analysis {
        interval_method: "miettinen-nurminen",
        delta: after - before,
        interval,
        test,
        mde: detectable_share(before, baseline.n, candidate.n, options),
        needed: needed_per_arm(before, after, options),
        notes: agreement::notes(interval, test, options.alpha),
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
/// The log-likelihood is concave, so its derivative is bisected: unlike the closed form of the
/// cubic equation this keeps its digits when shares come close to 0 or 1 in large samples.
pub fn constrained_share(baseline: Arm, candidate: Arm, delta: f64) -> f64 {
    if delta == 0.0 {
        return (baseline.x + candidate.x) / (baseline.n + candidate.n);
    }
    let part = |events: f64, share: f64| if events > 0.0 { events / share } else { 0.0 };
    let rising = |share: f64| {
        part(baseline.x, share) - part(baseline.n - baseline.x, 1.0 - share)
            + part(candidate.x, share + delta)
            - part(candidate.n - candidate.x, 1.0 - share - delta)
            > 0.0
    };
    bisect((-delta).max(0.0), (1.0 - delta).min(1.0), rising)
}
