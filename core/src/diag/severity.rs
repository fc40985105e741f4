//! How loud a finding is, and what it does to a comparison.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// May mislead a reader.
    Warning,
    /// Something asked for could not be done, or a comparison must not be believed.
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The comparison stands as it is.
    None,
    /// The difference can no longer be attributed to the declared factor.
    Confounds,
    /// The subject gets no verdict.
    Blocks,
}
