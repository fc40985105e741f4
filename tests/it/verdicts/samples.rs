//! Cases whose samples mislead: missing, written otherwise, doubled, or not the same ones.

use serde_json::{Value, json};

use super::Expected::{Gate, Grade, Holds, Quiet, Raised, Silent, Status, Verdict};
use super::{Case, both, case, config, correct, quiz, records, right};

pub(super) fn cases() -> Vec<Case> {
    [missing_scores(), units(), ids(), contents()].into_iter().flatten().collect()
}

fn missing_scores() -> Vec<Case> {
    let undone = |arm: usize, i: usize| match (arm, i) {
        (1, 0..4) => json!({ "correct": null }),
        (0, 10..20) | (1, 20) => json!({ "correct": false }),
        _ => json!({ "correct": i.is_multiple_of(2) || (10..21).contains(&i) }),
    };
    vec![
        case(
            "only the easy quarter was answered, the rest ran out of memory",
            quiz(80, |arm, i| match (arm, i % 4) {
                (_, 0) => json!({ "correct": true }),
                (0, kind) => json!({ "correct": kind == 1 }),
                _ => json!({ "error": "oom" }),
            }),
            &["--fail-on", "regression,missing"],
            vec![
                Grade("not comparable"),
                Raised("R226"),
                Raised("R222"),
                Verdict("correct", "not-assessable"),
                Gate("regression", "not_gateable"),
                Gate("missing", "not_gateable"),
                Status(3),
            ],
        ),
        case(
            "shots written into each record are a setting of the run",
            quiz(60, |arm, i| json!({ "correct": right(arm, i), "shot": 5 * arm })),
            &[],
            vec![Grade("as declared"), Raised("R205"), Verdict("correct", "better")],
        ),
        case(
            "shots that differ beside the declared factor confound",
            quiz(60, |arm, i| {
                let prompt = format!("question {i}");
                json!({ "correct": right(arm, i), "shot": 5 * arm, "seed": arm, "prompt": prompt })
            }),
            &["--vary", "seed"],
            vec![Grade("confounded"), Raised("R201"), Verdict("correct", "better")],
        ),
        case(
            "one metric lacks most scores of one arm, the other is full",
            quiz(60, |arm, i| {
                let f1 = (arm == 0 || i % 3 == 0).then(|| 0.25 + (i % 4) as f64 / 8.0);
                json!({ "correct": right(arm, i), "f1": f1 })
            }),
            &[],
            vec![
                Raised("R226"),
                Verdict("correct", "better"),
                Verdict("f1", "not-assessable"),
                Holds("f1", "/reason", json!("blocked: R226")),
            ],
        ),
        case(
            "two in a hundred are missing and the effect survives the worst they could be",
            quiz(200, |arm, i| match (arm, i) {
                (1, 0..4) => json!({ "correct": null }),
                _ => correct(arm, i),
            }),
            &[],
            vec![Raised("R222"), Silent("R226"), Verdict("correct", "better")],
        ),
        case(
            "two in a hundred are missing and could undo the effect",
            quiz(200, undone),
            &[],
            vec![
                Silent("R226"),
                Verdict("correct", "inconclusive"),
                Holds("correct", "/reason", json!("missing-could-undo")),
            ],
        ),
    ]
}

fn units() -> Vec<Case> {
    vec![
        case(
            "the same outcomes written as 0/1 and as 0/100",
            quiz(
                40,
                |arm, i| json!({ "correct": f64::from(u8::from(i % 3 == 0)) * [1.0, 100.0][arm] }),
            ),
            &[],
            vec![
                Grade("not comparable"),
                Raised("R227"),
                Verdict("correct", "not-assessable"),
                Holds("correct", "/reason", json!("blocked: R227")),
            ],
        ),
        case(
            "rounding lifts one share above one",
            quiz(40, |arm, i| {
                let whole = if arm == 1 && i == 4 { 1.000_000_000_000_000_2 } else { 1.0 };
                json!({ "accuracy": if i % 2 == 0 { whole } else { 0.5 } })
            }),
            &[],
            vec![
                Silent("R227"),
                Holds("accuracy", "/unit", json!("fraction")),
                Holds("accuracy", "/baseline/value", json!(0.75)),
                Holds("accuracy", "/candidate/value", json!(0.75)),
            ],
        ),
        case(
            "a baseline of nothing has no share to grow by",
            quiz(40, |arm, i| json!({ "correct": arm == 1 && i % 2 == 0 })),
            &[],
            vec![
                Verdict("correct", "better"),
                Holds("correct", "/delta/absolute", json!(50.0)),
                Holds("correct", "/delta/relative", Value::Null),
            ],
        ),
        case(
            "as many lost as gained, within a declared margin",
            quiz(
                500,
                |arm, i| json!({ "correct": i % 2 == 0 && !(arm == 0 && i < 10 || arm == 1 && i >= 490) }),
            ),
            &["--margin", "correct=5"],
            vec![
                Verdict("correct", "equivalent"),
                Holds("correct", "/flips/gained", json!(5)),
                Holds("correct", "/flips/lost", json!(5)),
            ],
        ),
    ]
}

fn ids() -> Vec<Case> {
    // The first `repeated` ids come twice, with other scores the second time.
    let contradicting = |repeated: usize| {
        quiz(60 + repeated, move |arm, i| match i.checked_sub(60) {
            Some(again) if arm == 1 => {
                json!({ "id": format!("q{again}"), "correct": !right(arm, again) })
            }
            Some(again) => json!({ "id": format!("q{again}"), "correct": right(arm, again) }),
            None => correct(arm, i),
        })
    };
    vec![
        case(
            "a few ids contradict themselves",
            contradicting(2),
            &[],
            vec![
                Raised("R104"),
                Raised("R105"),
                Silent("R212"),
                Verdict("correct", "better"),
                Holds("correct", "/pairing/conflicting", json!(2)),
            ],
        ),
        case(
            "many ids contradict themselves",
            contradicting(12),
            &[],
            vec![Raised("R105"), Raised("R212"), Verdict("correct", "not-assessable")],
        ),
        case(
            "four answers to each problem beside one",
            both(|arm| {
                let answers = [4, 1][arm];
                let record = |i: usize| {
                    let problem = i / answers;
                    json!({ "id": problem, "correct": right(arm, problem) || i % answers == 3 })
                };
                vec![("quiz.jsonl", records(40 * answers, record))]
            }),
            &[],
            vec![Raised("R120"), Raised("R229"), Holds("correct", "/pairing/paired", json!(40))],
        ),
        case(
            "no id in common and nothing else to pair by",
            quiz(40, |arm, i| json!({ "id": format!("{arm}-{i}"), "correct": right(arm, i) })),
            &["--fail-on", "missing"],
            vec![
                Grade("not comparable"),
                Raised("R210"),
                Verdict("correct", "not-assessable"),
                Gate("missing", "not_gateable"),
            ],
        ),
        case(
            "one arm stopped two samples early",
            both(|arm| vec![("quiz.jsonl", records(100 - 2 * arm, |i| correct(arm, i)))]),
            &[],
            vec![Raised("R211"), Silent("R212"), Verdict("correct", "better")],
        ),
    ]
}

fn contents() -> Vec<Case> {
    vec![
        case(
            "other ids over the same questions",
            quiz(
                40,
                |arm, i| json!({ "id": format!("{arm}-{i}"), "prompt": format!("What is {i} + {i}?"), "correct": right(arm, i) }),
            ),
            &[],
            vec![
                Raised("R215"),
                Silent("R210"),
                Verdict("correct", "better"),
                Holds("correct", "/pairing/proof", json!("content")),
            ],
        ),
        case(
            "another prompt around questions with the same answers",
            quiz(40, |arm, i| {
                let prompt = format!("{} {i} + {i}", ["Compute", "Please add"][arm]);
                json!({ "prompt": prompt, "target": format!("{}", 2 * i), "correct": right(arm, i) })
            }),
            &[],
            vec![Grade("confounded"), Raised("R214"), Silent("R213"), Verdict("correct", "better")],
        ),
        case(
            "other prompts, and no answers that prove them the same questions",
            quiz(
                40,
                |arm, i| json!({ "prompt": format!("{} {i}", ["Compute", "Recall"][arm]), "correct": right(arm, i) }),
            ),
            &[],
            vec![Grade("not comparable"), Raised("R213"), Verdict("correct", "not-assessable")],
        ),
        case(
            "the samples in another order, and a configuration that differs in places and times only",
            both(|arm| {
                let at = |i: usize| if arm == 0 { i } else { (i * 7) % 60 };
                let record = |i: usize| json!({ "id": at(i), "prompt": format!("What is {}?", at(i)), "correct": right(arm, at(i)) });
                let [place, time] = [["out/a", "out/b"][arm], ["2024-05-01", "2024-05-02"][arm]];
                vec![
                    ("quiz.jsonl", records(60, record)),
                    config(format!(
                        "lr: {}\noutput_dir: {place}\ntimestamp: {time}\n",
                        ["0.1", "0.2"][arm]
                    )),
                ]
            }),
            &["--vary", "lr"],
            vec![Grade("as declared"), Quiet, Verdict("correct", "better")],
        ),
    ]
}
