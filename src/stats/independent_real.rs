//! Two independent real-valued samples: Welch's t.

use super::distribution::t_two_sided_p;
use super::mean::{LARGE_SAMPLE, has_spread, t_interval};
use super::power::{Estimation, detectable_mean, needed_for_mean};
use super::{Analysis, Design, Interval, Method, Moments, Note, Options, Test, agreement};

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

/// Standard error and degrees of freedom of a difference of means with unequal variances
/// (Welch 1947, *Biometrika* 34).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Welch {
    /// Candidate mean − baseline mean.
    pub delta: f64,
    /// Standard error of the difference.
    pub stderr: f64,
    /// Welch–Satterthwaite degrees of freedom, usually not whole.
    pub df: f64,
    /// Sum of the two sample variances.
    pub variances: f64,
}

impl Welch {
    /// `None` below two values in either arm, and when neither arm has spread.
    pub fn new(baseline: Moments, candidate: Moments) -> Option<Self> {
        let scale = baseline.mean.abs().max(candidate.mean.abs());
        if !has_spread(baseline, scale) && !has_spread(candidate, scale) {
            return None;
        }
        let (before, after) = (baseline.variance()?, candidate.variance()?);
        let (n_before, n_after) = (baseline.n as f64, candidate.n as f64);
        let (part_before, part_after) = (before / n_before, after / n_after);
        let squared = part_before + part_after;
        let df = squared * squared
            / (part_before.powi(2) / (n_before - 1.0) + part_after.powi(2) / (n_after - 1.0));
        Some(Self {
            delta: candidate.mean - baseline.mean,
            stderr: squared.sqrt(),
            df,
            variances: before + after,
        })
    }

    /// The two-sided test of no difference.
    pub fn test(self) -> Test {
        let t = self.delta / self.stderr;
        Test {
            method: "welch-t",
            p: t_two_sided_p(t, self.df),
            statistic: Some(t),
            attainable: None,
        }
    }
}
