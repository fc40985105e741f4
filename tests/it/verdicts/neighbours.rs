//! Cases of samples that stand next to each other and are alike, or are not.

use serde_json::json;

use super::Expected::{Holds, Quiet, Raised, Silent, Verdict};
use super::clusters::swing;
use super::{Case, case, quiz};
use crate::cases::cases;

cases![
    neighbours_in_the_file_that_win_and_lose_together_take_the_verdict = case(
        quiz(120, |arm, i| json!({ "id": name(i), "correct": swing(i / 10, i, arm) })),
        &[],
        vec![
            Raised("R297"),
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("hidden-clusters")),
        ]
    ),
    neighbours_by_their_numbers_are_found_in_a_file_of_another_order = case(
        quiz(120, |arm, i| {
            let i = scattered(i, 120);
            json!({ "id": i, "correct": swing(i / 10, i, arm) })
        }),
        &[],
        vec![Raised("R297"), Verdict("correct", "inconclusive")]
    ),
    neighbours_by_a_number_of_theirs_are_found_too = case(
        quiz(120, |arm, i| {
            let i = scattered(i, 120);
            json!({ "id": name(i), "start_sec": 7.5 * i as f64, "correct": swing(i / 10, i, arm) })
        }),
        &[],
        vec![
            Raised("R297"),
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("hidden-clusters")),
        ]
    ),
    numbers_that_say_nothing_of_the_differences_leave_the_verdict = case(
        quiz(120, |arm, i| {
            let i = scattered(i, 120);
            json!({ "id": name(i), "start_sec": scattered(i, 120), "correct": swing(i / 10, i, arm) })
        }),
        &[],
        vec![Silent("R297"), Quiet, Verdict("correct", "better")]
    ),
    samples_in_no_order_leave_the_verdict = case(
        quiz(120, |arm, i| {
            let i = scattered(i, 120);
            json!({ "id": name(i), "correct": swing(i / 10, i, arm) })
        }),
        &[],
        vec![Silent("R297"), Quiet, Verdict("correct", "better")]
    ),
    a_file_in_the_order_of_the_scores_leaves_the_verdict = case(
        quiz(120, |arm, i| json!({ "id": name(i), "correct": i < [50, 80][arm] })),
        &[],
        vec![Silent("R297"), Quiet, Verdict("correct", "better")]
    ),
    neighbours_whose_clear_effect_stands_with_blocks_of_them_are_not_told = case(
        quiz(
            240,
            |arm, i| json!({ "id": name(i), "correct": (i / 4).is_multiple_of(8) || arm == 1 && i / 4 % 8 < 7 })
        ),
        &[],
        vec![Silent("R297"), Quiet, Verdict("correct", "better")]
    ),
    who_says_that_neighbours_are_independent_has_the_verdict = case(
        quiz(120, |arm, i| json!({ "id": name(i), "correct": swing(i / 10, i, arm) })),
        &["--cluster", "none"],
        vec![Silent("R297"), Verdict("correct", "better")]
    ),
];

/// An id that says nothing of its place.
pub(super) fn name(i: usize) -> String {
    format!("{:x}", mixed(i))
}

/// `SplitMix64`.
fn mixed(i: usize) -> u64 {
    let mut x = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// So many samples in an order in which no neighbours belong together.
pub(crate) fn scattered_order(samples: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..samples).collect();
    order.sort_by_key(|&i| mixed(i));
    order
}

/// Which of so many samples stands at that place of such an order.
pub(super) fn scattered(place: usize, samples: usize) -> usize {
    scattered_order(samples)[place]
}
