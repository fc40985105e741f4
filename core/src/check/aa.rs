//! Two runs of one configuration: a comparison that measures chance.

use super::data_files;
use crate::diag::{Code, Diagnostic};
use crate::model::Run;
use crate::pairing::ArmPair;

pub(super) fn check_aa(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    if !differ_in_seeds_only(pair) {
        return Vec::new();
    }
    let (baseline, candidate) = (pair.baseline, pair.candidate);
    vec![
        Diagnostic::new(Code::SeedsOnly)
            .with("baseline", baseline.id.as_str())
            .with("candidate", candidate.id.as_str())
            .with("keys", pair.factors.keys.clone()),
    ]
}

/// Whether two single runs differ in their seeds and in nothing else that is recorded.
pub(super) fn differ_in_seeds_only(pair: &ArmPair<'_>) -> bool {
    let (baseline, candidate) = (pair.baseline, pair.candidate);
    let apart = baseline.place != candidate.place;
    apart && pair.differ_in_seeds_only() && is_same_otherwise(baseline, candidate)
}

/// Whether nothing that is recorded outside the configuration shows two different things.
fn is_same_otherwise(baseline: &Run, candidate: &Run) -> bool {
    let agree = |baseline: &Option<String>, candidate: &Option<String>| {
        baseline
            .as_ref()
            .zip(candidate.as_ref())
            .is_none_or(|(baseline, candidate)| baseline == candidate)
    };
    let (before, after) = (&baseline.content.provenance, &candidate.content.provenance);
    let files = baseline.data_files.iter().all(|file| {
        let other = candidate.data_files.iter().find(|other| other.key == file.key);
        other.is_none_or(|other| !data_files::differ(file, other))
    });
    let versions = baseline.content.versions.iter().all(|(name, version)| {
        candidate.content.versions.get(name).is_none_or(|other| other == version)
    });
    files
        && versions
        && agree(&before.commit, &after.commit)
        && agree(&before.model, &after.model)
        && agree(&before.harness_version, &after.harness_version)
}
