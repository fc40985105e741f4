//! Cases of results that one arm lacks, of producers that died, and of arms that share nothing.

use serde_json::{Value, json};

use super::Expected::{Gate, Grade, Holds, Quiet, Raised, Silent, Status, Verdict};
use super::{Case, Files, both, case, config, correct, records, right};

const GATES: &[&str] = &["--fail-on", "regression,missing"];
const REGRESSION: &[&str] = &["--fail-on", "regression"];

pub(super) fn cases() -> Vec<Case> {
    [datasets(), checkpoints(), seeds(), torn(), nothing_shared(), equal()]
        .into_iter()
        .flatten()
        .collect()
}

/// Samples of two quizzes, of which one arm may have the first alone.
fn quizzes(arm: usize, only_first: bool) -> Files {
    let mut files = vec![("algebra.jsonl", of("algebra", 60, arm))];
    if !only_first {
        files.push(("biology.jsonl", of("biology", 60, arm)));
    }
    files
}

fn of(dataset: &str, n: usize, arm: usize) -> String {
    records(n, |i| json!({ "dataset": dataset, "correct": right(arm, i) }))
}

fn summary(figures: &Value) -> (&'static str, String) {
    ("summary.json", json!({ "datasets": figures }).to_string())
}

/// An accuracy that is much better in the candidate.
fn better(arm: usize) -> Value {
    json!({ "accuracy": ([0.4, 0.9][arm]), "n": 200 })
}

fn datasets() -> Vec<Case> {
    vec![
        case(
            "the candidate was never evaluated on one of two datasets",
            both(|arm| quizzes(arm, arm == 1)),
            GATES,
            vec![
                Raised("R216"),
                Verdict("correct", "better"),
                Gate("regression", "not_gateable"),
                Gate("missing", "not_gateable"),
                Status(3),
            ],
        ),
        case(
            "a dataset that the candidate alone has",
            both(|arm| quizzes(arm, arm == 0)),
            REGRESSION,
            vec![Quiet, Raised("R216"), Gate("regression", "pass"), Status(0)],
        ),
        case(
            "a stated figure without counterpart",
            both(|arm| {
                let mut figures = json!({ "algebra": better(arm) });
                if arm == 0 {
                    figures["law"] = json!({ "accuracy": 0.6, "n": 200 });
                }
                vec![summary(&figures)]
            }),
            REGRESSION,
            vec![Raised("R216"), Gate("regression", "not_gateable"), Status(3)],
        ),
        case(
            "what is worse fails whatever else is missing",
            both(|arm| {
                let mut figures = json!({ "algebra": better(1 - arm) });
                if arm == 0 {
                    figures["law"] = json!({ "accuracy": 0.6, "n": 200 });
                }
                vec![summary(&figures)]
            }),
            REGRESSION,
            vec![Gate("regression", "fail"), Status(1)],
        ),
        case(
            "a rate of a field that the candidate does not record is no lost result",
            both(|arm| {
                let record = |i: usize| {
                    let mut record = correct(arm, i);
                    if arm == 0 {
                        record["error_type"] =
                            json!(if right(0, i) { "success" } else { "syntax" });
                    }
                    record
                };
                vec![("quiz.jsonl", records(60, record))]
            }),
            REGRESSION,
            vec![Raised("R230"), Silent("R216"), Gate("regression", "pass")],
        ),
        case(
            "a figure without a good side is missing and judges nothing",
            both(|arm| {
                let mut figures = better(arm);
                if arm == 0 {
                    figures["mood_of_the_day"] = json!(3.5);
                }
                vec![summary(&json!({ "algebra": figures }))]
            }),
            REGRESSION,
            vec![Quiet, Raised("R216"), Gate("regression", "pass")],
        ),
    ]
}

/// Accuracies over epochs; the arm lacks those of which `lacks` says so.
fn curve(arm: usize, lacks: fn(usize) -> bool) -> Files {
    let row = |epoch: usize| format!("{epoch},quiz,{},1000\n", [0.40, 0.80][arm]);
    let rows: String = (1..=3).filter(|epoch| arm == 0 || !lacks(*epoch)).map(row).collect();
    vec![("results.csv", format!("epoch,dataset,accuracy,n\n{rows}"))]
}

fn checkpoints() -> Vec<Case> {
    vec![
        case(
            "the candidate lacks the last checkpoint",
            both(|arm| curve(arm, |epoch| epoch == 3)),
            REGRESSION,
            vec![Raised("R216"), Gate("regression", "not_gateable")],
        ),
        case(
            "the candidate was evaluated less often, but to the end",
            both(|arm| curve(arm, |epoch| epoch == 2)),
            REGRESSION,
            vec![Raised("R216"), Gate("regression", "pass")],
        ),
    ]
}

fn seeds() -> Vec<Case> {
    let run = |name: &'static str, accuracy: Option<f64>| {
        let mut figures = json!({ "algebra": { "accuracy": 0.5, "n": 200 } });
        if let Some(accuracy) = accuracy {
            figures["law"] = json!({ "accuracy": accuracy, "n": 200 });
        }
        (name, json!({ "datasets": figures }).to_string())
    };
    vec![case(
        "one seed of the candidate was not evaluated on a dataset",
        both(|arm| {
            let base = [0.5, 0.9][arm];
            vec![
                run("seed-1/summary.json", Some(base)),
                run("seed-2/summary.json", Some(base + 0.01)),
                run("seed-3/summary.json", (arm == 0).then_some(base + 0.02)),
            ]
        }),
        REGRESSION,
        vec![Silent("R219"), Gate("regression", "not_gateable")],
    )]
}

/// Samples of which the last of the candidate's is cut in the middle.
fn cut(n: usize, arm: usize, there: usize) -> String {
    let whole = records(if arm == 1 { there + 1 } else { n }, |i| correct(arm, i));
    let end = whole.len() - if arm == 1 { 9 } else { 0 };
    whole[..end].to_owned()
}

fn torn() -> Vec<Case> {
    let died = || {
        vec![
            Grade("not comparable"),
            Raised("R103"),
            Raised("R288"),
            Verdict("correct", "not-assessable"),
            Holds("correct", "/reason", json!("blocked: R288")),
            Gate("regression", "not_gateable"),
            Gate("missing", "not_gateable"),
            Status(3),
        ]
    };
    vec![
        case(
            "a torn file with 97 samples in a hundred",
            both(|arm| vec![("quiz.jsonl", cut(1000, arm, 970))]),
            GATES,
            died(),
        ),
        case(
            "both files torn, at the same record, of a declared size",
            both(|arm| {
                let size = json!({ "datasets": { "quiz": { "n": 1000 } } }).to_string();
                let whole = records(981, |i| correct(arm, i));
                vec![("quiz.jsonl", whole[..whole.len() - 9].to_owned()), ("summary.json", size)]
            }),
            GATES,
            vec![Raised("R288"), Verdict("correct", "not-assessable")],
        ),
        case(
            "a torn list of samples",
            both(|arm| {
                let lines = records(if arm == 1 { 971 } else { 1000 }, |i| correct(arm, i));
                let list = format!("[{}]", lines.trim_end().replace('\n', ",\n"));
                let end = list.len() - if arm == 1 { 9 } else { 0 };
                vec![("quiz.json", list[..end].to_owned())]
            }),
            GATES,
            died(),
        ),
        case(
            "a torn file that lacks the torn record alone",
            both(|arm| vec![("quiz.jsonl", cut(1000, arm, 999))]),
            GATES,
            vec![
                Raised("R103"),
                Silent("R288"),
                Verdict("correct", "better"),
                Holds("correct", "/bounds/lost", json!(1)),
                Gate("regression", "pass"),
            ],
        ),
        case(
            "a torn file of which too much is missing is told once",
            both(|arm| vec![("quiz.jsonl", cut(1000, arm, 30))]),
            GATES,
            vec![Raised("R212"), Silent("R288"), Gate("regression", "not_gateable")],
        ),
        case(
            "thirty samples in a thousand are missing and no file is torn",
            both(|arm| vec![("quiz.jsonl", records([1000, 970][arm], |i| correct(arm, i)))]),
            GATES,
            vec![Raised("R211"), Silent("R288"), Verdict("correct", "better")],
        ),
    ]
}

fn nothing_shared() -> Vec<Case> {
    let curve = |arm: usize| {
        let row = |i: usize| format!("{i},{}\n", 1.0 / (i + arm) as f64);
        ("train_metrics.csv", format!("step,loss\n{}", (1..=20).map(row).collect::<String>()))
    };
    vec![
        case(
            "training curves alone",
            both(|arm| vec![curve(arm)]),
            REGRESSION,
            vec![
                Raised("R248"),
                Silent("R219"),
                Quiet,
                Gate("regression", "not_gateable"),
                Status(3),
            ],
        ),
        case(
            "one arm was evaluated and the other has curves alone",
            both(|arm| {
                if arm == 0 {
                    vec![summary(&json!({ "quiz": better(0) }))]
                } else {
                    vec![curve(arm)]
                }
            }),
            REGRESSION,
            vec![Raised("R219"), Silent("R248"), Gate("regression", "not_gateable")],
        ),
        case(
            "one metric on different datasets",
            both(|arm| vec![summary(&json!({ (["algebra", "law"][arm]): better(arm) }))]),
            REGRESSION,
            vec![
                Raised("R249"),
                Silent("R219"),
                Grade("not comparable"),
                Gate("regression", "not_gateable"),
            ],
        ),
        case(
            "one dataset of two in common",
            both(|arm| {
                let own = ["algebra", "law"][arm];
                vec![summary(&json!({ (own): better(arm), "quiz": better(arm) }))]
            }),
            &[],
            vec![Silent("R249"), Silent("R219"), Raised("R216")],
        ),
        case(
            "metrics of other names",
            both(|arm| {
                vec![summary(&json!({ "quiz": { (["accuracy", "bleu"][arm]): 0.5, "n": 200 } }))]
            }),
            &[],
            vec![Raised("R219"), Silent("R249"), Silent("R248")],
        ),
        case(
            "five runs in arms that hold training curves alone",
            both(|arm| {
                ["seed-1/train_metrics.csv", "seed-2/train_metrics.csv"]
                    .map(|path| (path, curve(arm).1))
                    .into()
            }),
            &[],
            vec![Raised("R248"), Silent("R219")],
        ),
        case(
            "a configuration beside curves changes nothing of that",
            both(|arm| vec![curve(arm), config(format!("lr: {}\n", [1, 2][arm]))]),
            &["--vary", "lr"],
            vec![Raised("R248"), Silent("R219"), Grade("as declared")],
        ),
    ]
}

fn equal() -> Vec<Case> {
    let metrics = |n: usize| -> (&'static str, String) {
        let figures = (0..n).map(|i| (format!("score_{i}"), json!(0.25)));
        ("metrics.json", Value::Object(figures.collect()).to_string())
    };
    vec![
        case(
            "equal means of other outcomes",
            both(|arm| vec![("quiz.jsonl", records(60, |i| json!({ "correct": i % 2 == arm })))]),
            &[],
            vec![Silent("R218"), Grade("as declared"), Verdict("correct", "inconclusive")],
        ),
        case(
            "three equal samples and one aggregate, and no configuration",
            both(|_| {
                let all = json!({ "quiz": { "accuracy": 0.61 } });
                vec![("samples.jsonl", records(3, |i| json!({ "correct": i > 0 }))), summary(&all)]
            }),
            &[],
            vec![Grade("as declared")],
        ),
        case(
            "four aggregates and a configuration",
            both(|_| vec![metrics(4), config("lr: 1\n")]),
            &[],
            vec![Grade("identical"), Raised("R218")],
        ),
        case(
            "four aggregates, and training curves that differ",
            both(|arm| {
                let curve = format!("step,loss\n1,0.5\n2,0.{}\n", 3 + arm);
                vec![metrics(4), config("lr: 1\n"), ("train_metrics.csv", curve)]
            }),
            &[],
            vec![Grade("as declared"), Raised("R218")],
        ),
        case(
            "other questions under equal ids and equal outcomes",
            both(|arm| {
                let record =
                    |i: usize| json!({ "target": format!("{arm}{i}"), "correct": right(0, i) });
                vec![("quiz.jsonl", records(60, record))]
            }),
            &[],
            vec![Raised("R213"), Silent("R218")],
        ),
    ]
}
