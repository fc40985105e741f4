//! Cases of results that one arm lacks, of producers that died, and of arms that share nothing.

use serde_json::{Value, json};

use super::Expected::{Gate, Grade, Holds, Quiet, Raised, Silent, Status, Verdict};
use super::{Case, Expected, Files, both, case, config, correct, records, right};
use crate::cases::cases;

const GATES: &[&str] = &["--fail-on", "regression,missing"];
const REGRESSION: &[&str] = &["--fail-on", "regression"];

cases![
    the_candidate_was_never_evaluated_on_one_of_two_datasets = case(
        both(|arm| quizzes(arm, arm == 1)),
        GATES,
        vec![
            Raised("R216"),
            Verdict("correct", "better"),
            Gate("regression", "not-gateable"),
            Gate("missing", "not-gateable"),
            Status(3),
        ]
    ),
    a_dataset_that_the_candidate_alone_has = case(
        both(|arm| quizzes(arm, arm == 0)),
        REGRESSION,
        vec![Quiet, Raised("R216"), Gate("regression", "pass"), Status(0)]
    ),
    a_stated_figure_without_counterpart = case(
        both(|arm| {
            let mut figures = json!({ "algebra": better(arm) });
            if arm == 0 {
                figures["law"] = json!({ "accuracy": 0.6, "n": 200 });
            }
            vec![summary(&figures)]
        }),
        REGRESSION,
        vec![Raised("R216"), Gate("regression", "not-gateable"), Status(3)]
    ),
    what_is_worse_fails_whatever_else_is_missing = case(
        both(|arm| {
            let mut figures = json!({ "algebra": better(1 - arm) });
            if arm == 0 {
                figures["law"] = json!({ "accuracy": 0.6, "n": 200 });
            }
            vec![summary(&figures)]
        }),
        REGRESSION,
        vec![Gate("regression", "fail"), Status(1)]
    ),
    a_rate_of_a_field_that_the_candidate_does_not_record_is_no_lost_result = case(
        both(|arm| {
            let record = |i: usize| {
                let mut record = correct(arm, i);
                if arm == 0 {
                    record["error_type"] = json!(if right(0, i) { "success" } else { "syntax" });
                }
                record
            };
            vec![("quiz.jsonl", records(60, record))]
        }),
        REGRESSION,
        vec![Raised("R230"), Silent("R216"), Gate("regression", "pass")]
    ),
    a_figure_without_a_good_side_is_missing_and_judges_nothing = case(
        both(|arm| {
            let mut figures = better(arm);
            if arm == 0 {
                figures["mood_of_the_day"] = json!(3.5);
            }
            vec![summary(&json!({ "algebra": figures }))]
        }),
        REGRESSION,
        vec![Quiet, Raised("R216"), Gate("regression", "pass")]
    ),
    the_candidate_lacks_the_last_checkpoint = case(
        both(|arm| curve(arm, |epoch| epoch == 3)),
        REGRESSION,
        vec![Raised("R216"), Gate("regression", "not-gateable")]
    ),
    the_candidate_was_evaluated_less_often_but_to_the_end = case(
        both(|arm| curve(arm, |epoch| epoch == 2)),
        REGRESSION,
        vec![Raised("R216"), Gate("regression", "pass")]
    ),
    one_seed_of_the_candidate_was_not_evaluated_on_a_dataset = case(
        both(|arm| {
            let base = [0.5, 0.9][arm];
            vec![
                evaluated("seed-1/summary.json", Some(base)),
                evaluated("seed-2/summary.json", Some(base + 0.01)),
                evaluated("seed-3/summary.json", (arm == 0).then_some(base + 0.02)),
            ]
        }),
        REGRESSION,
        vec![Silent("R219"), Gate("regression", "not-gateable")]
    ),
    a_torn_file_with_97_samples_in_a_hundred =
        case(both(|arm| vec![("quiz.jsonl", cut(1000, arm, 970))]), GATES, died()),
    both_files_torn_at_the_same_record_of_a_declared_size = case(
        both(|arm| {
            let size = json!({ "datasets": { "quiz": { "n": 1000 } } }).to_string();
            let whole = records(981, |i| correct(arm, i));
            vec![("quiz.jsonl", whole[..whole.len() - 9].to_owned()), ("summary.json", size)]
        }),
        GATES,
        vec![Raised("R288"), Verdict("correct", "not-assessable")]
    ),
    a_torn_list_of_samples = case(
        both(|arm| {
            let lines = records(if arm == 1 { 971 } else { 1000 }, |i| correct(arm, i));
            let list = format!("[{}]", lines.trim_end().replace('\n', ",\n"));
            let end = list.len() - if arm == 1 { 9 } else { 0 };
            vec![("quiz.json", list[..end].to_owned())]
        }),
        GATES,
        died()
    ),
    a_torn_file_that_lacks_the_torn_record_alone = case(
        both(|arm| vec![("quiz.jsonl", cut(1000, arm, 999))]),
        GATES,
        vec![
            Raised("R103"),
            Silent("R288"),
            Verdict("correct", "better"),
            Holds("correct", "/bounds/lost", json!(1)),
            Gate("regression", "pass"),
        ]
    ),
    a_torn_file_of_which_too_much_is_missing_is_told_once = case(
        both(|arm| vec![("quiz.jsonl", cut(1000, arm, 30))]),
        GATES,
        vec![Raised("R212"), Silent("R288"), Gate("regression", "not-gateable")]
    ),
    thirty_samples_in_a_thousand_are_missing_and_no_file_is_torn = case(
        both(|arm| vec![("quiz.jsonl", records([1000, 970][arm], |i| correct(arm, i)))]),
        GATES,
        vec![Raised("R211"), Silent("R288"), Verdict("correct", "better")]
    ),
    training_curves_alone = case(
        both(|arm| vec![training(arm)]),
        REGRESSION,
        vec![Raised("R248"), Silent("R219"), Quiet, Gate("regression", "not-gateable"), Status(3),]
    ),
    one_arm_was_evaluated_and_the_other_has_curves_alone = case(
        both(|arm| {
            if arm == 0 {
                vec![summary(&json!({ "quiz": better(0) }))]
            } else {
                vec![training(arm)]
            }
        }),
        REGRESSION,
        vec![Raised("R219"), Silent("R248"), Gate("regression", "not-gateable")]
    ),
    one_metric_on_different_datasets = case(
        both(|arm| vec![summary(&json!({ (["algebra", "law"][arm]): better(arm) }))]),
        REGRESSION,
        vec![
            Raised("R249"),
            Silent("R219"),
            Grade("not-comparable"),
            Gate("regression", "not-gateable"),
        ]
    ),
    one_dataset_of_two_in_common = case(
        both(|arm| {
            let own = ["algebra", "law"][arm];
            vec![summary(&json!({ (own): better(arm), "quiz": better(arm) }))]
        }),
        &[],
        vec![Silent("R249"), Silent("R219"), Raised("R216")]
    ),
    metrics_of_other_names = case(
        both(|arm| {
            vec![summary(&json!({ "quiz": { (["accuracy", "bleu"][arm]): 0.5, "n": 200 } }))]
        }),
        &[],
        vec![Raised("R219"), Silent("R249"), Silent("R248")]
    ),
    five_runs_in_arms_that_hold_training_curves_alone = case(
        both(|arm| {
            ["seed-1/train_metrics.csv", "seed-2/train_metrics.csv"]
                .map(|path| (path, training(arm).1))
                .into()
        }),
        &[],
        vec![Raised("R248"), Silent("R219")]
    ),
    a_configuration_beside_curves_changes_nothing_of_that = case(
        both(|arm| vec![training(arm), config(format!("lr: {}\n", [1, 2][arm]))]),
        &["--vary", "lr"],
        vec![Raised("R248"), Silent("R219"), Grade("as-declared")]
    ),
    equal_means_of_other_outcomes = case(
        both(|arm| vec![("quiz.jsonl", records(60, |i| json!({ "correct": i % 2 == arm })))]),
        &[],
        vec![Silent("R218"), Grade("as-declared"), Verdict("correct", "inconclusive")]
    ),
    three_equal_samples_and_one_aggregate_and_no_configuration = case(
        both(|_| {
            let all = json!({ "quiz": { "accuracy": 0.61 } });
            vec![("samples.jsonl", records(3, |i| json!({ "correct": i > 0 }))), summary(&all)]
        }),
        &[],
        vec![Grade("as-declared")]
    ),
    four_aggregates_and_a_configuration = case(
        both(|_| vec![equal_figures(4), config("lr: 1\n")]),
        &[],
        vec![Grade("identical"), Raised("R218")]
    ),
    four_aggregates_and_training_curves_that_differ = case(
        both(|arm| {
            let curve = format!("step,loss\n1,0.5\n2,0.{}\n", 3 + arm);
            vec![equal_figures(4), config("lr: 1\n"), ("train_metrics.csv", curve)]
        }),
        &[],
        vec![Grade("as-declared"), Raised("R218")]
    ),
    other_questions_under_equal_ids_and_equal_outcomes = case(
        both(|arm| {
            let record =
                |i: usize| json!({ "target": format!("{arm}{i}"), "correct": right(0, i) });
            vec![("quiz.jsonl", records(60, record))]
        }),
        &[],
        vec![Raised("R213"), Silent("R218")]
    ),
];

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

/// Accuracies over epochs; the arm lacks those of which `lacks` says so.
fn curve(arm: usize, lacks: fn(usize) -> bool) -> Files {
    let row = |epoch: usize| format!("{epoch},quiz,{},1000\n", [0.40, 0.80][arm]);
    let rows: String = (1..=3).filter(|epoch| arm == 0 || !lacks(*epoch)).map(row).collect();
    vec![("results.csv", format!("epoch,dataset,accuracy,n\n{rows}"))]
}

/// A run's accuracy on one dataset, and on a second where it was evaluated on it.
fn evaluated(name: &'static str, law: Option<f64>) -> (&'static str, String) {
    let mut figures = json!({ "algebra": { "accuracy": 0.5, "n": 200 } });
    if let Some(accuracy) = law {
        figures["law"] = json!({ "accuracy": accuracy, "n": 200 });
    }
    (name, json!({ "datasets": figures }).to_string())
}

/// Samples of which the last of the candidate's is cut in the middle.
fn cut(n: usize, arm: usize, there: usize) -> String {
    let whole = records(if arm == 1 { there + 1 } else { n }, |i| correct(arm, i));
    let end = whole.len() - if arm == 1 { 9 } else { 0 };
    whole[..end].to_owned()
}

fn died() -> Vec<Expected> {
    vec![
        Grade("not-comparable"),
        Raised("R103"),
        Raised("R288"),
        Verdict("correct", "not-assessable"),
        Holds("correct", "/reason", json!("blocked: R288")),
        Gate("regression", "not-gateable"),
        Gate("missing", "not-gateable"),
        Status(3),
    ]
}

fn training(arm: usize) -> (&'static str, String) {
    let row = |i: usize| format!("{i},{}\n", 1.0 / (i + arm) as f64);
    ("train_metrics.csv", format!("step,loss\n{}", (1..=20).map(row).collect::<String>()))
}

fn equal_figures(n: usize) -> (&'static str, String) {
    let figures = (0..n).map(|i| (format!("score_{i}"), json!(0.25)));
    ("metrics.json", Value::Object(figures.collect()).to_string())
}
