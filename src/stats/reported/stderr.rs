//! Standard errors as evaluation harnesses print them.

use crate::stats::Counts;

/// Standard error of a share of outcomes 0 or 1, from the sample variance: √(p(1 − p)/(n − 1)), as
/// in `mean_stderr` of lm-evaluation-harness. `None` for one outcome.
pub fn share_stderr(counts: Counts) -> Option<f64> {
    let share = counts.share();
    (counts.n >= 2).then(|| (share * (1.0 - share) / (counts.n - 1) as f64).sqrt())
}

/// The number of outcomes behind a share and its [`share_stderr`]: p(1 − p)/s² + 1, not rounded.
/// `None` for a standard error of 0, which fits any number.
pub fn implied_size(share: f64, stderr: f64) -> Option<f64> {
    (stderr > 0.0).then(|| share * (1.0 - share) / (stderr * stderr) + 1.0)
}

/// Standard error of the mean over all samples of several tasks, each task given by its standard
/// error and its size: √Σ(nᵢ/N)²sᵢ². The tasks are taken as fixed.
pub fn weighted_stderr(tasks: &[(f64, u64)]) -> Option<f64> {
    let total = total(tasks)?;
    let parts = tasks.iter().map(|(stderr, n)| (*n as f64 / total * stderr).powi(2));
    Some(parts.sum::<f64>().sqrt())
}

/// What lm-evaluation-harness prints for a group of tasks (`pooled_sample_stderr`): the pooled
/// sample variance over the total size. Nearly [`weighted_stderr`]; `None` without a task of two
/// samples.
pub fn pooled_stderr(tasks: &[(f64, u64)]) -> Option<f64> {
    let total = total(tasks)?;
    let squares = tasks.iter().map(|(s, n)| n.saturating_sub(1) as f64 * *n as f64 * s * s);
    let freedom = total - tasks.len() as f64;
    (freedom > 0.0).then(|| (squares.sum::<f64>() / freedom / total).sqrt())
}

/// Standard error of the plain mean over tasks, each with equal weight: √Σsᵢ²/k.
pub fn macro_stderr(tasks: &[(f64, u64)]) -> Option<f64> {
    total(tasks)?;
    Some(tasks.iter().map(|(s, _)| s * s).sum::<f64>().sqrt() / tasks.len() as f64)
}

/// All samples of the tasks; `None` when there are none.
fn total(tasks: &[(f64, u64)]) -> Option<f64> {
    let total: f64 = tasks.iter().map(|(_, n)| *n as f64).sum();
    (total > 0.0).then_some(total)
}
