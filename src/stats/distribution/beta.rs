//! Quantiles of the beta distribution.

use super::incomplete_beta;
use super::root::bisect;

/// The x with P(X ≤ x) = `tail` for X of a beta distribution with positive a and b.
pub fn beta_lower_quantile(tail: f64, a: f64, b: f64) -> f64 {
    bisect(0.0, 1.0, |x| incomplete_beta(a, b, x, 1.0 - x) <= tail)
}

/// The x with P(X > x) = `tail` for X of a beta distribution with positive a and b.
pub fn beta_upper_quantile(tail: f64, a: f64, b: f64) -> f64 {
    bisect(1.0, 0.0, |x| incomplete_beta(b, a, 1.0 - x, x) <= tail)
}
