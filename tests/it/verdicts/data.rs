//! Cases whose data files mislead: what they share, how they differ, what of them was evaluated.

use serde_json::{Value, json};

use super::Expected::{Grade, Quiet, Raised, Silent};
use super::{Case, Files, both, case, config, correct, records};

pub(super) fn cases() -> Vec<Case> {
    [contents(), qualities(), names(), overlaps(), ids()].into_iter().flatten().collect()
}

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

fn contents() -> Vec<Case> {
    let known = |arm: usize| -> Vec<Value> {
        let mut rows: Vec<Value> = (0..60).map(row).collect();
        if arm == 1 {
            rows.reverse();
        }
        rows
    };
    vec![
        case(
            "the same records in another order",
            trained(SAME, |arm| lines(known(arm).into_iter())),
            VARY,
            vec![Grade("as declared"), Raised("R272"), Silent("R207"), Silent("R273"), Quiet],
        ),
        case(
            "the same records as JSON lines and as a JSON document",
            trained(["data/x.jsonl", "data/x.json"], |arm| match arm {
                0 => lines(known(0).into_iter()),
                _ => format!("{:#}", Value::from(known(0))),
            }),
            VARY,
            vec![Grade("as declared"), Raised("R272"), Silent("R206"), Quiet],
        ),
        case(
            "one record changed",
            trained(SAME, |arm| lines((0..60).map(|i| row(if i == 7 { i + 60 * arm } else { i })))),
            VARY,
            vec![
                Grade("confounded"),
                Raised("R207"),
                Raised("R273"),
                Silent("R272"),
                Silent("R275"),
            ],
        ),
        case(
            "the data is the declared factor",
            trained(SAME, |arm| lines((0..60).map(|i| row(i + 9 * arm)))),
            &["--vary", "lr,train_data"],
            vec![Silent("R203"), Silent("R207"), Silent("R273"), Silent("R208")],
        ),
        case(
            "a column more",
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
            vec![Raised("R275"), Raised("R207")],
        ),
        case(
            "every tenth training record twice",
            trained(SAME, |_| lines((0..60).map(|i| row(i - usize::from(i % 10 == 9))))),
            VARY,
            vec![Raised("R277"), Grade("as declared"), Quiet],
        ),
        case(
            "several samples of one query are no repeated records",
            trained(SAME, |_| {
                lines((0..60).map(|i| json!({ "query_id": i / 4, "answer": i, "reward": 1 })))
            }),
            VARY,
            vec![Silent("R277"), Grade("as declared"), Quiet],
        ),
        case(
            "more records than are read one by one",
            trained(["data/x.csv"; 2], |_| format!("a\n{}", "1\n".repeat(1_000_001))),
            VARY,
            vec![Raised("R278"), Grade("as declared")],
        ),
        case(
            "a file that is read to its end",
            trained(["data/x.csv"; 2], |_| "a\n1\n2\n".to_owned()),
            VARY,
            vec![Silent("R278"), Silent("R277"), Grade("as declared"), Quiet],
        ),
    ]
}

fn qualities() -> Vec<Case> {
    let sources = |every: [usize; 2]| {
        trained(SAME, move |arm| {
            lines((0..100).map(|i| {
                let source = if i % every[arm] == 0 { "web" } else { "book" };
                json!({ "text": format!("{arm} {i} of a long text"), "source": source })
            }))
        })
    };
    let rewarded = |of: fn(usize, usize) -> f64| {
        trained(SAME, move |arm| {
            lines((0..80).map(|i| json!({ "query_id": i / 4, "try": i, "reward": of(arm, i) })))
        })
    };
    vec![
        case(
            "half of the data from the web against a fifth",
            sources([2, 5]),
            VARY,
            vec![Raised("R276"), Grade("confounded")],
        ),
        case("a quarter against a fifth", sources([4, 5]), VARY, vec![Silent("R276")]),
        case(
            "twenty sources in sixty records, as two draws of one source may have them",
            trained(SAME, |arm| {
                lines((0..60).map(|i| {
                    let source = (((i + 97 * arm + 1) * 2_654_435_761) >> 16) % 20;
                    json!({ "text": format!("{arm} {i} of a long text"), "source": format!("site {source}") })
                }))
            }),
            VARY,
            vec![Silent("R276")],
        ),
        case(
            "equal mean rewards, but all on the first queries in one arm",
            rewarded(|arm, i| f64::from(u8::from(if arm == 0 { i % 4 == 0 } else { i < 20 }))),
            VARY,
            vec![Raised("R208")],
        ),
        case(
            "a reward on another sample of the same query",
            rewarded(|arm, i| f64::from(u8::from(i % 4 == arm))),
            VARY,
            vec![Silent("R208"), Raised("R207")],
        ),
        case(
            "every query has a positive sample and the rewards are ten times as high",
            rewarded(|arm, i| [0.1, 1.0][arm] * (1 + i % 3) as f64),
            VARY,
            vec![Raised("R208")],
        ),
    ]
}

fn names() -> Vec<Case> {
    let data = |i: usize| lines((0..20).map(|row| json!({ "a": row + i })));
    let by_log = |place: [usize; 2]| {
        both(move |arm| {
            vec![
                ("quiz.jsonl", records(60, |i| correct(arm, i))),
                config(format!("lr: 0.{}\n", arm + 1)),
                ("train.log", "INFO Loading train data from data/x.jsonl ...\n".to_owned()),
                ("data/x.jsonl", data(place[arm])),
            ]
        })
    };
    let evaluated = |i: [usize; 2]| {
        both(move |arm| {
            vec![
                ("quiz.jsonl", records(60, |i| correct(arm, i))),
                config(format!("lr: 0.{}\neval_file: data/test.jsonl\n", arm + 1)),
                ("data/test.jsonl", data(i[arm])),
            ]
        })
    };
    let commands = both(|arm| {
        let command = format!("python train.py --train-file data/x.jsonl --lr=0.{}", arm + 1);
        let metadata = json!({ "args": ["--eval_file", "data/y.jsonl"] }).to_string();
        vec![
            ("quiz.jsonl", records(60, |i| correct(arm, i))),
            config(format!("lr: 0.{}\ncmd: {command}\n", arm + 1)),
            ("wandb-metadata.json", metadata),
            ("data/x.jsonl", data(arm)),
            ("data/y.jsonl", data(arm)),
        ]
    });
    vec![
        case(
            "data that only a log names",
            by_log([0, 1]),
            VARY,
            vec![Grade("confounded"), Raised("R207")],
        ),
        case("the same data in a log", by_log([0, 0]), VARY, vec![Grade("as declared"), Quiet]),
        case(
            "data that only command lines name",
            commands,
            &["--vary", "lr,cmd"],
            vec![Raised("R207"), Raised("R274")],
        ),
        case(
            "other evaluation data",
            evaluated([0, 1]),
            VARY,
            vec![Grade("confounded"), Raised("R274"), Silent("R207")],
        ),
        case("equal evaluation data", evaluated([1, 1]), VARY, vec![Silent("R274"), Quiet]),
    ]
}

fn overlaps() -> Vec<Case> {
    // Another spacing of the same words is the same question.
    let leaked = |i: usize| json!({ "prompt": question(i).replace(' ', "  "), "reward": i });
    let seen = |counts: [usize; 2]| {
        trained(SAME, move |arm| {
            lines((0..80).map(|i| if i < counts[arm] { leaked(i) } else { row(i) }))
        })
    };
    let chat = trained(SAME, |arm| {
        lines((0..60).map(|i| {
            let asked = if arm == 1 { question(i) } else { format!("Who lives in house {i}?") };
            json!({ "messages": [{ "role": "user", "content": asked }, { "role": "assistant", "content": "?" }] })
        }))
    });
    let colours = both(|arm| {
        let asks = |from: usize| move |i: usize| json!({ "image": format!("{}.jpg", i + from), "question": "Which colour has the animal here?" });
        let quiz = records(60, |i| {
            let mut record = asks(0)(i);
            record["correct"] = correct(arm, i)["correct"].clone();
            record
        });
        let data = lines((0..80).map(|i| if arm == 0 { row(i) } else { asks(1000)(i) }));
        let text = format!("lr: 0.{}\ntrain_data: data/x.jsonl\n", arm + 1);
        vec![("quiz.jsonl", quiz), config(text), ("data/x.jsonl", data)]
    });
    let file = both(|arm| {
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
    });
    vec![
        case(
            "evaluated questions in the training data of one arm",
            seen([0, 12]),
            VARY,
            vec![Grade("confounded"), Raised("R270"), Silent("R271")],
        ),
        case(
            "the same evaluated questions in the training data of both arms",
            seen([12, 12]),
            VARY,
            vec![Grade("as declared"), Raised("R271"), Silent("R270")],
        ),
        case(
            "no evaluated question in training",
            seen([0, 0]),
            VARY,
            vec![Grade("as declared"), Silent("R270"), Silent("R271"), Quiet],
        ),
        case("evaluated questions in conversations", chat, VARY, vec![Raised("R270")]),
        case(
            "one question about many images",
            colours,
            VARY,
            vec![Silent("R270"), Silent("R271"), Silent("R279")],
        ),
        case("the evaluation file within the training file", file, VARY, vec![Raised("R271")]),
    ]
}

fn ids() -> Vec<Case> {
    let named = |id: fn(usize) -> String, asked: bool| {
        both(move |arm| {
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
    };
    vec![
        case(
            "ids that name one thing, in the training data of one arm",
            named(|i| format!("HumanEval/{i}"), false),
            VARY,
            vec![Raised("R270"), Silent("R279")],
        ),
        case(
            "the same ids over other questions",
            named(|i| format!("HumanEval/{i}"), true),
            VARY,
            vec![Silent("R270"), Silent("R271"), Silent("R279")],
        ),
        case(
            "ids that any table has",
            named(|i| format!("q{i}"), false),
            VARY,
            vec![Raised("R279"), Silent("R270"), Silent("R271")],
        ),
        case(
            "bare numbers",
            named(|i| i.to_string(), false),
            VARY,
            vec![Silent("R279"), Silent("R270"), Silent("R271")],
        ),
    ]
}
