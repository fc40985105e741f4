//! Paired real-valued scores: exact sign flips for small samples, Student's t for larger ones, and
//! where these are skewed the bootstrap-t interval with sign flips.

use super::agreement;
use crate::stats::differences::MOST_KEPT;
use crate::stats::distribution::reportable_p;
use crate::stats::means::paired::{paired_t, varies};
use crate::stats::means::student::{LARGE_SAMPLE, mean_interval, unanimous_interval};
use crate::stats::planning::{Estimation, detectable_mean, fewest_flipped, needed_for_mean};
use crate::stats::resampling::bootstrap::{RESAMPLES, StudentizedMean, quantile};
use crate::stats::resampling::sign_flip::{
    MOST_INVERTED, SignFlip, sign_flip_interval, sign_flip_monte_carlo, sign_flip_test,
};
use crate::stats::{Analysis, DifferenceSample, Interval, Moments, Note, Options, Test};

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
const MOST_RESAMPLED: u64 = MOST_KEPT;

/// How many times wider than the t interval a bootstrap-t interval may be. Wider ones come from
/// resamples in which nearly nothing varies.
const WIDEST: f64 = 4.0;

/// For at least one pair.
pub(super) fn analyse(sample: &DifferenceSample, options: Options) -> Analysis {
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
        needed: needed_for_mean(variance, differences.mean, Estimation::OneSample, options)
            .map(|needed| needed.max(fewest_flipped(options.alpha))),
        notes,
    }
}

pub(super) fn interval(sample: &DifferenceSample, level: f64) -> Option<Interval> {
    let has_pairs = sample.differences.n > 0;
    has_pairs.then(|| interval_of(sample, shape(sample), level).1).flatten()
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
    let Moments { n, mean, m2, .. } = sample.differences;
    let resampled =
        (LARGE_SAMPLE..=MOST_RESAMPLED).contains(&n) && varies(sample) && !sample.is_summed();
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

/// One method for a design at every level, so that a wider interval holds a narrower one: the
/// inverted sign-flip test for up to [`MOST_INVERTED`] pairs, bootstrap-t for skewed differences
/// where it is sane, else t. Where that method has no bounded interval, there is none. Differences
/// without spread are judged by the bounds of the scores.
fn interval_of(
    sample: &DifferenceSample,
    shape: Shape,
    level: f64,
) -> (&'static str, Option<Interval>) {
    let differences = sample.differences;
    let pairs = differences.n as f64;
    if !varies(sample) {
        let within = |bound| unanimous_interval(differences.mean, pairs, bound, level);
        return ("unanimous", sample.bound.map(within));
    }
    if !sample.is_summed() && sample.all().len() <= MOST_INVERTED {
        return ("sign-flip", sign_flip_interval(sample.all(), level));
    }
    let skewed = shape == Shape::Skewed;
    match skewed.then(|| Resampled::new(sample)).flatten() {
        Some(resampled) => ("bootstrap-t", resampled.interval(level)),
        None => ("t", mean_interval(differences, level)),
    }
}

/// Level at which a bootstrap-t interval has to be sane to be used at any level.
const JUDGED_AT: f64 = 0.95;

/// The bootstrap-t interval. Differences are resampled in ascending order with a mean above 0, so
/// that neither their order nor the direction of the comparison can be seen in the limits.
struct Resampled {
    mean: StudentizedMean,
    turn: f64,
}

impl Resampled {
    /// `None` where the interval would not be sane.
    fn new(sample: &DifferenceSample) -> Option<Self> {
        let turn = sample.differences.mean.signum();
        let mut ascending: Vec<f64> = sample.all().iter().map(|value| turn * value).collect();
        ascending.sort_unstable_by(f64::total_cmp);
        let resampled = Self { mean: StudentizedMean::new(&ascending, RESAMPLES)?, turn };
        let (bootstrap, t) =
            (resampled.interval(JUDGED_AT)?, mean_interval(sample.differences, JUDGED_AT)?);
        (bootstrap.hi - bootstrap.lo <= WIDEST * (t.hi - t.lo)).then_some(resampled)
    }

    fn interval(&self, level: f64) -> Option<Interval> {
        let Interval { lo, hi, .. } = self.mean.interval(level)?;
        let (lo, hi) = if self.turn < 0.0 { (-hi, -lo) } else { (lo, hi) };
        Some(Interval { lo, hi, level })
    }
}

/// Tag of a test by random sign patterns.
const MONTE_CARLO: &str = "sign-flip-mc";

/// Sign flips below thirty pairs, for skewed or sparse differences and for such without spread,
/// exact wherever that is affordable; else the paired t test.
fn test_of(sample: &DifferenceSample, shape: Shape, alpha: f64) -> Option<Test> {
    let differences = sample.differences;
    if !varies(sample) {
        let m = if differences.mean == 0.0 { 0 } else { differences.n };
        return Some(sign_flips(SignFlip::with_one_sign(m)));
    }
    // Of sums alone there is no other test.
    if sample.is_summed()
        || differences.n >= LARGE_SAMPLE && matches!(shape, Shape::Regular | Shape::Dominated)
    {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(pairs: &[(f64, f64)], bound: Option<f64>) -> DifferenceSample {
        let mut sample = DifferenceSample::within(bound);
        for (baseline, candidate) in pairs {
            sample.add(*baseline, *candidate);
        }
        sample
    }

    fn analysed(sample: &DifferenceSample, alpha: f64) -> Analysis {
        analyse(sample, Options { alpha, ..Options::default() })
    }

    #[test]
    fn rounding_of_equal_scores_is_no_difference() {
        let pairs = [(0.3, 0.1 + 0.2); 10];
        assert!(pairs[0].0 < pairs[0].1);
        let analysis = analysed(&sample(&pairs, None), 0.05);
        assert_eq!((analysis.delta, analysis.test.map(|test| test.p)), (0.0, Some(1.0)));
        assert_eq!(analysis.interval, None);
    }

    #[test]
    fn equal_pairs_leave_open_what_a_bounded_score_allows() {
        // z²/(6 + z²) with z² = 3.841459 of 95 %, from tables.
        let half = 3.841_458_820_694_124 / 9.841_458_820_694_124;
        let interval = analysed(&sample(&[(0.5, 0.5); 6], Some(1.0)), 0.05).interval.unwrap();
        assert!((interval.hi - half).abs() < 1e-9 && interval.lo == -interval.hi, "{interval:?}");
        let gained = analysed(&sample(&[(0.0, 1.0); 6], Some(1.0)), 0.05).interval.unwrap();
        assert!((gained.lo - (1.0 - 2.0 * half)).abs() < 1e-9 && gained.hi == 1.0, "{gained:?}");
    }

    #[test]
    fn intervals_are_nested_over_all_levels_and_end_where_the_method_does() {
        let of = |n: u32, value: fn(u32) -> f64| {
            let pairs: Vec<(f64, f64)> = (1..=n).map(|i| (0.0, value(i))).collect();
            sample(&pairs, None)
        };
        let spread = |i: u32| f64::from(i * 37 % 61);
        let skewed = |i: u32| -(f64::from(i) / 61.0).ln();
        for (sample, ends) in [
            (of(6, spread), Some(1.0 / 32.0)),
            (of(20, spread), Some((-19_f64).exp2())),
            (of(25, spread), None),
            (of(60, skewed), Some(2.0 / 10_000.0)),
        ] {
            let mut narrower: Option<Interval> = None;
            for halvings in 1..40 {
                let alpha = 0.99 * (-f64::from(halvings)).exp2();
                let Some(wider) = interval(&sample, 1.0 - alpha) else {
                    assert!(ends.is_some_and(|ends| alpha < ends), "{alpha}");
                    narrower = None;
                    continue;
                };
                assert!(ends.is_none_or(|ends| alpha >= ends), "{alpha}");
                assert!(narrower.is_none_or(|inner| wider.lo <= inner.lo && inner.hi <= wider.hi));
                assert!(halvings == 1 || narrower.is_some(), "{alpha}");
                narrower = Some(wider);
            }
        }
    }

    #[test]
    fn fewer_pairs_are_never_needed_than_the_exact_test_asks_for() {
        let clear = || sample(&[(0.0, 1.0), (0.0, 1.1), (0.0, 0.9), (0.0, 1.05)], None);
        // 2/2^6 is the first below 0.05, 2/2^8 the first below 0.01.
        for (alpha, fewest) in [(0.05, 6), (0.01, 8)] {
            let analysis = analysed(&clear(), alpha);
            assert_eq!((analysis.needed, analysis.mde), (Some(fewest), None), "{alpha}");
        }
    }
}
