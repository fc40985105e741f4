//! Cases whose data files mislead: what they share, how they differ, what of them was evaluated.

use serde_json::{Value, json};

use super::Expected::{Grade, Quiet, Raised, Silent};
use super::{Case, Files, both, case, config, correct, records};
use crate::cases::cases;

cases![
    the_same_records_in_another_order = case(
        trained(SAME, |arm| lines(known(arm).into_iter())),
        VARY,
        vec![Grade("as-declared"), Raised("R272"), Silent("R207"), Silent("R273"), Quiet]
    ),
    the_same_records_as_json_lines_and_as_a_json_document = case(
        trained(["data/x.jsonl", "data/x.json"], |arm| match arm {
            0 => lines(known(0).into_iter()),
            _ => format!("{:#}", Value::from(known(0))),
        }),
        VARY,
        vec![Grade("as-declared"), Raised("R272"), Silent("R206"), Quiet]
    ),
    one_record_changed = case(
        trained(SAME, |arm| lines((0..60).map(|i| row(if i == 7 { i + 60 * arm } else { i })))),
        VARY,
        vec![Grade("confounded"), Raised("R207"), Raised("R273"), Silent("R272"), Silent("R275"),]
    ),
    the_data_is_the_declared_factor = case(
        trained(SAME, |arm| lines((0..60).map(|i| row(i + 9 * arm)))),
        &["--vary", "lr,train_data"],
        vec![Silent("R203"), Silent("R207"), Silent("R273"), Silent("R208")]
    ),
    a_column_more = case(
        trained(SAME, |arm| {
            lines((0..60).map(|i| {
                let mut row = row(i);
                if arm == 1 {
                    row["weight"] = json!(1);
                }
                row
            }))
        }),
        VARY,
        vec![Raised("R275"), Raised("R207")]
    ),
    every_tenth_training_record_twice = case(
        trained(SAME, |_| lines((0..60).map(|i| row(i - usize::from(i % 10 == 9))))),
        VARY,
        vec![Raised("R277"), Grade("as-declared"), Quiet]
    ),
    several_samples_of_one_query_are_no_repeated_records = case(
        trained(SAME, |_| {
            lines((0..60).map(|i| json!({ "query_id": i / 4, "answer": i, "reward": 1 })))
        }),
        VARY,
        vec![Silent("R277"), Grade("as-declared"), Quiet]
    ),
    more_records_than_are_read_one_by_one = case(
        trained(["data/x.csv"; 2], |_| format!("a\n{}", "1\n".repeat(1_000_001))),
        VARY,
        vec![Raised("R278"), Grade("as-declared")]
    ),
    a_file_that_is_read_to_its_end = case(
        trained(["data/x.csv"; 2], |_| "a\n1\n2\n".to_owned()),
        VARY,
        vec![Silent("R278"), Silent("R277"), Grade("as-declared"), Quiet]
    ),
    half_of_the_data_from_the_web_against_a_fifth =
        case(sources([2, 5]), VARY, vec![Raised("R276"), Grade("confounded")]),
    a_quarter_against_a_fifth = case(sources([4, 5]), VARY, vec![Silent("R276")]),
    twenty_sources_in_sixty_records_as_two_draws_of_one_source_may_have_them = case(
        trained(SAME, |arm| {
            lines((0..60).map(|i| {
                    let source = (((i + 97 * arm + 1) * 2_654_435_761) >> 16) % 20;
                    json!({ "text": format!("{arm} {i} of a long text"), "source": format!("site {source}") })
                }))
        }),
        VARY,
        vec![Silent("R276")]
    ),
    equal_mean_rewards_but_all_on_the_first_queries_in_one_arm = case(
        rewarded(|arm, i| f64::from(u8::from(if arm == 0 { i % 4 == 0 } else { i < 20 }))),
        VARY,
        vec![Raised("R208")]
    ),
    a_reward_on_another_sample_of_the_same_query = case(
        rewarded(|arm, i| f64::from(u8::from(i % 4 == arm))),
        VARY,
        vec![Silent("R208"), Raised("R207")]
    ),
    every_query_has_a_positive_sample_and_the_rewards_are_ten_times_as_high =
        case(rewarded(|arm, i| [0.1, 1.0][arm] * (1 + i % 3) as f64), VARY, vec![Raised("R208")]),
    data_that_only_a_log_names =
        case(by_log([0, 1]), VARY, vec![Grade("confounded"), Raised("R207")]),
    the_same_data_in_a_log = case(by_log([0, 0]), VARY, vec![Grade("as-declared"), Quiet]),
    data_that_only_command_lines_name =
        case(by_command(), &["--vary", "lr,cmd"], vec![Raised("R207"), Raised("R274")]),
    other_evaluation_data =
        case(evaluated([0, 1]), VARY, vec![Grade("confounded"), Raised("R274"), Silent("R207")]),
    equal_evaluation_data = case(evaluated([1, 1]), VARY, vec![Silent("R274"), Quiet]),
    evaluated_questions_in_the_training_data_of_one_arm =
        case(seen([0, 12]), VARY, vec![Grade("confounded"), Raised("R270"), Silent("R271")]),
    the_same_evaluated_questions_in_the_training_data_of_both_arms =
        case(seen([12, 12]), VARY, vec![Grade("as-declared"), Raised("R271"), Silent("R270")]),
    no_evaluated_question_in_training =
        case(seen([0, 0]), VARY, vec![Grade("as-declared"), Silent("R270"), Silent("R271"), Quiet]),
    evaluated_questions_in_conversations = case(chat(), VARY, vec![Raised("R270")]),
    one_question_about_many_images =
        case(images(), VARY, vec![Silent("R270"), Silent("R271"), Silent("R279")]),
    the_evaluation_file_within_the_training_file = case(file_in_file(), VARY, vec![Raised("R271")]),
    ids_that_name_one_thing_in_the_training_data_of_one_arm = case(
        named(|i| format!("HumanEval/{i}"), false),
        VARY,
        vec![Raised("R270"), Silent("R279")]
    ),
    the_same_ids_over_other_questions = case(
        named(|i| format!("HumanEval/{i}"), true),
        VARY,
        vec![Silent("R270"), Silent("R271"), Silent("R279")]
    ),
    ids_that_any_table_has = case(
        named(|i| format!("q{i}"), false),
        VARY,
        vec![Raised("R279"), Silent("R270"), Silent("R271")]
    ),
    bare_numbers = case(
        named(|i| i.to_string(), false),
        VARY,
        vec![Silent("R279"), Silent("R270"), Silent("R271")]
    ),
];

/// The clear effect under `lr`, with a training file each.
fn trained(name: [&'static str; 2], data: impl Fn(usize) -> String) -> [Files; 2] {
    both(|arm| {
        vec![
            ("quiz.jsonl", records(60, |i| asked(arm, i))),
            config(format!("lr: 0.{}\ntrain_data: {}\n", arm + 1, name[arm])),
            (name[arm], data(arm)),
        ]
    })
}

fn question(i: usize) -> String {
    format!("Which river flows through the town number {i}?")
}

fn asked(arm: usize, i: usize) -> Value {
    let mut record = correct(arm, i);
    record["question"] = json!(question(i));
    record
}

fn lines(rows: impl Iterator<Item = Value>) -> String {
    rows.map(|row| format!("{row}\n")).collect::<Vec<_>>().concat()
}

fn row(i: usize) -> Value {
    json!({ "id": format!("t{i}"), "prompt": format!("Name a mountain of the region {i}."), "reward": i % 3 })
}

const VARY: &[&str] = &["--vary", "lr"];
const SAME: [&str; 2] = ["data/x.jsonl"; 2];

fn known(arm: usize) -> Vec<Value> {
    let mut rows: Vec<Value> = (0..60).map(row).collect();
    if arm == 1 {
        rows.reverse();
    }
    rows
}

/// Every so many records of an arm come from the web.
fn sources(every: [usize; 2]) -> [Files; 2] {
    trained(SAME, |arm| {
        lines((0..100).map(|i| {
            let source = if i % every[arm] == 0 { "web" } else { "book" };
            json!({ "text": format!("{arm} {i} of a long text"), "source": source })
        }))
    })
}

fn rewarded(of: fn(usize, usize) -> f64) -> [Files; 2] {
    trained(SAME, |arm| {
        lines((0..80).map(|i| json!({ "query_id": i / 4, "try": i, "reward": of(arm, i) })))
    })
}

fn data_from(first: usize) -> String {
    lines((0..20).map(|row| json!({ "a": row + first })))
}

/// Runs whose logs alone name their data, which begins with these records.
fn by_log(first: [usize; 2]) -> [Files; 2] {
    both(|arm| {
        vec![
            ("quiz.jsonl", records(60, |i| correct(arm, i))),
            config(format!("lr: 0.{}\n", arm + 1)),
            ("train.log", "INFO Loading train data from data/x.jsonl ...\n".to_owned()),
            ("data/x.jsonl", data_from(first[arm])),
        ]
    })
}

fn evaluated(first: [usize; 2]) -> [Files; 2] {
    both(|arm| {
        vec![
            ("quiz.jsonl", records(60, |i| correct(arm, i))),
            config(format!("lr: 0.{}\neval_file: data/test.jsonl\n", arm + 1)),
            ("data/test.jsonl", data_from(first[arm])),
        ]
    })
}

fn by_command() -> [Files; 2] {
    both(|arm| {
        let command = format!("python train.py --train-file data/x.jsonl --lr=0.{}", arm + 1);
        let metadata = json!({ "args": ["--eval_file", "data/y.jsonl"] }).to_string();
        vec![
            ("quiz.jsonl", records(60, |i| correct(arm, i))),
            config(format!("lr: 0.{}\ncmd: {command}\n", arm + 1)),
            ("wandb-metadata.json", metadata),
            ("data/x.jsonl", data_from(arm)),
            ("data/y.jsonl", data_from(arm)),
        ]
    })
}

/// Training data with so many evaluated questions. Another spacing of the same words is the same
/// question.
fn seen(counts: [usize; 2]) -> [Files; 2] {
    let leaked = |i: usize| json!({ "prompt": question(i).replace(' ', "  "), "reward": i });
    trained(SAME, |arm| lines((0..80).map(|i| if i < counts[arm] { leaked(i) } else { row(i) })))
}

fn chat() -> [Files; 2] {
    trained(SAME, |arm| {
        lines((0..60).map(|i| {
            let asked = if arm == 1 { question(i) } else { format!("Who lives in house {i}?") };
            json!({ "messages": [{ "role": "user", "content": asked }, { "role": "assistant", "content": "?" }] })
        }))
    })
}

/// One question about images, other ones in training than in the evaluation.
fn images() -> [Files; 2] {
    both(|arm| {
        let asks = |from: usize| move |i: usize| json!({ "image": format!("{}.jpg", i + from), "question": "Which colour has the animal here?" });
        let quiz = records(60, |i| {
            let mut record = asks(0)(i);
            record["correct"] = correct(arm, i)["correct"].clone();
            record
        });
        let data = lines((0..80).map(|i| if arm == 0 { row(i) } else { asks(1000)(i) }));
        let text = format!("lr: 0.{}\ntrain_data: data/x.jsonl\n", arm + 1);
        vec![("quiz.jsonl", quiz), config(text), ("data/x.jsonl", data)]
    })
}

/// A training file that holds the evaluation file.
fn file_in_file() -> [Files; 2] {
    both(|arm| {
        let text =
            format!("lr: 0.{}\ntrain_data: data/x.jsonl\neval_file: data/y.jsonl\n", arm + 1);
        let figures = r#"{"accuracy": 0.5}"#;
        let mut seen: Vec<Value> = (0..40).map(row).collect();
        seen.extend((0..20).map(|i| json!({ "question": question(i) })));
        let asked = lines((0..20).map(|i| json!({ "question": question(i) })));
        vec![
            ("metrics.json", figures.to_owned()),
            config(text),
            ("data/x.jsonl", lines(seen.into_iter())),
            ("data/y.jsonl", asked),
        ]
    })
}

/// Evaluated samples and other training records under the same ids in the candidate; with or
/// without the questions of the samples.
fn named(id: fn(usize) -> String, asked: bool) -> [Files; 2] {
    both(|arm| {
        let quiz = records(60, |i| {
            let mut record = json!({ "id": id(i), "correct": correct(arm, i)["correct"] });
            if asked {
                record["question"] = json!(question(i));
            }
            record
        });
        let other = |i: usize| format!("Who lives at number {i} of the street?");
        let taught = |i: usize| json!({ "id": id(i), "prompt": other(i) });
        let data = lines((0..80).map(|i| if arm == 0 { row(i + 100) } else { taught(i) }));
        let text = format!("lr: 0.{}\ntrain_data: data/x.jsonl\n", arm + 1);
        vec![("quiz.jsonl", quiz), config(text), ("data/x.jsonl", data)]
    })
}
