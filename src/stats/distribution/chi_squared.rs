//! Upper tail of the chi-squared distribution.

use statrs::function::gamma::gamma_ur;

/// P(X > x) for X chi-squared with `df` > 0 degrees of freedom: the regularised upper incomplete
/// gamma function Q(df/2, x/2) (DLMF 8.2). 1 at and below 0, NaN for a NaN.
pub fn chi_squared_sf(x: f64, df: f64) -> f64 {
    if x.is_nan() || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if x <= 0.0 {
        return 1.0;
    }
    if x.is_infinite() {
        return 0.0;
    }
    gamma_ur(0.5 * df, 0.5 * x)
}
