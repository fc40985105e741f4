//! Cases whose scores no one should have written.

use serde_json::{Value, json};

use super::Expected::{Holds, Quiet, Raised, Silent, Status, Verdict};
use super::{
    Case, Expected, Files, Runs, both, case, cell, correct, finding, quiz, records, right,
};
use crate::cases::cases;
use crate::report::comparisons;

cases![
    a_score_that_is_nan = case(
        first_score_as_text("NaN"),
        &[],
        vec![Raised("R106"), one_is_unscored(), are_shares()]
    ),
    an_infinite_score = case(
        first_score_as_text("-Infinity"),
        &[],
        vec![Raised("R106"), one_is_unscored(), are_shares()]
    ),
    a_text_as_a_score = case(
        first_score(json!("excellent")),
        &[],
        vec![Raised("R110"), one_is_unscored(), are_shares()]
    ),
    accuracy_1_7_among_right_and_wrong_is_out_of_range_and_makes_no_percentages = case(
        first_score(json!(1.7)),
        &[],
        vec![
            Raised("R152"),
            Silent("R227"),
            one_is_unscored(),
            are_shares(),
            Verdict("accuracy", "better")
        ]
    ),
    a_share_below_0_is_out_of_range =
        case(first_score(json!(-0.5)), &[], vec![Raised("R152"), one_is_unscored(), are_shares()]),
    a_full_share_that_rounding_lifts_is_none =
        case(first_score(json!(1.000_000_000_2)), &[], vec![Quiet]),
    the_same_constant_score_in_both_arms = case(
        quiz(40, |_, _| json!({ "f1": 0.5 })),
        &[],
        vec![Holds("f1", "/delta/absolute", json!(0.0)), Status(0)]
    ),
    another_constant_score_in_each_arm = case(
        quiz(40, |arm, _| json!({ "f1": (0.5 + 0.25 * arm as f64) })),
        &[],
        vec![Holds("f1", "/delta/absolute", json!(25.0)), Verdict("f1", "better")]
    ),
    one_sample = case(
        quiz(1, |arm, _| json!({ "accuracy": arm, "f1": (0.25 + 0.25 * arm as f64) })),
        &[],
        vec![
            Verdict("accuracy", "inconclusive"),
            Verdict("f1", "not-assessable"),
            Holds("f1", "/test", Value::Null),
        ]
    ),
    not_one_discordant_pair_under_different_seeds = case(
        quiz(40, |arm, i| json!({ "accuracy": i % 2, "seed": arm })),
        &[],
        vec![
            Raised("R218"),
            Verdict("accuracy", "identical"),
            Holds("accuracy", "/test/p", json!(1.0)),
        ]
    ),
    acc_and_accuracy_disagree_in_one_record_the_canonical_name_counts = case(
        quiz(60, |arm, i| json!({ "acc": u8::from(!right(arm, i)), "accuracy": right(arm, i) }),),
        &[],
        vec![Raised("R153"), Verdict("accuracy", "better")]
    ),
    acc_and_accuracy_agree = case(
        quiz(60, |arm, i| json!({ "acc": right(arm, i), "accuracy": right(arm, i) })),
        &[],
        vec![Quiet, Verdict("accuracy", "better")]
    ),
    an_id_twice_with_different_scores_is_set_aside = case(
        both(|arm| {
            let again =
                "{\"id\": \"q7\", \"correct\": true}\n{\"id\": \"q7\", \"correct\": false}\n";
            vec![("quiz.jsonl", records(60, |i| correct(arm, i)) + again)]
        }),
        &[],
        vec![Raised("R105"), Holds("correct", "/pairing/conflicting", json!(1))]
    ),
    a_key_twice_in_one_record = case(
        both(|arm| {
            let line = |i| format!("{{\"id\": {i}, \"acc\": 7, \"acc\": {}}}\n", right(arm, i));
            vec![("quiz.jsonl", (0..60).map(line).collect())]
        }),
        &[],
        vec![Raised("R112"), Silent("R152"), Verdict("accuracy", "better")]
    ),
    samples_as_one_json_list = case(
        both(|arm| vec![("out.json", list(arm))]),
        &[],
        vec![Quiet, Verdict("correct", "better"), Holds("correct", "/pairing/paired", json!(60)),]
    ),
    a_file_that_stands_alone_in_one_run_and_beside_another_in_the_next_is_one_dataset = case(
        both(|arm| {
            let quiz = ("quiz.jsonl", records(60, |i| correct(arm, i)));
            let extra = ("extra.jsonl", records(20, |i| correct(arm, i)));
            if arm == 0 { vec![quiz] } else { vec![quiz, extra] }
        }),
        &[],
        vec![Raised("R154"), Raised("R216")]
    ),
    a_dataset_that_one_arm_writes_and_the_other_tells_by_the_name_of_the_file = case(
        both(|arm| {
            let record = |i| match arm {
                0 => correct(arm, i),
                _ => json!({ "correct": right(arm, i), "dataset": "Quiz" }),
            };
            vec![("quiz.jsonl", records(60, record))]
        }),
        &[],
        vec![
            Raised("R154"),
            Silent("R216"),
            Verdict("correct", "better"),
            Holds("correct", "/dataset", json!("Quiz")),
        ]
    ),
];

/// 60 records of which the first of the candidate has this score for accuracy.
fn first_score(score: Value) -> [Files; 2] {
    quiz(60, move |arm, i| match (arm, i) {
        (1, 0) => json!({ "accuracy": score }),
        _ => json!({ "accuracy": u8::from(right(arm, i)) }),
    })
}

/// 60 records of which the first of the candidate has this text for accuracy.
fn first_score_as_text(text: &'static str) -> [Files; 2] {
    both(|arm| {
        let rest = records(59, |i| json!({ "accuracy": u8::from(right(arm, i)) }));
        let first = format!("{{\"id\": \"first\", \"accuracy\": {}}}\n", [text, "1"][1 - arm]);
        vec![("quiz.jsonl", first + &rest)]
    })
}

fn one_is_unscored() -> Expected {
    Holds("accuracy", "/candidate/coverage/unscored", json!(1))
}

fn are_shares() -> Expected {
    Holds("accuracy", "/unit", json!("fraction"))
}

/// The samples of an arm as one JSON list.
fn list(arm: usize) -> String {
    let record = |i: usize| json!({ "id": i, "correct": right(arm, i) });
    serde_json::to_string_pretty(&(0..60).map(record).collect::<Vec<_>>()).expect("JSON")
}

#[test]
fn a_file_alone_is_paired_with_its_namesake() {
    let arms = both(|arm| {
        let quiz = ("quiz.jsonl", records(60, |i| correct(arm, i)));
        let extra = ("extra.jsonl", records(20, |i| correct(arm, i)));
        if arm == 0 { vec![quiz] } else { vec![quiz, extra] }
    });
    let report = Runs::of(&arms).report(&[]);
    let quiz =
        comparisons(&report).iter().find(|one| one["dataset"] == "quiz").expect("the dataset");
    assert_eq!((&quiz["pairing"]["paired"], &quiz["verdict"]), (&60.into(), &"better".into()));
}

#[test]
fn what_was_done_is_told_with_file_and_line() {
    let report = Runs::of(&first_score(json!(1.7))).report(&[]);
    let found = finding(&report, "R152");
    assert_eq!((&found["location"]["line"], &found["evidence"]["score"]), (&1.into(), &1.7.into()));
    let path = found["location"]["path"].as_str().expect("a path");
    assert!(path.ends_with("b/quiz.jsonl"), "{found}");
    assert_eq!(cell(&report, "accuracy")["candidate"]["coverage"]["present"], 59);
}

#[test]
fn bounds_that_the_user_declares_hold() {
    let runs = Runs::of(&quiz(40, |arm, i| json!({ "rating": if i == 3 { 9 } else { 1 + arm } })));
    let declared = "[[metric]]\nnames = [\"rating\"]\ndirection = \"higher\"\nbounds = [1, 5]\n";
    let report = runs.configured_report(declared, &[]);
    let found = &finding(&report, "R152")["evidence"];
    assert_eq!((&found["count"], &found["highest"]), (&1.into(), &5.into()));
    assert_eq!(cell(&report, "rating")["candidate"]["value"], 2.0);
}
