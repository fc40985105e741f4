//! The runs of a report.

use indexmap::IndexMap;
use serde::Serialize;

use crate::model::{ConfigValue, Provenance};

/// One run.
#[derive(Debug, Clone, Serialize)]
pub struct RunView {
    /// Unique id.
    pub id: String,
    /// Name.
    pub name: String,
    /// `baseline`, `candidate`, or `noise` for a run that only repeats the baseline.
    pub role: &'static str,
    /// Name of its arm: its own id where it is the arm's only run.
    pub arm: String,
    /// Path as given.
    pub path: String,
    /// Readers that contributed.
    pub readers: Vec<&'static str>,
    /// `complete`, `torn` or `partial`.
    pub status: &'static str,
    /// Flattened configuration.
    pub config: IndexMap<String, ConfigValue>,
    /// Origin.
    pub provenance: Provenance,
}
