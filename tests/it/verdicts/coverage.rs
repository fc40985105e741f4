//! Cases of runs that did not reach what they set out to do, and of samples that only look the same.

use serde_json::{Value, json};

use super::Expected::{Gate, Grade, Holds, Quiet, Raised, Silent, Status, Verdict};
use super::{Case, Files, both, case, config, correct, quiz, records, right};

const GATES: &[&str] = &["--fail-on", "regression,missing"];

pub(super) fn cases() -> Vec<Case> {
    [declared(), aggregates(), endings(), trainings(), contents(), suites()]
        .into_iter()
        .flatten()
        .collect()
}

/// A run of which `n` samples are there, and what else says how many there should be.
fn cut(n: usize, arm: usize, beside: (&'static str, String)) -> Files {
    vec![("quiz.jsonl", records(n, |i| correct(arm, i))), beside]
}

fn summary(figures: &Value) -> (&'static str, String) {
    ("summary.json", json!({ "datasets": { "quiz": figures } }).to_string())
}

fn declared() -> Vec<Case> {
    let stopped = || {
        vec![
            Grade("not comparable"),
            Raised("R280"),
            Silent("R212"),
            Verdict("correct", "not-assessable"),
            Holds("correct", "/reason", json!("blocked: R280")),
            Gate("regression", "not_gateable"),
            Gate("missing", "not_gateable"),
            Status(3),
        ]
    };
    vec![
        case(
            "both arms died at the same sample of a thousand",
            both(|arm| cut(30, arm, summary(&json!({ "n": 1000 })))),
            GATES,
            stopped()
                .into_iter()
                .chain([
                    Silent("R226"),
                    Holds("correct", "/candidate/coverage/missing", json!(970)),
                    Holds("correct", "/candidate/coverage/planned", json!(1000)),
                    Holds("correct", "/candidate/part", json!([30, 1000])),
                ])
                .collect(),
        ),
        case(
            "both arms died, and each set out for another number of samples",
            both(|arm| cut(30, arm, summary(&json!({ "n": ([500, 1000][arm]) })))),
            GATES,
            stopped(),
        ),
        case(
            "the configuration says how many questions there are",
            both(|arm| cut(30, arm, config("eval:\n  num_questions: 200\n"))),
            GATES,
            stopped(),
        ),
        case(
            "the harness wrote how many samples it would score",
            both(|arm| {
                let results = json!({
                    "results": { "quiz": { "alias": "quiz", "acc,none": 0.5 } }, "versions": { "quiz": 1 },
                    "n-samples": { "quiz": { "original": 200, "effective": 100 } },
                });
                vec![
                    ("results_2024-05-01T00-00-00.json", results.to_string()),
                    (
                        "samples_quiz_2024-05-01T00-00-00.jsonl",
                        records(
                            60,
                            |i| json!({ "doc_id": i, "acc": f64::from(u8::from(right(arm, i))) }),
                        ),
                    ),
                ]
            }),
            &[],
            vec![Raised("R280"), Verdict("accuracy", "not-assessable")],
        ),
        case(
            "the only data file to evaluate on has more rows",
            both(|arm| {
                let rows = |i: usize| json!({ "question": i });
                let mut files = cut(40, arm, config("eval_file: quiz.data.jsonl\n"));
                files.push(("quiz.data.jsonl", records(100, rows)));
                files
            }),
            &[],
            vec![Raised("R280"), Verdict("correct", "not-assessable")],
        ),
        case(
            "a limit says why there are fewer samples than rows",
            both(|arm| {
                let rows = |i: usize| json!({ "question": i });
                let mut files = cut(40, arm, config("eval_file: quiz.data.jsonl\nlimit: 40\n"));
                files.push(("quiz.data.jsonl", records(100, rows)));
                files
            }),
            &[],
            vec![Silent("R280"), Silent("R281"), Verdict("correct", "better")],
        ),
        case(
            "two of a hundred were never scored by either arm",
            both(|arm| cut(98, arm, summary(&json!({ "n": 100 })))),
            &[],
            vec![
                Raised("R281"),
                Silent("R280"),
                Verdict("correct", "better"),
                Holds("correct", "/bounds/lost", json!(2)),
                Holds("correct", "/bounds/asked", json!(100)),
            ],
        ),
        case(
            "answers to each problem, training samples and a limit are no size",
            both(|arm| {
                let settings = "num_samples: 8\nlimit: 1000\ntrain:\n  num_examples: 20000\n";
                cut(60, arm, config(settings))
            }),
            &[],
            vec![Silent("R280"), Silent("R281"), Verdict("correct", "better")],
        ),
        case(
            "a size that counts every answer",
            both(|arm| {
                let record = |i: usize| json!({ "id": i / 4, "correct": right(arm, i) });
                vec![("quiz.jsonl", records(160, record)), summary(&json!({ "n": 160 }))]
            }),
            &[],
            vec![Raised("R120"), Silent("R280"), Silent("R281")],
        ),
        case(
            "only the last line is torn",
            both(|arm| {
                let whole = records(100, |i| correct(arm, i));
                let end = whole.len() - 9 * arm;
                vec![("quiz.jsonl", whole[..end].to_owned())]
            }),
            &[],
            vec![
                Raised("R103"),
                Raised("R211"),
                Silent("R212"),
                Verdict("correct", "better"),
                Holds("correct", "/bounds/lost", json!(1)),
                Holds("correct", "/candidate/part", json!([99, 100])),
                Holds("correct", "/baseline/part", json!([99, 100])),
            ],
        ),
    ]
}

fn aggregates() -> Vec<Case> {
    let figures = |arm: usize, n: u64, total: u64| {
        summary(&json!({ "accuracy": ([0.4, 0.9][arm]), "n": n, "total": total }))
    };
    vec![
        case(
            "an aggregate over thirty of a thousand",
            both(|arm| vec![figures(arm, [1000, 30][arm], 1000)]),
            GATES,
            vec![
                Raised("R280"),
                Verdict("accuracy", "not-assessable"),
                Holds("accuracy", "/candidate/coverage/missing", json!(970)),
                Holds("accuracy", "/baseline/part", json!([1000, 1000])),
                Gate("regression", "not_gateable"),
            ],
        ),
        case(
            "aggregates over thirty of a thousand in both arms",
            both(|arm| vec![figures(arm, 30, 1000)]),
            GATES,
            vec![
                Raised("R280"),
                Verdict("accuracy", "not-assessable"),
                Gate("regression", "not_gateable"),
            ],
        ),
        case(
            "an aggregate over a tenth of the other arm's samples",
            both(|arm| {
                vec![summary(&json!({ "accuracy": ([0.4, 0.9][arm]), "n": ([1000, 100][arm]) }))]
            }),
            GATES,
            vec![
                Raised("R287"),
                Verdict("accuracy", "not-assessable"),
                Gate("regression", "not_gateable"),
            ],
        ),
        case(
            "independent groups of somewhat different size",
            both(|arm| {
                vec![summary(&json!({ "accuracy": ([0.4, 0.9][arm]), "n": ([80, 70][arm]) }))]
            }),
            &[],
            vec![Silent("R287"), Raised("R228"), Verdict("accuracy", "better")],
        ),
    ]
}

fn endings() -> Vec<Case> {
    let with = |beside: (&'static str, String)| {
        both(move |arm| {
            let mut files = vec![("quiz.jsonl", records(60, |i| correct(arm, i)))];
            if arm == 1 {
                files.push(beside.clone());
            }
            files
        })
    };
    let failed = || {
        vec![
            Raised("R284"),
            Verdict("correct", "not-assessable"),
            Gate("regression", "not_gateable"),
        ]
    };
    vec![
        case(
            "the launcher saw it killed",
            with(("exit_code", "137\n".to_owned())),
            GATES,
            failed(),
        ),
        case(
            "its status says that it was cancelled",
            with(("status.json", json!({ "status": "Cancelled" }).to_string())),
            GATES,
            failed(),
        ),
        case(
            "sacred recorded an interruption",
            with(("run.json", json!({ "status": "INTERRUPTED", "command": "eval" }).to_string())),
            GATES,
            failed(),
        ),
        case(
            "an exit code of nothing wrong",
            with(("exit_code", "0\n".to_owned())),
            &[],
            vec![Silent("R284"), Verdict("correct", "better")],
        ),
        case(
            "a status of success",
            with(("status.json", json!({ "status": "success" }).to_string())),
            &[],
            vec![Silent("R284"), Verdict("correct", "better")],
        ),
    ]
}

fn trainings() -> Vec<Case> {
    let state = |reached: usize, planned: usize| {
        let row = |step: usize| json!({ "step": step, "loss": 1.0 / step as f64 });
        let log: Vec<Value> = (1..=reached / 100).map(|i| row(100 * i)).collect();
        let state = json!({ "global_step": reached, "max_steps": planned, "log_history": log });
        ("trainer_state.json", state.to_string())
    };
    let curve = |last: usize| {
        let line = |step: usize| format!("{step},{}\n", 1.0 / (step + 1) as f64);
        let lines: String = (0..=last / 100).map(|i| line(100 * i)).collect();
        ("train_metrics.csv", format!("step,loss\n{lines}"))
    };
    let quiz = |arm: usize| ("quiz.jsonl", records(60, |i| correct(arm, i)));
    vec![
        case(
            "one training stopped at 300 of 1000 steps",
            both(|arm| vec![quiz(arm), state([1000, 300][arm], 1000)]),
            &[],
            vec![Grade("confounded"), Raised("R285"), Silent("R286")],
        ),
        case(
            "both trainings made all their steps",
            both(|arm| vec![quiz(arm), state(1000, 1000)]),
            &[],
            vec![Silent("R285"), Silent("R286")],
        ),
        case(
            "one curve ends long before the other",
            both(|arm| vec![quiz(arm), curve([1000, 300][arm])]),
            &[],
            vec![Grade("confounded"), Raised("R286"), Silent("R285")],
        ),
        case(
            "a longer training that the configuration asked for",
            both(|arm| {
                let steps = config(format!("max_steps: {}\n", [1000, 300][arm]));
                vec![quiz(arm), curve([1000, 300][arm]), steps]
            }),
            &["--vary", "max_steps"],
            vec![Grade("as declared"), Silent("R286")],
        ),
    ]
}

fn contents() -> Vec<Case> {
    let question = |i: usize| format!("What is {i} times {i}?");
    vec![
        case(
            "one question of a hundred was corrected",
            quiz(100, move |arm, i| {
                let target = if arm == 1 && i == 7 { "50".to_owned() } else { (i * i).to_string() };
                json!({ "prompt": question(i), "target": target, "correct": right(arm, i) })
            }),
            &[],
            vec![
                Raised("R282"),
                Silent("R213"),
                Silent("R212"),
                Verdict("correct", "better"),
                Holds("correct", "/pairing/paired", json!(99)),
                Holds("correct", "/pairing/conflicting", json!(1)),
                Holds("correct", "/pairing/proof", json!("target-and-prompt-hash")),
                Holds("correct", "/candidate/part", json!([99, 100])),
            ],
        ),
        case(
            "one question in ten is another",
            quiz(100, move |arm, i| {
                let other = arm == 1 && i % 10 == 7;
                let prompt = question(if other { 1000 + i } else { i });
                json!({ "prompt": prompt, "target": "a", "correct": right(arm, i) })
            }),
            &[],
            vec![Raised("R213"), Silent("R282"), Verdict("correct", "not-assessable")],
        ),
        case(
            "ids are positions and one arm was shuffled",
            quiz(60, move |arm, i| {
                let at = if arm == 0 { i } else { (i * 7) % 60 };
                json!({ "id": i, "prompt": question(at), "correct": right(arm, at) })
            }),
            &[],
            vec![
                Raised("R283"),
                Silent("R213"),
                Silent("R215"),
                Verdict("correct", "better"),
                Holds("correct", "/pairing/paired", json!(60)),
                Holds("correct", "/pairing/proof", json!("content")),
                Holds("correct", "/flips/lost", json!(0)),
            ],
        ),
        case(
            "a few ids were renamed over equal questions",
            quiz(60, move |arm, i| {
                let id = if i < 6 { format!("{arm}-{i}") } else { format!("q{i}") };
                json!({ "id": id, "prompt": question(i), "correct": right(arm, i) })
            }),
            &[],
            vec![
                Raised("R215"),
                Silent("R211"),
                Silent("R283"),
                Verdict("correct", "better"),
                Holds("correct", "/pairing/paired", json!(60)),
            ],
        ),
        case(
            "other ids, and one question asked twice",
            quiz(100, move |arm, i| {
                let prompt = question(i.min(98));
                json!({ "id": format!("{arm}-{i}"), "prompt": prompt, "correct": right(arm, i) })
            }),
            &[],
            vec![
                Raised("R215"),
                Raised("R211"),
                Holds("correct", "/pairing/paired", json!(98)),
                Holds("correct", "/pairing/baseline_only", json!(2)),
            ],
        ),
        case(
            "records in another order with ids of their own",
            quiz(60, move |arm, i| {
                let at = if arm == 0 { i } else { (i * 7) % 60 };
                json!({ "id": format!("q{at}"), "prompt": question(at), "correct": right(arm, at) })
            }),
            &[],
            vec![Quiet, Silent("R215"), Silent("R283"), Verdict("correct", "better")],
        ),
    ]
}

fn suites() -> Vec<Case> {
    let datasets = |totals: [u64; 3]| {
        both(move |arm| {
            let mut of: serde_json::Map<String, Value> = serde_json::Map::new();
            for (name, total) in ["algebra", "biology", "civics"].into_iter().zip(totals) {
                let figures = json!({ "accuracy": ([0.4, 0.9][arm]), "n": 200, "total": total });
                of.insert(name.to_owned(), figures);
            }
            vec![("summary.json", json!({ "datasets": of }).to_string())]
        })
    };
    vec![case(
        "an average over datasets of which one is incomplete passes no gate",
        datasets([200, 200, 2000]),
        GATES,
        vec![Raised("R280"), Gate("regression", "not_gateable"), Status(3)],
    )]
}
