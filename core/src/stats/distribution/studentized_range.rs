//! The studentized range: the range of k standard normal values over an independent estimate of
//! their standard deviation.
//!
//! By Gauss–Legendre quadrature of the definition, to the ten digits that the library's error
//! function has; no tables.

use super::quadrature::{integrate, nodes};
use super::root::{boundary, bracket};
use super::{normal_density, normal_sf};

/// Beyond this many standard deviations the normal density is below 1e-16 of its top.
const NORMAL_REACH: f64 = 8.5;
/// Widest panel of the integral over normal values.
const NORMAL_PANEL: f64 = 1.25;
/// The density of the estimated deviation is cut off at e to the minus this, relative to its top.
const SCALE_REACH: f64 = 32.0;
/// Widest panels of the integral over the logarithm of the estimated deviation: around its top, in
/// standard deviations of it, and in the long lower tail of few degrees of freedom.
const SCALE_PANELS: [f64; 2] = [2.0, 2.0];
/// Where that tail begins, in standard deviations below the top.
const TAIL_FROM: f64 = 5.0;
/// Degrees of freedom above which the deviation is taken as known.
const KNOWN_SCALE_DF: f64 = 1e12;
/// Halvings that bring a quantile to about twelve digits.
const QUANTILE_HALVINGS: u32 = 44;

/// P(Q ≤ q) for the studentized range of `k` ≥ 2 values and `df` ≥ 1 degrees of freedom, infinite
/// when the standard deviation is known. `None` for fewer values or degrees of freedom.
///
/// With t the logarithm of the estimated deviation, whose density is proportional to
/// exp(df·(t − e²ᵗ/2)), the mean over t of the range's own distribution at q·eᵗ.
pub fn studentized_range_cdf(q: f64, k: u32, df: f64) -> Option<f64> {
    if k < 2 || df.is_nan() || df < 1.0 || q.is_nan() {
        return None;
    }
    if df > KNOWN_SCALE_DF {
        return Some(range_cdf(q, k));
    }
    let log_density = |t: f64| df * (t - 0.5 * (2.0 * t).exp_m1());
    let within = |t: f64| log_density(t) >= -SCALE_REACH;
    let (low, high) = (boundary(0.0, -2.0 * SCALE_REACH, within), boundary(0.0, 4.0, within));
    let spread = (2.0 * df).sqrt().recip();
    let tail_ends = (-TAIL_FROM * spread).max(low);
    let [top_panel, tail_panel] = SCALE_PANELS;
    let (mut mass, mut below) = (0.0, 0.0);
    let over = |low: f64, high: f64, widest: f64| nodes(low, high, panels(low, high, widest));
    for (t, weight) in
        over(low, tail_ends, tail_panel).chain(over(tail_ends, high, top_panel * spread))
    {
        let density = weight * log_density(t).exp();
        mass += density;
        below += density * range_cdf(q * t.exp(), k);
    }
    Some((below / mass).clamp(0.0, 1.0))
}

/// The q with P(Q ≤ q) = `probability`, for a probability in (0, 1); otherwise as
/// [`studentized_range_cdf`].
pub fn studentized_range_quantile(probability: f64, k: u32, df: f64) -> Option<f64> {
    if !(probability > 0.0 && probability < 1.0) {
        return None;
    }
    let below = |q: f64| studentized_range_cdf(q, k, df).is_some_and(|cdf| cdf < probability);
    studentized_range_cdf(1.0, k, df)?;
    let mut beyond = 8.0;
    while below(beyond) && beyond < 1e12 {
        beyond *= 8.0;
    }
    let (low, high) = bracket(0.0, beyond, QUANTILE_HALVINGS, below);
    Some(0.5 * (low + high))
}

/// P(range ≤ w) of `k` standard normal values:
/// (2Φ(w/2) − 1)ᵏ + 2k·∫ φ(z)·(Φ(z) − Φ(z − w))ᵏ⁻¹ dz over z > w/2 (Hartley 1942,
/// *Biometrika* 32).
fn range_cdf(w: f64, k: u32) -> f64 {
    if w <= 0.0 {
        return 0.0;
    }
    let half = 0.5 * w;
    if half >= NORMAL_REACH {
        return 1.0;
    }
    let k = f64::from(k);
    let cut = panels(half, NORMAL_REACH, NORMAL_PANEL);
    let integral = integrate(half, NORMAL_REACH, cut, |z| {
        let within = 1.0 - normal_sf(z) - normal_sf(w - z);
        normal_density(z) * within.powf(k - 1.0)
    });
    ((1.0 - 2.0 * normal_sf(half)).powf(k) + 2.0 * k * integral).min(1.0)
}

/// Equal panels of at most that width between two ends.
fn panels(low: f64, high: f64, widest: f64) -> u32 {
    ((high - low) / widest).ceil().max(0.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_or_degrees_of_freedom_and_improper_probabilities_are_refused() {
        assert_eq!(studentized_range_cdf(3.0, 1, 10.0), None);
        assert_eq!(studentized_range_cdf(3.0, 3, 0.5), None);
        assert_eq!(studentized_range_cdf(f64::NAN, 3, 10.0), None);
        assert_eq!(studentized_range_quantile(0.95, 1, 10.0), None);
        for probability in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(studentized_range_quantile(probability, 3, 10.0), None);
        }
    }

    #[test]
    fn the_ends_of_the_range_are_certain() {
        for df in [1.0, 7.5, 1e6, f64::INFINITY] {
            assert_eq!(studentized_range_cdf(-1.0, 4, df), Some(0.0), "{df}");
            assert_eq!(studentized_range_cdf(0.0, 4, df), Some(0.0), "{df}");
            assert_eq!(studentized_range_cdf(f64::INFINITY, 4, df), Some(1.0), "{df}");
        }
    }

    #[test]
    fn many_degrees_of_freedom_come_close_to_a_known_deviation() {
        let known = studentized_range_cdf(3.6, 5, f64::INFINITY).unwrap();
        for df in [1e8, 1e11, 1e13] {
            let estimated = studentized_range_cdf(3.6, 5, df).unwrap();
            assert!((estimated - known).abs() < 1e-7, "{df}: {estimated} and {known}");
        }
    }

    #[test]
    fn a_quantile_has_its_probability() {
        for (probability, k, df) in [(0.001, 3, 2.0), (0.95, 30, 1.0), (0.9999, 200, 12.0)] {
            let q = studentized_range_quantile(probability, k, df).unwrap();
            let back = studentized_range_cdf(q, k, df).unwrap();
            assert!((back - probability).abs() < 1e-9, "{k}, {df}: {q} has {back}");
        }
    }
}
