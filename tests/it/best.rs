//! `reportgen best`: which checkpoint is chosen, what is said of the others, and which evaluations
//! are missing.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{Ended, json, reportgen, write_file};

/// A run with one figure of `accuracy` for each step, of `n` samples each.
fn run(figures: &[(u64, f64)], n: u64) -> TempDir {
    let directory = TempDir::new().expect("a directory");
    for (step, value) in figures {
        let text = json!({ "datasets": { "quiz": { "accuracy": value, "n": n } } });
        write_file(
            &directory.path().join(format!("eval_step_{step}/summary.json")),
            text.to_string(),
        );
    }
    directory
}

fn best(run: &Path, config: &str, options: &[&str]) -> Ended {
    let file = TempDir::new().expect("a directory");
    let path = file.path().join("reportgen.toml");
    write_file(&path, config);
    let words = ["best", run.to_str().expect("UTF-8"), "--config", path.to_str().expect("UTF-8")];
    reportgen(words.iter().chain(options).copied())
}

fn data(run: &Path, config: &str) -> Value {
    json(&best(run, config, &["--format", "json"]))
}

#[test]
fn the_largest_figure_wins_and_the_earliest_of_several() {
    for (figures, step, ties, runner_up) in [
        (&[(10, 0.5), (20, 0.7), (30, 0.6)][..], 20, json!([]), json!(30)),
        (&[(10, 0.5), (20, 0.7), (30, 0.7)], 20, json!([30]), json!(30)),
        (&[(1000, 0.7), (200, 0.7), (30, 0.1)], 200, json!([1000]), json!(1000)),
        (&[(10, 0.5)], 10, json!([]), Value::Null),
    ] {
        let run = run(figures, 100);
        let best = &data(run.path(), "")["best"];
        assert_eq!(best["step"], step);
        assert_eq!(best["ties"], ties);
        assert_eq!(best["runner_up"]["step"], runner_up, "{best}");
    }
}

#[test]
fn the_smallest_figure_wins_where_smaller_is_better() {
    let run = run(&[(10, 0.5), (20, 0.3), (30, 0.4)], 100);
    let config = "[[metric]]\nnames = [\"accuracy\"]\ndirection = \"lower\"\nunit = \"fraction\"";
    assert_eq!(data(run.path(), config)["best"]["step"], 20);
}

#[test]
fn far_apart_is_told_apart_and_close_is_not() {
    let run = run(&[(10, 0.2), (20, 0.79), (30, 0.8)], 200);
    let report = data(run.path(), "");
    let separable: Vec<&Value> = report["checkpoints"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["difference"]["separable"])
        .collect();
    assert_eq!(separable, [&json!(true), &json!(false), &Value::Null]);
    assert_eq!(report["best"]["not_separable"], json!([20]));
    assert_eq!(report["best"]["earliest_fair"], 20);
    assert_eq!(report["optimism"]["method"], "expected-largest-normal");
}

#[test]
fn the_curve_of_the_seed_and_the_record_of_the_seed_disagree() {
    let config = "fixtures/best/reportgen.toml";
    let words = ["best", "fixtures/best/run", "--config", config, "--format", "json"];
    let report = json(&reportgen(words));
    assert_eq!(report["best"]["step"], 1500);
    assert_eq!(report["recorded"]["step"], 1000);
    assert_eq!(
        (&report["loss"]["parts_from"], &report["loss"]["parts_to"]),
        (&json!(1500), &json!(2000))
    );
    assert_eq!(report["loss"]["lowest_step"], 2500);
    assert_eq!(report["loss"]["lowest_separable"], false);
    let codes: Vec<&str> = report["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["code"].as_str())
        .collect();
    assert_eq!(codes, ["R118", "R118", "R118", "R480", "R481", "R482"]);
}

#[test]
fn what_was_written_is_read_again_with_the_same_choice() {
    let out = TempDir::new().expect("a directory");
    let path = out.path().to_str().expect("UTF-8");
    let config = "fixtures/best/reportgen.toml";
    assert_eq!(reportgen(["best", "fixtures/best/run", "--config", config, "-o", path]).status, 0);
    let written =
        std::fs::read_to_string(out.path().join("best_checkpoint.json")).expect("written");
    let record: Value = serde_json::from_str(&written).expect("JSON");
    let steps: Vec<&String> =
        record["all_checkpoints"].as_object().expect("steps").keys().collect();
    assert_eq!(steps, ["500", "1000", "1500", "2000", "2500"]);
    assert_eq!(record["model_path"], "checkpoints/sft/global_step_1500/huggingface");
    let copy = TempDir::new().expect("a directory");
    write_file(&copy.path().join("best_checkpoint.json"), &written);
    let again = data(copy.path(), "");
    let first =
        json(&reportgen(["best", "fixtures/best/run", "--config", config, "--format", "json"]));
    for (one, other) in again["checkpoints"]
        .as_array()
        .expect("a list")
        .iter()
        .zip(first["checkpoints"].as_array().expect("a list"))
    {
        assert_eq!((&one["step"], &one["value"]), (&other["step"], &other["value"]));
    }
    assert_eq!(again["best"]["step"], first["best"]["step"]);
    assert_eq!(again["recorded"]["step"], 1500);
    assert_eq!((&again["metric"], &again["dataset"]), (&first["metric"], &first["dataset"]));
}

#[test]
fn a_planned_evaluation_is_missing_only_where_the_run_has_come_so_far() {
    let run = run(&[(100, 0.5), (300, 0.6)], 50);
    let plan = "[best.plan]\nend = 400\n[[best.plan.tier]]\nname = \"T\"\ndatasets = { Quiz = 50 }\nevery = 100\n";
    let states = |config: &str| -> Vec<Value> {
        let report = data(run.path(), config);
        let list = report["coverage"].as_array().expect("a list").clone();
        list.iter().map(|one| one["state"].clone()).collect()
    };
    assert_eq!(states(plan), ["done", "missing", "done", "not-reached"]);
    assert_eq!(
        states(&plan.replace("50", "51")),
        ["other-size", "missing", "other-size", "not-reached"]
    );
    write_file(
        &run.path().join("eval_final/summary.json"),
        "{\"datasets\": {\"quiz\": {\"accuracy\": 0.7, \"n\": 50}}}",
    );
    assert_eq!(states(plan)[3], "done");
    assert_eq!(data(run.path(), plan)["best"]["step"], 400, "the evaluation at the end counts");
}

#[test]
fn what_is_not_clear_is_refused_with_what_to_do() {
    let none = TempDir::new().expect("a directory");
    write_file(&none.path().join("config.yaml"), "lr: 1\n");
    let two = run(&[(10, 0.5), (20, 0.6)], 50);
    let text = "{\"datasets\": {\"exam\": {\"accuracy\": 0.7}}}";
    write_file(&two.path().join("eval_step_30/summary.json"), text);
    let own = TempDir::new().expect("a directory");
    write_file(
        &own.path().join("eval_step_10/summary.json"),
        "{\"datasets\": {\"quiz\": {\"zorp\": 0.7}}}",
    );
    for (path, config, expected) in [
        (none.path(), "", "no figures of evaluations at several steps"),
        (two.path(), "", "`accuracy on exam`, `accuracy on quiz`"),
        (two.path(), "[best]\nmetric = \"f1\"", "no figures over steps fit"),
        (two.path(), "[best]\ndatset = \"quiz\"", "unknown field `datset`"),
        (own.path(), "", "nobody says whether a larger `zorp` is better"),
        (
            two.path(),
            "[[best.plan.tier]]\nname = \"T\"\ndatasets = []\nat = \"end\"",
            "needs end = LAST_STEP",
        ),
        (
            two.path(),
            "[[best.plan.tier]]\nname = \"T\"\ndatasets = []",
            "tier `T` of [best.plan] needs either",
        ),
    ] {
        let ended = best(path, config, &[]);
        assert_eq!(ended.status, 2, "{}", ended.err);
        assert!(ended.err.contains(expected), "{expected}: {}", ended.err);
    }
    assert_eq!(reportgen(["best", "fixtures/gone"]).status, 4);
}

#[test]
fn every_field_of_the_report_is_described() {
    let formats = std::fs::read_to_string("docs/formats.md").expect("the document");
    let section = formats.split("\n## best\n").nth(1).and_then(|rest| rest.split("\n## ").next());
    let words: Vec<&str> =
        section.expect("a section").split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let golden = std::fs::read_to_string("fixtures/cases/best_as_json/stdout").expect("a golden");
    let mut names = Vec::new();
    collect(&serde_json::from_str(&golden).expect("JSON"), &mut names);
    assert!(names.len() > 40);
    let silent: Vec<&String> =
        names.iter().filter(|name| !words.contains(&name.as_str())).collect();
    assert!(silent.is_empty(), "not described: {silent:?}");
}

fn collect(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (name, below) in object {
                names.push(name.clone());
                collect(below, names);
            }
        }
        Value::Array(list) => list.iter().for_each(|one| collect(one, names)),
        _ => {}
    }
}
