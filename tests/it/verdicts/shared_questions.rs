//! Cases whose datasets have questions in common, or seem to.

use serde_json::{Value, json};

use super::Expected::{Quiet, Raised, Silent, Verdict};
use super::neighbours::scattered;
use super::{Case, Runs, both, case, records};
use crate::cases::cases;
use crate::report::number;

/// Four datasets of 60 samples each: what each gains or loses, and its fields beside the outcome.
fn four_of(sample: impl Fn(usize, usize) -> (i32, Value)) -> [super::Files; 2] {
    let names = ["one.jsonl", "two.jsonl", "three.jsonl", "four.jsonl"];
    let record = |arm: usize, dataset: usize, i: usize| {
        let (difference, mut record) = sample(dataset, i);
        record["correct"] = json!(match difference {
            0 => i.is_multiple_of(2),
            gained => (gained > 0) == (arm == 1),
        });
        record
    };
    both(|arm| {
        let file = |(dataset, name)| (name, records(60, |i| record(arm, dataset, i)));
        names.into_iter().enumerate().map(file).collect()
    })
}

/// The same with 13 gained and 5 lost in either: nothing alone, a difference where each is a draw of its
/// own.
fn four(more: impl Fn(usize, usize) -> Value) -> [super::Files; 2] {
    four_of(|dataset, i| {
        let difference = match i {
            0..13 => 1,
            13..18 => -1,
            _ => 0,
        };
        (difference, more(dataset, i))
    })
}

fn prompt(text: impl Into<Value>) -> Value {
    json!({ "prompt": text.into() })
}

/// Four datasets of 60 samples each with ids of their own over twelve topics, of which so many are
/// gained and then so many lost, two of five samples in every dataset, beside a field with such values.
fn topics([gained, lost]: [usize; 2], named: fn(usize) -> usize) -> [super::Files; 2] {
    four_of(|dataset, i| {
        let (topic, place) = (i / 5, (i % 5 + dataset) % 5);
        let difference = match topic {
            _ if place > 1 => 0,
            topic if topic < gained => 1,
            topic if topic < gained + lost => -1,
            _ => 0,
        };
        let id = format!("{dataset}-{i}");
        (difference, json!({ "id": id, "topic": format!("t{}", named(i)) }))
    })
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
        vec![Silent("R296"), Raised("R495"), Quiet, Verdict("correct", "inconclusive")]
    ),
    four_datasets_with_ids_of_their_own_do_not_go_together = case(
        four(|dataset, i| json!({ "id": format!("{dataset}-{i}") })),
        &[],
        vec![Silent("R296"), Silent("R495"), Quiet]
    ),
    four_datasets_whose_equal_ids_change_in_other_places_do_not_go_together = case(
        four(|dataset, i| json!({ "id": format!("q{}", (i + 18 * dataset) % 60) })),
        &[],
        vec![Silent("R495"), Quiet]
    ),
    topics_that_are_won_and_lost_alike_in_all_datasets_may_be_clusters_of_their_mean =
        case(topics([6, 3], |i| i / 5), &[], vec![Raised("R294")]),
    topics_over_which_wins_are_spread_hide_nothing_from_a_mean =
        case(topics([6, 3], |i| i % 12), &[], vec![Silent("R294")]),
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
    let different = average(&four(
        |dataset, i| json!({ "prompt": format!("{dataset}: {i}"), "id": format!("{dataset}-{i}") }),
    ));
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
            let large = |place| {
                let i = scattered(place, 100);
                json!({ "correct": changes(arm, i), "prompt": format!("What is {i} squared?") })
            };
            let small = |place| {
                let i = scattered(place, 40);
                json!({ "id": format!("s{place}"), "correct": changes(arm, i), "prompt": prompt(i) })
            };
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

#[test]
fn a_mean_over_datasets_that_share_topics_is_no_surer_than_over_topics() {
    let spread = average(&topics([6, 3], |i| i % 12));
    let together = average(&topics([6, 3], |i| i / 5));
    assert_eq!(
        (&spread["verdict"], &together["verdict"]),
        (&"better".into(), &"inconclusive".into())
    );
    assert_eq!(together["reason"], "hidden-clusters");
    let declared =
        Runs::of(&topics([6, 3], |i| i / 5)).report(&["--cluster", "topic"])["suites"][0].clone();
    assert_eq!(declared["verdict"], "inconclusive");
    let width = |suite: &Value| {
        number(&suite["macro_mean"]["ci"][1]) - number(&suite["macro_mean"]["delta"])
    };
    assert!(width(&declared) > 1.5 * width(&spread), "{declared}");
}

#[test]
fn what_all_datasets_show_of_a_field_counts_in_each_of_them() {
    let verdicts = |named| {
        let report = Runs::of(&topics([10, 2], named)).report(&[]);
        let of = |one: &Value| (one["verdict"].clone(), one["reason"].clone());
        report["comparisons"].as_array().expect("results").iter().map(of).collect::<Vec<_>>()
    };
    let hidden = ("inconclusive".into(), "hidden-clusters".into());
    assert_eq!(verdicts(|i| i / 5), vec![hidden; 4]);
    assert_eq!(verdicts(|i| i % 12), vec![("better".into(), Value::Null); 4]);
}
