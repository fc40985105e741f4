//! What was declared to be strange, and whether it is there.

use serde::Deserialize;

use super::figures::Changes;
use crate::compare::Comparison;
use crate::model::MetricNames;
use crate::rules::{Condition, Judgement, Label, Outcome, Reading};

/// One `[[phase.anomaly]]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnomalyRule {
    /// What is strange.
    pub name: Label,
    /// When it is there.
    pub when: Condition,
    /// What may be behind it.
    #[serde(default)]
    pub cause: Option<Label>,
    /// What to do then.
    #[serde(default)]
    pub response: Option<Label>,
}

/// A rule evaluated.
#[derive(Debug, Clone)]
pub struct Anomaly<'a> {
    /// The rule.
    pub rule: &'a AnomalyRule,
    /// Whether it is there, with the figures.
    pub judgement: Judgement,
}

impl Anomaly<'_> {
    /// The name in catalogues and `report.json`: `fired`, `quiet`, `cannot-tell`, `unknown`.
    pub fn state(&self) -> &'static str {
        match self.judgement.outcome {
            Outcome::Holds => "fired",
            Outcome::Fails => "quiet",
            Outcome::Unsure { .. } => "cannot-tell",
            Outcome::Unknown => "unknown",
        }
    }

    /// Whether some threshold is smaller than what this number of samples can show.
    pub fn is_below_noise(&self) -> bool {
        self.judgement.readings.iter().any(Reading::is_below_noise)
    }
}

/// Evaluates a rule over the comparisons of one candidate.
pub(super) fn judge<'a>(
    rule: &'a AnomalyRule,
    comparisons: &[Comparison<'_>],
    names: &MetricNames,
) -> Anomaly<'a> {
    Anomaly { rule, judgement: rule.when.judge(&Changes { comparisons, names }) }
}
