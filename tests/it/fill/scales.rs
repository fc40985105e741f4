//! Shares and percentages, the row that differences are to, and bold: as the document has them, else left.

use crate::command::reportgen;
use crate::directory::Directory;

/// Three runs on two datasets, with a share of unknown unit beside.
fn filled(document: &str, further: &[&str]) -> (String, String) {
    let directory = Directory::new();
    for (run, gsm8k, math, wer) in
        [("base", 0.612, 0.315, 0.083), ("sft", 0.686, 0.302, 0.089), ("dpo", 0.702, 0.331, 0.075)]
    {
        let datasets = format!(
            r#"{{"datasets": {{"gsm8k": {{"accuracy": {gsm8k}, "f1": {math}, "wer": {wer}, "n": 1000}}, "math": {{"accuracy": {math}, "f1": {gsm8k}, "n": 1000}}}}}}"#
        );
        directory.write(format!("{run}/summary.json"), datasets);
    }
    directory.write("doc.md", document);
    let runs = ["base", "sft", "dpo"].map(|run| directory.word(run));
    let words = ["fill".to_owned(), directory.word("doc.md")].into_iter().chain(runs);
    let words = words.chain(further.iter().map(|&word| word.to_owned()));
    let ended = reportgen(words.chain(["--write".to_owned()]));
    assert_eq!(ended.status, 0, "{ended:?}");
    (directory.read("doc.md"), ended.out)
}

/// The document with `?`, and what it becomes: `?` stays one.
#[track_caller]
fn check(document: &str, written: &[&str]) {
    let mut rest = document;
    let mut expected = String::new();
    for words in written {
        let (before, after) = rest.split_once('?').expect("as many as are asked for");
        expected.extend([before, words]);
        rest = after;
    }
    assert_eq!(filled(document, &[]).0, expected + rest);
}

#[test]
fn each_metric_has_the_scale_that_its_own_figures_have() {
    check(
        "# gsm8k\n\n| Model | Accuracy | F1 |\n|-|-|-|\n| base | 61.2% | 0.315 |\n| sft | ? | ? |\n",
        &["68.6%", "0.302"],
    );
    check(
        "# gsm8k\n\n| Metric | base | sft |\n|-|-|-|\n| Accuracy | 61.2% | ? |\n| F1 | 0.315 | ? |\n",
        &["68.6%", "0.302"],
    );
    check(
        "# gsm8k\n\n| Metric | base | sft | Δ |\n|-|-|-|-|\n| Accuracy | 61.2% | ? | ? |\n| F1 | 0.315 | ? | ? |\n",
        &["68.6%", "+7.4 pp", "0.302", "-0.013"],
    );
}

#[test]
fn a_head_in_per_cent_has_percentages_whatever_stands_elsewhere() {
    check("# gsm8k\n\n| Model | Accuracy (%) |\n|-|-|\n| sft | ? |\n", &["68.6"]);
    check(
        "# gsm8k\n\n| Metric | base | sft |\n|-|-|-|\n| F1 | 0.315 | ? |\n| Accuracy (%) | ? | ? |\n",
        &["0.302", "61.2", "68.6"],
    );
    for document in [
        "# gsm8k\n\n| Model | WER (%) |\n|-|-|\n| sft | ? |\n",
        "# gsm8k\n\n| Metric (%) | sft |\n|-|-|\n| wer | ? |\n",
    ] {
        check(document, &["?"]);
    }
}

#[test]
fn a_figure_that_may_be_of_either_scale_is_left() {
    let table = "# gsm8k\n\n| Metric | base | sft |\n|-|-|-|\n| Accuracy | 61.2% | 68.6% |\n| wer | 0.083 | ? |\n";
    check(table, &["0.089"]);
    let table = "# gsm8k\n\n| Dataset | base | sft | Recall | dpo |\n|-|-|-|-|-|\n| gsm8k accuracy | 61.2% | 0.686 | | ? |\n";
    check(table, &["?"]);
}

#[test]
fn a_percentage_of_a_share_without_a_unit_is_read_as_one_and_never_replaced() {
    let table = |base: &str, sft: &str| {
        format!("# gsm8k\n\n| Model | WER |\n|-|-|\n| base | {base} |\n| sft | {sft} |\n")
    };
    assert_eq!(filled(&table("8.3", "?"), &[]).0, table("8.3", "8.9"));
    let (document, told) = filled(&table("9.1", "?"), &["--refresh"]);
    assert_eq!(document, table("9.1", "?"));
    assert!(told.contains("may be the same in another unit"), "{told}");
}

#[test]
fn differences_are_in_points_where_those_beside_are() {
    check(
        "# Accuracy\n\n| Dataset | base | sft | Δ |\n|-|-|-|-|\n| GSM8K | 0.612 | 0.686 | +7.4 |\n| MATH | ? | ? | ? |\n",
        &["0.315", "0.302", "-1.3"],
    );
    check(
        "# Accuracy\n\n| Dataset | base | sft | Δ |\n|-|-|-|-|\n| GSM8K | ? | ? | ? |\n| MATH | ? | ? | -1 |\n",
        &["61.2%", "68.6%", "+7.4", "31.5%", "30.2%"],
    );
}

#[test]
fn a_stroke_marks_the_row_that_differences_are_to() {
    let table = |stroke: &str, to_base: &str| {
        format!(
            "# Accuracy\n\n| Model | gsm8k | Δ |\n|-|-|-|\n| sft | 68.6 | {stroke} |\n| base | 61.2 | {to_base} |\n| dpo | 70.2 | ? |\n"
        )
    };
    check(&table("–", "-7.4"), &["+1.6"]);
    check(&table("0", "-7.4"), &["+1.6"]);
    check(&table("", "-7.4"), &["+1.6"]);
    check(&table("–", "–"), &["?"]);
    // The reference is none of the runs, or not one of them alone.
    for name in ["Qwen2.5-72B", "sft (full)", "base + CoT"] {
        check(
            &format!(
                "# Accuracy\n\n| Model | gsm8k | Δ |\n|-|-|-|\n| {name} | 91.5 | – |\n| dpo | 70.2 | ? |\n"
            ),
            &["?"],
        );
    }
    check(
        "# Accuracy\n\n| Model | gsm8k | Δ |\n|-|-|-|\n| GPT | 91.5 | – |\n| base | 61.2 | – |\n| dpo | 70.2 | ? |\n",
        &["+9.0"],
    );
}

#[test]
fn differences_to_the_row_above_are_not_taken_for_those_to_the_first() {
    let document = "# Accuracy\n\n| Model | gsm8k | Δ | math | Δ |\n|-|-|-|-|-|\n| base | 61.2 | – | 31.5 | – |\n| sft | 68.6 | +7.4 | 30.2 | ? |\n| dpo | 70.2 | +1.6 | 33.1 | ? |\n";
    let (after, told) = filled(document, &["--refresh"]);
    assert_eq!(after, document);
    assert!(told.contains("`1.6 (L7)`, which is the difference to the row above"), "{told}");
}

#[test]
fn two_differences_behind_several_runs_are_left() {
    check(
        "# Accuracy\n\n| Dataset | base | sft | dpo | Δ | Δ |\n|-|-|-|-|-|-|\n| math | ? | ? | ? | ? | ? |\n",
        &["31.5%", "30.2%", "33.1%", "?", "?"],
    );
}

#[test]
fn a_mean_is_over_columns_that_are_all_understood_and_its_own() {
    for document in [
        "# Accuracy\n\n| Model | gsm8k | math | AIME | Avg |\n|-|-|-|-|-|\n| sft | 68.6 | 30.2 | TBD | ? |\n",
        "# Accuracy\n\n| Model | gsm8k | math | Avg | gsm8k f1 | Avg |\n|-|-|-|-|-|-|\n| sft | 68.6 | 30.2 | ? | 30.2 | ? |\n",
    ] {
        assert_eq!(filled(document, &[]).0, document);
    }
}

#[test]
fn bold_goes_with_a_run_or_with_the_best_figure() {
    let table = |rows: [[&str; 3]; 2]| {
        let row = |name: &str, [a, b, c]: [&str; 3]| format!("| {name} | {a} | {b} | {c} |\n");
        let head = "# Accuracy\n\n| Dataset | base | sft | dpo |\n|-|-|-|-|\n";
        head.to_owned() + &row("GSM8K", rows[0]) + &row("MATH", rows[1])
    };
    for (given, bold) in [
        ([["61.2", "68.6", "**70.2**"], ["?", "?", "?"]], ["31.5", "30.2", "**33.1**"]),
        ([["61.2", "**68.6**", "70.2"], ["?", "?", "?"]], ["31.5", "**30.2**", "33.1"]),
        ([["**61.2**", "**68.6**", "70.2"], ["?", "?", "?"]], ["31.5", "30.2", "33.1"]),
    ] {
        check(&table(given), &bold);
    }
    let best_of_gsm8k = [["?", "?", "?"], ["31.5", "30.2", "**33.1**"]];
    check(&table(best_of_gsm8k), &["61.2", "68.6", "**70.2**"]);
    // The best of its row, and not of the other.
    check(
        "| Dataset | base accuracy | sft accuracy |\n|-|-|-|\n| GSM8K | 61.2 | **68.6** |\n| MATH | ? | ? |\n",
        &["31.5", "30.2"],
    );
}
