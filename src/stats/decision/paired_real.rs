//! Paired real-valued scores: exact sign flips for small samples, Student's t for larger ones.

use super::{Method, agreement};
use crate::stats::distribution::reportable_p;
use crate::stats::means::one::{LARGE_SAMPLE, mean_interval};
use crate::stats::means::paired::{paired_t, varies};
use crate::stats::planning::{Estimation, detectable_mean, needed_for_mean};
use crate::stats::resampling::sign_flip::{
    MOST_INVERTED, SignFlip, sign_flip_interval, sign_flip_test,
};
use crate::stats::{Analysis, Design, DifferenceSample, Interval, Note, Options, Test};

/// The row of the decision table.
pub(super) struct PairedReal;

impl Method for PairedReal {
    fn id(&self) -> &'static str {
        "paired-real"
    }

    fn applies(&self, design: &Design) -> bool {
        matches!(design, Design::PairedReal(sample) if sample.differences.n > 0)
    }

    fn analyse(&self, design: &Design, options: Options) -> Analysis {
        let Design::PairedReal(sample) = design else {
            return Analysis::unassessed("t", f64::NAN);
        };
        let differences = sample.differences;
        let (interval_method, interval) = interval_of(sample, 1.0 - options.alpha);
        let test = test_of(sample);
        let mut notes = agreement::notes(interval, test, options.alpha);
        if interval_method == "t" && interval.is_some() && differences.n < LARGE_SAMPLE {
            notes.push(Note::NormalityAssumed);
        }
        let reachable = !notes.contains(&Note::Unattainable);
        let variance = differences.variance().filter(|_| varies(sample)).unwrap_or(0.0);
        let n = differences.n as f64;
        Analysis {
            interval_method,
            delta: differences.mean,
            interval,
            test,
            mde: detectable_mean((variance / n).sqrt(), n, Estimation::OneSample, options)
                .filter(|_| reachable),
            needed: needed_for_mean(variance, differences.mean, Estimation::OneSample, options),
            notes,
        }
    }

    fn interval(&self, design: &Design, level: f64) -> Option<Interval> {
        match design {
            Design::PairedReal(sample) => interval_of(sample, level).1,
            _ => None,
        }
    }
}

/// The inverted sign-flip test where it is affordable and bounded, the t interval elsewhere.
/// Equal differences have no spread to judge by: the sign flips then leave the one value itself
/// when they can reject at this level at all, and nothing otherwise.
fn interval_of(sample: &DifferenceSample, level: f64) -> (&'static str, Option<Interval>) {
    let differences = sample.differences;
    if differences.n > 0 && !varies(sample) {
        let rejects = SignFlip::of_one_sign(differences.n).attainable <= 1.0 - level;
        let point = Interval { lo: differences.mean, hi: differences.mean, level };
        return ("sign-flip", rejects.then_some(point));
    }
    let exact = sample
        .all()
        .filter(|all| all.len() <= MOST_INVERTED)
        .and_then(|all| sign_flip_interval(all, level));
    match exact {
        Some(interval) => ("sign-flip", Some(interval)),
        None => ("t", mean_interval(differences, level)),
    }
}

/// Sign flips below thirty pairs and for differences without spread, else the paired t test.
fn test_of(sample: &DifferenceSample) -> Option<Test> {
    let differences = sample.differences;
    let flips = if varies(sample) {
        sample.all().filter(|_| differences.n < LARGE_SAMPLE).and_then(sign_flip_test)
    } else {
        let m = if differences.mean == 0.0 { 0 } else { differences.n };
        Some(SignFlip::of_one_sign(m))
    };
    if let Some(SignFlip { p, attainable }) = flips {
        return Some(Test {
            method: "sign-flip",
            p: reportable_p(p),
            statistic: None,
            attainable: Some(reportable_p(attainable)),
        });
    }
    paired_t(sample)
}
