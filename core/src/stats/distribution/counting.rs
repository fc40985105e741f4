//! Probabilities of counts: the binomial and the hypergeometric distribution.
//!
//! Densities follow Loader (2000), *Fast and accurate computation of binomial probabilities*: the
//! Stirling errors and the deviances are computed apart, so no digits are lost in large samples.

use std::f64::consts::PI;

use super::{incomplete_beta, stirling_error};

/// P(X = k) for X binomial with `n` trials of probability `p`; 0 for k > n.
pub fn binomial_pmf(k: u64, n: u64, p: f64) -> f64 {
    if k > n {
        return 0.0;
    }
    ln_binomial_density(k as f64, n as f64, p, 1.0 - p).exp()
}

/// P(X = k) for every k up to n, by its ratios from the most probable one outwards, for a `p` in
/// (0, 1).
pub fn binomial_masses(n: u64, p: f64) -> Vec<f64> {
    let mode = (((n + 1) as f64 * p) as u64).min(n);
    let odds = p / (1.0 - p);
    let mut masses = vec![0.0; n as usize + 1];
    let peak = binomial_pmf(mode, n, p);
    masses[mode as usize] = peak;
    let mut mass = peak;
    for k in mode..n {
        mass *= (n - k) as f64 / (k + 1) as f64 * odds;
        masses[k as usize + 1] = mass;
    }
    mass = peak;
    for k in (1..=mode).rev() {
        mass *= k as f64 / ((n - k + 1) as f64 * odds);
        masses[k as usize - 1] = mass;
    }
    masses
}

/// P(X ≤ k) for X binomial with `n` trials of probability `p`.
pub fn binomial_cdf(k: u64, n: u64, p: f64) -> f64 {
    if k >= n {
        return 1.0;
    }
    incomplete_beta((n - k) as f64, k as f64 + 1.0, 1.0 - p, p)
}

/// P(X = k) for the number X of marked ones among `draws` from `marked` and `unmarked`; 0 for a k
/// that cannot be drawn.
pub fn hypergeometric_pmf(k: u64, marked: u64, unmarked: u64, draws: u64) -> f64 {
    if k > marked || k > draws || draws - k > unmarked {
        return 0.0;
    }
    let total = (marked + unmarked) as f64;
    let (p, q) = (draws as f64 / total, (marked + unmarked - draws) as f64 / total);
    let density = |k: u64, n: u64| ln_binomial_density(k as f64, n as f64, p, q);
    let all = density(draws, marked + unmarked);
    (density(k, marked) + density(draws - k, unmarked) - all).exp()
}

/// ln of Γ(n + 1)/(Γ(x + 1)·Γ(n − x + 1)) · pˣ·qⁿ⁻ˣ for 0 ≤ x ≤ n, not necessarily whole, and
/// q = 1 − p given apart.
pub fn ln_binomial_density(x: f64, n: f64, p: f64, q: f64) -> f64 {
    let power = |exponent: f64, base: f64, rest: f64| match exponent {
        0.0 => 0.0,
        _ if base > 0.5 => exponent * (-rest).ln_1p(),
        _ => exponent * base.ln(),
    };
    let others = n - x;
    if x == 0.0 || others == 0.0 {
        return power(x, p, q) + power(others, q, p);
    }
    if p <= 0.0 || q <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let stirling = stirling_error(n) - stirling_error(x) - stirling_error(others);
    let spread = 2.0 * PI * x * (others / n);
    stirling - deviance(x, n * p) - deviance(others, n * q) - 0.5 * spread.ln()
}

/// x·ln(x/m) + m − x, by its series where x is close to m.
pub(super) fn deviance(x: f64, m: f64) -> f64 {
    let apart = x - m;
    if apart.abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() + m - x;
    }
    let v = apart / (x + m);
    let mut sum = apart * v;
    let mut term = 2.0 * x * v;
    for odd in (3..).step_by(2).map(f64::from) {
        term *= v * v;
        let next = sum + term / odd;
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}
