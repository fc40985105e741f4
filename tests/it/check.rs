//! `reportgen check`: whether runs may be compared, with and without results.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::command::{Ended, json, reportgen};
use crate::directory::Directory;
use crate::report::{self, list};

/// Runs the command on the runs `a` and `b` of a directory.
fn check(runs: &Directory, arguments: &[&str]) -> Ended {
    let own = ["check", "--lang", "en", "--format", "json", "--config"];
    let named = ["reportgen.toml", "a", "b"].map(|run| runs.word(run));
    let named = named.iter().map(String::as_str);
    reportgen(own.into_iter().chain(named).chain(arguments.iter().copied()))
}

const SLOW: (&str, &str) = ("a/config.yaml", "lr: 0.1\nseed: 1\n");
const FAST: (&str, &str) = ("b/config.yaml", "lr: 0.3\nseed: 1\n");
const NONE: (&str, &str) = ("reportgen.toml", "");

fn codes(report: &Value) -> BTreeSet<&str> {
    report::codes(report).into_iter().collect()
}

#[test]
fn runs_without_results_are_checked_and_what_is_not_there_yet_is_no_finding() {
    let samples = "{\"id\": 1, \"acc\": 1}\n{\"id\": 2, \"acc\": 0}\n";
    for further in [&[][..], &[("a/out.jsonl", samples)], &[("b/out.jsonl", samples)]] {
        let runs = Directory::of([&[NONE, SLOW, FAST], further].concat());
        let ended = check(&runs, &["--vary", "lr"]);
        assert_eq!(ended.status, 0, "{}", ended.err);
        let report = json(&ended);
        assert_eq!(report["kind"], "check");
        assert_eq!(report["comparability"]["grade"], "as-declared");
        assert_eq!(codes(&report), BTreeSet::new(), "{further:?}");
        assert_eq!(report["comparisons"].as_array().map(Vec::len), Some(0));
    }
}

#[test]
fn results_that_share_nothing_are_found_where_both_runs_have_some() {
    let other = ("b/metrics.json", "{\"f1\": 0.5}");
    let runs = Directory::of([NONE, SLOW, FAST, ("a/metrics.json", "{\"accuracy\": 0.5}"), other]);
    let ended = check(&runs, &["--vary", "lr"]);
    assert_eq!(ended.status, 3, "{}", ended.err);
    assert!(report::codes(&json(&ended)).contains(&"R219"), "{}", ended.err);
}

#[test]
fn the_status_is_the_answer_unless_only_a_report_is_wanted() {
    let warmer = ("b/config.yaml", "lr: 0.3\nseed: 1\ntemperature: 1\n");
    let runs =
        Directory::of([NONE, ("a/config.yaml", "lr: 0.1\nseed: 1\ntemperature: 0\n"), warmer]);
    for (arguments, status) in [
        (&["--vary", "lr"][..], 3),
        (&["--vary", "lr,temperature"], 0),
        (&["--vary", "lr", "--report-only"], 0),
        (&["--vary", "lr,temperature,seed"], 0),
        (&["--vary", "lr,temperature,seed", "--fail-on", "warning"], 1),
        (&["--vary", "lr", "--fail-on", "warning"], 3),
        (&["--format", "csv"], 2),
        (&["--alpha", "0.1"], 2),
    ] {
        let ended = check(&runs, arguments);
        assert_eq!(ended.status, status, "{arguments:?}: {}", ended.err);
    }
}

#[test]
fn gates_of_the_configuration_file_are_for_comparisons() {
    let runs = Directory::of([("reportgen.toml", "fail_on = [\"missing\"]\n"), SLOW, FAST]);
    let report = json(&check(&runs, &["--vary", "lr"]));
    let names: Vec<&Value> = list(&report, "gates").iter().map(|gate| &gate["name"]).collect();
    assert_eq!(names, ["mismatch"]);
}

#[test]
fn a_check_finds_what_a_comparison_finds() {
    let runs = ["fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12"];
    let options = ["--vary", "kl_beta", "--format", "json"];
    let of = |command| json(&reportgen([command].into_iter().chain(runs).chain(options)));
    let (checked, compared) = (of("check"), of("compare"));
    assert_eq!(checked["comparability"], compared["comparability"]);
    // What printed figures can stand for is a question of statistics.
    let of_figures = BTreeSet::from(["R131"]);
    assert_eq!(&codes(&compared) - &of_figures, codes(&checked));
    assert!(codes(&checked).contains("R217"), "{:?}", codes(&checked));
}
