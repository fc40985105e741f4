//! Places in files.

use serde::{Deserialize, Serialize};

/// A place in a file, as a person would type it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Path as given on the command line, joined with the path below it.
    pub path: String,
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Column in characters, counted from 1.
    pub column: Option<u64>,
}

impl Location {
    pub fn file(path: impl Into<String>) -> Self {
        Self { path: path.into(), line: None, column: None }
    }

    /// A line of a file, counted from 1.
    pub fn line(path: impl Into<String>, line: u64) -> Self {
        Self { path: path.into(), line: Some(line), column: None }
    }

    /// A column of a line, both counted from 1.
    pub fn column(path: impl Into<String>, line: u64, column: u64) -> Self {
        Self { path: path.into(), line: Some(line), column: Some(column) }
    }
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.path)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let (Some(_), Some(column)) = (self.line, self.column) {
            write!(f, ":{column}")?;
        }
        Ok(())
    }
}
