//! Corrections for several comparisons, and the distribution of the largest of them.

use super::{Fields, Inputs, Recompute, affordable, count, number, numbers};
use crate::stats::distribution::studentized_range::{
    studentized_range_cdf, studentized_range_quantile,
};
use crate::stats::multiplicity::{
    benjamini_hochberg, benjamini_yekutieli, bonferroni, bonferroni_critical, hochberg, holm,
    holm_sidak, hommel, sidak, sidak_critical,
};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("p_adjust", adjusted),
    ("simultaneous_ci_critical", simultaneous_critical),
    ("studentized_range_quantile", range_quantile),
    ("studentized_range_cdf", range_cdf),
];

fn adjusted(inputs: &Inputs) -> Option<Fields> {
    let p = numbers(inputs, "p")?;
    affordable((p.len() as f64).powi(2))?;
    Some(vec![
        ("bonferroni", bonferroni(&p)),
        ("holm", holm(&p)),
        ("hochberg", hochberg(&p)),
        ("hommel", hommel(&p)),
        ("bh", benjamini_hochberg(&p)),
        ("by", benjamini_yekutieli(&p)),
        ("sidak", sidak(&p)),
        ("holm_sidak", holm_sidak(&p)),
    ])
}

fn simultaneous_critical(inputs: &Inputs) -> Option<Fields> {
    let (m, level) = (count(inputs, "m")?, number(inputs, "conf")?);
    Some(vec![
        ("z", vec![bonferroni_critical(m, level)?]),
        ("sidak_z", vec![sidak_critical(m, level)?]),
    ])
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
    Some(vec![("q", vec![q]), ("nemenyi_q", vec![q / 2_f64.sqrt()])])
}

fn range_cdf(inputs: &Inputs) -> Option<Fields> {
    let (k, df) = size(inputs)?;
    Some(vec![("cdf", vec![studentized_range_cdf(number(inputs, "q")?, k, df)?])])
}
