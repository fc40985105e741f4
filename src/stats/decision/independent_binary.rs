//! Two independent shares: Miettinen and Nurminen's score interval and its own test.

use super::{Method, agreement};
use crate::stats::planning::{detectable_share, needed_per_arm};
use crate::stats::proportions::independent::{Arm, miettinen_nurminen, score_test};
use crate::stats::{Analysis, Design, Interval, Options};

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

/// Interval, test and planning figures for two arms.
fn analyse_arms(baseline: Arm, candidate: Arm, options: Options) -> Analysis {
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
