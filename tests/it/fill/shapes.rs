//! Tables as other people have them, with names and figures of our own.

use super::{Desk, check};

/// After weavel-ai/Ape, `experiments/trainer/EXAMPLE_RESULT.md`: runs as columns, benchmarks as rows, a
/// column without a head, the split and the metric in the headings.
#[test]
fn the_shape_of_runs_as_columns_below_splits_and_costs() {
    let part = |heading: &str, cells: [&str; 4]| {
        let [a, b, c, d] = cells;
        format!(
            "{heading}\n\n| Benchmarks \\ Methods | base | tuned |     |\n| --- | --- | --- | --- |\n| GSM8K | {a} | {b} | |\n| MATH | {c} | {d} | |\n\n"
        )
    };
    let asked = ["?"; 4];
    let document = |test: [&str; 4], named: [&str; 4]| {
        [
            "# Heron Result\n\nName of trainer\n\n## Summary\n\n".to_owned(),
            part("### Trainset Scores", asked),
            part("### Testset Scores: accuracy", test),
            part("### Training Time & Cost\n\n#### Training Time (s)", asked),
            part("#### Cost ($)", asked),
            part("### Accuracy", named),
        ]
        .concat()
    };
    let filled = ["50.0%", "62.5%", "25.0%", "23.75%"];
    check(&document(asked, asked), &[], &document(filled, filled));
}

/// After dot-agent/nextpy, app-examples/llm_eval_plotly: runs as rows, a mean before its parts.
#[test]
fn the_shape_of_runs_as_rows_with_a_mean_before_its_parts() {
    check(
        "| model_name | average | gsm8k | math |\n|:--|--:|--:|--:|\n| base |  ? | 0.500000 | 0.250000 |\n| tuned |  ? |  ? |  ? |\n| org/llama-7b | 0.351241 | 0.354118 | 0.348364 |\n",
        &[],
        "| model_name | average | gsm8k | math |\n|:--|--:|--:|--:|\n| base | 0.375000 | 0.500000 | 0.250000 |\n| tuned | 0.431250 | 0.625000 | 0.237500 |\n| org/llama-7b | 0.351241 | 0.354118 | 0.348364 |\n",
    );
}

/// After mjcarleb/fine-tuning-playground, `results/metrics_summary.md`: metrics as rows below a heading that
/// says that they are averages, with relative improvements.
#[test]
fn the_shape_of_metrics_as_rows_with_relative_improvements() {
    let table = |head: &str, a: &str, b: &str| {
        format!(
            "# Model Comparison Metrics\n\n## {head}\n\n| Metric | Base Model | Tuned Model | Improvement | % Change |\n|-|-|-|-|-|\n| accuracy | {a} | {b} | ? | ? |\n"
        )
    };
    let desk = Desk::new();
    for (run, value) in [("base", 0.224), ("tuned", 0.52)] {
        let figures = format!(r#"{{"accuracy": {value}, "n": 500}}"#);
        desk.0.write(format!("{run}/summary.json"), figures);
    }
    let averages = table("Average Metrics Across All Samples", "?", "?");
    assert_eq!(desk.filled(&averages, &[]), averages);
    let filled = desk.filled(&table("Metrics", "0.224", "?"), &[]);
    assert_eq!(filled, table("Metrics", "0.224", "0.520").replacen("| ? |", "| +0.296 |", 1));
}
