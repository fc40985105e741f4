//! Standardised differences of two means.

use crate::stats::Moments;
use crate::stats::distribution::half_gamma_ratio;

/// Differences in units of the pooled standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StandardisedDifference {
    /// Cohen's d (1988, *Statistical Power Analysis*): difference over the pooled deviation.
    pub cohen_d: f64,
    /// Hedges' g (1981, *Journal of Educational Statistics* 6): d without its small-sample bias.
    pub hedges_g: f64,
    /// Hedges' g by the approximate factor 1 − 3/(4m − 1), m degrees of freedom, as other programs
    /// print it.
    pub hedges_g_approximate: f64,
}

/// Candidate − baseline; `None` below three values in total, with an empty arm, and without
/// spread within the arms.
pub fn standardised_difference(
    baseline: Moments,
    candidate: Moments,
) -> Option<StandardisedDifference> {
    let m = (baseline.n + candidate.n).checked_sub(2).filter(|m| *m > 0)? as f64;
    if baseline.n == 0 || candidate.n == 0 {
        return None;
    }
    let pooled = ((baseline.m2 + candidate.m2) / m).sqrt();
    let cohen_d = (candidate.mean - baseline.mean) / pooled;
    (pooled > 0.0).then(|| StandardisedDifference {
        cohen_d,
        hedges_g: cohen_d * half_gamma_ratio(0.5 * m),
        hedges_g_approximate: cohen_d * (1.0 - 3.0 / (4.0 * m - 1.0)),
    })
}
