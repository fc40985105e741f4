//! Means of paired differences.

use super::one::has_spread;
use crate::stats::distribution::t_two_sided_p;
use crate::stats::{DifferenceSample, Test};

/// Student's paired t test (Student 1908); `None` below two pairs or without spread.
pub fn paired_t(sample: &DifferenceSample) -> Option<Test> {
    let differences = sample.differences;
    let stderr = differences.stderr().filter(|_| varies(sample))?;
    let t = differences.mean / stderr;
    Some(Test {
        method: "paired-t",
        p: t_two_sided_p(t, (differences.n - 1) as f64),
        statistic: Some(t),
        attainable: None,
    })
}

/// Whether the differences vary by more than the rounding of the scores they come from.
pub(in crate::stats) fn varies(sample: &DifferenceSample) -> bool {
    let scale = sample.baseline.mean.abs().max(sample.candidate.mean.abs());
    has_spread(sample.differences, scale)
}
