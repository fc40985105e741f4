//! Two independent real-valued samples: Welch's t.

use super::{Method, agreement};
use crate::stats::means::student::{LARGE_SAMPLE, t_interval};
use crate::stats::means::welch::Welch;
use crate::stats::planning::{Estimation, detectable_mean, needed_for_mean};
use crate::stats::{Analysis, Design, Interval, Moments, Note, Options};

/// The row of the decision table.
pub(super) struct IndependentReal;

impl Method for IndependentReal {
    fn id(&self) -> &'static str {
        "independent-real"
    }

    fn applies(&self, design: &Design) -> bool {
        matches!(arms_of(design), Some((baseline, candidate)) if baseline.n > 0 && candidate.n > 0)
    }

    fn analyse(&self, design: &Design, options: Options) -> Analysis {
        let Some((baseline, candidate)) = arms_of(design) else {
            return Analysis::unassessed("welch-t", f64::NAN);
        };
        let delta = candidate.mean - baseline.mean;
        let Some(welch) = Welch::new(baseline, candidate) else {
            return Analysis::unassessed("welch-t", delta);
        };
        let interval = Some(t_interval(delta, welch.stderr, welch.df, 1.0 - options.alpha));
        let test = Some(welch.test());
        let mut notes = agreement::notes(interval, test, options.alpha);
        let smaller = baseline.n.min(candidate.n);
        if smaller < LARGE_SAMPLE {
            notes.push(Note::NormalityAssumed);
        }
        let two = Estimation::TwoSamples;
        Analysis {
            interval_method: "welch-t",
            delta,
            interval,
            test,
            mde: detectable_mean(welch.stderr, smaller as f64, two, options),
            needed: needed_for_mean(welch.variances, delta, two, options),
            notes,
        }
    }

    fn interval(&self, design: &Design, level: f64) -> Option<Interval> {
        let (baseline, candidate) = arms_of(design)?;
        let welch = Welch::new(baseline, candidate)?;
        Some(t_interval(welch.delta, welch.stderr, welch.df, level))
    }
}

fn arms_of(design: &Design) -> Option<(Moments, Moments)> {
    match design {
        Design::IndependentReal { baseline, candidate } => Some((*baseline, *candidate)),
        _ => None,
    }
}
