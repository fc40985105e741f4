//! Directories that hold several runs, and those of one run that look like it.

use crate::command::{compare, compared, reportgen};
use crate::directory::Directory;
use crate::report::{cell, told};

const LOW: &str = r#"{"accuracy": 0.41, "n": 100}"#;
const HIGH: &str = r#"{"accuracy": 0.52, "n": 100}"#;

#[test]
fn hidden_directories_are_listed_and_names_of_paths_are_entered() {
    let directory = Directory::of([
        (".cache/results.json", LOW),
        ("..__x/results.json", HIGH),
        ("node_modules/results.json", LOW),
    ]);
    let ended = reportgen(["inspect", &directory.word("")]);
    for line in [
        "..__x/results.json  metrics-json",
        ".cache/  ignored: hidden directory",
        "node_modules/  ignored: directory of no results",
        "accuracy = 0.52",
    ] {
        assert!(ended.out.contains(line), "{line}\n{}", ended.out);
    }
}

fn not_read(content: &str, cause: &str) {
    let directory = Directory::of([("results.json", content)]);
    let ended = reportgen(["inspect", &directory.word("")]);
    assert!(ended.err.contains("R122") && ended.err.contains(cause), "{ended:?}");
    assert!(!ended.out.contains("metrics-json"), "{ended:?}");
}

#[test]
fn documents_of_other_programs_under_names_of_results_are_not_guessed_at() {
    not_read(
        r#"{"evalId": "eval-1", "results": {"version": 3, "prompts": [{"raw": "x"}], "results": [], "stats": {"successes": 2, "failures": 1, "tokenUsage": {"total": 90}}}}"#,
        "promptfoo",
    );
    not_read(
        r#"{"total_instances": 300, "submitted_instances": 48, "resolved_instances": 12, "resolved_ids": ["a"]}"#,
        "SWE-bench",
    );
    not_read(
        r#"{"version": 2, "status": "success", "eval": {"eval_id": "a", "task_version": 0}, "stats": {"input_tokens": 48}}"#,
        "Inspect AI",
    );
    not_read(r#"{"run": {"seconds": 3.5, "tests": [{"q": "x", "tokens": 5}]}}"#, "run");
    let directory = Directory::of([(
        "results.json",
        r#"{"gsm8k": {"accuracy": 0.5, "n": 100}, "per_task": [{"id": 1}]}"#,
    )]);
    let ended = reportgen(["inspect", &directory.word("")]);
    assert!(ended.out.contains("gsm8k/accuracy = 0.5") && !ended.err.contains("R122"), "{ended:?}");
}

const SUMMARY: &str = "dataset,version,metric,mode,base,tuned\n\
    gsm8k,1d7fe4,accuracy,gen,51.25,55.5\nmmlu,-,naive_average,gen,60.1,-\nrace,7a1b2c,accuracy,ppl,70.0,71.5\n";

#[test]
fn each_model_of_an_opencompass_summary_is_a_run() {
    let directory = Directory::of([
        ("summary.csv", SUMMARY),
        (
            "tuned.csv",
            "dataset,version,metric,mode,tuned\ngsm8k,1d7fe4,accuracy,gen,55.5\nrace,7a1b2c,accuracy,ppl,71.5\n",
        ),
        (
            "other.csv",
            "dataset,version,metric,mode,tuned\ngsm8k,99aa00,accuracy,gen,55.5\nrace,7a1b2c,accuracy,gen,71.5\n",
        ),
    ]);
    let all = directory.word("summary.csv");
    let refused = compare(&[&all, &directory.word("tuned.csv")], &[]);
    assert!(refused.status == 2 && refused.err.contains("::model=base"), "{refused:?}");
    let base = format!("{all}::model=base");
    for runs in [
        vec![base.clone(), directory.word("tuned.csv")],
        vec![base.clone(), format!("{all}::model=tuned")],
    ] {
        let report = compared(&runs, &[]);
        let found = &cell(&report, "accuracy")["delta"]["absolute"];
        assert!((found.as_f64().expect("a number") - 4.25).abs() < 1e-9, "{found}");
        assert!(!told(&report).contains("R220"), "{}", told(&report));
    }
    let report = compared(&[base, directory.word("other.csv")], &[]);
    assert_eq!(told(&report).matches("R220").count(), 2, "{}", told(&report));
}

#[test]
fn a_table_that_only_begins_like_an_opencompass_summary_is_a_grid() {
    let directory = Directory::of([("grid.csv", "dataset,version,accuracy\nquiz,2,0.5\n")]);
    let ended = reportgen(["inspect", &directory.word("grid.csv")]);
    assert!(ended.out.contains("grid-csv"), "{ended:?}");
}
