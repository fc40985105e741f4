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
    let said = format!("{key}: {status}");
    is_unfinished(status).then_some(RunEnding { said, source })
}

pub(super) fn is_unfinished(status: &str) -> bool {
    UNFINISHED.contains(&status.trim().to_ascii_lowercase().as_str())
}
