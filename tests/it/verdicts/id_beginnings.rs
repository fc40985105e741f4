//! Cases whose ids say which samples belong together, or seem to.

use serde_json::json;

use super::Expected::{Holds, Quiet, Raised, Silent, Verdict};
use super::clusters::{swing, swinging};
use super::neighbours::scattered;
use super::{Case, Files, case, quiz};
use crate::cases::cases;

/// 120 samples that are won and lost by tens, with these ids.
fn named(id: impl Fn(usize) -> String) -> [Files; 2] {
    swinging(|i| i / 10, |i| json!({ "id": id(i) }))
}

/// 120 samples that are won and lost whatever their ids are.
fn unrelated(id: impl Fn(usize) -> String) -> [Files; 2] {
    quiz(120, |arm, i| {
        let other = scattered(i, 120);
        json!({ "id": id(i), "correct": swing(other / 10, other, arm) })
    })
}

/// 120 samples with these ids: six of ten gained in three quarters of the tens, none elsewhere.
fn named_gains(id: impl Fn(usize) -> String) -> [Files; 2] {
    quiz(120, |arm, i| {
        let is_gained = i / 10 % 4 != 3 && i % 10 < 6;
        json!({ "id": id(i), "correct": if is_gained { arm == 1 } else { i.is_multiple_of(2) } })
    })
}

const LANGUAGES: [&str; 10] = ["en", "zh", "de", "fr", "es", "ru", "ja", "bn", "sw", "te"];

fn takes_the_verdict() -> Vec<super::Expected> {
    vec![
        Raised("R297"),
        Silent("R294"),
        Verdict("correct", "inconclusive"),
        Holds("correct", "/reason", json!("hidden-clusters")),
    ]
}

fn leaves_the_verdict() -> Vec<super::Expected> {
    vec![Silent("R297"), Quiet, Verdict("correct", "better")]
}

cases![
    documents_in_the_ids_whose_samples_win_and_lose_together_take_the_verdict =
        case(named(|i| format!("doc{}_q{}", i / 10, i % 10)), &[], takes_the_verdict()),
    passages_in_the_ids_may_have_separators_of_their_own =
        case(named(|i| format!("passage_{}/{}", i / 10, i % 10)), &[], takes_the_verdict()),
    contests_in_the_ids_are_found_before_the_last_separator = case(
        named(|i| format!("Codeforces/{}/{}", 9000 + i / 10, i % 10)),
        &[],
        takes_the_verdict()
    ),
    books_in_the_ids_are_found_before_the_first_separator =
        case(named(|i| format!("book{}/ch{}/{i}", i / 10, i % 3)), &[], takes_the_verdict()),
    books_in_the_ids_over_which_wins_and_losses_are_spread_leave_the_verdict =
        case(unrelated(|i| format!("book{}/ch{}/{i}", i % 12, i % 3)), &[], leaves_the_verdict()),
    questions_in_the_ids_that_stand_in_every_language_are_found_behind_the_separator =
        case(named(|i| format!("{}/{}", LANGUAGES[i % 10], i / 10)), &[], takes_the_verdict()),
    questions_in_the_ids_over_which_wins_and_losses_are_spread_leave_the_verdict = case(
        unrelated(|i| format!("{}/{}", LANGUAGES[(i / 12 + i) % 10], i % 12)),
        &[],
        leaves_the_verdict()
    ),
    documents_in_the_ids_may_end_at_a_dot =
        case(named(|i| format!("doc{}.q{}", i / 10, i % 10)), &[], takes_the_verdict()),
    the_dot_of_a_file_ending_divides_no_id =
        case(unrelated(|i| format!("{i}.png")), &[], leaves_the_verdict()),
    documents_in_the_ids_may_end_where_a_letter_follows_a_digit =
        case(named(|i| format!("d{:02}q{:02}", i / 10, i % 10)), &[], takes_the_verdict()),
    questions_may_be_numbered_behind_the_letters_of_a_language =
        case(named(|i| format!("{}{}", LANGUAGES[i % 10], i / 10)), &[], takes_the_verdict()),
    letters_and_digits_over_which_wins_and_losses_are_spread_leave_the_verdict =
        case(unrelated(|i| format!("d{:02}q{:03}", i % 12, i)), &[], leaves_the_verdict()),
    some_ids_of_one_part_are_clusters_of_their_own = case(
        named(|i| if i % 10 == 9 { format!("q{i}") } else { format!("{}-{i}", i / 10) }),
        &[],
        takes_the_verdict()
    ),
    documents_in_the_ids_over_which_wins_and_losses_are_spread_leave_the_verdict =
        case(unrelated(|i| format!("doc{}_q{i}", i % 12)), &[], leaves_the_verdict()),
    one_beginning_of_all_ids_says_nothing =
        case(unrelated(|i| format!("gsm8k_{i}")), &[], leaves_the_verdict()),
    a_beginning_of_its_own_for_each_id_says_nothing =
        case(unrelated(|i| format!("{i}-q")), &[], leaves_the_verdict()),
    ids_that_mostly_have_one_part_say_nothing = case(
        unrelated(|i| if i % 10 < 7 { format!("q{i}") } else { format!("{}-{i}", i / 10) }),
        &[],
        leaves_the_verdict()
    ),
    few_beginnings_are_names_of_parts =
        case(unrelated(|i| format!("part{}:{i}", i / 30)), &[], leaves_the_verdict()),
    a_verdict_that_stands_with_the_documents_as_clusters_is_not_doubted =
        case(named_gains(|i| format!("doc{}_q{i}", i / 10)), &[], leaves_the_verdict()),
    who_answers_that_samples_with_such_ids_are_independent_has_the_verdict = case(
        named(|i| format!("doc{}_q{i}", i / 10)),
        &["--cluster", "none"],
        vec![Silent("R297"), Verdict("correct", "better")]
    ),
    a_field_that_says_the_same_is_named_instead = case(
        swinging(
            |i| i / 10,
            |i| json!({ "id": format!("doc{}_q{i}", i / 10), "topic": format!("t{}", i / 10) })
        ),
        &[],
        vec![Raised("R294"), Silent("R297"), Verdict("correct", "inconclusive")]
    ),
    passages_that_count_already_are_not_found_in_the_ids_again = case(
        swinging(|i| i / 10, |i| json!({ "id": format!("p{}#{i}", i / 10), "passage_id": i / 10 })),
        &[],
        vec![Silent("R297"), Holds("correct", "/pairing/clusters", json!(12))]
    ),
    documents_in_the_ids_are_asked_around_the_passages_that_count = case(
        swinging(
            |i| i / 10,
            |i| json!({ "id": format!("doc{}_q{i}", i / 10), "passage_id": i / 2 })
        ),
        &[],
        vec![
            Raised("R297"),
            Holds("correct", "/pairing/clusters", json!(60)),
            Verdict("correct", "inconclusive"),
        ]
    ),
];
