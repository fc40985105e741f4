//! Cases whose samples mislead: missing, written otherwise, doubled, or not the same ones.

use serde_json::{Value, json};

use super::Expected::{Gate, Grade, Holds, Quiet, Raised, Silent, Status, Verdict};
use super::{Case, Files, both, case, config, correct, quiz, records, right};
use crate::cases::cases;

cases![
    only_the_easy_quarter_was_answered_the_rest_ran_out_of_memory = case(
        quiz(80, |arm, i| match (arm, i % 4) {
            (_, 0) => json!({ "correct": true }),
            (0, kind) => json!({ "correct": kind == 1 }),
            _ => json!({ "error": "oom" }),
        }),
        &["--fail-on", "regression,missing"],
        vec![
            Grade("not-comparable"),
            Raised("R226"),
            Raised("R222"),
            Verdict("correct", "not-assessable"),
            Gate("regression", "not-gateable"),
            Gate("missing", "not-gateable"),
            Status(3),
        ]
    ),
    shots_written_into_each_record_are_a_setting_of_the_run = case(
        quiz(60, |arm, i| json!({ "correct": right(arm, i), "shot": 5 * arm })),
        &[],
        vec![Grade("confounded"), Raised("R201"), Raised("R237"), Silent("R205")]
    ),
    shots_that_are_declared = case(
        quiz(60, |arm, i| json!({ "correct": right(arm, i), "shot": 5 * arm })),
        &["--vary", "shot"],
        vec![Grade("as-declared"), Silent("R201"), Verdict("correct", "better")]
    ),
    shots_that_differ_beside_the_declared_factor_confound = case(
        quiz(60, |arm, i| {
            let prompt = format!("question {i}");
            json!({ "correct": right(arm, i), "shot": 5 * arm, "seed": arm, "prompt": prompt })
        }),
        &["--vary", "seed"],
        vec![Grade("confounded"), Raised("R201"), Verdict("correct", "better")]
    ),
    one_metric_lacks_most_scores_of_one_arm_the_other_is_full = case(
        quiz(60, |arm, i| {
            let f1 = (arm == 0 || i % 3 == 0).then(|| 0.25 + (i % 4) as f64 / 8.0);
            json!({ "correct": right(arm, i), "f1": f1 })
        }),
        &[],
        vec![
            Raised("R226"),
            Verdict("correct", "better"),
            Verdict("f1", "not-assessable"),
            Holds("f1", "/reason", json!("blocked: R226")),
        ]
    ),
    two_in_a_hundred_are_missing_and_the_effect_survives_the_worst_they_could_be = case(
        quiz(200, |arm, i| match (arm, i) {
            (1, 0..4) => json!({ "correct": null }),
            _ => correct(arm, i),
        }),
        &[],
        vec![Raised("R222"), Silent("R226"), Verdict("correct", "better")]
    ),
    two_in_a_hundred_are_missing_and_could_undo_the_effect = case(
        quiz(200, undone),
        &[],
        vec![
            Silent("R226"),
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("missing-could-undo")),
        ]
    ),
    the_same_outcomes_written_as_0_1_and_as_0_100 = case(
        quiz(
            40,
            |arm, i| json!({ "correct": f64::from(u8::from(i % 3 == 0)) * [1.0, 100.0][arm] }),
        ),
        &[],
        vec![
            Grade("not-comparable"),
            Raised("R227"),
            Verdict("correct", "not-assessable"),
            Holds("correct", "/reason", json!("blocked: R227")),
        ]
    ),
    rounding_lifts_one_share_above_one = case(
        quiz(40, |arm, i| {
            let whole = if arm == 1 && i == 4 { 1.000_000_000_000_000_2 } else { 1.0 };
            json!({ "accuracy": if i % 2 == 0 { whole } else { 0.5 } })
        }),
        &[],
        vec![
            Silent("R227"),
            Holds("accuracy", "/unit", json!("fraction")),
            Holds("accuracy", "/baseline/value", json!(0.75)),
            Holds("accuracy", "/candidate/value", json!(0.75)),
        ]
    ),
    a_baseline_of_nothing_has_no_share_to_grow_by = case(
        quiz(40, |arm, i| json!({ "correct": arm == 1 && i % 2 == 0 })),
        &[],
        vec![
            Verdict("correct", "better"),
            Holds("correct", "/delta/absolute", json!(50.0)),
            Holds("correct", "/delta/relative", Value::Null),
        ]
    ),
    as_many_lost_as_gained_within_a_declared_margin = case(
        quiz(
            500,
            |arm, i| json!({ "correct": i % 2 == 0 && !(arm == 0 && i < 10 || arm == 1 && i >= 490) }),
        ),
        &["--margin", "correct=5"],
        vec![
            Verdict("correct", "equivalent"),
            Holds("correct", "/flips/gained", json!(5)),
            Holds("correct", "/flips/lost", json!(5)),
        ]
    ),
    a_few_ids_contradict_themselves = case(
        contradicting(2),
        &[],
        vec![
            Raised("R104"),
            Raised("R105"),
            Silent("R212"),
            Verdict("correct", "better"),
            Holds("correct", "/pairing/conflicting", json!(2)),
        ]
    ),
    many_ids_contradict_themselves = case(
        contradicting(12),
        &[],
        vec![Raised("R105"), Raised("R212"), Verdict("correct", "not-assessable")]
    ),
    four_answers_to_each_problem_beside_one = case(
        both(|arm| {
            let answers = [4, 1][arm];
            let record = |i: usize| {
                let problem = i / answers;
                json!({ "id": problem, "correct": right(arm, problem) || i % answers == 3 })
            };
            vec![("quiz.jsonl", records(40 * answers, record))]
        }),
        &[],
        vec![Raised("R120"), Raised("R229"), Holds("correct", "/pairing/paired", json!(40))]
    ),
    no_id_in_common_and_nothing_else_to_pair_by = case(
        quiz(40, |arm, i| json!({ "id": format!("{arm}-{i}"), "correct": right(arm, i) })),
        &["--fail-on", "missing"],
        vec![
            Grade("not-comparable"),
            Raised("R210"),
            Verdict("correct", "not-assessable"),
            Gate("missing", "not-gateable"),
        ]
    ),
    one_arm_stopped_two_samples_early = case(
        both(|arm| vec![("quiz.jsonl", records(100 - 2 * arm, |i| correct(arm, i)))]),
        &[],
        vec![Raised("R211"), Silent("R212"), Verdict("correct", "better")]
    ),
    other_ids_over_the_same_questions = case(
        quiz(
            40,
            |arm, i| json!({ "id": format!("{arm}-{i}"), "prompt": format!("What is {i} + {i}?"), "correct": right(arm, i) }),
        ),
        &[],
        vec![
            Raised("R215"),
            Silent("R210"),
            Verdict("correct", "better"),
            Holds("correct", "/pairing/proof", json!("content")),
        ]
    ),
    another_prompt_around_the_same_questions_beside_it = case(
        quiz(40, |arm, i| {
            let prompt = format!("{} {i} + {i}", ["<|user|>", "[INST]"][arm]);
            json!({ "question": format!("{i} + {i}"), "prompt": prompt, "correct": right(arm, i) })
        }),
        &[],
        vec![Grade("confounded"), Raised("R214"), Silent("R213"), Verdict("correct", "better")]
    ),
    prompts_that_differ_in_a_line_end = case(
        quiz(40, |arm, i| {
            let prompt = format!("Is it {i}?{}", ["", "\n"][arm]);
            json!({ "prompt": prompt, "correct": right(arm, i) })
        }),
        &[],
        vec![Raised("R214"), Silent("R213"), Verdict("correct", "better")]
    ),
    targets_that_one_arm_writes_as_fractions = case(
        quiz(40, |arm, i| {
            let target = format!("{i}{}", ["", ".0"][arm]);
            json!({ "target": target, "correct": right(arm, i) })
        }),
        &[],
        vec![Silent("R213"), Holds("correct", "/pairing/proof", json!("target-hash"))]
    ),
    another_prompt_around_other_questions_beside_it = case(
        quiz(40, |arm, i| {
            let prompt = format!("{} {i} + {i}", ["<|user|>", "[INST]"][arm]);
            let question = format!("{i} + {}", i + arm);
            json!({ "prompt": prompt, "question": question, "correct": right(arm, i) })
        }),
        &[],
        vec![Raised("R213"), Silent("R214")]
    ),
    another_prompt_around_one_question_for_all_is_no_proof = case(
        quiz(40, |arm, i| {
            let prompt = format!("{} {i}", ["<|user|>", "[INST]"][arm]);
            json!({ "question": "Is it true?", "prompt": prompt, "correct": right(arm, i) })
        }),
        &[],
        vec![Raised("R213"), Silent("R214")]
    ),
    another_prompt_around_questions_with_the_same_answers = case(
        quiz(40, |arm, i| {
            let prompt = format!("{} {i} + {i}", ["Compute", "Please add"][arm]);
            json!({ "prompt": prompt, "target": format!("{}", 2 * i), "correct": right(arm, i) })
        }),
        &[],
        vec![Grade("confounded"), Raised("R214"), Silent("R213"), Verdict("correct", "better")]
    ),
    other_prompts_and_no_answers_that_prove_them_the_same_questions = case(
        quiz(
            40,
            |arm, i| json!({ "prompt": format!("{} {i}", ["Compute", "Recall"][arm]), "correct": right(arm, i) }),
        ),
        &[],
        vec![Grade("not-comparable"), Raised("R213"), Verdict("correct", "not-assessable")]
    ),
    the_samples_in_another_order_and_a_configuration_that_differs_in_places_and_times_only = case(
        both(|arm| {
            let at = |i: usize| if arm == 0 { i } else { (i * 7) % 60 };
            let record = |i: usize| json!({ "id": at(i), "prompt": format!("What is {}?", at(i)), "correct": right(arm, at(i)) });
            let [place, time] = [["out/a", "out/b"][arm], ["2024-05-01", "2024-05-02"][arm]];
            vec![
                ("quiz.jsonl", records(60, record)),
                config(format!(
                    "lr: {}\noutput_dir: {place}\ntimestamp: {time}\n",
                    ["0.1", "0.2"][arm]
                )),
            ]
        }),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Quiet, Verdict("correct", "better")]
    ),
];

/// Four scores of the candidate are missing, of which any could undo the effect.
fn undone(arm: usize, i: usize) -> Value {
    match (arm, i) {
        (1, 0..4) => json!({ "correct": null }),
        (0, 10..20) | (1, 20) => json!({ "correct": false }),
        _ => json!({ "correct": i.is_multiple_of(2) || (10..21).contains(&i) }),
    }
}

/// The first `repeated` ids come twice, in the candidate with other scores the second time.
fn contradicting(repeated: usize) -> [Files; 2] {
    quiz(60 + repeated, |arm, i| match i.checked_sub(60) {
        Some(again) if arm == 1 => {
            json!({ "id": format!("q{again}"), "correct": !right(arm, again) })
        }
        Some(again) => json!({ "id": format!("q{again}"), "correct": right(arm, again) }),
        None => correct(arm, i),
    })
}
