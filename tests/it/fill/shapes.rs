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

/// The program gives percentage points, and these columns have relative changes by the figures of others.
#[test]
fn a_column_of_relative_changes_of_others_is_left() {
    for document in [
        "| Metric | base | tuned | Change |\n|-|-|-|-|\n| ROC AUC | 0.7683 | 0.9378 | +22.1% |\n| gsm8k | ? | 62.5% | ? |\n",
        "| Metric | base | tuned | 变化 |\n|-|-|-|-|\n| 推理时间(s) | 8.2 | 3.1 | -62% |\n| gsm8k | 50% | ? | ? |\n",
    ] {
        let filled = Desk::new().filled(document, &[]);
        assert!(filled.ends_with("| ? |\n"), "{filled}");
    }
    let points = "| Metric | base | tuned | Δ |\n|-|-|-|-|\n| ROC AUC | 76.8 | 93.8 | +17.0 |\n| gsm8k | ? | ? | ? |\n";
    assert!(Desk::new().filled(points, &[]).ends_with("| 50.0 | 62.5 | +12.5 |\n"));
}

#[test]
fn a_mean_is_left_where_those_of_others_are_over_more_than_their_figures() {
    let table = |mean: &str| {
        format!(
            "| Model | gsm8k | math | Avg |\n|-|-|-|-|\n| Mistral | 52.2 | 13.1 | {mean} |\n| tuned | ? | ? | ? |\n"
        )
    };
    assert!(Desk::new().filled(&table("38.6"), &[]).ends_with("| tuned | 62.5 | 23.8 | ? |\n"));
    assert!(Desk::new().filled(&table("32.7"), &[]).ends_with("| tuned | 62.5 | 23.8 | 43.1 |\n"));
}

#[test]
fn the_size_of_a_model_is_no_run() {
    let document = "| Size | gsm8k |\n|-|-|\n| small | 22.1 |\n| base | ? |\n";
    assert_eq!(Desk::new().filled(document, &[]), document);
}

#[test]
fn figures_are_written_as_those_of_others_in_the_column() {
    let table = |beside: &str, own: &str| {
        format!("| Model | gsm8k |\n|-|-|\n| Mistral | {beside} |\n| tuned | {own} |\n")
    };
    for (beside, own) in
        [("52.2", "62.5"), ("52.20", "62.50"), ("52.2%", "62.5%"), ("0.522", "62.5%")]
    {
        assert_eq!(Desk::new().filled(&table(beside, "?"), &[]), table(beside, own), "{beside}");
    }
}
