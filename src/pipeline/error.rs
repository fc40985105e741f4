//! Why there is no report.

use crate::collect::CollectError;
use crate::diag::Diagnostic;
use crate::exit::Failure;
use crate::model::NotALayout;
use crate::text::Catalogue;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    #[error(transparent)]
    Collect(#[from] CollectError),
    /// A run was found and holds nothing that could be read.
    #[error(
        "nothing that reportgen can read in `{path}`; `reportgen inspect` lists what was ignored and why"
    )]
    EmptyRun {
        path: String,
        /// What was noticed while reading every run.
        diagnostics: Vec<Diagnostic>,
    },
    /// The user chose a cluster key that no sample has.
    #[error("no sample has a cluster in `{key}`; the fields of the samples are: {fields}")]
    UnknownCluster { key: String, fields: String },
    /// The user chose an axis that no result lies on.
    #[error("no result has a coordinate `{axis}`; the axes of these results are: {axes}")]
    UnknownAxis { axis: String, axes: String },
    /// Two names of one axis.
    #[error(transparent)]
    Layout(#[from] NotALayout),
    #[error("a comparison needs a baseline and at least one candidate, got {count} run(s)")]
    TooFewRuns { count: usize },
}

impl PipelineError {
    /// The failure of a command, with what was noticed before in those words.
    pub fn into_failure(self, words: &'static Catalogue) -> Failure {
        match self {
            Self::EmptyRun { path, diagnostics } => {
                let cause = Self::EmptyRun { path, diagnostics: Vec::new() };
                Failure::input(cause).after(diagnostics, words)
            }
            Self::Collect(cause) => Failure::input(cause),
            cause => Failure::usage(cause),
        }
    }
}
