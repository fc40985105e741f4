//! Data files that a run was trained or evaluated on.

use serde::{Deserialize, Serialize};

use super::{RowKeys, Source, packed};

/// What a data file was used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataRole {
    Train,
    Eval,
    /// Whatever names it does not say.
    Unspecified,
}

impl DataRole {
    /// The name in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Eval => "eval",
            Self::Unspecified => "unspecified",
        }
    }
}

/// What names a data file, the most reliable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataOrigin {
    /// A key of a configuration.
    Config,
    /// An argument of the command line that a configuration or metadata records.
    Command,
    /// A line of a log.
    Log,
}

impl DataOrigin {
    /// The name in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Command => "command",
            Self::Log => "log",
        }
    }
}

/// One data file that a run names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataFile {
    pub role: DataRole,
    pub origin: DataOrigin,
    /// Configuration key, option or phrase that names it.
    pub key: String,
    /// Path as it is written there.
    pub declared: String,
    pub source: Source,
    /// What is in it; `None` when it is not on this machine.
    pub content: Option<DataContent>,
    /// Whether it was not read although something may be there: it lies where the run may not reach, or
    /// cannot be opened.
    pub is_withheld: bool,
}

impl DataFile {
    /// Whether it is named by an address, a variable or a home directory, which are not looked up.
    pub fn is_elsewhere(&self) -> bool {
        lies_elsewhere(&self.declared)
    }

    /// Whether it was looked for and is not on this machine, or could not be looked for.
    pub fn is_gone(&self) -> bool {
        self.content.is_none() && !self.is_withheld
    }

    /// The file's own name, without directories.
    pub fn name(&self) -> &str {
        let whole = self.declared.trim_end_matches(['/', '\\']);
        whole.rsplit(['/', '\\']).next().unwrap_or(whole)
    }
}

/// Whether a name is an address (`s3://…`), or begins with a variable or a home directory.
pub fn lies_elsewhere(name: &str) -> bool {
    let scheme = name.split_once("://").map_or("", |(scheme, _)| scheme);
    let is_address = scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_address || name.starts_with(['~', '$'])
}

/// What is in a data file, or in all files of a directory or pattern together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataContent {
    pub path: String,
    pub files: u64,
    pub bytes: u64,
    /// SHA-256 of the bytes, lower-case hexadecimal. Of several files that of the list of their
    /// hashes and names, as `sha256sum` prints it.
    pub sha256: String,
    /// Number of records; `None` when the file is not a table of records, or was not read to its
    /// end.
    pub rows: Option<u64>,
    /// Records that were read. Fewer than there are when the file is beyond the limits of reading.
    pub rows_read: u64,
    /// Whether reading stopped at a limit.
    pub partial: bool,
    /// Lines that are no records: how many, and the first of them.
    pub malformed: Option<(u64, u64)>,
    /// Columns in the order of first appearance.
    pub columns: Vec<ColumnProfile>,
    /// The queries that records belong to, where several records belong to one.
    pub queries: Option<Queries>,
    pub duplicates: Duplicates,
    pub keys: RowKeys,
}

/// Records that repeat an earlier one of the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Duplicates {
    /// Records with the content of an earlier one.
    pub rows: u64,
    /// Places of the first such record and of the one that it repeats: positions in [`RowKeys`].
    pub first: Option<(u32, u32)>,
    /// Records with the id of an earlier one and other content.
    pub ids: u64,
}

/// Queries and how many of them have a positive sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Queries {
    /// Column that says the query.
    pub column: String,
    /// Column that says which samples are positive: a switch, or a reward above 0.
    pub positive_column: String,
    pub n: u64,
    /// Those with at least one positive sample.
    pub positive: u64,
}

/// Summary of one column of a data file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnProfile {
    pub name: String,
    /// Records where something is written.
    pub n: u64,
    pub summary: ColumnSummary,
    /// How often each value occurs, the most frequent first; empty where they are many.
    pub values: Vec<(String, u64)>,
}

/// What all written values of a column are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnSummary {
    Flag {
        /// Records where it is true.
        yes: u64,
    },
    /// Finite numbers.
    Number {
        #[serde(with = "packed::number")]
        mean: f64,
        /// Standard deviation with n - 1; `None` below two values.
        sd: Option<f64>,
        #[serde(with = "packed::number")]
        min: f64,
        #[serde(with = "packed::number")]
        max: f64,
    },
    Text {
        /// Mean length in characters.
        #[serde(with = "packed::number")]
        mean_chars: f64,
        /// Length of the longest in characters.
        max_chars: u64,
    },
    Nested,
    /// Values of several kinds, or numbers that are not finite.
    Mixed,
}

impl ColumnSummary {
    /// The name of the kind in `report.json`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Flag { .. } => "flag",
            Self::Number { .. } => "number",
            Self::Text { .. } => "text",
            Self::Nested => "nested",
            Self::Mixed => "mixed",
        }
    }
}
