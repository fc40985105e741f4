//! What runs say and nobody can go by: scores that could not be read, and two values for one figure or
//! setting. A gate that asks for such a thing would pass by the value that happened to be used.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::unseen::runs_of;
use crate::check::CheckFindings;
use crate::diag::{Code, Diagnostic, Fact, Severity, Unknown};
use crate::model::{Run, SampleTable, leaf};
use crate::pairing::{ConfigRole, PairedArms, config_role};

/// How many files and runs are doubtful, without those that the user answers for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Doubts {
    /// Files of which scores could not be read.
    pub(super) scores: usize,
    /// Runs that state two figures for one thing, or one that cannot be.
    pub(super) figures: usize,
    /// Runs with two values of a setting that decides scores.
    pub(super) settings: usize,
}

impl Doubts {
    pub(super) fn among(
        paired_arms: &PairedArms<'_>,
        findings: &[CheckFindings],
        collected: &[Diagnostic],
    ) -> Self {
        let (mut scores, mut figures, mut settings) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        // Of what is compared, two values leave open in which arm a run belongs.
        let is_factor = |finding: &Diagnostic| {
            let key = finding.subject.key.as_deref().map(leaf);
            let mut factors = paired_arms.pairs.iter().flat_map(|pair| &pair.factors.keys);
            key.is_some() && factors.any(|factor| Some(leaf(factor)) == key)
        };
        let checked = || findings.iter().flat_map(|one| &one.diagnostics);
        for run in paired_arms.pairs.iter().flat_map(runs_of) {
            let of_run = |one: &&Diagnostic| one.subject.run.as_deref() == Some(&*run.id);
            for finding in
                collected.iter().chain(checked()).filter(|one| of_run(one) && !one.is_lifted())
            {
                match finding.code.leaves_unknown() {
                    Some(Unknown::Scores)
                        if lacks_scores(finding, run) && !is_explained(finding, collected) =>
                    {
                        scores.extend(finding.location.as_ref().map(|at| at.path.as_str()));
                    }
                    // Of points of a curve it is a remark.
                    Some(Unknown::Figure) if finding.severity == Severity::Info => {}
                    Some(Unknown::Figure) => _ = figures.insert(&run.id),
                    Some(Unknown::Setting) if names_result(finding, run) => {
                        figures.insert(&run.id);
                        if decides_scores(finding, run) {
                            settings.insert(&run.id);
                        }
                    }
                    Some(Unknown::Setting)
                        if decides_scores(finding, run) || is_factor(finding) =>
                    {
                        settings.insert(&run.id);
                    }
                    _ => {}
                }
            }
        }
        Self { scores: scores.len(), figures: figures.len(), settings: settings.len() }
    }
}

/// Whether scores that could not be read are nowhere else. Of samples of which some have a score, the
/// cells know what is missing; and what a list or an object says of a sample, a figure may say of all.
fn lacks_scores(finding: &Diagnostic, run: &Run) -> bool {
    if finding.code == Code::EmptyFile {
        return finding.evidence.get("holds") == Some(&Fact::from("something"));
    }
    let place = finding.location.as_ref().map(|at| at.path.as_str());
    let is_of_file = |path: &Arc<str>| place.is_some_and(|place| path.as_ref() == place);
    let tables = run.content.samples.iter().filter(|table| table.paths().any(is_of_file));
    let mut tables = tables.peekable();
    match finding.subject.metric.as_deref() {
        _ if tables.peek().is_none() => true,
        Some(metric) => {
            tables.all(|table| table.column(metric).is_none())
                && run.content.scalars.iter().all(|scalar| scalar.metric != metric)
        }
        None => tables.all(|table| table.columns().is_empty()),
    }
}

/// Whether another finding says why nothing of a file could be used.
fn is_explained(finding: &Diagnostic, collected: &[Diagnostic]) -> bool {
    let path = |one: &Diagnostic| one.location.as_ref().map(|at| at.path.clone());
    let explains = |one: &&Diagnostic| {
        matches!(one.code.leaves_unknown(), Some(Unknown::Part | Unknown::Scores))
            && one.code != Code::EmptyFile
            && path(one) == path(finding)
    };
    finding.code == Code::EmptyFile && collected.iter().any(|one| explains(&one))
}

/// Whether a key that stands twice does so in a file of results, or in one that says how a run ended.
fn names_result(finding: &Diagnostic, run: &Run) -> bool {
    let Some(place) = finding.location.as_ref().map(|at| at.path.as_str()) else { return false };
    let mut figures = run.content.scalars.iter().map(|scalar| &scalar.source.path);
    let mut records = run.content.samples.iter().flat_map(SampleTable::paths);
    let mut settings = run.content.config.iter().map(|(_, entry)| &entry.source.path);
    let is_it = |path: &Arc<str>| place == &**path;
    finding.subject.key.is_some()
        && (figures.any(is_it) || records.any(is_it) || !settings.any(is_it))
}

/// Whether a setting of which a run has two values decides scores.
fn decides_scores(finding: &Diagnostic, run: &Run) -> bool {
    let role = |key: &str| config_role(key.rsplit('#').next().unwrap_or(key));
    let decides = |key: &str| role(key).decides_scores();
    match finding.subject.key.as_deref() {
        Some(own) => {
            let decides = |key: &str| decides(key) || role(key) == ConfigRole::Decoding;
            decides(own)
                || run.content.config.iter().any(|(key, _)| leaf(key) == leaf(own) && decides(key))
        }
        None => run.content.config.iter().any(|(key, _)| key.contains('#') && decides(key)),
    }
}
