//! What made a sample fail: the answer, or the program around the model.

use super::error_type::RecordErrorType;
use crate::model::Ending;

/// What the record says of its own failure, apart from any score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum RecordFailure {
    #[default]
    None,
    /// Failed, unless a score says otherwise.
    UnlessScored,
    /// Failed, whatever else is written.
    Certain,
}

/// What failed, as far as a record marked as failed tells. Ordered: what says more counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum RecordCause {
    #[default]
    Unknown,
    /// A time limit: of the program around the model, unless the answer is code that was run.
    Timeout,
    /// The program around the model, unless the answer is code that was run.
    Around,
    /// The program around the model.
    Infrastructure,
    /// The answer itself, such as code that raises an error.
    Answer,
}

/// Words in messages of programs that ask models, as far as they are none of programs that models
/// write.
const AROUND: &[&str] = &[
    "api",
    "rate limit",
    "ratelimit",
    "connection",
    "http",
    "429",
    "502",
    "503",
    "504",
    "overloaded",
    "unavailable",
    "server error",
    "quota",
    "request",
    "gateway",
    "read timeout",
    "readtimeout",
    "connect timeout",
    "out of memory",
    "outofmemory",
    "sslerror",
    "network",
    "docker",
    "judge unavailable",
];
const TIMEOUTS: &[&str] = &["timeout", "timed out"];

impl RecordCause {
    /// What failed by the message of an `error` field.
    pub(super) fn from_message(text: &str) -> Self {
        let lower = text.trim().to_lowercase();
        let head = lower.split_once(':').map_or(lower.as_str(), |(head, _)| head);
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        match Ending::by_kind(RecordErrorType::parse(head).name()) {
            Ending::Infrastructure => Self::Infrastructure,
            Ending::Plain | Ending::Timeout if has(AROUND) => Self::Around,
            Ending::Timeout => Self::Timeout,
            Ending::Plain if has(TIMEOUTS) => Self::Timeout,
            Ending::Plain if !head.ends_with("error") && !lower.contains("traceback") => {
                Self::Unknown
            }
            _ => Self::Answer,
        }
    }
}
