//! Where a figure was read.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::diag::Location;

/// Endings of files in which commands stand, of which a setting is told from one of a configuration file.
pub const ENDS_WITH_COMMANDS: &[&str] = &["log", "txt", "out", "sh", "slurm", "sbatch"];

/// Where a figure was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Path as a person would type it.
    pub path: Arc<str>,
    pub line: Option<u64>,
    /// Key inside the document, for example `results.gsm8k.exact_match,strict-match`.
    pub key: Option<String>,
}

impl Source {
    pub fn key(path: &Arc<str>, key: impl Into<String>) -> Self {
        Self { path: Arc::clone(path), line: None, key: Some(key.into()) }
    }

    pub fn line(path: &Arc<str>, line: u64, key: impl Into<String>) -> Self {
        Self { path: Arc::clone(path), line: Some(line), key: Some(key.into()) }
    }

    pub fn location(&self) -> Location {
        Location { path: self.path.to_string(), line: self.line, column: None }
    }
}
