//! `reportgen metrics`: what is counted, what is written, and that memory and order play no part.

mod endings;
mod written;

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::Value;

use crate::command::{Ended, json, program, reportgen};
use crate::difference::assert_same;
use crate::directory::Directory;
use crate::report::{self, findings, list};

const OUTCOMES: &str = "fixtures/outcomes";

fn metrics(arguments: &[&str]) -> Ended {
    let own = ["metrics", "--lang", "en", "--format", "json"].iter().chain(arguments);
    reportgen(own.copied())
}

/// A file of that name in a directory of its own.
fn file(name: &str, content: impl AsRef<[u8]>) -> (Directory, String) {
    let directory = Directory::of([(name, content)]);
    let path = directory.word(name);
    (directory, path)
}

/// The report on these records, which are JSON lines.
fn of_records(lines: &str) -> Value {
    let (_directory, path) = file("set.jsonl", lines);
    let ended = metrics(&[&path]);
    assert_eq!(ended.status, 0, "{ended:?}");
    json(&ended)
}

fn figure<'v>(report: &'v Value, metric: &str) -> &'v Value {
    let figures = list(&report["datasets"][0], "metrics");
    figures.iter().find(|one| one["metric"] == metric).expect(metric)
}

/// The codes of the findings, each once, in alphabetical order.
fn codes(report: &Value) -> Vec<&str> {
    let mut codes = report::codes(report);
    codes.sort_unstable();
    codes.dedup();
    codes
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

#[test]
fn choices_that_cannot_be_meant_are_told() {
    let (directory, path) = file("set.jsonl", r#"{"id":1,"accepted":true}"#);
    for (text, status) in [
        ("[metrics.qa.default]\ntotal = 7\nper_type = 2", 2),
        ("[[metrics]]\nmax_tokens = 7", 2),
        ("[metrics]\nmax_tokens = 0", 2),
        ("[metrics.qa]\nleave_out = [\"sucess\"]\n[metrics.qa.dataset.nope]\ntotal = 7", 0),
    ] {
        directory.write("reportgen.toml", text);
        let ended = metrics(&[&path, "--config", &directory.word("reportgen.toml")]);
        assert_eq!(ended.status, status, "{text}");
        if status == 0 {
            let report = json(&ended);
            assert_eq!(report::codes(&report), ["R114"; 2], "{report}");
        }
    }
    assert_eq!(metrics(&[&path, "--max-tokens", "0"]).status, 2);
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
    let places: Vec<(&str, u64)> = findings(&report)
        .iter()
        .filter_map(|one| Some((one["code"].as_str()?, one["location"]["line"].as_u64()?)))
        .collect();
    for place in [("R462", 4), ("R463", 5), ("R465", 9), ("R467", 7), ("R468", 2), ("R461", 11)] {
        assert!(places.contains(&place), "{place:?} {places:?}");
    }
}

#[test]
fn records_of_several_runs_are_told_by_the_column_that_says_so() {
    let told = |first: &str, second: &str, dataset: &str| {
        let lines = format!(
            "{{\"id\":1,\"accepted\":true,{first}}}\n{{\"id\":1,\"accepted\":false,{second}{dataset}}}\n",
        );
        let (_directory, path) = file("set.jsonl", lines);
        metrics(&[&path]).err
    };
    for (first, second, column) in [
        ("\"model\":\"base\"", "\"model\":\"tuned\"", "model: base, tuned"),
        ("\"epoch\":1", "\"epoch\":2", "epoch: 1, 2"),
        ("\"checkpoint\":\"step_1\"", "\"checkpoint\":\"step_2\"", "checkpoint: step_1, step_2"),
        ("\"kl_beta\":0.1", "\"kl_beta\":0.2", "kl_beta: 0.1, 0.2"),
        ("\"shot\":1", "\"shot\":5", "shot: 1, 5"),
        ("\"arm\":\"a\"", "\"arm\":\"b\"", "arm: a, b"),
    ] {
        let err = told(first, second, "");
        assert!(err.contains("R470") && err.contains(column), "{column}: {err}");
        assert!(!told(first, first, "").contains("R470"), "{column}");
        assert!(!told(first, second, ",\"dataset\":\"other\"").contains("R470"), "{column}");
    }
    assert!(!told("\"seed\":1", "\"seed\":2", "").contains("R470"), "seeds repeat");
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
fn spellings_of_a_dataset_are_one_and_logs_in_a_directory_are_left_out() {
    let (directory, path) = file(
        "set.jsonl",
        "{\"id\":1,\"accepted\":true,\"dataset\":\"MBPP_reg\",\"timestamp\":1000}\n\
         {\"id\":2,\"accepted\":false,\"error_type\":\"WA\",\"dataset\":\"mbpp_reg\",\"timestamp\":1004}\n",
    );
    directory.write("other_qa.jsonl", "{\"id\":1,\"accepted\":true}\n");
    let report = json(&metrics(&[&directory.word("")]));
    assert_eq!(list(&report, "datasets").len(), 1);
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
        let ended = program.output().expect("runs");
        assert_eq!(ended.status.code(), Some(0), "{ended:?}");
        String::from_utf8(ended.stdout).expect("UTF-8")
    };
    assert_same(&run("1"), &run("4"));
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
            let ended = reportgen(["metrics", &path, "-o", &directory.word("out"), "--seed", "3"]);
            assert_eq!(ended.status, 0);
            let log = directory.read("out/qa_logs/set_qa.jsonl");
            let ids: Vec<String> = log.lines().map(|line| {
                let line: Value = serde_json::from_str(line).expect("JSON");
                line["problem_id"].to_string()
            }).collect();
            (ids, directory.read("out/summary.json"))
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
