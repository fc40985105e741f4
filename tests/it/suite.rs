//! One metric over several datasets: the mean difference, its interval and its verdict.

use serde_json::Value;

use crate::command::{json, reportgen, write_file};

/// Right answers in the first arm only, in the second only, in both, in neither.
type Table = [usize; 4];

fn records(table: Table, arm: usize) -> String {
    let [first, second, both, neither] = table;
    let rows = [(first, arm == 0), (second, arm == 1), (both, true), (neither, false)];
    let outcomes = rows.into_iter().flat_map(|(count, right)| std::iter::repeat_n(right, count));
    let lines = outcomes.enumerate().map(|(id, right)| format!("{id},{}\n", u8::from(right)));
    std::iter::once("id,accuracy\n".to_owned()).chain(lines).collect()
}

/// The report on these datasets, the arms in this order.
fn report(datasets: &[(&str, Table)], arms: [usize; 2], more: &[&str]) -> Value {
    let directory = tempfile::tempdir().expect("a directory");
    let names = ["left", "right"];
    for (name, table) in datasets {
        for arm in [0, 1] {
            let path = directory.path().join(names[arm]).join(format!("{name}.csv"));
            write_file(&path, records(*table, arm));
        }
    }
    let runs = arms.map(|arm| directory.path().join(names[arm]).display().to_string());
    let mut command = vec!["compare", &runs[0], &runs[1], "--format", "json"];
    command.extend(more);
    json(&reportgen(command))
}

fn suite(report: &Value) -> &Value {
    &report["suites"][0]
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

const THREE: [(&str, Table); 3] =
    [("algebra", [3, 14, 40, 43]), ("code", [5, 19, 20, 56]), ("law", [9, 12, 30, 49])];

#[test]
fn the_mean_of_differences_counts_every_dataset_the_same() {
    let report = report(&THREE, [0, 1], &[]);
    let suite = suite(&report);
    assert_eq!((&suite["metric"], &suite["datasets"]), (&"accuracy".into(), &3.into()));
    assert!((number(&suite["macro_mean"]["delta"]) - (11.0 + 14.0 + 3.0) / 3.0).abs() < 1e-9);
    assert_eq!(suite["verdict"], "better");
}

#[test]
fn two_equal_datasets_narrow_the_interval_by_the_root_of_two() {
    let twice = [("one", [3, 14, 40, 43]), ("two", [3, 14, 40, 43])];
    let report = report(&twice, [0, 1], &[]);
    let single = &report["comparisons"][0]["delta"];
    let mean = &suite(&report)["macro_mean"];
    let delta = number(&single["absolute"]);
    for limit in [0, 1] {
        let alone = number(&single["ci"][limit]) - delta;
        let together = number(&mean["ci"][limit]) - number(&mean["delta"]);
        assert!((together * 2.0_f64.sqrt() - alone).abs() < 1e-9, "{alone} {together}");
    }
}

#[test]
fn exchanging_the_arms_turns_the_mean_round() {
    let (there, back) = (report(&THREE, [0, 1], &[]), report(&THREE, [1, 0], &[]));
    let [there, back] = [&there, &back].map(|report| &suite(report)["macro_mean"]);
    assert!((number(&there["delta"]) + number(&back["delta"])).abs() < 1e-9);
    assert!((number(&there["ci"][0]) + number(&back["ci"][1])).abs() < 1e-9);
    assert!((number(&there["p"]) - number(&back["p"])).abs() < 1e-9);
}

#[test]
fn the_p_value_is_below_the_level_just_when_the_interval_excludes_zero() {
    for gained in 3..20 {
        let tables = [("one", [3, gained, 40, 43]), ("two", [8, 6, 20, 30])];
        let report = report(&tables, [0, 1], &[]);
        let mean = &suite(&report)["macro_mean"];
        let excludes = number(&mean["ci"][0]) > 0.0 || number(&mean["ci"][1]) < 0.0;
        assert_eq!(number(&mean["p"]) < 0.05, excludes, "{mean}");
    }
}

#[test]
fn a_margin_holds_for_the_mean_too() {
    let level = [("one", [6, 6, 500, 400]), ("two", [5, 5, 300, 600])];
    let report = report(&level, [0, 1], &["--margin", "accuracy=2"]);
    assert_eq!(suite(&report)["verdict"], "equivalent");
}

#[test]
fn one_dataset_is_no_suite_and_a_dataset_of_one_arm_is_left_out() {
    assert_eq!(report(&THREE[..1], [0, 1], &[])["suites"], serde_json::json!([]));
    let directory = tempfile::tempdir().expect("a directory");
    for arm in [0, 1] {
        let run = directory.path().join(["left", "right"][arm]);
        for (name, table) in &THREE[arm..] {
            write_file(&run.join(format!("{name}.csv")), records(*table, arm));
        }
    }
    let runs = ["left", "right"].map(|run| directory.path().join(run).display().to_string());
    let report = json(&reportgen(["compare", &runs[0], &runs[1], "--format", "json"]));
    assert_eq!((&suite(&report)["datasets"], &suite(&report)["left_out"]), (&2.into(), &1.into()));
}
