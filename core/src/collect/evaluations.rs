//! Repeated evaluations of one task in one run: the newest counts.
//!
//! lm-evaluation-harness never overwrites: each evaluation adds `results_<time>.json` and, where
//! asked for, `samples_<task>_<time>.jsonl`, in which times sort as text. Inspect AI writes one
//! `<time>_<task>_<id>.json` for each, a repetition after a failure included.

use std::collections::{BTreeMap, BTreeSet};

use super::readers::{INSPECT, LIGHTEVAL, LIGHTEVAL_DETAILS, LM_EVAL};
use super::stamps::{details_log, is_stamp, results_stamp, sample_log};
use super::{Piece, directory_of, plain_name};
use crate::diag::{Code, Diagnostic, Location, Severity};
use crate::model::Fragment;

#[derive(Debug, Default, PartialEq)]
pub(super) struct Newest(BTreeMap<String, String>);

impl Newest {
    /// Whether that sample log belongs to an evaluation that a newer one replaces.
    pub(super) fn supersedes(&self, relative: &str) -> bool {
        sample_log(relative)
            .is_some_and(|(task, stamp)| self.0.get(task).is_some_and(|newest| newest != stamp))
    }

    fn learn(&mut self, task: &str, stamp: &str) {
        let newest = self.0.entry(task.to_owned()).or_default();
        if newest.as_str() < stamp {
            stamp.clone_into(newest);
        }
    }
}

/// The newest evaluation of each task: by results where there are any, else by sample logs.
pub(super) fn newest_stamps(pieces: &[Piece], sample_logs: &[String]) -> Newest {
    let mut newest = Newest::default();
    for piece in pieces {
        if let Some(stamp) = piece_stamp(piece) {
            for task in tasks(&piece.fragment) {
                newest.learn(&task, stamp);
            }
        }
    }
    let by_results: BTreeSet<String> = newest.0.keys().cloned().collect();
    for (task, stamp) in sample_logs.iter().filter_map(|log| sample_log(log)) {
        if !by_results.contains(task) {
            newest.learn(task, stamp);
        }
    }
    newest
}

/// Takes superseded tasks out of the pieces, drops pieces of which nothing is left, and reports
/// each file that lost a task.
pub(super) fn keep_newest(pieces: &mut Vec<Piece>) -> Vec<Diagnostic> {
    let newest = newest_stamps(pieces, &[]);
    let mut findings = Vec::new();
    for position in 0..pieces.len() {
        let Some(piece) = pieces.get(position) else { continue };
        let Some(stamp) = piece_stamp(piece) else { continue };
        let lost: BTreeSet<String> = tasks(&piece.fragment)
            .into_iter()
            .filter(|task| newest.0.get(task).is_some_and(|kept| kept != stamp))
            .collect();
        let Some(kept_stamp) = lost.first().and_then(|task| newest.0.get(task)) else { continue };
        let kept = pieces
            .iter()
            .find(|other| piece_stamp(other) == Some(kept_stamp.as_str()))
            .map_or("", |other| other.relative.as_str());
        findings.push(superseded(piece, kept, lost.iter().cloned().collect()));
        if let Some(piece) = pieces.get_mut(position) {
            remove_tasks(&mut piece.fragment, &lost);
        }
    }
    // An evaluation without a task says nothing about the run any more.
    pieces.retain(|piece| piece_stamp(piece).is_none() || !tasks(&piece.fragment).is_empty());
    findings
}

/// When the evaluation was, where the reader and the name of its file are those of a harness.
pub(super) fn piece_stamp(piece: &Piece) -> Option<&str> {
    match piece.reader {
        LM_EVAL | LIGHTEVAL => results_stamp(&piece.relative),
        LIGHTEVAL_DETAILS => details_log(&piece.relative).map(|(_, stamp)| stamp),
        INSPECT => plain_name(&piece.relative).split('_').next().filter(|stamp| is_stamp(stamp)),
        _ => None,
    }
}

fn tasks(fragment: &Fragment) -> BTreeSet<String> {
    let of_samples = fragment.samples.iter().filter_map(|table| table.dataset.clone());
    let of_figures = fragment.scalars.iter().filter_map(|scalar| scalar.dataset.clone());
    of_figures.chain(of_samples).collect()
}

fn superseded(piece: &Piece, kept: &str, tasks: Vec<String>) -> Diagnostic {
    let mut finding = Diagnostic::new(Code::Superseded)
        .with("path", piece.relative.as_str())
        .with("kept", kept)
        .with("count", tasks.len())
        .with("tasks", tasks)
        .at(Location::file(&*piece.display));
    // Another directory can mean another model, which is more than a repetition.
    if directory_of(&piece.relative) != directory_of(kept) {
        finding.severity = Severity::Warning;
    }
    finding
}

fn remove_tasks(fragment: &mut Fragment, lost: &BTreeSet<String>) {
    let is_kept = |task: &Option<String>| task.as_ref().is_none_or(|task| !lost.contains(task));
    fragment.scalars.retain(|scalar| is_kept(&scalar.dataset));
    fragment.samples.retain(|table| is_kept(&table.dataset));
    fragment.versions.retain(|task, _| !lost.contains(task));
    fragment.declared_sizes.retain(|task, _| !lost.contains(task));
    fragment.planned.retain(|task, _| !lost.contains(task));
    fragment.config.retain(|key| {
        let key = key.strip_prefix("task.");
        let is_of = |task: &String| key?.strip_prefix(task.as_str())?.strip_prefix('.');
        !lost.iter().any(|task| is_of(task).is_some())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_results_the_newest_sample_log_of_each_task_counts() {
        let logs = [
            "samples_a_2026-01-01T00-00-00.1.jsonl".to_owned(),
            "samples_a_2026-01-02T00-00-00.1.jsonl".to_owned(),
            "samples_b_2026-01-01T00-00-00.1.jsonl".to_owned(),
        ];
        let newest = newest_stamps(&[], &logs);
        let dropped: Vec<bool> = logs.iter().map(|log| newest.supersedes(log)).collect();
        assert_eq!(dropped, [true, false, false]);
    }
}
