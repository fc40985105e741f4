//! Two runs of one configuration: a comparison that measures chance.

use super::{Check, data_files};
use crate::diag::{Code, Diagnostic, Explanation};
use crate::group::ArmPair;
use crate::model::Run;

pub(super) const CHECK: Check = Check { id: "aa", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[Explanation::new(
    Code::SeedsOnly,
    "Both arms are single runs, both record a seed (`seed`, `random_state` and others; not the seed of \
     a data split or of few-shot examples), the seeds differ, and nothing else does that can move a \
     metric: no configuration key, data file, version, commit or model, as far as these are \
     recorded. Runs that record no seed, or the same one, are not meant, nor arms of several runs. \
     Keys that one run alone records speak against it.",
    "Such a comparison is an A/A: each difference in it is one observation of what another seed does, \
     and none is an effect of a change that somebody made. A verdict of better or worse there is \
     chance, or comes from something that was not recorded. Read as an improvement it would be \
     reported, and not be found again.",
)];

fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
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
