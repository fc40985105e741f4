//! One series over time.

use super::{Fields, Inputs, Recompute, affordable, numbers};
use crate::stats::series::{
    MannKendall, Slopes, autocorrelations, first_order_variance_ratio, floored_variance_ratio,
    mann_kendall, pettitt, variance_ratio,
};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("mann_kendall_sen", mann_kendall_sen),
    ("mann_kendall_hamed_rao", mann_kendall_hamed_rao),
    ("sen_slope_interval", sen_interval),
    ("pettitt_change_point", pettitt_change_point),
    ("autocorrelations", correlations),
];

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
        ("var_ratio", vec![ratio]),
        ("var_ratio_first_order", vec![first_order_variance_ratio(&y, slope)]),
        ("z_with_ratio_floored_at_1", vec![test.z(floored_variance_ratio(&y, slope))]),
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
        ("p_first_order", vec![change.first_order_p(&y)]),
    ])
}

/// At lags 1 to 3.
fn correlations(inputs: &Inputs) -> Option<Fields> {
    Some(vec![("acf", autocorrelations(&series(inputs)?.1, 3))])
}
