//! Differences that are too skewed, or too alike, to carry a verdict, and such that are not; limits
//! that no difference can pass.

use serde_json::json;

use super::Expected::{Holds, Verdict};
use super::{Case, Expected, Files, Runs, case, quiz, records};
use crate::cases::cases;

cases![
    // 0.95^58 > 0.05 > 0.95^59.
    fifty_eight_equal_differences_of_unbounded_scores_are_too_alike =
        case(shifted(58, |_| -0.5), &[], too_skewed("perplexity")),
    fifty_nine_equal_differences_of_unbounded_scores_decide =
        case(shifted(59, |_| -0.5), &[], better("perplexity")),
    eight_differences_of_many_sizes_decide =
        case(shifted(8, |i| -0.1 * (i + 1) as f64), &[], better("perplexity")),
    a_long_side_against_the_mean_is_too_skewed =
        case(shifted(40, |i| if i == 7 { 10.0 } else { sizes(i) }), &[], too_skewed("perplexity")),
    a_long_side_with_the_mean_is_not =
        case(shifted(40, |i| if i == 7 { -16.0 } else { sizes(i) }), &[], better("perplexity")),
    a_few_losses_do_not_show_that_the_others_stay_within_a_margin = case(
        quiz(120, |arm, i| json!({ "f1": 0.6 - change(i, 4).max(0.0) * arm as f64 })),
        &["--margin", "f1=5"],
        vec![
            Holds("f1", "/reason", json!("too-skewed")),
            Holds("f1", "/noninferiority/outcome", json!("inconclusive")),
        ],
    ),
    as_many_gains_beside_them_do = case(
        quiz(120, |arm, i| json!({ "f1": 0.6 + change(i, 8) * arm as f64 })),
        &["--margin", "f1=5"],
        vec![Verdict("f1", "equivalent"), Holds("f1", "/noninferiority/outcome", json!("pass")),],
    ),
    an_interval_ends_at_the_largest_difference_there_can_be = case(
        quiz(6, |arm, i| json!({ "passage": i / 2, "f1": arm as f64 * f64::from(i < 4) })),
        &["--cluster", "passage"],
        vec![Holds("f1", "/delta/ci/1", json!(100.0))],
    ),
];

/// Perplexities of which the candidate's differ by that much.
fn shifted(n: usize, change: impl Fn(usize) -> f64) -> [Files; 2] {
    quiz(n, |arm, i| json!({ "perplexity": 30.0 + (i % 7) as f64 + arm as f64 * change(i) }))
}

/// Gains of 0.2 to 2.2.
fn sizes(i: usize) -> f64 {
    -0.2 - (i * 7 % 11) as f64 / 5.0
}

/// Half of so many samples gain and half lose, by 0.1 to 0.4.
fn change(i: usize, samples: usize) -> f64 {
    let size = 0.1 * (1 + i / 2) as f64;
    match i {
        i if i >= samples => 0.0,
        i if i % 2 == 0 => size,
        _ => -size,
    }
}

fn too_skewed(metric: &'static str) -> Vec<Expected> {
    vec![Verdict(metric, "inconclusive"), Holds(metric, "/reason", json!("too-skewed"))]
}

fn better(metric: &'static str) -> Vec<Expected> {
    vec![Verdict(metric, "better")]
}

fn page(arms: &[Files; 2]) -> String {
    Runs::of(arms).compare(&["--lang", "en", "--format", "md"]).out
}

#[test]
fn what_few_pairs_of_scores_without_bounds_cannot_show_is_told() {
    let told = "may differ by any amount the other way";
    let gains = |n| shifted(n, |i| -0.3 - (i % 5) as f64 / 10.0);
    let limited = "scores without known bounds have no large differences";
    // 3/60 and 3/600.
    for (pairs, share) in [(60, "Up to 5.0%"), (600, "Up to 0.5%")] {
        let page = page(&gains(pairs));
        assert!(page.contains(told) && page.contains(share) && page.contains(limited), "{page}");
    }
    let bounded = quiz(60, |arm, i| json!({ "f1": 0.3 + (i % 7 + 3 * arm) as f64 / 20.0 }));
    assert!(!page(&bounded).contains(told) && !page(&bounded).contains(limited));
    assert!(
        !page(&shifted(60, |i| change(i, 60))).contains(told),
        "no difference, nothing to undo"
    );
}

#[test]
fn the_mean_of_missing_scores_that_would_undo_a_difference_is_told() {
    let told = "the mean difference is gone if";
    let score = |arm: usize, i: usize| {
        let change = arm as f64 * (0.3 + (i % 5) as f64 / 10.0);
        json!({ "perplexity": 30.0 + (i % 7) as f64 - change })
    };
    let arm = |arm: usize, n| vec![("quiz.jsonl", records(n, |i| score(arm, i)))];
    // Fifteen times 2.5 and 1.2 are 38.7, over two.
    let lost = page(&[arm(0, 80), arm(1, 78)]);
    assert!(lost.contains("the 2 missing ones") && lost.contains("average +19.35"), "{lost}");
    assert!(!page(&[arm(0, 80), arm(1, 80)]).contains(told));
}
