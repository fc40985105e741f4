//! Equal samples whose fields differ between the arms: other questions, other raters, or nothing.

use serde_json::{Value, json};

use super::Expected::{Raised, Silent, Verdict};
use super::{Case, Files, case, quiz, right};
use crate::cases::cases;

cases![
    ids_that_are_positions_of_questions_of_other_difficulty = case(
        difficulties(|arm, i| spread(arm, i, 2), "easy", "easy"),
        &[],
        vec![Raised("R491"), Verdict("correct", "not-assessable")]
    ),
    questions_of_one_difficulty_in_both_arms = case(
        difficulties(|_, i| spread(0, i, 2), "easy", "easy"),
        &[],
        vec![Silent("R491"), Silent("R492")]
    ),
    difficulties_of_other_names_in_each_arm =
        case(difficulties(|_, i| spread(0, i, 2), "easy", "Easy"), &[], vec![Silent("R491")]),
    a_category_that_moves_no_score = case(
        quiz(300, |arm, i| json!({ "category": spread(arm, i, 2), "correct": right(arm, i) })),
        &[],
        vec![Silent("R491"), Verdict("correct", "better")]
    ),
    other_right_answers_under_equal_ids = case(
        labelled("label", |arm, i| (gold(i) + usize::from(arm == 1 && i % 8 == 0)) % 4),
        &[],
        vec![Raised("R491"), Verdict("correct", "not-assessable")]
    ),
    other_right_answers_under_a_name_that_means_nothing_else = case(
        labelled("answerKey", |arm, i| (gold(i) + usize::from(arm == 1 && i % 8 == 0)) % 4),
        &[],
        vec![Raised("R213"), Verdict("correct", "not-assessable")]
    ),
    right_answers_that_were_corrected_in_places = case(
        labelled("label", |arm, i| (gold(i) + usize::from(arm == 1 && i % 40 == 0)) % 4),
        &[],
        vec![Silent("R491"), Silent("R213"), Verdict("correct", "better")]
    ),
    answers_of_the_model_under_a_name_of_right_ones = case(
        labelled("label", |arm, i| (gold(i) + usize::from(!right(arm, i)) * (1 + i % 3)) % 4),
        &[],
        vec![Silent("R491"), Silent("R213"), Verdict("correct", "better")]
    ),
    equal_answers_rated_by_others_in_each_arm = case(
        rated(|arm, i| spread(arm, i, 6), 1.0),
        &["--higher", "rating"],
        vec![Raised("R492"), Verdict("rating", "not-assessable")]
    ),
    equal_answers_rated_by_others_as_the_user_accepts = case(
        rated(|arm, i| spread(arm, i, 6), 1.0),
        &["--higher", "rating", "--accept", "R492"],
        vec![Raised("R492"), Verdict("rating", "better")]
    ),
    equal_answers_rated_by_the_same = case(
        rated(|_, i| spread(0, i, 6), 1.0),
        &["--higher", "rating"],
        vec![Silent("R492"), Verdict("rating", "better")]
    ),
    equal_blocks_rated_by_others_in_each_arm = case(
        blocks(|arm, i| i / 100 + 3 * arm, 1.0),
        &["--higher", "rating"],
        vec![Raised("R492"), Verdict("rating", "not-assessable")]
    ),
    equal_blocks_on_other_machines_in_each_arm = case(
        quiz(300, |arm, i| {
            json!({ "hostname": format!("h{}", i / 100 + 3 * arm), "rating": rating(arm, i, i / 100 * (1 + arm), 1.0) })
        }),
        &["--higher", "rating"],
        vec![Silent("R492")]
    ),
    one_rater_in_each_arm = case(
        quiz(
            300,
            |arm, i| json!({ "rater_id": format!("r{arm}"), "rating": rating(arm, i, 0, 1.0) })
        ),
        &["--higher", "rating"],
        vec![Raised("R200"), Verdict("rating", "better")]
    ),
    one_worker_in_each_arm_who_rates = case(
        quiz(
            300,
            |arm, i| json!({ "worker_id": format!("w{arm}"), "rating": rating(arm, i, 0, 1.0) })
        ),
        &["--higher", "rating"],
        vec![Raised("R200"), Verdict("rating", "better")]
    ),
    one_worker_in_each_arm_that_computes = case(
        quiz(300, |arm, i| json!({ "worker_id": format!("w{arm}"), "correct": right(arm, i) })),
        &[],
        vec![Silent("R200"), Verdict("correct", "better")]
    ),
    raters_who_rate_alike = case(
        rated(|arm, i| spread(arm, i, 6), 0.0),
        &["--higher", "rating"],
        vec![Silent("R492"), Verdict("rating", "better")]
    ),
];

/// A number below `values` that looks drawn.
fn spread(arm: usize, i: usize, values: usize) -> usize {
    let mixed = (i as u64 * 4 + arm as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33) as usize % values
}

/// The right choice of a question.
fn gold(i: usize) -> usize {
    spread(0, i, 4)
}

/// Choices in a field of that name.
fn labelled(name: &'static str, choice: fn(usize, usize) -> usize) -> [Files; 2] {
    quiz(300, move |arm, i| {
        let choice = ["A", "B", "C", "D"][choice(arm, i)];
        json!({ "prompt": format!("Question {i}?"), name: choice, "correct": right(arm, i) })
    })
}

/// Answers of which those to hard questions are right half as often.
fn difficulties(
    hardness: fn(usize, usize) -> usize,
    easy: &'static str,
    easy_in_candidate: &'static str,
) -> [Files; 2] {
    quiz(300, move |arm, i| {
        let easy = [easy, easy_in_candidate][arm];
        let is_hard = hardness(arm, i) == 1;
        let difficulty: Value = if is_hard { json!("hard") } else { json!(easy) };
        let correct = spread(arm + 2, i, 10) < if is_hard { 4 } else { 8 };
        json!({ "difficulty": difficulty, "correct": correct })
    })
}

/// Ratings that are higher in the candidate, and by so much from one rater to the next.
fn rated(rater: fn(usize, usize) -> usize, step: f64) -> [Files; 2] {
    quiz(300, move |arm, i| {
        let rater = rater(arm, i);
        json!({ "rater": format!("r{rater}"), "rating": rating(arm, i, rater, step) })
    })
}

/// The same where the third rater of the candidate is milder than the others.
fn blocks(rater: fn(usize, usize) -> usize, step: f64) -> [Files; 2] {
    quiz(300, move |arm, i| {
        let rater = rater(arm, i);
        json!({ "annotator_id": format!("r{rater}"), "rating": rating(arm, i, rater / 5, step) })
    })
}

fn rating(arm: usize, i: usize, rater: usize, step: f64) -> f64 {
    3.0 + arm as f64 + step * rater as f64 + spread(arm + 2, i, 100) as f64 / 50.0
}
