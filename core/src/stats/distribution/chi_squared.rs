//! The χ² distribution, by way of the regularised incomplete gamma function.

use std::f64::consts::PI;

use super::counting::deviance;
use super::stirling_error;

/// P(X > x) for χ² with `df` > 0 degrees of freedom, not necessarily whole: Q(df/2, x/2).
pub fn chi_squared_sf(x: f64, df: f64) -> f64 {
    upper_gamma(0.5 * df, 0.5 * x)
}

/// The regularised incomplete gamma function Q(a, x), a > 0: of it and P(a, x) = 1 − Q(a, x) the
/// smaller is computed.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    if x.is_infinite() {
        return 0.0;
    }
    // x^a·e^(−x)/Γ(a + 1), by Loader (2000).
    let front = (-stirling_error(a) - deviance(a, x)).exp() / (2.0 * PI * a).sqrt();
    if x < a + 1.0 {
        1.0 - (front * ascending_series(a, x)).min(1.0)
    } else {
        (front * a * upper_fraction(a, x)).min(1.0)
    }
}

/// Σ xᵏ/((a + 1)…(a + k)) from k = 0 (DLMF 8.7.1), for x < a + 1.
fn ascending_series(a: f64, x: f64) -> f64 {
    let (mut sum, mut term, mut divisor) = (1.0, 1.0, a);
    while term > sum * f64::EPSILON * 0.1 {
        divisor += 1.0;
        term *= x / divisor;
        sum += term;
    }
    sum
}

/// Γ(a, x)·eˣ/xᵃ by the continued fraction DLMF 8.9.2 and the modified Lentz method, x ≥ a + 1.
fn upper_fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const MOST_STEPS: u32 = 1_000_000;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for step in 1..MOST_STEPS {
        let k = f64::from(step);
        let numerator = -k * (k - a);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        fraction *= d * c;
        if (d * c - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    fraction
}
