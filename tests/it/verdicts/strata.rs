//! Cases of samples that differ by their kind or their place and share nothing else: parts of the
//! dataset, and files sorted by difficulty.

use serde_json::json;

use super::Expected::{Raised, Silent, Verdict};
use super::neighbours::{name, scattered};
use super::{Case, Files, case, quiz};
use crate::cases::cases;

cases![
    kinds_of_which_two_win_take_no_verdict = case(
        won_by_two("category"),
        &[],
        vec![Silent("R294"), Raised("R295"), Verdict("correct", "better")]
    ),
    sources_of_which_two_win_take_the_verdict = case(
        won_by_two("source"),
        &[],
        vec![Raised("R294"), Silent("R295"), Verdict("correct", "inconclusive")]
    ),
    kinds_of_few_samples_are_clusters = case(
        quiz(120, |arm, i| {
            let i = scattered(i, 120);
            json!({ "id": name(i), "category": format!("kind {}", i / 15), "correct": super::clusters::swing(i / 15, i, arm) })
        }),
        &[],
        vec![Raised("R294"), Verdict("correct", "inconclusive")]
    ),
    a_file_sorted_by_difficulty_leaves_the_verdict =
        case(sorted(|i| i), &[], vec![Silent("R297"), Verdict("correct", "better")]),
];

/// Eight kinds of 40 samples each, of which the candidate gains in two and nowhere else.
fn won_by_two(field: &'static str) -> [Files; 2] {
    quiz(320, |arm, i| {
        let i = scattered(i, 320);
        let (kind, at) = (i % 8, i / 8);
        let gained = arm == 1 && kind < 2 && at % 4 > 0;
        json!({ "id": name(i), field: format!("kind {kind}"), "correct": at % 2 == 0 || gained })
    })
}

/// The easiest sample first: the harder it is, the more often the candidate alone is right.
fn sorted(place: impl Fn(usize) -> usize) -> [Files; 2] {
    quiz(400, |arm, i| {
        let i = place(i);
        let ease = 400 - i;
        let right = (i * 173) % 400 < ease;
        let gained = arm == 1 && (i * 89) % 400 < i / 3;
        let lost = arm == 1 && (i * 53) % 400 < 12;
        json!({ "id": name(i), "correct": (right || gained) && !lost })
    })
}
