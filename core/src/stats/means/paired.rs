//! Means of paired differences.

use super::student::{has_spread, t_test};
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
