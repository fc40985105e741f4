//! How the ending of a record is read, and what follows from it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{codes, figure, file, metrics, of_records};
use crate::command;
use crate::difference::assert_same;
use crate::directory::Directory;

/// Fails with every record whose only ending is of another kind than is said here.
#[track_caller]
fn assert_kinds(rows: &[(&str, &str)]) {
    let kind_of = |record: &str| {
        let report = of_records(record);
        let kinds = report["datasets"][0]["error_distribution"].as_object().expect("kinds").clone();
        let found = kinds.into_iter().filter(|(_, count)| *count == 1);
        found.map(|(kind, _)| kind).collect::<Vec<_>>().join(", ")
    };
    let line = |(record, kind): (&str, &str)| format!("{kind}: {record}\n");
    let expected: Vec<String> = rows.iter().copied().map(line).collect();
    let found = rows.iter().map(|(record, _)| line((record, &kind_of(record))));
    assert_same(&expected.concat(), &found.collect::<Vec<_>>().concat());
}

#[test]
fn a_name_is_read_as_the_kind_it_means() {
    assert_kinds(&[
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
    ]);
}

#[test]
fn what_only_says_that_the_program_ran_leaves_the_answer_to_the_verdict() {
    assert_kinds(&[
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
    ]);
}

#[test]
fn names_as_other_producers_write_them_are_known() {
    assert_kinds(&[
        (r#"{"id":1,"error_type":"通过"}"#, "success"),
        (r#"{"id":1,"error_type":"执行成功但输出不匹配","accepted":false}"#, "wrong_answer"),
        (r#"{"id":1,"error_type":"API 调用失败：超时"}"#, "api_error"),
        (r#"{"id":1,"error_type":"语法错误"}"#, "syntax_error"),
        (r#"{"id":1,"error_type":"subprocess.TimeoutExpired: x"}"#, "timeout"),
        (r#"{"id":1,"error_type":"Runtime Error (NZEC)"}"#, "runtime_error"),
        (r#"{"id":1,"error_type":"MemoryLimitExceeded"}"#, "memory_limit_exceeded"),
    ]);
}

#[test]
fn what_passed_ran_and_an_unknown_name_is_a_kind_of_its_own() {
    assert_kinds(&[
        (r#"{"id":1,"error_type":"mystery","accepted":true}"#, "success"),
        (r#"{"id":1,"error_type":"json.decoder.JSONDecodeError: x"}"#, "jsondecodeerror"),
    ]);
}

#[test]
fn raw_results_of_a_program_tell_its_ending() {
    assert_kinds(&[
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
    ]);
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
    let percent = |value: f64| json!({ "value": value, "unit": "percent" });
    assert_eq!((&found["least"], &found["most"]), (&percent(80.0), &percent(100.0)));
    assert_eq!(found["kinds"], json!([{ "name": "foofault", "value": 2 }]));
}

#[test]
fn a_kind_can_be_declared() {
    let (directory, path) = file("set.jsonl", r#"{"id":1,"error_type":"OLE"}"#);
    let declared = |text: &str| {
        directory.write("reportgen.toml", text);
        metrics(&[&path, "--config", &directory.word("reportgen.toml")])
    };
    for (text, kind, code) in [
        ("[metrics.error_types]\nruntime_error = [\"ole\"]", "runtime_error", &[][..]),
        ("[metrics.error_types]\noutput = [\"ole\"]", "output", &[]),
        ("", "ole", &["R462"]),
    ] {
        let report = command::json(&declared(text));
        assert_eq!(report["datasets"][0]["error_distribution"][kind], 1, "{text}");
        assert_eq!(codes(&report), code, "{text}");
    }
    assert_eq!(declared("[metrics.error_type]\n").status, 2);
}

/// 100 answers: 40 right, 57 wrong, and 3 requests that failed, from `failed` on.
fn with_failed_requests(failed: usize) -> String {
    (0..100).fold(String::new(), |mut lines, at| {
        let is_failed = (failed..failed + 3).contains(&at);
        let error = match (is_failed, (at * 7) % 97 < 41 && !is_failed) {
            (true, _) => "api_error",
            (false, true) => "success",
            (false, false) => "wrong_answer",
        };
        let record = json!({
            "dataset": "code", "id": at, "accepted": error == "success", "error_type": error,
        });
        writeln!(lines, "{record}").expect("written");
        lines
    })
}

#[test]
fn a_failed_request_lowers_the_whole_arms_share_alike_in_compare_and_metrics() {
    let [mine, theirs] = [with_failed_requests(10), with_failed_requests(60)];
    let right = |lines: &str| lines.matches("success").count();
    let directory = Directory::of([("a.jsonl", &mine), ("b.jsonl", &theirs)]);
    let compared = command::compare(&[directory.word("a.jsonl"), directory.word("b.jsonl")], &[]);
    for (file, lines) in [("a.jsonl", &mine), ("b.jsonl", &theirs)] {
        let share = format!("{}.0%", right(lines));
        let metrics = command::reportgen(["metrics", &directory.word(file)]);
        command::assert_said(&metrics.out, &[&format!("{share} ({}/100)", right(lines))]);
        command::assert_said(&compared.out, &[&format!("{share}; paired ")]);
    }
    command::assert_said(&compared.out, &["(n=94/100)", "failed requests count as wrong answers"]);
}
