//! Cases of records that repeat settings of their run, and of seeds and steps that say something of
//! an answer.

use serde_json::{Value, json};

use super::Expected::{Grade, Holds, Raised, Silent, Verdict};
use super::{Case, Files, both, case, quiz, records, right};
use crate::cases::cases;

const VARY: &[&str] = &["--vary", "lr"];

cases![
    a_judge_that_every_record_names = case(
        repeated("judge_model", [json!("gpt-4o"), json!("gpt-4.1")]),
        &[],
        vec![Raised("R234"), Grade("confounded")]
    ),
    one_judge_that_every_record_names = case(
        repeated("judge_model", [json!("gpt-4o"), json!("gpt-4o")]),
        &[],
        vec![Silent("R234"), Silent("R205"), Grade("as-declared")]
    ),
    nine_judges_behind_a_configuration_that_names_one = case(
        judged_beside_a_configuration(|arm, i| match arm {
            0 => json!("gpt-4o"),
            _ => json!(format!("judge {}", i % 9)),
        }),
        &[],
        vec![Raised("R234"), Grade("confounded")]
    ),
    many_temperatures_behind_a_configuration_that_states_one = case(
        both(|arm| {
            let temperature = move |i: usize| [0.0, (i % 12) as f64 / 10.0][arm];
            let record =
                move |i| json!({ "correct": right(arm, i), "temperature": temperature(i) });
            vec![("quiz.jsonl", records(100, record)), ("config.yaml", "temperature: 0".into())]
        }),
        &[],
        vec![Raised("R201"), Silent("R205")]
    ),
    a_judge_whose_name_is_too_long_to_be_one = case(
        judged_beside_a_configuration(|arm, _| match arm {
            0 => json!("gpt-4o"),
            _ => json!("x".repeat(5000)),
        }),
        &[],
        vec![Raised("R234"), Grade("confounded")]
    ),
    what_one_judge_says_of_each_answer = case(
        quiz(100, |arm, i| {
            let said = json!({ "model": "gpt-4o", "score": i % 7, "reason": format!("r{arm}{i}") });
            json!({ "correct": right(arm, i), "judge": said })
        }),
        &[],
        vec![Silent("R234"), Silent("R201"), Grade("as-declared")]
    ),
    templates_of_prompts_that_are_long_are_told_apart = case(
        repeated("prompt_template", [json!("x".repeat(300)), json!("y".repeat(350))]),
        &[],
        vec![Raised("R201"), Grade("confounded")]
    ),
    templates_of_prompts_that_are_long_and_equal = case(
        repeated("prompt_template", [json!("x".repeat(300)), json!("x".repeat(300))]),
        &[],
        vec![Silent("R205"), Silent("R201"), Grade("as-declared")]
    ),
    another_model_behind_a_configuration_that_both_arms_share = case(
        with_model(|arm, _| ["m", "other"][arm]),
        VARY,
        vec![Raised("R201"), Grade("confounded")]
    ),
    another_model_in_half_of_the_records = case(
        with_model(|arm, i| if arm == 1 && i % 2 == 1 { "other" } else { "m" }),
        VARY,
        vec![Raised("R201"), Grade("confounded")]
    ),
    the_model_of_the_configuration_in_all_records =
        case(with_model(|_, _| "m"), VARY, vec![Silent("R201"), Grade("as-declared")]),
    a_judge_that_one_record_of_a_hundred_names = case(
        judged_beside_a_configuration(|arm, i| match (arm, i) {
            (0, _) | (_, 0) => json!("gpt-4o"),
            _ => Value::Null,
        }),
        &[],
        vec![Raised("R234"), Grade("confounded")]
    ),
    a_judge_that_a_few_records_do_not_name = case(
        judged_beside_a_configuration(|arm, i| match (arm, i) {
            (1, 0..5) => Value::Null,
            _ => json!("gpt-4o"),
        }),
        &[],
        vec![Silent("R234"), Grade("as-declared")]
    ),
    results_that_name_another_judge_than_the_configuration = case(
        both(|arm| {
            let of_results = ["gpt-4o", "gpt-3.5"][arm];
            let results =
                json!({ "correct": 0.5, "n": 100, "config": { "judge_model": of_results } });
            let record = |i| json!({ "correct": right(arm, i) });
            vec![
                ("quiz.jsonl", records(100, record)),
                ("metrics.json", results.to_string()),
                ("config.yaml", "judge_model: gpt-4o".into()),
            ]
        }),
        &[],
        vec![Raised("R234"), Grade("confounded")]
    ),
    the_best_of_eight_answers_in_one_arm = case(
        repeated("best_of", [json!(1), json!(8)]),
        &[],
        vec![Raised("R201"), Grade("confounded")]
    ),
    a_temperature_that_every_record_names = case(
        repeated("temperature", [json!(0.0), json!(0.7)]),
        &[],
        vec![Raised("R205"), Grade("as-declared"), Verdict("correct", "better")]
    ),
    a_temperature_that_records_and_configuration_write_in_their_ways = case(
        both(|arm| {
            let record =
                |i| json!({ "correct": right(arm, i), "temperature": (["0.70", "0.7"][arm]) });
            vec![("quiz.jsonl", records(100, record)), ("config.yaml", "temperature: 0.7".into())]
        }),
        &[],
        vec![Silent("R205"), Silent("R202"), Silent("R201"), Grade("as-declared")]
    ),
    votes_that_every_record_counts_are_told_whatever_they_are_called = case(
        repeated("quorum", [json!(1), json!(16)]),
        &[],
        vec![Raised("R200"), Grade("as-declared"), Verdict("correct", "better")]
    ),
    a_threshold_and_tools_inside_an_object_are_told = case(
        repeated(
            "meta",
            [json!({ "cutoff": 0.9, "tools": [] }), json!({ "cutoff": 0.5, "tools": ["search"] })]
        ),
        &[],
        vec![Raised("R200")]
    ),
    outcomes_of_more_answers_to_each_problem_in_one_arm_are_told = case(
        repeated("results", [json!([true, false]), json!([false, true, false, false])]),
        &[],
        vec![Raised("R200")]
    ),
    outcomes_of_equally_many_answers_are_not_told = case(
        quiz(100, |arm, i| {
            json!({ "correct": right(arm, i), "results": [i.is_multiple_of(2), i % 3 == arm] })
        }),
        &[],
        vec![Silent("R200"), Verdict("correct", "better")]
    ),
    what_every_record_says_alike_in_both_arms_is_not_told =
        case(repeated("quorum", [json!(16), json!(16)]), &[], vec![Silent("R200")]),
    names_of_runs_and_times_are_no_conditions = case(
        repeated("run_id", [json!("a"), json!("b")]),
        &[],
        vec![Silent("R200"), Verdict("correct", "better")]
    ),
    the_same_temperatures_in_both_arms = case(
        quiz(
            100,
            |arm, i| json!({ "correct": right(arm, i), "temperature": ([0.0, 0.7][(arm + i) % 2]) })
        ),
        &[],
        vec![Silent("R205"), Silent("R201"), Verdict("correct", "better")]
    ),
    two_temperatures_in_one_arm_alone = case(
        quiz(
            100,
            |arm, i| json!({ "correct": right(arm, i), "temperature": ([0.0, 0.7][arm * i % 2]) })
        ),
        &[],
        vec![Raised("R205")]
    ),
    the_day_of_judging_is_no_setting = case(
        repeated("judged_at", [json!("2026-03-01"), json!("2026-09-01")]),
        &[],
        vec![Silent("R201"), Silent("R205"), Verdict("correct", "better")]
    ),
    a_seed_of_each_answer = case(
        quiz(
            100,
            |arm, i| json!({ "correct": right(arm, i), "seed": 7919 * (i + 1000 * arm) % 99_991 })
        ),
        &[],
        vec![Silent("R219"), Grade("as-declared"), Verdict("correct", "better")]
    ),
    seeds_of_several_answers_to_each = case(
        quiz(200, |arm, i| {
            json!({ "id": i % 100, "correct": right(arm, i + i / 100), "seed": 7919 * (i + 1000 * arm) % 99_991 })
        }),
        &[],
        vec![Raised("R120"), Holds("correct", "/candidate/n", json!(100))]
    ),
    steps_that_an_agent_took = case(
        quiz(100, |arm, i| json!({ "correct": right(arm, i), "step": 1 + (7 * i + arm) % 13 })),
        &[],
        vec![Silent("R212"), Grade("as-declared"), Verdict("correct", "better")]
    ),
    steps_of_checkpoints_are_a_grid = case(
        quiz(120, |arm, i| {
            json!({ "id": i % 60, "correct": right(arm, i), "step": ([100, 200][i / 60]) })
        }),
        &[],
        vec![Holds("correct", "/dims/step", json!(100))]
    ),
];

/// Records with the clear effect that all say the same of a setting.
fn repeated(key: &'static str, values: [Value; 2]) -> [Files; 2] {
    quiz(100, move |arm, i| json!({ "correct": right(arm, i), key: values[arm] }))
}

/// Runs whose configuration names the model that both began with, and whose records name one too.
fn with_model(model: fn(usize, usize) -> &'static str) -> [Files; 2] {
    both(|arm| {
        let record = |i| json!({ "correct": right(arm, i), "model": model(arm, i) });
        let config = format!("model: m\nlr: {arm}\n");
        vec![("quiz.jsonl", records(100, record)), ("config.yaml", config)]
    })
}

/// Runs whose configuration names the judge, and whose records may say otherwise.
fn judged_beside_a_configuration(judge: fn(usize, usize) -> Value) -> [Files; 2] {
    both(|arm| {
        let record = |i| json!({ "correct": right(arm, i), "judge_model": judge(arm, i) });
        vec![("quiz.jsonl", records(100, record)), ("config.yaml", "judge_model: gpt-4o".into())]
    })
}
