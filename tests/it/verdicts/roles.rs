//! Roles of metrics: what is tested, among which tests, and what is only described.

use serde_json::{Value, json};

use super::Expected::{Gate, Holds, Raised, Silent, Status, Verdict};
use super::{Case, Files, Runs, both, case, cell, quiz};
use crate::cases::cases;
use crate::report::number;

// Of 40 samples seven become right: mid-p is 1/2⁷, 0.0078125.
cases![
    what_an_answer_costs_is_described = case(
        quiz(60, |arm, i| json!({ "correct": i < 30, "latency": 1 + 5 * arm + i % 3 })),
        &["--fail-on", "regression"],
        vec![
            Verdict("latency", "not-assessable"),
            Holds("latency", "/reason", json!("cost")),
            Holds("latency", "/role", json!("cost")),
            Holds("latency", "/role_origin", json!("catalogue")),
            Holds("latency", "/test/p_adjusted", Value::Null),
            Gate("regression", "pass"),
        ]
    ),
    what_the_user_asks_for_is_tested = case(
        quiz(60, |arm, i| json!({ "correct": i < 30, "latency": 1 + 5 * arm + i % 3 })),
        &["--metric", "latency", "--fail-on", "regression"],
        vec![
            Verdict("latency", "worse"),
            Holds("latency", "/role", json!("primary")),
            Holds("latency", "/role_origin", json!("user")),
            Holds("correct", "/role", json!("secondary")),
            Holds("correct", "/role_origin", json!("default")),
            Silent("R125"),
            Silent("R126"),
            Gate("regression", "fail"),
            Status(1),
        ]
    ),
    what_has_no_good_side_decides_nothing = case(
        quiz(60, |arm, i| json!({ "correct": i < 30, "kl": 1 + 5 * arm + i % 3 })),
        &["--metric", "kl"],
        vec![
            Raised("R126"),
            Holds("kl", "/role", json!("primary")),
            Holds("kl", "/reason", json!("neutral"))
        ]
    ),
    a_margin_guards_what_is_else_described = case(
        quiz(60, |arm, i| json!({ "correct": i < 30, "latency": 1 + 5 * arm + i % 3 })),
        &["--margin", "latency=1", "--fail-on", "regression"],
        vec![
            Verdict("latency", "worse"),
            Holds("latency", "/role", json!("guard")),
            Gate("regression", "fail"),
            Status(1),
        ]
    ),
    a_name_that_no_run_has_makes_nothing_primary = case(
        quiz(60, |arm, i| json!({ "correct": i < [20, 40][arm] })),
        &["--metric", "corect"],
        vec![
            Raised("R125"),
            Holds("correct", "/role", json!("secondary")),
            Verdict("correct", "better"),
        ]
    ),
    kinds_of_errors_take_nothing_from_the_metric_that_they_are_of = case(
        quiz(40, |arm, i| {
            let kind = ["timeout", "runtime_error", "wrong_answer"][(i + arm) % 3];
            let correct = i < [20, 27][arm];
            json!({ "correct": correct, "error_type": if correct { "success" } else { kind } })
        }),
        &[],
        vec![
            Verdict("correct", "better"),
            Holds("correct", "/test/p_adjusted", json!(0.007_812_5)),
            Holds("timeout_rate", "/reason", json!("breakdown")),
        ]
    ),
    a_metric_and_its_complement_count_once = case(
        quiz(40, |arm, i| {
            let correct = i < [20, 27][arm];
            json!({ "correct": correct, "error_rate": u8::from(!correct) })
        }),
        &["--metric", "correct", "--metric", "error_rate"],
        vec![
            Holds("correct", "/test/p_adjusted", json!(0.007_812_5)),
            Holds("error_rate", "/test/p_adjusted", json!(0.007_812_5)),
            Verdict("error_rate", "better"),
        ]
    ),
    a_metric_that_differs_from_the_complement_in_one_sample_counts = case(
        quiz(40, |arm, i| {
            let correct = i < [20, 27][arm];
            json!({ "correct": correct, "error_rate": u8::from(!correct && i != 39) })
        }),
        &["--metric", "correct", "--metric", "error_rate"],
        vec![
            Holds("correct", "/test/p_adjusted", json!(0.015_625)),
            Holds("error_rate", "/test/p_adjusted", json!(0.015_625)),
        ]
    ),
    stated_rates_that_sum_to_one_count_once = case(
        both(|arm| {
            let right = 0.5 + 0.125 * arm as f64;
            let stated = json!({ "accuracy": right, "error_rate": 1.0 - right, "n": 400 });
            vec![("metrics.json", stated.to_string())]
        }),
        &["--metric", "accuracy", "--metric", "error_rate"],
        vec![
            Holds("accuracy", "/test/family", json!("primary tests of this report, m=1, Holm")),
            Verdict("error_rate", "better"),
        ]
    ),
    a_rate_that_is_zero_throughout_costs_nothing = case(
        quiz(40, |arm, i| json!({ "correct": i < [20, 27][arm], "f1": 0 })),
        &["--metric", "correct", "--metric", "f1"],
        vec![
            Holds("correct", "/test/p_adjusted", json!(0.007_812_5)),
            Holds("correct", "/test/family", json!("primary tests of this report, m=1, Holm")),
            Verdict("f1", "identical"),
        ]
    ),
    a_rate_that_moves_costs_its_share = case(
        quiz(
            40,
            |arm, i| json!({ "correct": i < [20, 27][arm], "f1": u8::from((i + arm) % 5 == 0) })
        ),
        &["--metric", "correct", "--metric", "f1"],
        vec![Holds("correct", "/test/p_adjusted", json!(0.015_625))]
    ),
    a_small_secondary_difference_waits_for_the_primary_metric = case(
        quiz(40, |arm, i| json!({ "correct": i < 20, "f1": u8::from(i < [20, 27][arm]) })),
        &["--metric", "correct"],
        vec![Verdict("f1", "better")]
    ),
    beside_an_open_primary_metric_it_is_held_back = case(
        quiz(40, |arm, i| {
            json!({ "correct": u8::from((i + arm) % 5 < 2), "f1": u8::from(i < [20, 27][arm]) })
        }),
        &["--metric", "correct", "--fail-on", "regression"],
        vec![
            Verdict("correct", "inconclusive"),
            Verdict("f1", "inconclusive"),
            Holds("f1", "/reason", json!("after-primary")),
            Holds("f1", "/test/p_adjusted", json!(0.078_125)),
            Gate("regression", "inconclusive"),
        ]
    ),
    a_gross_secondary_difference_is_told_all_the_same = case(
        quiz(40, |arm, i| {
            json!({ "correct": u8::from((i + arm) % 5 < 2), "f1": u8::from(i < [35, 10][arm]) })
        }),
        &["--metric", "correct", "--fail-on", "regression"],
        vec![
            Verdict("correct", "inconclusive"),
            Verdict("f1", "worse"),
            Gate("regression", "fail"),
            Status(1)
        ]
    ),
    when_figures_were_written_is_no_result = case(
        quiz(40, |arm, i| json!({ "correct": i < [20, 27][arm], "tstamp": 10 * i + arm })),
        &[],
        vec![Verdict("correct", "better"), Silent("R219")]
    ),
];

/// A configuration that makes `f1` a guard.
const GUARD: &str = "[[metric]]\nnames = [\"f1\"]\nrole = \"guard\"\n";

#[test]
fn a_guard_can_be_worse_and_is_never_better() {
    for (right, verdict, reason, gate) in [
        ([20, 32], "inconclusive", json!("guard-held"), "pass"),
        ([32, 20], "worse", Value::Null, "fail"),
        ([32, 31], "inconclusive", json!("out-of-reach"), "inconclusive"),
    ] {
        let record = move |arm: usize, i: usize| json!({ "correct": i < 20, "f1": i < right[arm] });
        let runs = Runs::of(&quiz(40, record));
        runs.directory.write("reportgen.toml", GUARD);
        let config = runs.word("reportgen.toml");
        let report = runs.report(&["--config", &config, "--fail-on", "regression"]);
        let f1 = cell(&report, "f1");
        let found = (&f1["verdict"], &f1["reason"], &report["gates"][0]["outcome"]);
        assert_eq!(found, (&json!(verdict), &reason, &json!(gate)), "{right:?}: {f1:#}");
        assert_eq!((&f1["role"], &f1["direction"]), (&json!("guard"), &json!("higher")));
    }
}

#[test]
fn bookkeeping_is_in_no_table_and_a_line_says_so() {
    let runs = Runs::of(&quiz(
        40,
        |arm, i| json!({ "correct": i < [20, 27][arm], "tstamp": 10 * i + arm }),
    ));
    let report = runs.report(&[]);
    let metrics: Vec<&Value> = report["comparisons"]
        .as_array()
        .expect("comparisons")
        .iter()
        .map(|one| &one["metric"])
        .collect();
    assert_eq!(metrics, ["correct"]);
    assert_eq!(report["families"]["bookkeeping"], json!(["tstamp"]));
    let page = runs.compare(&["--format", "md", "--lang", "en"]).out;
    assert!(page.contains("Left out as bookkeeping: tstamp (1 metric)"), "{page}");
}

#[test]
fn a_report_of_several_families_says_one_rate_for_all_and_the_level_of_each() {
    let said = |others: fn(usize) -> Value, arguments: &[&str]| {
        let runs = Runs::of(&quiz(240, |arm, i| {
            let mut record = others(i + arm);
            record["dataset"] = json!(format!("d{}", i % 3));
            record["correct"] = json!((i * 7 + i / 9) % 10 < 5 + arm);
            record
        }));
        let page = runs.compare(&[&["--lang", "en", "--format", "md"], arguments].concat()).out;
        let rate = number(&runs.report(arguments)["families"]["error_rate"]);
        let line =
            page.lines().find(|line| line.contains("Chance of any false")).map(str::to_owned);
        (rate, line.unwrap_or_else(|| panic!("no rate in\n{page}")))
    };
    let (rate, line) = said(
        |i| json!({ "f1": (i % 9) as f64 / 10.0, "latency": 1 + i % 3 }),
        &["--metric", "correct", "--margin", "latency=1"],
    );
    assert!((rate - 0.08).abs() < 1e-12, "{rate}");
    for part in [
        "at most 8",
        "primary tests at 5",
        "guards, tested only for worse, at",
        "secondary tests at",
    ] {
        assert!(line.contains(part), "no `{part}` in {line}");
    }
    // Several datasets and their average are one family.
    let (rate, line) = said(|_| json!({}), &[]);
    assert!((rate - 0.05).abs() < 1e-12 && line.contains("at most 5"), "{rate}: {line}");
}

#[test]
fn the_rate_of_false_verdicts_names_what_the_files_cannot_show() {
    let conditions = |arms: &[Files; 2], arguments: &[&str]| {
        Runs::of(arms).report(arguments)["families"]["rate_conditions"].clone()
    };
    let passages = |gain: usize| {
        quiz(240, |arm, i| json!({ "passage": i / 4, "correct": (i / 4) % 10 < 5 + gain * arm }))
    };
    let stated = both(|arm| {
        let mean = json!({ "score": { "value": 3.1 + 0.4 * arm as f64, "stderr": 0.05 } });
        vec![("results.json", mean.to_string())]
    });
    assert_eq!(conditions(&passages(3), &["--cluster", "none"]), json!(["independent-samples"]));
    assert_eq!(conditions(&passages(3), &["--cluster", "passage"]), json!([]));
    assert_eq!(conditions(&passages(0), &["--cluster", "none"]), json!([]));
    assert_eq!(conditions(&stated, &["--higher", "score"]), json!(["stated-errors"]));

    let page =
        Runs::of(&stated).compare(&["--lang", "en", "--format", "md", "--higher", "score"]).out;
    assert!(page.contains("if the stated standard errors account for clusters"), "{page}");
}
