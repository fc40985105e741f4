//! What the user declares with `[[metric]]` holds for every name in every kind of file and flag.

use std::collections::BTreeMap;

use reportgen::model::{Direction, MetricNames, MetricRole, SpecOrigin};
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

/// The smallest value of a shipped metric, and how far values reach from there; 0 and 1 where that is open.
fn lowest_and_range(name: &str) -> (f64, f64) {
    let bounds = MetricNames::default().get(name).and_then(|spec| spec.bounds);
    let (lowest, highest) = bounds.unwrap_or((0.0, 1.0));
    let lowest = if lowest.is_finite() { lowest } else { highest.min(1.0) - 1.0 };
    (lowest, if highest.is_finite() { highest - lowest } else { 1.0 })
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
    // With accuracy in one file, these would have to be what it leaves of 1.
    let is_rest = |name: &&str| ["error_rate", "wrong_answer_rate"].contains(name);
    let aliases: Vec<&str> = MetricNames::shipped_names().filter(|name| !is_rest(name)).collect();
    assert!(aliases.len() > 50, "{}", aliases.len());
    for (direction, verdict) in [("lower", "worse"), ("higher", "better")] {
        let config: String = aliases.iter().map(|name| entry(&[name], direction)).collect();
        let figures = |share: f64| {
            let figure = |name: &&str| {
                // An entry keeps the shipped bounds.
                let (lowest, range) = lowest_and_range(name);
                let value = lowest + share * range;
                let figure = json!({ "value": value, "n": 1000, "stderr": 0.02 * range });
                ((*name).to_owned(), figure)
            };
            let figures: serde_json::Map<String, Value> = aliases.iter().map(figure).collect();
            Value::Object(figures).to_string()
        };
        let bench = Bench::new(&config, "metrics.json", [0.31, 0.705].map(figures));
        let report = bench.report(&[]);
        let found = verdicts(&report);
        for name in &aliases {
            let known = MetricNames::default().get(name).and_then(|spec| spec.role);
            let is_guard = known.is_some_and(|given| given.role == MetricRole::Guard);
            // A guard is never better.
            let expected = if is_guard && verdict == "better" { "inconclusive" } else { verdict };
            assert_eq!(found.get(name), Some(&expected), "{name} declared {direction}");
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
    let report = bench.report(&["--vary", "kl_bta", "--metric", "accuracyy"]);
    let findings = report["findings"].as_array().expect("findings");
    for (code, near) in [
        ("R124", "accuracy"),
        ("R125", "accuracy"),
        ("R225", "accuracy"),
        ("R204", "trainer.kl_beta"),
    ] {
        let finding = findings.iter().find(|one| one["code"] == code);
        assert_eq!(finding.expect(code)["evidence"]["near"], json!([near]));
    }
}

/// A margin under each name of each metric finds it, whether samples, figures or both have it.
#[test]
fn names_that_readers_know_are_aliases_everywhere() {
    let figures = |name: &str| {
        [62, 141].map(|right| format!("{{\"{name}\": {}, \"n\": 200}}", f64::from(right) / 200.0))
    };
    let of = |names: &[&str]| entry(names, "higher") + "unit = \"fraction\"\n";
    for (config, metric, flag) in [
        (String::new(), "accepted_at_1", "accepted=1pp"),
        (of(&["mine", "accepted_at_1"]), "mine", "accepted=1pp"),
        (of(&["mine", "accepted"]), "mine", "ACCEPTED=1pp"),
    ] {
        let both = Bench::new(&config, "quiz.csv", shares("accepted"));
        for (run, text) in ["a", "b"].into_iter().zip(figures("accepted")) {
            write_file(&both.directory.path().join(run).join("quiz/metrics.json"), &text);
        }
        for bench in [Bench::new(&config, "quiz.csv", shares("accepted")), both] {
            let report = bench.report(&["--margin", flag]);
            assert_eq!(verdicts(&report), BTreeMap::from([(metric, "better")]), "{config}");
            for code in ["R124", "R219", "R225"] {
                assert!(!codes(&report).contains(&code), "{code}: {config}");
            }
        }
    }
    let tokens = [300, 200].map(|tokens| {
        let row = |i| format!("{{\"id\": {i}, \"output_tokens\": {}}}\n", tokens + i);
        (0..50).map(row).collect::<String>()
    });
    let report = Bench::new("", "quiz.jsonl", tokens).report(&["--margin", "completion_tokens=5"]);
    assert_eq!(report["comparisons"][0]["metric"], "avg_gen_tokens");
    assert!(!codes(&report).contains(&"R225"));
}

/// Names that mean something else to readers are metrics where the user declares them.
#[test]
fn a_declared_name_is_a_metric_whatever_else_readers_take_it_for() {
    for name in ["truncated", "is_truncated", "error", "status", "answer", "label", "index"] {
        for (direction, verdict) in [("higher", "better"), ("lower", "worse")] {
            let config = entry(&[name], direction) + &entry(&["correct"], "higher");
            let samples = [62, 141].map(|right| {
                let row = |i| {
                    format!(
                        "{{\"id\": \"q{i}\", \"correct\": 1, \"{name}\": {}}}\n",
                        u8::from(i < right)
                    )
                };
                (0..200).map(row).collect::<String>()
            });
            let report = Bench::new(&config, "quiz.jsonl", samples).report(&[]);
            assert_eq!(verdicts(&report).get(name), Some(&verdict), "{name}");
            assert_eq!(verdicts(&report).get("truncation_rate"), None, "{name}");
            assert!(!codes(&report).contains(&"R124"), "{name}");
        }
    }
    for name in ["time", "timestamp", "acc_std", "acc_stderr"] {
        let config = entry(&[name], "lower");
        let figures =
            [3.0, 2.0].map(|value| json!({ "acc": 0.5, "n": 200, name: value }).to_string());
        let report = Bench::new(&config, "metrics.json", figures).report(&[]);
        assert!(verdicts(&report).contains_key(name), "{name}");
        assert!(!codes(&report).contains(&"R124"), "{name}");
    }
    // Texts are no figures, and the name is there all the same.
    let texts = ["a", "b"].map(|text| {
        let row =
            |i| format!("{{\"id\": \"q{i}\", \"correct\": {}, \"status\": \"{text}\"}}\n", i % 2);
        (0..50).map(row).collect::<String>()
    });
    let report = Bench::new(&entry(&["status"], "lower"), "quiz.jsonl", texts).report(&[]);
    assert_eq!(verdicts(&report).keys().collect::<Vec<_>>(), [&"correct"]);
    assert!(!codes(&report).contains(&"R124"));
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

#[test]
fn a_declared_name_is_no_size_and_a_declared_count_stays_one() {
    let declared =
        |name: &str, unit: &str| entry(&[name], "higher") + &format!("unit = \"{unit}\"\n");
    for (config, name, beside, values) in [
        (declared("total", "plain"), "total", json!({ "acc": 0.5 }), [8500.0, 9500.0]),
        (declared("count", "count"), "count", json!({ "acc": 0.5, "n": 10 }), [8500.0, 9500.0]),
        (declared("solved", "count"), "solved", json!({ "total": 100 }), [60.0, 90.0]),
        (declared("accepted", "plain"), "accepted", json!({ "total": 100 }), [60.0, 90.0]),
        (declared("solved", "fraction"), "solved", json!({ "total": 100 }), [0.6, 0.9]),
        (String::new(), "correct", json!({ "total": 100 }), [0.6, 0.9]),
    ] {
        for file in ["metrics.json", "summary.json"] {
            let figures = values.map(|value| {
                let written: f64 = if value < 1.0 { 100.0 * value } else { value };
                let mut figures = beside.clone();
                figures[name] = json!(written.round() as u64);
                match file {
                    "summary.json" => json!({ "datasets": { "quiz": figures } }).to_string(),
                    _ => figures.to_string(),
                }
            });
            let report = Bench::new(&config, file, figures).report(&[]);
            let rows = report["comparisons"].as_array().expect("comparisons");
            let row = rows.iter().find(|row| row["metric"] == name).expect(name);
            let found = ["baseline", "candidate"].map(|arm| row[arm]["value"].as_f64());
            assert_eq!(found, values.map(Some), "{name} of {file}");
            let acc = rows.iter().find(|row| row["metric"] == "accuracy");
            let n = acc.map(|row| row["baseline"]["n"].clone());
            assert!(n.is_none_or(|n| n == beside["n"]), "{name} of {file}");
        }
    }
}

/// 31.0 % and 70.5 %, as outcomes, as stated percentages and as a written fraction.
#[test]
fn values_and_differences_of_a_declared_percentage_have_one_scale() {
    let config = entry(&["solved"], "higher") + "unit = \"percent\"\n";
    let stated =
        |values: [f64; 2]| values.map(|value| json!({ "solved": value, "n": 200 }).to_string());
    let grid = [0.31, 0.705].map(|value| {
        json!({ "metric": "solved", "unit": "fraction", "axes": ["epoch"], "n_axis": "samples",
                "results": { "1": value } })
        .to_string()
    });
    let samples = Bench::new(&config, "quiz.csv", shares("solved"));
    let both = Bench::new(&config, "quiz.csv", shares("solved"));
    for (run, text) in ["a", "b"].into_iter().zip(stated([31.0, 70.5])) {
        write_file(&both.directory.path().join(run).join("quiz/metrics.json"), &text);
    }
    let figures = Bench::new(&config, "metrics.json", stated([31.0, 70.5]));
    let written = Bench::new(&config, "grid.json", grid);
    let twice = [62, 141].map(|right| {
        let row =
            |i: u32| format!("q{},{}\n", i % 200, u8::from((i + i / 200 * 100) % 200 < right));
        "id,solved\n".to_owned() + &(0..400).map(row).collect::<String>()
    });
    let answers = Bench::new(&config, "quiz.csv", twice);
    for (what, bench) in [
        ("samples", samples),
        ("both", both),
        ("figures", figures),
        ("grid", written),
        ("answers", answers),
    ] {
        let report = bench.report(&["--margin", "solved=2pp"]);
        assert!(!codes(&report).contains(&"R221"), "{what}");
        let rows = report["comparisons"].as_array().expect("comparisons");
        let rows: Vec<_> = rows.iter().filter(|row| row["metric"] == "solved").collect();
        assert_eq!(rows.len(), 1, "{what}");
        for row in rows {
            let share = |arm: &str| {
                let value = row[arm]["value"].as_f64().expect("a value");
                if row["unit"] == "percent" { value / 100.0 } else { value }
            };
            let near = |found: f64, expected: f64| (found - expected).abs() < 1e-9;
            assert!(
                near(share("baseline"), 0.31) && near(share("candidate"), 0.705),
                "{what}: {row}"
            );
            assert!(
                near(row["delta"]["absolute"].as_f64().expect("a difference"), 39.5),
                "{what}: {row}"
            );
        }
    }
}

#[test]
fn the_user_may_declare_any_shipped_name_and_takes_no_other_with_it() {
    let shipped = MetricNames::default();
    for alias in MetricNames::shipped_names() {
        let first = shipped.canonical(alias);
        let text = format!("[[metric]]\nnames = [{alias:?}]\ndirection = \"neutral\"");
        let names = MetricNames::declared_in(&text).expect("an entry");
        let spec = names.get(alias).expect("declared");
        let expected = (alias, Direction::Neutral, SpecOrigin::User);
        assert_eq!((&*spec.name, spec.direction, spec.origin), expected);
        if !first.eq_ignore_ascii_case(alias) {
            let origin = names.get(first).map(|spec| spec.origin);
            assert_eq!(origin, Some(SpecOrigin::Catalogue), "{first} of {alias}");
        }
    }
}

#[test]
fn the_user_says_whether_a_figure_is_a_mean_over_samples() {
    for (entry, pooled) in [
        ("names = [\"f1\"]", true),
        ("names = [\"f1\"]\ndirection = \"higher\"\nunit = \"fraction\"", true),
        ("names = [\"f1\"]\nmean_over_samples = true", false),
        ("names = [\"f1\"]\noutcomes = true", false),
        ("names = [\"accuracy\"]", false),
        ("names = [\"accuracy\"]\nmean_over_samples = false", true),
    ] {
        let names = MetricNames::declared_in(&format!("[[metric]]\n{entry}")).expect(entry);
        let known = names.declared().next().expect(entry);
        assert_eq!(known.pooled, pooled, "{entry}");
    }
    let shipped = MetricNames::default();
    for (name, pooled) in [("eval_f1", true), ("val/f1_max", true), ("qa_f1_score", false)] {
        assert_eq!(shipped.get(name).map(|spec| spec.pooled), Some(pooled), "{name}");
    }
}

#[test]
fn the_best_value_of_a_metric_has_its_direction_and_a_best_of_nothing_known_has_none() {
    let names = MetricNames::default();
    let direction = |name| names.get(name).map(|spec| spec.direction);
    assert_eq!(direction("best_acc"), Some(Direction::Higher));
    assert_eq!(direction("best_val_loss"), Some(Direction::Lower));
    assert_eq!(direction("best_of"), None);
    assert_eq!(direction("best_step"), None);
}
