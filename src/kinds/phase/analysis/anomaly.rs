//! What was declared to be strange, and whether it is there.

use super::phase_figures::Changes;
use crate::compare::Comparison;
use crate::conditions::{ClauseOutcome, ConditionTruth, Judgement, Symptom};
use crate::model::MetricNames;

#[derive(Debug, Clone)]
pub struct Anomaly<'a> {
    pub rule: &'a Symptom,
    /// Whether it is there, with the figures.
    pub judgement: Judgement,
}

impl Anomaly<'_> {
    /// The name in catalogues and `report.json`: `fired`, `quiet`, `cannot-tell`, `unknown`.
    pub fn state(&self) -> &'static str {
        match self.judgement.outcome {
            ConditionTruth::Holds => "fired",
            ConditionTruth::Fails => "quiet",
            ConditionTruth::Unsure { .. } => "cannot-tell",
            ConditionTruth::Unknown => "unknown",
        }
    }

    /// Whether some threshold is smaller than what this number of samples can show.
    pub fn is_below_noise(&self) -> bool {
        self.judgement.readings.iter().any(ClauseOutcome::is_below_noise)
    }
}

/// Evaluates a rule over the comparisons of one candidate.
pub(super) fn judge<'a>(
    rule: &'a Symptom,
    comparisons: &[Comparison<'_>],
    names: &MetricNames,
) -> Anomaly<'a> {
    Anomaly { rule, judgement: rule.when.judge(&Changes { comparisons, names }) }
}
