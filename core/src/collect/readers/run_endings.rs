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
    "partial",
    "errors",
    "失败",
    "出错",
    "中断",
    "已取消",
    "运行中",
];
/// Longer statuses are sentences.
const MOST_WORDS: usize = 3;

/// The ending, where the status under that key names an end before the aim.
pub(super) fn ending(key: &str, status: &str, source: Source) -> Option<RunEnding> {
    let said = format!("{key}: {status}");
    is_unfinished(status).then_some(RunEnding { said, source })
}

/// Whether a word or two name an end before the aim: `failed`, `OOM-killed`.
pub(super) fn is_unfinished(status: &str) -> bool {
    let lower = status.trim().to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    UNFINISHED.contains(&lower.as_str())
        || matches!(
            words.clone().collect::<Vec<_>>()[..],
            ["success" | "succeeded" | "ok", "false" | "no"]
        )
        || words.clone().count() <= MOST_WORDS
            && words.clone().any(|word| UNFINISHED.contains(&word))
}
