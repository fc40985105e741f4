//! `reportgen quality`: what ends it, and that threads and blocks cannot be seen.

use serde_json::Value;
use tempfile::TempDir;

use crate::command::{Ended, json, reportgen, write_file};

fn quality(words: &[&str]) -> Ended {
    reportgen(std::iter::once("quality").chain(words.iter().copied()))
}

fn path<'a>(directory: &'a TempDir, name: &str, content: &str) -> &'a str {
    write_file(&directory.path().join(name), content);
    directory.path().to_str().expect("UTF-8")
}

#[test]
fn a_pattern_that_cannot_be_used_ends_with_status_2_and_its_line() {
    let directory = tempfile::tempdir().expect("a directory");
    let run = path(&directory, "train.log", "hello\n");
    let own = directory.path().join("own.toml");
    write_file(&own, "\n[[pattern]]\nmatch = \"score\"\nmeans = \"score\"\n");
    let ended = quality(&[run, "--patterns", own.to_str().expect("UTF-8")]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("own.toml` line 2"), "{}", ended.err);
}

#[test]
fn an_empty_run_and_one_that_does_not_exist_end_with_status_4() {
    let directory = tempfile::tempdir().expect("a directory");
    let empty = directory.path().to_str().expect("UTF-8");
    assert_eq!(quality(&[empty]).status, 4);
    assert_eq!(quality(&["no/such/run"]).status, 4);
}

#[test]
fn an_empty_log_is_read_and_says_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let run = path(&directory, "train.log", "");
    let ended = quality(&[run, "--format", "json"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    let report: Value = json(&ended);
    let run = &report["runs"][0];
    assert_eq!(run["errors"]["total"], 0);
    assert_eq!(run["success"], Value::Null);
    assert_eq!(run["logs"][0]["lines"], 0);
}

#[test]
fn a_copy_of_a_log_does_not_count_twice_and_credentials_are_masked() {
    let directory = tempfile::tempdir().expect("a directory");
    let log = "ValueError: request with api_key=sk-abcdefabcdefabcdefabcdef0123 failed\n";
    path(&directory, "train.log", log);
    let run = path(&directory, "nohup.out", log);
    let ended = quality(&[run, "--format", "json", "--lang", "en"]);
    let report: Value = json(&ended);
    assert_eq!(report["runs"][0]["errors"]["total"], 1);
    assert!(!ended.out.contains("abcdefabcdef"), "{}", ended.out);
    assert!(ended.err.contains("R407") || ended.err.is_empty(), "{}", ended.err);
}

#[test]
fn several_runs_are_told_one_after_another() {
    let [a, b] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
    let one = path(&a, "train.log", "ValueError: x\n");
    let other = path(&b, "train.log", "all is well\n");
    let ended = quality(&[one, other, "--lang", "en"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    for run in [one, other] {
        assert!(ended.out.contains(&format!("## Errors · {run}")), "{}", ended.out);
    }
}
