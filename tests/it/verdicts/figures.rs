//! Cases whose configurations, data files or aggregates mislead.

use serde_json::{Value, json};

use super::Expected::{Gate, Grade, Holds, Quiet, Raised, Silent, Status, Verdict};
use super::{Case, Files, Runs, both, case, cell, config, correct, finding, quiz, records, unmet};

pub(super) fn cases() -> Vec<Case> {
    [
        configurations(),
        aggregates(),
        disagreements(),
        other_names(),
        directions(),
        roundings(),
        spreads(),
        unrecorded(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The clear effect and a configuration each.
fn configured(texts: [&'static str; 2]) -> [Files; 2] {
    both(|arm| vec![("quiz.jsonl", records(60, |i| correct(arm, i))), config(texts[arm])])
}

fn configurations() -> Vec<Case> {
    let data = |path: [&'static str; 2]| {
        both(move |arm| {
            vec![
                ("quiz.jsonl", records(60, |i| correct(arm, i))),
                config(format!("lr: 0.{}\ntrain_data: {}\n", arm + 1, path[arm])),
            ]
        })
    };
    let with_data = |rows: fn(usize, usize) -> Value| {
        both(move |arm| {
            let mut files = data(["data/x.jsonl"; 2])[arm].clone();
            files
                .push(("data/x.jsonl", (0..40).map(|i| rows(arm, i).to_string() + "\n").collect()));
            files
        })
    };
    vec![
        case(
            "a harness that writes percentages against one that writes shares",
            both(|arm| {
                let figure = ["0.5", "52.0"][arm];
                let results = format!(
                    r#"{{"results":{{"arc":{{"acc,none":{figure},"alias":"arc"}}}},"n-samples":{{"arc":{{"effective":200}}}}}}"#
                );
                vec![("results_2026-01-01T00-00-00.1.json", results)]
            }),
            &[],
            vec![
                Grade("not comparable"),
                Raised("R121"),
                Raised("R227"),
                Verdict("accuracy", "not-assessable"),
            ],
        ),
        case(
            "files of one name in different directories, neither there",
            data(["/gone/one/x.jsonl", "/gone/two/x.jsonl"]),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R206"), Raised("R209"), Silent("R207")],
        ),
        case(
            "the same file declared, not there",
            data(["/gone/one/x.jsonl"; 2]),
            &["--vary", "lr"],
            vec![Grade("as declared"), Silent("R206"), Silent("R207"), Quiet],
        ),
        case(
            "files of one name with other content",
            with_data(|arm, i| json!({ "text": format!("{arm}-{i}") })),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R207"), Silent("R206")],
        ),
        case(
            "data of other quality",
            with_data(|arm, i| json!({ "text": i, "verified": i % 2 <= arm })),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R208")],
        ),
        case(
            "an undeclared difference beside the declared one, and a key of one side only",
            configured(["lr: 1\nseed: 1\n", "lr: 2\nseed: 2\nwarmup: 5\n"]),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R201"), Raised("R202"), Verdict("correct", "better")],
        ),
        case(
            "factors that do not differ or are not there",
            configured(["lr: 1\nbeta: 3\n", "lr: 1\nbeta: 4\n"]),
            &["--vary", "lr,gamma"],
            vec![Raised("R203"), Raised("R204"), Raised("R201")],
        ),
        case(
            "one difference is the factor; a margin for nothing",
            configured(["lr: 1\n", "lr: 2\n"]),
            &["--margin", "wer=1"],
            vec![Grade("as declared"), Raised("R205"), Raised("R225"), Silent("R201")],
        ),
    ]
}

/// A stated figure beside 60 samples, of which 24 and 48 are right.
fn other_names() -> Vec<Case> {
    let beside = |name, stated: [&'static str; 2], expected| {
        let arms = both(|arm| {
            vec![
                ("quiz.jsonl", records(60, |i| correct(arm, i))),
                ("metrics.json", stated[arm].to_owned()),
            ]
        });
        case(name, arms, &[], expected)
    };
    vec![
        beside(
            "an accuracy that samples of another name do not give",
            [r#"{"accuracy": 0.4, "n": 60}"#, r#"{"accuracy": 0.9, "n": 60}"#],
            vec![Raised("R221")],
        ),
        beside(
            "an accuracy that samples of another name give",
            [r#"{"accuracy": 0.4, "n": 60}"#, r#"{"accuracy": 0.8, "n": 60}"#],
            vec![Silent("R221")],
        ),
        beside(
            "an accuracy in percent that samples of another name give",
            [r#"{"accuracy": "40.0%"}"#, r#"{"accuracy": "80.0%"}"#],
            vec![Silent("R221")],
        ),
        beside(
            "an accuracy over other samples",
            [r#"{"accuracy": 0.5, "n": 900}"#, r#"{"accuracy": 0.9, "n": 900}"#],
            vec![Silent("R221")],
        ),
        beside(
            "another figure than a share of right answers",
            [r#"{"bleu": 0.5}"#, r#"{"bleu": 0.9}"#],
            vec![Silent("R221")],
        ),
    ]
}

fn directions() -> Vec<Case> {
    let declared = |name, files: [&'static str; 2], expected| {
        case(name, both(|arm| vec![("metrics.json", files[arm].to_owned())]), &[], expected)
    };
    vec![
        declared(
            "more is better in one arm and worse in the other",
            [
                r#"{"accuracy": {"value": 0.5, "higher_is_better": true, "n": 500}}"#,
                r#"{"accuracy": {"value": 0.7, "higher_is_better": false, "n": 500}}"#,
            ],
            vec![Raised("R267"), Grade("not comparable"), Verdict("accuracy", "not-assessable")],
        ),
        declared(
            "files that say so of their only metric",
            [
                r#"{"higher_is_better": true, "accuracy": 0.5, "n": 500}"#,
                r#"{"higher_is_better": false, "accuracy": 0.7, "n": 500}"#,
            ],
            vec![Raised("R267"), Verdict("accuracy", "not-assessable")],
        ),
        declared(
            "more is better in one arm, and the other says nothing",
            [
                r#"{"own_score": {"value": 0.5, "higher_is_better": true, "n": 500}}"#,
                r#"{"own_score": {"value": 0.7, "n": 500}}"#,
            ],
            vec![Silent("R267"), Holds("own_score", "/direction", json!("higher"))],
        ),
        declared(
            "one word for several metrics declares none",
            [
                r#"{"higher_is_better": true, "accuracy": 0.5, "loss": 0.5}"#,
                r#"{"higher_is_better": false, "accuracy": 0.7, "loss": 0.4}"#,
            ],
            vec![Silent("R267")],
        ),
    ]
}

/// A result file of lm-evaluation-harness with one task.
fn harness(filter: &str, accuracy: f64, n: u64, version: u64) -> Files {
    let results = json!({
        "results": { "arc": { format!("acc,{filter}"): accuracy, format!("acc_stderr,{filter}"): 0.02 } },
        "versions": { "arc": version },
        "n-samples": { "arc": { "original": n, "effective": n } },
    });
    vec![("results_2024.json", results.to_string())]
}

fn aggregates() -> Vec<Case> {
    vec![
        case(
            "no shot answered beside five",
            both(|arm| vec![("grid.csv", format!("shot,accuracy\n{},0.5\n", 5 * arm))]),
            &[],
            vec![Grade("not comparable"), Raised("R219"), Verdict("accuracy", "not-assessable")],
        ),
        case(
            "one filter of the harness beside another",
            both(|arm| harness(["strict-match", "flexible-extract"][arm], 0.5, 400, 1)),
            &["--fail-on", "regression"],
            vec![Raised("R219"), Verdict("accuracy", "not-assessable"), Status(3)],
        ),
        case(
            "the same task over other numbers of questions",
            both(|arm| harness("none", [0.3, 0.9][arm], [400, 300][arm], 1)),
            &[],
            vec![
                Grade("confounded"),
                Raised("R228"),
                Silent("R220"),
                Verdict("accuracy", "better"),
            ],
        ),
        case(
            "another version of the task",
            both(|arm| harness("none", [0.3, 0.9][arm], 400, arm as u64)),
            &[],
            vec![Grade("confounded"), Raised("R220"), Silent("R228")],
        ),
        case(
            "one equal aggregate without a configuration proves nothing",
            both(|_| vec![metrics(&json!({ "accuracy": 0.5 }))]),
            &[],
            vec![
                Grade("as declared"),
                Raised("R218"),
                Raised("R224"),
                Verdict("accuracy", "not-assessable"),
            ],
        ),
        case(
            "a metric that one arm does not have",
            both(|arm| {
                let all = [json!({ "accuracy": 0.5, "f1": 0.5 }), json!({ "accuracy": 0.6 })];
                vec![metrics(&all[arm])]
            }),
            &["--fail-on", "missing"],
            vec![Raised("R216"), Silent("R219"), Gate("missing", "not_gateable")],
        ),
    ]
}

fn disagreements() -> Vec<Case> {
    // Two checkpoints with four figures; they do not move from the first to the second.
    let checkpoints = || {
        let figures = json!({ "accuracy": 0.5, "f1": 0.4, "exact_match": 0.3, "mcc": 0.2 });
        ["eval_step_1/metrics.json", "eval_step_2/metrics.json"]
            .map(|path| (path, figures.to_string()))
    };
    vec![
        case(
            "an aggregate that its own samples contradict",
            both(|arm| {
                let samples = records(60, |i| correct(arm, i));
                vec![
                    ("quiz.jsonl", samples),
                    metrics(&json!({ "correct": 0.4 + 0.5 * arm as f64 })),
                ]
            }),
            &[],
            vec![Raised("R221")],
        ),
        case(
            "checkpoints with the same figures",
            both(|_| checkpoints().to_vec()),
            &[],
            vec![Raised("R217")],
        ),
        case(
            "a curve beside one checkpoint",
            both(|arm| {
                let mut files = vec![("quiz.jsonl", records(60, |i| correct(arm, i)))];
                match arm {
                    0 => files.push(metrics(&json!({ "accuracy": 0.5 }))),
                    _ => files.extend(checkpoints()),
                }
                files
            }),
            &[],
            vec![Raised("R223"), Silent("R219")],
        ),
        case(
            "a change of a metric that has no good side is not a pass",
            quiz(
                60,
                |arm, i| json!({ "correct": i % 3 == 0, "bleurt": (i % 7) as f64 + (5 * arm) as f64 }),
            ),
            &["--fail-on", "regression"],
            vec![
                Verdict("correct", "identical"),
                Verdict("bleurt", "not-assessable"),
                Holds("bleurt", "/reason", json!("direction-unknown")),
                Gate("regression", "inconclusive"),
                Status(0),
            ],
        ),
    ]
}
fn metrics(figures: &Value) -> (&'static str, String) {
    ("metrics.json", figures.to_string())
}

/// One figure over so many samples, a number or a text.
fn figure(metric: &str, value: impl Into<Value>, n: u64) -> (&'static str, String) {
    metrics(&json!({ metric: { "value": value.into(), "n": n } }))
}

fn roundings() -> Vec<Case> {
    let percent = |values: [&'static str; 2]| {
        both(move |arm| {
            let of_unit = r#"{"metric":"accuracy","unit":"percent","axes":["epoch"],"#;
            let figure = format!(r#""results":{{"1":{{"value":{},"n":1000}}}}}}"#, values[arm]);
            vec![("grid.json", format!("{of_unit}{figure}"))]
        })
    };
    // 25 of 44 is 56.8 %.
    let of_44 = |metric: &'static str, value: Value| {
        both(move |arm| {
            let value = if arm == 0 { value.clone() } else { json!("50%") };
            vec![figure(metric, value, 44)]
        })
    };
    let verdict = |verdict| vec![Verdict("accuracy", verdict), Silent("R130"), Silent("R131")];
    vec![
        case("whole percentages hide counts", percent(["\"57%\"", "\"62%\""]), &[], {
            let mut expected = verdict("inconclusive");
            let notes = json!(["treated-as-independent", "several-counts"]);
            expected.push(Holds("accuracy", "/notes", notes));
            expected
        }),
        case(
            "whole numbers of percent do too",
            percent(["57", "62"]),
            &[],
            verdict("inconclusive"),
        ),
        case("a decimal tells the count", percent(["57.0", "62.0"]), &[], verdict("better")),
        case(
            "a share without rounding is its count",
            both(|arm| vec![figure("accuracy", [0.57, 0.62][arm], 1000)]),
            &[],
            verdict("better"),
        ),
        case(
            "a share beside one that no count gives was rounded",
            both(|arm| {
                let share = [0.57, 0.62][arm];
                let accuracy = json!({ "value": share, "n": 1000 });
                let rounded = json!({ "value": 0.57, "n": 44 });
                vec![metrics(&json!({ "accuracy": accuracy, "exact_match": rounded }))]
            }),
            &[],
            verdict("inconclusive"),
        ),
        case(
            "a zero at the end shows rounding in a table",
            both(|arm| {
                vec![("grid.csv", format!("n,accuracy\n10000,{}\n", ["0.570", "0.582"][arm]))]
            }),
            &[],
            verdict("inconclusive"),
        ),
        case("57 % of 44 is 25", of_44("accuracy", json!("57%")), &[], verdict("inconclusive")),
        case("0.57 of 44 is 25", of_44("accuracy", json!(0.57)), &[], verdict("inconclusive")),
        case("0.6 of 44 is 25 to 28", of_44("accuracy", json!(0.6)), &[], verdict("inconclusive")),
        case(
            "57.0 % of 44 is no count of right answers",
            of_44("accuracy", json!("57.0%")),
            &[],
            vec![Raised("R130"), Silent("R131")],
        ),
        case(
            "57.0 % of 44 may be a mean of what is partly right",
            of_44("f1", json!("57.0%")),
            &[],
            vec![Silent("R130"), Raised("R131"), Quiet],
        ),
        case(
            "few samples are tested exactly as figures too",
            both(|arm| vec![figure("accuracy", [0.0, 0.75][arm], 4)]),
            &[],
            vec![
                Holds("accuracy", "/test/method", json!("boschloo")),
                Verdict("accuracy", "inconclusive"),
            ],
        ),
    ]
}

fn spreads() -> Vec<Case> {
    // √(p(1 − p)/(n − 1)) of 400 and 500 right of 1000.
    let stderr = |arm: usize| ([400.0, 500.0][arm] * [0.6, 0.5][arm] / 1000.0 / 999.0_f64).sqrt();
    let named = |metric: &'static str, name: &'static str| {
        both(move |arm| {
            let share = [0.4, 0.5][arm];
            vec![metrics(&json!({ metric: share, name: stderr(arm) }))]
        })
    };
    let inferred = || {
        vec![
            Verdict("accuracy", "better"),
            Holds("accuracy", "/baseline/n", json!(1000)),
            Holds("accuracy", "/candidate/n", json!(1000)),
            Holds("accuracy", "/notes", json!(["treated-as-independent", "size-inferred"])),
        ]
    };
    vec![
        case("acc_stderr", named("acc", "acc_stderr"), &[], inferred()),
        case("under another name", named("accuracy", "acc_std_err"), &[], inferred()),
        case("with a filter", named("acc,none", "acc_stderr,none"), &[], inferred()),
        case(
            "a standard deviation with the number of samples, by dataset",
            both(|arm| {
                let reward = [1.0, 1.5][arm];
                let figures = json!({ "reward": reward, "reward_std": 2.0, "num_samples": 400 });
                let all = json!({ "datasets": { "chat": figures } });
                vec![("summary.json", all.to_string())]
            }),
            &[],
            vec![Holds("reward", "/test/method", json!("welch-t"))],
        ),
    ]
}

fn unrecorded() -> Vec<Case> {
    let told = |field: &'static str, value: &'static str| {
        quiz(60, move |arm, i| {
            let mut record = correct(arm, i);
            if arm == 1 {
                record[field] = json!(value);
            }
            record
        })
    };
    let expected = || {
        vec![
            Verdict("correct", "better"),
            Raised("R230"),
            Silent("R216"),
            Gate("missing", "pass"),
            Status(0),
        ]
    };
    let asked = &["--fail-on", "missing"];
    vec![
        case("one arm says why it stopped", told("finish_reason", "stop"), asked, expected()),
        case("one arm says what went wrong", told("error_type", "success"), asked, expected()),
    ]
}

#[test]
fn whole_percentages_have_the_largest_p_of_the_counts_behind_them() {
    let p = |values: [&str; 2], n| {
        let report = Runs::of(&both(|arm| vec![figure("accuracy", values[arm], n)])).report(&[]);
        cell(&report, "accuracy")["test"]["p"].as_f64().expect("a p")
    };
    // 574 against 615 of 1000: the score test with N/(N − 1) by hand.
    assert!((p(["57%", "62%"], 1000) - 0.061_934_862_741).abs() < 1e-9);
    // scipy 1.17.1 boschloo_exact([[3, 0], [1, 4]])
    assert!((p(["0.0%", "75.0%"], 4) - 9.0 / 128.0).abs() < 1e-9);
}

#[test]
fn a_spread_is_no_metric_of_its_own() {
    let report = Runs::of(&both(|arm| {
        let figures =
            json!({ "f1": 0.5 + 0.1 * arm as f64, "f1_se": 0.02, "f1_std": 0.3, "n": 225 });
        vec![metrics(&figures)]
    }))
    .report(&[]);
    assert_eq!(report["comparisons"].as_array().expect("comparisons").len(), 1, "{report}");
}

#[test]
fn a_deviation_that_the_samples_cannot_have_stays_a_metric() {
    // Outcomes of which half are right deviate by 0.5; 0.01 is that of something else.
    let report = Runs::of(&both(|arm| {
        let accuracy = 0.5 + 0.1 * arm as f64;
        vec![metrics(&json!({ "accuracy": accuracy, "accuracy_std": 0.01, "n": 60 }))]
    }))
    .report(&[]);
    assert!(cell(&report, "accuracy_std").is_object());
    assert_eq!(cell(&report, "accuracy")["test"]["method"], "boschloo");
}

#[test]
fn samples_whose_every_score_is_nan_are_samples_without_scores() {
    let nan = (0..40).map(|i| format!("{{\"id\": {i}, \"prompt\": \"p{i}\", \"f1\": NaN}}\n"));
    let good = records(40, |i| json!({ "id": i, "prompt": format!("p{i}"), "f1": 0.5 }));
    let arms = [vec![("quiz.jsonl", good)], vec![("quiz.jsonl", nan.collect())]];
    let report = Runs::of(&arms).report(&[]);
    let found = finding(&report, "R106");
    assert_eq!(found["location"]["line"], 1, "{found}");
    assert_eq!(unmet(&Silent("R122"), &report, 0), None);
    assert_eq!(cell(&report, "f1")["candidate"]["absent"], "failed");
}
