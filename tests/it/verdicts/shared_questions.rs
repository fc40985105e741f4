//! Cases whose datasets have questions in common, or seem to.

use serde_json::{Value, json};

use super::Expected::{Quiet, Raised, Silent, Verdict};
use super::{Case, Runs, both, case, records};
use crate::cases::cases;
use crate::report::number;

/// Four datasets of 60 samples each, 13 gained and 5 lost in either, with these fields beside the
/// outcome: nothing alone, a difference where each is a draw of its own.
fn four(more: impl Fn(usize, usize) -> Value) -> [super::Files; 2] {
    let names = ["one.jsonl", "two.jsonl", "three.jsonl", "four.jsonl"];
    let record = |arm: usize, dataset: usize, i: usize| {
        let mut record = more(dataset, i);
        record["correct"] = json!(match i {
            0..13 => arm == 1,
            13..18 => arm == 0,
            _ => i.is_multiple_of(2),
        });
        record
    };
    both(|arm| {
        let file = |(dataset, name)| (name, records(60, |i| record(arm, dataset, i)));
        names.into_iter().enumerate().map(file).collect()
    })
}

fn prompt(text: impl Into<Value>) -> Value {
    json!({ "prompt": text.into() })
}

cases![
    four_names_of_one_dataset_are_told = case(
        four(|_, i| prompt(format!("What is {i} squared?"))),
        &[],
        vec![Raised("R296"), Verdict("correct", "inconclusive")]
    ),
    a_copy_in_other_spelling_is_told = case(
        four(|dataset, i| {
            let spelt = ["What is {}  squared?", "what is {} squared?", "WHAT IS {} SQUARED?"];
            prompt(spelt[dataset % 3].replace("{}", &i.to_string()))
        }),
        &[],
        vec![Raised("R296")]
    ),
    four_datasets_of_different_questions_are_four = case(
        four(|dataset, i| prompt(format!("What is {i} to the power of {dataset}?"))),
        &[],
        vec![Silent("R296"), Quiet]
    ),
    a_few_common_questions_are_overlooked = case(
        four(|dataset, i| {
            prompt(format!("What is {i} to the power of {}?", if i < 3 { 9 } else { dataset }))
        }),
        &[],
        vec![Silent("R296"), Quiet]
    ),
    one_instruction_around_the_questions_of_all_datasets_is_no_question = case(
        four(
            |dataset, i| json!({ "prompt": format!("Answer {}.", i % 3), "target": 60 * dataset + i })
        ),
        &[],
        vec![Silent("R296"), Quiet]
    ),
    the_same_prompts_around_other_documents_are_other_questions = case(
        four(|dataset, i| {
            let prompt = format!("Read this in style {}.", i % 8);
            json!({ "prompt": prompt, "document": format!("{dataset}: {i}") })
        }),
        &[],
        vec![Silent("R296"), Quiet]
    ),
    grid_points_of_one_dataset_are_not_averaged = case(
        both(|arm| {
            let file = |shots| {
                let record = |i| {
                    json!({
                        "correct": super::right(arm, i),
                        "num_fewshot": shots,
                        "prompt": format!("What is {i} squared?"),
                    })
                };
                records(60, record)
            };
            vec![("quiz.jsonl", file(0) + &file(5))]
        }),
        &[],
        vec![Silent("R296")]
    ),
    several_metrics_of_one_dataset_are_no_datasets = case(
        both(|arm| {
            let record = |i| {
                json!({
                    "correct": super::right(arm, i),
                    "exact_match": super::right(arm, i + 1),
                    "prompt": format!("What is {i} squared?"),
                })
            };
            vec![("quiz.jsonl", records(60, record))]
        }),
        &[],
        vec![Silent("R296")]
    ),
];

/// The average over all datasets.
fn average(arms: &[super::Files; 2]) -> Value {
    Runs::of(arms).report(&[])["suites"][0].clone()
}

#[test]
fn an_average_over_copies_is_as_sure_as_one_of_them() {
    let copies = Runs::of(&four(|_, i| prompt(format!("What is {i} squared?")))).report(&[]);
    let (suite, single) = (&copies["suites"][0], &copies["comparisons"][0]["delta"]);
    assert_eq!((&suite["verdict"], &suite["datasets"]), (&"inconclusive".into(), &4.into()));
    for limit in [0, 1] {
        let apart = number(&suite["macro_mean"]["ci"][limit]) - number(&single["ci"][limit]);
        assert!(apart.abs() < 1e-9, "{suite}");
    }
    let different = average(&four(|dataset, i| prompt(format!("{dataset}: {i}"))));
    assert_eq!(different["verdict"], "better");
}

#[test]
fn a_clear_difference_stands_over_copies_too() {
    let arms = both(|arm| {
        let record = |i| json!({ "correct": super::right(arm, i), "prompt": format!("{i}?") });
        ["one.jsonl", "two.jsonl"].map(|name| (name, records(60, record))).to_vec()
    });
    assert_eq!(average(&arms)["verdict"], "better");
}

#[test]
fn a_subset_that_holds_every_change_adds_nothing_and_one_without_any_takes_nothing() {
    // 14 gained and 6 lost of the first 20 questions of both, of 100 and of 40.
    let changes = |arm: usize, i: usize| match i {
        0..14 => arm == 1,
        14..20 => arm == 0,
        _ => i.is_multiple_of(2),
    };
    let arms = |common: std::ops::Range<usize>| {
        both(|arm| {
            let prompt = |i: usize| {
                if i < common.len() {
                    format!("What is {} squared?", common.start + i)
                } else {
                    format!("What is the root of {i}?")
                }
            };
            let large = |i| json!({ "correct": changes(arm, i), "prompt": format!("What is {i} squared?") });
            let small = |i| json!({ "correct": changes(arm, i), "prompt": prompt(i) });
            vec![("large.jsonl", records(100, large)), ("small.jsonl", records(40, small))]
        })
    };
    let width = |common| {
        let suite = average(&arms(common));
        number(&suite["macro_mean"]["ci"][1]) - number(&suite["macro_mean"]["delta"])
    };
    let (apart, same, others) = (width(0..0), width(0..20), width(40..60));
    assert!(same > 1.2 * apart, "{apart} {same}");
    assert!((others - apart).abs() < 0.1 * apart, "{apart} {others}");
}
