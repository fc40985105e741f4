//! Two independent shares: Miettinen and Nurminen's score interval with Boschloo's exact test in
//! small samples and the interval's own test in larger ones.

use super::{Method, agreement};
use crate::stats::planning::{detectable_share, needed_per_arm};
use crate::stats::proportions::independent::{Arm, miettinen_nurminen, score_test};
use crate::stats::proportions::unconditional::boschloo;
use crate::stats::{Analysis, Counts, Design, Interval, Note, Options, Test};

/// Samples of both arms together up to which the test is exact.
const EXACT_UPTO: u64 = 150;

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
            Some((baseline, candidate)) => analyse_counts(baseline, candidate, options),
            None => Analysis::unassessed("miettinen-nurminen", f64::NAN),
        }
    }

    fn interval(&self, design: &Design, level: f64) -> Option<Interval> {
        let (baseline, candidate) = arms_of(design)?;
        Some(miettinen_nurminen(baseline.into(), candidate.into(), level))
    }
}

fn arms_of(design: &Design) -> Option<(Counts, Counts)> {
    match design {
        Design::IndependentBinary { baseline, candidate } if baseline.n.min(candidate.n) > 0 => {
            Some((*baseline, *candidate))
        }
        _ => None,
    }
}

/// Interval, test and planning figures for two arms.
fn analyse_counts(baseline: Counts, candidate: Counts, options: Options) -> Analysis {
    let arms: [Arm; 2] = [baseline.into(), candidate.into()];
    let [before, after] = arms.map(Arm::share);
    let interval = Some(miettinen_nurminen(arms[0], arms[1], 1.0 - options.alpha));
    let test = Some(test_of(baseline, candidate));
    let notes = agreement::notes(interval, test, options.alpha);
    Analysis {
        interval_method: "miettinen-nurminen",
        delta: after - before,
        interval,
        test,
        mde: detectable_share(before, arms[0].n, arms[1].n, options)
            .filter(|_| !notes.contains(&Note::Unattainable)),
        needed: needed_per_arm(before, after, options),
        notes,
    }
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
            let found = analyse_counts(arm(0), arm(n), Options::default());
            assert_eq!(found.notes.contains(&Note::Unattainable), !detects, "{n}");
            assert!(detects || found.mde.is_none(), "{found:?}");
        }
    }
}
