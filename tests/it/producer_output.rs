//! What programs write where it is easily misread: figures of groups, last values of schedules, files that were cut
//! off or emptied. Each case is the least of what a producer wrote.

use serde_json::{Value, json};

use crate::command::{compared, reportgen};
use crate::directory::Directory;

type File = (&'static str, String);

/// The report of two runs of these files, without their common directory in any path.
fn report(a: &[File], b: &[File], more: &[&str]) -> Value {
    let runs = runs(a, b);
    compared(&[runs.word("a"), runs.word("b")], more)
}

fn runs(a: &[File], b: &[File]) -> Directory {
    let place = |run: &'static str| {
        move |(path, content): &File| (format!("{run}/{path}"), content.clone())
    };
    Directory::of(a.iter().map(place("a")).chain(b.iter().map(place("b"))))
}

fn codes(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().filter_map(|finding| finding["code"].as_str()).collect()
}

/// What `inspect` prints of a run of these files, on both streams.
fn inspected(files: &[File]) -> String {
    let run = Directory::of(files.iter().map(|(path, content)| (*path, content.clone())));
    let ended = reportgen(["inspect", &run.word("")]);
    format!("{}{}", ended.out, ended.err)
}

fn lines(records: impl IntoIterator<Item = Value>) -> String {
    let lines: Vec<String> = records.into_iter().map(|record| record.to_string()).collect();
    lines.join("\n") + "\n"
}

/// A log of Inspect AI with such scores.
fn inspect_log(status: &str, scores: &Value) -> String {
    let eval = json!({"eval_id": "e", "task": "quiz", "task_version": 0, "model": "m"});
    let results = json!({"total_samples": 30, "completed_samples": 30, "scores": scores});
    json!({"version": 2, "status": status, "eval": eval, "results": results}).to_string()
}

#[test]
fn a_figure_of_a_group_of_samples_has_not_the_size_of_all() {
    let figure = |name: &str, group: Value, value: f64| {
        let metric = json!({"type": "metric", "name": "accuracy", "params": {}});
        json!({"name": name, "group": group, "value": value,
            "params": {"metric": metric, "group_key": "topic"}})
    };
    let log = |first: f64| {
        let metrics = json!({
            "t0": figure("t0", json!("grouped"), first),
            "all": figure("all", json!("grouped"), 0.5),
        });
        let scores =
            json!([{"name": "gm", "scorer": "gm", "scored_samples": 30, "metrics": metrics}]);
        [("log.json", inspect_log("success", &scores))]
    };
    let found = report(&log(0.25), &log(0.75), &[]);
    let rows = found["comparisons"].as_array().expect("comparisons");
    let of = |metric: &str| rows.iter().find(|row| row["metric"] == metric).expect("a row");
    assert_eq!(
        (&of("gm/t0")["candidate"]["n"], &of("gm/all")["candidate"]["n"]),
        (&Value::Null, &json!(30))
    );
    assert_eq!(of("gm/t0")["verdict"], "not-assessable", "{found}");
}

#[test]
fn inspect_says_that_a_run_ended_before_its_aim_and_that_samples_failed() {
    let shown = inspected(&[("log.json", inspect_log("cancelled", &json!([])))]);
    assert!(shown.contains("ended before its aim: status: cancelled"), "{shown}");
    let samples = (0..3).map(|id| json!({"id": id, "error": {"message": "ConnectionError"}}));
    let log = inspect_log("success", &json!([]));
    let samples = Value::from(samples.collect::<Vec<_>>());
    let log = format!("{},\"samples\":{samples}}}", log.trim_end_matches('}').to_owned() + "}");
    let shown = inspected(&[("log.json", log)]);
    assert!(shown.contains("3 samples without a score\n      3 failed before"), "{shown}");
}

#[test]
fn the_last_value_of_a_schedule_is_no_setting_where_a_configuration_says_it() {
    let run = |set: &str, last: f64| {
        let metrics = json!({"lr": last, "val": {"accuracy": 0.5}, "step": 10}).to_string();
        [("dvclive/metrics.json", metrics), ("dvclive/params.yaml", format!("lr: {set}\n"))]
    };
    let alike = report(&run("0.001", 0.0004), &run("0.001", 0.0002), &[]);
    let set = [&alike["runs"][0]["config"]["lr"], &alike["runs"][1]["config"]["lr"]];
    assert_eq!(set, [&json!(0.001), &json!(0.001)], "{alike}");
    let varied = report(&run("0.001", 0.0), &run("0.002", 0.0), &["--vary", "lr"]);
    let found = codes(&varied);
    assert!(!found.contains(&"R203") && !found.contains(&"R201"), "{found:?}");
}

#[test]
fn curves_that_differ_at_every_point_are_not_said_to_agree() {
    let run = |accuracy: f64| {
        let point =
            |step: usize| json!({"step": step, "val_acc": accuracy, "loss": 2.5 / step as f64});
        [("log.jsonl", lines((1..=10).map(point)))]
    };
    for (other, is_said) in [(0.54, false), (0.5, true)] {
        let pair = runs(&run(0.5), &run(other));
        let shown = reportgen(["compare", &pair.word("a"), &pair.word("b")]).out;
        assert_eq!(shown.contains("may be one run twice"), is_said, "{other}: {shown}");
    }
}

#[test]
fn a_metric_that_both_runs_logged_once_is_compared_whatever_its_name() {
    let run = |value: f64| {
        let loss = (1..=5).map(|step| json!({"step": step, "loss": 1.0 / f64::from(step)}));
        [("log.jsonl", lines(loss.chain([json!({"step": 5, "mean_oddness": value})])))]
    };
    let found = report(&run(0.5), &run(0.75), &[]);
    let rows = found["comparisons"].as_array().expect("comparisons");
    let metrics: Vec<&Value> = rows.iter().map(|row| &row["metric"]).collect();
    assert_eq!(metrics, ["mean_oddness"], "{found}");
}

#[test]
fn reports_of_swe_bench_that_differ_in_what_failed_are_not_identical() {
    let run = |failed: &str, unresolved: &str, errors: usize| {
        let ids: Vec<String> = (0..30).map(|id| format!("a__a-{id}")).collect();
        let (resolved, others) = ids.split_at(15);
        let unresolved_ids = [others, &[unresolved.to_owned()]].concat();
        let report = json!({
            "total_instances": 30, "submitted_instances": 31, "completed_instances": 31 - errors,
            "resolved_instances": 15, "error_instances": errors, "resolved_ids": resolved,
            "unresolved_ids": unresolved_ids, "error_ids": [failed],
        });
        [("report.json", report.to_string())]
    };
    let grade = |report: &Value| report["comparability"]["grade"].clone();
    let same = run("b__b-1", "b__b-2", 1);
    assert_eq!(grade(&report(&same, &same, &[])), "identical");
    assert_ne!(grade(&report(&same, &run("b__b-2", "b__b-1", 2), &[])), "identical");
}

#[test]
fn solutions_of_evalplus_are_shown_beside_each_other() {
    let run = |status: &str, body: &str| {
        let solution = |id: usize| {
            let task = format!("HumanEval/{id}");
            let solution = json!({"task_id": task, "solution": format!("def f{id}(): {body}"),
                "base_status": status, "plus_status": status});
            (task, json!([solution, solution]))
        };
        let eval: serde_json::Map<String, Value> = (0..3).map(solution).collect();
        [("x_eval_results.json", json!({"date": "d", "hash": "h", "eval": eval}).to_string())]
    };
    let pair = runs(&run("fail", "pass  # before"), &run("pass", "return 1  # after"));
    let shown = reportgen(["samples", &pair.word("a"), &pair.word("b")]);
    assert!(shown.out.contains("before") && shown.out.contains("after"), "{}", shown.out);
    assert!(!shown.out.contains("R178"), "{}", shown.out);
}

#[test]
fn what_was_cut_off_or_emptied_is_told() {
    let curve = "step,loss\n1,0.5\n2,0.4x\n3,0.3\n";
    let monitor = "#{\"t_start\": 1.0, \"env_id\": \"E\"}\nr,l,t\n20.0,20,0.5\n31.0,3";
    for (path, content, told) in [
        ("0.monitor.csv", monitor, "R103"),
        ("train_metrics.csv", curve, "R110"),
        ("train_metrics.csv", "step,loss\n1,0.5\nx,0.4\n", "R110"),
        ("trainer_state.json", "", "could not be read"),
        ("evaluations.npz", "", "could not be read"),
        ("evaluations.npz", "PK\u{3}\u{4} cut off", "could not be read"),
        ("run-1.wandb", "", "could not be read"),
    ] {
        let shown =
            inspected(&[(path, content.to_owned()), ("metrics.json", "{\"acc\": 0.5}".to_owned())]);
        assert!(shown.contains(told), "{path} {content:?}: {shown}");
    }
    let shown = inspected(&[("0.monitor.csv", monitor.to_owned())]);
    assert!(shown.contains("episode_length  1 point"), "{shown}");
}

#[test]
fn nothing_is_told_of_what_a_producer_writes_by_design() {
    let blanks = "step,loss,note\n1,0.5,\n2,None,warm up\n3,-,\n4,0.3,done\n";
    for (path, content) in [
        ("files/wandb-summary.json", "{\"_wandb\": {\"runtime\": 0}}"),
        ("train_metrics.csv", blanks),
        ("plots/metrics/epoch.tsv", "step\tepoch\n1\t0\n2\t1\n"),
    ] {
        let shown =
            inspected(&[(path, content.to_owned()), ("metrics.json", "{\"acc\": 0.5}".to_owned())]);
        assert!(!shown.contains("warning") && !shown.contains("error"), "{path}: {shown}");
    }
}

#[test]
fn learning_rates_beside_figures_are_no_other_way_of_asking() {
    let run = |rate: &str| {
        let head = "| model | accuracy | learning_rate |\n|---|---|---|\n";
        let rows = (0..3).map(|row| format!("| m{row} | 0.{row}5 | {rate} |\n"));
        [("results.md", head.to_owned() + &rows.collect::<String>())]
    };
    let found = report(&run("1e-05"), &run("3e-05"), &[]);
    assert!(!codes(&found).contains(&"R200"), "{found}");
}

#[test]
fn the_commit_beside_the_files_of_a_run_is_its_own() {
    let run = |commit: &str| {
        let about = json!({"startedAt": "2026-11-28T20:50:00.2", "git": {"commit": commit}});
        let summary = "{\"acc\": 0.5}".to_owned();
        [("files/wandb-metadata.json", about.to_string()), ("files/wandb-summary.json", summary)]
    };
    let found = report(&run("aaaa"), &run("bbbb"), &[]);
    let provenance = &found["runs"][0]["provenance"];
    let known = (&provenance["commit"], &provenance["started"]);
    assert_eq!(known, (&json!("aaaa"), &json!("2026-11-28T20:50:00.2")));
    assert!(codes(&found).contains(&"R231"), "{found}");
}
