//! Gates.

use serde::Serialize;

/// One gate.
#[derive(Debug, Clone, Serialize)]
pub struct GateView {
    /// Name.
    pub name: String,
    /// Rule in words.
    pub rule: String,
    /// `pass`, `fail`, `inconclusive`, `not_gateable`.
    pub outcome: &'static str,
    /// Why.
    pub reason: String,
    /// Why, in the report's language.
    #[serde(skip)]
    pub local_reason: String,
}
