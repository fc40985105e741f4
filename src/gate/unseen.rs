//! What no gate could look at: files that could not be read, and settings that one side does not
//! record. Either may hold what a gate looks for, so that a pass would say more than is known.

use std::collections::BTreeSet;

use crate::check::CheckFindings;
use crate::diag::{Code, Diagnostic, Fact};
use crate::model::{FileRecord, Run};
use crate::pairing::{ArmPair, PairArm, PairedArms};

/// How many files and runs hide something, without those that the user answers for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Unseen {
    /// Files and directories of either arm of which a part is not known.
    pub(super) files: usize,
    /// Runs without a configuration, beside runs with one.
    pub(super) silent_runs: usize,
    /// Data files that a run names and that were not read although something may be there.
    pub(super) data_files: usize,
    /// Settings of a kind that decides scores, which one side alone records.
    pub(super) one_sided: usize,
}

impl Unseen {
    pub(super) fn of(
        paired_arms: &PairedArms<'_>,
        findings: &[CheckFindings],
        collected: &[Diagnostic],
    ) -> Self {
        let runs = || paired_arms.pairs.iter().flat_map(runs_of_pair);
        let files: BTreeSet<(&str, &str)> = runs()
            .flat_map(|run| {
                let unread = run.files.iter().filter(|file| file.is_unread());
                let unread = unread.filter(|file| !is_accepted(file, run, collected));
                unread.map(|file| (run.id.as_str(), file.relative.as_str()))
            })
            .collect();
        let silent_runs: BTreeSet<&str> = paired_arms
            .pairs
            .iter()
            .zip(findings)
            .filter(|(_, found)| !has_accepted(found, Code::NoConfig))
            .flat_map(|(pair, _)| silent_runs(pair))
            .collect();
        let withheld: BTreeSet<(&str, &str)> = runs()
            .flat_map(|run| {
                let files = run.data_files.iter().filter(|file| file.is_withheld);
                files.map(|file| (run.id.as_str(), file.declared.as_str()))
            })
            .collect();
        let is_answered_for =
            |code| collected.iter().any(|finding| finding.code == code && finding.is_lifted());
        let answered = is_answered_for(Code::OutsideRun) || is_answered_for(Code::Unreadable);
        // What a run without any settings lacks is counted above.
        let pairs = paired_arms.pairs.iter().zip(findings);
        let telling = pairs.filter(|(pair, _)| self::silent_runs(pair).is_empty());
        let one_sided = telling
            .flat_map(|(_, found)| &found.diagnostics)
            .filter(|one| one.code == Code::ConfigOneSided && !one.is_lifted())
            .filter(|one| one.evidence.get("weight") == Some(&Fact::from("telling")));
        Self {
            files: files.len(),
            silent_runs: silent_runs.len(),
            data_files: if answered { 0 } else { withheld.len() },
            one_sided: one_sided.count(),
        }
    }
}

fn runs_of_pair<'a>(pair: &ArmPair<'a>) -> impl Iterator<Item = &'a Run> {
    PairArm::BOTH.into_iter().flat_map(|which| pair.runs(which))
}

/// Whether the user accepted what was found about the file.
fn is_accepted(file: &FileRecord, run: &Run, collected: &[Diagnostic]) -> bool {
    collected.iter().any(|finding| {
        let path = finding.location.as_ref().map(|location| location.path.as_str());
        finding.is_lifted()
            && finding.subject.run.as_deref() == Some(&run.id)
            && path.is_some_and(|path| path.ends_with(&file.relative))
    })
}

fn has_accepted(found: &CheckFindings, code: Code) -> bool {
    found.diagnostics.iter().any(|finding| finding.code == code && finding.is_lifted())
}

/// The runs of a pair that record no settings, where another one does.
fn silent_runs<'a>(pair: &ArmPair<'a>) -> Vec<&'a str> {
    let (silent, telling): (Vec<&Run>, Vec<&Run>) =
        runs_of_pair(pair).partition(|run| run.content.config.is_empty());
    if telling.is_empty() { Vec::new() } else { silent.iter().map(|run| run.id.as_str()).collect() }
}
