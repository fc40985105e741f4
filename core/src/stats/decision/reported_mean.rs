//! Two means as stated, each with its standard error and without the number of samples behind it.

use super::agreement;
use crate::stats::distribution::{normal_two_sided, normal_two_sided_p, reportable_p};
use crate::stats::planning::{Estimation, detectable_mean};
use crate::stats::{Analysis, Interval, Note, Options, ReportedMean, Test};

const METHOD: &str = "stderr-z";

/// The z test of two means by their standard errors.
pub(super) fn analyse(
    baseline: ReportedMean,
    candidate: ReportedMean,
    options: Options,
) -> Option<Analysis> {
    let (delta, stderr) = difference(baseline, candidate)?;
    let statistic = delta / stderr;
    let test = Test {
        method: METHOD,
        p: reportable_p(normal_two_sided_p(statistic)),
        statistic: Some(statistic),
        attainable: None,
    };
    let (interval, test) = (interval(baseline, candidate, 1.0 - options.alpha), Some(test));
    let mut notes = agreement::notes(interval, test, options.alpha);
    notes.push(Note::TreatedAsIndependent);
    Some(Analysis {
        interval_method: METHOD,
        delta,
        interval,
        test,
        mde: detectable_mean(stderr, f64::MAX, Estimation::TwoSamples, options),
        needed: None,
        notes,
    })
}

pub(super) fn interval(
    baseline: ReportedMean,
    candidate: ReportedMean,
    level: f64,
) -> Option<Interval> {
    let (delta, stderr) = difference(baseline, candidate)?;
    let half = normal_two_sided(level) * stderr;
    Some(Interval { lo: delta - half, hi: delta + half, level })
}

/// The difference and its standard error; `None` where neither mean has one above 0.
fn difference(baseline: ReportedMean, candidate: ReportedMean) -> Option<(f64, f64)> {
    let stderr = baseline.stderr.hypot(candidate.stderr);
    (stderr > 0.0 && stderr.is_finite()).then_some((candidate.mean - baseline.mean, stderr))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values: Python 3.13, `d, se = 4.6, sqrt(2) * 1.38`, `NormalDist().inv_cdf(0.975)`
    /// and `erfc(d / se / sqrt(2))`.
    #[test]
    fn two_means_with_standard_errors_are_compared_by_the_normal_distribution() {
        let baseline = ReportedMean { mean: 51.2, stderr: 1.38 };
        let candidate = ReportedMean { mean: 55.8, stderr: 1.38 };
        let found = analyse(baseline, candidate, Options::default()).expect("a test");
        let interval = found.interval.expect("an interval");
        assert!((interval.lo - 0.774_905_4).abs() < 1e-6, "{interval:?}");
        assert!((interval.hi - 8.425_094_6).abs() < 1e-6, "{interval:?}");
        assert!((found.test.expect("a test").p - 0.018_422_1).abs() < 1e-6, "{found:?}");
        let exact = ReportedMean { mean: 51.2, stderr: 0.0 };
        assert_eq!(analyse(exact, exact, Options::default()), None);
    }
}
