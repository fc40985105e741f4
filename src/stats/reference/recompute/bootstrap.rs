//! Bootstrap distributions and intervals.

use super::{Fields, Inputs, Recompute, affordable, limits, moments, numbers};
use crate::stats::resampling::bootstrap::{
    self, Correction, Declined, acceleration, acceleration_of_mean, bca_of, quantile, resampled,
    resampled_means, studentized_mean,
};
use crate::stats::resampling::ideal::{IdealMeans, exact_percentile_of_mean};
use crate::stats::{Interval, Moments};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("ideal_bootstrap_mean", ideal_mean),
    ("bootstrap_mean_skewed", mean),
    ("bca_bootstrap_correlation", correlation),
    ("quantile_type7", type_7),
];

const LEVEL: f64 = 0.95;

/// Draws for all resamples of a vector. References have used 200,000 resamples and more, so that
/// only the smallest part of the distance may come from this side.
const DRAWS: usize = 5_000_000;

/// Resamples for a standard deviation, which needs fewer than limits do.
const FOR_SPREAD: usize = 50_000;

const FEWEST_RESAMPLES: usize = 999;

fn resamples(units: usize) -> usize {
    (DRAWS / units.max(1)).clamp(FEWEST_RESAMPLES, 499_999)
}

fn ideal_mean(inputs: &Inputs) -> Option<Fields> {
    let values = numbers(inputs, "x")?;
    let ideal = IdealMeans::new(&values)?;
    let Moments { n, m2, .. } = moments(&values);
    Some(vec![
        ("n_resamples", vec![ideal.resamples()]),
        ("se", vec![ideal.stderr()]),
        ("plugin_se", vec![m2.sqrt() / n as f64]),
        ("percentile_95_type7", vec![ideal.quantile(0.025), ideal.quantile(0.975)]),
        ("bca_z0_midp", vec![ideal.bias()]),
        ("bca_accel", vec![acceleration_of_mean(&values).unwrap_or(f64::NAN)]),
    ])
}

/// No limits where a method declines.
fn limits_or_none(interval: Result<Interval, Declined>) -> Vec<f64> {
    interval.map_or(vec![f64::NAN], limits)
}

/// `BCa` by its parts, which are defined below ten values as well.
fn mean(inputs: &Inputs) -> Option<Fields> {
    let values = numbers(inputs, "x").filter(|values| values.len() > 1)?;
    affordable(values.len() as f64 * FEWEST_RESAMPLES as f64)?;
    let (count, observed) = (resamples(values.len()), moments(&values).mean);
    let means = resampled_means(&values, count);
    let central = exact_percentile_of_mean(&values, LEVEL)
        .unwrap_or_else(|| bootstrap::percentile(&means, LEVEL));
    let acceleration = acceleration_of_mean(&values);
    let bca = bootstrap::bias(&means, observed)
        .zip(acceleration)
        .ok_or(Declined::NoSpread)
        .and_then(|(bias, acceleration)| Correction { bias, acceleration }.interval(&means, LEVEL));
    Some(vec![
        ("mean", vec![observed]),
        ("accel", vec![acceleration.unwrap_or(f64::NAN)]),
        ("percentile_95", limits(central)),
        ("bca_95", limits_or_none(bca)),
        ("studentized_95", limits_or_none(studentized_mean(&values, count, LEVEL))),
    ])
}

/// Pearson's correlation of the first two lists among the inputs, whatever they are called.
fn correlation(inputs: &Inputs) -> Option<Fields> {
    let mut lists = inputs.keys().filter_map(|key| numbers(inputs, key));
    let (x, y) = (lists.next()?, lists.next()?);
    if x.len() != y.len() || x.len() < 3 {
        return None;
    }
    affordable((x.len() as f64).powi(2) + x.len() as f64 * FEWEST_RESAMPLES as f64)?;
    let statistic = |rows: &[usize]| pearson(&x, &y, rows);
    let all: Vec<usize> = (0..x.len()).collect();
    let left_out = |row: &usize| {
        let others: Vec<usize> = all.iter().copied().filter(|other| other != row).collect();
        statistic(&others)
    };
    let jackknife: Vec<f64> = all.iter().map(left_out).collect();
    let count = resamples(x.len());
    let interval = bca_of(x.len(), count, LEVEL, statistic).map(|(_, interval)| interval);
    Some(vec![
        ("r", vec![statistic(&all)]),
        ("accel", vec![acceleration(&jackknife).unwrap_or(f64::NAN)]),
        ("bca_95", limits_or_none(interval)),
        (
            "boot_se",
            vec![moments(&resampled(x.len(), FOR_SPREAD.min(count), statistic)).variance()?.sqrt()],
        ),
    ])
}

fn pearson(x: &[f64], y: &[f64], rows: &[usize]) -> f64 {
    let n = rows.len() as f64;
    let mean = |values: &[f64]| rows.iter().map(|row| values[*row]).sum::<f64>() / n;
    let (mean_x, mean_y) = (mean(x), mean(y));
    let (mut squares_x, mut squares_y, mut products) = (0.0, 0.0, 0.0);
    for row in rows {
        let (x, y) = (x[*row] - mean_x, y[*row] - mean_y);
        squares_x += x * x;
        squares_y += y * y;
        products += x * y;
    }
    products / (squares_x * squares_y).sqrt()
}

fn type_7(inputs: &Inputs) -> Option<Fields> {
    let mut values = numbers(inputs, "x")?;
    values.sort_unstable_by(f64::total_cmp);
    let quantiles = numbers(inputs, "p")?.iter().map(|p| quantile(&values, *p)).collect();
    Some(vec![("quantiles", quantiles)])
}
