//! Gates.

use serde::Serialize;

use crate::gate::GateEffect;
use crate::report::block::Icon;

#[derive(Debug, Clone, Serialize)]
pub struct GateView {
    /// `regression`, `mismatch`, `missing`, `warning`, `expectation`, or the name of a declared one.
    pub name: String,
    /// What it asks for, in English.
    pub rule: String,
    /// `pass`, `fail`, `inconclusive`, `not-gateable`.
    pub outcome: &'static str,
    /// Of a declared one: `critical`, `supporting`, `advisory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<&'static str>,
    /// Of a declared one, what an inconclusive outcome counts as: `pass`, `fail`, `warn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inconclusive: Option<&'static str>,
    /// Why it says so, in English.
    pub reason: String,
    /// The rule in the report's language.
    #[serde(skip)]
    pub local_rule: String,
    /// The reason in the report's language.
    #[serde(skip)]
    pub local_reason: String,
    /// What it does to the exit status.
    #[serde(skip)]
    pub effect: GateEffect,
    /// Whether it passed, or counts as passed.
    #[serde(skip)]
    pub passes: bool,
    /// The metric by which a declared gate is closed.
    #[serde(skip)]
    pub metric: Option<String>,
    #[serde(skip)]
    pub icon: Icon,
    /// The end of the key of the catalogue for its outcome.
    #[serde(skip)]
    pub word: &'static str,
}
