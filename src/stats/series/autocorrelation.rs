//! Autocorrelation of a series.

/// The autocorrelations at lags 1 to `most`, at most n − 1 of them, with the biased covariances
/// (divided by n) that keep them within ±1. Empty for a constant series.
pub fn autocorrelations(y: &[f64], most: usize) -> Vec<f64> {
    let (at_0, covariances) = covariances(y, most);
    if at_0 > 0.0 { covariances.iter().map(|one| one / at_0).collect() } else { Vec::new() }
}

/// The autocorrelation of a first-order autoregression behind residuals of two estimated means or
/// of a line: the first lag, freed of the bias −(2 + 4ρ)/n that removing them leaves to first
/// order, and between 0 and 0.99. `None` below five values and for a constant series.
pub(super) fn persistence(residuals: &[f64]) -> Option<f64> {
    let n = residuals.len() as f64;
    let first = autocorrelations(residuals, 1).first().copied().filter(|_| residuals.len() > 4)?;
    Some(((n * first + 2.0) / (n - 4.0)).clamp(0.0, 0.99))
}

/// Covariance at lag 0, and those at lags 1 to `most`, at most n − 1 of them; divided by n.
pub(super) fn covariances(y: &[f64], most: usize) -> (f64, Vec<f64>) {
    let n = y.len() as f64;
    let mean = y.iter().sum::<f64>() / n;
    let constant = y.windows(2).all(|two| two[0] == two[1]);
    let apart: Vec<f64> = y.iter().map(|y| if constant { 0.0 } else { y - mean }).collect();
    let at = |lag: usize| {
        let later = apart.iter().skip(lag);
        apart.iter().zip(later).map(|(a, b)| a * b).sum::<f64>() / n
    };
    (at(0), (1..y.len().min(most.saturating_add(1))).map(at).collect())
}

/// Independent values that tell as much about the mean as `n` values of a first-order
/// autoregression with autocorrelation `r1`: n(1 − r1)/(1 + r1). More than n where neighbours
/// disagree.
pub fn effective_size(n: usize, r1: f64) -> f64 {
    n as f64 * (1.0 - r1) / (1.0 + r1)
}
