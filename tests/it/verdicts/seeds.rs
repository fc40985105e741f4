//! Arms of several trainings: what one run of an arm can do to the verdict of the arm.

use serde_json::json;

use super::{
    Case, Files, Gate, Grade, Holds, Quiet, Raised, Runs, Silent, Verdict, case, cell, config,
    records, right,
};
use crate::cases::cases;

/// Paths of the runs of an arm, below the arm.
const RUNS: [[&str; 3]; 3] = [
    ["seed-1/config.yaml", "seed-1/quiz.jsonl", "seed-1/metrics.json"],
    ["seed-2/config.yaml", "seed-2/quiz.jsonl", "seed-2/metrics.json"],
    ["seed-3/config.yaml", "seed-3/quiz.jsonl", "seed-3/metrics.json"],
];

const VARY: &[&str] = &["--vary", "arm"];

/// One file of a run: the arm, the seed from 1, and the content that all runs would have.
type Edit = fn(usize, usize, &str) -> String;

fn kept(_: usize, _: usize, content: &str) -> String {
    content.to_owned()
}

/// Three runs of each arm with the same 60 questions; each seed errs on some of its own.
fn quizzes(edit_config: Edit, edit_samples: Edit) -> [Files; 2] {
    let run = |arm: usize, seed: usize| {
        let [settings, samples, _] = RUNS[seed - 1];
        let (_, text) = config(format!("arm: {arm}\nbatch_size: 32\nseed: {seed}\n"));
        let outcome = |i: usize| right(arm, i) ^ (i % 20 == 3 * seed + arm);
        let lines = records(
            60,
            |i| json!({ "correct": outcome(i), "prompt": format!("What is {i} + {i}?") }),
        );
        [(settings, edit_config(arm, seed, &text)), (samples, edit_samples(arm, seed, &lines))]
    };
    [0, 1].map(|arm| (1..=3).flat_map(|seed| run(arm, seed)).collect())
}

/// Three runs of each arm with an accuracy each, or without, and another figure.
fn figures(accuracies: [[Option<f64>; 3]; 2]) -> [Files; 2] {
    let run = |arm: usize, seed: usize, accuracy: Option<f64>| {
        let [settings, _, metrics] = RUNS[seed];
        let (_, text) = config(format!("arm: {arm}\nseed: {seed}\n"));
        let figures = json!({ "accuracy": accuracy, "f1": (10 * arm + seed) as f64 / 100.0 });
        [(settings, text), (metrics, figures.to_string())]
    };
    [0, 1].map(|arm| (0..3).flat_map(|seed| run(arm, seed, accuracies[arm][seed])).collect())
}

/// The same content but for one run of the candidate.
fn of_last(arm: usize, seed: usize) -> bool {
    (arm, seed) == (1, 3)
}

/// So many runs of each arm over passages of six questions, named in that field: two of three gained
/// whole and the others lost, or each gained as the questions are.
fn passages(field: &str, runs: usize, whole: bool) -> [Files; 2] {
    let run = |arm: usize, seed: usize| {
        let [settings, samples, _] = RUNS[seed - 1];
        let (_, text) = config(format!("arm: {arm}\nseed: {seed}\n"));
        let outcome = |i: usize| {
            let gained = (i / 6 % 3 != 2) == (arm == 1);
            let right = if whole { gained } else { right(arm, i) };
            // The second seed errs on one more, or the figures of two runs would have no spread.
            right ^ (i % 20 == 3 * seed + arm || i == 59 && seed == 2)
        };
        let lines = records(60, |i| {
            let mut record = json!({ "correct": outcome(i) });
            record[field] = json!(i / 6);
            record
        });
        [(settings, text), (samples, lines)]
    };
    [0, 1].map(|arm| (1..=runs).flat_map(|seed| run(arm, seed)).collect())
}

cases![
    passages_that_are_gained_and_lost_whole_are_the_items_beside_seeds = case(
        passages("passage_id", 3, true),
        VARY,
        vec![
            Verdict("correct", "inconclusive"),
            Holds("correct", "/test/method", json!("crossed-t")),
        ]
    ),
    passages_that_are_gained_and_lost_whole_are_the_items_beside_two_seeds = case(
        passages("passage_id", 2, true),
        VARY,
        vec![
            Verdict("correct", "inconclusive"),
            Holds("correct", "/test/method", json!("crossed-t")),
        ]
    ),
    topics_that_are_gained_and_lost_whole_over_all_seeds_may_be_clusters = case(
        passages("topic", 3, true),
        VARY,
        vec![
            Raised("R294"),
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("hidden-clusters")),
        ]
    ),
    topics_that_are_gained_and_lost_whole_over_two_seeds_may_be_clusters = case(
        passages("topic", 2, true),
        VARY,
        vec![Raised("R294"), Holds("correct", "/reason", json!("hidden-clusters"))]
    ),
    topics_that_the_user_names_are_the_items_beside_seeds = case(
        passages("topic", 3, true),
        &["--vary", "arm", "--cluster", "topic"],
        vec![Silent("R294"), Verdict("correct", "inconclusive")]
    ),
    topics_that_are_gained_alike_hide_no_clusters_over_seeds = case(
        passages("topic", 3, false),
        VARY,
        vec![Silent("R294"), Quiet, Verdict("correct", "better")]
    ),
    topics_that_are_gained_alike_hide_no_clusters_over_two_seeds = case(
        passages("topic", 2, false),
        VARY,
        vec![
            Silent("R294"),
            Verdict("correct", "better"),
            Holds("correct", "/test/method", json!("welch-t")),
        ]
    ),
    passages_that_are_gained_alike_leave_the_verdict_over_seeds = case(
        passages("passage_id", 3, false),
        VARY,
        vec![Verdict("correct", "better"), Holds("correct", "/test/method", json!("crossed-t"))]
    ),
    a_clear_effect_over_seeds_and_questions = case(
        quizzes(kept, kept),
        VARY,
        vec![
            Grade("as-declared"),
            Quiet,
            Silent("R252"),
            Verdict("correct", "better"),
            Holds("correct", "/test/method", json!("crossed-t")),
            Holds("correct", "/pairing/unit", json!("seed")),
            Holds("correct", "/pairing/items", json!(60)),
            Holds("correct", "/candidate/n", json!(3)),
            Holds("correct", "/candidate/seeds/2/seed", json!("3")),
        ]
    ),
    a_run_of_an_arm_with_another_batch_size = case(
        quizzes(last_batch, kept),
        VARY,
        vec![Grade("confounded"), Raised("R250"), Verdict("correct", "better")]
    ),
    a_seed_recorded_twice = case(
        quizzes(last_seed, kept),
        VARY,
        vec![
            Grade("not-comparable"),
            Raised("R269"),
            Silent("R252"),
            Holds("correct", "/reason", json!("blocked: R269")),
        ]
    ),
    a_seed_of_the_harness_recorded_for_several_checkpoints = case(
        quizzes(checkpoints, kept),
        VARY,
        vec![Raised("R252"), Silent("R269"), Verdict("correct", "better")]
    ),
    the_same_results_given_as_two_seeds = case(
        given_twice(),
        VARY,
        vec![Grade("not-comparable"), Raised("R251"), Verdict("correct", "not-assessable")]
    ),
    one_run_against_three = case(
        one_against_three(),
        VARY,
        vec![
            Raised("R253"),
            Verdict("correct", "not-assessable"),
            Holds("correct", "/reason", json!("one-seed")),
        ]
    ),
    a_run_of_an_arm_that_stopped_early = case(
        quizzes(kept, cut_short),
        VARY,
        vec![
            Grade("not-comparable"),
            Raised("R212"),
            Verdict("correct", "not-assessable"),
            Holds("correct", "/reason", json!("blocked: R212")),
        ]
    ),
    a_run_of_an_arm_over_other_questions = case(
        quizzes(kept, other_questions),
        VARY,
        vec![
            Grade("not-comparable"),
            Raised("R213"),
            Holds("correct", "/reason", json!("blocked: R213")),
        ]
    ),
    one_figure_for_each_seed = case(
        figures([[0.50, 0.51, 0.52], [0.60, 0.61, 0.62]].map(|arm| arm.map(Some))),
        VARY,
        vec![
            Grade("as-declared"),
            Silent("R253"),
            Verdict("accuracy", "better"),
            Holds("accuracy", "/test/method", json!("welch-t")),
            Holds("accuracy", "/notes", json!(["normality-assumed", "few-seeds"])),
        ]
    ),
    a_seed_without_the_figure = case(
        figures([[Some(0.50), Some(0.51), Some(0.52)], [Some(0.60), None, Some(0.62)]]),
        &["--vary", "arm", "--fail-on", "missing"],
        vec![
            Verdict("accuracy", "not-assessable"),
            Holds("accuracy", "/reason", json!("seed-missing")),
            Gate("missing", "not-gateable"),
            Holds("accuracy", "/candidate/n", json!(2)),
            Holds("accuracy", "/candidate/seeds/1/value", json!(null)),
        ]
    ),
    seeds_that_all_give_the_same = case(
        figures([[Some(0.5); 3], [Some(0.5); 3]]),
        VARY,
        vec![Verdict("accuracy", "identical")]
    ),
    seeds_that_give_the_same_in_each_arm = case(
        figures([[Some(0.5); 3], [Some(0.6); 3]]),
        VARY,
        vec![
            Verdict("accuracy", "not-assessable"),
            Holds("accuracy", "/reason", json!("no-spread")),
        ]
    ),
];

fn last_batch(arm: usize, seed: usize, text: &str) -> String {
    if of_last(arm, seed) { text.replace("32", "64") } else { text.to_owned() }
}

fn last_seed(arm: usize, seed: usize, text: &str) -> String {
    if of_last(arm, seed) { text.replace("seed: 3", "seed: 2") } else { text.to_owned() }
}

fn checkpoints(arm: usize, seed: usize, text: &str) -> String {
    text.replace(&format!("seed: {seed}"), "seed: 0") + &format!("model_path: out/{arm}-{seed}\n")
}

fn cut_short(arm: usize, seed: usize, lines: &str) -> String {
    let kept = if of_last(arm, seed) { 30 } else { 60 };
    lines.split_inclusive('\n').take(kept).collect()
}

fn other_questions(arm: usize, seed: usize, lines: &str) -> String {
    if of_last(arm, seed) { lines.replace("What is", "How much is") } else { lines.to_owned() }
}

/// The last run of the candidate has the samples of its first.
fn given_twice() -> [Files; 2] {
    let mut arms = quizzes(kept, kept);
    let first = arms[1][1].1.clone();
    arms[1][5].1 = first;
    arms
}

/// The baseline has one run.
fn one_against_three() -> [Files; 2] {
    let mut arms = quizzes(kept, kept);
    arms[0].truncate(2);
    arms
}

/// Three runs of each arm with the same 200 questions, of which the baseline answers the first 100
/// and the candidate `right` more, each seed in its own way off by two; one run, given by arm and
/// seed, lacks the answers to the last `lacking` questions, or their records altogether.
fn lacking_answers(
    right: usize,
    lacking: usize,
    of: (usize, usize),
    without_record: bool,
) -> [Files; 2] {
    [0, 1].map(|arm| {
        let run = |seed: usize| {
            let [settings, samples, _] = RUNS[seed - 1];
            let (_, text) = config(format!("arm: {arm}\nseed: {seed}\n"));
            let score = |i: usize| (i < 100 + arm * right) ^ (i % 100 == 7 * seed + 3 * arm);
            let lacks = |i: usize| (arm, seed) == of && i >= 200 - lacking;
            let last = if without_record && (arm, seed) == of { 200 - lacking } else { 200 };
            let record = |i: usize| json!({ "correct": (!lacks(i)).then(|| score(i)) });
            [(settings, text), (samples, records(last, record))]
        };
        (1..=3).flat_map(run).collect()
    })
}

#[test]
fn each_further_missing_answer_makes_a_verdict_over_seeds_weaker_and_never_firmer() {
    for right in [8, 12, 14, 16, 40] {
        let held: Vec<bool> = (0..=8)
            .map(|lacking| {
                let report = Runs::of(&lacking_answers(right, lacking, (1, 3), false))
                    .report(&[VARY, &["--cluster", "none"]].concat());
                cell(&report, "correct")["verdict"] == "better"
            })
            .collect();
        assert!(held.is_sorted_by(|before, after| before >= after), "{right}: {held:?}");
        if right == 40 {
            assert!(held.iter().all(|held| *held), "a clear effect outlives a few: {held:?}");
        }
    }
}

#[test]
fn missing_answers_of_seeds_bound_the_difference_over_all_questions_asked() {
    // By counting: each run is right on the first questions, 100 or 140, but for the two or three
    // that it is off on. The last three questions are wrong in every run, so one run's three
    // missing answers are worth 100 · 3/200/3 points.
    let share = |arm: usize, seed: usize| {
        let all = (0..200).filter(|i| (*i < 100 + arm * 40) ^ (i % 100 == 7 * seed + 3 * arm));
        all.count() as f64 / 200.0
    };
    let mean = |arm: usize| (1..=3).map(|seed| share(arm, seed)).sum::<f64>() / 3.0;
    let delta = 100.0 * (mean(1) - mean(0));
    let moved = 100.0 * 3.0 / 200.0 / 3.0;
    for (of, without_record, worst, best, all_right) in [
        ((1, 3), false, delta, delta + moved, delta + moved),
        ((1, 3), true, delta, delta + moved, delta + moved),
        ((0, 2), true, delta - moved, delta, delta - moved),
        ((0, 1), false, delta - moved, delta, delta - moved),
        ((0, 1), true, delta - moved, delta, delta - moved),
    ] {
        let report = Runs::of(&lacking_answers(40, 3, of, without_record)).report(VARY);
        let found = cell(&report, "correct");
        let bounds = &found["bounds"];
        assert_eq!(
            (&bounds["asked"], &bounds["lost"], &bounds["survives"]),
            (&json!(200), &json!(3), &json!(true)),
            "{found}"
        );
        assert_eq!(bounds["completed_only"], found["delta"]["absolute"]);
        for (key, expected) in
            [("worst", worst), ("all_wrong", delta), ("best", best), ("all_right", all_right)]
        {
            let value = bounds[key].as_f64().expect("a figure");
            assert!((value - expected).abs() < 1e-9, "{of:?} {key}: {value} and {expected}");
        }
    }
}
