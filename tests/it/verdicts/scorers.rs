//! Cases of scores that contradict the answer and the target of their own records.

use serde_json::{Value, json};

use super::Expected::{Grade, Quiet, Raised, Silent};
use super::{Case, Expected, Files, case, quiz};
use crate::cases::cases;

cases![
    right_answers_scored_wrong_in_one_arm = case(
        scored(|arm, i, right| json!({ "exact_match": right && !(arm == 0 && i % 4 == 0) })),
        &[],
        contradicted()
    ),
    right_answers_scored_wrong_in_both_arms = case(
        scored(|_, i, right| json!({ "exact_match": right && i % 4 > 0 })),
        &[],
        vec![Silent("R191")]
    ),
    scores_that_go_by_the_answers = case(
        scored(|_, _, right| json!({ "exact_match": right })),
        &[],
        vec![Silent("R191"), Quiet]
    ),
    scores_of_another_kind_beside_equal_answers = case(
        scored(
            |arm, i, right| json!({ "reward": f64::from(u8::from(right && !(arm == 0 && i % 4 == 0))) })
        ),
        &[],
        vec![Silent("R191")]
    ),
    other_choices_scored_right_in_one_arm = case(
        chosen(|_, letter| letter.to_owned(), |arm, i, right| right || arm == 1 && i % 4 == 0),
        &[],
        contradicted()
    ),
    choices_that_each_arm_spells_in_its_way = case(
        chosen(
            |arm, letter| if arm == 0 {
                format!(" {letter} ")
            } else {
                format!("({})", letter.to_lowercase())
            },
            |_, _, right| right
        ),
        &[],
        vec![Silent("R191"), Quiet]
    ),
    choices_counted_from_1_beside_targets_counted_from_0 = case(
        quiz(240, |arm, i| {
            let right = is_right(arm, i);
            let chosen = if right { i % 4 } else { (i + 1) % 4 };
            json!({ "target": i % 4, "prediction": chosen + 1, "correct": right })
        }),
        &[],
        vec![Silent("R191")]
    ),
    spellings_that_only_the_scorer_knows_to_be_equal = case(
        quiz(240, |arm, i| {
            let right = is_right(arm, i);
            let written = if arm == 0 { format!("{i}") } else { format!("{i}.00 dollars") };
            let prediction = if right { written } else { "no".to_owned() };
            json!({ "target": format!("{i}"), "prediction": prediction, "correct": right })
        }),
        &[],
        vec![Silent("R191"), Quiet]
    ),
];

fn contradicted() -> Vec<Expected> {
    vec![Raised("R191"), Grade("confounded")]
}

fn is_right(arm: usize, i: usize) -> bool {
    (i * 7 + arm) % 10 < [5, 6][arm]
}

/// Short answers, which are the target where they are right.
fn scored(score: impl Fn(usize, usize, bool) -> Value) -> [Files; 2] {
    quiz(240, |arm, i| {
        let right = is_right(arm, i);
        let mut record = score(arm, i, right);
        record["target"] = json!(format!("town {i}"));
        record["prediction"] = json!(format!("town {}", if right { i } else { i + 1 }));
        record
    })
}

/// One of four letters.
fn chosen(
    spelled: impl Fn(usize, &str) -> String,
    score: impl Fn(usize, usize, bool) -> bool,
) -> [Files; 2] {
    const LETTERS: [&str; 4] = ["A", "B", "C", "D"];
    quiz(240, |arm, i| {
        let right = is_right(arm, i);
        let letter = LETTERS[if right { i % 4 } else { (i + 1) % 4 }];
        json!({ "answer": LETTERS[i % 4], "prediction": spelled(arm, letter), "acc": score(arm, i, right) })
    })
}
