//! Evidence that may be looked at at any time: e-values instead of p-values.

use super::distribution::{ln_binomial_density, reportable_p};

/// Evidence against the hypothesis that discordant pairs fall either way like a fair coin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EValue {
    /// Natural logarithm of the e-value: of the factor by which a fair bet against the hypothesis
    /// would have multiplied its stake.
    pub log_e: f64,
    /// min(1, 1/e), in (0, 1]: a p-value that holds whenever the counting is stopped, also because
    /// of the result (Ville's inequality).
    pub anytime_p: f64,
}

/// The e-value of so many pairs in either direction under a uniform prior of their share: 2^m times
/// B(gained + 1, lost + 1) for m pairs in all, the likelihood of the pairs over that with a fair
/// coin (Robbins 1970, *Annals of Mathematical Statistics* 41).
pub fn discordant_e_value(gained: u64, lost: u64) -> EValue {
    let log_e = log_fair_beta(gained as f64 + 1.0, lost as f64 + 1.0) - log_fair_beta(1.0, 1.0);
    EValue { log_e, anytime_p: reportable_p((-log_e).exp()) }
}

/// ln of 2^(a+b)·B(a, b), without the cancellation of large logarithms.
fn log_fair_beta(a: f64, b: f64) -> f64 {
    (1.0 / a + 1.0 / b).ln() - ln_binomial_density(a, a + b, 0.5, 0.5)
}
