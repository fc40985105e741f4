//! Tails and quantiles of distributions.

use super::{Inputs, Method, fields};
use crate::stats::distribution::chi_squared::chi_squared_sf;
use crate::stats::distribution::fisher_f::f_sf;
use crate::stats::distribution::studentized_range::{
    studentized_range_cdf, studentized_range_quantile,
};
use crate::stats::distribution::{
    incomplete_beta, normal_sf, normal_upper_quantile, t_sf, t_upper_quantile,
};

pub(super) static METHODS: &[Method] = &[
    ("normal_sf", |inputs| fields![("sf", normal_sf(inputs.number("z")?))]),
    ("normal_upper_quantile", |inputs| {
        fields![("z", normal_upper_quantile(inputs.number("tail")?))]
    }),
    ("student_t_sf", |inputs| fields![("sf", t_sf(inputs.number("t")?, inputs.number("df")?))]),
    ("student_t_quantile", |inputs| {
        let (p, df) = (inputs.number("p")?, inputs.number("df")?);
        let t = if p < 0.5 { -t_upper_quantile(p, df) } else { t_upper_quantile(1.0 - p, df) };
        fields![("t", t)]
    }),
    ("regularized_incomplete_beta", |inputs| {
        let x = inputs.number("x")?;
        fields![("I", incomplete_beta(inputs.number("a")?, inputs.number("b")?, x, 1.0 - x))]
    }),
    ("chi_squared_sf", |inputs| {
        fields![("sf", chi_squared_sf(inputs.number("x")?, inputs.number("df")?))]
    }),
    ("f_sf", |inputs| {
        let (df1, df2) = (inputs.number("df1")?, inputs.number("df2")?);
        fields![("sf", f_sf(inputs.number("f")?, df1, df2))]
    }),
    ("studentized_range_quantile", |inputs| {
        let (k, df) = range_size(inputs)?;
        fields![("q", studentized_range_quantile(inputs.number("prob")?, k, df)?)]
    }),
    ("studentized_range_cdf", |inputs| {
        let (k, df) = range_size(inputs)?;
        fields![("cdf", studentized_range_cdf(inputs.number("q")?, k, df)?)]
    }),
];

/// Systems and degrees of freedom, `"inf"` for a known standard deviation.
fn range_size(inputs: &Inputs<'_>) -> Option<(u32, f64)> {
    let df = inputs.value("df")?;
    let df = df.as_f64().or_else(|| df.as_str()?.parse().ok())?;
    Some((u32::try_from(inputs.count("k")?).ok()?, df))
}
