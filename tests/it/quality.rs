//! `reportgen quality`: what ends it, and that threads and blocks cannot be seen.

use serde_json::Value;

use crate::command::{Ended, json, reportgen};
use crate::directory::Directory;
use crate::report::codes;

fn quality(words: &[&str]) -> Ended {
    reportgen(std::iter::once("quality").chain(words.iter().copied()))
}

#[test]
fn a_pattern_that_cannot_be_used_ends_with_status_2_and_its_line() {
    let pattern = ("own.toml", "\n[[pattern]]\nmatch = \"score\"\nmeans = \"score\"\n");
    let run = Directory::of([("train.log", "hello\n"), pattern]);
    let ended = quality(&[&run.word(""), "--patterns", &run.word("own.toml")]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("own.toml` line 2"), "{}", ended.err);
}

#[test]
fn an_empty_run_and_one_that_does_not_exist_end_with_status_4() {
    let run = Directory::new();
    assert_eq!(quality(&[&run.word("")]).status, 4);
    assert_eq!(quality(&["no/such/run"]).status, 4);
}

#[test]
fn an_empty_log_is_read_and_says_nothing() {
    let run = Directory::of([("train.log", "")]);
    let ended = quality(&[&run.word(""), "--format", "json"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    let report = json(&ended);
    let run = &report["runs"][0];
    assert_eq!(run["errors"]["total"], 0);
    assert_eq!(run["success"], Value::Null);
    assert_eq!(run["logs"][0]["lines"], 0);
}

#[test]
fn a_copy_of_a_log_does_not_count_twice_and_credentials_are_masked() {
    let log = "ValueError: request with api_key=sk-abcdefabcdefabcdefabcdef0123 failed\n";
    let run = Directory::of([("train.log", log), ("nohup.out", log)]);
    let ended = quality(&[&run.word(""), "--format", "json", "--lang", "en"]);
    let report = json(&ended);
    assert_eq!(report["runs"][0]["errors"]["total"], 1);
    assert_eq!(codes(&report), ["R407"], "{}", ended.err);
    assert!(ended.out.contains("api_key=•••"), "{}", ended.out);
    assert!(!ended.out.contains("abcdefabcdef"), "{}", ended.out);
}

#[test]
fn of_figures_of_a_log_only_nan_and_infinity_are_reported_unless_names_are_declared() {
    let log = "step 1 loss: 0.5 kl: nan\nstep 2 loss: 0.4\nstep 2 loss: 0.3\nERROR: x\nstep 3\n\n\
               loss: -inf kl: 0.1\n";
    let declaring = |name| format!("[[metric]]\nnames = [\"{name}\"]\ndirection = \"lower\"\n");
    for (declared, expected) in [
        (String::new(), &["R106"][..]),
        (declaring("loss"), &["R106", "R119"][..]),
        (declaring("reward"), &["R106", "R119", "R124"][..]),
    ] {
        let run = Directory::of([("train.log", log), ("reportgen.toml", declared.as_str())]);
        let config = run.word("reportgen.toml");
        let words = [&*run.word("train.log"), "--config", &config, "--format", "json"];
        let report = json(&quality(&words));
        let mut found = codes(&report);
        found.sort_unstable();
        assert_eq!(found, expected, "{declared}");
        let findings = report["findings"].as_array().expect("findings");
        let no_numbers = findings.iter().find(|finding| finding["code"] == "R106");
        assert_eq!(
            no_numbers.map(|found| &found["evidence"]["count"]),
            Some(&2.into()),
            "{declared}"
        );
        assert_eq!(report["runs"][0]["errors"]["total"], 1);
    }
}

#[test]
fn nan_is_found_far_down_and_in_colour() {
    let quiet = "nothing happens here\n".repeat(60_000);
    let log =
        format!("{quiet}step 1 loss: 0.1\n{quiet}step 2 loss: \u{1b}[31mnan\u{1b}[0m\n{quiet}");
    let run = Directory::of([("train.log", log.as_str()), ("nohup.out", "all is well\n")]);
    let report = json(&quality(&[&run.word(""), "--format", "json"]));
    assert_eq!(codes(&report), ["R106"]);
}

#[test]
fn equal_logs_of_a_directory_are_reported_once_however_many_runs_it_holds() {
    let table =
        "dataset,version,metric,mode,base-7b,tuned-7b\ngsm8k,1d7fe4,accuracy,gen,51.25,55.50\n";
    let step = |step| format!("step {step} loss: 0.{step}\n");
    let log: String = (0..30).map(step).collect();
    let logs = ["x/train.log", "y/train.log"].map(|name| (name, log.as_str()));
    let run = Directory::of([("oc/summary.csv", table), logs[0], logs[1]]);
    let told = |words: &[&str]| {
        let report = json(&quality(words));
        let found = codes(&report).into_iter().filter(|code| ["R159", "R407"].contains(code));
        found.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(told(&[&run.word(""), "--format", "json"]), ["R407"]);
    let [one, other] = [run.word("x"), run.word("y")];
    assert_eq!(told(&[&one, &other, "--format", "json"]), ["R159"]);
}

#[test]
fn several_runs_are_told_one_after_another() {
    let runs = ["ValueError: x\n", "all is well\n"].map(|log| Directory::of([("train.log", log)]));
    let [one, other] = runs.each_ref().map(|run| run.word(""));
    let ended = quality(&[&one, &other, "--lang", "en"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    for run in [one, other] {
        assert!(ended.out.contains(&format!("## Errors · {run}")), "{}", ended.out);
    }
}

#[test]
fn a_workflow_log_says_the_same_in_chinese_and_in_english() {
    let log = |right: &str, wrong: &str, fallback: &str| {
        [right, fallback, wrong, wrong, right, right]
            .map(|line| format!("2025-12-01 10:00:00 INFO {line}\n"))
            .concat()
    };
    let outcome = |log: String| {
        let run = Directory::of([("train.log", log)]);
        let report = json(&quality(&[&run.word(""), "--format", "json"]));
        let run = &report["runs"][0];
        [run["success"].clone(), run["chain"].clone()]
    };
    let chinese = log("✅ 正确性评分: 10.0/10.0", "❌ 正确性评分: 0.0/10.0", "使用Fallback工作流");
    let english =
        log("✅ score: 10.0/10.0", "❌ score: 0.0/10.0", "falling back to Fallback workflow");
    let expected = outcome(chinese);
    assert!(expected[0].is_object(), "{expected:?}");
    assert_eq!(outcome(english), expected);
}

#[test]
fn errors_are_drawn_step_by_step_the_frequent_kinds_by_themselves() {
    let page = reportgen([
        "quality",
        "fixtures/cases/quality_by_step/runs",
        "--lang",
        "en",
        "--format",
        "html",
    ])
    .out;
    let (_, chart) = page.split_once("<figcaption>Errors per step</figcaption>").expect("a chart");
    let (chart, _) = chart.split_once("</figure>").expect("its end");
    for expected in ["AttributeError: 2 (1), 3 (2), 4 (3)", "KeyError: 2 (1), 1 (2), 0 (3)"] {
        assert!(chart.contains(expected), "{expected}: {chart}");
    }
}
