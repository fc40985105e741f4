//! How a run says that it ended before its aim.

use crate::model::{RunEnding, Source};

/// Keys that hold the status of a run.
pub(super) const STATUS_KEYS: &[&str] = &["status", "state"];
/// Words of an end before the aim, in lower case.
const UNFINISHED: &[&str] = &[
    "failed",
    "failure",
    "error",
    "errored",
    "crashed",
    "cancelled",
    "canceled",
    "killed",
    "interrupted",
    "aborted",
    "preempted",
    "timeout",
    "timed_out",
    "out_of_memory",
    "oom",
    "running",
    "started",
    "incomplete",
];

/// The ending, where the status under that key names an end before the aim.
pub(super) fn ending(key: &str, status: &str, source: Source) -> Option<RunEnding> {
    let word = status.trim().to_ascii_lowercase();
    let said = format!("{key}: {status}");
    UNFINISHED.contains(&word.as_str()).then_some(RunEnding { said, source })
}
