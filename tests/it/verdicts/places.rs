//! What the names of files and directories say: a dataset, a split, an earlier version.

use serde_json::{Value, json};

use super::Expected::{Holds, Raised, Silent, Verdict};
use super::{Case, Files, Runs, both, case, correct, list, records};
use crate::cases::cases;

cases![
    a_directory_of_figures_is_named_after_its_dataset = case(
        figures(["gsm8k/metrics.json", "math/metrics.json"]),
        &[],
        vec![Silent("R118"), Holds("accuracy", "/dataset", json!("gsm8k"))]
    ),
    directories_of_figures_are_named_after_arms = case(
        figures(["base/metrics.json", "tuned/metrics.json"]),
        &[],
        vec![Raised("R118"), Holds("accuracy", "/dataset", Value::Null)]
    ),
    a_directory_of_samples_is_named_after_its_dataset = case(
        samples([("gsm8k/predictions.jsonl", 60), ("math/predictions.jsonl", 60)]),
        &[],
        vec![
            Silent("R105"),
            Verdict("correct", "better"),
            Holds("correct", "/dataset", json!("gsm8k")),
        ]
    ),
    directories_of_samples_are_numbered = case(
        samples([("part_0/predictions.jsonl", 60), ("part_1/predictions.jsonl", 60)]),
        &[],
        vec![Verdict("correct", "better"), Holds("correct", "/dataset", Value::Null)]
    ),
    files_of_samples_are_of_splits = case(
        samples([("train.jsonl", 60), ("test.jsonl", 60)]),
        &[],
        vec![
            Holds("correct", "/dataset", Value::Null),
            Holds("correct", "/dims/split", json!("test")),
        ]
    ),
    one_file_of_samples_is_named_test = case(
        both(|arm| vec![(["quiz.jsonl", "test.jsonl"][arm], records(60, |i| correct(arm, i)))]),
        &[],
        vec![Verdict("correct", "better"), Holds("correct", "/dims", json!({}))]
    ),
    an_old_version_is_set_aside = case(
        samples([("results.jsonl", 60), ("results_old.jsonl", 60)]),
        &[],
        vec![
            Raised("R177"),
            Verdict("correct", "better"),
            Holds("correct", "/dataset", Value::Null),
        ]
    ),
    the_failures_are_set_aside = case(
        samples([("results.jsonl", 60), ("failures.jsonl", 20)]),
        &[],
        vec![Raised("R177"), Holds("correct", "/dataset", Value::Null)]
    ),
    failures_are_of_other_samples = case(
        samples([("results.jsonl", 60), ("failures.jsonl", 80)]),
        &[],
        vec![Silent("R177"), Holds("correct", "/dataset", json!("failures"))]
    ),
    of_two_reruns_the_newest_counts = case(
        figures(["2025-01-01/metrics.json", "2025-01-02/metrics.json"]),
        &[],
        vec![Raised("R177"), Silent("R118"), Holds("accuracy", "/baseline/value", json!(0.5)),]
    ),
    numbers_are_no_dates = case(
        figures(["12345678/metrics.json", "12345679/metrics.json"]),
        &[],
        vec![Silent("R177"), Raised("R118"), Holds("accuracy", "/baseline/value", json!(0.4)),]
    ),
];

/// 40 % and 50 % in the baseline, 10 points more in the candidate.
fn figures(files: [&'static str; 2]) -> [Files; 2] {
    both(|arm| {
        let means = [[0.4, 0.5], [0.5, 0.6]][arm];
        let value = |at: usize| json!({ "accuracy": (means[at]), "n": 1000 });
        files.iter().enumerate().map(|(at, file)| (*file, value(at).to_string())).collect()
    })
}

fn samples(files: [(&'static str, usize); 2]) -> [Files; 2] {
    both(|arm| files.map(|(file, n)| (file, records(n, |i| correct(arm, i)))).to_vec())
}

#[test]
fn splits_are_not_averaged_and_datasets_are() {
    for (files, averages) in [
        ([("train.jsonl", 60), ("val.jsonl", 60)], 0),
        ([("train/p.jsonl", 60), ("test/p.jsonl", 60)], 0),
        ([("law/p.jsonl", 60), ("bio/p.jsonl", 60)], 1),
    ] {
        let report = Runs::of(&samples(files)).report(&[]);
        assert_eq!(list(&report, "suites").len(), averages, "{files:?}");
    }
}

#[test]
fn a_directory_that_stands_alone_in_one_arm_is_the_dataset_of_the_other() {
    let [mut base, other] = figures(["gsm8k/metrics.json", "math/metrics.json"]);
    base.pop();
    let report = Runs::of(&[base, other]).report(&[]);
    let compared = list(&report, "comparisons");
    let of_both = compared.iter().find(|one| one["dataset"] == "gsm8k").expect("of both arms");
    assert!(of_both["delta"].is_object(), "{of_both}");
}
