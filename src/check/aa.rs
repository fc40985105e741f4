//! Two runs of one configuration: a comparison that measures chance.

use super::data_files;
use crate::diag::{Code, Diagnostic};
use crate::group::ArmPair;
use crate::model::Run;

pub(super) fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    if !differ_in_seeds_only(pair) {
        return Vec::new();
    }
    let (mine, theirs) = (pair.baseline, pair.candidate);
    vec![
        Diagnostic::new(Code::SeedsOnly)
            .with("baseline", mine.id.as_str())
            .with("candidate", theirs.id.as_str())
            .with("keys", pair.factors.keys.clone()),
    ]
}

/// Whether two single runs differ in their seeds and in nothing else that is recorded.
pub(super) fn differ_in_seeds_only(pair: &ArmPair<'_>) -> bool {
    let (mine, theirs) = (pair.baseline, pair.candidate);
    let apart = mine.place != theirs.place;
    apart && pair.differ_in_seeds_only() && is_same_otherwise(mine, theirs)
}

/// Whether nothing that is recorded outside the configuration shows two different things.
fn is_same_otherwise(mine: &Run, theirs: &Run) -> bool {
    let agree = |mine: &Option<String>, theirs: &Option<String>| {
        mine.as_ref().zip(theirs.as_ref()).is_none_or(|(mine, theirs)| mine == theirs)
    };
    let (before, after) = (&mine.content.provenance, &theirs.content.provenance);
    let files = mine.data_files.iter().all(|file| {
        let other = theirs.data_files.iter().find(|other| other.key == file.key);
        other.is_none_or(|other| !data_files::differ(file, other))
    });
    let versions = mine.content.versions.iter().all(|(name, version)| {
        theirs.content.versions.get(name).is_none_or(|other| other == version)
    });
    files
        && versions
        && agree(&before.commit, &after.commit)
        && agree(&before.model, &after.model)
        && agree(&before.harness_version, &after.harness_version)
}
