//! `? ± ?`: how far a figure may be off is filled where the document says what stands behind `±`.

use super::filled_of;

/// 64 of 100 and 50 of 100 answers are right: standard errors by scipy 1.17, `scipy.stats.sem`, of 0.048242
/// and 0.050252; half intervals at 95 % of 1.959964 times that.
fn filled(document: &str) -> (String, String) {
    let (document, ended) = filled_of([("base", 64), ("tuned", 50)], 100, document);
    assert_eq!(ended.status, 0, "{ended:?}");
    (document, ended.out)
}

fn table(head: &str, base: &str, tuned: &str) -> String {
    format!("| Model | {head} |\n|---|---|\n| base | {base} |\n| tuned | {tuned} |\n")
}

#[test]
fn a_spread_is_what_the_head_says_or_those_beside_it_are() {
    for (head, base, tuned, in_base, in_tuned) in [
        ("Accuracy ± SE", "? ± ?", "?", "64.0% ± 4.8%", "50.0% ± 5.0%"),
        ("Accuracy (± 95% CI)", "? ± ?", "?±?", "64.0% ± 9.5%", "50.0%±9.8%"),
        ("准确率 ± 标准误", "？ ± ？", "**?**", "64.0% ± 4.8%", "**50.0% ± 5.0%**"),
        ("Accuracy", "64.0 ± 4.8", "? ± ?", "64.0 ± 4.8", "50.0 ± 5.0"),
        ("Accuracy", "0.640 +/- 0.095", "?", "0.640 +/- 0.095", "0.500 +/- 0.098"),
        ("Accuracy (± SE)", "64.0 ($\\pm$ 5)", "?", "64.0 ($\\pm$ 5)", "50.0 ($\\pm$ 5)"),
        ("Accuracy (± SE)", "64.0 [5]", "?", "64.0 [5]", "?"),
        ("Accuracy (± SE)", "? (±?)", "", "64.0% (±4.8%)", ""),
    ] {
        let (document, _) = filled(&table(head, base, tuned));
        assert_eq!(document, table(head, in_base, in_tuned), "{head}");
    }
}

#[test]
fn a_spread_that_nothing_names_or_that_is_another_is_left() {
    for (head, base, tuned, reason) in [
        ("Accuracy", "? ± ?", "? ± ?", "does not say what stands behind `±`"),
        ("Accuracy", "64.0 ± 1.2", "? ± ?", "has `64.0 ± 1.2` where the runs have 64.0% ± 4.82%"),
        ("Accuracy ± SE", "64.0 ± 9.5", "?", "has `64.0 ± 9.5` where the runs have 64.0% ± 4.82%"),
        ("Accuracy ± std", "? ± ?", "? ± ?", "the head of the column"),
    ] {
        let written = table(head, base, tuned);
        let (document, told) = filled(&written);
        assert_eq!(document, written, "{head}");
        assert!(told.contains(reason), "{head}: {told}");
    }
}
