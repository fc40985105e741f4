//! Cases of figures that cannot be: infinite and missing scores without bounds, standard errors and
//! percentages that no samples give.

use serde_json::{Value, json};

use super::Expected::{Grade, Holds, Raised, Silent, Verdict};
use super::{Case, Files, both, case, correct, records, right};
use crate::cases::cases;

const REASON: &str = "/reason";

cases![
    a_few_infinite_scores_of_the_candidate_take_its_better_verdict = case(
        perplexities(|_, i| (i % 20 == 3).then(|| json!("inf"))),
        &[],
        vec![
            Raised("R163"),
            Verdict("perplexity", "not-assessable"),
            Holds("perplexity", REASON, json!("infinite-scores")),
            Holds("perplexity", "/candidate/value", Value::Null),
            Holds("perplexity", "/candidate/absent", json!("infinite")),
            Holds("perplexity", "/candidate/n", json!(70)),
        ]
    ),
    infinite_scores_of_most_samples_make_the_candidate_worse = case(
        perplexities(|_, i| (i % 3 > 0).then(|| json!("Infinity"))),
        &[],
        vec![Raised("R163"), Verdict("perplexity", "worse")]
    ),
    a_better_order_beside_a_worse_mean_of_the_finite_scores_is_no_verdict = case(
        loosened(|i| if i % 14 == 5 { 900.0 } else { -1.0 - (i % 5) as f64 }),
        &[],
        vec![Raised("R163"), Holds("perplexity", REASON, json!("infinite-scores"))]
    ),
    a_better_order_beside_a_better_mean_of_the_finite_scores_is_better = case(
        loosened(|i| if i % 14 == 5 { 9.0 } else { -1.0 - (i % 5) as f64 }),
        &[],
        vec![Raised("R163"), Verdict("perplexity", "better")]
    ),
    scores_that_are_infinite_in_both_arms_have_no_difference = case(
        perplexities(|_, _| None).map(infinite_at_the_start),
        &[],
        vec![Raised("R163"), Holds("perplexity", REASON, json!("infinite-scores"))]
    ),
    a_stated_figure_that_is_infinite = case(
        both(|arm| {
            let figure = [json!(21.5), json!("inf")][arm].clone();
            let figure = json!({ "perplexity": figure, "perplexity_stderr": 0.4, "n": 500 });
            vec![("metrics.json", json!({ "news": figure }).to_string())]
        }),
        &[],
        vec![
            Raised("R106"),
            Holds("perplexity", "/candidate/absent", json!("infinite")),
            Holds("perplexity", REASON, json!("infinite-scores")),
        ]
    ),
    finite_scores_are_compared_by_their_mean =
        case(perplexities(|_, _| None), &[], vec![Silent("R163"), Verdict("perplexity", "better")]),
    an_infinite_score_of_a_metric_with_bounds_is_none = case(
        both(|arm| {
            let record = |i: usize| match (arm, i) {
                (1, 7) => json!({ "accuracy": "inf" }),
                _ => json!({ "accuracy": u8::from(i % 5 < [2, 4][arm]) }),
            };
            vec![("quiz.jsonl", records(60, record))]
        }),
        &[],
        vec![Silent("R163"), Raised("R106"), Verdict("accuracy", "better")]
    ),
    missing_scores_without_bounds_leave_a_clear_difference = case(
        perplexities(|_, i| (i % 30 == 3).then(|| json!("nan"))),
        &[],
        vec![Raised("R106"), Silent("R110"), Verdict("perplexity", "better")]
    ),
    missing_scores_without_bounds_undo_a_slight_one = case(
        both(|arm| {
            let score = |i: usize| 20.0 + f64::from(i as u32 % 7) - slight(arm, i);
            let record = |i: usize| match (arm, i % 30) {
                (1, 3) => json!({ "perplexity": null, "error": "timeout" }),
                _ => json!({ "perplexity": score(i) }),
            };
            vec![("quiz.jsonl", records(60, record))]
        }),
        &[],
        vec![
            Verdict("perplexity", "inconclusive"),
            Holds("perplexity", REASON, json!("missing-could-undo")),
        ]
    ),
    the_same_slight_difference_stands_when_nothing_is_missing = case(
        both(|arm| {
            let score = |i: usize| 20.0 + f64::from(i as u32 % 7) - slight(arm, i);
            vec![("quiz.jsonl", records(60, |i| json!({ "perplexity": score(i) })))]
        }),
        &[],
        vec![Verdict("perplexity", "better")]
    ),
    a_standard_error_of_a_tenth_of_that_of_counts = case(
        accuracies([(0.61, 0.002), (0.64, 0.002)]),
        &[],
        vec![Raised("R161"), Holds("accuracy", REASON, json!("impossible-figure"))]
    ),
    a_standard_deviation_in_place_of_a_standard_error = case(
        accuracies([(0.61, 0.487), (0.64, 0.48)]),
        &[],
        vec![Raised("R161"), Holds("accuracy", REASON, json!("impossible-figure"))]
    ),
    a_standard_error_of_three_fifths_of_the_standard_deviation = case(
        accuracies([(0.81, 0.0175), (0.5, 0.32)]),
        &[],
        vec![Raised("R161"), Holds("accuracy", REASON, json!("impossible-figure"))]
    ),
    a_standard_error_of_0 = case(
        accuracies([(0.61, 0.0), (0.64, 0.0)]),
        &[],
        vec![Raised("R161"), Verdict("accuracy", "not-assessable")]
    ),
    standard_errors_of_counts_and_of_clusters = case(
        accuracies([(0.61, 0.0218), (0.75, 0.05)]),
        &[],
        vec![Silent("R161"), Verdict("accuracy", "better")]
    ),
    a_standard_error_of_strata_is_a_little_smaller = case(
        accuracies([(0.61, 0.0175), (0.75, 0.016)]),
        &[],
        vec![Silent("R161"), Verdict("accuracy", "better")]
    ),
    a_small_standard_error_of_partial_credit = case(
        both(|arm| {
            let bleu = [31.0, 34.0][arm];
            let figure = json!({ "bleu": bleu, "bleu_stderr": 0.4, "n": 500 });
            vec![("metrics.json", json!({ "news": figure }).to_string())]
        }),
        &[],
        vec![Silent("R161"), Verdict("bleu", "better")]
    ),
    a_percentage_that_no_count_gives = case(
        percentages([57.3, 67.3]),
        &[],
        vec![Raised("R130"), Holds("accuracy", REASON, json!("impossible-figure"))]
    ),
    a_percentage_that_a_count_gives =
        case(percentages([57.5, 67.5]), &[], vec![Silent("R130"), Verdict("accuracy", "better")]),
    a_part_that_the_limit_of_the_candidate_chose = case(
        both(|arm| part(arm, "limit: 200\n")),
        &[],
        vec![
            Raised("R164"),
            Silent("R212"),
            Silent("R201"),
            Grade("as-declared"),
            Verdict("correct", "better"),
            Holds("correct", "/bounds", Value::Null),
        ]
    ),
    a_part_that_is_not_the_first_one_whatever_the_limit = case(
        both(|arm| {
            let [(name, _), text] =
                <[_; 2]>::try_from(part(arm, "limit: 200\n")).expect("samples and settings");
            let samples = records(500, |i| correct(arm, i));
            let kept = samples.split_inclusive('\n').skip([0, 300][arm]);
            vec![(name, kept.collect()), text]
        }),
        &[],
        vec![Raised("R212"), Silent("R164")]
    ),
    a_part_that_no_limit_chose = case(
        both(|arm| part(arm, "")),
        &[],
        vec![Raised("R212"), Silent("R164"), Holds("correct", REASON, json!("blocked: R212"))]
    ),
    a_part_smaller_than_the_limit =
        case(both(|arm| part(arm, "limit: 300\n")), &[], vec![Raised("R212"), Silent("R164")]),
    a_part_that_the_limit_of_several_runs_chose = case(
        both(|arm| {
            let [(_, samples), (_, text)] =
                <[_; 2]>::try_from(part(arm, "limit: 200\n")).expect("samples and settings");
            vec![
                ("seed-1/quiz.jsonl", samples.clone()),
                ("seed-1/config.yaml", format!("{text}seed: 1\n")),
                ("seed-2/quiz.jsonl", samples),
                ("seed-2/config.yaml", format!("{text}seed: 2\n")),
            ]
        }),
        &[],
        vec![Raised("R212"), Silent("R164")]
    ),
    aggregates_of_far_apart_sizes_without_a_dataset = case(
        both(|arm| sizes(arm, "")),
        &[],
        vec![Raised("R287"), Holds("accuracy", REASON, json!("blocked: R287"))]
    ),
    aggregates_of_a_part_that_the_limit_chose = case(
        both(|arm| sizes(arm, "limit: 200\n")),
        &[],
        vec![Silent("R287"), Raised("R228"), Verdict("accuracy", "better")]
    ),
    a_share_that_its_samples_prove_under_a_declared_percentage = case(
        both(|arm| declared(arm, [0.4, 0.8][arm], None)),
        PERCENT,
        vec![
            Raised("R162"),
            Silent("R221"),
            Verdict("my_acc", "better"),
            Holds("my_acc", "/candidate/value", json!(0.8)),
        ]
    ),
    a_percentage_as_declared_beside_its_samples = case(
        both(|arm| declared(arm, [40.0, 80.0][arm], None)),
        PERCENT,
        vec![Silent("R162"), Silent("R221"), Verdict("my_acc", "better")]
    ),
    one_partial_score_among_outcomes_leaves_them_shares = case(
        both(|arm| declared(arm, [40.5, 79.5][arm], Some(0.5))),
        PERCENT,
        vec![Holds("my_acc", "/unit", json!("fraction")), Verdict("my_acc", "better")]
    ),
];

const PERCENT: &[&str] = &["--config", "fixtures/cases/share_under_percent/runs/reportgen.toml"];

/// 500 samples of the baseline and the first 200 in the candidate.
fn part(arm: usize, config: &'static str) -> Files {
    let samples = records([500, 200][arm], |i| correct(arm, i));
    let config = format!("model: tiny\n{}", if arm == 1 { config } else { "" });
    vec![("quiz.jsonl", samples), super::config(config)]
}

fn sizes(arm: usize, config: &'static str) -> Files {
    let (accuracy, n) = [(0.572, 500), (0.69, 200)][arm];
    let figure = json!({ "accuracy": accuracy, "n": n });
    let config = format!("model: tiny\n{}", if arm == 1 { config } else { "" });
    vec![("metrics.json", figure.to_string()), super::config(config)]
}

/// Samples of a metric that the user declares as a percentage, and its aggregate.
fn declared(arm: usize, stated: f64, first: Option<f64>) -> Files {
    let record = |i: usize| match first.filter(|_| i == 0) {
        Some(score) => json!({ "my_acc": score }),
        None => json!({ "my_acc": u8::from(right(arm, i)) }),
    };
    let figure = json!({ "my_acc": stated, "n": 100 });
    vec![("quiz.jsonl", records(100, record)), ("metrics.json", figure.to_string())]
}

/// Texts on which the candidate is clearly better; `other` takes the place of its scores.
fn perplexities(other: impl Fn(usize, usize) -> Option<Value>) -> [Files; 2] {
    both(|arm| {
        let score =
            |i: usize| 20.0 + (i % 7) as f64 - if arm == 1 { 2.0 + (i % 5) as f64 } else { 0.0 };
        let record = |i: usize| {
            let other = other(arm, i).filter(|_| arm == 1);
            json!({ "perplexity": other.unwrap_or_else(|| json!(score(i))) })
        };
        vec![("quiz.jsonl", records(70, record))]
    })
}

/// Texts of which the baseline finds one impossible and the candidate none; the others move.
fn loosened(change: impl Fn(usize) -> f64) -> [Files; 2] {
    both(|arm| {
        let record = |i: usize| match (arm, i) {
            (0, 0) => json!({ "perplexity": "inf" }),
            _ => json!({ "perplexity": 20.0 + (i % 7) as f64 + arm as f64 * change(i) }),
        };
        vec![("quiz.jsonl", records(70, record))]
    })
}

/// The same samples with an infinite score in the first record.
fn infinite_at_the_start(mut files: Files) -> Files {
    for (_, text) in &mut files {
        let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
        *text = format!("{}\n{rest}", json!({ "id": "q0", "perplexity": "inf" }));
    }
    files
}

/// How much lower the candidate's score is: by 0.2 on average, give or take 0.6.
fn slight(arm: usize, i: usize) -> f64 {
    if arm == 1 { 0.2 + 1.0 - (i * 7 % 11) as f64 / 5.0 } else { 0.0 }
}

/// Results of a harness over 500 samples.
fn accuracies(figures: [(f64, f64); 2]) -> [Files; 2] {
    both(|arm| {
        let (accuracy, stderr) = figures[arm];
        let results = json!({
            "results": { "hellaswag": { "acc,none": accuracy, "acc_stderr,none": stderr } },
            "n-samples": { "hellaswag": { "original": 500, "effective": 500 } },
            "config": { "model": "tiny" },
        });
        vec![("results.json", results.to_string())]
    })
}

fn percentages(figures: [f64; 2]) -> [Files; 2] {
    both(|arm| {
        let figure = json!({ "hellaswag": { "accuracy": figures[arm], "n": 200 } });
        vec![("metrics.json", figure.to_string())]
    })
}
