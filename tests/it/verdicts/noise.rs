//! Runs that repeat the baseline: what they do to a verdict, and when they do not count. Files below
//! `../rerun-1` and others are runs named with `--noise`.

use serde_json::json;

use super::{
    Case, Files, Gate, Grade, Holds, Quiet, Raised, Silent, Status, Verdict, case, config, records,
};
use crate::cases::cases;

const REPEATS: [[&str; 2]; 2] = [
    ["../rerun-1/config.yaml", "../rerun-1/quiz.jsonl"],
    ["../rerun-2/config.yaml", "../rerun-2/quiz.jsonl"],
];

const VARY: &[&str] = &["--vary", "dropout"];

/// How a run answers: the numbers of the questions that it gets right are below this.
type Right = usize;

fn settings(dropout: f64, seed: usize) -> String {
    format!("dropout: {dropout}\ntemperature: 0.7\nseed: {seed}\noutput_dir: out/{seed}\n")
}

fn answers(right: Right) -> String {
    records(100, |i| json!({ "correct": i < right, "prompt": format!("What is {i} + {i}?") }))
}

/// A baseline, a candidate with another dropout, and two runs that repeat the baseline; of 100
/// questions, how many each gets right.
fn runs(right: [Right; 2], repeats: [Right; 2]) -> [Files; 2] {
    let own = |dropout, right| vec![config(settings(dropout, 1)), ("quiz.jsonl", answers(right))];
    let mut baseline = own(0.1, right[0]);
    for (position, [settings_of, samples]) in REPEATS.into_iter().enumerate() {
        baseline.push((settings_of, settings(0.1, position + 2)));
        baseline.push((samples, answers(repeats[position])));
    }
    [baseline, own(0.2, right[1])]
}

/// The same with one file of the second repeat changed.
fn changed(arms: [Files; 2], name: &str, edit: impl Fn(&str) -> String) -> [Files; 2] {
    let [mut baseline, candidate] = arms;
    for (below, content) in &mut baseline {
        if *below == format!("../rerun-2/{name}") {
            *content = edit(content);
        }
    }
    [baseline, candidate]
}

/// Two seeds of one configuration, and what else the second one writes.
fn seeds(further: &str) -> [Files; 2] {
    [1, 2].map(|seed| {
        let more = if seed == 2 { further } else { "" };
        let text = format!("{}np_seed: {seed}\n{more}", settings(0.1, seed));
        vec![config(text), ("quiz.jsonl", answers(50 + 20 * (seed - 1)))]
    })
}

cases![
    a_drop_that_another_run_of_the_baseline_could_make = case(
        runs([50, 40], [58, 44]),
        &["--vary", "dropout", "--fail-on", "regression"],
        vec![
            Grade("as-declared"),
            Quiet,
            Silent("R254"),
            Silent("R255"),
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("within-noise")),
            Holds("correct", "/noise/runs", json!(3)),
            Holds("correct", "/noise/df", json!(2)),
            Holds("correct", "/noise/items", json!(100)),
            Holds("correct", "/noise/within", json!(true)),
            Holds("correct", "/noise/range", json!([0.44, 0.58])),
            Gate("regression", "inconclusive"),
            Status(0),
        ]
    ),
    a_drop_that_the_noise_of_the_baseline_does_not_make = case(
        runs([50, 40], [51, 50]),
        &["--vary", "dropout", "--fail-on", "regression"],
        vec![
            Verdict("correct", "worse"),
            Holds("correct", "/noise/within", json!(false)),
            Gate("regression", "fail"),
            Status(1),
        ]
    ),
    a_baseline_that_says_the_same_each_time = case(
        runs([50, 60], [50, 50]),
        VARY,
        vec![
            Verdict("correct", "better"),
            Holds("correct", "/noise/deterministic", json!(true)),
            Holds("correct", "/noise/floor", json!(0.0)),
        ]
    ),
    an_equivalence_that_another_run_of_the_baseline_could_break = case(
        runs([50, 50], [58, 44]),
        &["--vary", "dropout", "--margin", "correct=8pp"],
        vec![
            Verdict("correct", "identical"),
            Holds("correct", "/noninferiority/outcome", json!("inconclusive")),
        ]
    ),
    a_small_difference_within_a_margin_that_is_smaller_than_the_noise = case(
        runs([50, 51], [58, 44]),
        &["--vary", "dropout", "--margin", "correct=8pp"],
        vec![
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("noise-beyond-margin")),
        ]
    ),
    a_small_difference_within_a_margin_that_is_larger_than_the_noise = case(
        runs([50, 51], [51, 50]),
        &["--vary", "dropout", "--margin", "correct=8pp"],
        vec![Verdict("correct", "equivalent")]
    ),
    a_repeat_with_another_temperature = case(
        changed(runs([50, 40], [51, 50]), "config.yaml", |text| text.replace("0.7", "1.0")),
        VARY,
        vec![Grade("as-declared"), Raised("R254"), Silent("R255")]
    ),
    a_repeat_on_other_questions = case(
        changed(runs([50, 40], [58, 44]), "quiz.jsonl", |text| text
            .replace("What is", "How much is")),
        VARY,
        vec![
            Grade("as-declared"),
            Raised("R255"),
            Silent("R254"),
            Holds("correct", "/noise/runs", json!(2)),
        ]
    ),
    a_repeat_that_stopped_early = case(
        changed(runs([50, 40], [58, 44]), "quiz.jsonl", |text| {
            text.split_inclusive('\n').take(60).collect()
        }),
        VARY,
        vec![
            Grade("as-declared"),
            Raised("R255"),
            Silent("R212"),
            Holds("correct", "/noise/runs", json!(2)),
        ]
    ),
    a_copy_of_the_baseline_named_as_its_noise = case(
        copy_of(0),
        VARY,
        vec![Raised("R256"), Silent("R255"), Holds("correct", "/noise/runs", json!(2))]
    ),
    a_copy_of_the_candidate_named_as_noise_of_the_baseline = case(
        copy_of(1),
        VARY,
        vec![Raised("R256"), Raised("R254"), Holds("correct", "/noise/runs", json!(2))]
    ),
    a_run_with_the_setting_of_the_candidate_named_as_noise_of_the_baseline = case(
        changed(runs([50, 40], [51, 42]), "config.yaml", |text| {
            text.replace("dropout: 0.1", "dropout: 0.2")
        }),
        VARY,
        vec![
            Raised("R254"),
            Raised("R255"),
            Silent("R256"),
            Holds("correct", "/noise/runs", json!(2)),
        ]
    ),
    the_baseline_named_as_its_own_noise = case(
        runs([50, 40], [51, 50]),
        &["--vary", "dropout", "--noise", "BASELINE"],
        vec![
            Raised("R256"),
            Verdict("correct", "worse"),
            Holds("correct", "/noise/runs", json!(3)),
        ]
    ),
    arms_of_several_runs_whose_spread_is_known = case(
        arms_of_two(),
        VARY,
        vec![Raised("R257"), Silent("R254"), Holds("correct", "/noise", json!(null))]
    ),
    two_seeds_of_one_configuration = case(
        seeds(""),
        &[],
        vec![Grade("as-declared"), Raised("R258"), Verdict("correct", "better")]
    ),
    two_seeds_and_another_learning_rate = case(seeds("lr: 2\n"), &[], vec![Silent("R258")]),
    a_declared_factor_beside_one_seed =
        case(runs([50, 40], [51, 50]), VARY, vec![Silent("R258"), Silent("R256"), Silent("R257")]),
];

/// The second repeat is a copy of that arm.
fn copy_of(arm: usize) -> [Files; 2] {
    let mut arms = runs([50, 40], [51, 49]);
    let [settings_of, samples] = [0, 1].map(|file| arms[arm][file].1.clone());
    for (below, content) in &mut arms[0] {
        match *below {
            "../rerun-2/config.yaml" => content.clone_from(&settings_of),
            "../rerun-2/quiz.jsonl" => content.clone_from(&samples),
            _ => {}
        }
    }
    arms
}

/// Arms of two runs each, beside two runs that repeat the baseline.
fn arms_of_two() -> [Files; 2] {
    let mut arms = runs([50, 70], [51, 49]);
    for (arm, files) in arms.iter_mut().enumerate() {
        files.retain(|(below, _)| below.starts_with(".."));
        let paths = [
            ["seed-1/config.yaml", "seed-1/quiz.jsonl"],
            ["seed-2/config.yaml", "seed-2/quiz.jsonl"],
        ];
        for (seed, [settings_of, samples]) in paths.into_iter().enumerate() {
            files.push((settings_of, settings([0.1, 0.2][arm], seed + 1)));
            files.push((samples, answers(50 + 20 * arm + seed)));
        }
    }
    arms
}
