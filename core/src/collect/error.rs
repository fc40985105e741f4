//! Why nothing could be collected.

use std::fs;
use std::path::{Path, PathBuf};

use super::objects::fault::NotFetched;
use super::{last_component, shown};
use crate::diag::nearest_name;

/// Why nothing could be collected at all. Everything less is a finding.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    #[error("no run given; name at least one run directory or result file")]
    NothingGiven,
    #[error("no such file or directory `{}`; check the spelling", path.display())]
    NotFound {
        path: PathBuf,
        /// What lies beside it under a similar name.
        near: Vec<String>,
    },
    #[error("`{path}` has no run with {column} = {value}")]
    NoSuchValue { path: String, column: String, value: String, values: Vec<String> },
    #[error("the records of `{path}` have no column `{column}`")]
    NoSuchColumn { path: String, column: String, columns: Vec<String> },
    #[error("`{path}` holds no run with {column} = {value}")]
    NoSuchMember { path: String, column: String, value: String, values: Vec<String> },
    #[error("`{path}` holds {} runs named `{value}`: {}", .names.len(), .names.join(", "))]
    SeveralMembers { path: String, value: String, names: Vec<String> },
    #[error("`{path}` holds no counts of samples: {reason}")]
    NoCounts { path: String, reason: String },
    #[error(transparent)]
    NotFetched(#[from] NotFetched),
    #[error("no run in `{path}` has the setting `{key}`")]
    NoSuchKey { path: String, key: String, keys: Vec<String> },
}

impl CollectError {
    /// The error about a path without labels.
    pub fn not_found(path: &Path) -> Self {
        let beside = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let entries = fs::read_dir(beside).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        // A dot parts components of keys, and belongs to the name of a file.
        let whole = |name: String| name.replace('.', "\0");
        let near = nearest_name(&whole(last_component(path)), names.map(whole)).into_iter();
        let near = near.map(|name| shown(&path.with_file_name(name.replace('\0', "."))));
        Self::NotFound { path: shown(path).into(), near: near.collect() }
    }
}
