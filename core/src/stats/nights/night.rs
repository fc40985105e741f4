//! What is known of a night, and how often all metrics together may raise an alarm for nothing.

const NIGHTS_A_YEAR: f64 = 365.0;

/// The figure of one night.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Night {
    /// Finite.
    pub value: f64,
    /// Samples behind it.
    pub n: Option<u64>,
    /// Variance of the value were the same samples answered once more, at least 0.
    pub sampling_variance: Option<f64>,
}

/// The sampling variance of a mean of outcomes 0 or 1 from what changed between two nights over the
/// same samples: E(yₜ − yₜ₋₁)² of a sample is 2p(1 − p), so the variance of the mean of n is f/2n
/// with f the share of samples that changed. `None` without samples.
pub fn flip_variance(gained: u64, lost: u64, paired: u64) -> Option<f64> {
    let n = paired as f64;
    (paired > 0).then(|| (gained + lost) as f64 / (2.0 * n * n))
}

/// False alarms a year over all metrics together. Expectations add up under any dependence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlarmBudget {
    metrics: f64,
    false_alarms: f64,
}

impl AlarmBudget {
    /// So many false alarms a year for so many metrics; `None` where either is not above 0.
    pub fn new(metrics: u64, false_alarms_a_year: f64) -> Option<Self> {
        let is_sound = metrics > 0 && false_alarms_a_year > 0.0 && false_alarms_a_year.is_finite();
        is_sound.then_some(Self { metrics: metrics as f64, false_alarms: false_alarms_a_year })
    }

    /// ln T with T = 365·K/A: nights that the detector of one metric runs on average before it
    /// raises an alarm for nothing.
    pub fn log_threshold(self) -> f64 {
        (NIGHTS_A_YEAR * self.metrics / self.false_alarms).ln()
    }
}
