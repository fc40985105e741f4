//! One of several runs in a directory or a database: where it lies, and which files are its.

use std::collections::BTreeSet;
use std::path::Path;

use super::Piece;
use super::stamps::{results_stamp, sample_log};
use crate::diag::Diagnostic;
use crate::model::{FileRecord, RunLabel};

/// One of several runs in a directory.
#[derive(Debug, Clone, Default)]
pub(super) struct Member {
    /// Where it lies below the directory.
    pub(super) directory: String,
    /// What a tracker calls it that keeps each run in a directory, and no other of them.
    pub(super) name: Option<String>,
    /// What a tracker calls it with its experiment, which others may be called as well.
    pub(super) called: String,
    /// What tells it from others in the very same directory.
    pub(super) labels: Vec<RunLabel>,
    /// Files of these others.
    pub(super) others: BTreeSet<String>,
    /// What a database of several runs says of it.
    pub(super) stored: Option<InDatabase>,
}

impl Member {
    /// Whether a file below the directory of all runs is one of this run.
    pub(super) fn holds(&self, relative: &str) -> bool {
        let Ok(below) = Path::new(relative).strip_prefix(&self.directory) else { return false };
        let own = |stored: &InDatabase| {
            stored.files.as_ref().is_some_and(|directory| below.starts_with(directory))
        };
        self.stored.as_ref().is_none_or(own)
    }

    /// Whether a file is of another run in the same directory.
    pub(super) fn leaves_out(&self, relative: &str) -> bool {
        let stamp = sample_log(relative).map(|(_, stamp)| stamp);
        self.others.contains(relative)
            || stamp.is_some_and(|stamp| {
                self.others.iter().any(|other| results_stamp(other) == Some(stamp))
            })
    }
}

/// One of the runs of a database.
#[derive(Debug, Clone)]
pub(super) struct InDatabase {
    /// By which its tracker knows it.
    pub(super) id: String,
    /// The directory of its files, below that of the run.
    pub(super) files: Option<String>,
    /// What the database says of it, as a piece of the run.
    pub(super) piece: Piece,
    pub(super) record: FileRecord,
    pub(super) findings: Vec<Diagnostic>,
}

impl InDatabase {
    /// What was noticed about it, as of the run of that id, in the database with `behind` after its name.
    pub(super) fn told(&self, run: &str, behind: &str) -> impl Iterator<Item = Diagnostic> {
        self.findings.iter().map(move |finding| {
            let mut finding = finding.clone().run(run);
            if let Some(place) = &mut finding.location {
                place.path.push_str(behind);
            }
            finding
        })
    }
}
