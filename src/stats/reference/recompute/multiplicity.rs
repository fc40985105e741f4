//! Corrections for several comparisons, and the distribution of the largest of them.

use super::{Fields, Inputs, Recompute, affordable, count, number, numbers};
use crate::stats::distribution::studentized_range::{
    studentized_range_cdf, studentized_range_quantile,
};
use crate::stats::holm;

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("p_adjust", adjusted),
    ("studentized_range_quantile", range_quantile),
    ("studentized_range_cdf", range_cdf),
];

fn adjusted(inputs: &Inputs) -> Option<Fields> {
    let p = numbers(inputs, "p")?;
    affordable((p.len() as f64).powi(2))?;
    Some(vec![("holm", holm(&p))])
}

/// Systems and degrees of freedom, `"inf"` for a known standard deviation.
fn size(inputs: &Inputs) -> Option<(u32, f64)> {
    let df = inputs.get("df")?;
    let df = df.as_f64().or_else(|| df.as_str()?.parse().ok())?;
    Some((u32::try_from(count(inputs, "k")?).ok()?, df))
}

fn range_quantile(inputs: &Inputs) -> Option<Fields> {
    let (k, df) = size(inputs)?;
    let q = studentized_range_quantile(number(inputs, "prob")?, k, df)?;
    Some(vec![("q", vec![q])])
}

fn range_cdf(inputs: &Inputs) -> Option<Fields> {
    let (k, df) = size(inputs)?;
    Some(vec![("cdf", vec![studentized_range_cdf(number(inputs, "q")?, k, df)?])])
}
