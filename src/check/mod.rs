//! May these runs be compared? Each check looks for one kind of mismatch and returns findings.
//!
//! Reads the grouping; knows no statistics and no report. A finding whose code blocks
//! ([`Effect::Blocks`]) takes the verdict from its subject.

mod aggregates;
mod arms;
mod cells;
mod clusters;
mod config;
mod data_files;
mod identical;
mod samples;

pub use data_files::differ as data_files_differ;

use crate::diag::{Code, Diagnostic, Effect, Explanation, Subject};
use crate::group::{ArmPair, Cell, Grouping, Which};

/// One kind of mismatch.
pub struct Check {
    /// Stable name.
    pub id: &'static str,
    /// The codes that it can raise, explained.
    pub explained: &'static [Explanation],
    /// Looks at one pair of arms.
    pub run: fn(&ArmPair<'_>) -> Vec<Diagnostic>,
}

impl Check {
    /// Codes it can raise.
    pub fn codes(&self) -> impl Iterator<Item = Code> {
        self.explained.iter().map(|explanation| explanation.code)
    }
}

/// Every check, in the order of the report.
pub static CHECKS: &[Check] = &[
    config::CHECK,
    data_files::CHECK,
    samples::CHECK,
    clusters::CHECK,
    cells::CHECK,
    identical::CHECK,
    aggregates::CHECK,
    arms::CHECK,
];

/// The checks that every further run of an arm has to pass as well, set against the baseline's lead.
static MEMBER_CHECKS: &[Check] = &[samples::CHECK, cells::CHECK, aggregates::CHECK];

/// How far a comparison may be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Nothing differs, results included.
    Identical,
    /// Only the declared factors differ.
    AsDeclared,
    /// Something undeclared differs that can move a metric.
    Confounded,
    /// Different samples, or an incomplete run.
    NotComparable,
}

impl Grade {
    /// The name in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::AsDeclared => "as declared",
            Self::Confounded => "confounded",
            Self::NotComparable => "not comparable",
        }
    }

    /// The catalogue key of the grade's words.
    pub fn key(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::AsDeclared => "as-declared",
            Self::Confounded => "confounded",
            Self::NotComparable => "not-comparable",
        }
    }
}

/// What the checks found about one pair of arms.
#[derive(Debug)]
pub struct Findings {
    /// The grade.
    pub grade: Grade,
    /// The findings, in the order of [`CHECKS`].
    pub diagnostics: Vec<Diagnostic>,
}

impl Findings {
    /// The first finding that takes the verdict from a cell.
    pub fn blocking(&self, cell: &Cell<'_>) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|finding| {
            finding.code.effect() == Effect::Blocks && concerns(&finding.subject, cell)
        })
    }
}

/// Whether a finding is about a cell. A grid point means its samples and the figures that only
/// state something about the same dataset.
fn concerns(subject: &Subject, cell: &Cell<'_>) -> bool {
    let own = cell.key.dataset.as_deref();
    let dataset = match (subject.dataset.as_deref(), own) {
        (Some(name), Some(own)) => own.eq_ignore_ascii_case(name),
        (Some(_), None) => false,
        (None, own) => subject.dims.is_none() || own.is_none(),
    };
    let dims = subject.dims.as_ref();
    let dims = dims.is_none_or(|dims| cell.table.is_none() || *dims == cell.key.dims.to_string());
    let metric = subject.metric.as_deref();
    dataset && dims && metric.is_none_or(|name| cell.key.metric == name)
}

/// Runs every check over every pair of arms; one [`Findings`] for each candidate.
pub fn check(grouping: &Grouping<'_>) -> Vec<Findings> {
    grouping.pairs.iter().map(check_pair).collect()
}

fn check_pair(pair: &ArmPair<'_>) -> Findings {
    let mut diagnostics: Vec<Diagnostic> =
        CHECKS.iter().flat_map(|check| (check.run)(pair)).collect();
    for member in Which::BOTH.iter().flat_map(|&which| pair.members(which)) {
        for finding in MEMBER_CHECKS.iter().flat_map(|check| (check.run)(&member.pair)) {
            // What concerns the baseline's lead alone was found before.
            if !diagnostics.contains(&finding) {
                let run = finding.subject.run.clone().unwrap_or_else(|| member.run.id.clone());
                diagnostics.push(finding.run(&run));
            }
        }
    }
    let name = pair.name(Which::Candidate);
    let diagnostics: Vec<Diagnostic> =
        diagnostics.into_iter().map(|finding| finding.candidate(name)).collect();
    let grade = diagnostics
        .iter()
        .map(|finding| match finding.code.effect() {
            Effect::None => Grade::AsDeclared,
            Effect::Confounds => Grade::Confounded,
            Effect::Blocks => Grade::NotComparable,
        })
        .max()
        .unwrap_or(Grade::AsDeclared)
        .max(Grade::AsDeclared);
    let same = !pair.is_repeated()
        && pair.residue().next().is_none()
        && pair.factors.keys.is_empty()
        && identical::same_run(pair);
    let grade = if grade == Grade::AsDeclared && same { Grade::Identical } else { grade };
    Findings { grade, diagnostics }
}
