//! Runs that come close to a finding of the checks and must not raise it.

use serde_json::{Value, json};

use super::Expected::{Quiet, Silent};
use super::{Case, Files, both, case, configured, correct, quiz, records, right};
use crate::cases::cases;

cases![
    a_factor_that_is_declared_in_other_spelling = case(
        configured(["kl_beta: 1\n", "kl_beta: 2\n"]),
        &["--vary", "KL-Beta"],
        vec![Silent("R204"), Silent("R203"), Quiet]
    ),
    a_data_set_that_is_named_by_its_name_on_a_hub = case(
        configured(["train_data: org/sums\n", "train_data: org/sums\n"]),
        &[],
        vec![Silent("R209"), Quiet]
    ),
    keys_of_another_letter_that_mean_something_else =
        case(configured(["lr: 1\nlrs: 2\n", "lr: 1\nlrs: 2\n"]), &[], vec![Silent("R238"), Quiet]),
    a_margin_for_a_metric_under_its_other_name = case(
        both(|arm| vec![("quiz.jsonl", records(60, |i| json!({ "acc": right(arm, i) })))]),
        &["--margin", "accuracy=2"],
        vec![Silent("R225"), Silent("R241"), Silent("R242"), Silent("R243")]
    ),
    a_margin_just_below_what_a_rate_can_differ_by =
        case(quiz(60, correct), &["--margin", "correct=99"], vec![Silent("R241")]),
    a_configuration_of_one_key =
        case(configured(["lr: 1\n", "lr: 1\n"]), &[], vec![Silent("R224"), Quiet]),
    the_same_prompts = case(quiz(40, asked), &[], vec![Silent("R214"), Quiet]),
    a_wrong_answer_beside_a_note_that_it_took_long = case(
        quiz(40, |arm, i| json!({ "correct": right(arm, i), "warning": "slow" })),
        &[],
        vec![Silent("R222"), Quiet]
    ),
    four_answers_to_each_problem_in_both_arms = case(
        both(|arm| {
            let answers = |i: usize| {
                json!({ "id": format!("q{}", i / 4),
                    "correct": (i + arm).is_multiple_of(3) })
            };
            vec![("quiz.jsonl", records(160, answers))]
        }),
        &[],
        vec![Silent("R229")]
    ),
    why_generation_stopped_in_both_arms = case(
        quiz(40, |arm, i| json!({ "correct": right(arm, i), "finish_reason": "stop" })),
        &[],
        vec![Silent("R230"), Quiet]
    ),
    every_sample_names_its_passage = case(
        quiz(60, |arm, i| json!({ "correct": right(arm, i), "passage_id": i / 3 })),
        &["--cluster", "passage_id"],
        vec![Silent("R262"), Silent("R263"), Silent("R265")]
    ),
    equal_shares_of_right_answers_over_other_samples = case(
        quiz(60, |arm, i| json!({ "correct": (i + arm).is_multiple_of(2) })),
        &[],
        vec![Silent("R218"), Quiet]
    ),
    one_figure_of_eight_that_does_not_move_between_checkpoints =
        case(both(|arm| steps(arm, 7)), &[], vec![Silent("R217"), Silent("R223")]),
    an_aggregate_that_its_samples_give_rounded = case(
        both(|arm| {
            let samples = records(60, |i| correct(arm, i));
            let share = json!({ "eval/quiz/correct": 0.4 + 0.4 * arm as f64 }).to_string();
            vec![("quiz.jsonl", samples), ("metrics.json", share)]
        }),
        &[],
        vec![Silent("R221")]
    ),
    runs_of_one_arm_that_differ_in_seed_and_directory = case(
        both(seeds),
        &["--vary", "lr"],
        vec![Silent("R250"), Silent("R251"), Silent("R252"), Silent("R253")]
    ),
];

fn asked(arm: usize, i: usize) -> Value {
    json!({ "prompt": format!("Compute {i} + {i}"), "target": format!("{}", 2 * i),
            "correct": right(arm, i) })
}

/// Eight figures at two checkpoints, of which so many move.
fn steps(arm: usize, moved: usize) -> Files {
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
}

fn seeds(arm: usize) -> Files {
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
}
