//! Paired real-valued scores: exact sign flips for small samples, Student's t for larger ones, and
//! where these are skewed the bootstrap-t interval with sign flips.

use super::{Method, agreement};
use crate::stats::distribution::reportable_p;
use crate::stats::means::one::{LARGE_SAMPLE, mean_interval};
use crate::stats::means::paired::{paired_t, varies};
use crate::stats::planning::{Estimation, detectable_mean, needed_for_mean};
use crate::stats::resampling::bootstrap::{Declined, RESAMPLES, quantile, studentized_mean};
use crate::stats::resampling::sign_flip::{
    SignFlip, sign_flip_interval, sign_flip_monte_carlo, sign_flip_test,
};
use crate::stats::{Analysis, Design, DifferenceSample, Interval, Moments, Note, Options, Test};

/// Sample skewness beyond which Student's t may be off.
const SKEWED: f64 = 1.0;

/// Distance of mean and median, in mean distances from the median, that outliers on one side of a
/// symmetric distribution seldom bring about: at least the first, and the second over √m for m
/// values other than the median.
const APART: (f64, f64) = (0.3, 2.5);

/// Share of all squared deviations that one value may hold. Of the resamples, a third lack it and
/// hardly vary, so that their t says nothing.
const DOMINANT: f64 = 0.5;

/// Most pairs that are resampled. Beyond, the mean of all but absurdly skewed differences is close
/// enough to normal.
const MOST_RESAMPLED: u64 = 10_000;

/// How many times wider than the t interval a bootstrap-t interval may be. Wider ones come from
/// resamples in which nearly nothing varies.
const WIDEST: f64 = 4.0;

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
        let shape = shape(sample);
        let (interval_method, interval) = interval_of(sample, shape, 1.0 - options.alpha);
        let test = test_of(sample, shape, options.alpha);
        let mut notes = agreement::notes(interval, test, options.alpha);
        let normal =
            interval_method == "t" && (shape != Shape::Regular || differences.n < LARGE_SAMPLE);
        if normal && interval.is_some() {
            notes.push(Note::NormalityAssumed);
        }
        if test.is_some_and(|test| test.method == MONTE_CARLO) {
            notes.push(Note::MonteCarlo);
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
            Design::PairedReal(sample) => interval_of(sample, shape(sample), level).1,
            _ => None,
        }
    }
}

/// What is known about the shape of at least thirty differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Nothing that Student's t could not bear.
    Regular,
    /// Long on one side.
    Skewed,
    /// Too few values apart from the others to tell whether they are long on one side.
    Sparse,
    /// One value outweighs all others together.
    Dominated,
}

/// The shape of at least thirty, but not very many, differences.
///
/// The sample skewness alone will not do: one outlier of a symmetric distribution with heavy tails
/// brings it beyond any limit, and there t holds its level while bootstrap-t does not. So mean and
/// median have to be apart on the same side as well (Groeneveld and Meeden 1984).
fn shape(sample: &DifferenceSample) -> Shape {
    let Moments { n, mean, m2 } = sample.differences;
    let resampled = (LARGE_SAMPLE..=MOST_RESAMPLED).contains(&n) && varies(sample);
    let Some(skewness) = sample.skewness().filter(|skewness| resampled && skewness.abs() > SKEWED)
    else {
        return Shape::Regular;
    };
    let mut ascending = sample.all().to_vec();
    ascending.sort_unstable_by(f64::total_cmp);
    let median = quantile(&ascending, 0.5);
    let elsewhere = ascending.iter().filter(|value| **value != median).count() as f64;
    let distance: f64 = ascending.iter().map(|value| (value - median).abs()).sum();
    let apart = n as f64 * (mean - median) / distance;
    let enough = APART.0.max(APART.1 / elsewhere.sqrt());
    let farthest = ascending.iter().map(|value| (value - mean).powi(2)).fold(0.0, f64::max);
    if enough >= 1.0 {
        Shape::Sparse
    } else if farthest > DOMINANT * m2 {
        Shape::Dominated
    } else if apart.abs() > enough && (apart > 0.0) == (skewness > 0.0) {
        Shape::Skewed
    } else {
        Shape::Regular
    }
}

/// The inverted sign-flip test where it is affordable and bounded; elsewhere bootstrap-t for
/// skewed differences as long as it is sane, else t.
///
/// Equal differences have no spread to judge by: the sign flips then leave the one value itself
/// when they can reject at this level at all, and nothing otherwise.
fn interval_of(
    sample: &DifferenceSample,
    shape: Shape,
    level: f64,
) -> (&'static str, Option<Interval>) {
    let differences = sample.differences;
    if differences.n > 0 && !varies(sample) {
        let rejects = SignFlip::of_one_sign(differences.n).attainable <= 1.0 - level;
        let point = Interval { lo: differences.mean, hi: differences.mean, level };
        return ("sign-flip", rejects.then_some(point));
    }
    if let Some(interval) = sign_flip_interval(sample.all(), level) {
        return ("sign-flip", Some(interval));
    }
    let t = mean_interval(differences, level);
    if shape == Shape::Skewed
        && let Some(t) = t
        && let Ok(resampled) = resampled_interval(sample, level)
        && resampled.hi - resampled.lo <= WIDEST * (t.hi - t.lo)
    {
        return ("bootstrap-t", Some(resampled));
    }
    ("t", t)
}

/// The bootstrap-t interval. Differences are resampled in ascending order with a mean above 0, so
/// that neither their order nor the direction of the comparison can be seen in the limits.
fn resampled_interval(sample: &DifferenceSample, level: f64) -> Result<Interval, Declined> {
    let turn = sample.differences.mean.signum();
    let mut ascending: Vec<f64> = sample.all().iter().map(|value| turn * value).collect();
    ascending.sort_unstable_by(f64::total_cmp);
    let Interval { lo, hi, .. } = studentized_mean(&ascending, RESAMPLES, level)?;
    let (lo, hi) = if turn < 0.0 { (-hi, -lo) } else { (lo, hi) };
    Ok(Interval { lo, hi, level })
}

/// Tag of a test by random sign patterns.
const MONTE_CARLO: &str = "sign-flip-mc";

/// Sign flips below thirty pairs, for skewed or sparse differences and for such without spread,
/// exact wherever that is affordable; else the paired t test.
fn test_of(sample: &DifferenceSample, shape: Shape, alpha: f64) -> Option<Test> {
    let differences = sample.differences;
    if !varies(sample) {
        let m = if differences.mean == 0.0 { 0 } else { differences.n };
        return Some(sign_flips(SignFlip::of_one_sign(m)));
    }
    if differences.n >= LARGE_SAMPLE && matches!(shape, Shape::Regular | Shape::Dominated) {
        return paired_t(sample);
    }
    if let Some(exact) = sign_flip_test(sample.all()) {
        return Some(sign_flips(exact));
    }
    let drawn = sign_flip_monte_carlo(sample.all(), alpha);
    Some(Test { method: MONTE_CARLO, p: drawn.p, statistic: None, attainable: None })
}

fn sign_flips(SignFlip { p, attainable }: SignFlip) -> Test {
    Test {
        method: "sign-flip",
        p: reportable_p(p),
        statistic: None,
        attainable: Some(reportable_p(attainable)),
    }
}
