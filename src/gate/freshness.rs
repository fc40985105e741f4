//! How old the results of a candidate are, by what its runs say of themselves.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, Unknown};
use crate::model::{Run, TIME_KEYS, leaf};
use crate::quantity::{Moment, Night, Period, TimeOfDay};

/// Clocks of two machines, and times without a zone, are no farther apart than the zones of the world.
const LARGEST_ZONE: i64 = 14 * 3600;

/// The age of a run beside a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Age {
    Within,
    Beyond,
    /// It says nowhere when it was made.
    Unknown,
    /// It says that it was made later than now.
    OfTheFuture,
}

/// What ages are counted from.
pub(super) struct Clock {
    pub(super) now: Moment,
    /// Ids of runs whose recorded times nobody can go by.
    pub(super) undated: BTreeSet<String>,
}

impl Clock {
    pub(super) fn age(&self, limit: Period, run: &Run) -> Age {
        let time = recorded_time(run).filter(|_| !self.undated.contains(&run.id));
        match time.map(|time| self.now.seconds_since(time)) {
            None => Age::Unknown,
            Some(age) if age < -LARGEST_ZONE => Age::OfTheFuture,
            Some(age) if age <= limit.seconds() => Age::Within,
            Some(_) => Age::Beyond,
        }
    }
}

/// Runs that state two values for a time, or whose settings could not be read.
pub(super) fn undated<'d>(
    runs: &[&Run],
    said: impl Iterator<Item = &'d Diagnostic>,
) -> BTreeSet<String> {
    let is_of_time = |finding: &&Diagnostic| {
        let key = finding.subject.key.as_deref().map(leaf);
        finding.code.leaves_unknown() == Some(Unknown::Setting)
            && key.is_none_or(|key| TIME_KEYS.iter().any(|times| times.contains(&key)))
    };
    let ids: BTreeSet<&str> =
        said.filter(is_of_time).filter_map(|finding| finding.subject.run.as_deref()).collect();
    runs.iter().filter(|run| ids.contains(&*run.id)).map(|run| run.id.clone()).collect()
}

/// When a run ended, or began where it does not say when it ended, or the first second of the date in
/// its path where it says neither. Times of files are not asked: a checkout or a download makes old
/// results new.
fn recorded_time(run: &Run) -> Option<Moment> {
    let said = &run.content.provenance;
    match said.ended.as_ref().or(said.started.as_ref()) {
        Some(text) => Moment::recorded(text),
        None => Night::named_in(&run.path).map(|night| TimeOfDay::default().on(night)),
    }
}
