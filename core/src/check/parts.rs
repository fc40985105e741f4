//! Grades of a pair and of its parts: a finding about one metric or dataset grades that part alone.

use std::collections::BTreeSet;

use super::{Grade, concerns};
use crate::diag::{Code, Diagnostic, Effect, FindingSubject};
use crate::pairing::{ArmPair, CellPair};

/// Results of a pair that are graded worse than the pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub grade: Grade,
    /// How many results have a figure in both arms and this grade.
    pub results: usize,
    /// How many results of the pair have a figure in both arms.
    pub of: usize,
    /// What the findings are about, each once: a metric, a dataset or both, with the code.
    pub about: Vec<(String, Code)>,
}

/// The grade of the part that is graded best, among the results that can be judged: what every one
/// of them suffers from is wrong with the pair. Without a result in both arms every finding counts.
pub(super) fn grade(
    pair: &ArmPair<'_>,
    findings: &[Diagnostic],
    effect: fn(&Diagnostic) -> Effect,
) -> Grade {
    let found: Vec<(&Diagnostic, Effect)> =
        findings.iter().map(|finding| (finding, effect(finding))).collect();
    let of_cell = |cell: &CellPair<'_>| {
        let concerning = found.iter().filter(|(finding, _)| concerns(finding, cell));
        worst(concerning.map(|(_, effect)| *effect))
    };
    let with_figures = || pair.cells.iter().filter(|cell| cell.figures().is_some());
    let judged = with_figures().filter(|cell| cell.has_good_side()).map(of_cell).min();
    judged
        .or_else(|| with_figures().map(of_cell).min())
        .unwrap_or_else(|| worst(found.iter().map(|(_, effect)| *effect)))
}

/// The grade that the worst effect gives.
fn worst(effects: impl Iterator<Item = Effect>) -> Grade {
    match effects.max() {
        None | Some(Effect::None) => Grade::AsDeclared,
        Some(Effect::Confounds) => Grade::Confounded,
        Some(Effect::Blocks) => Grade::NotComparable,
    }
}

pub(super) fn parts(pair: &ArmPair<'_>, findings: &[Diagnostic], of_pair: Grade) -> Vec<Part> {
    let compared = || pair.cells.iter().filter(|cell| cell.figures().is_some());
    let grades = [(Grade::NotComparable, Effect::Blocks), (Grade::Confounded, Effect::Confounds)];
    let worse = grades.into_iter().filter(|(grade, _)| *grade > of_pair);
    let part = |(grade, effect): (Grade, Effect)| {
        let concerning = |cell: &CellPair<'_>| {
            let of_cell = findings.iter().filter(|finding| concerns(finding, cell));
            of_cell.map(Diagnostic::effect).max() == Some(effect)
        };
        let cells: Vec<&CellPair<'_>> = compared().filter(|cell| concerning(cell)).collect();
        let about: BTreeSet<(String, Code)> = findings
            .iter()
            .filter(|finding| finding.effect() == effect)
            .filter(|finding| cells.iter().any(|cell| concerns(finding, cell)))
            .map(|finding| (name(&finding.subject), finding.code))
            .collect();
        Part { grade, results: cells.len(), of: compared().count(), about: Vec::from_iter(about) }
    };
    worse.map(part).filter(|part| part.results > 0).collect()
}

/// `metric (dataset)`, as much of it as the finding names; else its key.
fn name(subject: &FindingSubject) -> String {
    match (&subject.metric, &subject.dataset) {
        (Some(metric), Some(dataset)) => format!("{metric} ({dataset})"),
        (Some(name), None) | (None, Some(name)) => name.clone(),
        (None, None) => subject.key.clone().or(subject.dims.clone()).unwrap_or_default(),
    }
}
