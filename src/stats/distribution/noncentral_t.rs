//! The noncentral t distribution, which tells the power of t tests.
//!
//! T = (Z + ncp)/S with Z standard normal and S² an independent χ²/df. Given S = s, T exceeds t
//! with probability Φ(ncp − t·s); that is averaged over the density of S. Where Φ is 1 to the
//! last digit, the average is a χ² probability; the rest is a short integral of a smooth function.

use std::f64::consts::{LN_2, PI};

use super::chi_squared::chi_squared_cdf;
use super::quadrature::integrate;
use super::{normal_sf, stirling_error};

/// Standard errors beyond which a normal tail is nothing beside 1.
const REACH: f64 = 9.0;

/// P(T > t) for noncentral t with `df` ≥ 1 and noncentrality `ncp`, both finite, to about twelve
/// decimals.
pub fn noncentral_t_sf(t: f64, df: f64, ncp: f64) -> f64 {
    if t < 0.0 {
        return 1.0 - noncentral_t_sf(-t, df, -ncp);
    }
    if t == 0.0 {
        return normal_sf(-ncp);
    }
    let certain = ((ncp - REACH) / t).max(0.0);
    let spread = 1.0 / df.sqrt();
    let from = certain.max(1.0 - 10.0 * spread);
    let to = ((ncp + REACH) / t).min(1.0 + 10.0 * spread);
    let sure = if certain > 0.0 { chi_squared_cdf(df * certain * certain, df) } else { 0.0 };
    if to <= from {
        return sure;
    }
    let panels = (2.0 * (to - from) * t.max(1.0 / spread)).ceil().clamp(8.0, 400.0) as u32;
    // In the cube root of s the density is smooth at 0 for any number of degrees of freedom.
    let rest = integrate(from.cbrt(), to.cbrt(), panels, |root| {
        let s = root.powi(3);
        normal_sf(t * s - ncp) * scale_density(s, df) * 3.0 * root * root
    });
    (sure + rest).clamp(0.0, 1.0)
}

/// Density of S = √(χ²/df) at s > 0; Stirling's formula keeps its digits at large df.
fn scale_density(s: f64, df: f64) -> f64 {
    let (x, apart) = (0.5 * df, s - 1.0);
    let exponent = apart * (2.0 + apart) - 2.0 * s.ln();
    let log = LN_2 + 0.5 * (x / (2.0 * PI)).ln() - stirling_error(x) - x * exponent - s.ln();
    log.exp()
}
