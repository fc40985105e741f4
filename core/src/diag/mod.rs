//! Findings as values: what was noticed, about what, where, and how much it matters.
//!
//! A diagnostic carries a code and the facts; its words live in the text catalogues, so that the
//! same finding reads in any language and a program can act on the facts. Nothing here prints.

mod acceptance;
mod code;
mod fact;
mod location;
mod nearest;
mod severity;
mod unknown;

pub use acceptance::{FindingAcceptance, NotAFindingAcceptance, Relief};
pub use code::Code;
pub use fact::Fact;
pub use location::Location;
pub use nearest::{edit_distance, nearest_name};
pub use severity::{Effect, Severity};
pub use unknown::Unknown;

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// One finding. Its message and help are the catalogue entries of [`Code::id`], filled with
/// [`Diagnostic::evidence`].
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    pub code: Code,
    /// How loud it is; the code's own severity unless the raiser knows better.
    pub severity: Severity,
    pub subject: FindingSubject,
    /// Facts by name; the words of the message refer to these names.
    pub evidence: IndexMap<Cow<'static, str>, Fact>,
    /// Where it was seen, if it was seen at one place.
    pub location: Option<Location>,
    pub accepted: Option<FindingAcceptance>,
}

/// What a finding is about, from wide to narrow.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct FindingSubject {
    /// Run id; `None` when the finding concerns the comparison as a whole.
    pub run: Option<String>,
    pub metric: Option<String>,
    pub dataset: Option<String>,
    pub key: Option<String>,
    /// Grid coordinates as text; with them the dataset is meant exactly, its absence included.
    pub dims: Option<String>,
    /// Name of the candidate arm when several are compared with one baseline.
    pub candidate: Option<String>,
}

impl Diagnostic {
    /// A finding with the code's own severity and nothing known about it yet.
    pub fn new(code: Code) -> Self {
        Self {
            code,
            severity: code.severity(),
            subject: FindingSubject::default(),
            evidence: IndexMap::new(),
            location: None,
            accepted: None,
        }
    }

    /// What it does to the comparison, with what the user accepted.
    pub fn effect(&self) -> Effect {
        match (&self.accepted, self.code.acceptance()) {
            (Some(_), Relief::Lifts) => Effect::None,
            _ => self.code.effect(),
        }
    }

    /// Whether the user accepted it and that took its effect.
    pub fn is_lifted(&self) -> bool {
        self.accepted.is_some() && self.code.acceptance() == Relief::Lifts
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, fact: impl Into<Fact>) -> Self {
        self.evidence.insert(Cow::Borrowed(name), fact.into());
        self
    }

    #[must_use]
    pub fn at(mut self, location: impl Into<Option<Location>>) -> Self {
        self.location = location.into();
        self
    }

    #[must_use]
    pub fn run(mut self, run: &str) -> Self {
        self.subject.run = Some(run.to_owned());
        self
    }

    #[must_use]
    pub fn dataset(mut self, dataset: Option<&str>) -> Self {
        self.subject.dataset = dataset.map(str::to_owned);
        self
    }

    /// As [`Self::dataset`], with the name as the fact `dataset`; without a name there is no such
    /// fact, and texts say that it has none.
    #[must_use]
    pub fn about_dataset(self, dataset: Option<&str>) -> Self {
        let finding = self.dataset(dataset);
        match dataset {
            Some(name) => finding.with("dataset", name),
            None => finding,
        }
    }

    /// As [`Self::run`], with the id as the fact `run`.
    #[must_use]
    pub fn about_run(self, run: &str) -> Self {
        self.run(run).with("run", run)
    }

    /// As [`Self::key`], with the key as the fact `key`.
    #[must_use]
    pub fn about_key(self, key: &str) -> Self {
        self.key(key).with("key", key)
    }

    /// As [`Self::metric`], with the name as the fact `metric`.
    #[must_use]
    pub fn about_metric(self, metric: &str) -> Self {
        self.metric(metric).with("metric", metric)
    }

    #[must_use]
    pub fn dims(mut self, dims: &impl std::fmt::Display) -> Self {
        self.subject.dims = Some(dims.to_string());
        self
    }

    #[must_use]
    pub fn metric(mut self, metric: &str) -> Self {
        self.subject.metric = Some(metric.to_owned());
        self
    }

    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        self.subject.key = Some(key.to_owned());
        self
    }

    #[must_use]
    pub fn candidate(mut self, candidate: &str) -> Self {
        self.subject.candidate = Some(candidate.to_owned());
        self
    }
}

/// A value together with what was noticed while it was made.
#[derive(Debug, Clone)]
pub struct Warned<T> {
    pub value: T,
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Warned<T> {
    pub fn clean(value: T) -> Self {
        Self { value, diagnostics: Vec::new() }
    }

    pub fn new(value: T, diagnostics: Vec<Diagnostic>) -> Self {
        Self { value, diagnostics }
    }

    /// Takes the value and moves its findings to `sink`.
    pub fn drain_into(self, sink: &mut Vec<Diagnostic>) -> T {
        sink.extend(self.diagnostics);
        self.value
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}
