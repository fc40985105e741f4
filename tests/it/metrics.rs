//! `reportgen metrics`: what is counted, what is written, and that memory and order play no part.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::{Ended, json, program, reportgen, write_file};

const OUTCOMES: &str = "fixtures/outcomes";

fn metrics(arguments: &[&str]) -> Ended {
    let own = ["metrics", "--lang", "en", "--format", "json"].iter().chain(arguments);
    reportgen(own.copied())
}

/// The records in a file of that name, as JSON lines.
fn file(name: &str, content: impl AsRef<[u8]>) -> (TempDir, String) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    write_file(&path, content);
    let path = path.to_str().expect("UTF-8").to_owned();
    (directory, path)
}

fn of_records(lines: &str) -> Value {
    let (_directory, path) = file("set.jsonl", lines);
    let ended = metrics(&[&path]);
    assert_eq!(ended.status, 0, "{ended:?}");
    json(&ended)
}

fn figure<'v>(report: &'v Value, metric: &str) -> &'v Value {
    let figures = report["datasets"][0]["metrics"].as_array().expect("metrics");
    figures.iter().find(|one| one["metric"] == metric).expect(metric)
}

fn codes(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().expect("findings");
    let mut codes: Vec<&str> =
        findings.iter().map(|one| one["code"].as_str().expect("a code")).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[test]
fn the_kind_of_ending_is_read_from_names_and_from_raw_results() {
    for (record, kind) in [
        (r#"{"id":1,"error_type":"syntax_error"}"#, "syntax_error"),
        (r#"{"id":1,"error_type":"IndentationError"}"#, "syntax_error"),
        (
            r#"{"id":1,"error_type":"builtins.NameError: name 'x' is not defined and more"}"#,
            "runtime_error",
        ),
        (r#"{"id":1,"error_type":"Time Limit Exceeded"}"#, "timeout"),
        (r#"{"id":1,"error_type":"超时"}"#, "timeout"),
        (r#"{"id":1,"error_type":"API failure"}"#, "api_error"),
        (r#"{"id":1,"error_type":"WA","accepted":false}"#, "wrong_answer"),
        (r#"{"id":1,"error_type":"mystery"}"#, "mystery"),
        // What only says that the program ran leaves the answer to `accepted` and `pass_ratio`.
        (r#"{"id":1,"error_type":"none","accepted":false}"#, "wrong_answer"),
        (r#"{"id":1,"error_type":"ok","pass_ratio":0.5}"#, "wrong_answer"),
        (r#"{"id":1,"error_type":"none","accepted":true}"#, "success"),
        (r#"{"id":1,"error_type":null,"accepted":true}"#, "success"),
        (r#"{"id":1,"accepted":true}"#, "success"),
        (r#"{"id":1,"accepted":false}"#, "unknown"),
        (r#"{"id":1,"error_type":"none"}"#, "executed"),
        (r#"{"id":1,"run_result":{"status":"Finished","return_code":0,"stderr":""}}"#, "executed"),
        (
            r#"{"id":1,"tests":[{"exec_info":{"run_result":{"return_code":0}}},{"passed":true}]}"#,
            "executed",
        ),
        // Names as other producers write them.
        (r#"{"id":1,"error_type":"通过"}"#, "success"),
        (r#"{"id":1,"error_type":"执行成功但输出不匹配","accepted":false}"#, "wrong_answer"),
        (r#"{"id":1,"error_type":"API 调用失败：超时"}"#, "api_error"),
        (r#"{"id":1,"error_type":"语法错误"}"#, "syntax_error"),
        (r#"{"id":1,"error_type":"subprocess.TimeoutExpired: x"}"#, "timeout"),
        (r#"{"id":1,"error_type":"Runtime Error (NZEC)"}"#, "runtime_error"),
        (r#"{"id":1,"error_type":"MemoryLimitExceeded"}"#, "memory_limit_exceeded"),
        // What passed ran, whatever its ending is called; else the name is the kind.
        (r#"{"id":1,"error_type":"mystery","accepted":true}"#, "success"),
        (r#"{"id":1,"error_type":"json.decoder.JSONDecodeError: x"}"#, "jsondecodeerror"),
        (r#"{"id":1,"passed":false,"result":"failed: name 'x' is not defined"}"#, "runtime_error"),
        (r#"{"id":1,"passed":false,"result":"failed: 3 is not 4"}"#, "unknown"),
        (r#"{"id":1,"status":"SandboxError","accepted":false}"#, "api_error"),
        (
            r#"{"id":1,"accepted":false,"status":"Failed","run_result":{"status":"TimeLimitExceeded"}}"#,
            "timeout",
        ),
        (
            r#"{"id":1,"accepted":false,"sandbox_result":{"run_result":{"status":"Finished","return_code":1,"stderr":"Traceback\n  File\nTabError: x\n"}}}"#,
            "syntax_error",
        ),
        (
            r#"{"id":1,"accepted":false,"compile_result":{"status":"Finished","return_code":1,"stderr":"x"}}"#,
            "syntax_error",
        ),
        (
            r#"{"id":1,"accepted":false,"run_result":{"status":"Finished","return_code":1,"stderr":"Traceback\nKeyError: 'SyntaxError'"}}"#,
            "runtime_error",
        ),
        (
            r#"{"id":1,"accepted":false,"run_result":{"status":"Finished","return_code":0,"stderr":""}}"#,
            "wrong_answer",
        ),
        (
            r#"{"id":1,"accepted":false,"tests":[{"passed":true},{"passed":false,"exec_info":{"run_result":{"status":"Finished","return_code":0}}}]}"#,
            "wrong_answer",
        ),
        (
            r#"{"id":1,"accepted":false,"tests":[{"passed":true},{"passed":false,"exec_info":{"run_result":{"status":"Finished","return_code":1,"stderr":"TypeError: x"}}}]}"#,
            "runtime_error",
        ),
        (r#"{"id":1,"passed":false,"result":"timed out"}"#, "timeout"),
    ] {
        let report = of_records(record);
        let kinds = report["datasets"][0]["error_distribution"].as_object().expect("kinds");
        let found: Vec<&String> =
            kinds.iter().filter(|(_, count)| **count == 1).map(|(kind, _)| kind).collect();
        assert_eq!(found, [kind], "{record}");
    }
}

#[test]
fn where_only_success_is_told_no_rate_of_endings_is() {
    let report = of_records("{\"id\":1,\"accepted\":true}\n{\"id\":2,\"accepted\":false}\n");
    let exec = figure(&report, "exec_success_rate");
    assert_eq!((&exec["value"], &exec["method"]), (&Value::Null, &"unknown-endings".into()));
    assert_eq!(figure(&report, "accepted_at_1")["value"], 0.5);
    assert_eq!(codes(&report), ["R463"]);
}

#[test]
fn a_program_that_ran_without_a_verdict_is_executed_and_no_wrong_answer() {
    let ran = r#"{"id":1,"run_result":{"status":"Finished","return_code":0,"stderr":""}}"#;
    let failed = r#"{"id":2,"run_result":{"return_code":1,"stderr":"NameError: x"}}"#;
    let report = of_records(&format!("{ran}\n{}\n{failed}\n", ran.replace(":1,", ":3,")));
    let exec = figure(&report, "exec_success_rate");
    assert_eq!((&exec["count"], &exec["n"]), (&2.into(), &3.into()));
    for metric in ["accepted_at_1", "wrong_answer_rate"] {
        assert_eq!(figure(&report, metric)["value"], Value::Null, "{metric}");
    }
    assert_eq!(figure(&report, "runtime_error_rate")["count"], 1);
    assert_eq!(codes(&report), [""; 0]);
}

#[test]
fn names_that_no_list_has_are_one_kind_each_and_unknown_endings() {
    let mut lines = String::new();
    for id in 0..10 {
        let kind = if id < 2 { format!("FooFault: at {id}") } else { "success".to_owned() };
        writeln!(lines, "{{\"id\":{id},\"error_type\":\"{kind}\"}}").expect("written");
    }
    let report = of_records(&lines);
    assert_eq!(report["datasets"][0]["error_distribution"]["foofault"], 2);
    assert_eq!(figure(&report, "exec_success_rate")["value"], Value::Null);
    assert_eq!(figure(&report, "foofault_rate")["value"], 0.2);
    let found = &report["findings"][0]["evidence"];
    assert_eq!((&found["least"], &found["most"]), (&"80.0%".into(), &"100.0%".into()));
}

#[test]
fn failed_requests_count_in_rates_and_not_in_means_of_answers() {
    let report = of_records(concat!(
        "{\"id\":1,\"accepted\":true,\"error_type\":\"success\",\"pass_ratio\":1,\"gen_tokens\":40}\n",
        "{\"id\":2,\"accepted\":false,\"error_type\":\"api_error\",\"pass_ratio\":0,\"gen_tokens\":0}\n",
        "{\"id\":3,\"accepted\":false,\"error_type\":\"api_error\",\"pass_ratio\":0,\"gen_tokens\":0}\n",
    ));
    let accepted = figure(&report, "accepted_at_1");
    assert_eq!((&accepted["count"], &accepted["n"]), (&1.into(), &3.into()));
    for (metric, value) in [("pass_ratio_mean", 1.0), ("avg_gen_tokens", 40.0)] {
        let found = figure(&report, metric);
        assert_eq!((&found["value"], &found["n"]), (&value.into(), &1.into()), "{metric}");
    }
}

/// The verdict and p of a metric as `compare` gives them.
fn compared(baseline: &str, candidate: &str, metric: &str) -> (String, Option<f64>, u64) {
    let report = json(&reportgen(["compare", baseline, candidate, "--format", "json"]));
    let cells = report["comparisons"].as_array().expect("comparisons");
    let cell = cells.iter().find(|cell| cell["metric"] == metric).expect(metric);
    let verdict = cell["verdict"].as_str().expect("a verdict").to_owned();
    (verdict, cell["test"]["p"].as_f64(), cell["candidate"]["n"].as_u64().unwrap_or(0))
}

/// Measures the records of two arms; gives the directories that were written.
fn measured(directory: &TempDir, arms: [&str; 2]) -> [String; 2] {
    ["a", "b"].map(|arm| {
        let place = |name: &str| directory.path().join(name).to_str().expect("UTF-8").to_owned();
        let (file, out) = (place(&format!("{arm}.jsonl")), place(&format!("{arm}-out")));
        write_file(Path::new(&file), arms[usize::from(arm == "b")]);
        let named = format!("s={file}");
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
            let directory = tempfile::tempdir().expect("a directory");
            let [a, b] = measured(&directory, [&records(20, vary), &records(27, vary)]);
            let (verdict, p, n) = compared(&a, &b, "accepted_at_1");
            assert_eq!((verdict.as_str(), n), ("inconclusive", 50), "{answers} {vary}");
            let raw = ["a.jsonl", "b.jsonl"].map(|name| directory.path().join(name));
            let [a, b] = raw.each_ref().map(|path| path.to_str().expect("UTF-8"));
            let (_, of_raw, n) = compared(a, b, "accepted_at_1");
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
    let directory = tempfile::tempdir().expect("a directory");
    let [a, b] = measured(&directory, [&records(100), &records(300)]);
    assert_eq!(compared(&a, &b, "accepted_at_1").0, "better");
    let report = json(&reportgen(["compare", &a, &b, "--format", "json", "--lang", "en"]));
    let text = report.to_string();
    assert!(text.contains("s/avg_gen_tokens: a-out has 355 of the 400"), "{text}");
}

#[test]
fn a_later_run_takes_away_the_logs_of_the_former_and_nothing_else() {
    let (directory, path) = file("set.jsonl", r#"{"id":1,"accepted":true}"#);
    let out = directory.path().join("out");
    for name in ["one", "two"] {
        let named = format!("{name}={path}");
        let ended = reportgen(["metrics", "--dataset", &named, "-o", out.to_str().expect("UTF-8")]);
        assert_eq!(ended.status, 0);
        write_file(&out.join("qa_logs/mine_qa.jsonl"), "{}");
    }
    for (name, is_there) in [("one", false), ("two", true), ("mine", true)] {
        assert_eq!(out.join(format!("qa_logs/{name}_qa.jsonl")).exists(), is_there, "{name}");
    }
}

#[test]
fn choices_that_cannot_be_meant_are_told() {
    let (directory, path) = file("set.jsonl", r#"{"id":1,"accepted":true}"#);
    let config = directory.path().join("reportgen.toml");
    for (text, status) in [
        ("[metrics.qa.default]\ntotal = 7\nper_type = 2", 2),
        ("[[metrics]]\nmax_tokens = 7", 2),
        ("[metrics]\nmax_tokens = 0", 2),
        ("[metrics.qa]\nleave_out = [\"sucess\"]\n[metrics.qa.dataset.nope]\ntotal = 7", 0),
    ] {
        write_file(&config, text);
        let ended = metrics(&[&path, "--config", config.to_str().expect("UTF-8")]);
        assert_eq!(ended.status, status, "{text}");
        if status == 0 {
            let report = json(&ended);
            let found = report["findings"].as_array().expect("findings").iter();
            assert_eq!(found.filter(|one| one["code"] == "R114").count(), 2, "{report}");
        }
    }
    assert_eq!(metrics(&[&path, "--max-tokens", "0"]).status, 2);
}

#[test]
fn a_kind_can_be_declared() {
    let (directory, path) = file("set.jsonl", r#"{"id":1,"error_type":"OLE"}"#);
    let config = directory.path().join("reportgen.toml");
    for (text, kind, code) in [
        ("[metrics.error_types]\nruntime_error = [\"ole\"]", "runtime_error", &[][..]),
        ("[metrics.error_types]\noutput = [\"ole\"]", "output", &[]),
        ("", "ole", &["R462"]),
    ] {
        write_file(&config, text);
        let report = json(&metrics(&[&path, "--config", config.to_str().expect("UTF-8")]));
        assert_eq!(report["datasets"][0]["error_distribution"][kind], 1, "{text}");
        assert_eq!(codes(&report), code, "{text}");
    }
    write_file(&config, "[metrics.error_type]\n");
    assert_eq!(metrics(&[&path, "--config", config.to_str().expect("UTF-8")]).status, 2);
}

#[test]
fn figures_agree_with_a_table_made_by_hand() {
    let report = json(&metrics(&[
        &format!("{OUTCOMES}/valid.jsonl"),
        "--wall-clock",
        "codecontests_valid=120",
        "--max-tokens",
        "2048",
    ]));
    // 6 + 12 + 6 failures, 64 wrong answers and 29 successes of 117. Wilson's limits by statsmodels
    // 0.15.0, proportion_confint(93, 117, method="wilson").
    let exec = figure(&report, "exec_success_rate");
    assert_eq!((&exec["count"], &exec["n"]), (&93.into(), &117.into()));
    let limit = |at: usize| exec["ci"][at].as_f64().expect("a limit");
    assert!((limit(0) - 0.712_895_538_955).abs() < 1e-12, "{}", limit(0));
    assert!((limit(1) - 0.858_100_546_936).abs() < 1e-12, "{}", limit(1));
    for (metric, value) in [
        ("accepted_at_1", 29.0 / 117.0),
        ("throughput", 117.0 / 120.0),
        ("truncation_rate", 3.0 / 117.0),
    ] {
        assert_eq!(figure(&report, metric)["value"], value, "{metric}");
    }
    assert_eq!(codes(&report), [""; 0]);
}

#[test]
fn every_fault_of_a_file_is_told_and_costs_nothing_else() {
    let ended = metrics(&[&format!("{OUTCOMES}/broken.jsonl")]);
    let report = json(&ended);
    assert_eq!(ended.status, 0);
    assert_eq!(report["datasets"][0]["n"], 9);
    let expected =
        ["R102", "R103", "R157", "R461", "R462", "R463", "R464", "R465", "R466", "R467", "R468"];
    assert_eq!(codes(&report), expected);
    let places: Vec<(&str, u64)> = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter_map(|one| Some((one["code"].as_str()?, one["location"]["line"].as_u64()?)))
        .collect();
    for place in [("R462", 4), ("R463", 5), ("R465", 9), ("R467", 7), ("R468", 2), ("R461", 11)] {
        assert!(places.contains(&place), "{place:?} {places:?}");
    }
}

#[test]
fn files_without_outcomes_are_named() {
    for (name, content, status, code) in [
        ("a.jsonl", "", 4, "R113"),
        ("a.jsonl", "{\"prompt\": \"x\"}\n", 4, "R474"),
        ("a.json", "[{\"id\": 1, \"accepted\": true}]", 4, "R460"),
        ("a.csv", "id,accepted\n1,1\n", 4, "R460"),
        ("codecontests_qa.jsonl", "{\"id\":1,\"accepted\":true}\n", 0, "R471"),
        (
            "a.jsonl",
            "{\"id\":1,\"accepted\":true,\"step\":1}\n{\"id\":2,\"accepted\":true,\"step\":2}\n",
            0,
            "R470",
        ),
    ] {
        let (_directory, path) = file(name, content);
        let ended = metrics(&[&path]);
        assert_eq!(ended.status, status, "{ended:?}");
        assert!(ended.err.contains(&format!("[{code}]")), "{code}: {}", ended.err);
    }
    assert_eq!(metrics(&["fixtures/no_such_file.jsonl"]).status, 4);
    let clock = metrics(&[&format!("{OUTCOMES}/valid.jsonl"), "--wall-clock", "vaild=3"]);
    assert_eq!(clock.status, 2, "{clock:?}");
}

#[test]
fn names_without_end_and_values_without_end_stay_bounded() {
    let mut lines = String::new();
    for number in 0..70_000 {
        let kind = if number < 40 { format!("kind{number}") } else { "timeout".to_owned() };
        let time = 1.0 + f64::from(number) / 7.0;
        writeln!(lines, r#"{{"id":{number},"error_type":"{kind}","judge_time":{time}}}"#)
            .expect("written");
    }
    let report = of_records(&lines);
    assert_eq!(codes(&report), ["R462", "R472", "R473"]);
    let kinds = report["datasets"][0]["error_distribution"].as_object().expect("kinds");
    let all: u64 = kinds.values().map(|count| count.as_u64().expect("a count")).sum();
    assert_eq!(all, 70_000);
}

#[test]
fn what_is_written_is_read_back_and_intervals_are_no_metrics() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let valid = format!("{OUTCOMES}/valid.jsonl");
    let ended = reportgen(["metrics", &valid, "-o", out, "--format", "md,html,json,csv"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let seen = reportgen(["inspect", out]).out;
    let figure =
        "codecontests_valid/exec_success_rate [step=500] = 0.7948717948717948  (n=117, higher)";
    assert!(seen.contains(figure), "{seen}");
    for own in ["report.json", "report.csv", "codecontests_valid_qa.jsonl", "qa_summary.json"] {
        let line = seen.lines().find(|line| line.contains(own)).expect(own);
        assert!(line.contains("ignored"), "{line}");
    }
    assert!(!seen.contains("interval") && !seen.contains("samples:"), "{seen}");
    assert_eq!(seen.matches("exec_success_rate").count(), 1, "{seen}");
    let compared = reportgen(["compare", out, out, "--format", "json"]);
    let report = json(&compared);
    let cell = report["comparisons"]
        .as_array()
        .expect("comparisons")
        .iter()
        .find(|one| one["metric"] == "exec_success_rate")
        .expect("a comparison");
    assert_eq!(cell["baseline"]["n"], 117, "{cell}");
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
    let out = directory.path().join("out");
    let out = out.to_str().expect("UTF-8");
    assert_eq!(reportgen(["metrics", &path, "-o", out]).status, 0);
    fs::remove_file(Path::new(out).join("metrics.json")).expect("removed");
    let seen = reportgen(["inspect", out]).out;
    assert!(seen.contains("set/exec_success_rate = 0.5  (n=20, higher)"), "{seen}");
    assert!(seen.contains("(n=21, higher)"), "{seen}");
}

#[test]
fn results_of_others_and_the_samples_are_not_overwritten() {
    let (directory, path) = file("summary.json", "{\"datasets\":{}}");
    let samples = directory.path().join("set.jsonl");
    write_file(&samples, "{\"id\":1,\"accepted\":true}\n");
    let own = directory.path().to_str().expect("UTF-8");
    let ended = reportgen(["metrics", samples.to_str().expect("UTF-8"), "-o", own]);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert_eq!(fs::read_to_string(path).expect("read"), "{\"datasets\":{}}");
    let log = directory.path().join("out/qa_logs/set_qa.jsonl");
    write_file(&log, "{\"id\":1,\"accepted\":true}\n");
    let out = directory.path().join("out");
    let ended =
        reportgen(["metrics", log.to_str().expect("UTF-8"), "-o", out.to_str().expect("UTF-8")]);
    assert_eq!(ended.status, 2, "{ended:?}");
}

#[test]
fn spellings_of_a_dataset_are_one_and_logs_in_a_directory_are_left_out() {
    let (directory, path) = file(
        "set.jsonl",
        "{\"id\":1,\"accepted\":true,\"dataset\":\"MBPP_reg\",\"timestamp\":1000}\n\
         {\"id\":2,\"accepted\":false,\"error_type\":\"WA\",\"dataset\":\"mbpp_reg\",\"timestamp\":1004}\n",
    );
    write_file(&directory.path().join("other_qa.jsonl"), "{\"id\":1,\"accepted\":true}\n");
    let report = json(&metrics(&[directory.path().to_str().expect("UTF-8")]));
    assert_eq!(report["datasets"].as_array().expect("datasets").len(), 1);
    assert_eq!(
        (&report["datasets"][0]["dataset"], &report["datasets"][0]["n"]),
        (&"MBPP_reg".into(), &2.into())
    );
    assert_eq!(codes(&report), ["R475"]);
    // One record less than there are was made between the first time and the last.
    assert_eq!(figure(&report, "throughput")["value"], 0.25);
    let named = json(&metrics(&["--dataset", &format!("other={path}")]));
    assert_eq!(named["datasets"][0]["dataset"], "other");
}

#[test]
fn names_of_datasets_do_not_leave_the_directory() {
    let (directory, path) = file(
        "set.jsonl",
        "{\"id\":1,\"accepted\":true,\"dataset\":\"../../A/b\"}\n{\"id\":1,\"accepted\":true,\"dataset\":\"..?..?A?B\"}\n",
    );
    let out = directory.path().join("out");
    assert_eq!(reportgen(["metrics", &path, "-o", out.to_str().expect("UTF-8")]).status, 0);
    let mut names: Vec<String> = fs::read_dir(out.join("qa_logs"))
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
    let out = directory.path().join("out");
    assert_eq!(reportgen(["metrics", &path, "-o", out.to_str().expect("UTF-8")]).status, 0);
    let log = fs::read_to_string(out.join("qa_logs/set_qa.jsonl")).expect("read");
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

#[test]
fn threads_cannot_be_seen() {
    let mut lines = String::new();
    for number in 0..6000_u64 {
        let ratio = (number * 7 % 11) as f64 / 10.0;
        let padding = "x".repeat(400);
        writeln!(lines, r#"{{"id":{number},"accepted":{},"pass_ratio":{ratio},"error_type":"{}","response":"{padding}"}}"#,
            ratio == 1.0, if ratio == 1.0 { "success" } else { "wrong_answer" }).expect("written");
    }
    let (_directory, path) = file("set.jsonl", lines);
    let run = |threads: &str| {
        let mut program = program();
        program.args(["metrics", &path, "--format", "json"]).env("RAYON_NUM_THREADS", threads);
        program.output().expect("runs").stdout
    };
    assert_eq!(run("1"), run("4"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_records_changes_no_figure_and_no_draw(
        order in Just((0..60_u64).collect::<Vec<_>>()).prop_shuffle()
    ) {
        let record = |number: &u64| {
            let kind = ["success", "wrong_answer", "timeout"][(*number % 3) as usize];
            format!("{{\"id\":{number},\"accepted\":{},\"error_type\":\"{kind}\",\"judge_time\":{}}}\n",
                kind == "success", 0.1 * *number as f64)
        };
        let drawn = |numbers: &[u64]| {
            let lines: String = numbers.iter().map(record).collect();
            let (directory, path) = file("set.jsonl", lines);
            let out = directory.path().join("out");
            let ended = reportgen(["metrics", &path, "-o", out.to_str().expect("UTF-8"), "--seed", "3"]);
            assert_eq!(ended.status, 0);
            let log = fs::read_to_string(out.join("qa_logs/set_qa.jsonl")).expect("read");
            let ids: Vec<String> = log.lines().map(|line| {
                let line: Value = serde_json::from_str(line).expect("JSON");
                line["problem_id"].to_string()
            }).collect();
            (ids, fs::read_to_string(out.join("summary.json")).expect("read"))
        };
        let sorted: Vec<u64> = (0..60).collect();
        prop_assert_eq!(drawn(&sorted), drawn(&order));
    }

    #[test]
    fn no_bytes_make_it_fail(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let (_directory, path) = file("set.jsonl", bytes);
        let ended = metrics(&[&path]);
        prop_assert!(matches!(ended.status, 0 | 4), "{:?}", ended);
    }
}
