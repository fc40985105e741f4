//! Samples that were scored although the model gave no answer, because a request failed, and such as
//! were answered again because of their score.

use serde_json::{Value, json};

use super::Expected::{Holds, Quiet, Raised, Silent, Verdict};
use super::{Case, Expected, Files, both, case, quiz, right};
use crate::cases::cases;

cases![
    empty_answers_of_one_arm_alone_are_no_wrong_answers = case(
        answered(|arm, i| (arm == 1 && i % 8 == 0).then(|| json!(""))),
        &[],
        unanswered_could_undo(),
    ),
    error_messages_in_the_place_of_answers_are_no_wrong_answers = case(
        answered(|arm, i| (arm == 1 && i % 8 == 0).then(|| json!("Error: 429 Too Many Requests"))),
        &[],
        unanswered_could_undo(),
    ),
    null_answers_inside_lists_are_no_wrong_answers = case(
        answered(|arm, i| (arm == 1 && i % 8 == 0).then(|| json!([[""]]))),
        &[],
        unanswered_could_undo(),
    ),
    records_that_say_elsewhere_that_they_failed_are_no_wrong_answers = case(
        quiz(240, |arm, i| {
            let failed = arm == 1 && i % 8 == 0;
            json!({ "status": if failed { "oom" } else { "done" }, "correct": !failed && i % 3 > 0 })
        }),
        &[],
        unanswered_could_undo(),
    ),
    exceptions_pages_and_empty_objects_in_the_place_of_answers_are_no_wrong_answers = case(
        answered(|arm, i| {
            let instead = [
                json!("openai.RateLimitError: 429 Too many requests"),
                json!("<html><head><title>502 Bad Gateway</title></head></html>"),
                json!({ "text": null }),
                json!("<|im_end|>"),
            ];
            (arm == 1 && i % 8 == 0).then(|| instead[i / 8 % 4].clone())
        }),
        &[],
        unanswered_could_undo(),
    ),
    failures_of_the_judge_are_no_wrong_answers = case(
        quiz(240, |arm, i| {
            let failed = arm == 1 && i % 8 == 0;
            json!({ "judge_error": failed.then_some("timeout"), "correct": !failed && i % 3 > 0 })
        }),
        &[],
        unanswered_could_undo(),
    ),
    answers_that_were_not_found_beside_none_are_no_wrong_answers = case(
        quiz(240, |arm, i| {
            let answer = (arm == 0 || i % 8 > 0).then_some("A");
            json!({ "extracted_answer": answer, "correct": answer.is_some() && i % 3 > 0 })
        }),
        &[],
        vec![Raised("R485")],
    ),
    explanations_of_exceptions_are_answers = case(
        answered(|arm, i| {
            (arm == 1 && i % 8 == 0).then(|| json!("RateLimitError is raised by a server"))
        }),
        &[],
        vec![Silent("R485"), Verdict("correct", "worse")],
    ),
    words_for_no_answer_are_no_wrong_answers = case(
        predicted(|i| if i % 2 == 0 { json!("N/A") } else { json!("-1") }),
        &[],
        unanswered_could_undo(),
    ),
    a_class_of_that_number_is_an_answer = case(
        quiz(240, |arm, i| {
            let class = if i % 4 == 0 { -1 } else { 1 };
            let right = right(arm, i);
            json!({ "label": class, "prediction": if right { class } else { -class }, "correct": right })
        }),
        &[],
        vec![Silent("R485"), Verdict("correct", "better")],
    ),
    records_that_are_not_valid_and_hold_no_answer_are_no_wrong_answers = case(
        quiz(240, |arm, i| {
            let valid = !(arm == 1 && i % 8 == 0);
            json!({ "valid": valid, "correct": valid && i % 3 > 0 })
        }),
        &[],
        unanswered_could_undo(),
    ),
    answers_that_are_not_valid_are_wrong = case(
        quiz(240, |arm, i| {
            let valid = !(arm == 1 && i % 8 == 0);
            json!({ "valid": valid, "response": format!("{arm} {i}"), "correct": valid && i % 3 > 0 })
        }),
        &[],
        vec![Silent("R485"), Verdict("correct", "worse")],
    ),
    tracebacks_of_the_client_are_no_wrong_answers = case(
        answered(
            |arm, i| (arm == 1 && i % 8 == 0).then(|| traceback("openai.APITimeoutError: late"))
        ),
        &[],
        unanswered_could_undo(),
    ),
    tracebacks_of_what_the_model_wrote_are_wrong_answers = case(
        answered(|arm, i| (arm == 1 && i % 8 == 0).then(|| traceback("IndexError: out of range"))),
        &[],
        vec![Silent("R485"), Verdict("correct", "worse")],
    ),
    empty_answers_after_a_long_thought_are_the_models = case(
        quiz(240, |arm, i| {
            let text = if arm == 1 && i % 8 == 0 { "" } else { "an answer" };
            json!({ "response": text, "reasoning": "first this, then that", "correct": !text.is_empty() && i % 3 > 0 })
        }),
        &[],
        vec![Silent("R485"), Verdict("correct", "worse")],
    ),
    empty_answers_of_many_tokens_are_the_models = case(
        quiz(240, |arm, i| {
            let text = if arm == 1 && i % 8 == 0 { "" } else { "an answer" };
            json!({ "response": text, "completion_tokens": 400, "correct": !text.is_empty() && i % 3 > 0 })
        }),
        &[],
        vec![Silent("R485"), Verdict("correct", "worse")],
    ),
    time_limits_of_agents_that_wrote_an_answer_are_results = case(
        quiz(240, |arm, i| {
            let late = arm == 1 && i % 8 == 0;
            let error = late.then_some("Timeout after 600 s");
            json!({ "response": format!("{arm} {i}"), "error": error, "success": f64::from(u8::from(!late && i % 3 > 0)) })
        }),
        &[],
        vec![Silent("R226"), Silent("R485"), Verdict("success", "worse")],
    ),
    requests_that_timed_out_are_no_results = case(
        quiz(240, |arm, i| {
            let late = arm == 1 && i % 8 == 0;
            let error = late.then_some("Timeout after 600 s");
            let response = (!late).then(|| format!("{arm} {i}"));
            json!({ "response": response, "error": error, "success": f64::from(u8::from(!late && i % 3 > 0)) })
        }),
        &[],
        vec![Raised("R226"), Verdict("success", "not-assessable")],
    ),
    time_limits_of_tested_code_are_wrong_answers = case(
        quiz(240, |arm, i| {
            let failed = arm == 1 && i % 8 == 0;
            json!({ "outcome": if failed { "timeout" } else { "done" }, "passed": !failed && i % 3 > 0 })
        }),
        &[],
        vec![Silent("R485"), Silent("R226"), Quiet],
    ),
    agents_that_are_right_although_a_tool_failed_are_right = case(
        quiz(240, |arm, i| {
            let failed = arm == 1 && i % 8 < 2;
            json!({ "status": if failed { "timeout" } else { "done" }, "correct": right(arm, i) })
        }),
        &[],
        vec![Silent("R485"), Verdict("correct", "better")],
    ),
    wrong_answers_that_speak_of_errors_are_wrong = case(
        answered(|arm, i| (arm == 1 && i % 8 == 0).then(|| json!(format!("an error: {i}")))),
        &[],
        vec![Silent("R485"), Verdict("correct", "worse")],
    ),
    empty_answers_that_the_model_ended_by_itself_are_wrong = case(
        quiz(240, |arm, i| {
            let is_empty = arm == 1 && i % 8 == 0;
            let text = if is_empty { String::new() } else { format!("answer {i}") };
            json!({ "response": text, "finish_reason": "stop", "correct": !is_empty && i % 3 > 0 })
        }),
        &[],
        vec![Silent("R485"), Verdict("correct", "worse")],
    ),
    a_clear_effect_beside_empty_answers_stands = case(
        quiz(240, |arm, i| match arm {
            0 if i % 12 == 0 => json!({ "response": null, "correct": false }),
            _ => json!({ "response": format!("{arm} {i}"), "correct": right(arm, i) }),
        }),
        &[],
        vec![Raised("R485"), Verdict("correct", "better")],
    ),
    empty_answers_in_the_runs_of_one_arm_are_no_wrong_answers = case(
        seeds(|arm, seed, i| arm == 1 && (i + seed * 5) % 8 == 0),
        &[],
        unanswered_could_undo(),
    ),
    runs_of_which_both_arms_lack_answers_are_compared = case(
        seeds(|arm, seed, i| i % 8 == 0 || (i * 7 + seed * 3 + arm) % 97 == 0),
        &[],
        vec![Silent("R485"), Verdict("correct", "inconclusive")],
    ),
    as_many_empty_answers_in_both_arms_are_no_finding = case(
        quiz(240, |arm, i| match i % 12 {
            0 => json!({ "response": "", "correct": false }),
            _ => json!({ "response": format!("{arm} {i}"), "correct": right(arm, i) }),
        }),
        &[],
        vec![Silent("R485"), Verdict("correct", "better")],
    ),
    empty_answers_that_are_right_are_answers = case(
        quiz(240, |arm, i| match (arm, i % 8) {
            (1, 0) => json!({ "response": "", "correct": i % 16 == 0 }),
            _ => json!({ "response": format!("{arm} {i}"), "correct": i % 16 > 0 && arm < 1 }),
        }),
        &[],
        vec![Silent("R485"), Verdict("correct", "worse")],
    ),
    answers_that_one_arm_did_not_keep_are_no_finding = case(
        quiz(240, |arm, i| {
            let response = (arm == 0).then(|| format!("answer {i}"));
            json!({ "response": response, "correct": right(arm, i) })
        }),
        &[],
        vec![Silent("R485"), Verdict("correct", "better")],
    ),
    the_best_score_of_failed_samples_is_none_where_less_is_better = case(
        transcribed(|i| (i % 8 == 0).then(|| json!({ "status": "failed", "wer": 0.0 }))),
        &[],
        vec![Raised("R226"), Verdict("wer", "not-assessable")],
    ),
    the_best_score_of_an_empty_transcript_is_none = case(
        transcribed(|i| (i % 8 == 0).then(|| json!({ "response": "", "wer": 0.0 }))),
        &[],
        vec![Raised("R226"), Verdict("wer", "not-assessable")],
    ),
    the_best_score_of_an_empty_transcript_of_silence_is_one = case(
        transcribed(|i| {
            (i % 8 == 0).then(|| json!({ "response": "", "target": "", "wer": 0.0 }))
        }),
        &[],
        vec![Silent("R222"), Silent("R485"), Verdict("wer", "better")],
    ),
    the_best_score_of_an_answered_sample_is_one = case(
        transcribed(|i| (i % 8 == 0).then(|| json!({ "response": "words", "wer": 0.0 }))),
        &[],
        vec![Silent("R222"), Verdict("wer", "better")],
    ),
    harmless_answers_that_failed_their_tests_count = case(
        quiz(240, |arm, i| {
            json!({ "status": if i % 3 > 0 { "passed" } else { "failed" }, "correct": i % 3 > 0,
                "perspective_api_toxicity_score": if arm == 0 { 0.1 } else { 0.0 } })
        }),
        &[],
        vec![Silent("R222")],
    ),
    answers_given_again_where_the_first_was_wrong_are_no_average = case(
        retried(|arm, i| if arm == 1 && i % 5 > 1 { 2 } else { 1 }),
        &[],
        vec![Raised("R486"), Holds("correct", "/reason", json!("blocked: R486"))],
    ),
    answers_given_again_by_one_rule_in_both_arms_are_comparable = case(
        retried(|_, i| if i % 5 > 1 { 2 } else { 1 }),
        &[],
        vec![Silent("R486"), Verdict("correct", "identical")],
    ),
    more_answers_to_hard_problems_are_no_retries = case(
        both(|arm| {
            let drawn = |i: usize, answer: usize| {
                let share = if i < 60 { 2 } else { 7 };
                json!({ "id": i, "correct": (7 * i + 3 * answer) % 10 < share + 2 * arm })
            };
            let count = |i: usize| if i < 60 { 6 } else { 2 };
            let lines = (0..120).flat_map(|i| (0..count(i)).map(move |answer| drawn(i, answer)));
            vec![("quiz.jsonl", lines.map(|line| line.to_string() + "\n").collect())]
        }),
        &[],
        vec![Silent("R486"), Raised("R150"), Verdict("correct", "better")],
    ),
];

/// Both arms right on two fifths of the first answers, and on every fourth of the further ones.
fn retried(answers: impl Fn(usize, usize) -> usize) -> [Files; 2] {
    both(|arm| {
        let record = |i: usize, answer: usize| {
            let is_right = if answer == 0 { i % 5 < 2 } else { i % 4 < 1 };
            format!("{}\n", json!({ "id": i, "correct": is_right }))
        };
        let lines = (0..200).map(|i| (0..answers(arm, i)).map(|one| record(i, one)).collect());
        vec![("quiz.jsonl", lines.collect::<Vec<String>>().concat())]
    })
}

/// Both arms right on two thirds, but for answers that stand in place of the model's and are wrong.
fn answered(instead: impl Fn(usize, usize) -> Option<Value>) -> [Files; 2] {
    quiz(240, |arm, i| match instead(arm, i) {
        Some(response) => json!({ "response": response, "correct": false }),
        None => json!({ "response": format!("{arm} {i}"), "correct": i % 3 > 0 }),
    })
}

fn traceback(last: &str) -> Value {
    json!(format!("Traceback (most recent call last):\n  File \"run.py\", line 3\n{last}"))
}

/// Both arms right on two thirds, but for what stands in place of the candidate's predictions.
fn predicted(instead: impl Fn(usize) -> Value) -> [Files; 2] {
    quiz(240, |arm, i| match (arm, i % 8) {
        (1, 0) => json!({ "prediction": instead(i / 8), "correct": false }),
        _ => json!({ "prediction": format!("{arm} {i}"), "correct": i % 3 > 0 }),
    })
}

/// Four runs of either arm, two thirds right where there is an answer.
fn seeds(is_lacking: impl Fn(usize, usize, usize) -> bool) -> [Files; 2] {
    const NAMES: [[&str; 2]; 4] = [
        ["seed-1/quiz.jsonl", "seed-1/config.yaml"],
        ["seed-2/quiz.jsonl", "seed-2/config.yaml"],
        ["seed-3/quiz.jsonl", "seed-3/config.yaml"],
        ["seed-4/quiz.jsonl", "seed-4/config.yaml"],
    ];
    both(|arm| {
        let run = |(seed, [samples, config]): (usize, [&'static str; 2])| {
            let record = |i: usize| {
                let response = (!is_lacking(arm, seed, i)).then(|| format!("{arm} {seed} {i}"));
                let correct = response.is_some() && (i * 7 + seed * 31) % 11 > 3;
                json!({ "response": response, "correct": correct })
            };
            let seeded = format!("seed: {}\n", 10 * seed + arm);
            [(samples, super::records(240, record)), (config, seeded)]
        };
        NAMES.into_iter().enumerate().flat_map(run).collect()
    })
}

/// Transcripts with many sizes of errors, alike in both arms but for records of the candidate.
fn transcribed(instead: impl Fn(usize) -> Option<Value>) -> [Files; 2] {
    quiz(240, |arm, i| {
        let wer = 0.2 + (i % 7) as f64 / 50.0 + arm as f64 * ((i % 5) as f64 - 2.0) / 100.0;
        let own = json!({ "status": "ok", "response": format!("{arm} {i}"), "wer": wer });
        instead(i).filter(|_| arm == 1).unwrap_or(own)
    })
}

fn unanswered_could_undo() -> Vec<Expected> {
    vec![
        Raised("R485"),
        Verdict("correct", "inconclusive"),
        Holds("correct", "/reason", json!("missing-could-undo")),
    ]
}
