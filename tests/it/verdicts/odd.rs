//! Cases whose results are too equal or contradict themselves, and differences taken apart.

use serde_json::{Value, json};

use super::Expected::{Grade, Holds, Quiet, Raised, Silent, Verdict};
use super::{Case, Expected, Files, both, case, cell, config, quiz, records, report_of, right};
use crate::command::reportgen;

pub(super) fn cases() -> Vec<Case> {
    [contradictions(), figures(), copies(), answers(), weights(), parts()]
        .into_iter()
        .flatten()
        .collect()
}

/// Records of a judge that runs code.
fn judged(arm: usize, i: usize, odd: &Value) -> Value {
    let ok = right(arm, i);
    let mut record = json!({
        "accepted": ok,
        "pass_ratio": if ok { 1.0 } else { 0.25 },
        "error_type": if ok { "success" } else { "wrong_answer" },
    });
    if i == 7 {
        let fields = record.as_object_mut().expect("an object");
        fields.extend(odd.as_object().expect("an object").clone());
    }
    record
}

fn contradictions() -> Vec<Case> {
    let of = |odd: Value| quiz(40, |arm, i| judged(arm, i, &odd));
    let raised = |name, odd| case(name, of(odd), &[], vec![Raised("R157")]);
    vec![
        raised(
            "accepted with cases that failed",
            json!({ "accepted": true, "error_type": "success", "pass_ratio": 0.8 }),
        ),
        raised(
            "success that was not accepted",
            json!({ "accepted": false, "error_type": "success" }),
        ),
        raised("more cases passed than there are", json!({ "num_passed": 5, "num_total": 4 })),
        raised(
            "stopped at the limit and not cut",
            json!({ "finish_reason": "length", "truncated": false }),
        ),
        case(
            "claims that go together",
            of(json!({
                "accepted": false, "pass_ratio": 0.75, "num_passed": 3, "num_total": 4,
                "error_type": "none", "finish_reason": "stop", "truncated": false,
            })),
            &[],
            vec![Silent("R157")],
        ),
    ]
}

fn figures() -> Vec<Case> {
    let stated = |value: f64| {
        both(move |_| vec![("metrics.json", json!({ "accuracy": value, "f1": 0.5 }).to_string())])
    };
    vec![
        case("an accuracy of 130", stated(130.0), &[], vec![Raised("R158")]),
        case("an accuracy below nothing", stated(-0.2), &[], vec![Raised("R158")]),
        case("a standard error in another unit", harness(8.75), &[], vec![Raised("R247")]),
        case("a standard error over pairs of samples", harness(0.124), &[], vec![Silent("R247")]),
        case("a full accuracy", stated(1.0), &[], vec![Silent("R158")]),
    ]
}

/// Results and samples of lm-evaluation-harness: 10 of 30 are right, the standard error is 0.0875.
fn harness(stderr: f64) -> [Files; 2] {
    both(move |_| {
        let record = |i: usize| json!({ "doc_id": i, "exact_match": f64::from(u8::from(i < 10)) });
        let task = json!({ "exact_match,none": 1.0 / 3.0, "exact_match_stderr,none": stderr });
        let results = json!({ "results": { "quiz": task }, "configs": { "quiz": {} } });
        vec![
            ("samples_quiz_2025-07-21T14-41-47.889425.jsonl", records(30, record)),
            ("results_2025-07-21T14-41-47.889425.json", results.to_string()),
        ]
    })
}

fn copies() -> Vec<Case> {
    let arms = |models: [&'static str; 2], changed: bool| {
        both(move |arm| {
            let mark = if changed { arm } else { 0 };
            let answers = move |i: usize| json!({ "correct": i.is_multiple_of(3), "mark": format!("m{mark}") });
            vec![config(format!("model: {}\n", models[arm])), ("quiz.jsonl", records(40, answers))]
        })
    };
    vec![
        case(
            "another model with the file of the first",
            arms(["small", "large"], false),
            &[],
            vec![Raised("R159")],
        ),
        case(
            "files of one size with other bytes",
            arms(["small", "large"], true),
            &[],
            vec![Silent("R159")],
        ),
        case(
            "an evaluation made again to the last byte",
            arms(["small", "small"], false),
            &[],
            vec![Grade("identical"), Raised("R159"), Raised("R218"), Quiet],
        ),
    ]
}

/// Both arms answer alike; `took` keeps their files apart.
fn alike(n: usize, models: [&'static str; 2], text: impl Fn(usize) -> Value) -> [Files; 2] {
    both(|arm| {
        let record = |i: usize| json!({ "correct": i.is_multiple_of(3), "response": text(i), "took": format!("{arm}s") });
        vec![config(format!("model: {}\n", models[arm])), ("quiz.jsonl", records(n, record))]
    })
}

/// Two models with 80 answers each: the text, and whether it is right.
fn scored(answer: impl Fn(usize, usize) -> (Value, bool)) -> [Files; 2] {
    both(|arm| {
        let record = |i: usize| {
            let (text, right) = answer(arm, i);
            json!({ "correct": right, "response": text })
        };
        let model = ["small", "large"][arm];
        vec![config(format!("model: {model}\n")), ("quiz.jsonl", records(80, record))]
    })
}

fn answers() -> Vec<Case> {
    let text = |i: usize| json!(format!("the answer to {i} is {}", i * i));
    let label = |i: usize| json!(["A", "B", "C", "D"][i % 4]);
    vec![
        case(
            "the same texts and other scores",
            scored(|arm, i| (text(i), arm == 1 && i % 4 == 0)),
            &["--vary", "model"],
            vec![
                Raised("R266"),
                Raised("R244"),
                Silent("R268"),
                Grade("not comparable"),
                Holds("correct", "/reason", json!("blocked: R266")),
            ],
        ),
        case(
            "half the texts the same, and scored higher in the candidate",
            scored(|arm, i| (text(i + 1000 * arm * (i % 2)), arm == 1 && i % 4 == 0)),
            &["--vary", "model"],
            vec![Raised("R268"), Silent("R266"), Silent("R244"), Grade("confounded")],
        ),
        case(
            "half the texts the same, and scored by an unsteady judge",
            scored(|arm, i| (text(i + 1000 * arm * (i % 2)), i % 8 == 4 * arm)),
            &["--vary", "model"],
            vec![Silent("R268"), Silent("R266")],
        ),
        case(
            "the same letters to questions with other answers",
            scored(|arm, i| (label(i), arm == 1 && i % 4 == 0)),
            &["--vary", "model"],
            vec![Silent("R266"), Silent("R268")],
        ),
        case(
            "other texts with other scores",
            scored(|arm, i| (text(i + 1000 * arm), arm == 1 && i % 4 == 0)),
            &["--vary", "model"],
            vec![Silent("R266"), Silent("R268")],
        ),
        case(
            "two models that write the same texts",
            alike(40, ["small", "large"], text),
            &[],
            vec![Raised("R244"), Silent("R245")],
        ),
        case(
            "two models that choose the same letters",
            alike(40, ["small", "large"], label),
            &[],
            vec![Silent("R244"), Silent("R245")],
        ),
        case(
            "one model that writes the same texts again",
            alike(40, ["small", "small"], text),
            &[],
            vec![Silent("R244"), Grade("identical")],
        ),
        case(
            "two models with 300 equal scores",
            alike(300, ["small", "large"], |_| Value::Null),
            &[],
            vec![Raised("R245"), Silent("R244")],
        ),
        case(
            "two models with 60 equal scores",
            alike(60, ["small", "large"], |_| Value::Null),
            &[],
            vec![Silent("R245")],
        ),
        case(
            "two checkpoints of one run that write the same texts",
            both(|arm| {
                let record = |i: usize| {
                    let step = 500 * (1 + i / 40);
                    let text = format!("{arm} says {}", i % 40);
                    let id = format!("q{}", i % 40);
                    json!({ "id": id, "step": step, "correct": i.is_multiple_of(3), "response": text })
                };
                vec![("quiz.jsonl", records(80, record))]
            }),
            &[],
            vec![Raised("R244")],
        ),
    ]
}

fn weights() -> Vec<Case> {
    let of = |names: [&'static str; 2], more: &'static str| {
        both(move |arm| {
            let text = format!("model_path: {}\nmodel_sha: 3f2a9c81d07e\n{more}", names[arm]);
            let record = |i: usize| json!({ "correct": right(arm, i) });
            vec![config(text), ("quiz.jsonl", records(60, record))]
        })
    };
    vec![
        case(
            "the weights of one checkpoint under two names",
            of(["runs/step_500", "runs/step_900"], ""),
            &["--vary", "model_path"],
            vec![Raised("R246"), Grade("confounded")],
        ),
        case(
            "one model at two places",
            of(["/data/base-7b", "/scratch/base-7b"], ""),
            &["--vary", "model_path"],
            vec![Silent("R246")],
        ),
        case(
            "two adapters over the same weights",
            of(["runs/step_500", "runs/step_900"], "lora_rank: 8\n"),
            &["--vary", "model_path"],
            vec![Silent("R246")],
        ),
    ]
}

/// Of 100 samples: 12 with a syntax error become 7 wrong and 5 right ones, 2 of 6 with a runtime
/// error become right, 3 wrong ones too; of the right ones 4 are cut and 1 is wrong.
fn code(arm: usize, i: usize) -> Value {
    let (ok, kind, stop) = match (arm, i) {
        (0, 0..12) => (false, "syntax_error", "stop"),
        (0, 12..18) | (1, 14..18) => (false, "runtime_error", "stop"),
        (0, 18..58) | (1, 0..7 | 21..58 | 64) => (false, "wrong_answer", "stop"),
        (1, 60..64) => (false, "syntax_error", "length"),
        _ => (true, "success", "stop"),
    };
    json!({ "accepted": ok, "error_type": kind, "finish_reason": stop })
}

fn parts() -> Vec<Case> {
    let metric = "accepted_at_1";
    let holds = |path, value| Holds(metric, path, value);
    let part = |position: usize, class: &'static str, contribution: f64| -> [Expected; 2] {
        const PATHS: [[&str; 2]; 4] = [
            ["/decomposition/parts/0/class", "/decomposition/parts/0/contribution"],
            ["/decomposition/parts/1/class", "/decomposition/parts/1/contribution"],
            ["/decomposition/parts/2/class", "/decomposition/parts/2/contribution"],
            ["/decomposition/parts/3/class", "/decomposition/parts/3/contribution"],
        ];
        let [name, value] = PATHS[position];
        [Holds(metric, name, json!(class)), Holds(metric, value, json!(contribution))]
    };
    let parts = [
        part(0, "answers", 2.0),
        part(1, "syntax-error", 5.0),
        part(2, "cut", -4.0),
        part(3, "runtime-error", 2.0),
    ];
    let first = json!({ "baseline": "syntax-error", "candidate": "wrong-answer", "pairs": 7 });
    vec![
        case(
            "syntax errors become wrong answers and right ones",
            quiz(100, code),
            &[],
            parts
                .into_iter()
                .flatten()
                .chain([
                    holds("/delta/absolute", json!(5.0)),
                    holds("/decomposition/transitions/0", first),
                ])
                .chain([Holds("syntax_error_rate", "/decomposition", Value::Null)])
                .collect(),
        ),
        case(
            "four timeouts of a hundred have no score and are in no contribution",
            quiz(100, |arm, i| match (arm, i) {
                (1, 0..4) => json!({ "error_type": "timeout" }),
                _ => json!({ "correct": right(arm, i) }),
            }),
            &[],
            vec![
                Verdict("correct", "better"),
                Holds("correct", "/decomposition/pairs", json!(100)),
                Holds("correct", "/decomposition/scored", json!(96)),
                Holds("correct", "/decomposition/parts/1/class", json!("timeout")),
                Holds("correct", "/decomposition/parts/1/candidate", json!(4)),
                Holds("correct", "/decomposition/parts/1/contribution", json!(0.0)),
            ],
        ),
        case(
            "answers that are only right or wrong are not taken apart",
            quiz(40, |arm, i| json!({ "correct": right(arm, i), "finish_reason": "stop" })),
            &[],
            vec![Holds("correct", "/decomposition", Value::Null)],
        ),
        case(
            "an answer that no filter found is no wrong answer",
            quiz(40, |arm, i| {
                let found = if arm == 0 && i < 10 { "[invalid]" } else { "4" };
                let ok =
                    if arm == 0 && i < 10 { 0.0 } else { f64::from(u8::from(i.is_multiple_of(2))) };
                json!({ "exact_match": ok, "filtered_resps": [found] })
            }),
            &[],
            vec![
                Holds("exact_match", "/decomposition/parts/1/class", json!("no-answer")),
                Holds("exact_match", "/decomposition/parts/1/contribution", json!(12.5)),
                Holds("exact_match", "/decomposition/parts/0/contribution", json!(0.0)),
            ],
        ),
    ]
}

/// The parts of every difference of the shipped example sum to it, and swapping the arms turns the
/// sign of each.
#[test]
fn contributions_sum_to_the_difference_and_turn_with_it() {
    let [ahead, back] = [["phase0", "phase1"], ["phase1", "phase0"]].map(|arms| {
        let [mine, theirs] = arms.map(|arm| format!("fixtures/phases/{arm}"));
        report_of(&reportgen(["compare", &mine, &theirs, "--format", "json"]))
    });
    for metric in ["accepted_at_1", "pass_ratio_mean"] {
        let of = |report| {
            let cell: &Value = cell(report, metric);
            let parts = cell["decomposition"]["parts"].as_array().expect("parts").clone();
            let mut parts: Vec<(String, f64)> = parts
                .iter()
                .map(|part| {
                    let class = part["class"].as_str().expect("a class").to_owned();
                    (class, part["contribution"].as_f64().expect("a number"))
                })
                .collect();
            parts.sort_by(|a, b| a.0.cmp(&b.0));
            let delta = cell["delta"]["absolute"].as_f64().expect("a difference");
            let sum: f64 = parts.iter().map(|(_, contribution)| contribution).sum();
            assert!((sum - delta).abs() < 1e-9, "{metric}: {sum} is not {delta}");
            parts
        };
        let (ahead, back) = (of(&ahead), of(&back));
        assert!(ahead.len() > 3, "{ahead:?}");
        for ((class, mine), (other, theirs)) in ahead.iter().zip(&back) {
            assert_eq!(class, other);
            assert!((mine + theirs).abs() < 1e-9, "{metric} {class}: {mine} and {theirs}");
        }
    }
}
