//! The first sentence of a report: what came out, worst first.

use serde_json::json;

use super::{Files, Runs, both, quiz};

/// Right answers of `n` in each arm, from the first on.
fn right_of(n: usize, right: [usize; 2]) -> [Files; 2] {
    quiz(n, |arm, i| json!({ "correct": i < right[arm] }))
}

/// The name of the result in `report.json`, and how the page begins.
fn check(arms: &[Files; 2], arguments: &[&str], result: &str, first: &str) {
    let runs = Runs::of(arms);
    let report = runs.report(arguments);
    assert_eq!(report["headline"]["result"], *result, "{}", report["comparisons"]);
    let page = runs.compare(&[arguments, &["--lang", "en"]].concat()).out;
    let headline = page.lines().nth(2).expect("a headline");
    assert!(headline.starts_with(first), "{headline}");
}

#[test]
fn a_single_result_is_said_with_its_figures() {
    let figures = "✅ **Better**: `correct` 50.0% → 70.0% (+20.0 pp, 95% CI ";
    check(&right_of(200, [100, 140]), &[], "better", figures);
    let figures = "❌ **Worse**: `correct` 70.0% → 50.0% (-20.0 pp, 95% CI ";
    check(&right_of(200, [140, 100]), &[], "worse", figures);
}

#[test]
fn what_is_undecided_names_the_result_closest_to_significance() {
    let first = "⏳ **Inconclusive**; closest to significance: `correct` 50.0% → 51.0%";
    check(&right_of(200, [100, 102]), &[], "undecided", first);
}

#[test]
fn equal_results_are_unchanged_and_within_a_margin_too() {
    check(&right_of(200, [100, 100]), &[], "unchanged", "✅ **Identical**: ");
    let within = ["--margin", "correct=10"];
    check(&right_of(200, [100, 101]), &within, "unchanged", "✅ **Equivalent**: ");
}

#[test]
fn a_gate_that_failed_is_said_before_the_figures() {
    let gate = ["--fail-on", "regression"];
    let first = "❌ **Worse** (gate failed: regression): `correct` ";
    check(&right_of(200, [140, 100]), &gate, "failed", first);
    let warned = quiz(200, |arm, i| json!({ "correct": i < [100, 140][arm], "id": i / 2 }));
    let first = "❌ **";
    check(&warned, &["--fail-on", "warning"], "failed", first);
}

#[test]
fn a_result_that_got_worse_comes_before_one_that_got_better() {
    let arms = quiz(
        200,
        |arm, i| json!({ "correct": i < [100, 140][arm], "exact_match": i < [140, 100][arm] }),
    );
    let metrics = ["--metric", "correct", "--metric", "exact_match"];
    check(&arms, &metrics, "worse", "❌ **1 worse, 1 better**: `exact_match` ");
}

#[test]
fn figures_without_a_good_side_have_no_verdict() {
    let arms = both(|arm| {
        let scores = (0..60).map(|i| format!("q{i},{}\n", i + arm * (5 + i % 3)));
        let lines = std::iter::once("id,zeta\n".to_owned()).chain(scores);
        vec![("quiz.csv", lines.collect())]
    });
    check(&arms, &[], "no-verdict", "⏳ **No verdict**");
}
