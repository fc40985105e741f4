//! Autocorrelation of a series.

/// The autocorrelations at lags 1 to `most`, at most n − 1 of them, with the biased covariances
/// (divided by n) that keep them within ±1. Empty for a constant series.
pub fn autocorrelations(y: &[f64], most: usize) -> Vec<f64> {
    if y.windows(2).all(|two| two[0] == two[1]) {
        return Vec::new();
    }
    let n = y.len() as f64;
    let mean = y.iter().sum::<f64>() / n;
    let apart: Vec<f64> = y.iter().map(|y| y - mean).collect();
    let covariance = |lag: usize| {
        let later = apart.iter().skip(lag);
        apart.iter().zip(later).map(|(a, b)| a * b).sum::<f64>() / n
    };
    let variance = covariance(0);
    if variance <= 0.0 {
        return Vec::new();
    }
    (1..y.len().min(most.saturating_add(1))).map(|lag| covariance(lag) / variance).collect()
}

/// The autocorrelation of a first-order autoregression behind residuals of two estimated means or
/// of a line: the first lag, freed of the bias −(2 + 4ρ)/n that removing them leaves to first
/// order, and between 0 and 0.99. `None` below five values and for a constant series.
pub(super) fn persistence(residuals: &[f64]) -> Option<f64> {
    let n = residuals.len() as f64;
    let first = autocorrelations(residuals, 1).first().copied().filter(|_| residuals.len() > 4)?;
    Some(((n * first + 2.0) / (n - 4.0)).clamp(0.0, 0.99))
}
