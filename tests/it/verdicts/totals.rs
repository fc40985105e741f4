//! Cases with totals beside the results that they are made of, or alone.

use serde_json::{Value, json};

use super::Expected::{Holds, Raised, Silent, Verdict};
use super::{Case, Files, Runs, both, case, records};
use crate::cases::cases;

/// Two datasets of 400 and 600, and a third row of that name with these shares.
fn rows(name: &str, shares: [f64; 2]) -> [Files; 2] {
    both(|arm| {
        let [law, bio] = [[0.5, 0.6], [0.55, 0.65]][arm];
        let rows = format!(
            "dataset,accuracy,n\nlaw,{law},400\n{name},{},1000\nbio,{bio},600\n",
            shares[arm]
        );
        vec![("results.csv", rows)]
    })
}

fn figures(value: &Value) -> (&'static str, String) {
    ("metrics.json", value.to_string())
}

/// A dataset with these shares beside two whose names begin with its name.
fn subsets(shares: [f64; 2], n: Option<u64>) -> [Files; 2] {
    both(|arm| {
        let [stem, humanities] = [[0.512, 0.604], [0.552, 0.654]][arm];
        let of = |value: f64, size: u64| json!({ "accuracy": value, "n": n.map(|_| size) });
        vec![figures(&json!({
            "mmlu": { "accuracy": shares[arm], "n": n },
            "mmlu_stem": of(stem, 400),
            "mmlu_humanities": of(humanities, 600),
        }))]
    })
}

/// These shares without a dataset, beside two datasets.
fn above(shares: [f64; 2]) -> [Files; 2] {
    both(|arm| {
        let [law, bio] = [[0.5, 0.6], [0.55, 0.65]][arm];
        vec![figures(&json!({
            "accuracy": shares[arm],
            "n": 1000,
            "law": { "accuracy": law, "n": 400 },
            "bio": { "accuracy": bio, "n": 600 },
        }))]
    })
}

/// A dataset with 900 samples, and a second row of that name with these shares.
fn beside_one(name: &str, shares: [f64; 2]) -> [Files; 2] {
    both(|arm| {
        let of = |value: f64| json!({ "accuracy": { "value": value, "n": 900 } });
        vec![figures(&json!({ "law": of([0.5, 0.6][arm]), name: of(shares[arm]) }))]
    })
}

/// Four datasets, and an average with these shares that says nothing of theirs in its name.
fn groups(shares: [f64; 2]) -> [Files; 2] {
    both(|arm| {
        let more = [0.0, 0.04][arm];
        let rows = [("gsm8k", 0.5), ("math", 0.2), ("arc", 0.6), ("hellaswag", 0.7)];
        let rows = rows.map(|(name, share)| format!("{name},{:.2},400\n", share + more)).concat();
        let table = format!("dataset,accuracy,n\nmath_avg,{},800\n{rows}", shares[arm]);
        vec![("results.csv", table)]
    })
}

const REASON: &str = "/reason";

cases![
    a_row_of_a_table_that_says_average = case(
        rows("Average", [0.56, 0.61]),
        &[],
        vec![
            Raised("R292"),
            Holds("accuracy", "/dataset", json!("Average")),
            Holds("accuracy", "/verdict", json!("not-assessable")),
            Holds("accuracy", "/reason", json!("total-of-parts")),
        ]
    ),
    a_row_that_says_a_total_and_lies_outside_of_its_parts_is_a_dataset = case(
        rows("all", [0.8, 0.9]),
        &[],
        vec![
            Silent("R292"),
            Holds("accuracy", "/reason", json!(null)),
            Verdict("accuracy", "better")
        ]
    ),
    a_dataset_of_another_name_is_no_total =
        case(rows("medicine", [0.55, 0.6]), &[], vec![Silent("R292")]),
    an_average_of_one_dataset_is_no_second_one = case(
        beside_one("average", [0.5, 0.6]),
        &[],
        vec![Raised("R292"), Holds("accuracy", REASON, json!("total-of-parts"))]
    ),
    an_average_that_is_not_that_of_the_only_dataset_is_a_result = case(
        beside_one("average", [0.5, 0.61]),
        &[],
        vec![Silent("R292"), Verdict("accuracy", "better")]
    ),
    averages_of_groups_that_no_dataset_is_called_after =
        case(groups([0.35, 0.39]), &[], vec![Raised("R292")]),
    a_figure_that_is_no_average_of_any_datasets_is_a_result =
        case(groups([0.37, 0.41]), &[], vec![Silent("R292")]),
    a_row_that_says_average_with_a_full_stop =
        case(rows("AVG.", [0.56, 0.61]), &[], vec![Raised("R292")]),
    a_row_that_says_combined = case(rows("combined", [0.56, 0.61]), &[], vec![Raised("R292")]),
    a_chinese_row_that_says_all_together =
        case(rows("综合", [0.56, 0.61]), &[], vec![Raised("R292")]),
    a_dataset_beside_its_subsets = case(
        subsets([0.567, 0.613], Some(1000)),
        &[],
        vec![Raised("R292"), Holds("accuracy", REASON, json!("total-of-parts"))]
    ),
    a_mean_of_subsets_of_which_no_size_is_told = case(
        subsets([0.558, 0.603], None),
        &[],
        vec![Raised("R292"), Holds("accuracy", REASON, json!("total-of-parts"))]
    ),
    a_dataset_beside_others_whose_names_begin_alike =
        case(subsets([0.58, 0.613], Some(1000)), &[], vec![Silent("R292")]),
    a_dataset_whose_size_is_not_that_of_its_namesakes =
        case(subsets([0.567, 0.613], Some(1319)), &[], vec![Silent("R292")]),
    a_figure_above_its_own_datasets = case(
        above([0.56, 0.61]),
        &[],
        vec![Raised("R292"), Holds("accuracy", REASON, json!("total-of-parts"))]
    ),
    a_figure_above_other_datasets = case(above([0.52, 0.64]), &[], vec![Silent("R292")]),
    subsets_within_subsets = case(
        both(|arm| {
            let more = [0.0, 0.05][arm];
            let of = |value: f64, n: u64| json!({ "accuracy": { "value": value + more, "n": n } });
            vec![figures(&json!({
                "mmlu": of(0.56, 1000),
                "mmlu_law": of(0.6, 600),
                "mmlu_stem": of(0.5, 400),
                "mmlu_stem_math": of(0.4, 200),
                "mmlu_stem_physics": of(0.6, 200),
            }))]
        }),
        &[],
        vec![Raised("R292"), Holds("accuracy", REASON, json!("total-of-parts"))]
    ),
    a_chinese_total_of_objects = case(
        both(|arm| {
            let of = |value: f64, n: u64| json!({ "accuracy": { "value": value, "n": n } });
            let [law, bio, all] = [[0.5, 0.6, 0.56], [0.55, 0.65, 0.61]][arm];
            vec![figures(
                &json!({ "law": of(law, 400), "bio": of(bio, 600), "合计": of(all, 1000) }),
            )]
        }),
        &[],
        vec![Raised("R292")]
    ),
    samples_of_all_datasets_together = case(
        both(|arm| {
            let record = |i: usize| json!({ "correct": i % 10 < [4, 6][arm] });
            let file = |_| records(60, record);
            vec![("all.jsonl", file(0)), ("bio.jsonl", file(1)), ("law.jsonl", file(2))]
        }),
        &[],
        vec![Raised("R292")]
    ),
];

/// Of how many tests, that of the average included, the families of the comparisons are, and of how
/// many datasets the average is.
fn sizes(arms: &[Files; 2]) -> (Vec<String>, Value) {
    let report = Runs::of(arms).report(&[]);
    let comparisons = report["comparisons"].as_array().expect("comparisons");
    let families = comparisons.iter().filter_map(|one| one["test"]["family"].as_str());
    (families.map(str::to_owned).collect(), report["suites"][0]["datasets"].clone())
}

#[test]
fn a_total_is_in_no_family_and_no_average() {
    let (families, datasets) = sizes(&rows("Overall", [0.56, 0.61]));
    assert!(families.len() == 2 && families.iter().all(|one| one.contains("m=3")), "{families:?}");
    assert_eq!(datasets, 2);
    let (families, datasets) = sizes(&rows("medicine", [0.56, 0.61]));
    assert!(families.len() == 3 && families.iter().all(|one| one.contains("m=4")), "{families:?}");
    assert_eq!(datasets, 3);
}

#[test]
fn groups_that_a_file_declares_are_totals_of_the_tasks_in_them_however_they_are_called() {
    let arms = both(|arm| {
        let right = [[60, 80, 90], [70, 95, 100]][arm];
        let [a, b, c] = right.map(|right| f64::from(right) / 150.0);
        let task = |share: f64| json!({ "acc,none": share, "alias": "x" });
        let results = json!({
            "results": {
                "suite": task((a + b + c) / 3.0), "inner": task(f64::midpoint(a, b)),
                "a": task(a), "b": task(b), "c": task(c),
            },
            "group_subtasks": { "suite": ["inner", "c"], "inner": ["a", "b"], "c": [] },
            "versions": {},
            "n-samples": { "a": { "effective": 150 }, "b": { "effective": 150 }, "c": { "effective": 150 } },
        });
        vec![("results_2026-01-01T00-00-00.1.json", results.to_string())]
    });
    let report = Runs::of(&arms).report(&[]);
    let parts: Vec<(String, Value)> = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter(|finding| finding["code"] == "R292")
        .map(|finding| {
            (finding["subject"]["key"].to_string(), finding["evidence"]["parts"].clone())
        })
        .collect();
    let expected = [("\"inner\"", json!(["a", "b"])), ("\"suite\"", json!(["a", "b", "c"]))];
    assert_eq!(parts, expected.map(|(name, parts)| (name.to_owned(), parts)));
    assert_eq!(report["suites"][0]["datasets"], 3);
}
