//! Sentences about verdicts and gates that must not say more than what was found.

use serde_json::json;

use super::{Files, Runs, cell, quiz};

/// What a person reads of two runs under a gate.
fn page(files: &[Files; 2], choices: &str, arguments: &[&str]) -> String {
    let runs = Runs::of(files);
    runs.directory.write("reportgen.toml", choices);
    let config = runs.word("reportgen.toml");
    let own = ["--config", &config, "--format", "md", "--lang", "en", "--fail-on", "regression"];
    runs.compare(&[&own, arguments].concat()).out
}

#[test]
fn only_a_gate_that_passes_says_that_its_margin_is_shown() {
    for (right, shown) in [([300, 300], true), ([300, 240], false), ([300, 280], false)] {
        let page = page(
            &quiz(400, |arm, i| json!({ "correct": i < right[arm] })),
            "",
            &["--margin", "correct=5"],
        );
        assert!(page.contains("against its declared margin"), "{page}");
        assert_eq!(page.contains("shown not to be worse"), shown, "{page}");
    }
}

#[test]
fn a_gate_counts_what_it_leaves_open_among_what_it_looked_at() {
    let drift = |arm, i: usize| {
        let moved = (i % 9) as f64 - 2.0;
        json!({ "correct": i < [20, 22][arm], "drift": (i % 7) as f64 + arm as f64 * moved })
    };
    let report = Runs::of(&quiz(63, drift)).report(&["--fail-on", "regression"]);
    assert_eq!(cell(&report, "drift")["reason"], json!("direction-unknown"));
    let gate = &report["gates"][0];
    assert_eq!(gate["outcome"], json!("inconclusive"));
    assert!(gate["reason"].as_str().expect("a text").starts_with("2 of 2 are"), "{gate}");
}

#[test]
fn a_guard_that_is_worse_by_its_margin_is_told_without_a_p() {
    let guard = "[[metric]]\nnames = [\"f1\"]\nrole = \"guard\"\n";
    let files = quiz(200, |arm, i| json!({ "correct": i < 100, "f1": i < [150, 90][arm] }));
    let page = page(&files, guard, &["--margin", "f1=5"]);
    assert!(page.contains("`f1` 75.0% → 45.0% (-30.0 pp"), "{page}");
    assert!(!page.contains("p :"), "{page}");
}

#[test]
fn bounds_that_are_known_are_not_asked_for() {
    let skewed = |name: &'static str, size: f64| {
        let files =
            quiz(40, move |arm, i| json!({ name: if arm == 1 && i < 6 { size } else { 0.0 } }));
        page(&files, "", &[])
    };
    let (known, unknown) = (skewed("f1", 0.1), skewed("judge_score", 0.1));
    assert!(
        known.contains("even within the metric's bounds")
            && !known.contains("declare the metric's bounds"),
        "{known}"
    );
    assert!(unknown.contains("declare the metric's bounds"), "{unknown}");
}

#[test]
fn samples_that_are_all_scored_are_counted_for_each_arm_and_not_called_planned() {
    let page = page(&quiz(40, |arm, i| json!({ "correct": i < [20, 30][arm] })), "", &[]);
    assert!(page.contains("all 40 recorded samples of each arm are scored"), "{page}");
    assert!(!page.contains("| Planned |"), "{page}");
}

#[test]
fn equal_ids_over_other_content_have_no_samples_that_flipped() {
    let asked = |arm, i| json!({ "prompt": format!("{i} + {arm}"), "correct": i < [20, 30][arm] });
    let page = page(&quiz(40, asked), "", &[]);
    assert!(page.contains("equal ids over different content"), "{page}");
    assert!(!page.contains("flipped"), "{page}");
}
