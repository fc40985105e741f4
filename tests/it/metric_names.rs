//! What the user declares with `[[metric]]` holds for every name in every kind of file and flag.

use std::collections::BTreeMap;

use reportgen::model::MetricNames;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{json as report_of, reportgen};
use crate::directory::write_file;

/// Two runs with a configuration of their own.
struct Bench {
    directory: TempDir,
}

impl Bench {
    fn new(config: &str, file: &str, [a, b]: [String; 2]) -> Self {
        let bench = Self { directory: tempfile::tempdir().expect("a directory") };
        write_file(&bench.directory.path().join("reportgen.toml"), config);
        for (run, text) in [("a", a), ("b", b)] {
            write_file(&bench.directory.path().join(run).join(file), text);
        }
        bench
    }

    fn report(&self, flags: &[&str]) -> Value {
        let path = |name: &str| self.directory.path().join(name).display().to_string();
        let [a, b, config] = ["a", "b", "reportgen.toml"].map(path);
        let words = ["compare", &a, &b, "--config", &config, "--format", "json"];
        report_of(&reportgen(words.iter().chain(flags).copied()))
    }
}

/// The verdict on each metric.
fn verdicts(report: &Value) -> BTreeMap<&str, &str> {
    let rows = report["comparisons"].as_array().expect("comparisons");
    rows.iter().map(|row| (text(&row["metric"]), text(&row["verdict"]))).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn codes(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().map(|finding| text(&finding["code"])).collect()
}

fn entry(names: &[&str], direction: &str) -> String {
    format!("[[metric]]\nnames = {names:?}\ndirection = \"{direction}\"\n")
}

/// 31.0 % and 70.5 % of 200 answers under one name of a table.
fn shares(name: &str) -> [String; 2] {
    [62, 141].map(|right| {
        let row = |i| format!("q{i},{}\n", u8::from(i < right));
        format!("id,{name}\n") + &(0..200).map(row).collect::<String>()
    })
}

#[test]
fn a_direction_declared_for_any_shipped_name_decides_the_verdict() {
    let aliases: Vec<&str> = MetricNames::shipped_names().collect();
    assert!(aliases.len() > 50, "{}", aliases.len());
    for (direction, verdict) in [("lower", "worse"), ("higher", "better")] {
        let config: String = aliases.iter().map(|name| entry(&[name], direction)).collect();
        let figures = |value: f64| {
            let figure = |name: &&str| {
                ((*name).to_owned(), json!({ "value": value, "n": 1000, "stderr": 0.01 }))
            };
            let figures: serde_json::Map<String, Value> = aliases.iter().map(figure).collect();
            Value::Object(figures).to_string()
        };
        let bench = Bench::new(&config, "metrics.json", [0.31, 0.705].map(figures));
        let report = bench.report(&[]);
        let found = verdicts(&report);
        for name in &aliases {
            assert_eq!(found.get(name), Some(&verdict), "{name} declared {direction}");
        }
    }
}

#[test]
fn an_alias_in_a_table_of_samples_has_the_direction_that_the_user_declares() {
    for (listed, file_name, name) in [
        (&["acc"][..], "acc", "acc"),
        (&["accuracy"], "acc", "accuracy"),
        (&["accuracy"], "accuracy", "accuracy"),
        (&["vqa_accuracy", "正确率"], "正确率", "vqa_accuracy"),
        (&["solved", "my_score"], "my_score", "solved"),
        (&["solved", "accepted"], "accepted", "solved"),
    ] {
        for (direction, verdict) in [("lower", "worse"), ("higher", "better")] {
            let bench = Bench::new(&entry(listed, direction), "quiz.csv", shares(file_name));
            let report = bench.report(&[]);
            assert_eq!(verdicts(&report), BTreeMap::from([(name, verdict)]), "{listed:?}");
            assert!(!codes(&report).contains(&"R124"), "{listed:?}");
        }
    }
}

#[test]
fn a_margin_may_use_any_name_of_the_metric() {
    let config = entry(&["solved", "my_score"], "higher") + "unit = \"fraction\"\n";
    let bench = Bench::new(&config, "quiz.csv", shares("my_score"));
    for name in ["solved", "my_score", "MY_SCORE"] {
        let report = bench.report(&["--margin", &format!("{name}=2pp")]);
        assert!(!codes(&report).contains(&"R225"), "{name}");
        assert_eq!(report["comparisons"][0]["noninferiority"]["margin"], 2.0, "{name}");
    }
}

#[test]
fn names_that_no_run_has_are_told_with_the_nearest_that_there_are() {
    let config = entry(&["acuracy"], "lower") + "[margins]\naccurracy = 1.0\n";
    let bench = Bench::new(&config, "quiz.csv", shares("accuracy"));
    write_file(&bench.directory.path().join("a/config.yaml"), "trainer:\n  kl_beta: 0.1\n");
    let report = bench.report(&["--vary", "kl_bta"]);
    let findings = report["findings"].as_array().expect("findings");
    for (code, near) in [("R124", "accuracy"), ("R225", "accuracy"), ("R204", "trainer.kl_beta")] {
        let finding = findings.iter().find(|one| one["code"] == code);
        assert_eq!(finding.expect(code)["evidence"]["near"], json!([near]));
    }
}

#[test]
fn every_kind_of_report_tells_of_declared_names_that_no_run_has() {
    let config = entry(&["acuracy"], "lower") + "[margins]\naccurracy = 1.0\n";
    let bench = Bench::new(&config, "quiz.csv", shares("accuracy"));
    let [a, b, file] = ["a", "b", "reportgen.toml"]
        .map(|name| bench.directory.path().join(name).display().to_string());
    let told = |words: &[&str]| {
        let report = report_of(&reportgen(
            words.iter().chain(&["--config", &file, "--format", "json"]).copied(),
        ));
        let key = if report["findings"].is_array() { "findings" } else { "diagnostics" };
        let findings = report[key].as_array().expect("findings").iter();
        findings.map(|one| text(&one["code"]).to_owned()).collect::<Vec<_>>()
    };
    for (words, expected) in [
        (&["check", &a, &b][..], &["R124", "R225"][..]),
        (&["quality", &a], &["R124"]),
        (&["progress", &a], &["R124"]),
    ] {
        write_file(&bench.directory.path().join("a/metrics.csv"), "step,loss\n1,2.0\n2,1.0\n");
        let codes = told(words);
        for code in expected {
            assert!(codes.iter().any(|found| found == code), "{words:?}: {codes:?}");
        }
    }
    // Before an evaluation nobody can say which metrics there will be.
    for run in ["a", "b"] {
        std::fs::remove_file(bench.directory.path().join(run).join("quiz.csv")).expect("a file");
        write_file(&bench.directory.path().join(run).join("config.yaml"), "lr: 0.1\n");
    }
    let codes = told(&["check", &a, &b]);
    assert!(!codes.iter().any(|code| ["R124", "R225"].contains(&code.as_str())), "{codes:?}");
}

#[test]
fn an_acceptance_may_use_any_name_of_the_metric() {
    let config = entry(&["mine", "acc"], "higher") + "unit = \"fraction\"\noutcomes = true\n";
    // No whole number of 44 is 57.0%.
    let figures = ["57.0%", "50.0%"].map(|share| json!({ "acc": share, "n": 44 }).to_string());
    let bench = Bench::new(&config, "metrics.json", figures);
    for (subject, covers) in [("acc", true), ("MINE", true), ("accuracy", false)] {
        let report = bench.report(&["--accept", &format!("R130:{subject}")]);
        assert!(codes(&report).contains(&"R130"));
        assert_eq!(!codes(&report).contains(&"R291"), covers, "{subject}");
    }
}
