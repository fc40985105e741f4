//! Runs that come close to a finding of the checks and must not raise it.

use serde_json::{Value, json};

use super::Expected::{Quiet, Silent};
use super::{Case, Files, both, case, config, correct, quiz, records, right};

pub(super) fn cases() -> Vec<Case> {
    [settings(), samples(), figures(), arms()].into_iter().flatten().collect()
}

/// Both arms with a configuration beside the same kind of samples.
fn configured(texts: [&'static str; 2]) -> [Files; 2] {
    both(|arm| vec![config(texts[arm]), ("quiz.jsonl", records(60, |i| correct(arm, i)))])
}

fn settings() -> Vec<Case> {
    vec![
        case(
            "a factor that is declared in other spelling",
            configured(["kl_beta: 1\n", "kl_beta: 2\n"]),
            &["--vary", "KL-Beta"],
            vec![Silent("R204"), Silent("R203"), Quiet],
        ),
        case(
            "a data set that is named by its name on a hub",
            configured(["train_data: org/sums\n", "train_data: org/sums\n"]),
            &[],
            vec![Silent("R209"), Quiet],
        ),
        case(
            "keys of another letter that mean something else",
            configured(["lr: 1\nlrs: 2\n", "lr: 1\nlrs: 2\n"]),
            &[],
            vec![Silent("R238"), Quiet],
        ),
        case(
            "a margin for a metric under its other name",
            both(|arm| vec![("quiz.jsonl", records(60, |i| json!({ "acc": right(arm, i) })))]),
            &["--margin", "accuracy=2"],
            vec![Silent("R225"), Silent("R241"), Silent("R242"), Silent("R243")],
        ),
        case(
            "a margin just below what a rate can differ by",
            quiz(60, correct),
            &["--margin", "correct=99"],
            vec![Silent("R241")],
        ),
        case(
            "a configuration of one key",
            configured(["lr: 1\n", "lr: 1\n"]),
            &[],
            vec![Silent("R224"), Quiet],
        ),
    ]
}

fn samples() -> Vec<Case> {
    let asked = |arm: usize, i: usize| {
        json!({ "prompt": format!("Compute {i} + {i}"), "target": format!("{}", 2 * i),
                "correct": right(arm, i) })
    };
    vec![
        case("the same prompts", quiz(40, asked), &[], vec![Silent("R214"), Quiet]),
        case(
            "a wrong answer beside a note that it took long",
            quiz(40, |arm, i| json!({ "correct": right(arm, i), "warning": "slow" })),
            &[],
            vec![Silent("R222"), Quiet],
        ),
        case(
            "four answers to each problem in both arms",
            both(|arm| {
                let answers = |i: usize| {
                    json!({ "id": format!("q{}", i / 4),
                    "correct": (i + arm).is_multiple_of(3) })
                };
                vec![("quiz.jsonl", records(160, answers))]
            }),
            &[],
            vec![Silent("R229")],
        ),
        case(
            "why generation stopped, in both arms",
            quiz(40, |arm, i| json!({ "correct": right(arm, i), "finish_reason": "stop" })),
            &[],
            vec![Silent("R230"), Quiet],
        ),
        case(
            "every sample names its passage",
            quiz(60, |arm, i| json!({ "correct": right(arm, i), "passage_id": i / 3 })),
            &["--cluster", "passage_id"],
            vec![Silent("R262"), Silent("R263"), Silent("R265")],
        ),
        case(
            "equal shares of right answers over other samples",
            quiz(60, |arm, i| json!({ "correct": (i + arm).is_multiple_of(2) })),
            &[],
            vec![Silent("R218"), Quiet],
        ),
    ]
}

fn figures() -> Vec<Case> {
    let steps = |arm: usize, moved: usize| -> Files {
        [1, 2]
            .map(|step| {
                let at = |metric: usize| {
                    let still = if metric < moved { step } else { 0 };
                    0.5 + 0.01 * (metric + still + 3 * arm) as f64
                };
                let figures: serde_json::Map<String, Value> = (0..8)
                    .map(|metric| (format!("eval/quiz{metric}/accuracy"), json!(at(metric))))
                    .collect();
                (
                    ["eval_step_1/metrics.json", "eval_step_2/metrics.json"][step - 1],
                    Value::Object(figures).to_string(),
                )
            })
            .to_vec()
    };
    vec![
        case(
            "one figure of eight that does not move between checkpoints",
            both(|arm| steps(arm, 7)),
            &[],
            vec![Silent("R217"), Silent("R223")],
        ),
        case(
            "an aggregate that its samples give, rounded",
            both(|arm| {
                let samples = records(60, |i| correct(arm, i));
                let share = json!({ "eval/quiz/correct": 0.4 + 0.4 * arm as f64 }).to_string();
                vec![("quiz.jsonl", samples), ("metrics.json", share)]
            }),
            &[],
            vec![Silent("R221")],
        ),
    ]
}

fn arms() -> Vec<Case> {
    let seeds = |arm: usize| -> Files {
        let paths = [
            ("seed-1/config.yaml", "seed-1/quiz.jsonl"),
            ("seed-2/config.yaml", "seed-2/quiz.jsonl"),
            ("seed-3/config.yaml", "seed-3/quiz.jsonl"),
        ];
        let run = |(seed, (settings, quiz)): (usize, (&'static str, &'static str))| {
            let text = format!("lr: {}\nseed: {seed}\noutput_dir: out/{seed}\n", arm + 1);
            let record = |i: usize| json!({ "correct": right(arm, i + seed * (i % 2)) });
            [(settings, text), (quiz, records(60, record))]
        };
        paths.into_iter().enumerate().flat_map(run).collect()
    };
    vec![case(
        "runs of one arm that differ in seed and directory",
        both(seeds),
        &["--vary", "lr"],
        vec![Silent("R250"), Silent("R251"), Silent("R252"), Silent("R253")],
    )]
}
