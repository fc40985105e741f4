//! What was compared because of how it came out: items that one arm failed, checkpoints that were the
//! best of several.

use serde_json::{Value, json};

use super::Expected::{Raised, Silent, Verdict};
use super::{Case, Expected, Files, Runs, both, case, configured, correct, finding, quiz, records};
use crate::cases::cases;

cases![
    items_that_the_baseline_failed_as_a_whole = from_to(100, [0, 30], Raised("R259")),
    items_of_which_the_baseline_has_one_right = from_to(100, [1, 30], Silent("R259")),
    items_that_the_baseline_passed_as_a_whole = from_to(100, [100, 70], Raised("R259")),
    items_that_the_candidate_passed_as_a_whole = from_to(100, [70, 100], Silent("R259")),
    few_items_that_the_baseline_failed = from_to(30, [0, 12], Silent("R259")),
    a_dataset_named_after_failures =
        case(named("baseline_wrong", [1, 15]), &[], vec![Raised("R259")]),
    a_dataset_named_after_failures_that_the_baseline_gets_right_in_part = case(
        named("baseline_wrong", [6, 20]),
        &[],
        vec![Silent("R259"), Verdict("correct", "better")]
    ),
    the_same_under_a_name_that_says_nothing =
        case(named("geometry", [1, 15]), &[], vec![Silent("R259"), Verdict("correct", "better")]),
    items_of_one_source_that_the_baseline_failed_as_a_whole =
        case(mixed(60, 0), &[], vec![Raised("R259")]),
    items_of_one_source_of_which_the_baseline_has_one_right =
        case(mixed(60, 1), &[], vec![Silent("R259")]),
    few_items_of_one_source_that_the_baseline_failed =
        case(mixed(40, 0), &[], vec![Silent("R259")]),
    a_training_that_ends_with_its_best_checkpoint = case(
        configured(["lr: 1\n", "lr: 2\nload_best_model_at_end: true\n"]),
        &["--vary", "lr"],
        vec![Raised("R289")]
    ),
    a_training_that_does_not = case(
        configured(["lr: 1\n", "lr: 2\nload_best_model_at_end: false\n"]),
        &["--vary", "lr"],
        vec![Silent("R289"), Verdict("correct", "better")]
    ),
    figures_that_are_the_best_of_the_checkpoints_beside_them = case(
        with_history([40, 80, 30, 70, 50]),
        &[],
        vec![Raised("R289"), Verdict("correct", "better")]
    ),
    figures_that_are_the_last_and_best_of_the_checkpoints_beside_them =
        case(with_history([40, 50, 60, 70, 80]), &[], vec![Silent("R289")]),
    figures_that_are_one_of_the_checkpoints_beside_them =
        case(with_history([40, 80, 90, 50, 60]), &[], vec![Silent("R289")]),
    a_model_called_the_best_checkpoint = case(
        configured(["model: out/checkpoint-100\n", "model: out/checkpoint-best\n"]),
        &["--vary", "model"],
        vec![Raised("R289")]
    ),
    the_best_of_n_answers = case(
        configured(["model: tiny\nmode: greedy\n", "model: tiny\nmode: best-of-16\n"]),
        &["--vary", "mode"],
        vec![Silent("R289"), Verdict("correct", "better")]
    ),
];

/// So many items right in either arm.
fn from_to(n: usize, right: [usize; 2], expected: Expected) -> Case {
    let is_better = right[1] > right[0];
    let verdict = if is_better { "better" } else { "worse" };
    let arms = quiz(n, |arm, i| json!({ "correct": i < right[arm] }));
    case(arms, &[], vec![expected, Verdict("correct", verdict)])
}

/// Of 200 items so many of a source of their own, of which the baseline has so many right.
fn mixed(failures: usize, right: usize) -> [Files; 2] {
    quiz(200, move |arm, i| {
        let source = if i < failures { "past_failures" } else { "random" };
        let of_failures = if arm == 0 { i < right } else { i % 2 == 0 };
        let correct = if i < failures { of_failures } else { (i + arm) % 5 < 3 };
        json!({ "source": source, "correct": correct })
    })
}

fn named(dataset: &'static str, right: [usize; 2]) -> [Files; 2] {
    quiz(40, move |arm, i| json!({ "dataset": dataset, "correct": i < right[arm] }))
}

#[test]
fn answers_that_could_not_be_judged_are_told_instead_of_a_choice_of_items() {
    let ended = |arm: usize, i: usize| match (arm, i < 90) {
        (0, _) => json!({ "correct": false, "error_type": "no_answer" }),
        (_, right) => {
            json!({ "correct": right, "error_type": if right { "success" } else { "wrong_answer" } })
        }
    };
    let report = Runs::of(&quiz(200, ended)).report(&[]);
    let found = finding(&report, "R259");
    assert_eq!(found["evidence"]["items"], "unjudged", "{found}");
    let help = found["help"].as_str().expect("a text");
    assert!(help.contains("can be judged") && !help.contains("regression to the mean"), "{help}");
}

/// The best of 12 equally good ones lies 1.629 standard errors above their mean (Harter 1961), and
/// 40 of 50 right, moved to 42 of 54, have one of √(42/54 · 12/54 / 50) = 5.88 pp.
#[test]
fn the_best_of_twelve_checkpoints_is_too_good_by_less_than_ten_points() {
    let log: Vec<Value> = (1..=12)
        .map(|at| json!({ "step": at * 100, "eval_accuracy": 0.5 + 0.01 * f64::from(at) }))
        .collect();
    let state = json!({
        "best_metric": 0.62, "best_model_checkpoint": "out/checkpoint-1200",
        "global_step": 1200, "max_steps": 1200, "log_history": log,
    });
    let arms = |has_best: [bool; 2]| {
        both(move |arm| {
            let mut state = state.clone();
            if !has_best[arm] {
                state["best_metric"] = Value::Null;
                state["best_model_checkpoint"] = Value::Null;
            }
            let rows = records(50, |i| json!({ "correct": i < [20, 40][arm] }));
            vec![("quiz.jsonl", rows), ("trainer_state.json", state.to_string())]
        })
    };
    let report = Runs::of(&arms.clone()([false, true])).report(&[]);
    let found = finding(&report, "R289");
    assert_eq!(
        (&found["severity"], &found["evidence"]["checkpoints"]),
        (&json!("warning"), &json!(12))
    );
    let most = found["evidence"]["most"]["value"].as_f64().expect("a number");
    assert!((most - 1.629 * 5.879).abs() < 0.01, "{found}");
    let both_chosen = Runs::of(&arms.clone()([true, true])).report(&[]);
    assert_eq!(finding(&both_chosen, "R289")["severity"], "info", "a choice in both arms alike");
    let neither = Runs::of(&arms([false, false])).report(&[]);
    assert_eq!(super::unmet(&Silent("R289"), &neither, 0), None);
}

#[test]
fn the_size_is_unknown_where_nothing_tells_the_number_of_checkpoints() {
    let arms = both(|arm| {
        let settings = ["lr: 1\n", "lr: 2\nload_best_model_at_end: true\n"][arm];
        vec![("quiz.jsonl", records(60, |i| correct(arm, i))), super::config(settings)]
    });
    let page = Runs::of(&arms).compare(&["--vary", "lr", "--format", "md"]).out;
    assert!(page.contains("the best of ? checkpoints") && page.contains("by up to ? pp"), "{page}");
}

/// Right answers of the candidate, four in five, and the shares of its checkpoints in percent.
fn with_history(shares: [u32; 5]) -> [Files; 2] {
    both(|arm| {
        let mut files =
            vec![("quiz.jsonl", records(100, |i| json!({ "correct": i % 5 < [2, 4][arm] })))];
        if arm == 1 {
            let rows = shares.iter().enumerate();
            let rows: Vec<String> = rows
                .map(|(at, share)| format!("{},{}\n", 100 * at, f64::from(*share) / 100.0))
                .collect();
            files.push(("eval_history.csv", format!("step,accuracy\n{}", rows.concat())));
        }
        files
    })
}
