//! Normal quantiles of intervals that hold together.

use crate::stats::distribution::normal_upper_quantile;

/// The z that each of `m` intervals must use so that all hold together with the share `level`,
/// whatever their dependence (Bonferroni). `None` for no interval or a level outside (0, 1).
pub fn bonferroni_critical(m: u64, level: f64) -> Option<f64> {
    asked(m, level).then(|| normal_upper_quantile(0.5 * (1.0 - level) / m as f64))
}

/// As [`bonferroni_critical`], for independent estimates (Šidák 1967): each at level^(1/m).
pub fn sidak_critical(m: u64, level: f64) -> Option<f64> {
    asked(m, level).then(|| normal_upper_quantile(-0.5 * (level.ln() / m as f64).exp_m1()))
}

fn asked(m: u64, level: f64) -> bool {
    m >= 1 && level > 0.0 && level < 1.0
}
