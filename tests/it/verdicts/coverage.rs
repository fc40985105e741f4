//! Cases of runs that did not reach what they set out to do, and of samples that only look the same.

use serde_json::{Value, json};

use super::Expected::{Gate, Grade, Holds, Quiet, Raised, Silent, Status, Verdict};
use super::{Case, Expected, Files, both, case, config, correct, quiz, records, right};
use crate::cases::cases;

const GATES: &[&str] = &["--fail-on", "regression,missing"];

cases![
    both_arms_died_at_the_same_sample_of_a_thousand = case(
        both(|arm| cut(30, arm, summary(&json!({ "n": 1000 })))),
        GATES,
        stopped()
            .into_iter()
            .chain([
                Silent("R226"),
                Holds("correct", "/candidate/coverage/missing", json!(970)),
                Holds("correct", "/candidate/coverage/planned", json!(1000)),
                Holds("correct", "/candidate/part", json!([30, 1000])),
            ])
            .collect()
    ),
    both_arms_died_and_each_set_out_for_another_number_of_samples = case(
        both(|arm| cut(30, arm, summary(&json!({ "n": ([500, 1000][arm]) })))),
        GATES,
        stopped()
    ),
    the_configuration_says_how_many_questions_there_are =
        case(both(|arm| cut(30, arm, config("eval:\n  num_questions: 200\n"))), GATES, stopped()),
    the_harness_wrote_how_many_samples_it_would_score = case(
        both(|arm| {
            let results = json!({
                "results": { "quiz": { "alias": "quiz", "acc,none": 0.5 } }, "versions": { "quiz": 1 },
                "n-samples": { "quiz": { "original": 200, "effective": 100 } },
            });
            vec![
                ("results_2024-05-01T00-00-00.json", results.to_string()),
                (
                    "samples_quiz_2024-05-01T00-00-00.jsonl",
                    records(
                        60,
                        |i| json!({ "doc_id": i, "acc": f64::from(u8::from(right(arm, i))) }),
                    ),
                ),
            ]
        }),
        &[],
        vec![Raised("R280"), Verdict("accuracy", "not-assessable")]
    ),
    the_only_data_file_to_evaluate_on_has_more_rows = case(
        both(|arm| {
            let rows = |i: usize| json!({ "question": i });
            let mut files = cut(40, arm, config("eval_file: quiz.data.jsonl\n"));
            files.push(("quiz.data.jsonl", records(100, rows)));
            files
        }),
        &[],
        vec![Raised("R280"), Verdict("correct", "not-assessable")]
    ),
    a_limit_says_why_there_are_fewer_samples_than_rows = case(
        both(|arm| {
            let rows = |i: usize| json!({ "question": i });
            let mut files = cut(40, arm, config("eval_file: quiz.data.jsonl\nlimit: 40\n"));
            files.push(("quiz.data.jsonl", records(100, rows)));
            files
        }),
        &[],
        vec![Silent("R280"), Silent("R281"), Verdict("correct", "better")]
    ),
    two_of_a_hundred_were_never_scored_by_either_arm = case(
        both(|arm| cut(98, arm, summary(&json!({ "n": 100 })))),
        &[],
        vec![
            Raised("R281"),
            Silent("R280"),
            Verdict("correct", "better"),
            Holds("correct", "/bounds/lost", json!(2)),
            Holds("correct", "/bounds/asked", json!(100)),
        ]
    ),
    answers_to_each_problem_training_samples_and_a_limit_are_no_size = case(
        both(|arm| {
            let settings = "num_samples: 8\nlimit: 1000\ntrain:\n  num_examples: 20000\n";
            cut(60, arm, config(settings))
        }),
        &[],
        vec![Silent("R280"), Silent("R281"), Verdict("correct", "better")]
    ),
    a_size_that_counts_every_answer = case(
        both(|arm| {
            let record = |i: usize| json!({ "id": i / 4, "correct": right(arm, i) });
            vec![("quiz.jsonl", records(160, record)), summary(&json!({ "n": 160 }))]
        }),
        &[],
        vec![Raised("R120"), Silent("R280"), Silent("R281")]
    ),
    only_the_last_line_is_torn = case(
        both(|arm| {
            let whole = records(100, |i| correct(arm, i));
            let end = whole.len() - 9 * arm;
            vec![("quiz.jsonl", whole[..end].to_owned())]
        }),
        &[],
        vec![
            Raised("R103"),
            Raised("R211"),
            Silent("R212"),
            Verdict("correct", "better"),
            Holds("correct", "/bounds/lost", json!(1)),
            Holds("correct", "/candidate/part", json!([99, 100])),
            Holds("correct", "/baseline/part", json!([99, 100])),
        ]
    ),
    an_aggregate_over_thirty_of_a_thousand = case(
        both(|arm| vec![accuracy_over(arm, [1000, 30][arm], 1000)]),
        GATES,
        vec![
            Raised("R280"),
            Verdict("accuracy", "not-assessable"),
            Holds("accuracy", "/candidate/coverage/missing", json!(970)),
            Holds("accuracy", "/baseline/part", json!([1000, 1000])),
            Gate("regression", "not-gateable"),
        ]
    ),
    aggregates_over_thirty_of_a_thousand_in_both_arms = case(
        both(|arm| vec![accuracy_over(arm, 30, 1000)]),
        GATES,
        vec![
            Raised("R280"),
            Verdict("accuracy", "not-assessable"),
            Gate("regression", "not-gateable"),
        ]
    ),
    an_aggregate_over_a_tenth_of_the_other_arms_samples = case(
        both(|arm| {
            vec![summary(&json!({ "accuracy": ([0.4, 0.9][arm]), "n": ([1000, 100][arm]) }))]
        }),
        GATES,
        vec![
            Raised("R287"),
            Verdict("accuracy", "not-assessable"),
            Gate("regression", "not-gateable"),
        ]
    ),
    independent_groups_of_somewhat_different_size = case(
        both(|arm| {
            vec![summary(&json!({ "accuracy": ([0.4, 0.9][arm]), "n": ([80, 70][arm]) }))]
        }),
        &[],
        vec![Silent("R287"), Raised("R228"), Verdict("accuracy", "better")]
    ),
    the_launcher_saw_it_killed = case(ending("exit_code", "137\n"), GATES, failed()),
    its_status_says_that_it_was_cancelled =
        case(ending("status.json", json!({ "status": "Cancelled" }).to_string()), GATES, failed()),
    sacred_recorded_an_interruption = case(
        ending("run.json", json!({ "status": "INTERRUPTED", "command": "eval" }).to_string()),
        GATES,
        failed()
    ),
    an_exit_code_of_nothing_wrong =
        case(ending("exit_code", "0\n"), &[], vec![Silent("R284"), Verdict("correct", "better")]),
    a_status_of_success = case(
        ending("status.json", json!({ "status": "success" }).to_string()),
        &[],
        vec![Silent("R284"), Verdict("correct", "better")]
    ),
    one_training_stopped_at_300_of_1000_steps = case(
        both(|arm| vec![samples(arm), state([1000, 300][arm], 1000)]),
        &[],
        vec![Grade("confounded"), Raised("R285"), Silent("R286")]
    ),
    both_trainings_made_all_their_steps = case(
        both(|arm| vec![samples(arm), state(1000, 1000)]),
        &[],
        vec![Silent("R285"), Silent("R286")]
    ),
    one_curve_ends_long_before_the_other = case(
        both(|arm| vec![samples(arm), curve([1000, 300][arm], arm)]),
        &[],
        vec![Grade("confounded"), Raised("R286"), Silent("R285")]
    ),
    an_earlier_checkpoint_of_the_same_training = case(
        both(|arm| vec![samples(arm), curve([1000, 300][arm], 0)]),
        &[],
        vec![Silent("R286"), Verdict("correct", "better")]
    ),
    a_longer_training_that_the_configuration_asked_for = case(
        both(|arm| {
            let steps = config(format!("max_steps: {}\n", [1000, 300][arm]));
            vec![samples(arm), curve([1000, 300][arm], arm), steps]
        }),
        &["--vary", "max_steps"],
        vec![Grade("as-declared"), Silent("R286")]
    ),
    other_data_make_no_other_number_of_epochs = case(
        on_other_data("epoch", [3, 2]),
        &[],
        vec![Grade("confounded"), Raised("R207"), Raised("R286")]
    ),
    other_data_make_another_number_of_steps =
        case(on_other_data("step", [10, 3]), &[], vec![Raised("R207"), Silent("R286")]),
    one_question_of_a_hundred_was_corrected = case(
        quiz(100, move |arm, i| {
            let target = if arm == 1 && i == 7 { "50".to_owned() } else { (i * i).to_string() };
            json!({ "prompt": question(i), "target": target, "correct": right(arm, i) })
        }),
        &[],
        vec![
            Raised("R282"),
            Silent("R213"),
            Silent("R212"),
            Verdict("correct", "better"),
            Holds("correct", "/pairing/paired", json!(99)),
            Holds("correct", "/pairing/conflicting", json!(1)),
            Holds("correct", "/pairing/proof", json!("target-and-prompt-hash")),
            Holds("correct", "/candidate/part", json!([99, 100])),
        ]
    ),
    one_question_in_ten_is_another = case(
        quiz(100, move |arm, i| {
            let other = arm == 1 && i % 10 == 7;
            let prompt = question(if other { 1000 + i } else { i });
            json!({ "prompt": prompt, "target": "a", "correct": right(arm, i) })
        }),
        &[],
        vec![Raised("R213"), Silent("R282"), Verdict("correct", "not-assessable")]
    ),
    ids_are_positions_and_one_arm_was_shuffled = case(
        quiz(60, move |arm, i| {
            let at = if arm == 0 { i } else { (i * 7) % 60 };
            json!({ "id": i, "prompt": question(at), "correct": right(arm, at) })
        }),
        &[],
        vec![
            Raised("R283"),
            Silent("R213"),
            Silent("R215"),
            Verdict("correct", "better"),
            Holds("correct", "/pairing/paired", json!(60)),
            Holds("correct", "/pairing/proof", json!("content")),
            Holds("correct", "/flips/lost", json!(0)),
        ]
    ),
    a_few_ids_were_renamed_over_equal_questions = case(
        quiz(60, move |arm, i| {
            let id = if i < 6 { format!("{arm}-{i}") } else { format!("q{i}") };
            json!({ "id": id, "prompt": question(i), "correct": right(arm, i) })
        }),
        &[],
        vec![
            Raised("R215"),
            Silent("R211"),
            Silent("R283"),
            Verdict("correct", "better"),
            Holds("correct", "/pairing/paired", json!(60)),
        ]
    ),
    other_ids_and_one_question_asked_twice = case(
        quiz(100, move |arm, i| {
            let prompt = question(i.min(98));
            json!({ "id": format!("{arm}-{i}"), "prompt": prompt, "correct": right(arm, i) })
        }),
        &[],
        vec![
            Raised("R215"),
            Raised("R211"),
            Holds("correct", "/pairing/paired", json!(98)),
            Holds("correct", "/pairing/baseline_only", json!(2)),
        ]
    ),
    records_in_another_order_with_ids_of_their_own = case(
        quiz(60, move |arm, i| {
            let at = if arm == 0 { i } else { (i * 7) % 60 };
            json!({ "id": format!("q{at}"), "prompt": question(at), "correct": right(arm, at) })
        }),
        &[],
        vec![Quiet, Silent("R215"), Silent("R283"), Verdict("correct", "better")]
    ),
    an_average_over_datasets_of_which_one_is_incomplete_passes_no_gate = case(
        datasets([200, 200, 2000]),
        GATES,
        vec![Raised("R280"), Gate("regression", "not-gateable"), Status(3)]
    ),
];

/// A run of which `n` samples are there, and what else says how many there should be.
fn cut(n: usize, arm: usize, beside: (&'static str, String)) -> Files {
    vec![("quiz.jsonl", records(n, |i| correct(arm, i))), beside]
}

fn summary(figures: &Value) -> (&'static str, String) {
    ("summary.json", json!({ "datasets": { "quiz": figures } }).to_string())
}

/// The incomplete arm gets no verdict and passes no gate.
fn stopped() -> Vec<Expected> {
    vec![
        Grade("not-comparable"),
        Raised("R280"),
        Silent("R212"),
        Verdict("correct", "not-assessable"),
        Holds("correct", "/reason", json!("blocked: R280")),
        Gate("regression", "not-gateable"),
        Gate("missing", "not-gateable"),
        Status(3),
    ]
}

/// An accuracy over `n` of `total` samples.
fn accuracy_over(arm: usize, n: u64, total: u64) -> (&'static str, String) {
    summary(&json!({ "accuracy": ([0.4, 0.9][arm]), "n": n, "total": total }))
}

/// A further file of the candidate says how its run ended.
fn ending(name: &'static str, content: impl Into<String>) -> [Files; 2] {
    let content = content.into();
    both(|arm| {
        let mut files = vec![("quiz.jsonl", records(60, |i| correct(arm, i)))];
        if arm == 1 {
            files.push((name, content.clone()));
        }
        files
    })
}

fn failed() -> Vec<Expected> {
    vec![Raised("R284"), Verdict("correct", "not-assessable"), Gate("regression", "not-gateable")]
}

/// The state of a trainer that reached a step of those planned.
fn state(reached: usize, planned: usize) -> (&'static str, String) {
    let row = |step: usize| json!({ "step": step, "loss": 1.0 / step as f64 });
    let log: Vec<Value> = (1..=reached / 100).map(|i| row(100 * i)).collect();
    let state = json!({ "global_step": reached, "max_steps": planned, "log_history": log });
    ("trainer_state.json", state.to_string())
}

/// A training curve that ends at a step.
/// The curve of one training up to that step.
fn curve(last: usize, training: usize) -> (&'static str, String) {
    let line = |step: usize| format!("{step},{}\n", 1.0 / (step + 1 + training) as f64);
    let lines: String = (0..=last / 100).map(|i| line(100 * i)).collect();
    ("train_metrics.csv", format!("step,loss\n{lines}"))
}

/// Arms that trained on other records of one file and came to other places, which a log tells.
fn on_other_data(axis: &str, last: [usize; 2]) -> [Files; 2] {
    both(|arm| {
        let line = |at: usize| format!("{axis} {at} loss: {}\n", 1.0 / (at + arm) as f64);
        let rows = records(50, |i| json!({ "question": i + 7 * arm }));
        vec![
            samples(arm),
            ("train.log", (1..=last[arm]).map(line).collect()),
            config("train_file: train.data.jsonl\n"),
            ("train.data.jsonl", rows),
        ]
    })
}

fn samples(arm: usize) -> (&'static str, String) {
    ("quiz.jsonl", records(60, |i| correct(arm, i)))
}

fn question(i: usize) -> String {
    format!("What is {i} times {i}?")
}

/// Three datasets with 200 samples each, of those that there should be.
fn datasets(totals: [u64; 3]) -> [Files; 2] {
    both(|arm| {
        let mut of: serde_json::Map<String, Value> = serde_json::Map::new();
        for (name, total) in ["algebra", "biology", "civics"].into_iter().zip(totals) {
            let figures = json!({ "accuracy": ([0.4, 0.9][arm]), "n": 200, "total": total });
            of.insert(name.to_owned(), figures);
        }
        vec![("summary.json", json!({ "datasets": of }).to_string())]
    })
}
