//! What a record says of its answer beside the scores, and where it contradicts itself.
//!
//! Knows which claims exclude each other; which of them is true nobody can tell from the record, so
//! every score stays as it was written.

use std::sync::Arc;

use crate::diag::{Code, Diagnostic, Location};
use crate::model::{AnswerMatch, Ending};
use crate::quantity::Quantity;

use super::cause::{RecordCause, RecordFailure};
use super::claim_role::RecordClaimRole;
use super::error_type::RecordErrorType;
use super::failing::FailingField;
use super::short_answer::ShortAnswer;
use super::value::RecordValue;
use super::written::WrittenAnswer;

/// What the error type says of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ErrorTypeClaim {
    /// Nothing, or only that the program ran.
    #[default]
    Nothing,
    /// Outright that nothing went wrong.
    Succeeded,
    WentWrong,
}

/// Which field holds the answer of the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum AnswerField {
    #[default]
    Any,
    /// One that holds nothing else, so that `answer` beside it is the right one.
    Prediction,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RecordClaims {
    /// Whether the reason why generation stopped is the length limit.
    pub(super) stopped_at_limit: Option<bool>,
    /// Whether a field of that name says that the answer was cut.
    pub(super) truncated: Option<bool>,
    said: ErrorTypeClaim,
    /// How the answer ended by its error type.
    ending: Ending,
    /// The field of the extracted answer holds none.
    pub(super) no_answer: bool,
    /// Whether the answer has the right form, where a field says so; it may be there all the same.
    readable: Option<bool>,
    accepted: Option<f64>,
    right: Option<f64>,
    /// Whether tests of code gave that outcome.
    was_tested: bool,
    pass_ratio: Option<f64>,
    passed: Option<f64>,
    failed: Option<f64>,
    total: Option<f64>,
    /// What stands in the place of the answer.
    pub(super) written: WrittenAnswer,
    answered_in: AnswerField,
    /// The same of a field that holds it or the right answer, which is the same in both arms.
    pub(super) perhaps_written: WrittenAnswer,
    pub(super) failure: RecordFailure,
    /// What is written of its failure.
    cause: RecordCause,
    /// What other fields say that failed.
    said_to_fail: RecordCause,
    /// What the model wrote before an answer, or how much it wrote, says that it ran.
    ran: bool,
    /// Whether the record is valid, where a field says so.
    valid: Option<bool>,
    /// The right answer, and what was taken as the answer of the model.
    expected: ShortAnswer,
    given: ShortAnswer,
}

/// What stands for no class or choice.
const NO_CHOICE: &str = "-1";

/// What extraction filters write where they found no answer.
const NO_ANSWER: [&str; 5] = ["", "[invalid]", "[]", "[\"\"]", "[\"[invalid]\"]"];

impl RecordClaims {
    /// Takes the kind of error as it is written.
    pub(super) fn take_error_type(&mut self, text: &str, kind: &RecordErrorType) {
        let success = ["success", "accepted", "pass", "passed"];
        let ending = kind.ending();
        if ending != Ending::Plain {
            self.ending = ending;
        }
        let known = !matches!(ending, Ending::Plain | Ending::Other);
        self.said = if known || kind.name() == "wrong_answer" {
            ErrorTypeClaim::WentWrong
        } else if success.iter().any(|word| text.trim().eq_ignore_ascii_case(word)) {
            ErrorTypeClaim::Succeeded
        } else {
            ErrorTypeClaim::Nothing
        };
    }

    /// Takes what is written of a failure outside the kind of error, where it names one.
    pub(super) fn take_failure(&mut self, text: &str) {
        if self.ending == Ending::Plain {
            self.ending = Ending::by_kind(RecordErrorType::parse(text).name());
        }
    }

    pub(super) fn take_message(&mut self, text: &str) {
        self.take_failure(text);
        self.cause = self.cause.max(RecordCause::from_message(text));
    }

    /// Takes a status that says that the sample failed, and not how.
    pub(super) fn take_failed_status(&mut self) {
        self.cause = self.cause.max(RecordCause::Around);
    }

    /// Takes the right answer, or what may be that of the model as well.
    pub(super) fn take_target(&mut self, may_be_written: bool, value: RecordValue<'_>) {
        self.written.take_expected(value);
        let expected = ShortAnswer::from_value(value);
        if expected.hash.is_some() && !(may_be_written && self.expected.hash.is_some()) {
            self.expected = expected;
        }
        if may_be_written {
            self.perhaps_written.take(value);
        }
    }

    /// Takes the reason why generation stopped; an error is none.
    pub(super) fn take_finish_reason(&mut self, value: RecordValue<'_>) {
        if let RecordValue::Text(reason) = value
            && reason != "error"
        {
            let cut = matches!(reason, "length" | "max_tokens" | "max_length");
            self.stopped_at_limit = Some(self.stopped_at_limit.unwrap_or(false) || cut);
        }
    }

    /// Takes a field that may say that the record failed.
    pub(super) fn take_failing(&mut self, field: FailingField, value: RecordValue<'_>) {
        let is_text =
            matches!(value, RecordValue::Null | RecordValue::Text(_) | RecordValue::Quoted(_));
        match field {
            FailingField::Answer | FailingField::Prediction
                if is_text || matches!(value, RecordValue::Number { .. }) =>
            {
                if field == FailingField::Prediction {
                    self.answered_in = AnswerField::Prediction;
                }
                self.given = ShortAnswer::from_value(value);
                let is_none = value.text().is_some_and(|text| text.trim() == NO_CHOICE);
                self.written.take(if is_none { RecordValue::Null } else { value });
            }
            FailingField::Choices if matches!(value, RecordValue::Composite("[]")) => {
                self.perhaps_written.take(RecordValue::Null);
            }
            FailingField::Answer | FailingField::Prediction | FailingField::Choices => {}
            FailingField::Reasoning => {
                self.ran |= value.text().is_some_and(|text| !text.trim().is_empty());
            }
            FailingField::Validity => self.valid = value.truth().or(self.valid),
            _ => self.said_to_fail = self.said_to_fail.max(field.cause(value)),
        }
    }

    /// Whether a field holds the answer of the model and nothing else.
    pub(super) fn is_predicted(&self) -> bool {
        self.answered_in == AnswerField::Prediction
    }

    /// What the answer is beside the target.
    pub(super) fn answer_match(&self) -> AnswerMatch {
        self.given.compared_with(self.expected)
    }

    /// Whether the answer is code that was run, so that its errors and timeouts are wrong answers.
    fn runs_code(&self) -> bool {
        let counts = [self.accepted, self.pass_ratio, self.passed, self.failed, self.total];
        counts.iter().any(Option::is_some) || self.said != ErrorTypeClaim::Nothing
    }

    /// Whether a timeout is that of what the model did: of code that was run, or of a task at which an
    /// answer is written all the same. A request that timed out has none.
    fn is_time_limit(&self) -> bool {
        self.runs_code() || self.was_tested || self.written.is_text()
    }

    /// Whether a score of 0 stands for a sample that never got an answer: the record is marked as
    /// failed, and what failed is the program around the model. Where code is run, its errors and
    /// timeouts are answers that are wrong.
    pub(super) fn is_lost(&self) -> bool {
        self.errored()
            && match self.cause {
                RecordCause::Infrastructure => true,
                RecordCause::Around => !self.runs_code(),
                RecordCause::Timeout => !self.is_time_limit(),
                RecordCause::Unknown | RecordCause::Answer => self.ending == Ending::Infrastructure,
            }
    }

    /// Whether nothing that the model wrote stands in the place of its answer, or the record says that
    /// the program around the model failed. A reason why generation stopped says that it ran, and that
    /// what is empty is its answer.
    pub(super) fn is_unanswered(&self) -> bool {
        let failed = match self.said_to_fail {
            RecordCause::Infrastructure => true,
            RecordCause::Around => !(self.runs_code() || self.was_tested),
            RecordCause::Timeout => !self.is_time_limit(),
            RecordCause::Unknown | RecordCause::Answer => false,
        };
        let written = if self.written.is_somewhere() { self.written } else { self.perhaps_written };
        // An answer that is there and not valid is the model's.
        let is_invalid =
            || self.valid == Some(false) && !self.runs_code() && !self.written.is_text();
        let has_run = self.ran || self.stopped_at_limit.is_some();
        failed || written.is_none(has_run) || is_invalid()
    }

    /// Whether a score of 0, where less is better, is that of a sample that failed. One that was
    /// judged may be called failed for its answer.
    pub(super) fn is_no_best_score(&self) -> bool {
        let judged = [self.accepted, self.right, self.pass_ratio, self.passed];
        let is_judged = judged.iter().any(Option::is_some);
        let by_answer = self.failure != RecordFailure::Certain || self.cause == RecordCause::Answer;
        let failed = self.failure != RecordFailure::None && !(is_judged && by_answer);
        failed || self.is_unanswered()
    }

    fn errored(&self) -> bool {
        self.failure == RecordFailure::Certain
    }

    pub(super) fn take_answer(&mut self, value: RecordValue<'_>) {
        self.given = ShortAnswer::from_value(value);
        // An answer may have been read from nothing that is kept.
        self.perhaps_written.take(value);
        self.no_answer = match value {
            RecordValue::Null => true,
            value => value.text().is_some_and(|text| NO_ANSWER.contains(&text.trim())),
        };
    }

    pub(super) fn take(&mut self, role: RecordClaimRole, value: f64) {
        match role {
            RecordClaimRole::Accepted => self.accepted = Some(value),
            RecordClaimRole::Tested => {
                self.was_tested = true;
                self.take(RecordClaimRole::Right, value);
            }
            RecordClaimRole::Right => self.right = Some(self.right.unwrap_or(value).max(value)),
            RecordClaimRole::PassRatio => self.pass_ratio = Some(value),
            RecordClaimRole::Passed => self.passed = Some(value),
            RecordClaimRole::Failed => self.failed = Some(value),
            RecordClaimRole::Total => self.total = Some(value),
            RecordClaimRole::Generated => self.ran |= value > 0.0,
            RecordClaimRole::Unreadable => *self.readable.get_or_insert(true) &= value != 1.0,
            RecordClaimRole::Readable => *self.readable.get_or_insert(true) &= value != 0.0,
            RecordClaimRole::None => {}
        }
    }

    /// Whether the answer was cut at the length limit, where the record tells.
    pub(super) fn cut(&self) -> Option<bool> {
        match (self.truncated, self.stopped_at_limit) {
            (None, None) => None,
            (said, reason) => Some(said == Some(true) || reason == Some(true)),
        }
    }

    pub(super) fn ending(&self) -> Ending {
        let has_none = self.readable == Some(false) && self.given.hash.is_none();
        match self.ending {
            Ending::Plain if self.errored() => Ending::Infrastructure,
            Ending::Plain if self.no_answer || has_none => Ending::NoAnswer,
            known => known,
        }
    }
}

/// Two claims that cannot both be true.
struct ClaimRule {
    /// The claims, as a reader of any language sees them.
    claims: &'static str,
    broken: fn(&RecordClaims) -> bool,
}

/// Shares are printed with two decimals at least.
const ROUNDING: f64 = 0.006;

static RULES: &[ClaimRule] = &[
    ClaimRule {
        claims: "accepted = 1, pass_ratio < 1",
        broken: |record| record.accepted == Some(1.0) && is_partial(record.pass_ratio),
    },
    ClaimRule {
        claims: "accepted = 0, pass_ratio = 1",
        broken: |record| record.accepted == Some(0.0) && record.pass_ratio == Some(1.0),
    },
    ClaimRule {
        claims: "accepted = 1, error_type ≠ success",
        broken: |record| record.accepted == Some(1.0) && record.said == ErrorTypeClaim::WentWrong,
    },
    ClaimRule {
        claims: "accepted = 0, error_type = success",
        broken: |record| record.accepted == Some(0.0) && record.said == ErrorTypeClaim::Succeeded,
    },
    ClaimRule {
        claims: "error_type = success, pass_ratio < 1",
        // What an outcome says already is not said again.
        broken: |record| {
            record.said == ErrorTypeClaim::Succeeded
                && record.accepted.is_none()
                && is_partial(record.pass_ratio)
        },
    },
    ClaimRule {
        claims: "error_type = success, failed > 0",
        broken: |record| {
            record.said == ErrorTypeClaim::Succeeded
                && record.failed.is_some_and(|failed| failed > 0.0)
        },
    },
    ClaimRule {
        claims: "passed > total",
        broken: |record| {
            record.passed.zip(record.total).is_some_and(|(passed, total)| passed > total)
        },
    },
    ClaimRule { claims: "pass_ratio ≠ passed / total", broken: ratio_is_another },
    ClaimRule {
        claims: "finish_reason = length, truncated = 0",
        broken: |record| record.stopped_at_limit == Some(true) && record.truncated == Some(false),
    },
    ClaimRule {
        claims: "error ≠ null, score = 1",
        broken: |record| {
            let right = record.accepted == Some(1.0) || record.right == Some(1.0);
            record.errored() && right && record.said != ErrorTypeClaim::WentWrong
        },
    },
];

fn is_partial(ratio: Option<f64>) -> bool {
    ratio.is_some_and(|ratio| (0.0..1.0).contains(&ratio))
}

/// Whether a share, or a percentage, is not that of the counts beside it.
fn ratio_is_another(record: &RecordClaims) -> bool {
    let counts = record
        .passed
        .zip(record.total)
        .filter(|(passed, total)| *total > 0.0 && (0.0..=*total).contains(passed));
    counts.zip(record.pass_ratio).is_some_and(|((passed, total), ratio)| {
        let share = passed / total;
        (ratio - share).abs() > ROUNDING && (ratio - 100.0 * share).abs() > 100.0 * ROUNDING
    })
}

const MOST_LINES: usize = 5;

/// Records that contradict themselves, by rule. Lines count within the part.
#[derive(Debug, Default)]
pub(super) struct RecordContradictions {
    records: u64,
    /// Number of records and the first lines; empty until a rule is broken.
    broken: Vec<(u64, Vec<u64>)>,
}

impl RecordContradictions {
    pub(super) fn note(&mut self, claims: &RecordClaims, line: u64) {
        self.records += 1;
        for (position, rule) in RULES.iter().enumerate() {
            if (rule.broken)(claims) {
                self.add(position, 1, &[line]);
            }
        }
    }

    fn add(&mut self, position: usize, count: u64, lines: &[u64]) {
        self.broken.resize(RULES.len(), (0, Vec::new()));
        if let Some((known, first)) = self.broken.get_mut(position) {
            *known += count;
            let space = MOST_LINES - first.len();
            first.extend(lines.iter().take(space));
        }
    }

    /// Appends those of the next part, whose lines count from `lines` on.
    pub(super) fn append(&mut self, next: Self, lines: u64) {
        self.records += next.records;
        for (position, (count, first)) in next.broken.into_iter().enumerate() {
            let shifted: Vec<u64> = first.into_iter().map(|line| line + lines).collect();
            self.add(position, count, &shifted);
        }
    }

    pub(super) fn diagnostics(self, path: &Arc<str>) -> Vec<Diagnostic> {
        let Self { records, broken } = self;
        let broken = RULES.iter().zip(broken);
        broken
            .filter_map(|(rule, (count, lines))| {
                let first = *lines.first()?;
                Some(
                    Diagnostic::new(Code::ContradictoryRecord)
                        .key(rule.claims)
                        .with("claims", rule.claims)
                        .with("count", count)
                        .with("records", records)
                        .with("share", Quantity::percent_of(count, records))
                        .with("lines", lines)
                        .at(Location::line(path.as_ref(), first)),
                )
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
