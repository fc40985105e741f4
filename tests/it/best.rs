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
    let codes: Vec<&str> = report["findings"]
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

/// Writes the summary of one step; `figures` as JSON.
fn summary(run: &Path, place: &str, figures: &str) {
    let text = format!("{{\"datasets\": {{\"quiz\": {figures}}}}}");
    write_file(&run.join(place).join("summary.json"), text);
}

/// What the Markdown of a run says.
fn told(run: &Path, config: &str) -> String {
    let ended = best(run, config, &["--lang", "en"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    ended.out
}

#[test]
fn what_cannot_be_judged_is_not_told_apart() {
    let run = run(&[(500, 0.2), (1000, 0.8)], 1000);
    summary(run.path(), "eval_step_1500", "{\"accuracy\": null, \"n\": 1000}");
    summary(run.path(), "eval_step_2000", "{\"accuracy\": NaN, \"n\": 1000}");
    let report = data(run.path(), "");
    assert_eq!(report["best"]["not_judged"], json!([1500, 2000]));
    assert_eq!(report["optimism"]["checkpoints"], 2);
    let text = told(run.path(), "");
    assert!(text.contains("⚠️ **step 1000"), "{text}");
    assert!(text.contains("1 told apart, 2 cannot be judged (1500, 2000)"), "{text}");
    assert!(!text.contains("R219"), "{text}");
}

#[test]
fn the_evaluation_at_the_end_is_placed_or_missed() {
    let run = run(&[(500, 0.5), (1000, 0.6)], 1000);
    summary(run.path(), "eval_final", "{\"accuracy\": 0.99, \"n\": 1000}");
    let text = told(run.path(), "");
    assert!(text.contains("`R483`") && text.contains("0.99, better than"), "{text}");
    assert!(!text.contains('✅'), "{text}");
    write_file(&run.path().join("config.json"), "{\"max_steps\": 700}");
    assert_eq!(data(run.path(), "")["best"]["step"], 1000, "the end lies behind every evaluation");
    write_file(&run.path().join("config.json"), "{\"max_steps\": 3000}");
    assert_eq!(data(run.path(), "")["best"]["step"], 3000);
}

#[test]
fn a_record_of_others_is_not_replaced_and_an_own_one_is() {
    let run = run(&[(500, 0.5), (1000, 0.6)], 1000);
    let record = run.path().join("best_checkpoint.json");
    let other = "{\"best_step\": 500, \"all_checkpoints\": {\"abc\": {\"accuracy\": 0.9}}}";
    write_file(&record, other);
    let path = run.path().to_str().expect("UTF-8");
    let ended = best(run.path(), "", &["-o", path]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("was not written by"), "{}", ended.err);
    assert_eq!(std::fs::read_to_string(&record).expect("there"), other);
    assert!(told(run.path(), "").contains("no number: abc"));
    std::fs::remove_file(&record).expect("removed");
    for _ in 0..2 {
        assert_eq!(best(run.path(), "", &["-o", path]).status, 0);
    }
}

#[test]
fn the_lowest_loss_is_that_of_evaluated_steps_and_ties_are_told() {
    let run = run(&[(500, 0.5), (1000, 0.6), (1500, 0.7)], 1000);
    let log = run.path().join("train.csv");
    write_file(&log, "step,val_loss\n500,1.5\n1000,1.0\n1100,0.2\n1500,1.0\n");
    let loss = &data(run.path(), "")["loss"];
    assert_eq!((&loss["lowest_step"], &loss["lower_step"]), (&json!(1500), &json!(1100)));
    assert!(told(run.path(), "").contains("as low as at step 1500 at 1000"));
    write_file(&log, "step,val_loss\n501,1.5\n1001,1.0\n");
    assert!(told(run.path(), "").contains("No val_loss is known at an evaluated step"));
    std::fs::remove_file(&log).expect("removed");
    let lines = "{\"step\": \"500\", \"val_loss\": 2}\n{\"step\": \"1000\", \"val_loss\": 1}\n";
    write_file(&run.path().join("log.jsonl"), lines);
    assert_eq!(data(run.path(), "")["loss"]["lowest_step"], 1000, "steps written as texts");
}

#[test]
fn a_fragment_is_shown_and_not_chosen() {
    let run = run(&[(1000, 0.9), (1500, 0.8)], 1000);
    summary(run.path(), "eval_step_500", "{\"accuracy\": 1.0, \"n\": 1}");
    summary(run.path(), "eval_step_2000", "{\"accuracy\": 0.0, \"n\": 0}");
    let report = data(run.path(), "");
    assert_eq!(report["best"]["step"], 1000);
    assert_eq!(report["best"]["left_out"], json!([500, 2000]));
    assert_eq!(report["checkpoints"][3]["value"], Value::Null, "no samples are no figure");
    let text = told(run.path(), "");
    assert!(text.contains("step 500 with 100.0%, because its 1 sample is less"), "{text}");
}

#[test]
fn few_samples_and_rates_at_the_edge_are_overstated() {
    for n in [1, 3, 5] {
        let run = run(&[(10, 1.0), (20, 0.0)], n);
        let amount = data(run.path(), "")["optimism"]["amount"].as_f64();
        assert!(amount.is_some_and(|amount| amount > 5.0), "{n}: {amount:?}");
    }
}

#[test]
fn samples_that_contradict_their_summary_are_found() {
    let run = run(&[(500, 0.9), (1000, 0.6)], 40);
    for (step, right) in [(500, 20), (1000, 24)] {
        let line = |id: u32| {
            json!({ "id": id, "dataset": "quiz", "accuracy": u8::from(id < right) }).to_string()
        };
        let lines: Vec<String> = (0..40).map(line).collect();
        let path = format!("eval_step_{step}/quiz_samples.jsonl");
        write_file(&run.path().join(path), lines.join("\n"));
    }
    let text = told(run.path(), "[best]\nmetric = \"accuracy\"\ndataset = \"quiz\"");
    assert_eq!(text.matches("`R221`").count(), 1, "{text}");
}

#[test]
fn figures_of_the_record_are_no_question_beside_evaluations() {
    let run = run(&[(500, 0.5), (1000, 0.6)], 40);
    let record = "{\"best_step\": 500, \"all_checkpoints\": {\"500\": {\"accuracy\": 0.7}}}";
    write_file(&run.path().join("best_checkpoint.json"), record);
    assert_eq!(data(run.path(), "")["dataset"], "quiz");
    write_file(&run.path().join("eval_step_500/metrics.json"), "{\"accuracy\": 0.4, \"n\": 40}");
    assert_eq!(best(run.path(), "", &[]).status, 2);
    assert_eq!(data(run.path(), "[best]\ndataset = \"\"")["dataset"], Value::Null);
}

#[test]
fn figures_under_numbers_are_those_of_steps() {
    let run = TempDir::new().expect("a directory");
    let text = "{\"500\": {\"accuracy\": 0.5, \"n\": 9}, \"1000\": {\"accuracy\": 0.6, \"n\": 9}}";
    write_file(&run.path().join("metrics.json"), text);
    assert_eq!(data(run.path(), "")["best"]["step"], 1000);
}

#[test]
fn long_lists_are_cut() {
    let figures: Vec<(u64, f64)> = (1..=60).map(|at| (at * 7, 0.5 + at as f64 / 1e4)).collect();
    let run = run(&figures, 100);
    let plan = "[best.plan]\nend = 1500\n[[best.plan.tier]]\nname = \"T\"\ndatasets = [\"quiz\"]\nevery = 7\n";
    let text = told(run.path(), plan);
    assert!(text.contains("7, 14, 21, 28, 35, 42 and 53 more"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 1000), "{text}");
    assert!(text.contains("203 more steps of the plan"), "{text}");
    let ended = best(run.path(), "[best]\nmodel_path = \"model\"", &[]);
    assert_eq!(ended.status, 2, "{}", ended.err);
}
