//! Training series: does a metric move over the steps of one run, and how fast.
//!
//! Describes one run without judging it: whether a falling loss is good, or better than that of
//! another run, is decided elsewhere.

use crate::model::{Run, Series};
use crate::stats::series::{
    Slopes, effective_degrees, first_order_variance_ratio, floored_variance_ratio, mann_kendall,
    pettitt,
};
use crate::stats::{Interval, holm};

/// Fewest points that a trend is tested on.
pub const FEWEST_POINTS: usize = 10;

/// Longer series are averaged to this many blocks of neighbours; the work grows with its square.
const MOST_BLOCKS: usize = 1000;

/// One series and what may be said about its trend.
#[derive(Debug)]
pub struct Trend<'a> {
    pub run: &'a Run,
    pub series: &'a Series,
    /// Points with a finite figure; the others are left out.
    pub points: usize,
    pub finding: Result<TrendEstimate, NoTrend>,
}

/// Why a series is not tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoTrend {
    /// Its name says that its figures are smoothed, so neighbours agree by construction.
    Smoothed,
    /// Fewer than [`FEWEST_POINTS`] points.
    TooFew,
}

impl NoTrend {
    /// Stable tag, also the catalogue key.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smoothed => "smoothed",
            Self::TooFew => "too-few",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrendEstimate {
    /// Sen's slope: change for one unit of the axis.
    pub slope: f64,
    /// Its interval from ranks; `None` where autocorrelation leaves too little for one.
    pub interval: Option<Interval>,
    /// Mann and Kendall's z, the variance corrected for autocorrelation.
    pub z: f64,
    /// Factor of that correction, at least 1.
    pub variance_ratio: f64,
    /// Effective sample size: the number of independent values with as much information.
    pub effective: f64,
    /// Two-sided p-value of no trend, from Student's t with the effective degrees of freedom.
    pub p: f64,
    /// Whether so few effectively independent values are left that even a series which always rises would
    /// not be significant: that nothing is found then says nothing about chance.
    pub is_untestable: bool,
    /// p adjusted by Holm over the trends of one call.
    pub p_adjusted: f64,
    /// Number of those trends.
    pub family: usize,
    /// Most points averaged into one value before testing; 1 when none were.
    pub averaged: usize,
    /// Where the level most likely changed, when that is significant by itself.
    pub change: Option<LevelChange>,
}

/// The most likely change of level. Exploratory: a steady trend looks like a change too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelChange {
    /// Position of the last value before it.
    pub after: f64,
    /// Pettitt's approximate p, corrected for first-order autocorrelation, in no family.
    pub p: f64,
}

/// The trend of every series of every run, in their order; one family of tests. `alpha` is the
/// two-sided level of intervals.
pub fn trends_of_runs<'a>(runs: impl IntoIterator<Item = &'a Run>, alpha: f64) -> Vec<Trend<'a>> {
    let series =
        runs.into_iter().flat_map(|run| run.content.series.iter().map(move |one| (run, one)));
    let mut trends: Vec<Trend<'a>> =
        series.map(|(run, series)| trend(run, series, alpha)).collect();
    let raw: Vec<f64> =
        trends.iter().filter_map(|one| one.finding.ok()).map(|estimate| estimate.p).collect();
    let tested = trends.iter_mut().filter_map(|one| one.finding.as_mut().ok());
    for (estimate, p_adjusted) in tested.zip(holm(&raw)) {
        estimate.p_adjusted = p_adjusted;
        estimate.family = raw.len();
    }
    trends
}

fn trend<'a>(run: &'a Run, series: &'a Series, alpha: f64) -> Trend<'a> {
    let (points, finding) = series_trend(series, alpha);
    Trend { run, series, points, finding }
}

/// The number of finite points of one series and its trend, in a family of its own.
pub fn series_trend(series: &Series, alpha: f64) -> (usize, Result<TrendEstimate, NoTrend>) {
    let (at, y): (Vec<f64>, Vec<f64>) = series
        .points
        .iter()
        .filter(|point| point.at.is_finite() && point.value.is_finite())
        .map(|point| (point.at, point.value))
        .unzip();
    let finding = if is_smoothed(&series.metric) {
        Err(NoTrend::Smoothed)
    } else if y.len() < FEWEST_POINTS {
        Err(NoTrend::TooFew)
    } else {
        estimate(&block_means(&at), &block_means(&y), alpha)
            .map(|found| TrendEstimate { averaged: y.len().div_ceil(MOST_BLOCKS), ..found })
            .ok_or(NoTrend::TooFew)
    };
    (y.len(), finding)
}

fn estimate(at: &[f64], y: &[f64], alpha: f64) -> Option<TrendEstimate> {
    let test = mann_kendall(y)?;
    // The correction removes the trend over places, as its paper does; the slope that is reported
    // is over positions, which need not be evenly spaced.
    let places: Vec<f64> = (0..y.len()).map(|place| place as f64).collect();
    let removed = Slopes::new(&places, y)?.median();
    let variance_ratio =
        floored_variance_ratio(y, removed).max(first_order_variance_ratio(y, removed));
    let mut slopes = Slopes::new(at, y)?;
    let p = test.p_effective(variance_ratio, y.len());
    let degrees = effective_degrees(variance_ratio, y.len());
    let change = pettitt(y).and_then(|change| {
        let after = *at.get(change.before.checked_sub(1)?)?;
        Some(LevelChange { after, p: change.first_order_p(y) }).filter(|change| change.p < alpha)
    });
    Some(TrendEstimate {
        slope: slopes.median(),
        interval: slopes.interval(1.0 - alpha, test.variance * variance_ratio, degrees),
        z: test.z(variance_ratio),
        variance_ratio,
        effective: y.len() as f64 / variance_ratio,
        p,
        is_untestable: test.attainable_p(variance_ratio, y.len()) >= alpha,
        p_adjusted: p,
        family: 1,
        averaged: 1,
        change,
    })
}

/// The values themselves, or the means of [`MOST_BLOCKS`] blocks of neighbours of nearly equal
/// size.
fn block_means(values: &[f64]) -> Vec<f64> {
    if values.len() <= MOST_BLOCKS {
        return values.to_vec();
    }
    let bound = |block: usize| block * values.len() / MOST_BLOCKS;
    let blocks = (0..MOST_BLOCKS).filter_map(|block| values.get(bound(block)..bound(block + 1)));
    // Dividing first keeps sums of huge figures finite.
    blocks.map(|block| block.iter().map(|value| value / block.len() as f64).sum()).collect()
}

/// Whether a name says that its figures are smoothed. Whole words, because `ema` is also in
/// `remaining` and `schema`.
fn is_smoothed(metric: &str) -> bool {
    let mut words = vec![String::new()];
    let mut lower_before = false;
    for c in metric.chars() {
        if !c.is_alphabetic() || (c.is_uppercase() && lower_before) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
        lower_before = c.is_lowercase();
    }
    let smooths = |word: &String| matches!(word.as_str(), "ema" | "ewma" | "moving");
    words.iter().any(|word| smooths(word) || word.starts_with("smooth"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Dims, Point};

    fn run(of: &[(&str, Vec<f64>)]) -> Run {
        let series = of.iter().map(|(metric, values)| {
            let point = |(i, &value): (usize, &f64)| Point { at: 10.0 * i as f64, value, line: 0 };
            let points = values.iter().enumerate().map(point).collect();
            let path = Arc::from("log.csv");
            Series::new((*metric).to_owned(), "step".to_owned(), Dims::none(), points, path).0
        });
        Run::with_series(series.collect())
    }

    /// Sums of twelve uniform numbers of Park and Miller's generator: near enough to normal.
    fn noise(seed: u64, n: usize) -> Vec<f64> {
        let mut state = seed;
        let mut uniform = || {
            state = state * 16_807 % 2_147_483_647;
            state as f64 / 2_147_483_647.0
        };
        (0..n).map(|_| (0..12).map(|_| uniform()).sum::<f64>() - 6.0).collect()
    }

    /// A first-order autoregression without trend, after a start that is forgotten.
    fn autoregression(seed: u64, n: usize, phi: f64) -> Vec<f64> {
        let mut value = 0.0;
        let mut step = |noise: &f64| {
            value = phi * value + noise;
            value
        };
        noise(seed, n + 50).iter().map(&mut step).skip(50).collect()
    }

    #[test]
    fn autocorrelation_is_not_taken_for_a_trend() {
        let series: Vec<(&str, Vec<f64>)> =
            (1..=40).map(|seed| ("loss", autoregression(7919 * seed, 200, 0.7))).collect();
        let run = run(&series);
        let trends = trends_of_runs([&run], 0.05);
        let estimates: Vec<TrendEstimate> = trends.iter().map(|one| one.finding.unwrap()).collect();
        let claimed = estimates.iter().filter(|one| one.p_adjusted < 0.05).count();
        assert_eq!(claimed, 0);
        let alone =
            |p: fn(&TrendEstimate) -> f64| estimates.iter().filter(|one| p(one) < 0.05).count();
        let naive = alone(|one| {
            crate::stats::distribution::normal_two_sided_p(one.z * one.variance_ratio.sqrt())
        });
        let corrected = alone(|one| one.p);
        assert!(corrected <= 7 && naive >= 2 * corrected.max(4), "{corrected} and {naive} of 40");
    }

    #[test]
    fn interval_and_test_agree_on_short_autocorrelated_series() {
        let series: Vec<(&str, Vec<f64>)> =
            (1..=200).map(|seed| ("loss", autoregression(6_151 * seed, 20, 0.7))).collect();
        let run = run(&series);
        let found: Vec<TrendEstimate> =
            trends_of_runs([&run], 0.05).iter().map(|one| one.finding.unwrap()).collect();
        let excluded = |one: &&TrendEstimate| one.interval.is_some_and(|ci| ci.excludes(0.0));
        let rejected = found.iter().filter(|one| one.p < 0.05).count();
        let normal =
            |one: &&TrendEstimate| crate::stats::distribution::normal_two_sided_p(one.z) < 0.05;
        assert!(rejected < found.iter().filter(normal).count(), "{rejected} of 200");
        // Rounding to a rank and continuity let them differ for a few.
        let apart = found.iter().filter(|one| (one.p < 0.05) != excluded(one)).count();
        assert!(apart <= 6, "{apart} of 200");
    }

    #[test]
    fn a_falling_curve_has_its_slope_per_unit_of_the_axis() {
        let wobble = noise(3, 60);
        let y = wobble.iter().enumerate().map(|(i, noise)| 5.0 - 0.05 * i as f64 + 0.1 * noise);
        let run = run(&[("loss", y.collect())]);
        let trends = trends_of_runs([&run], 0.05);
        let found = trends[0].finding.unwrap();
        let interval = found.interval.unwrap();
        assert!(interval.lo < -0.005 && -0.005 < interval.hi, "{found:?}");
        assert!(found.p_adjusted < 0.001 && interval.hi < 0.0, "{found:?}");
    }

    #[test]
    fn a_step_is_placed_after_its_last_point() {
        let y = noise(5, 40).into_iter().enumerate();
        let y = y.map(|(i, noise)| if i < 20 { 1.0 } else { 2.0 } + 0.05 * noise).collect();
        let run = run(&[("kl", y)]);
        let change = trends_of_runs([&run], 0.05)[0].finding.unwrap().change.unwrap();
        assert_eq!(change.after, 190.0);
    }

    #[test]
    fn smoothed_and_short_series_are_refused_and_gaps_do_not_count() {
        let mut gaps = noise(1, 12);
        gaps[3] = f64::NAN;
        gaps[5] = f64::INFINITY;
        gaps[7] = f64::NEG_INFINITY;
        let run = run(&[("loss_ema", noise(2, 50)), ("loss", gaps)]);
        let trends = trends_of_runs([&run], 0.05);
        assert_eq!(trends[0].finding, Err(NoTrend::Smoothed));
        assert_eq!((trends[1].finding, trends[1].points), (Err(NoTrend::TooFew), 9));
    }

    /// What is left beside Sen's line: nothing of a straight one, a smooth arc of a curve.
    #[test]
    fn a_straight_line_is_a_trend_and_a_smooth_curve_is_beyond_testing() {
        let line = (40..70).map(|percent| f64::from(percent) / 100.0).collect();
        let curve = (1..=100).map(|i| 1.0 / f64::from(i)).collect();
        let run = run(&[("acc", line), ("loss", curve)]);
        let trends = trends_of_runs([&run], 0.05);
        let [line, curve] = [trends[0].finding.unwrap(), trends[1].finding.unwrap()];
        assert!(line.p_adjusted < 1e-6 && !line.is_untestable, "{line:?}");
        assert!(curve.is_untestable && curve.effective < 3.0, "{curve:?}");
    }

    #[test]
    fn a_constant_series_has_no_trend_and_long_ones_are_averaged() {
        let run = run(&[("lr", vec![1e-5; 30]), ("loss", noise(9, 2500))]);
        let trends = trends_of_runs([&run], 0.05);
        let [flat, long] = [trends[0].finding.unwrap(), trends[1].finding.unwrap()];
        assert_eq!((flat.slope, flat.p, flat.change), (0.0, 1.0, None));
        assert_eq!((long.averaged, trends[1].points), (3, 2500));
    }

    #[test]
    fn names_are_smoothed_by_whole_words() {
        for name in ["loss_ema", "EMA0.99/loss", "lossEma", "train/smoothedLoss", "moving_average"]
        {
            assert!(is_smoothed(name), "{name}");
        }
        for name in ["remaining_steps", "schema_valid", "loss", "removing", ""] {
            assert!(!is_smoothed(name), "{name}");
        }
    }
}
