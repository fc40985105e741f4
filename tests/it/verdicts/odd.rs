//! Cases whose results are too equal or contradict themselves, and differences taken apart.

use serde_json::{Value, json};

use super::Expected::{Grade, Holds, Quiet, Raised, Silent, Verdict};
use super::{Case, Files, both, case, cell, config, correct, quiz, records, right};
use crate::cases::cases;
use crate::command::compared;

cases![
    accepted_with_cases_that_failed =
        contradiction(&json!({ "accepted": true, "error_type": "success", "pass_ratio": 0.8 })),
    success_that_was_not_accepted =
        contradiction(&json!({ "accepted": false, "error_type": "success" })),
    more_cases_passed_than_there_are = contradiction(&json!({ "num_passed": 5, "num_total": 4 })),
    stopped_at_the_limit_and_not_cut =
        contradiction(&json!({ "finish_reason": "length", "truncated": false })),
    claims_that_go_together = case(
        with_odd_record(&json!({
            "accepted": false, "pass_ratio": 0.75, "num_passed": 3, "num_total": 4,
            "error_type": "none", "finish_reason": "stop", "truncated": false,
        })),
        &[],
        vec![Silent("R157")]
    ),
    an_accuracy_of_130 = case(stated(130.0), &[], vec![Raised("R158")]),
    an_accuracy_below_nothing = case(stated(-0.2), &[], vec![Raised("R158")]),
    a_standard_error_in_another_unit = case(harness(8.75), &[], vec![Raised("R247")]),
    a_standard_error_over_pairs_of_samples = case(harness(0.124), &[], vec![Silent("R247")]),
    a_full_accuracy = case(stated(1.0), &[], vec![Silent("R158")]),
    another_model_with_the_file_of_the_first =
        case(copied(["small", "large"], false), &[], vec![Raised("R159")]),
    files_of_one_size_with_other_bytes =
        case(copied(["small", "large"], true), &[], vec![Silent("R159")]),
    an_evaluation_made_again_to_the_last_byte = case(
        copied(["small", "small"], false),
        &[],
        vec![Grade("identical"), Raised("R159"), Raised("R218"), Quiet]
    ),
    the_same_texts_and_other_scores = case(
        scored(|arm, i| (text(i), arm == 1 && i % 4 == 0)),
        &["--vary", "model"],
        vec![
            Raised("R266"),
            Raised("R244"),
            Silent("R268"),
            Grade("not-comparable"),
            Holds("correct", "/reason", json!("blocked: R266")),
        ]
    ),
    half_the_texts_the_same_and_scored_higher_in_the_candidate = case(
        scored(|arm, i| (text(i + 1000 * arm * (i % 2)), arm == 1 && i % 4 == 0)),
        &["--vary", "model"],
        vec![Raised("R268"), Silent("R266"), Silent("R244"), Grade("confounded")]
    ),
    half_the_texts_the_same_and_scored_by_an_unsteady_judge = case(
        scored(|arm, i| (text(i + 1000 * arm * (i % 2)), i % 8 == 4 * arm)),
        &["--vary", "model"],
        vec![Silent("R268"), Silent("R266")]
    ),
    the_same_letters_to_questions_with_other_answers = case(
        scored(|arm, i| (label(i), arm == 1 && i % 4 == 0)),
        &["--vary", "model"],
        vec![Silent("R266"), Silent("R268")]
    ),
    other_texts_with_other_scores = case(
        scored(|arm, i| (text(i + 1000 * arm), arm == 1 && i % 4 == 0)),
        &["--vary", "model"],
        vec![Silent("R266"), Silent("R268")]
    ),
    two_models_that_write_the_same_texts =
        case(alike(40, ["small", "large"], text), &[], vec![Raised("R244"), Silent("R245")]),
    two_models_that_choose_the_same_letters =
        case(alike(40, ["small", "large"], label), &[], vec![Silent("R244"), Silent("R245")]),
    one_model_that_writes_the_same_texts_again =
        case(alike(40, ["small", "small"], text), &[], vec![Silent("R244"), Grade("identical")]),
    two_models_with_300_equal_scores = case(
        alike(300, ["small", "large"], |_| Value::Null),
        &[],
        vec![Raised("R245"), Silent("R244")]
    ),
    two_models_with_60_equal_scores =
        case(alike(60, ["small", "large"], |_| Value::Null), &[], vec![Silent("R245")]),
    two_checkpoints_of_one_run_that_write_the_same_texts = case(
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
        vec![Raised("R244")]
    ),
    the_weights_of_one_checkpoint_under_two_names = case(
        same_weights(["runs/step_500", "runs/step_900"], ""),
        &["--vary", "model_path"],
        vec![Raised("R246"), Grade("confounded")]
    ),
    one_model_at_two_places = case(
        same_weights(["/data/base-7b", "/scratch/base-7b"], ""),
        &["--vary", "model_path"],
        vec![Silent("R246")]
    ),
    two_adapters_over_the_same_weights = case(
        same_weights(["runs/step_500", "runs/step_900"], "lora_rank: 8\n"),
        &["--vary", "model_path"],
        vec![Silent("R246")]
    ),
    syntax_errors_become_wrong_answers_and_right_ones = case(
        quiz(100, code),
        &[],
        vec![
            Holds("accepted_at_1", "/decomposition/parts/0/class", json!("answers")),
            Holds("accepted_at_1", "/decomposition/parts/0/contribution", json!(2.0)),
            Holds("accepted_at_1", "/decomposition/parts/1/class", json!("syntax-error")),
            Holds("accepted_at_1", "/decomposition/parts/1/contribution", json!(5.0)),
            Holds("accepted_at_1", "/decomposition/parts/2/class", json!("cut")),
            Holds("accepted_at_1", "/decomposition/parts/2/contribution", json!(-4.0)),
            Holds("accepted_at_1", "/decomposition/parts/3/class", json!("runtime-error")),
            Holds("accepted_at_1", "/decomposition/parts/3/contribution", json!(2.0)),
            Holds("accepted_at_1", "/delta/absolute", json!(5.0)),
            Holds(
                "accepted_at_1",
                "/decomposition/transitions/0",
                json!({ "baseline": "syntax-error", "candidate": "wrong-answer", "pairs": 7 })
            ),
            Holds("syntax_error_rate", "/decomposition", Value::Null),
        ]
    ),
    four_timeouts_of_a_hundred_have_no_score_and_are_in_no_contribution = case(
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
        ]
    ),
    answers_that_are_only_right_or_wrong_are_not_taken_apart = case(
        quiz(40, |arm, i| json!({ "correct": right(arm, i), "finish_reason": "stop" })),
        &[],
        vec![Holds("correct", "/decomposition", Value::Null)]
    ),
    an_answer_that_no_filter_found_is_no_wrong_answer = case(
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
        ]
    ),
];

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

/// One of 40 records has these fields beside its own.
fn with_odd_record(odd: &Value) -> [Files; 2] {
    quiz(40, |arm, i| judged(arm, i, odd))
}

fn contradiction(odd: &Value) -> Case {
    case(with_odd_record(odd), &[], vec![Raised("R157")])
}

fn stated(value: f64) -> [Files; 2] {
    both(|_| vec![("metrics.json", json!({ "accuracy": value, "f1": 0.5 }).to_string())])
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

/// Arms whose files of results are the same but for a mark.
fn copied(models: [&'static str; 2], is_marked: bool) -> [Files; 2] {
    both(|arm| {
        let mark = if is_marked { arm } else { 0 };
        let record =
            |i: usize| json!({ "correct": i.is_multiple_of(3), "mark": format!("m{mark}") });
        vec![config(format!("model: {}\n", models[arm])), ("quiz.jsonl", records(40, record))]
    })
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

fn text(i: usize) -> Value {
    json!(format!("the answer to {i} is {}", i * i))
}

fn label(i: usize) -> Value {
    json!(["A", "B", "C", "D"][i % 4])
}

/// One hash of weights under these names of models.
fn same_weights(names: [&'static str; 2], more: &'static str) -> [Files; 2] {
    both(|arm| {
        let text = format!("model_path: {}\nmodel_sha: 3f2a9c81d07e\n{more}", names[arm]);
        vec![config(text), ("quiz.jsonl", records(60, |i| correct(arm, i)))]
    })
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

/// The parts of every difference of the shipped example sum to it, and swapping the arms turns the
/// sign of each.
#[test]
fn contributions_sum_to_the_difference_and_turn_with_it() {
    let [ahead, back] = [["phase0", "phase1"], ["phase1", "phase0"]]
        .map(|arms| compared(&arms.map(|arm| format!("fixtures/phases/{arm}")), &[]));
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
