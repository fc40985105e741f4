//! Tails and quantiles of the normal, Student's t, beta, binomial and hypergeometric distributions;
//! further distributions one file each.
//!
//! Owns what must be kept in mind about `statrs`, of which only special functions are used: its
//! incomplete beta function stops after 140 terms whether or not it has converged, its error
//! function is right to ten digits only, and its t quantile is off in the fifth digit at a million
//! degrees of freedom. Tails are computed as tails, never as one minus the rest, so that small
//! p-values keep their digits.

pub mod chi_squared;
mod counting;
pub mod fisher_f;
mod quadrature;

pub(in crate::stats) mod root;
pub mod studentized_range;

pub(in crate::stats) use quadrature::integrate;

use std::f64::consts::{PI, SQRT_2};

use statrs::function::erf::erfc_inv;
use statrs::function::gamma::ln_gamma;

pub use self::counting::{
    binomial_cdf, binomial_masses, binomial_pmf, hypergeometric_pmf, ln_binomial_density,
};
use self::root::bisect;

/// Degrees of freedom above which t is read through Wallace's normal transformation, whose
/// relative error there is below 1e-12 up to forty standard errors.
const WALLACE_DF: f64 = 1e8;

/// Values of t, at no more than [`WALLACE_DF`], whose tail is its leading term in double precision.
const FAR: f64 = 1e100;

/// A p-value as it may be reported: never 0, never above 1.
pub fn reportable_p(p: f64) -> f64 {
    p.clamp(f64::MIN_POSITIVE, 1.0)
}

/// P(Z > z) for a standard normal Z.
///
/// ½·Q(½, z²/2) (DLMF 7.11.2): the library's error function keeps only ten digits.
pub fn normal_sf(z: f64) -> f64 {
    let beyond = 0.5 * chi_squared::chi_squared_sf(z * z, 1.0);
    if z < 0.0 { 1.0 - beyond } else { beyond }
}

/// Density of a standard normal at z.
pub(in crate::stats) fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// The z with P(Z > z) = `tail`, for `tail` in (0, 1).
pub fn normal_upper_quantile(tail: f64) -> f64 {
    let z = SQRT_2 * erfc_inv(2.0 * tail);
    let step = (normal_sf(z) - tail) / normal_density(z);
    if step.is_finite() { z + step } else { z }
}

/// The z that bounds the central share `level` of a standard normal: 1.96 for 0.95.
pub fn normal_two_sided(level: f64) -> f64 {
    normal_upper_quantile(0.5 * (1.0 - level))
}

/// Reportable two-sided p-value of a standard normal statistic.
pub fn normal_two_sided_p(z: f64) -> f64 {
    reportable_p(2.0 * normal_sf(z.abs()))
}

/// P(T > t) for Student's t with `df` > 0 degrees of freedom, not necessarily whole.
///
/// ½·I(df/2, ½) at df/(df + t²) (DLMF 8.17); beyond 1e8 degrees of freedom Wallace (1959).
pub fn t_sf(t: f64, df: f64) -> f64 {
    if t < 0.0 {
        return 1.0 - t_sf(-t, df);
    }
    if df > WALLACE_DF {
        return normal_sf(wallace_factor(df) * (df * (t * t / df).ln_1p()).sqrt());
    }
    if t.is_infinite() {
        return 0.0;
    }
    if t > FAR {
        return far_t_sf(t, df);
    }
    let total = df + t * t;
    0.5 * incomplete_beta(0.5 * df, 0.5, df / total, t * t / total)
}

/// The first term of I(a, ½) at x = df/t² with a = df/2, xᵃ/(a·B(a, ½)) (DLMF 8.17.7): the next is
/// smaller by x. Neither t² nor x are formed, which are beyond the range of numbers.
fn far_t_sf(t: f64, df: f64) -> f64 {
    let a = 0.5 * df;
    let ln_beta = ln_gamma(a) + 0.5 * PI.ln() - ln_gamma(a + 0.5);
    0.5 * (a * (df.ln() - 2.0 * t.ln()) - a.ln() - ln_beta).exp()
}

/// The t with P(T > t) = `tail`, for `tail` in [0, ½] and `df` > 0.
pub fn t_upper_quantile(tail: f64, df: f64) -> f64 {
    if tail <= 0.0 {
        return f64::INFINITY;
    }
    if df > WALLACE_DF {
        let z = normal_upper_quantile(tail) / wallace_factor(df);
        return (df * (z * z / df).exp_m1()).sqrt();
    }
    let mut beyond = 4.0;
    while t_sf(beyond, df) > tail && beyond < f64::MAX / 4.0 {
        beyond *= 4.0;
    }
    bisect(0.0, beyond, |t| t_sf(t, df) >= tail)
}

/// Reportable two-sided p-value of a t statistic.
pub fn t_two_sided_p(t: f64, df: f64) -> f64 {
    reportable_p(2.0 * t_sf(t.abs(), df))
}

/// Wallace (1959), *Annals of Mathematical Statistics* 30: t with df degrees of freedom is close
/// to normal as factor · √(df·ln(1 + t²/df)).
fn wallace_factor(df: f64) -> f64 {
    (8.0 * df + 1.0) / (8.0 * df + 3.0)
}

/// The regularised incomplete beta function I(a, b) at `x` in [0, 1], for positive a and b, with
/// y = 1 − x given apart, so that an x next to 1 keeps its digits.
pub(in crate::stats) fn incomplete_beta(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    let front = ln_binomial_density(a, a + b, x, y).exp() * a * b / (a + b);
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x) / a
    } else {
        1.0 - front * beta_fraction(b, a, y) / b
    }
}

/// Continued fraction of the incomplete beta function (DLMF 8.17.22) by the modified Lentz
/// method, run until it converges: about √max(a, b) steps.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const MOST_STEPS: u32 = 100_000;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..MOST_STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    fraction
}

/// P(X = k) for X binomial with `m` fair trials, k ≤ m.
///
/// Loader (2000), *Fast and accurate computation of binomial probabilities*: the Stirling errors
/// and the deviance are computed apart, so no digits are lost at large m.
pub fn fair_binomial_pmf(k: u64, m: u64) -> f64 {
    let trials = m as f64;
    if k == 0 || k == m {
        return (-trials).exp2();
    }
    let (hits, misses) = (k as f64, (m - k) as f64);
    let apart = (hits - misses) / trials;
    let deviance =
        0.5 * trials * ((1.0 + apart) * apart.ln_1p() + (1.0 - apart) * (-apart).ln_1p());
    let stirling = stirling_error(trials) - stirling_error(hits) - stirling_error(misses);
    (stirling - deviance).exp() * (trials / (2.0 * PI * hits * misses)).sqrt()
}

/// P(X ≤ k) for X binomial with `m` fair trials, k ≤ m; terms are summed from small to large.
pub fn fair_binomial_cdf(k: u64, m: u64) -> f64 {
    const NEGLIGIBLE: f64 = 1e-18;
    let largest = fair_binomial_pmf(k.min(m / 2), m);
    let mut terms = Vec::new();
    let mut term = fair_binomial_pmf(k, m);
    for j in (0..=k).rev() {
        terms.push(term);
        if term <= largest * NEGLIGIBLE {
            break;
        }
        term *= j as f64 / (m - j + 1) as f64;
    }
    terms.iter().rev().sum::<f64>().min(1.0)
}

/// ln Γ(n + 1) − ln(√(2πn)·(n/e)ⁿ) for n > 0.
fn stirling_error(n: f64) -> f64 {
    const SERIES_FROM: f64 = 16.0;
    if n < SERIES_FROM {
        return ln_gamma(n + 1.0) - (n + 0.5) * n.ln() + n - 0.5 * (2.0 * PI).ln();
    }
    let square = n * n;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * square)) / square) / square) / n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_tails_of_t_keep_their_digits_where_the_square_overflows() {
        // With one degree of freedom t is Cauchy, P(T > t) = 1/(πt); with two 1/(2t²).
        for t in [1e99, 1e101, 1e150, 1e155, 1e200, 1e300] {
            let cauchy = 1.0 / (PI * t);
            assert!((t_sf(t, 1.0) / cauchy - 1.0).abs() < 1e-12, "{t}: {}", t_sf(t, 1.0));
        }
        assert!((t_sf(1e120, 2.0) * 2e240 - 1.0).abs() < 1e-12);
        assert_eq!((t_sf(1e200, 30.0), t_sf(-1e200, 1.0)), (0.0, 1.0));
        assert_eq!(t_two_sided_p(f64::MAX, 1e7), f64::MIN_POSITIVE);
    }
}
