//! Answers that one arm asked for again, as records count them.

use serde_json::{Value, json};

use super::{Case, Files, Grade, Holds, Raised, Silent, Verdict, case, quiz};
use crate::cases::cases;

cases![
    wrong_answers_of_the_candidate_asked_again = case(
        retried(|i| i % 5 >= 2, "attempt", |again| json!(1 + u8::from(again))),
        &[],
        vec![Raised("R497"), Holds("correct", "/reason", json!("blocked: R497"))]
    ),
    wrong_answers_asked_again_that_only_their_records_tell = case(
        retried(|i| i % 5 >= 2, "retried", |again| if again { json!(true) } else { Value::Null }),
        &[],
        vec![Raised("R497"), Verdict("correct", "not-assessable")]
    ),
    answers_asked_again_whatever_their_score = case(
        retried(|i| i % 7 == 0, "num_retries", |again| json!(u8::from(again))),
        &[],
        vec![Grade("confounded"), Raised("R499"), Silent("R497")]
    ),
    one_answer_in_a_thousand_asked_again = case(
        retried(|i| i == 3, "retries", |again| json!(u8::from(again))),
        &[],
        vec![Silent("R497"), Silent("R499"), Verdict("correct", "better")]
    ),
    one_number_of_attempts_in_all_records = case(
        retried(|_| true, "attempt", |_| json!(2)),
        &[],
        vec![Silent("R497"), Silent("R499"), Verdict("correct", "better")]
    ),
    wrong_answers_asked_again_in_both_arms = case(
        quiz(400, |arm, i| {
            let again = (i % 10) >= 4 + arm;
            json!({ "attempt": 1 + u8::from(again), "correct": !again || i % 10 == 9 })
        }),
        &[],
        vec![Silent("R497"), Silent("R499")]
    ),
];

/// The candidate asks again where `again` says so, and gets a third of those right that were wrong.
fn retried(
    again: fn(usize) -> bool,
    field: &'static str,
    written: fn(bool) -> Value,
) -> [Files; 2] {
    quiz(400, move |arm, i| {
        let first = i % 5 < 2;
        if arm == 0 {
            return json!({ "correct": first });
        }
        let second = first || i % 3 == 0;
        json!({ "correct": second, field: written(again(i)) })
    })
}
