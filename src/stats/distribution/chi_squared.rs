//! The χ² distribution, by way of the regularised incomplete gamma function.

use std::f64::consts::PI;

use super::counting::deviance;
use super::root::bisect;
use super::{normal_sf, normal_upper_quantile, stirling_error};

/// Degrees of freedom above which the cube root of χ² is taken for normal (Wilson and Hilferty
/// 1931, *PNAS* 17); its error there is below the resolution of the ratio χ²/df.
const WILSON_HILFERTY_DF: f64 = 1e8;

/// P(X < x) for χ² with `df` > 0 degrees of freedom, not necessarily whole.
pub fn chi_squared_cdf(x: f64, df: f64) -> f64 {
    if df > WILSON_HILFERTY_DF {
        return normal_sf(-cube_root_score(x, df));
    }
    lower_and_upper(0.5 * df, 0.5 * x).0
}

/// P(X > x) for χ² with `df` > 0 degrees of freedom.
pub fn chi_squared_sf(x: f64, df: f64) -> f64 {
    if df > WILSON_HILFERTY_DF {
        return normal_sf(cube_root_score(x, df));
    }
    lower_and_upper(0.5 * df, 0.5 * x).1
}

/// The x with P(X > x) = `tail`, for `tail` in (0, 1) and `df` > 0.
pub fn chi_squared_upper_quantile(tail: f64, df: f64) -> f64 {
    let spread = 2.0 / (9.0 * df);
    if df > WILSON_HILFERTY_DF {
        return df * (1.0 - spread + normal_upper_quantile(tail) * spread.sqrt()).powi(3);
    }
    if tail > 0.5 {
        return chi_squared_lower_quantile(1.0 - tail, df);
    }
    last_below(df, |x| chi_squared_sf(x, df) >= tail)
}

/// The x with P(X < x) = `tail`, for `tail` in (0, 1) and `df` > 0; to be preferred for small
/// tails, of which the rest to 1 has lost the digits.
pub fn chi_squared_lower_quantile(tail: f64, df: f64) -> f64 {
    if tail > 0.5 || df > WILSON_HILFERTY_DF {
        return chi_squared_upper_quantile(1.0 - tail, df);
    }
    last_below(df, |x| chi_squared_cdf(x, df) <= tail)
}

/// The last x ≥ 0 of which `below` holds.
fn last_below(df: f64, below: impl Fn(f64) -> bool) -> f64 {
    let mut beyond = df.max(1.0);
    while below(beyond) && beyond < f64::MAX / 4.0 {
        beyond *= 2.0;
    }
    let mut inside = 0.5 * beyond;
    while inside > 0.0 && !below(inside) {
        (inside, beyond) = (0.5 * inside, inside);
    }
    bisect(inside, beyond, below)
}

/// The standard normal score of x after Wilson and Hilferty.
fn cube_root_score(x: f64, df: f64) -> f64 {
    let spread = 2.0 / (9.0 * df);
    ((x / df).cbrt() - 1.0 + spread) / spread.sqrt()
}

/// The regularised incomplete gamma functions P(a, x) and Q(a, x) = 1 − P(a, x), a > 0. Whichever
/// is the smaller is computed, the other is the rest.
fn lower_and_upper(a: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if x.is_infinite() {
        return (1.0, 0.0);
    }
    // x^a·e^(−x)/Γ(a + 1), by Loader (2000).
    let front = (-stirling_error(a) - deviance(a, x)).exp() / (2.0 * PI * a).sqrt();
    if x < a + 1.0 {
        let lower = (front * ascending_series(a, x)).min(1.0);
        (lower, 1.0 - lower)
    } else {
        let upper = (front * a * upper_fraction(a, x)).min(1.0);
        (1.0 - upper, upper)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_tiny_lower_tails_keep_their_digits() {
        // With two degrees of freedom P(X < x) = 1 − e^(−x/2), so x = −2·ln(1 − p).
        for p in [1e-200_f64, 1e-30, 1e-12, 0.3, 0.7] {
            let x = -2.0 * (-p).ln_1p();
            let found = chi_squared_lower_quantile(p, 2.0);
            assert!((found / x - 1.0).abs() < 1e-10, "{p}: {found} {x}");
        }
    }
}
