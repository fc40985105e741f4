//! Cases whose configurations, data files or aggregates mislead.

use serde_json::{Value, json};

use super::Expected::{Gate, Grade, Holds, Quiet, Raised, Silent, Status, Verdict};
use super::{Case, Files, both, case, config, correct, quiz, records};

pub(super) fn cases() -> Vec<Case> {
    [configurations(), aggregates(), disagreements()].into_iter().flatten().collect()
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
            both(|arm| harness("none", [0.3, 0.9][arm], [400, 100][arm], 1)),
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
