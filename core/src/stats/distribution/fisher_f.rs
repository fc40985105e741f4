//! Upper tail of Fisher's F distribution.

use super::incomplete_beta;

/// P(X > f) for X with Fisher's F distribution of `df1`, `df2` > 0 degrees of freedom:
/// I(df2/2, df1/2) at df2/(df2 + df1·f) (DLMF 8.17). 1 at and below 0, NaN for a NaN.
pub fn f_sf(f: f64, df1: f64, df2: f64) -> f64 {
    if f.is_nan() || !(df1 > 0.0 && df2 > 0.0) {
        return f64::NAN;
    }
    if f <= 0.0 {
        return 1.0;
    }
    let between = df1 * f;
    if between.is_infinite() {
        return 0.0;
    }
    let total = df2 + between;
    incomplete_beta(0.5 * df2, 0.5 * df1, df2 / total, between / total)
}
