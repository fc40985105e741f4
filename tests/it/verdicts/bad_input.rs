//! Cases whose scores no one should have written.

use serde_json::{Value, json};

use super::Expected::{Holds, Quiet, Raised, Silent, Status, Verdict};
use super::{Case, Runs, both, case, cell, correct, finding, quiz, records, right};

pub(super) fn cases() -> Vec<Case> {
    [no_scores(), no_spread(), twice(), elsewhere()].into_iter().flatten().collect()
}

/// 60 records of which the first of the candidate has this score for accuracy.
fn first_score(score: Value) -> [super::Files; 2] {
    quiz(60, move |arm, i| match (arm, i) {
        (1, 0) => json!({ "accuracy": score }),
        _ => json!({ "accuracy": u8::from(right(arm, i)) }),
    })
}

fn no_scores() -> Vec<Case> {
    let raw = |text: &'static str| {
        both(move |arm| {
            let rest = records(59, |i| json!({ "accuracy": u8::from(right(arm, i)) }));
            let first = format!("{{\"id\": \"first\", \"accuracy\": {}}}\n", [text, "1"][1 - arm]);
            vec![("quiz.jsonl", first + &rest)]
        })
    };
    let lost = || Holds("accuracy", "/candidate/coverage/unscored", json!(1));
    let shares = || Holds("accuracy", "/unit", json!("fraction"));
    vec![
        case("a score that is NaN", raw("NaN"), &[], vec![Raised("R106"), lost(), shares()]),
        case("an infinite score", raw("-Infinity"), &[], vec![Raised("R106"), lost(), shares()]),
        case(
            "a text as a score",
            first_score(json!("excellent")),
            &[],
            vec![Raised("R110"), lost(), shares()],
        ),
        case(
            "1.7 among right and wrong is out of range and makes no percentages",
            first_score(json!(1.7)),
            &[],
            vec![Raised("R152"), Silent("R227"), lost(), shares(), Verdict("accuracy", "better")],
        ),
        case(
            "a share below 0 is out of range",
            first_score(json!(-0.5)),
            &[],
            vec![Raised("R152"), lost(), shares()],
        ),
        case(
            "a full share that rounding lifts is none",
            first_score(json!(1.000_000_000_2)),
            &[],
            vec![Quiet],
        ),
    ]
}

fn no_spread() -> Vec<Case> {
    vec![
        case(
            "the same constant score in both arms",
            quiz(40, |_, _| json!({ "f1": 0.5 })),
            &[],
            vec![Holds("f1", "/delta/absolute", json!(0.0)), Status(0)],
        ),
        case(
            "another constant score in each arm",
            quiz(40, |arm, _| json!({ "f1": (0.5 + 0.25 * arm as f64) })),
            &[],
            vec![Holds("f1", "/delta/absolute", json!(25.0)), Verdict("f1", "better")],
        ),
        case(
            "one sample",
            quiz(1, |arm, _| json!({ "accuracy": arm, "f1": (0.25 + 0.25 * arm as f64) })),
            &[],
            vec![
                Verdict("accuracy", "inconclusive"),
                Verdict("f1", "not-assessable"),
                Holds("f1", "/test", Value::Null),
            ],
        ),
        case(
            "not one discordant pair under different seeds",
            quiz(40, |arm, i| json!({ "accuracy": i % 2, "seed": arm })),
            &[],
            vec![
                Raised("R218"),
                Verdict("accuracy", "identical"),
                Holds("accuracy", "/test/p", json!(1.0)),
            ],
        ),
    ]
}

fn twice() -> Vec<Case> {
    vec![
        case(
            "acc and accuracy disagree in one record: the canonical name counts",
            quiz(
                60,
                |arm, i| json!({ "acc": u8::from(!right(arm, i)), "accuracy": right(arm, i) }),
            ),
            &[],
            vec![Raised("R153"), Verdict("accuracy", "better")],
        ),
        case(
            "acc and accuracy agree",
            quiz(60, |arm, i| json!({ "acc": right(arm, i), "accuracy": right(arm, i) })),
            &[],
            vec![Quiet, Verdict("accuracy", "better")],
        ),
        case(
            "an id twice with different scores is set aside",
            both(|arm| {
                let again =
                    "{\"id\": \"q7\", \"correct\": true}\n{\"id\": \"q7\", \"correct\": false}\n";
                vec![("quiz.jsonl", records(60, |i| correct(arm, i)) + again)]
            }),
            &[],
            vec![Raised("R105"), Holds("correct", "/pairing/conflicting", json!(1))],
        ),
        case(
            "a key twice in one record",
            both(|arm| {
                let line = |i| format!("{{\"id\": {i}, \"acc\": 7, \"acc\": {}}}\n", right(arm, i));
                vec![("quiz.jsonl", (0..60).map(line).collect())]
            }),
            &[],
            vec![Raised("R112"), Silent("R152"), Verdict("accuracy", "better")],
        ),
    ]
}

fn elsewhere() -> Vec<Case> {
    let list = |arm: usize| {
        let record = |i: usize| json!({ "id": i, "correct": right(arm, i) });
        serde_json::to_string_pretty(&(0..60).map(record).collect::<Vec<_>>()).expect("JSON")
    };
    vec![
        case(
            "samples as one JSON list",
            both(|arm| vec![("out.json", list(arm))]),
            &[],
            vec![
                Quiet,
                Verdict("correct", "better"),
                Holds("correct", "/pairing/paired", json!(60)),
            ],
        ),
        case(
            "a file that stands alone in one run and beside another in the next is one dataset",
            both(|arm| {
                let quiz = ("quiz.jsonl", records(60, |i| correct(arm, i)));
                let extra = ("extra.jsonl", records(20, |i| correct(arm, i)));
                if arm == 0 { vec![quiz] } else { vec![quiz, extra] }
            }),
            &[],
            vec![Raised("R154"), Raised("R216")],
        ),
        case(
            "a dataset that one arm writes and the other tells by the name of the file",
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
            ],
        ),
    ]
}

#[test]
fn a_file_alone_is_paired_with_its_namesake() {
    let arms = both(|arm| {
        let quiz = ("quiz.jsonl", records(60, |i| correct(arm, i)));
        let extra = ("extra.jsonl", records(20, |i| correct(arm, i)));
        if arm == 0 { vec![quiz] } else { vec![quiz, extra] }
    });
    let report = Runs::of(&arms).report(&[]);
    let all = report["comparisons"].as_array().expect("comparisons");
    let quiz = all.iter().find(|one| one["dataset"] == "quiz").expect("the dataset");
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
    let path = runs.path("reportgen.toml");
    let declared = "[[metric]]\nnames = [\"rating\"]\ndirection = \"higher\"\nbounds = [1, 5]\n";
    crate::command::write_file(&path, declared);
    let report = runs.report(&["--config", path.to_str().expect("UTF-8")]);
    let found = &finding(&report, "R152")["evidence"];
    assert_eq!((&found["count"], &found["highest"]), (&1.into(), &5.0.into()));
    assert_eq!(cell(&report, "rating")["candidate"]["value"], 2.0);
}
