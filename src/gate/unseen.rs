//! What no gate could look at: files that could not be read, and settings that one side does not
//! record. Either may hold what a gate looks for, so that a pass would say more than is known.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::check::{CheckFindings, hides_telling_setting};
use crate::diag::{Code, Diagnostic, Unknown};
use crate::model::{FileRecord, FileUse, Run};
use crate::pairing::{ArmPair, PairArm, PairedArms};

/// How many files and runs hide something, without those that the user answers for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unseen {
    /// Files and directories of either arm of which a part is not known.
    pub(super) files: usize,
    /// Runs without a configuration, beside runs with one.
    pub(super) silent_runs: usize,
    /// Data files that a run names and that were not read although something may be there.
    pub(super) data_files: usize,
    /// Settings of a kind that decides scores, which one side alone records.
    pub(super) one_sided: usize,
    /// Metrics that were to decide and that no run has: names that nobody writes, or misspelled ones.
    pub(super) absent: usize,
}

impl Unseen {
    pub(super) fn of(
        paired_arms: &PairedArms<'_>,
        findings: &[CheckFindings],
        collected: &[Diagnostic],
    ) -> Self {
        let (mut files, mut data_files) = (BTreeSet::new(), BTreeSet::new());
        let (mut silent_runs, mut one_sided) = (BTreeSet::new(), 0);
        let parted = HiddenParts::told(collected, |code| code != Code::TornTail);
        let torn = HiddenParts::told(collected, |code| code == Code::TornTail);
        let is_answered_for =
            |code| collected.iter().any(|finding| finding.code == code && finding.is_lifted());
        let are_data_files_answered_for =
            is_answered_for(Code::OutsideRun) || is_answered_for(Code::Unreadable);
        for (pair, found) in paired_arms.pairs.iter().zip(findings) {
            // What one arm alone lacks at the end of a file that both have, its pairs say.
            let is_torn = |which| {
                pair.runs(which).any(|run| run.files.iter().any(|file| torn.are_in(file, run)))
            };
            let are_torn = !torn.paths.is_empty() && PairArm::BOTH.into_iter().all(is_torn);
            for (which, run) in of_either(pair) {
                let partner = |file: &FileRecord| {
                    let mut theirs = pair.runs(which.other()).flat_map(|run| &run.files);
                    theirs.find(|other| other.relative == file.relative)
                };
                let hides_end = |file: &FileRecord| {
                    torn.are_in(file, run) && (are_torn || partner(file).is_none())
                };
                let is_read_there = |file| partner(file).is_some_and(FileRecord::is_read);
                let unread = run.files.iter().filter(|file| {
                    let is_unread = file.is_unread()
                        || file.used == FileUse::UNRECOGNISED && is_read_there(file);
                    is_unread && !is_accepted(file, run, collected)
                        || file.is_read() && (parted.are_in(file, run) || hides_end(file))
                        || matches!(file.used, FileUse::Ignored { .. })
                            && [&parted, &torn].iter().any(|such| such.are_in_own(file, run))
                });
                files.extend(unread.map(|file| (&run.id, &file.relative)));
                let withheld = run.data_files.iter().filter(|file| file.is_withheld);
                data_files.extend(withheld.map(|file| (&run.id, &file.declared)));
            }
            let silent = silent_among(pair);
            if silent.is_empty() {
                let hides = |finding: &&Diagnostic| hides_telling_setting(finding);
                one_sided += found.diagnostics.iter().filter(hides).count();
            } else if !has_accepted(found, Code::NoConfig) {
                silent_runs.extend(silent);
            }
        }
        let data_files = if are_data_files_answered_for { 0 } else { data_files.len() };
        let is_absent =
            |finding: &&Diagnostic| finding.code == Code::PrimaryUnused && !finding.is_lifted();
        Self {
            files: files.len(),
            silent_runs: silent_runs.len(),
            data_files,
            one_sided,
            absent: collected.iter().filter(is_absent).count(),
        }
    }
}

/// Paths of files of which a part was left out, and the runs whose they are: a saved run has its files at
/// another place.
#[derive(Default)]
struct HiddenParts<'f> {
    paths: BTreeSet<&'f str>,
    by_run: BTreeMap<&'f str, Vec<&'f str>>,
}

impl<'f> HiddenParts<'f> {
    /// Those that such findings tell of, unless the user answers for them.
    fn told(collected: &'f [Diagnostic], such: fn(Code) -> bool) -> Self {
        let is_hiding = |one: &&Diagnostic| {
            one.code.leaves_unknown() == Some(Unknown::Part) && such(one.code) && !one.is_lifted()
        };
        let mut told = Self::default();
        for one in collected.iter().filter(is_hiding) {
            let Some(place) = one.location.as_ref() else { continue };
            told.paths.insert(&place.path);
            if let Some(run) = one.subject.run.as_deref() {
                told.by_run.entry(run).or_default().push(&place.path);
            }
        }
        told
    }

    fn are_in(&self, file: &FileRecord, run: &Run) -> bool {
        self.paths.contains(run.root_path()) || self.are_in_own(file, run)
    }

    /// Whether they are in the file itself, which may have been read and then set aside.
    fn are_in_own(&self, file: &FileRecord, run: &Run) -> bool {
        let path =
            || Path::new(run.root_path()).join(&file.relative).to_string_lossy().into_owned();
        let of_run = || self.by_run.get(run.id.as_str()).into_iter().flatten();
        !self.paths.is_empty()
            && (self.paths.contains(path().as_str()) || of_run().any(|path| file.lies_at(path)))
    }
}

pub(super) fn runs_of<'a>(pair: &ArmPair<'a>) -> impl Iterator<Item = &'a Run> {
    of_either(pair).map(|(_, run)| run)
}

fn of_either<'a>(pair: &ArmPair<'a>) -> impl Iterator<Item = (PairArm, &'a Run)> {
    PairArm::BOTH.into_iter().flat_map(|which| pair.runs(which).map(move |run| (which, run)))
}

/// Whether the user accepted what was found about the file.
fn is_accepted(file: &FileRecord, run: &Run, collected: &[Diagnostic]) -> bool {
    collected.iter().any(|finding| {
        finding.is_lifted()
            && finding.subject.run.as_deref() == Some(&run.id)
            && finding.location.as_ref().is_some_and(|place| run.has_at(file, &place.path))
    })
}

fn has_accepted(found: &CheckFindings, code: Code) -> bool {
    found.diagnostics.iter().any(|finding| finding.code == code && finding.is_lifted())
}

/// The runs of a pair that record no settings, where another one does.
fn silent_among<'a>(pair: &ArmPair<'a>) -> Vec<&'a str> {
    let (silent, telling): (Vec<&Run>, Vec<&Run>) =
        runs_of(pair).partition(|run| run.content.config.is_empty());
    if telling.is_empty() { Vec::new() } else { silent.iter().map(|run| run.id.as_str()).collect() }
}
