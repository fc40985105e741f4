//! Cases with several answers to each problem.

use serde_json::{Value, json};

use super::Expected::{Holds, Raised, Silent};
use super::{Case, Files, both, case, records};

/// `k(arm)` answers to each of 40 problems; an answer is right where `answer` says so.
fn answers(
    k: impl Fn(usize, usize) -> usize,
    answer: impl Fn(usize, usize, usize) -> Value,
) -> [Files; 2] {
    both(|arm| {
        let of_problem = |problem: usize| {
            let answer = |index| {
                let mut record = answer(arm, problem, index);
                record["id"] = json!(format!("p{problem}"));
                record
            };
            records(k(arm, problem), answer)
        };
        vec![("quiz.jsonl", (0..40).map(of_problem).collect())]
    })
}

/// Problem `p` of 40 has `p % (k + 1)` right answers, in the candidate one more where it can.
fn graded(k: usize) -> impl Fn(usize, usize, usize) -> Value {
    move |arm, problem, index| json!({ "correct": index < problem % (k + 1) + arm })
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case(
            "uneven numbers of answers are averaged as they are, and told",
            answers(|_, problem| 2 + problem % 3, graded(4)),
            &[],
            vec![Raised("R150"), Silent("R105"), Holds("correct", "/baseline/n", json!(40))],
        ),
        case(
            "one more record of a few problems is a repetition, no answer",
            answers(|_, problem| 1 + usize::from(problem < 2), graded(2)),
            &[],
            vec![Raised("R105"), Silent("R120"), Silent("R150")],
        ),
        case(
            "an answer without a score leaves its problem without a mean, and that is told",
            answers(
                |_, _| 4,
                |arm, problem, index| match (arm, problem, index) {
                    (1, 3, 2) => json!({ "correct": null }),
                    _ => graded(4)(arm, problem, index),
                },
            ),
            &[],
            vec![Raised("R151"), Holds("correct", "/candidate/coverage/unscored", json!(1))],
        ),
    ]
}
