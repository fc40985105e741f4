//! Gates.

use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct GateView {
    /// What it asks for: `regression`, `mismatch`, `missing`, `warning`, `expectation`.
    pub name: String,
    pub rule: String,
    /// `pass`, `fail`, `inconclusive`, `not-gateable`.
    pub outcome: &'static str,
    /// Why it says so, in English.
    pub reason: String,
    /// The same in the report's language.
    #[serde(skip)]
    pub local_reason: String,
}
