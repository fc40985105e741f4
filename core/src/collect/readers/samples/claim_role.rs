//! What the field of a number or truth value claims of an answer, by its name.

use crate::model::{Direction, MetricNames};

/// What a number or truth value claims, apart from being a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordClaimRole {
    /// Whether all cases passed.
    Accepted,
    /// Whether the tests of the code that the model wrote passed.
    Tested,
    /// Another outcome that is right or wrong.
    Right,
    /// Share of cases passed.
    PassRatio,
    Passed,
    Failed,
    Total,
    /// How many tokens the model wrote.
    Generated,
    /// Whether no answer could be read.
    Unreadable,
    /// Whether an answer could be read.
    Readable,
    None,
}

/// Names of an outcome that tests of code give.
const TESTED: &[&str] = &["passed", "all_passed", "resolved"];

/// Fields by their exact names.
const ROLES: &[(RecordClaimRole, &[&str])] = &[
    (
        RecordClaimRole::Passed,
        &["num_passed", "n_passed", "passed_tests", "tests_passed", "passed_cases", "passed_count"],
    ),
    (
        RecordClaimRole::Failed,
        &["num_failed", "n_failed", "failed_tests", "tests_failed", "failed_cases", "failed_count"],
    ),
    (
        RecordClaimRole::Total,
        &[
            "num_total",
            "n_total",
            "total_tests",
            "num_tests",
            "n_tests",
            "total_cases",
            "num_cases",
        ],
    ),
    (
        RecordClaimRole::Unreadable,
        &["parse_error", "format_error", "invalid_format", "format_failure", "extraction_failed"],
    ),
    (
        RecordClaimRole::Readable,
        &["format_ok", "parsed", "parse_success", "format_correct", "valid_format"],
    ),
];

impl RecordClaimRole {
    /// The role of a field that becomes that metric.
    pub(crate) fn by_name(key: &str, metric: &str, names: &MetricNames) -> Self {
        if let Some((role, _)) = ROLES.iter().find(|(_, names)| names.contains(&key)) {
            return *role;
        }
        let outcome = |metric| {
            let spec = names.get(metric);
            spec.is_some_and(|spec| spec.outcomes && spec.direction == Direction::Higher)
        };
        match metric {
            "accepted_at_1" => Self::Accepted,
            "pass_ratio_mean" => Self::PassRatio,
            "avg_gen_tokens" => Self::Generated,
            "exec_success_rate" => Self::None,
            metric if outcome(metric) && TESTED.contains(&key) => Self::Tested,
            metric if outcome(metric) => Self::Right,
            _ => Self::None,
        }
    }
}
