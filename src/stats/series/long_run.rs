//! The standard error of the mean of an autocorrelated series.

use super::autocorrelation::covariances;

/// The lag up to which [`hac_stderr_of_mean`] usually looks: ⌊4·(n/100)^(2/9)⌋ (Newey and West
/// 1994, *Review of Economic Studies* 61).
pub fn bartlett_lag(n: usize) -> usize {
    (4.0 * (n as f64 / 100.0).powf(2.0 / 9.0)).floor() as usize
}

/// Standard error of the mean that allows for autocorrelation up to a lag (Newey and West 1987,
/// *Econometrica* 55): covariances with Bartlett's weights 1 − l/(lag + 1), which keep the sum
/// from being negative; no small-sample factor. `None` without values.
pub fn hac_stderr_of_mean(y: &[f64], lag: usize) -> Option<f64> {
    let (at_0, others) = covariances(y, lag);
    let weight = |l: usize| 1.0 - l as f64 / (lag as f64 + 1.0);
    let weighted: f64 = others.iter().zip(1..).map(|(one, l)| weight(l) * one).sum();
    (!y.is_empty()).then(|| ((at_0 + 2.0 * weighted).max(0.0) / y.len() as f64).sqrt())
}
