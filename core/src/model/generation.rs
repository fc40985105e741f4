//! What single generations of a training are made of.

use std::sync::Arc;

use super::Source;

#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    /// Its step, where the record has one.
    pub at: Option<f64>,
    /// The names of what it is made of, as written.
    pub names: Vec<String>,
    pub source: Source,
}

/// Generations in the order in which they were written.
#[derive(Debug, Clone, PartialEq)]
pub struct Generations {
    /// Field that holds the names.
    pub field: String,
    /// Files that have it, as a person would type their paths.
    pub files: Vec<Arc<str>>,
    pub records: Vec<Generation>,
}

impl Generations {
    /// Whether a file holds generations. A number in them is none of the run at a step.
    pub fn are_in(&self, path: &str) -> bool {
        self.files.iter().any(|file| &**file == path)
    }
}
