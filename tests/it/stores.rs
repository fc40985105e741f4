//! Directories that hold several runs, and those of one run that look like it.

use crate::command::reportgen;
use crate::directory::Directory;

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
