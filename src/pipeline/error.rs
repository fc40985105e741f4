//! Why there is no report.

use crate::collect::{CollectError, FetchFault, NotFetched};
use crate::diag::Diagnostic;
use crate::exit::Failure;
use crate::text::{Catalogue, Refusal};

/// Texts of the refusal of several runs, by what tells them apart.
pub(super) const OF_SEEDS: &str = "refused.seeds";
pub(super) const ALIKE: &str = "refused.store-alike";
pub(super) const DIFFERENT: &str = "refused.store";

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    #[error(transparent)]
    Collect(#[from] CollectError),
    /// A run was found and holds nothing that could be read.
    #[error("{}", nothing_in(path))]
    EmptyRun {
        path: String,
        /// What was noticed while reading every run.
        diagnostics: Vec<Diagnostic>,
    },
    /// What the user chose does not fit the runs.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl PipelineError {
    /// Whether a directory that was given as one run holds several.
    pub fn is_about_several_runs(&self) -> bool {
        matches!(self, Self::Refused(refusal) if [OF_SEEDS, ALIKE, DIFFERENT].contains(&refusal.key()))
    }

    /// The failure of a command, with what was noticed before in those words.
    pub fn into_failure(self, words: &'static Catalogue) -> Failure {
        match self {
            Self::EmptyRun { path, diagnostics } => {
                Failure::input(nothing_in(&path)).after(diagnostics, words)
            }
            Self::Collect(CollectError::NothingGiven) => {
                Failure::input(Refusal::new("refused.no-run"))
            }
            Self::Collect(CollectError::NotFound { path, near }) => {
                let gone = Refusal::new("refused.no-such-run").with("near", near);
                Failure::input(gone.with("path", path.display().to_string()))
            }
            Self::Collect(CollectError::NoSuchValue { path, column, value, values }) => {
                let unknown = Refusal::new("refused.no-such-value").with("path", path);
                let unknown = unknown.with("column", column).with("value", value.as_str());
                Failure::usage(unknown.among(&value, values))
            }
            Self::Collect(CollectError::NoSuchColumn { path, column, columns }) => {
                let unknown = Refusal::new("refused.no-such-column").with("path", path);
                Failure::usage(unknown.with("column", column.as_str()).among(&column, columns))
            }
            Self::Collect(CollectError::NoSuchMember { path, column, value, values }) => {
                let unknown = Refusal::new("refused.no-such-member").with("path", path);
                let unknown = unknown.with("column", column).with("value", value.as_str());
                Failure::usage(unknown.among(&value, values))
            }
            Self::Collect(CollectError::SeveralMembers { path, value, names }) => {
                let several = Refusal::new("refused.several-members").with("path", path);
                let several = several.with("count", names.len()).with("value", value);
                Failure::usage(several.with("names", names))
            }
            Self::Collect(CollectError::NoCounts { path, reason }) => {
                let refusal = Refusal::new("refused.no-counts").with("path", path);
                Failure::input(refusal.with("reason", reason))
            }
            Self::Collect(CollectError::NoSuchKey { path, key, keys }) => {
                let unknown = Refusal::new("refused.no-such-key").with("path", path);
                Failure::usage(unknown.with("key", key.as_str()).among(&key, keys))
            }
            Self::Collect(CollectError::NotFetched(NotFetched { address, fault })) => {
                Failure::input(not_fetched(address, &fault))
            }
            Self::Refused(refusal) => Failure::usage(refusal),
        }
    }
}

fn not_fetched(address: String, fault: &FetchFault) -> Refusal {
    let about = |key| Refusal::new(key);
    let refusal = match fault {
        FetchFault::NotBuilt => about("refused.store-not-built"),
        FetchFault::Malformed => about("refused.store-address"),
        FetchFault::NotThere => about("refused.store-nothing"),
        FetchFault::Denied => about("refused.store-denied"),
        FetchFault::NoCredentials => about("refused.store-credentials"),
        FetchFault::NoRepositoryNamed => about("refused.hub-address"),
        FetchFault::NoRepository => about("refused.hub-repository"),
        FetchFault::NoRevision => about("refused.hub-revision"),
        FetchFault::NoEntry => about("refused.hub-path"),
        FetchFault::Gated => about("refused.hub-denied"),
        FetchFault::BadToken => about("refused.hub-token"),
        FetchFault::Offline => about("refused.hub-offline"),
        FetchFault::TimedOut => about("refused.store-silent"),
        FetchFault::TooMany { limit } => about("refused.store-files").with("limit", *limit),
        FetchFault::TooLarge { mib, limit } => {
            about("refused.store-size").with("mib", *mib).with("limit", *limit)
        }
        FetchFault::Name(name) => about("refused.store-name").with("reason", name.as_str()),
        FetchFault::Broken(reason) => about("refused.store-broken").with("reason", reason.as_str()),
    };
    refusal.with("address", address)
}

fn nothing_in(path: &str) -> Refusal {
    Refusal::new("refused.empty-run").with("path", path)
}

pub(super) fn too_few(count: usize) -> Refusal {
    Refusal::new("refused.too-few-runs").with("count", count)
}
