//! Differences that are too skewed, or too alike, to carry a verdict, and such that are not; limits
//! that no difference can pass.

use serde_json::json;

use super::Expected::{Holds, Verdict};
use super::{Case, Expected, Files, case, quiz};
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
