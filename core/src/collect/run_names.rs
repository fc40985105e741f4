//! What people call the runs of a tracker: names, which several runs may have.

use std::collections::BTreeMap;

use super::member::Member;

/// A run as its tracker knows it.
pub(super) struct TrackedRun {
    pub(super) id: String,
    /// The name of its experiment; empty where that is not known.
    pub(super) experiment: String,
    pub(super) name: String,
}

impl TrackedRun {
    /// Its name with that of its experiment.
    pub(super) fn called(&self) -> String {
        let parts = [self.experiment.as_str(), &self.name];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
    }
}

/// A name for each run that no other has: its own, with the experiment where others are called the same,
/// or else its id.
pub(super) fn unique(runs: &[TrackedRun]) -> Vec<String> {
    let (mut own, mut whole) = (BTreeMap::new(), BTreeMap::new());
    for run in runs {
        *own.entry(run.name.as_str()).or_insert(0) += 1;
        *whole.entry(run.called()).or_insert(0) += 1;
    }
    let name = |run: &TrackedRun| match run.called() {
        _ if run.name.trim().is_empty() => run.id.clone(),
        _ if own.get(run.name.as_str()) == Some(&1) => run.name.clone(),
        called if whole.get(&called) == Some(&1) => called,
        _ => run.id.clone(),
    };
    runs.iter().map(name).collect()
}

/// Names the members of which a tracker keeps each in a directory.
pub(super) fn name_members(members: &mut [Member], tracked: impl Fn(&str) -> Option<TrackedRun>) {
    let (mut named, mut runs) = (Vec::new(), Vec::new());
    for member in members.iter_mut().filter(|member| member.stored.is_none()) {
        if let Some(run) = tracked(&member.directory) {
            named.push(member);
            runs.push(run);
        }
    }
    for ((member, name), run) in named.into_iter().zip(unique(&runs)).zip(&runs) {
        (member.name, member.called) = (Some(name), run.called());
    }
}
