//! Data files that a run was trained or evaluated on.

use super::Source;

/// What a data file was used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DataRole {
    /// Training.
    Train,
    /// Evaluation.
    Eval,
    /// The configuration does not say.
    Unspecified,
}

/// One data file named by a configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct DataFile {
    /// What it was used for.
    pub role: DataRole,
    /// Configuration key that names it.
    pub key: String,
    /// Path as the configuration writes it.
    pub declared: String,
    /// Where the configuration names it.
    pub source: Source,
    /// What is in it; `None` when it is not on this machine.
    pub content: Option<DataContent>,
}

impl DataFile {
    /// The file's own name, without directories.
    pub fn name(&self) -> &str {
        self.declared.rsplit(['/', '\\']).next().unwrap_or(&self.declared)
    }
}

/// What is in a data file.
#[derive(Debug, Clone, PartialEq)]
pub struct DataContent {
    /// Path it was found at.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the bytes, lower-case hexadecimal.
    pub sha256: String,
    /// Number of records; `None` when the file is not a table of records.
    pub rows: Option<u64>,
    /// Columns in the order of first appearance.
    pub columns: Vec<ColumnProfile>,
}

/// Summary of one column of a data file.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnProfile {
    /// A column of switches.
    Flag {
        /// Column name.
        name: String,
        /// Records where it is true.
        yes: u64,
        /// Records where it is written.
        n: u64,
    },
    /// A column of numbers.
    Number {
        /// Column name.
        name: String,
        /// Arithmetic mean of the finite values.
        mean: f64,
        /// Smallest finite value.
        min: f64,
        /// Largest finite value.
        max: f64,
        /// Finite values.
        n: u64,
    },
    /// Anything else.
    Other {
        /// Column name.
        name: String,
        /// Records where it is written.
        n: u64,
    },
}

impl ColumnProfile {
    /// Column name.
    pub fn name(&self) -> &str {
        match self {
            Self::Flag { name, .. } | Self::Number { name, .. } | Self::Other { name, .. } => name,
        }
    }
}
