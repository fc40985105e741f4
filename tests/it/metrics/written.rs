//! What is written, and read again.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use super::{OUTCOMES, file};
use crate::command::{self, reportgen};
use crate::directory::Directory;
use crate::report::{cell, count, number, text};

/// Verdict, p and samples of a metric as `compare` gives them.
fn compared(runs: &[String; 2], metric: &str) -> (String, f64, u64) {
    let report = command::compared(runs, &[]);
    let cell = cell(&report, metric);
    let verdict = text(cell, "verdict").to_owned();
    (verdict, number(&cell["test"]["p"]), count(&cell["candidate"]["n"]))
}

/// Measures the records of two arms; gives the directories that were written.
fn measured(directory: &Directory, arms: [&str; 2]) -> [String; 2] {
    [0, 1].map(|arm| {
        let (file, out) = (["a.jsonl", "b.jsonl"][arm], directory.word(["a-out", "b-out"][arm]));
        directory.write(file, arms[arm]);
        let named = format!("s={}", directory.word(file));
        assert_eq!(reportgen(["metrics", "--dataset", &named, "-o", &out]).status, 0);
        out
    })
}

#[test]
fn several_answers_are_no_more_certain_when_they_are_read_back() {
    for answers in [1, 4, 20] {
        let records = |right: u64, vary: u64| {
            let mut lines = String::new();
            for id in 0..50_u64 {
                for answer in 0..answers {
                    let accepted = (id * 7 + answer * vary) % 50 < right;
                    let kind = if accepted { "success" } else { "wrong_answer" };
                    writeln!(lines, "{{\"problem_id\":\"{id}\",\"dataset\":\"s\",\"accepted\":{accepted},\"error_type\":\"{kind}\"}}").expect("written");
                }
            }
            lines
        };
        for vary in [0, 3] {
            let directory = Directory::new();
            let runs = measured(&directory, [&records(20, vary), &records(27, vary)]);
            let (verdict, p, n) = compared(&runs, "accepted_at_1");
            assert_eq!((verdict.as_str(), n), ("inconclusive", 50), "{answers} {vary}");
            let raw = ["a.jsonl", "b.jsonl"].map(|name| directory.word(name));
            let (_, of_raw, n) = compared(&raw, "accepted_at_1");
            assert_eq!(n, 50);
            assert!(p >= of_raw, "{answers} {vary}: {p:?} {of_raw:?}");
        }
    }
}

#[test]
fn a_field_that_some_records_lack_takes_the_verdict_of_its_metric_alone() {
    let records = |right: u64| {
        let mut lines = String::new();
        for id in 0..400_u64 {
            let tokens = if id % 9 == 0 { String::new() } else { format!(",\"gen_tokens\":{id}") };
            let accepted = id < right;
            let kind = if accepted { "success" } else { "wrong_answer" };
            writeln!(
                lines,
                "{{\"id\":{id},\"accepted\":{accepted},\"error_type\":\"{kind}\"{tokens}}}"
            )
            .expect("written");
        }
        lines
    };
    let directory = Directory::new();
    let runs = measured(&directory, [&records(100), &records(300)]);
    assert_eq!(compared(&runs, "accepted_at_1").0, "better");
    let text = command::compared(&runs, &["--lang", "en"]).to_string();
    assert!(text.contains("s/avg_gen_tokens: a-out has 355 of 400 planned"), "{text}");
}

#[test]
fn a_later_run_adds_to_the_same_step_and_takes_away_the_logs_of_another() {
    let directory = Directory::new();
    let log = |name: &str| directory.path(format!("out/qa_logs/{name}_qa.jsonl"));
    let has = |name: &str| directory.read("out/summary.json").contains(&format!("\"{name}\""));
    for (name, step, there) in [
        ("one", 500, &["one", "mine"][..]),
        ("two", 500, &["one", "two", "mine"]),
        ("one", 500, &["one", "two", "mine"]),
        ("three", 1000, &["three", "mine"]),
    ] {
        directory.write("set.jsonl", format!("{{\"id\":1,\"accepted\":true,\"step\":{step}}}\n"));
        let named = format!("{name}={}", directory.word("set.jsonl"));
        let ended = reportgen(["metrics", "--dataset", &named, "-o", &directory.word("out")]);
        assert_eq!(ended.status, 0, "{name}: {}", ended.err);
        directory.write("out/qa_logs/mine_qa.jsonl", "{}");
        for one in ["one", "two", "three", "mine"] {
            assert_eq!(log(one).exists(), there.contains(&one), "{one} after {name}");
            assert_eq!(has(one), there.contains(&one) && one != "mine", "{one} after {name}");
        }
        for file in ["metrics.json", "qa_logs/qa_summary.json"] {
            let text = directory.read(format!("out/{file}"));
            assert_eq!(text.contains("two"), there.contains(&"two"), "{file} after {name}");
        }
    }
}

#[test]
fn what_is_written_is_read_back_and_intervals_are_no_metrics() {
    let directory = Directory::new();
    let out = directory.word("out");
    let valid = format!("{OUTCOMES}/valid.jsonl");
    let ended = reportgen(["metrics", &valid, "-o", &out, "--format", "md,html,json,csv"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(directory.read("out/summary.json").contains("interval"), "intervals are written");
    let seen = reportgen(["inspect", &out]).out;
    let figure =
        "codecontests_valid/exec_success_rate [step=500] = 0.7948717948717948  (n=117, higher)";
    assert!(seen.contains(figure), "{seen}");
    for own in ["report.json", "report.csv", "codecontests_valid_qa.jsonl", "qa_summary.json"] {
        let line = seen.lines().find(|line| line.contains(own)).expect(own);
        assert!(line.contains("ignored"), "{line}");
    }
    assert!(!seen.contains("interval") && !seen.contains("samples:"), "{seen}");
    assert_eq!(seen.matches("exec_success_rate").count(), 1, "{seen}");
    let report = command::compared(&[&out, &out], &[]);
    assert_eq!(cell(&report, "exec_success_rate")["baseline"]["n"], 117, "{report}");
}

#[test]
fn figures_on_fewer_records_are_read_back_with_their_own_n() {
    let mut lines = String::from("{\"id\":0,\"accepted\":false}\n");
    for number in 1..21 {
        let kind = if number % 2 == 0 { "timeout" } else { "success" };
        let accepted = kind == "success";
        writeln!(lines, r#"{{"id":{number},"accepted":{accepted},"error_type":"{kind}"}}"#)
            .expect("written");
    }
    let (directory, path) = file("set.jsonl", lines);
    let out = directory.word("out");
    assert_eq!(reportgen(["metrics", &path, "-o", &out]).status, 0);
    fs::remove_file(directory.path("out/metrics.json")).expect("removed");
    let seen = reportgen(["inspect", &out]).out;
    assert!(seen.contains("set/exec_success_rate = 0.5  (n=20, higher)"), "{seen}");
    assert!(seen.contains("(n=21, higher)"), "{seen}");
}

#[test]
fn results_of_others_and_the_samples_are_not_overwritten() {
    let [samples, log] = ["set.jsonl", "out/qa_logs/set_qa.jsonl"];
    let record = "{\"id\":1,\"accepted\":true}\n";
    let of_others = ("summary.json", "{\"datasets\":{}}");
    let directory = Directory::of([of_others, (samples, record), (log, record)]);
    for (file, out) in [(samples, ""), (log, "out")] {
        let words = [file, out].map(|below| directory.word(below));
        let ended = reportgen(["metrics", &words[0], "-o", &words[1]]);
        assert_eq!(ended.status, 2, "{ended:?}");
    }
    assert_eq!(directory.read("summary.json"), of_others.1);
    assert_eq!(directory.read(log), record);
}

#[test]
fn names_of_datasets_do_not_leave_the_directory() {
    let (directory, path) = file(
        "set.jsonl",
        "{\"id\":1,\"accepted\":true,\"dataset\":\"../../A/b\"}\n{\"id\":1,\"accepted\":true,\"dataset\":\"..?..?A?B\"}\n",
    );
    assert_eq!(reportgen(["metrics", &path, "-o", &directory.word("out")]).status, 0);
    let mut names: Vec<String> = fs::read_dir(directory.path("out/qa_logs"))
        .expect("listed")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["_.._a_b-2_qa.jsonl", "_.._a_b_qa.jsonl", "qa_summary.json"]);
}

#[test]
fn a_log_is_valid_json_with_the_text_as_it_was_written() {
    let record = r#"{"problem_id":"p\u00e9","prompt":"a\nb \"c\"","response":"中\ud83d\ude00","accepted":false,"error_type":"NameError","judge_time":NaN,"stderr":"x","extra":{"step":5,"source":"web"}}"#;
    let (directory, path) = file("set.jsonl", record);
    assert_eq!(reportgen(["metrics", &path, "-o", &directory.word("out")]).status, 0);
    let log = directory.read("out/qa_logs/set_qa.jsonl");
    assert!(log.contains(r#""prompt":"a\nb \"c\"","response":"中\ud83d\ude00""#), "{log}");
    let line: Value = serde_json::from_str(&log).expect("one line of JSON");
    assert_eq!(line["problem_id"], "pé");
    assert_eq!((&line["error_type"], &line["accepted"]), (&"runtime_error".into(), &false.into()));
    let extra = &line["extra"];
    for (name, value) in [
        ("step", Value::from(5)),
        ("stderr", "x".into()),
        ("original_source", "web".into()),
        ("original_error_type", "NameError".into()),
        ("stratum", "runtime_error".into()),
        ("source", format!("{path}:1").into()),
    ] {
        assert_eq!(extra[name], value, "{name}");
    }
}
