//! The runs of a report.

use indexmap::IndexMap;
use serde::Serialize;

use crate::model::{ConfigValue, Provenance, Source};

#[derive(Debug, Clone, Serialize)]
pub struct RunView {
    pub id: String,
    pub name: String,
    /// `baseline`, `candidate`, or `noise` for a run that only repeats the baseline.
    pub role: &'static str,
    /// Name of its arm: its own id where it is the arm's only run.
    pub arm: String,
    /// Path as given.
    pub path: String,
    pub readers: Vec<&'static str>,
    /// `complete`, `torn` or `partial`.
    pub status: &'static str,
    pub config: IndexMap<String, ConfigValue>,
    pub data_files: Vec<DataFileView>,
    pub provenance: Provenance,
}

#[derive(Debug, Clone, Serialize)]
pub struct DataFileView {
    /// `train`, `eval` or `unspecified`.
    pub role: &'static str,
    /// What names it: `config`, `command` or `log`.
    pub origin: &'static str,
    /// Key, option or phrase that names it.
    pub key: String,
    /// Path as it is written there.
    pub declared: String,
    pub source: Source,
    /// What is in it; `None` when it is not on this machine.
    pub content: Option<DataContentView>,
}

#[derive(Debug, Clone, Serialize)]
pub struct DataContentView {
    pub path: String,
    pub files: u64,
    pub bytes: u64,
    pub sha256: String,
    pub rows: Option<u64>,
    pub rows_read: u64,
    /// Whether reading stopped at a limit.
    pub partial: bool,
    /// Records that repeat an earlier one.
    pub repeated_rows: u64,
    /// Ids that stand over different records.
    pub ambiguous_ids: u64,
    /// Queries with a positive sample, where several records belong to one query.
    pub queries: Option<QueriesView>,
    pub columns: Vec<ColumnView>,
}

#[derive(Debug, Clone, Serialize)]
pub struct QueriesView {
    /// Column that says the query.
    pub column: String,
    /// Column that says which samples are positive.
    pub positive_column: String,
    pub n: u64,
    /// Those with at least one positive sample.
    pub positive: u64,
}

/// A column of a data file. What a column of its kind does not have is left out.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnView {
    pub name: String,
    /// `flag`, `number`, `text`, `nested` or `mixed`.
    pub kind: &'static str,
    /// Records where something is written.
    pub n: u64,
    /// Of a flag: records where it is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Of numbers: standard deviation with n - 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Of texts: mean length in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_chars: Option<f64>,
    /// Of texts: length of the longest in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_chars: Option<u64>,
    /// How often each value occurs, where they are few.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub values: IndexMap<String, u64>,
}
