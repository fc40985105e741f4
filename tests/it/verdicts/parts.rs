//! A finding about one metric or one dataset grades that part, and the pair is what is left.

use serde_json::{Value, json};

use super::Expected::{Gate, Grade, Holds, Raised, Silent, Status, Verdict};
use super::{Case, Files, Runs, both, case, config, configured, list, records, right};
use crate::cases::cases;

cases![
    a_metric_of_the_judge_under_another_judge = case(
        judged(["gpt-4o", "gpt-4.1"]),
        &["--vary", "lr", "--fail-on", "mismatch"],
        vec![
            Grade("confounded"),
            Raised("R239"),
            Verdict("judge_score", "not-assessable"),
            Verdict("correct", "better"),
            Gate("mismatch", "not-gateable"),
            Status(3),
        ]
    ),
    the_same_under_one_judge = case(
        judged(["gpt-4o"; 2]),
        &["--vary", "lr", "--fail-on", "mismatch"],
        vec![
            Grade("as-declared"),
            Silent("R239"),
            Verdict("correct", "better"),
            Gate("mismatch", "pass"),
            Status(0),
        ]
    ),
    a_pair_whose_only_judged_result_is_blocked = case(
        // A field without a good side is no comparison that is left.
        both(|arm| {
            let record = |i: usize| {
                let fields = json!({ "correct": right(arm, i), "field0": 10 + i + arm });
                let lost = arm == 1 && i.is_multiple_of(4);
                if lost { json!({ "correct": null, "field0": 11 + i }) } else { fields }
            };
            vec![("quiz.jsonl", records(60, record))]
        }),
        &["--fail-on", "regression"],
        vec![
            Grade("not-comparable"),
            Raised("R226"),
            Verdict("correct", "not-assessable"),
            Verdict("field0", "not-assessable"),
            Gate("regression", "not-gateable"),
            Status(3),
        ]
    ),
    machines_confound_what_tells_how_fast_they_are = case(
        configured(["lr: 1\ngpu_type: A100\n", "lr: 2\ngpu_type: H100\n",]).map(|mut files| {
            files.push((
                "metrics.json",
                json!({ "throughput": 100.0 + files.len() as f64 }).to_string(),
            ));
            files
        }),
        &["--vary", "lr", "--fail-on", "mismatch"],
        vec![
            Grade("as-declared"),
            Raised("R235"),
            Verdict("correct", "better"),
            Holds("correct", "/confounded", json!([])),
            Holds("throughput", "/confounded", json!(["R235"])),
            Gate("mismatch", "not-gateable"),
        ]
    ),
];

/// A right or wrong answer, clearly better in the candidate, and the score of a judge.
fn judged(judges: [&'static str; 2]) -> [Files; 2] {
    both(|arm| {
        let record = |i: usize| {
            let score = 0.1 * (i % 3) as f64 + [0.2, 0.6][arm];
            json!({ "correct": right(arm, i), "judge_score": score })
        };
        let settings = format!("lr: {}\njudge_model: {}\n", arm + 1, judges[arm]);
        vec![("quiz.jsonl", records(60, record)), config(settings)]
    })
}

/// Two datasets; equal ids of the second stand for other questions where `others` says so.
fn two_datasets(others: [bool; 2]) -> Runs {
    Runs::of(&both(|arm| {
        let file = |changed: bool| {
            let text =
                |i: usize| format!("question {}", if changed && arm == 1 { i + 500 } else { i });
            records(60, |i| json!({ "correct": right(arm, i), "question": text(i) }))
        };
        vec![("algebra.jsonl", file(others[0])), ("history.jsonl", file(others[1]))]
    }))
}

fn verdicts(report: &Value) -> Vec<(&str, &str)> {
    let rows = list(report, "comparisons").iter();
    rows.filter(|row| row["metric"] == "correct")
        .map(|row| (row["dataset"].as_str().unwrap_or(""), row["verdict"].as_str().unwrap_or("")))
        .collect()
}

#[test]
fn other_questions_in_one_dataset_leave_the_other_one() {
    let runs = two_datasets([false, true]);
    let report = runs.report(&["--fail-on", "mismatch,regression"]);
    let grade = &report["comparability"]["candidates"][0];
    assert_eq!(grade["grade"], "as-declared");
    let part = json!([{
        "grade": "not-comparable",
        "results": 1,
        "of": 2,
        "about": [{ "subject": "history", "code": "R213" }],
    }]);
    assert_eq!(grade["parts"], part);
    assert_eq!(verdicts(&report), [("algebra", "better"), ("history", "not-assessable")]);
    let page = runs.compare(&["--format", "md"]).out;
    let told = "**Partly comparable**";
    let counted = "1 of 2 results is not comparable and gets no verdict: history (R213).";
    assert!(page.contains(told) && page.contains(counted), "{page}");
    for rule in ["mismatch", "regression"] {
        let ended = runs.compare(&["--fail-on", rule, "--format", "csv"]);
        assert_eq!(ended.status, 3, "{rule}: {}", ended.err);
    }
}

#[test]
fn what_is_accepted_for_one_dataset_is_no_part_any_more() {
    let runs = two_datasets([false, true]);
    let report = runs.report(&["--accept", "R213:history", "--fail-on", "mismatch"]);
    let grade = &report["comparability"]["candidates"][0];
    assert_eq!(grade["parts"], json!([]));
    assert_eq!(verdicts(&report), [("algebra", "better"), ("history", "better")]);
    assert_eq!(report["gates"][0]["outcome"], "pass");
}

#[test]
fn other_questions_everywhere_are_a_pair_that_is_not_comparable() {
    let report = two_datasets([true, true]).report(&[]);
    let grade = &report["comparability"]["candidates"][0];
    assert_eq!(grade["grade"], "not-comparable");
    assert_eq!(grade["parts"], json!([]));
    assert_eq!(verdicts(&report), [("algebra", "not-assessable"), ("history", "not-assessable")]);
}
