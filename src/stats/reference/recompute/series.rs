//! One series over time.

use super::{Fields, Inputs, Recompute, affordable, count, moments, numbers};
use crate::stats::series::{
    MannKendall, Slopes, autocorrelations, bartlett_lag, block_permutation_p, effective_size,
    first_order_variance_ratio, floored_variance_ratio, hac_stderr_of_mean, mann_kendall, pettitt,
    variance_ratio,
};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("mann_kendall_sen", mann_kendall_sen),
    ("mann_kendall_hamed_rao", mann_kendall_hamed_rao),
    ("sen_slope_interval", sen_interval),
    ("pettitt_change_point", pettitt_change_point),
    ("hac_se_mean", hac_se_mean),
    ("block_permutation_trend", block_permutation),
];

/// Lags whose autocorrelations a vector lists.
const LISTED_LAGS: usize = 3;

/// The values that are there, with their places.
fn series(inputs: &Inputs) -> Option<(Vec<f64>, Vec<f64>)> {
    let y = numbers(inputs, "y")?.into_iter().enumerate().filter(|(_, y)| y.is_finite());
    Some(y.map(|(place, y)| (place as f64, y)).unzip())
}

/// Sen's slope, the test, and the values without gaps.
fn trend(inputs: &Inputs) -> Option<(Vec<f64>, Slopes, MannKendall)> {
    let (at, y) = series(inputs)?;
    affordable((y.len() as f64).powi(2))?;
    let slopes = Slopes::new(&at, &y)?;
    let test = mann_kendall(&y)?;
    Some((y, slopes, test))
}

fn mann_kendall_sen(inputs: &Inputs) -> Option<Fields> {
    let (_, mut slopes, test) = trend(inputs)?;
    Some(vec![
        ("S", vec![test.s as f64]),
        ("var_S", vec![test.variance]),
        ("z", vec![test.z(1.0)]),
        ("p", vec![test.p(1.0)]),
        ("sen_slope", vec![slopes.median()]),
    ])
}

fn mann_kendall_hamed_rao(inputs: &Inputs) -> Option<Fields> {
    let (y, mut slopes, test) = trend(inputs)?;
    let slope = slopes.median();
    let ratio = variance_ratio(&y, slope);
    Some(vec![
        ("var_S", vec![test.variance * ratio]),
        ("z", vec![test.z(ratio)]),
        ("p", vec![test.p(ratio)]),
        ("var_ratio", vec![ratio]),
        ("var_ratio_first_order", vec![first_order_variance_ratio(&y, slope)]),
        ("p_with_ratio_floored_at_1", vec![test.p(floored_variance_ratio(&y, slope))]),
    ])
}

fn sen_interval(inputs: &Inputs) -> Option<Fields> {
    let (_, mut slopes, test) = trend(inputs)?;
    let interval = slopes.interval(super::number(inputs, "conf")?, test.variance, f64::INFINITY);
    let limits = interval.map_or(vec![f64::NAN; 2], super::limits);
    Some(vec![("sen_slope", vec![slopes.median()]), ("ci", limits)])
}

fn pettitt_change_point(inputs: &Inputs) -> Option<Fields> {
    let (_, y) = series(inputs)?;
    let change = pettitt(&y)?;
    Some(vec![
        ("K", vec![change.k]),
        ("change_after_index", vec![change.before as f64]),
        ("p_approx", vec![change.p]),
        ("p_first_order", vec![change.first_order_p(&y)]),
    ])
}

fn hac_se_mean(inputs: &Inputs) -> Option<Fields> {
    let (_, y) = series(inputs)?;
    let lag = count(inputs, "lag").map_or_else(|| bartlett_lag(y.len()), |lag| lag as usize);
    affordable(y.len() as f64 * lag.min(y.len()) as f64)?;
    let acf = autocorrelations(&y, LISTED_LAGS);
    let n_eff = acf.first().map_or(f64::NAN, |&r1| effective_size(y.len(), r1));
    let listed = (0..LISTED_LAGS).map(|lag| acf.get(lag).copied().unwrap_or(f64::NAN));
    Some(vec![
        ("se_newey_west_bartlett", vec![hac_stderr_of_mean(&y, lag)?]),
        ("se_iid", vec![moments(&y).stderr().unwrap_or(f64::NAN)]),
        ("acf", listed.collect()),
        ("n_eff_ar1", vec![n_eff]),
    ])
}

fn block_permutation(inputs: &Inputs) -> Option<Fields> {
    let (_, y) = series(inputs)?;
    affordable((y.len() as f64).powi(2))?;
    Some(vec![("p", vec![block_permutation_p(&y)?])])
}
