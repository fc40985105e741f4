//! Two independent real-valued samples: Welch's t.

use super::agreement;
use crate::stats::means::student::LARGE_SAMPLE;
use crate::stats::means::welch::Welch;
use crate::stats::planning::{Estimation, detectable_mean, needed_for_mean};
use crate::stats::{Analysis, Moments, Note, Options};

pub(super) fn analyse(baseline: Moments, candidate: Moments, options: Options) -> Analysis {
    let Some(welch) = Welch::new(baseline, candidate) else {
        return Analysis::unassessed("welch-t", candidate.mean - baseline.mean);
    };
    let interval = Some(welch.interval(1.0 - options.alpha));
    let test = Some(welch.test());
    let mut notes = agreement::notes(interval, test, options.alpha);
    let smaller = baseline.n.min(candidate.n);
    if smaller < LARGE_SAMPLE {
        notes.push(Note::NormalityAssumed);
    }
    let two = Estimation::TwoSamples;
    Analysis {
        interval_method: "welch-t",
        delta: welch.delta,
        interval,
        test,
        mde: detectable_mean(welch.stderr, smaller as f64, two, options),
        needed: needed_for_mean(welch.variances, welch.delta, two, options),
        notes,
    }
}
