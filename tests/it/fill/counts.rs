//! Shares with their counts, as `52.3% (690/1319)`: filled as those beside them are written.

use crate::command::reportgen;
use crate::directory::Directory;

/// 64 of 100 and 50 of 100 answers are right.
fn filled(document: &str) -> (String, String) {
    let directory = Directory::new();
    for (run, right) in [("base", 64), ("tuned", 50)] {
        let rows = (0..100).map(|at| format!("q{at},{}\n", u8::from(at < right)));
        let rows: String = rows.collect();
        directory.write(format!("{run}/results.csv"), format!("id,accuracy\n{rows}"));
    }
    directory.write("doc.md", document);
    let run = |name| directory.word(name);
    let ended = reportgen(["fill", &run("doc.md"), &run("base"), &run("tuned"), "--write"]);
    (directory.read("doc.md"), ended.out)
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
    ] {
        let written = table(base, tuned);
        let (document, told) = filled(&written);
        assert_eq!(document, written, "{base}");
        assert!(told.contains(reason), "{base}: {told}");
    }
}
