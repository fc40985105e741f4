//! Tails and quantiles of distributions.

use super::{Fields, Inputs, Recompute, number};
use crate::stats::distribution::chi_squared::chi_squared_sf;
use crate::stats::distribution::fisher_f::f_sf;
use crate::stats::distribution::{incomplete_beta, normal_sf, t_sf, t_upper_quantile};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("student_t_quantile", student_t_quantile),
    ("student_t_sf", student_t_sf),
    ("normal_sf", normal_tail),
    ("regularized_incomplete_beta", beta),
    ("chi_squared_sf", chi_squared_tail),
    ("f_sf", fisher_f),
];

fn student_t_quantile(inputs: &Inputs) -> Option<Fields> {
    let (p, df) = (number(inputs, "p")?, number(inputs, "df")?);
    let t = if p < 0.5 { -t_upper_quantile(p, df) } else { t_upper_quantile(1.0 - p, df) };
    Some(vec![("t", vec![t])])
}

fn student_t_sf(inputs: &Inputs) -> Option<Fields> {
    Some(vec![("sf", vec![t_sf(number(inputs, "t")?, number(inputs, "df")?)])])
}

fn normal_tail(inputs: &Inputs) -> Option<Fields> {
    Some(vec![("sf", vec![normal_sf(number(inputs, "z")?)])])
}

fn beta(inputs: &Inputs) -> Option<Fields> {
    let (a, b, x) = (number(inputs, "a")?, number(inputs, "b")?, number(inputs, "x")?);
    Some(vec![("I", vec![incomplete_beta(a, b, x, 1.0 - x)])])
}

fn fisher_f(inputs: &Inputs) -> Option<Fields> {
    let (df1, df2) = (number(inputs, "df1")?, number(inputs, "df2")?);
    Some(vec![("sf", vec![f_sf(number(inputs, "f")?, df1, df2)])])
}

fn chi_squared_tail(inputs: &Inputs) -> Option<Fields> {
    Some(vec![("sf", vec![chi_squared_sf(number(inputs, "x")?, number(inputs, "df")?)])])
}
