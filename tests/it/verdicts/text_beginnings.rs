//! Cases where paths, names or texts begin with what says which samples belong together, or seem to.

use serde_json::{Value, json};

use super::Expected::{Holds, Quiet, Raised, Silent, Verdict};
use super::clusters::{swing, swinging};
use super::neighbours::{name, scattered};
use super::{Case, Files, case, quiz};
use crate::cases::cases;

/// A text of 600 characters of its own for each number, and no word of another's.
fn passage(number: usize) -> String {
    format!("Part {number}. ").repeat(60)
}

/// 120 samples that are won and lost by tens, with these fields.
fn written(more: impl Fn(usize) -> Value) -> [Files; 2] {
    swinging(|i| i / 10, more)
}

fn takes_the_verdict() -> Vec<super::Expected> {
    vec![
        Raised("R299"),
        Silent("R294"),
        Verdict("correct", "inconclusive"),
        Holds("correct", "/reason", json!("hidden-clusters")),
    ]
}

fn leaves_the_verdict() -> Vec<super::Expected> {
    vec![Silent("R299"), Quiet, Verdict("correct", "better")]
}

cases![
    passages_in_the_prompts_whose_samples_win_and_lose_together_take_the_verdict = case(
        written(|i| json!({ "prompt": format!("{} What of {i}?", passage(i / 10)), "target": i })),
        &[],
        takes_the_verdict()
    ),
    passages_in_the_prompts_over_which_wins_and_losses_are_spread_leave_the_verdict = case(
        written(|i| json!({ "prompt": format!("{} What of {i}?", passage(i % 12)), "target": i })),
        &[],
        leaves_the_verdict()
    ),
    a_sentence_before_a_short_question_is_a_passage_too = case(
        written(|i| {
            let sentence =
                format!("Context {:04}: the figures of this part of the report.", i / 10);
            json!({ "id": name(i), "prompt": format!("{sentence} What of {i}?"), "target": i })
        }),
        &[],
        takes_the_verdict()
    ),
    passages_behind_one_instruction_are_found_in_the_first_thousand_characters = case(
        written(|i| {
            let asked =
                format!("{}{}{}Q{i}", "Read. ".repeat(60), passage(i / 10), passage(i / 10));
            json!({ "prompt": asked, "target": i })
        }),
        &[],
        takes_the_verdict()
    ),
    one_beginning_of_all_prompts_says_nothing = case(
        written(|i| json!({ "prompt": format!("{}Q{i}", "Read. ".repeat(60)), "target": i })),
        &[],
        leaves_the_verdict()
    ),
    passages_in_a_text_of_the_document_take_the_verdict = case(
        written(|i| json!({ "doc": { "text": format!("{} What of {i}?", passage(i / 10)) } })),
        &[],
        takes_the_verdict()
    ),
    conversations_that_begin_alike_take_the_verdict = case(
        written(|i| {
            json!({ "messages": [
                { "role": "user", "content": passage(i / 10) },
                { "role": "assistant", "content": "Yes." },
                { "role": "user", "content": format!("And {i}?") },
            ] })
        }),
        &[],
        takes_the_verdict()
    ),
    scenes_in_the_directories_of_images_take_the_verdict = case(
        written(|i| json!({ "image": format!("imgs/scene{}/{}.png", i / 10, i % 10) })),
        &[],
        takes_the_verdict()
    ),
    directories_over_which_wins_and_losses_are_spread_leave_the_verdict = case(
        written(|i| json!({ "image": format!("imgs/scene{}/{i}.png", i % 12) })),
        &[],
        leaves_the_verdict()
    ),
    one_directory_of_all_images_says_nothing =
        case(written(|i| json!({ "image": format!("imgs/{i}.png") })), &[], leaves_the_verdict()),
    few_directories_are_parts_of_the_dataset = case(
        written(|i| json!({ "file": format!("part{}/{i}.txt", i / 30) })),
        &[],
        leaves_the_verdict()
    ),
    videos_in_the_names_of_clips_take_the_verdict = case(
        written(|i| json!({ "clip": format!("vid{}_{}.mp4", i / 10, i % 10) })),
        &[],
        takes_the_verdict()
    ),
    pages_in_the_addresses_take_the_verdict = case(
        written(|i| json!({ "url": format!("http://site/{}?q={i}", i / 10) })),
        &[],
        takes_the_verdict()
    ),
    a_field_that_says_the_same_as_a_path_is_named_instead = case(
        written(
            |i| json!({ "file": format!("d{}/{i}.txt", i / 10), "topic": format!("t{}", i / 10) })
        ),
        &[],
        vec![Raised("R294"), Silent("R299"), Verdict("correct", "inconclusive")]
    ),
    who_answers_that_samples_with_such_paths_are_independent_has_the_verdict = case(
        written(|i| json!({ "file": format!("d{}/{i}.txt", i / 10) })),
        &["--cluster", "none"],
        vec![Silent("R299"), Verdict("correct", "better")]
    ),
    what_answers_begin_with_says_nothing_of_the_questions = case(
        quiz(120, |arm, i| {
            let i = scattered(i, 120);
            let response = format!("{} {arm} {i}", passage(i / 10));
            json!({ "response": response, "correct": swing(i / 10, i, arm) })
        }),
        &[],
        leaves_the_verdict()
    ),
];
