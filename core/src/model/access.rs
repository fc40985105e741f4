//! How much may be read, and from where.

use std::path::PathBuf;

/// What the user lets a run reach beside its own files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Access {
    /// Directories of the user's that a run may name files in, or link to.
    pub data_roots: Vec<PathBuf>,
    /// Whether the runs were made by somebody whom the user does not trust: no link is followed, and
    /// nothing but the runs and the directories named here is looked at.
    pub is_untrusted: bool,
    pub limits: Limits,
}

/// Bounds of what is read of one run. What lies past one is left out with a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Files that are looked at.
    pub files: usize,
    /// Directories below each other.
    pub depth: usize,
    /// Size of a file that is read as one piece, in MiB after decompression.
    pub document_mib: u64,
    /// Length of a line or a cell of a table, in MiB.
    pub line_mib: u64,
    /// Records of one file, and of all files of a run that hold records.
    pub records: u64,
    /// Lines of one log.
    pub lines: u64,
    /// Aggregate figures of a run, and as many datasets and places of its samples.
    pub figures: usize,
    /// Keys of the configuration of a run.
    pub keys: usize,
    /// Metrics of one file: curves, or scores of samples.
    pub metrics: usize,
    /// How many times its size on disk a compressed file may be.
    pub inflation: u64,
    /// Size of what is fetched of one run from an object store or a repository, in MiB.
    pub fetched_mib: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            files: 50_000,
            depth: 64,
            document_mib: 256,
            line_mib: 64,
            records: 20_000_000,
            lines: 1_000_000_000,
            figures: 1_000_000,
            keys: 100_000,
            metrics: 5_000,
            inflation: 100,
            fetched_mib: 4096,
        }
    }
}

impl Limits {
    /// What is read of runs that nobody answers for.
    pub const UNTRUSTED: Self = Self {
        files: 5_000,
        depth: 16,
        document_mib: 32,
        line_mib: 4,
        records: 2_000_000,
        lines: 2_000_000,
        figures: 2_000,
        keys: 2_000,
        metrics: 1_000,
        inflation: 50,
        fetched_mib: 512,
    };

    /// Names of the limits, as the flag `--limit` takes them.
    pub const NAMES: [&'static str; 11] = [
        "files",
        "depth",
        "document-mib",
        "line-mib",
        "records",
        "lines",
        "figures",
        "keys",
        "metrics",
        "inflation",
        "fetched-mib",
    ];

    /// Bytes of a file that is read as one piece.
    pub const fn document_bytes(&self) -> u64 {
        self.document_mib.saturating_mul(1 << 20)
    }

    /// Sets the limit of that name; `None` where there is no such limit.
    #[must_use]
    pub fn with(self, name: &str, value: u64) -> Option<Self> {
        let count = usize::try_from(value).unwrap_or(usize::MAX);
        Some(match name {
            "files" => Self { files: count, ..self },
            "depth" => Self { depth: count, ..self },
            "document-mib" => Self { document_mib: value, ..self },
            "line-mib" => Self { line_mib: value, ..self },
            "records" => Self { records: value, ..self },
            "lines" => Self { lines: value, ..self },
            "figures" => Self { figures: count, ..self },
            "keys" => Self { keys: count, ..self },
            "metrics" => Self { metrics: count, ..self },
            "inflation" => Self { inflation: value, ..self },
            "fetched-mib" => Self { fetched_mib: value, ..self },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_sets_a_limit_of_its_own_and_no_other_name_does() {
        let set = Limits::NAMES.map(|name| Limits::default().with(name, 7).expect(name));
        for (position, limits) in set.iter().enumerate() {
            assert_ne!(*limits, Limits::default());
            assert!(!set[..position].contains(limits));
        }
        assert_eq!(Limits::default().with("file", 7), None);
    }
}
