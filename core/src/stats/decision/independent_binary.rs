//! Two independent shares: Miettinen and Nurminen's score interval with Boschloo's exact test in
//! small samples and the interval's own test in larger ones.

use super::agreement;
use crate::stats::planning::{detectable_share, needed_per_arm};
use crate::stats::proportions::independent::{miettinen_nurminen, score_test};
use crate::stats::proportions::unconditional::boschloo;
use crate::stats::{Analysis, Counts, Interval, Note, Options, Test};

/// Samples of both arms together up to which the test is exact.
const EXACT_UPTO: u64 = 150;

/// Tag of the interval.
pub(super) const INTERVAL: &str = "miettinen-nurminen";

/// `None` without samples in either arm.
pub(super) fn analyse(baseline: Counts, candidate: Counts, options: Options) -> Option<Analysis> {
    let interval = interval(baseline, candidate, 1.0 - options.alpha)?;
    let test = test_of(baseline, candidate);
    let [before, after] = [baseline, candidate].map(Counts::share);
    let notes = agreement::notes(Some(interval), Some(test), options.alpha);
    Some(Analysis {
        interval_method: INTERVAL,
        delta: after - before,
        interval: Some(interval),
        test: Some(test),
        mde: detectable_share(before, baseline.n as f64, candidate.n as f64, options)
            .filter(|_| !notes.contains(&Note::Unattainable)),
        needed: needed_per_arm(before, after, options),
        notes,
    })
}

pub(super) fn interval(baseline: Counts, candidate: Counts, level: f64) -> Option<Interval> {
    (baseline.n.min(candidate.n) > 0)
        .then(|| miettinen_nurminen(baseline.into(), candidate.into(), level))
}

/// Exact in small samples.
pub(super) fn test_of(baseline: Counts, candidate: Counts) -> Test {
    if baseline.n + candidate.n <= EXACT_UPTO {
        boschloo(baseline, candidate)
    } else {
        score_test(baseline.into(), candidate.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_too_small_for_any_result_detect_nothing() {
        // Three against three: the farthest outcome gives 2·(1/2)^6 = 0.03125; two against two 0.125.
        for (n, detects) in [(2, false), (3, true)] {
            let arm = |x| Counts::new(x, n).unwrap();
            let found = analyse(arm(0), arm(n), Options::default()).unwrap();
            assert_eq!(found.notes.contains(&Note::Unattainable), !detects, "{n}");
            assert!(detects || found.mde.is_none(), "{found:?}");
        }
    }
}
