//! Words that are written in the place of a score.

/// For each score the letters of `inspect_ai` (correct, partly correct,
/// incorrect, no answer), whose case matters, and words without regard to case, in lower case.
pub const SCORE_WORDS: [(&[&str], &[&str], f64); 3] = [
    (
        &["C"],
        &["pass", "passed", "correct", "right", "true", "yes", "resolved", "正确", "对", "是"],
        1.0,
    ),
    (&["P"], &[], 0.5),
    (
        &["I", "N"],
        &[
            "fail",
            "failed",
            "incorrect",
            "wrong",
            "false",
            "no",
            "unresolved",
            "timeout",
            "错误",
            "错",
            "否",
            "超时",
        ],
        0.0,
    ),
];
