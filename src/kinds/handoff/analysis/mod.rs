//! Are the files of a checkpoint complete, and do they fit together? Each check looks at one thing that has to be
//! right before training or evaluation goes on from it.
//!
//! Reads what `collect::checkpoint` found; opens no file and runs no model.

mod config;
mod dtypes;
mod files;
mod headers;
mod index;
mod layers;
mod model_families;
mod parameters;
mod shapes;
mod tokenizer;
mod values;
mod weights;

use indexmap::IndexMap;

use crate::diag::{Code, Diagnostic, Fact, Location, Severity};
use crate::model::{Checkpoint, Damage};

pub struct Check {
    /// Stable name; the key of its words.
    pub id: &'static str,
    pub run: fn(&Checkpoint) -> Inspection,
}

/// Every check, in the order of the report.
pub static CHECKS: &[Check] = &[
    Check { id: "files", run: files::inspect_for_handoff },
    Check { id: "config", run: config::inspect_for_handoff },
    Check { id: "generation-config", run: config::inspect_generation_config },
    Check { id: "tokenizer", run: tokenizer::inspect_for_handoff },
    Check { id: "weights", run: weights::inspect_for_handoff },
    Check { id: "headers", run: headers::inspect_for_handoff },
    Check { id: "index", run: index::inspect_for_handoff },
    Check { id: "dtypes", run: dtypes::inspect_for_handoff },
    Check { id: "layers", run: layers::inspect_for_handoff },
    Check { id: "shapes", run: shapes::inspect_for_handoff },
    Check { id: "parameters", run: parameters::inspect_for_handoff },
    Check { id: "values", run: values::inspect_for_handoff },
];

#[derive(Debug, Default)]
pub struct Inspection {
    /// Facts for the sentence that says what is there.
    pub facts: IndexMap<&'static str, Fact>,
    pub findings: Vec<Diagnostic>,
    /// Why there was nothing to look at; the key of its words.
    pub skipped: Option<&'static str>,
}

impl Inspection {
    fn skipped(reason: &'static str) -> Self {
        Self { skipped: Some(reason), ..Self::default() }
    }

    fn with_findings(findings: Vec<Diagnostic>) -> Self {
        Self { findings, ..Self::default() }
    }

    /// Adds a fact to what is there.
    #[must_use]
    fn with(mut self, name: &'static str, fact: impl Into<Fact>) -> Self {
        self.facts.insert(name, fact.into());
        self
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckOutcome {
    Skipped,
    Pass,
    /// Something to know before it is used.
    Caution,
    /// It cannot be used like this.
    Fail,
}

impl CheckOutcome {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Pass => "pass",
            Self::Caution => "caution",
            Self::Fail => "fail",
        }
    }
}

#[derive(Debug)]
pub struct CheckResult {
    pub check: &'static str,
    pub outcome: CheckOutcome,
    pub facts: IndexMap<&'static str, Fact>,
    pub findings: Vec<Diagnostic>,
    /// Why it was skipped; the key of its words.
    pub skipped: Option<&'static str>,
}

pub fn examine(checkpoint: &Checkpoint) -> Vec<CheckResult> {
    CHECKS.iter().map(|check| run_check(check, checkpoint)).collect()
}

fn run_check(check: &Check, checkpoint: &Checkpoint) -> CheckResult {
    let Inspection { facts, findings, skipped } = (check.run)(checkpoint);
    let worst = findings.iter().map(|finding| finding.severity).max();
    let outcome = match worst {
        Some(Severity::Error) => CheckOutcome::Fail,
        Some(Severity::Warning) => CheckOutcome::Caution,
        None if skipped.is_some() => CheckOutcome::Skipped,
        Some(Severity::Info) | None => CheckOutcome::Pass,
    };
    CheckResult { check: check.id, outcome, facts, findings, skipped }
}

/// Whether the checkpoint can be handed over: nothing fails.
pub fn is_ready(examined: &[CheckResult]) -> bool {
    examined.iter().all(|check| check.outcome != CheckOutcome::Fail)
}

/// The finding for a file that is there and cannot be used.
fn broken(code: Code, damage: &Damage) -> Diagnostic {
    let Damage { path, line, cause } = damage;
    let location = match line {
        Some(line) => Location::line(path.as_str(), *line),
        None => Location::file(path.as_str()),
    };
    let file = path.rsplit('/').next().unwrap_or(path);
    Diagnostic::new(code).with("file", file).with("cause", cause.as_str()).at(location)
}

/// At most this many names are listed in a finding.
const EXAMPLES: usize = 5;

/// The first names, and how many there are besides.
fn first_names(names: impl IntoIterator<Item = String>) -> Fact {
    Fact::first(EXAMPLES, names)
}
