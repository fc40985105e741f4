//! `fill` changes the cells that it fills, nothing else, and only where what they ask for is clear.

use std::fs;

use proptest::prelude::*;

use crate::command::{Ended, reportgen};
use crate::directory::Directory;

/// Two runs with an accuracy on two datasets.
struct Desk(Directory);

impl Desk {
    fn new() -> Self {
        let desk = Self(Directory::new());
        for (run, [a, b]) in [("base", [0.5, 0.25]), ("tuned", [0.625, 0.2375])] {
            let datasets = format!(
                r#"{{"datasets": {{"gsm8k": {{"accuracy": {a}, "n": 400}}, "math": {{"accuracy": {b}, "n": 400}}}}}}"#
            );
            desk.0.write(format!("{run}/summary.json"), datasets);
        }
        desk
    }

    fn fill(&self, document: &[u8], further: &[&str]) -> Ended {
        fs::write(self.0.path("doc.md"), document).expect("written");
        let words = ["fill", &self.0.word("doc.md"), &self.0.word("base"), &self.0.word("tuned")];
        reportgen(words.iter().chain(further).copied())
    }

    /// The document after `--write`.
    fn filled(&self, document: &str, further: &[&str]) -> String {
        let ended = self.fill(document.as_bytes(), &[&["--write"], further].concat());
        assert_eq!(ended.status, 0, "{ended:?}");
        self.0.read("doc.md")
    }
}

#[track_caller]
fn check(document: &str, further: &[&str], expected: &str) {
    assert_eq!(Desk::new().filled(document, further), expected);
}

#[test]
fn bytes_outside_of_the_cells_stay_as_they_are() {
    check(
        "\u{feff}| Model | gsm8k |\r\n|---|---|\r\n| base |\t? |  \r\n|tuned|**?**|\r\n\r\nend? ",
        &[],
        "\u{feff}| Model | gsm8k |\r\n|---|---|\r\n| base |\t50.0% |  \r\n|tuned|**62.5%**|\r\n\r\nend? ",
    );
}

#[test]
fn a_column_that_was_set_out_stays_so() {
    check(
        "| Model | gsm8k    |\n|-------|----------|\n| base  | ?        |\n",
        &[],
        "| Model | gsm8k    |\n|-------|----------|\n| base  | 50.0%    |\n",
    );
}

#[test]
fn figures_are_written_as_those_beside_them() {
    let table =
        |a: &str, b: &str| format!("| Model | gsm8k |\n|-|-|\n| base | {a} |\n| tuned | {b} |\n");
    for (beside, expected) in [
        ("50%", "62%"),
        ("50.00%", "62.50%"),
        ("0.500", "0.625"),
        ("**50.0**", "**62.5**"),
        ("50.0 %", "62.5 %"),
    ] {
        check(&table(beside, "?"), &[], &table(beside, expected));
    }
}

#[test]
fn a_metric_of_no_known_unit_is_written_in_percent_where_the_document_does_so() {
    let desk = Desk::new();
    for (run, [own, seconds]) in [("base", [0.946, 0.7]), ("tuned", [0.958, 0.9])] {
        let figures = format!(r#"{{"format_rate_x": {own}, "drift": {seconds}, "n": 500}}"#);
        desk.0.write(format!("{run}/summary.json"), figures);
    }
    assert_eq!(
        desk.filled(
            "| Metric | base | tuned | Δ |\n|-|-|-|-|\n| format_rate_x | 94.6% | ? | ? |\n| drift | 0.7% | ? | ? |\n",
            &[]
        ),
        "| Metric | base | tuned | Δ |\n|-|-|-|-|\n| format_rate_x | 94.6% | 95.8% | +1.2 pp |\n| drift | 0.7% | 0.9% | +0.2 |\n",
    );
}

#[test]
fn a_second_run_changes_nothing() {
    let desk = Desk::new();
    let once = desk.filled("| Model | gsm8k | math |\n|-|-|-|\n| tuned | ? | ? |\n", &[]);
    assert_eq!(desk.filled(&once, &[]), once);
    assert_eq!(desk.fill(once.as_bytes(), &["--check"]).status, 0);
}

#[test]
fn nothing_is_written_before_it_is_asked_for() {
    let desk = Desk::new();
    let document = "| Model | gsm8k |\n|-|-|\n| tuned | ? |\n";
    let ended = desk.fill(document.as_bytes(), &[]);
    assert!(ended.out.contains("+| tuned | 62.5% |"), "{}", ended.out);
    assert_eq!(desk.0.read("doc.md"), document);
    assert_eq!(desk.fill(document.as_bytes(), &["--check"]).status, 3);
}

#[test]
fn a_figure_that_the_runs_contradict_is_told_and_replaced_on_request() {
    let table = |tuned: &str| {
        format!(
            "| Model | gsm8k | math |\n|-|-|-|\n| base | 50.0% | 25.0% |\n| tuned | {tuned} | ? |\n"
        )
    };
    check(&table("61.0%"), &[], &table("61.0%").replace('?', "23.75%").replace("23.75", "23.8"));
    let refreshed = table("62.5%").replace('?', "23.8%");
    check(&table("61.0%"), &["--refresh"], &refreshed);
    let ended = Desk::new().fill(table("61.0%").as_bytes(), &["--check"]);
    assert_eq!(ended.status, 1, "{}", ended.out);
    assert!(ended.out.contains("61.0% ≠ 62.5%"), "{}", ended.out);
}

#[test]
fn what_the_runs_do_not_confirm_is_nothing_to_reckon_with() {
    let table = "| Dataset | base | tuned | Δ |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | +12.5% |\n| math | 99.0% | ? | ? |\n";
    let expected = table.replace("99.0% | ? | ? |", "99.0% | 23.8% | ? |");
    check(table, &[], &expected);
}

#[test]
fn differences_follow_the_direction_of_those_that_are_there() {
    let table = |math: &str| {
        format!(
            "| Dataset | base | tuned | diff |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | -12.5 pp |\n| math | 25.0% | 23.8% | {math} |\n"
        )
    };
    check(&table("?"), &[], &table("+1.25 pp"));
}

#[test]
fn rows_and_columns_that_nobody_understood_are_left() {
    for table in [
        "| Model | latency |\n|-|-|\n| base | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| llama | ? |\n",
        "| Model | Score |\n|-|-|\n| base | ? |\n",
        "| Model | Prompt | gsm8k |\n|-|-|-|\n| base | a | ? |\n| base | b | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| base |\n| tuned | 1 | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| base | 12.0% |\n| tuned | ? |\n",
        "# Perplexity\n\n| Model | gsm8k |\n|-|-|\n| base | ? |\n",
        "| Perplexity | gsm8k |\n|-|-|\n| base | ? |\n",
        "| Model | gsm8k+ | GSM8K-hard |\n|-|-|-|\n| base | ? | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| base+ | ? |\n| Δ base | ? |\n| base (old) | ? |\n",
        "# base\n\n## GPT-4\n\n| Dataset | Score |\n|-|-|\n| gsm8k | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| base | ?/100 |\n",
        "| Model | gsm8k | Δ |\n|-|-|-|\n| GPT-4 | 80.0% | 0.0 |\n| tuned | 62.5% | ? |\n",
        "| Dataset | base | GPT-4 | tuned | Δ |\n|-|-|-|-|-|\n| gsm8k | 50.0% | 80% | 62.5% | ? |\n",
        "| Dataset | base | tuned | Δ% |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| **w/o KL** | |\n| base | ? |\n",
        "<table><tr><td>gsm8k</td><td>?</td></tr></table>\n",
        "    | Model | gsm8k |\n    |-|-|\n    | base | ? |\n",
    ] {
        check(table, &[], table);
    }
}

#[test]
fn the_baseline_is_subtracted_wherever_it_stands_and_shares_stay_shares() {
    let table = |a: &str, b: &str| {
        format!("| Dataset | tuned | base | Δ |\n|-|-|-|-|\n| gsm8k | {a} | 0.500 | {b} |\n")
    };
    check(&table("?", "?"), &[], &table("0.625", "+0.125"));
}

#[test]
fn sums_subtract_as_the_differences_of_the_document_do() {
    let document = |difference: &str, mean: &str| {
        format!(
            "# gsm8k\n\n| Metric | tuned | base | Δ |\n|-|-|-|-|\n| accuracy | 62.5% | 50.0% | {difference} |\n\n| Summary | Score |\n|-|-|\n| mean difference | {mean} |\n"
        )
    };
    check(&document("?", "?"), &[], &document("+12.5 pp", "+12.5 pp"));
    check(&document("-12.5 pp", "?"), &[], &document("-12.5 pp", "-12.5 pp"));
}

#[test]
fn a_run_may_be_called_as_the_document_calls_it() {
    let desk = Desk::new();
    let document = "| Method | gsm8k |\n|-|-|\n| KL_BETA=0.15 | ? |\n| (V2) | ? |\n";
    fs::write(desk.0.path("doc.md"), document).expect("written");
    let arms =
        [format!("KL_BETA=0.15={}", desk.0.word("base")), format!("v2={}", desk.0.word("tuned"))];
    let ended = reportgen(["fill", &desk.0.word("doc.md"), &arms[0], &arms[1], "--write"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let expected = document.replacen('?', "50.0%", 1).replacen('?', "62.5%", 1);
    assert_eq!(desk.0.read("doc.md"), expected);
}

#[test]
fn what_is_no_document_is_refused() {
    let desk = Desk::new();
    let ended = desk.fill(&[0xff, 0xfe, b'?'], &[]);
    assert_eq!(ended.status, 4, "{ended:?}");
    assert!(ended.err.contains("doc.md"), "{}", ended.err);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let desk = Desk::new();
    let (aim, link) = (desk.0.path("aim.md"), desk.0.path("link.md"));
    fs::write(&aim, "| Model | gsm8k |\n|-|-|\n| base | ? |\n").expect("written");
    std::os::unix::fs::symlink(&aim, &link).expect("linked");
    let ended = reportgen(["fill", &desk.0.word("link.md"), &desk.0.word("base"), "--write"]);
    assert_eq!(ended.status, 4, "{ended:?}");
    assert!(ended.err.contains("name the file that it leads to"), "{ended:?}");
    assert!(link.is_symlink());
    assert!(desk.0.read("aim.md").contains("| base | ? |"));
    let shown = reportgen(["fill", &desk.0.word("link.md"), &desk.0.word("base")]);
    assert_eq!(shown.status, 0, "{shown:?}");
}

#[test]
fn what_is_no_file_is_refused_and_not_waited_for() {
    let desk = Desk::new();
    let ended = reportgen(["fill", &desk.0.word("base"), &desk.0.word("base")]);
    assert_eq!(ended.status, 4, "{ended:?}");
}

/// Pieces of which documents are made, tables among them.
fn documents() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just(
            "| Model | gsm8k | math |\n|:--|--:|---|\n| base | ? | **?** |\n| tuned |  ?  | ？ |\n\n"
        ),
        Just(
            "> | 数据集 | base | tuned | Δ |\n> |-|-|-|-|\n> | gsm8k 📈 | ? | ? | ? |\n> | math | ? | ? | ? |\n\n"
        ),
        Just("- x\n\n  | Model | gsm8k |\n  |-|-|\n  | base | ?/2 |\n\n"),
        Just("# gsm8k\n\n"),
        Just("## base\n"),
        Just("| a \\| b | gsm8k |\n|-|-|\n| tuned | ? |\n| x |\n\n"),
        Just("text ? | ? |\n"),
        Just("| base | ? |\n"),
        Just("```\n| Model | gsm8k |\n|-|-|\n| base | ? |\n```\n\n"),
        Just("<!-- reportgen:bind run=tuned dataset=math -->\n"),
        Just("| Metric | |\n|-|-|\n| accuracy | ? |\n\n"),
        Just("\r\n"),
        Just("|"),
        Just("|-|-|\n"),
        Just("**"),
        Just("\u{feff}"),
        Just("\\"),
    ];
    proptest::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn only_cells_that_ask_change(document in documents()) {
        let desk = Desk::new();
        let filled = desk.filled(&document, &["--partial", "--adopt-orphans"]);
        prop_assert_eq!(filled.lines().count(), document.lines().count());
        for (before, after) in document.lines().zip(filled.lines()) {
            prop_assert!(before == after || (before.contains('|') && before.contains(['?', '？'])));
            let cells = |line: &str| line.replace("\\|", "").matches('|').count();
            prop_assert_eq!(cells(before), cells(after), "{} became {}", before, after);
        }
        prop_assert_eq!(desk.filled(&filled, &["--partial", "--adopt-orphans"]), filled);
    }
}
