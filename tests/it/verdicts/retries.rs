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
    attempts_are_counted_under_the_names_that_scripts_give_them = case(
        retried(|i| i % 5 >= 2, "n_tries", |again| json!(1 + u8::from(again))),
        &[],
        vec![Raised("R497"), Holds("correct", "/reason", json!("blocked: R497"))]
    ),
    a_count_of_any_name_below_whose_end_all_is_right_is_one_of_attempts = case(
        until_right("regenerations"),
        &[],
        vec![Grade("confounded"), Raised("R502"), Silent("R497")]
    ),
    turns_of_an_episode_end_when_it_is_solved =
        case(until_right("num_turns"), &[], vec![Silent("R502"), Verdict("correct", "better")]),
    a_count_of_both_arms_is_no_retry_of_one = case(
        quiz(200, |_, i| {
            let calls = 1 + i % 3;
            json!({ "calls": calls, "correct": calls < 3 || i % 5 == 0 })
        }),
        &[],
        vec![Silent("R502")]
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

/// The candidate asks up to three times, until the answer is right, and counts it in that field.
fn until_right(field: &str) -> [Files; 2] {
    quiz(200, |arm, i| {
        let mut record = json!({ "correct": i * 7 % 10 < 4 });
        if arm == 1 {
            let calls = 1 + i % 3;
            record[field] = json!(calls);
            record["correct"] = json!(calls < 3 || i % 5 == 0);
        }
        record
    })
}
