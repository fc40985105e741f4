//! Records that are replicates, folds or checkpoints, or samples of these.

use serde_json::{Value, json};

use super::Expected::{Holds, Raised, Silent, Verdict};
use super::{Case, Files, case, quiz};
use crate::cases::cases;

cases![
    replicates_of_a_bootstrap_are_no_samples = case(
        figures(|i| json!(format!("boot_{i}"))),
        &[],
        vec![Raised("R501"), Holds("accuracy", "/reason", json!("blocked: R501"))]
    ),
    folds_of_repeated_cross_validation_are_no_samples = case(
        figures(|i| json!(format!("repeat{}_fold{}", i / 10, i % 10))),
        &[],
        vec![Raised("R501"), Verdict("accuracy", "not-assessable")]
    ),
    checkpoints_of_a_training_are_no_samples = case(
        figures(|i| json!(format!("checkpoint-{}", 500 * (i + 1)))),
        &[],
        vec![Raised("R501"), Verdict("accuracy", "not-assessable")]
    ),
    questions_of_folds_are_samples = case(
        figures(|i| json!(format!("fold{}/q{i}", i % 4))),
        &[],
        vec![Silent("R501"), Verdict("accuracy", "better")]
    ),
    one_id_of_another_kind_leaves_the_verdict = case(
        figures(|i| if i == 3 { json!("overall") } else { json!(format!("boot_{i}")) }),
        &[],
        vec![Silent("R501"), Verdict("accuracy", "better")]
    ),
    replicates_that_the_user_accepts_are_compared = case(
        figures(|i| json!(format!("boot_{i}"))),
        &["--accept", "R501"],
        vec![Raised("R501"), Verdict("accuracy", "better")]
    ),
];

/// Sixty figures under these ids, of which those of the candidate are higher.
fn figures(id: impl Fn(usize) -> Value) -> [Files; 2] {
    quiz(60, |arm, i| {
        let place = (i * 37) % 60;
        let gain = (0.01 + (place % 7) as f64 / 100.0) * arm as f64;
        json!({ "id": id(i), "accuracy": 0.6 + (place % 11) as f64 / 100.0 + gain })
    })
}
