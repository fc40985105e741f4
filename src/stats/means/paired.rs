//! Means of paired differences.

use super::one::{has_spread, t_test};
use crate::stats::{DifferenceSample, Test};

/// Student's paired t test (Student 1908); `None` below two pairs or without spread.
pub fn paired_t(sample: &DifferenceSample) -> Option<Test> {
    let differences = sample.differences;
    let stderr = differences.stderr().filter(|_| varies(sample))?;
    Some(t_test("paired-t", differences.mean / stderr, (differences.n - 1) as f64))
}

/// Whether the differences vary by more than the rounding of the scores they come from.
pub(in crate::stats) fn varies(sample: &DifferenceSample) -> bool {
    let scale = sample.baseline.mean.abs().max(sample.candidate.mean.abs());
    has_spread(sample.differences, scale)
}

/// Standard error of a difference of two means whose samples correlate by `correlation`, from the
/// standard errors of either (Miller 2024, arXiv 2411.00640, section 4): √(a² + b² − 2·a·b·ρ).
pub fn paired_stderr(first: f64, second: f64, correlation: f64) -> f64 {
    let apart = first - second;
    (apart * apart + 2.0 * first * second * (1.0 - correlation)).max(0.0).sqrt()
}
