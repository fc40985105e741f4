//! What a record says of its own failing in fields that are none of an answer: a message, a status, a
//! code.
//!
//! Knows names and values. That a failed record was scored, and whether that matters, is asked
//! elsewhere.

use super::cause::RecordCause;
use super::value::RecordValue;

/// How a field says that its record failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailingField {
    /// A text that programs around a model write.
    Message,
    /// One of [`WORDS`].
    Word,
    /// A status of HTTP from 400 on.
    HttpStatus,
    /// How a process ended: killed from outside.
    ExitCode,
    /// True.
    Truth,
    /// Anything: whoever had to judge the answer failed.
    Judge,
    /// Nothing where an answer is expected.
    Answer,
    /// The same, of a field beside which `answer` is the right one.
    Prediction,
    /// An empty list, where programs hand on the answers of a server.
    Choices,
    /// False, where no answer is written.
    Validity,
    /// A text that the model wrote before its answer: it ran.
    Reasoning,
}

/// Names of fields and how each says it.
const FIELDS: [(&str, FailingField); 51] = [
    ("choices", FailingField::Choices),
    ("grader_error", FailingField::Judge),
    ("grading_error", FailingField::Judge),
    ("judge_error", FailingField::Judge),
    ("scorer_error", FailingField::Judge),
    ("scoring_error", FailingField::Judge),
    ("err", FailingField::Message),
    ("err_msg", FailingField::Message),
    ("error_info", FailingField::Message),
    ("error_message", FailingField::Message),
    ("error_msg", FailingField::Message),
    ("exception", FailingField::Message),
    ("failure", FailingField::Message),
    ("failure_reason", FailingField::Message),
    ("judge_output", FailingField::Message),
    ("judge_response", FailingField::Message),
    ("stderr", FailingField::Message),
    ("end_reason", FailingField::Word),
    ("exit_status", FailingField::Word),
    ("finish_reason", FailingField::Word),
    ("outcome", FailingField::Word),
    ("run_status", FailingField::Word),
    ("state", FailingField::Word),
    ("status", FailingField::Word),
    ("stop_reason", FailingField::Word),
    ("termination_reason", FailingField::Word),
    ("error_code", FailingField::HttpStatus),
    ("http_code", FailingField::HttpStatus),
    ("http_status", FailingField::HttpStatus),
    ("status_code", FailingField::HttpStatus),
    ("exit_code", FailingField::ExitCode),
    ("exitcode", FailingField::ExitCode),
    ("return_code", FailingField::ExitCode),
    ("returncode", FailingField::ExitCode),
    ("errored", FailingField::Truth),
    ("has_error", FailingField::Truth),
    ("is_error", FailingField::Truth),
    ("skipped", FailingField::Truth),
    ("timed_out", FailingField::Truth),
    ("is_valid", FailingField::Validity),
    ("valid", FailingField::Validity),
    ("reasoning", FailingField::Reasoning),
    ("reasoning_content", FailingField::Reasoning),
    ("reasoning_text", FailingField::Reasoning),
    ("thinking", FailingField::Reasoning),
    ("content", FailingField::Answer),
    ("final_answer", FailingField::Answer),
    ("model_answer", FailingField::Prediction),
    ("pred", FailingField::Prediction),
    ("predicted_answer", FailingField::Prediction),
    ("prediction", FailingField::Prediction),
];

/// Words for an end that the program around the model made, and those that a wrong program has too.
const WORDS: [(&str, RecordCause); 24] = [
    ("aborted", RecordCause::Infrastructure),
    ("api_error", RecordCause::Infrastructure),
    ("cancelled", RecordCause::Infrastructure),
    ("canceled", RecordCause::Infrastructure),
    ("connection_error", RecordCause::Infrastructure),
    ("crashed", RecordCause::Around),
    ("error", RecordCause::Around),
    ("errored", RecordCause::Around),
    ("infra_error", RecordCause::Infrastructure),
    ("infra_failure", RecordCause::Infrastructure),
    ("infrastructure_error", RecordCause::Infrastructure),
    ("internal_error", RecordCause::Infrastructure),
    ("killed", RecordCause::Around),
    ("network_error", RecordCause::Infrastructure),
    ("oom", RecordCause::Around),
    ("out_of_memory", RecordCause::Around),
    ("preempted", RecordCause::Infrastructure),
    ("rate_limited", RecordCause::Infrastructure),
    ("sandbox_error", RecordCause::Infrastructure),
    ("server_error", RecordCause::Infrastructure),
    ("skipped", RecordCause::Infrastructure),
    ("system_error", RecordCause::Infrastructure),
    ("timed_out", RecordCause::Timeout),
    ("timeout", RecordCause::Timeout),
];

/// What stands for no error.
const NO_ERROR: [&str; 7] = ["", "false", "n/a", "no", "none", "null", "ok"];

/// Exit codes of processes that were ended from outside, by `timeout`, SIGKILL or SIGTERM.
const ENDED_FROM_OUTSIDE: [f64; 5] = [124.0, 137.0, 143.0, -9.0, -15.0];

/// How a field of that name says that its record failed.
pub(super) fn failing_field(name: &str) -> Option<FailingField> {
    FIELDS.iter().find(|(known, _)| *known == name).map(|&(_, field)| field)
}

impl FailingField {
    /// What failed, where the value says that something did. [`RecordCause::Unknown`] where not.
    pub(super) fn cause(self, value: RecordValue<'_>) -> RecordCause {
        let failed = |fails: bool, cause| if fails { cause } else { RecordCause::Unknown };
        match (self, value) {
            (Self::Message, RecordValue::Text(text) | RecordValue::Quoted(text)) => {
                RecordCause::from_message(text)
            }
            (Self::Word, RecordValue::Text(text)) => {
                let is_it = |word: &str| {
                    let same = |(a, b): (u8, u8)| a == b || a == b'_' && matches!(b, b' ' | b'-');
                    let lower = text.bytes().map(|byte| byte.to_ascii_lowercase());
                    word.len() == text.len() && word.bytes().zip(lower).all(same)
                };
                let known = WORDS.iter().find(|(word, _)| is_it(word));
                known.map_or(RecordCause::Unknown, |&(_, cause)| cause)
            }
            (Self::HttpStatus, RecordValue::Number { value, .. }) => {
                failed((400.0..600.0).contains(&value), RecordCause::Infrastructure)
            }
            (Self::ExitCode, RecordValue::Number { value, .. }) => {
                failed(ENDED_FROM_OUTSIDE.contains(&value), RecordCause::Around)
            }
            (Self::Judge, RecordValue::Text(text) | RecordValue::Quoted(text)) => {
                let is_none = NO_ERROR.iter().any(|none| text.trim().eq_ignore_ascii_case(none));
                failed(!is_none, RecordCause::Infrastructure)
            }
            (Self::Judge, RecordValue::Bool(fails)) => failed(fails, RecordCause::Infrastructure),
            (Self::Truth, RecordValue::Bool(fails)) => failed(fails, RecordCause::Around),
            _ => RecordCause::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_what_failed() {
        use RecordCause::{Answer, Around, Infrastructure, Timeout, Unknown};
        let cause = |name: &str, value| failing_field(name).unwrap().cause(value);
        let number = |value| RecordValue::Number { value, text: "" };
        for (name, value, found) in [
            ("error_message", RecordValue::Text("503 Service Unavailable"), Around),
            ("exception", RecordValue::Text("ConnectionError"), Infrastructure),
            ("exception", RecordValue::Text("IndexError: list index out of range"), Answer),
            ("err", RecordValue::Text("could not parse answer"), Unknown),
            ("status", RecordValue::Text("Timed-Out"), Timeout),
            ("status", RecordValue::Text("failed"), Unknown),
            ("finish_reason", RecordValue::Text("error"), Around),
            ("http_status", number(503.0), Infrastructure),
            ("http_status", number(200.0), Unknown),
            ("exit_code", number(137.0), Around),
            ("exit_code", number(1.0), Unknown),
            ("is_error", RecordValue::Bool(true), Around),
            ("is_error", RecordValue::Null, Unknown),
            ("judge_error", RecordValue::Text("timeout"), Infrastructure),
            ("judge_error", RecordValue::Text("None"), Unknown),
            ("judge_error", number(0.2), Unknown),
        ] {
            assert_eq!(cause(name, value), found, "{name} {value:?}");
        }
    }
}
