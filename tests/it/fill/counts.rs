//! Shares with their counts, as `52.3% (690/1319)`: filled as those beside them are written.

use super::filled_of;
use crate::command::reportgen;
use crate::directory::Directory;

/// 64 of 100 and 50 of 100 answers are right.
fn filled(document: &str) -> (String, String) {
    let (document, ended) = filled_of([("base", 64), ("tuned", 50)], 100, document);
    (document, ended.out)
}

fn table(base: &str, tuned: &str) -> String {
    format!("| Model | Accuracy |\n|---|---|\n| base | {base} |\n| tuned | {tuned} |\n")
}

#[test]
fn a_share_has_its_counts_as_those_beside_it_have() {
    for (base, tuned, in_base, in_tuned) in [
        ("64.0% (64/100)", "?", "64.0% (64/100)", "50.0% (50/100)"),
        ("64/100 (64%)", "**?**", "64/100 (64%)", "**50/100 (50%)**"),
        ("0.64 [64/100]", "?", "0.64 [64/100]", "0.50 [50/100]"),
        ("64.0%（64/100）", "？", "64.0%（64/100）", "50.0%（50/100）"),
        ("? (?/100)", "?% (?/?)", "64.0% (64/100)", "50.0% (50/100)"),
        ("?%", "**?** (?/100)", "64.0%", "**50.0%** (50/100)"),
        ("?/? = ?%", "(?/100) ？%", "64/100 = 64.0%", "(50/100) 50.0%"),
        ("0.640", "?%", "0.640", "50.0%"),
        ("64.00% (64/100)", "? (?/100)", "64.00% (64/100)", "50.00% (50/100)"),
        ("?/? (?)", "50%", "64/100 (64%)", "50%"),
    ] {
        assert_eq!(filled(&table(base, tuned)).0, table(in_base, in_tuned), "{base} {tuned}");
    }
}

#[test]
fn a_share_is_left_whose_counts_are_others() {
    for (base, tuned, reason) in [
        ("64.0% (65/100)", "?", "has `64.0% (65/100)` where the runs have 64.0% (64/100)"),
        ("64.0% (64/100)", "? (?/200)", "200"),
        ("36/100", "?/100", "has `36/100` where the runs have 64/100"),
    ] {
        let written = table(base, tuned);
        let (document, told) = filled(&written);
        assert_eq!(document, written, "{base}");
        assert!(told.contains(reason), "{base}: {told}");
    }
}

#[test]
fn a_share_is_left_beside_brackets_of_something_else() {
    for other in ["60.0 (3/5)", "50.0 (1/2)", "60.0% (40/100)", "60.0% (100/100)", "60.0 (60/99)"] {
        let written =
            format!("| Model | Accuracy |\n|---|---|\n| llama | {other} |\n| base | ? |\n");
        let (document, told) = filled(&written);
        assert_eq!(document, written);
        assert!(told.contains(&format!("the column has `{other}`")), "{told}");
    }
}

#[test]
fn a_share_whose_counts_are_others_is_told() {
    let (_, told) = filled(&table("64.0% (64/100)", "51.0% (51/100)"));
    assert!(told.contains("51.0% (51/100) ≠ 50.0% (50/100)"), "{told}");
}

#[test]
fn scores_that_are_no_answers_have_no_counts() {
    let directory = Directory::new();
    let rows = (0..100).map(|at| format!("q{at},{}\n", if at < 80 { 0.5 } else { 0.0 }));
    let rows: String = rows.collect();
    directory.write("soft/results.csv", format!("id,accuracy\n{rows}"));
    directory.write("doc.md", "| Model | Accuracy |\n|---|---|\n| soft | ? (?/100) |\n");
    let ended = reportgen(["fill", &directory.word("doc.md"), &directory.word("soft")]);
    assert!(ended.out.contains("do not say how many of its samples are right"), "{ended:?}");
}

/// 1 and 2 of 125 answers are right: 0.8 and 1.6 %.
#[test]
fn percentages_below_1_are_none_of_1() {
    for (base, tuned, expected) in [
        ("0.8", "?", "1.6"),
        ("0.8 (1/125)", "?", "1.6 (2/125)"),
        ("0.008", "?", "0.016"),
        ("0.008 (1/125)", "?", "0.016 (2/125)"),
    ] {
        let right = [("base", 1), ("tuned", 2)];
        let (document, ended) = filled_of(right, 125, &table(base, tuned));
        assert_eq!(document, table(base, expected), "{base} {ended:?}");
    }
}

#[test]
fn a_zero_says_nothing_of_its_scale() {
    let right = [("base", 0), ("tuned", 2)];
    let (document, ended) = filled_of(right, 125, &table("0 (0/125)", "? (?/125)"));
    assert_eq!(document, table("0 (0/125)", "1.6% (2/125)"), "{ended:?}");
}

#[test]
fn nothing_follows_from_a_cell_that_asks_for_other_samples() {
    let document = "| Dataset | base | tuned | Δ |\n|-|-|-|-|\n| accuracy | ?/200 | ? | ? |\n";
    let (filled, told) = filled(document);
    assert_eq!(filled, document.replace("?/200 | ? |", "?/200 | 50.0% |"), "{told}");
}

#[test]
fn columns_of_counts_are_filled_where_their_numbers_are_those_of_the_runs() {
    for (base, tuned, in_base, in_tuned) in [
        ("64 | 100 | 64.0%", "? | 100 | ?", "64 | 100 | 64.0%", "50 | 100 | 50.0%"),
        ("? | ? | ?", "? | ? | ?", "64 | 100 | 64.0%", "50 | 100 | 50.0%"),
        ("36 | 100 | 64.0%", "? | 100 | ?", "36 | 100 | 64.0%", "? | 100 | 50.0%"),
        ("64 | 100 | 64.0%", "? | 200 | ?", "64 | 100 | 64.0%", "? | 200 | ?"),
        ("310 | 600 | ?", "? | ? | ?", "310 | 600 | ?", "? | ? | 50.0%"),
    ] {
        let rows = |base: &str, tuned: &str| {
            let head = "| Model | Correct | Total | Accuracy |\n|---|---|---|---|\n";
            format!("{head}| base | {base} |\n| tuned | {tuned} |\n")
        };
        let (document, told) = filled(&rows(base, tuned));
        assert_eq!(document, rows(in_base, in_tuned), "{told}");
    }
}

#[test]
fn counts_alone_are_written_where_those_of_the_column_are_the_runs_own() {
    for (base, tuned, expected) in
        [("64/100", "?", "50/100"), ("65/100", "?", "?"), ("? / 100", "?/1,00", "?/1,00")]
    {
        let (document, told) = filled(&table(base, tuned));
        assert!(document.ends_with(&format!("| tuned | {expected} |\n")), "{document} {told}");
    }
}

/// Each cell is one that somebody has to look at.
#[test]
fn a_cell_that_asks_in_another_form_is_told() {
    for asked in ["?†", "?[^1]", "? of 100", "<b>?</b>", "? (+?)", "? (50.0)", "?, ?"] {
        let written = table("64.0%", asked);
        let (document, told) = filled(&written);
        assert_eq!(document, written, "{told}");
        assert!(told.contains("asks in a form that is not known"), "{asked}: {told}");
    }
}

#[test]
fn a_difference_keeps_the_unit_that_its_cell_asks_for() {
    for (asked, expected) in [("+?", "-14.0 pp"), ("? pp", "-14.0 pp"), ("+?pp", "-14.0 pp")] {
        let rows = |difference: &str| {
            format!(
                "| Dataset | base | tuned | Δ |\n|-|-|-|-|\n| accuracy | 64.0% | 50.0% | {difference} |\n"
            )
        };
        assert_eq!(filled(&rows(asked)).0, rows(expected), "{asked}");
    }
}

#[test]
fn no_percentage_stands_where_a_count_or_points_may_be_meant() {
    for document in [
        "| Dataset | Correct (base) | Correct (tuned) | Total |\n|-|-|-|-|\n| accuracy | ? | ? | 100 |\n",
        "## Correct\n\n| Model | accuracy | Total |\n|-|-|-|\n| tuned | ? | 100 |\n",
        "| Model | Correct | Total | Correct | Total |\n|-|-|-|-|-|\n| tuned | ? | ? | ? | ? |\n",
        "| Model | accuracy (pp) |\n|-|-|\n| tuned | ? |\n",
        "| Dataset | base | tuned | -Δ |\n|-|-|-|-|\n| accuracy | 64.0% | 50.0% | ? |\n",
        "| Model | Improved | Declined |\n|-|-|-|\n| tuned | 61 | ? |\n",
    ] {
        let (filled, told) = filled(document);
        assert_eq!(filled, document, "{told}");
    }
}

#[test]
fn nothing_is_filled_whose_words_name_other_samples_or_have_a_note_that_says_something() {
    let rows = "| Model | accuracy |\n|-|-|\n| tuned | ? |\n";
    for document in [
        rows.replace("Model", "Model (n=200)"),
        format!("# Results (200 samples)\n\n{rows}"),
        format!("# 结果（样本数：200）\n\n{rows}"),
        format!("{rows}\n*n = 200 for all models.*\n"),
        format!("{}\n[^1]: Only the first half.\n", rows.replace("tuned", "tuned[^1]")),
        format!("{}\n† with 4-bit quantization\n", rows.replace("accuracy", "accuracy†")),
        rows.replace("accuracy", "accuracy<sup>dev</sup>"),
        format!("{rows}\nError rates in percent.\n"),
        format!("All are from the first 50 questions. We were greedy.\n\n{rows}"),
        format!("我们只测了前 50 题。\n\n{rows}"),
        format!("{rows}\nNumbers are pass@8.\n"),
        format!("Mean of 3 seeds.\n\n{rows}"),
        format!("取三个随机种子的平均。\n\n{rows}"),
        format!("在抽样的 50 条数据上评测。\n\n{rows}"),
        "| Model | Correct | Total |\n|-|-|-|\n| base | ? | ? |\n| base | ? | ? |\n".to_owned(),
    ] {
        let (filled, told) = filled(&document);
        assert_eq!(filled, document, "{told}");
    }
    for document in [
        format!("We trained on 7,473 examples.\n\n{rows}"),
        format!("# Results (100 samples)\n\n{rows}"),
        format!("{rows}\n*n = 100 for all models.*\n"),
        format!("{}\n[^1]: Our results.\n", rows.replace("tuned", "tuned[^1]")),
        rows.replace("accuracy", "accuracy<sup>2</sup>"),
    ] {
        let (filled, told) = filled(&document);
        assert!(filled.contains("| 50.0% |"), "{filled} {told}");
    }
}

#[test]
fn a_cell_with_several_shares_is_told() {
    let written = table("?/? (?/100)", "? (?%)");
    let (document, told) = filled(&written);
    assert_eq!(document, written);
    assert!(
        told.contains("2 unclear") && told.contains("asks in a form that is not known"),
        "{told}"
    );
}

#[test]
fn differences_and_means_are_of_shares_with_their_counts() {
    let document =
        "| Dataset | base | tuned | Δ |\n|-|-|-|-|\n| accuracy | 64.0% (64/100) | ? | ? |\n";
    let (filled, told) = filled(document);
    assert!(
        filled.ends_with("| 64.0% (64/100) | 50.0% (50/100) | -14.0 pp |\n"),
        "{filled} {told}"
    );
}

/// Each is a table with a cell that asks for 200 samples, has other figures, or is said to be of something
/// else.
#[test]
fn no_difference_is_to_a_figure_that_is_refused_or_another_one() {
    let rows = |base: &str| {
        format!("| Model | Accuracy | Δ |\n|-|-|-|\n| base | {base} | – |\n| tuned | 50.0% | ? |\n")
    };
    for document in [
        rows("?/200"),
        rows("64.0% (65/100)"),
        format!("Δ is to GPT-4 (92.0).\n\n{}", rows("64.0%")),
        format!("{}\nΔ is relative to tuned.\n", rows("64.0%")),
        format!("差异均相对于 GPT-4。\n\n{}", rows("64.0%")),
        format!("Δ is base minus tuned. More is worse.\n\n{}", rows("64.0%")),
        format!("Δ is base − tuned.\n\n{}", rows("64.0%")),
        format!("{}\nGains are over the row above.\n", rows("64.0%")),
        format!("Counts in brackets are failures.\n\n{}", rows("64.0%")),
        rows("64.0%").replace("Accuracy", "Accuracy (n=1,319)"),
    ] {
        let (filled, told) = filled(&document);
        assert!(filled.contains("| ? |"), "{filled} {told}");
    }
    let group = "| Model | Accuracy | Δ |\n|-|-|-|\n| Mistral | 44.0 | – |\n| tuned | 50.0 | ? |\n| base | 64.0 | – |\n";
    assert_eq!(filled(group).0, group);
    for document in [
        rows("64.0% (64/100)"),
        rows("64.0%").replace("Accuracy", "Accuracy (n = 100)"),
        format!("Gains are relative to base.\n\n{}", rows("64.0%")),
        format!("Δ is to the baseline.\n\n{}", rows("64.0%")),
        format!("Differences are measured against base, in points.\n\n{}", rows("64.0%")),
    ] {
        let (filled, told) = filled(&document);
        assert!(filled.contains("| 50.0% | -14.0 pp |"), "{filled} {told}");
    }
}

#[test]
fn a_difference_that_is_taken_the_other_way_than_its_head_says_is_told() {
    let document = "| Dataset | base | tuned | Δ (tuned − base) |\n|-|-|-|-|\n| accuracy | 64.0% (64/100) | 50.0% (50/100) | +14.0 pp |\n";
    let (_, told) = filled(document);
    assert!(told.contains("+14.0 pp ≠ -14.0 pp"), "{told}");
}
