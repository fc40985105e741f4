//! `reportgen best`: which checkpoint is chosen, what is said of the others, and which evaluations
//! are missing.

use std::path::Path;

use serde_json::{Value, json};

use crate::command::{Ended, json, reportgen};
use crate::directory::{Directory, write_file};
use crate::report::{codes, list};

/// A run with one figure of `accuracy` for each step, of `n` samples each.
fn run(figures: &[(u64, f64)], n: u64) -> Directory {
    let directory = Directory::new();
    for (step, value) in figures {
        let text = json!({ "datasets": { "quiz": { "accuracy": value, "n": n } } });
        directory.write(format!("eval_step_{step}/summary.json"), text.to_string());
    }
    directory
}

fn best(run: &Path, config: &str, options: &[&str]) -> Ended {
    let file = Directory::of([("reportgen.toml", config)]);
    let path = file.word("reportgen.toml");
    let words = ["best", run.to_str().expect("UTF-8"), "--config", &path];
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
        let best = &data(run.root(), "")["best"];
        assert_eq!(best["step"], step);
        assert_eq!(best["ties"], ties);
        assert_eq!(best["runner_up"]["step"], runner_up, "{best}");
    }
}

#[test]
fn the_smallest_figure_wins_where_smaller_is_better() {
    let run = run(&[(10, 0.5), (20, 0.3), (30, 0.4)], 100);
    let config = "[[metric]]\nnames = [\"accuracy\"]\ndirection = \"lower\"\nunit = \"fraction\"";
    assert_eq!(data(run.root(), config)["best"]["step"], 20);
}

#[test]
fn far_apart_is_told_apart_and_close_is_not() {
    let run = run(&[(10, 0.2), (20, 0.79), (30, 0.8)], 200);
    let report = data(run.root(), "");
    let checkpoints = list(&report, "checkpoints").iter();
    let separable: Vec<&Value> = checkpoints.map(|one| &one["difference"]["separable"]).collect();
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
    assert_eq!(codes(&report), ["R118", "R118", "R118", "R480", "R481", "R482"]);
}

#[test]
fn what_was_written_is_read_again_with_the_same_choice() {
    let out = Directory::new();
    let config = ["best", "fixtures/best/run", "--config", "fixtures/best/reportgen.toml"];
    assert_eq!(reportgen(config.into_iter().chain(["-o", &out.word("")])).status, 0);
    let written = out.read("best_checkpoint.json");
    let record: Value = serde_json::from_str(&written).expect("JSON");
    let steps: Vec<&String> =
        record["all_checkpoints"].as_object().expect("steps").keys().collect();
    assert_eq!(steps, ["500", "1000", "1500", "2000", "2500"]);
    assert_eq!(record["model_path"], "checkpoints/sft/global_step_1500/huggingface");
    let copy = Directory::of([("best_checkpoint.json", &written)]);
    let again = data(copy.root(), "");
    let first = json(&reportgen(config.into_iter().chain(["--format", "json"])));
    let figures = |report: &Value| -> Vec<[Value; 2]> {
        let checkpoints = list(report, "checkpoints").iter();
        checkpoints.map(|one| ["step", "value"].map(|key| one[key].clone())).collect()
    };
    assert_eq!(figures(&first).len(), 5);
    assert_eq!(figures(&again), figures(&first));
    assert_eq!(again["best"]["step"], first["best"]["step"]);
    assert_eq!(again["recorded"]["step"], 1500);
    assert_eq!((&again["metric"], &again["dataset"]), (&first["metric"], &first["dataset"]));
}

#[test]
fn a_planned_evaluation_is_missing_only_where_the_run_has_come_so_far() {
    let run = run(&[(100, 0.5), (300, 0.6)], 50);
    let plan = "[best.plan]\nend = 400\n[[best.plan.tier]]\nname = \"T\"\ndatasets = { Quiz = 50 }\nevery = 100\n";
    let states = |config: &str| -> Vec<Value> {
        let report = data(run.root(), config);
        list(&report, "coverage").iter().map(|one| one["state"].clone()).collect()
    };
    assert_eq!(states(plan), ["done", "missing", "done", "not-reached"]);
    assert_eq!(
        states(&plan.replace("50", "51")),
        ["other-size", "missing", "other-size", "not-reached"]
    );
    run.write(
        "eval_final/summary.json",
        "{\"datasets\": {\"quiz\": {\"accuracy\": 0.7, \"n\": 50}}}",
    );
    assert_eq!(states(plan)[3], "done");
    assert_eq!(data(run.root(), plan)["best"]["step"], 400, "the evaluation at the end counts");
}

#[test]
fn what_is_not_clear_is_refused_with_what_to_do() {
    let none = Directory::new();
    none.write("config.yaml", "lr: 1\n");
    let two = run(&[(10, 0.5), (20, 0.6)], 50);
    let text = "{\"datasets\": {\"exam\": {\"accuracy\": 0.7}}}";
    two.write("eval_step_30/summary.json", text);
    let own = Directory::new();
    own.write("eval_step_10/summary.json", "{\"datasets\": {\"quiz\": {\"zorp\": 0.7}}}");
    for (path, config, expected) in [
        (none.root(), "", "no figures of evaluations at several steps"),
        (two.root(), "", "`--metric accuracy --dataset exam`, `--metric accuracy --dataset quiz`"),
        (two.root(), "[best]\nmetric = \"f1\"", "no figures over steps or epochs fit"),
        (two.root(), "[best]\ndatset = \"quiz\"", "unknown key `datset`"),
        (own.root(), "", "it is not known whether higher is better: `zorp`. Use --higher zorp"),
        (
            two.root(),
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
fn what_cannot_be_judged_is_not_called_worse() {
    let run = run(&[(500, 0.2), (1000, 0.8)], 1000);
    summary(run.root(), "eval_step_1500", "{\"accuracy\": null, \"n\": 1000}");
    summary(run.root(), "eval_step_2000", "{\"accuracy\": NaN, \"n\": 1000}");
    let report = data(run.root(), "");
    assert_eq!(report["best"]["not_judged"], json!([1500, 2000]));
    assert_eq!(report["optimism"]["checkpoints"], 2);
    let text = told(run.root(), "");
    assert!(text.contains("⚠️ **step 1000"), "{text}");
    assert!(text.contains("1 significantly worse, 2 not assessable (1500, 2000)"), "{text}");
    assert!(!text.contains("R219"), "{text}");
}

#[test]
fn the_evaluation_at_the_end_is_placed_or_missed() {
    let run = run(&[(500, 0.5), (1000, 0.6)], 1000);
    summary(run.root(), "eval_final", "{\"accuracy\": 0.99, \"n\": 1000}");
    let text = told(run.root(), "");
    assert!(text.contains("`R483`") && text.contains("0.99 is better than"), "{text}");
    assert!(!text.contains('✅'), "{text}");
    run.write("config.json", "{\"max_steps\": 700}");
    assert_eq!(data(run.root(), "")["best"]["step"], 1000, "the end lies behind every evaluation");
    run.write("config.json", "{\"max_steps\": 3000}");
    assert_eq!(data(run.root(), "")["best"]["step"], 3000);
}

#[test]
fn a_record_of_a_script_is_updated_and_what_is_no_record_is_left_alone() {
    let run = run(&[(500, 0.5), (1000, 0.6)], 1000);
    let record = run.path("best_checkpoint.json");
    let path = run.word("");
    let written = || std::fs::read_to_string(&record).expect("there");
    write_file(&record, "{\"checkpoint\": 500}");
    let ended = best(run.root(), "", &["-o", &path]);
    assert_eq!((ended.status, written().as_str()), (2, "{\"checkpoint\": 500}"));
    assert!(ended.err.contains("was not written by"), "{}", ended.err);
    let of_script = json!({
        "best_step": 500, "best_reward": 0.1, "git": "abc123", "model_path": "ckpt/500",
        "all_checkpoints": { "250": { "accuracy": 0.4 }, "500": { "seconds": 9 } },
    });
    write_file(&record, of_script.to_string());
    for _ in 0..2 {
        let choice = "[best]\ndataset = \"quiz\"\nmetric = \"accuracy\"";
        let ended = best(run.root(), choice, &["-o", &path]);
        assert_eq!(ended.status, 0, "{}", ended.err);
        let record: Value = serde_json::from_str(&written()).expect("JSON");
        assert_eq!((&record["best_step"], &record["git"]), (&json!(1000), &json!("abc123")));
        assert_eq!((&record["best_reward"], &record["model_path"]), (&Value::Null, &Value::Null));
        assert_eq!(record["all_checkpoints"]["250"]["accuracy"], 0.4);
        assert_eq!(record["all_checkpoints"]["1000"]["accuracy"], 0.6);
    }
}

#[test]
fn the_lowest_loss_is_that_of_evaluated_steps_and_ties_are_told() {
    let run = run(&[(500, 0.5), (1000, 0.6), (1500, 0.7)], 1000);
    let log = run.path("train.csv");
    write_file(&log, "step,val_loss\n500,1.5\n1000,1.0\n1100,0.2\n1500,1.0\n");
    let loss = &data(run.root(), "")["loss"];
    assert_eq!((&loss["lowest_step"], &loss["lower_step"]), (&json!(1500), &json!(1100)));
    assert!(told(run.root(), "").contains("as low as at step 1500 at 1000"));
    write_file(&log, "step,val_loss\n501,1.5\n1001,1.0\n");
    assert!(told(run.root(), "").contains("No val_loss is recorded at an evaluated step"));
    std::fs::remove_file(&log).expect("removed");
    let lines = "{\"step\": \"500\", \"val_loss\": 2}\n{\"step\": \"1000\", \"val_loss\": 1}\n";
    run.write("log.jsonl", lines);
    assert_eq!(data(run.root(), "")["loss"]["lowest_step"], 1000, "steps written as texts");
}

#[test]
fn a_fragment_is_shown_and_not_chosen() {
    let run = run(&[(1000, 0.9), (1500, 0.8)], 1000);
    summary(run.root(), "eval_step_500", "{\"accuracy\": 1.0, \"n\": 1}");
    summary(run.root(), "eval_step_2000", "{\"accuracy\": 0.0, \"n\": 0}");
    let report = data(run.root(), "");
    assert_eq!(report["best"]["step"], 1000);
    assert_eq!(report["best"]["left_out"], json!([500, 2000]));
    assert_eq!(report["checkpoints"][3]["value"], Value::Null, "no samples are no figure");
    let text = told(run.root(), "");
    assert!(text.contains("step 500 with 100.0%, because its 1 sample is less"), "{text}");
}

#[test]
fn few_samples_and_rates_at_the_edge_are_overstated() {
    for n in [1, 3, 5] {
        let run = run(&[(10, 1.0), (20, 0.0)], n);
        let amount = data(run.root(), "")["optimism"]["amount"].as_f64();
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
        run.write(path, lines.join("\n"));
    }
    let text = told(run.root(), "[best]\nmetric = \"accuracy\"\ndataset = \"quiz\"");
    assert_eq!(text.matches("`R221`").count(), 1, "{text}");
}

#[test]
fn figures_of_the_record_are_no_question_beside_evaluations() {
    let run = run(&[(500, 0.5), (1000, 0.6)], 40);
    let record = "{\"best_step\": 500, \"all_checkpoints\": {\"500\": {\"accuracy\": 0.7}}}";
    run.write("best_checkpoint.json", record);
    assert_eq!(data(run.root(), "")["dataset"], "quiz");
    run.write("eval_step_500/metrics.json", "{\"accuracy\": 0.4, \"n\": 40}");
    assert_eq!(best(run.root(), "", &[]).status, 2);
    assert_eq!(data(run.root(), "[best]\ndataset = \"\"")["dataset"], Value::Null);
}

#[test]
fn figures_under_numbers_are_those_of_steps() {
    let run = Directory::new();
    let text = "{\"500\": {\"accuracy\": 0.5, \"n\": 9}, \"1000\": {\"accuracy\": 0.6, \"n\": 9}}";
    run.write("metrics.json", text);
    assert_eq!(data(run.root(), "")["best"]["step"], 1000);
}

#[test]
fn long_lists_are_cut() {
    let figures: Vec<(u64, f64)> = (1..=60).map(|at| (at * 7, 0.5 + at as f64 / 1e4)).collect();
    let run = run(&figures, 100);
    let plan = "[best.plan]\nend = 1500\n[[best.plan.tier]]\nname = \"T\"\ndatasets = [\"quiz\"]\nevery = 7\n";
    let text = told(run.root(), plan);
    assert!(text.contains("7, 14, 21, 28, 35, 42 and 53 more"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 1000), "{text}");
    assert!(text.contains("More planned steps: 203"), "{text}");
    let ended = best(run.root(), "[best]\nmodel_path = \"model\"", &[]);
    assert_eq!(ended.status, 2, "{}", ended.err);
}

#[test]
fn plans_and_runs_without_end_are_shown_as_far_as_they_can_be_counted() {
    let run = run(&[(500, 0.5), (1000, 0.6)], 40);
    let tier = "[[best.plan.tier]]\nname = \"T\"\ndatasets = [\"quiz\"]\nevery = ";
    let last = i64::MAX;
    let text = told(run.root(), &format!("[best.plan]\nend = {last}\n{tier}500\n"));
    assert!(text.contains("More planned steps: 9989"), "{text}");
    run.write("metrics.csv", "step,loss\n1,2.0\n1e300,1.0\n");
    let coverage = data(run.root(), &format!("{tier}{last}\n"))["coverage"].clone();
    let steps: Vec<u64> = coverage
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["step"].as_u64())
        .collect();
    assert_eq!(steps, [last as u64, last as u64 * 2]);
}

#[test]
fn a_loss_is_found_in_any_case_and_one_that_is_not_there_is_told_with_the_nearest() {
    let run = run(&[(1, 0.5), (2, 0.7)], 100);
    run.write("metrics.csv", "step,vloss,eval_loss\n1,2.0,3.0\n2,1.0,2.0\n");
    for (config, options, loss, missing) in [
        ("", &["--loss", "VLoss"][..], json!("vloss"), None),
        ("", &["--loss", "val_loss"], json!("eval_loss"), None),
        ("", &[], json!("eval_loss"), None),
        ("", &["--loss", "vlos"], Value::Null, Some(["--loss", "vlos"])),
        ("[best]\nloss = \"vlos\"", &[], Value::Null, Some(["[best]", "vlos"])),
    ] {
        let words = [&["--format", "json"], options].concat();
        let report = json(&best(run.root(), config, &words));
        assert_eq!(report["loss"]["metric"], loss, "{options:?}");
        let finding = list(&report, "findings").iter().find(|one| one["code"] == "R428");
        assert_eq!(finding.is_some(), missing.is_some(), "{options:?}");
        if let (Some(finding), Some([setting, name])) = (finding, missing) {
            let evidence = &finding["evidence"];
            assert_eq!(
                (&evidence["setting"], &evidence["metrics"]),
                (&json!(setting), &json!([name]))
            );
            assert_eq!(evidence["known"][0], "vloss");
        }
    }
}

/// A run with the files, and what `best` says of it as data.
fn chosen(files: &[(&str, &str)], options: &[&str]) -> Value {
    let run = Directory::of(files.iter().copied());
    let words = [&["--format", "json"], options].concat();
    json(&best(run.root(), "", &words))
}

const BY_STEP: &str = "step,val_accuracy\n100,0.5\n200,0.8\n300,0.6\n";

#[test]
fn the_figure_of_the_end_is_one_checkpoint_of_the_logged_ones() {
    let end = ("metrics.json", "{\"step\": 300, \"val_accuracy\": 0.6, \"n\": 500}");
    let report = chosen(&[end, ("history.csv", BY_STEP)], &[]);
    assert_eq!((&report["best"]["step"], &report["axis"]), (&json!(200), &json!("step")));
    assert_eq!(list(&report, "checkpoints").len(), 3);
    let other = "step,val_f1\n100,0.5\n200,0.8\n";
    let report = chosen(&[end, ("history.csv", other)], &[]);
    assert_eq!(list(&report, "checkpoints").len(), 1, "another metric is not beside it");
}

#[test]
fn checkpoints_lie_at_epochs_where_nothing_has_steps() {
    let folders: &[(&str, &str)] = &[
        ("epoch_1/metrics.json", "{\"accuracy\": 0.5, \"n\": 100}"),
        ("epoch_2/metrics.json", "{\"accuracy\": 0.9, \"n\": 100}"),
        ("epoch_3/metrics.json", "{\"accuracy\": 0.6, \"n\": 100}"),
    ];
    let by_epoch = BY_STEP.replace("00,", ",").replace("step", "epoch");
    for files in [folders, &[("history.csv", by_epoch.as_str())]] {
        let report = chosen(files, &[]);
        assert_eq!((&report["best"]["step"], &report["axis"]), (&json!(2), &json!("epoch")));
    }
    let text = told(Directory::of(folders.iter().copied()).root(), "");
    assert!(text.contains("**epoch 2 has the best") && text.contains("| Epoch |"), "{text}");
    assert!(!text.contains("step"), "{text}");
    let both = [("a.csv", BY_STEP), ("b.csv", by_epoch.as_str())];
    assert_eq!(chosen(&both, &[])["axis"], "step");
}

#[test]
fn a_checkpoint_that_was_evaluated_otherwise_is_not_called_better_than_the_others() {
    let chosen = |second: &str, others: &str| {
        let figures = |accuracy: f64, setting: &str| {
            format!("{{\"accuracy\": {accuracy}, \"n\": 1000, {setting}}}")
        };
        let texts = [figures(0.6, others), figures(0.7, second), figures(0.62, others)];
        let places = [
            "eval_step_100/metrics.json",
            "eval_step_200/metrics.json",
            "eval_step_300/metrics.json",
        ];
        let files: Vec<(&str, &str)> =
            places.into_iter().zip(texts.iter().map(String::as_str)).collect();
        chosen(&files, &[])
    };
    for (second, others) in [
        ("\"split\": \"train\"", "\"split\": \"val\""),
        ("\"judge_model\": \"b\"", "\"judge_model\": \"a\""),
        ("\"num_fewshot\": 5", "\"num_fewshot\": 0"),
        ("\"temperature\": 1.0", "\"temperature\": 0.0"),
    ] {
        let report = chosen(second, others);
        assert_eq!(report["best"]["not_judged"], json!([100, 300]), "{second}");
        assert_eq!(report["checkpoints"][0]["difference"]["reason"], "settings", "{second}");
        assert!(!list(&report, "findings").is_empty(), "{second}");
        let alike = chosen(others, others);
        assert_eq!(alike["best"]["not_judged"], json!([]), "{others}");
    }
    let training = chosen("\"learning_rate\": 1e-6", "\"learning_rate\": 1e-5");
    assert_eq!(training["best"]["not_judged"], json!([]), "a training may change");
}

#[test]
fn a_primary_metric_decides_beside_a_loss_and_two_are_asked_for() {
    let text = "step,val_accuracy,val_loss\n1,0.5,0.1\n2,0.8,0.2\n";
    let report = chosen(&[("history.csv", text)], &[]);
    assert_eq!((&report["metric"], &report["best"]["step"]), (&json!("val_accuracy"), &json!(2)));
    let by_loss = chosen(&[("history.csv", text)], &["--metric", "val_loss"]);
    assert_eq!(by_loss["best"]["step"], 1);
    let two = text.replace("val_loss", "val_exact_match");
    let ended = best(Directory::of([("history.csv", two)]).root(), "", &[]);
    assert!(ended.status == 2 && ended.err.contains("could decide"), "{ended:?}");
}

#[test]
fn a_logged_evaluation_without_a_direction_is_named_with_the_words_that_give_it_one() {
    let text = "step,eval_zorp\n1,0.5\n2,0.8\n";
    let run = Directory::of([("history.csv", text)]);
    let ended = best(run.root(), "", &[]);
    assert!(ended.status == 2 && ended.err.contains("--higher eval_zorp"), "{ended:?}");
    for (flag, step) in [("--higher", 2), ("--lower", 1)] {
        assert_eq!(chosen(&[("history.csv", text)], &[flag, "eval_zorp"])["best"]["step"], step);
    }
    run.write("history.csv", "step,zorp\n1,0.5\n2,0.8\n");
    let ended = best(run.root(), "", &[]);
    assert!(ended.err.contains("no figures of evaluations at several steps"), "{ended:?}");
}

#[test]
fn refusals_of_best_and_progress_are_in_the_language_asked_for() {
    let none = Directory::of([("config.yaml", "lr: 1\n")]);
    let run = run(&[(10, 0.5), (20, 0.6)], 50);
    run.write("eval_step_30/summary.json", "{\"datasets\": {\"exam\": {\"accuracy\": 0.7}}}");
    for (path, command, expected) in [
        (none.root(), "best", "中没有多个步数或轮次的评测结果"),
        (run.root(), "best", "有多个数值都可以作为选择依据"),
        (none.root(), "progress", "中没有随步数记录的指标"),
    ] {
        let ended = reportgen([command, path.to_str().expect("UTF-8"), "--lang", "zh"]);
        assert!(ended.status > 0 && ended.err.contains(expected), "{ended:?}");
    }
}

#[test]
fn a_checkpoint_whose_percentage_no_count_gives_says_why_nothing_is_judged() {
    let directory = Directory::new();
    for (step, value) in [(10, "39.2%"), (20, "70.5%"), (30, "71.0%")] {
        let text = json!({ "datasets": { "quiz": { "accuracy": value, "n": 200 } } });
        directory.write(format!("eval_step_{step}/summary.json"), text.to_string());
    }
    let report = data(directory.root(), "");
    assert_eq!(report["best"]["not_judged"], json!([10]), "{}", report["best"]);
    assert!(codes(&report).contains(&"R130"), "{:?}", codes(&report));
}
