//! The first sentence of a report: what came out, worst first.

use reportgen::quantity;
use serde_json::json;

use super::{Files, Runs, both, configured, quiz, records};

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
    let figures = "✅ **Better** (b vs baseline a): `correct` 50.0% → 70.0% (+20.0 pp, 95% CI ";
    check(&right_of(200, [100, 140]), &[], "better", figures);
    let figures = "❌ **Worse** (b vs baseline a): `correct` 70.0% → 50.0% (-20.0 pp, 95% CI ";
    check(&right_of(200, [140, 100]), &[], "worse", figures);
}

#[test]
fn what_is_undecided_is_said_with_its_figures() {
    let first = "⏳ **Inconclusive** (b vs baseline a): `correct` 50.0% → 51.0%";
    check(&right_of(200, [100, 102]), &[], "undecided", first);
}

#[test]
fn equal_results_are_unchanged_and_within_a_margin_too() {
    check(&right_of(200, [100, 100]), &[], "unchanged", "✅ **Identical** (b vs baseline a): ");
    let within = ["--margin", "correct=10"];
    check(
        &right_of(200, [100, 101]),
        &within,
        "unchanged",
        "✅ **Equivalent** (b vs baseline a): ",
    );
}

#[test]
fn a_gate_that_failed_is_said_before_the_figures() {
    let gate = ["--fail-on", "regression"];
    let first = "❌ **Worse** (b vs baseline a; gate failed: regression): `correct` ";
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
    check(&arms, &metrics, "worse", "❌ **1 worse, 1 better** (b vs baseline a): `exact_match` ");
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

/// What the page says to do next.
fn next_step(arms: &[Files; 2], arguments: &[&str], expected: &str) {
    let page = Runs::of(arms).compare(&[arguments, &["--lang", "en"]].concat()).out;
    let line = page.lines().find(|line| line.starts_with("**Next**")).unwrap_or_default();
    // The command that shows samples names directories of this test; `side_by_side.rs` runs it.
    let line = line.split_inclusive("`reportgen samples ").next().unwrap_or_default();
    assert_eq!(line, expected, "{page}");
}

#[test]
fn the_next_step_removes_what_keeps_the_result_from_being_believed() {
    let confounded = configured(["lr: 1\nbase_model: x\n", "lr: 2\nbase_model: y\n"]);
    let expected = "**Next**: make base_model equal in a and b, or, if that is what you compare, \
                    declare it: --vary lr,base_model";
    next_step(&confounded, &["--vary", "lr"], expected);
    let recorded = configured(["lr: 1\n", "lr: 2\n"]);
    let expected = "**Next**: to judge the training recipes rather than these two checkpoints, \
                    compare several seeds of each: --arm NAME=GLOB (or measure the noise with \
                    --noise RUN)";
    next_step(&recorded, &["--vary", "lr"], expected);
}

#[test]
fn a_setting_that_stands_under_several_keys_is_declared_by_what_they_share() {
    let twice = configured([
        "base_model: x\nmeta: {base_model: x}\n",
        "base_model: y\nmeta: {base_model: y}\n",
    ]);
    let expected = "**Next**: make base_model (×2) equal in a and b, or, if that is what you compare, \
                    declare it: --vary base_model";
    next_step(&twice, &["--vary", "lr"], expected);
}

#[test]
fn the_next_step_for_an_undecided_result_is_the_size_that_would_decide() {
    let right = |arm, i| if arm == 0 { i < 100 } else { (6..110).contains(&i) };
    let arms = quiz(200, |arm, i| json!({ "correct": right(arm, i) }));
    let page = Runs::of(&arms).compare(&["--lang", "en"]).out;
    let needed = &Runs::of(&arms).report(&[])["comparisons"][0]["needed_n"];
    let needed = quantity::count(quantity::about(needed.as_u64().expect("a size")));
    let expected = format!(" pp in correct, it would take about {needed} pairs (now 200).");
    assert!(page.contains(&expected), "{expected}\n{page}");
}

#[test]
fn no_more_samples_are_asked_for_where_others_or_a_margin_would_settle_it() {
    let right = |arm, i| i < 180 && (arm == 0 || i != 0) || i == 180 + arm;
    let hardly = quiz(300, |arm, i| json!({ "correct": right(arm, i) }));
    let page = Runs::of(&hardly).compare(&["--lang", "en"]).out;
    let expected = "**Next**: say how small a difference in correct does not matter: --margin \
                    correct=VALUE (to confirm -0.3 pp, it would take about ";
    assert!(page.contains(expected), "{page}");
    let topics = quiz(120, |arm, i| {
        let wins = if i / 10 < 5 { arm == 1 } else { i / 10 < 6 };
        json!({ "correct": wins || (i / 10 == 6 && arm == 0), "topic": format!("t{}", i / 10) })
    });
    let page = Runs::of(&topics).compare(&["--lang", "en"]).out;
    assert!(page.contains("**Next**: use --cluster topic if samples"), "{page}");
    assert!(page.contains("by its own test and still inconclusive: correct (+33.3 pp)"), "{page}");
}

#[test]
fn the_next_step_without_a_verdict_for_few_clusters_names_their_field() {
    let arms = quiz(100, |arm, i| json!({ "repo": i % 5, "correct": i % 10 < 4 + 3 * arm }));
    let page = Runs::of(&arms).compare(&["--lang", "en"]).out;
    assert!(page.contains("**Next**: evaluate samples of more than 5 repo"), "{page}");
    let page = Runs::of(&arms).compare(&["--lang", "en", "--cluster", "none"]).out;
    assert!(page.contains("**Better**") && !page.contains("more than 5 repo"), "{page}");
}

#[test]
fn what_is_hopeless_is_not_called_the_closest() {
    let right = |arm, i| (arm * 20..100 + arm * 20).contains(&i);
    let arms =
        quiz(200, |arm, i| json!({ "correct": right(arm, i), "exact_match": right(arm, i) }));
    let both = ["--metric", "correct", "--metric", "exact_match"];
    let page = Runs::of(&arms).compare(&[&both[..], &["--lang", "en"]].concat()).out;
    assert!(!page.contains("clearest difference") && !page.contains("closest to"), "{page}");
}

#[test]
fn a_gate_that_found_what_it_looked_for_is_blocked() {
    let confounded = configured(["lr: 1\nbase_model: x\n", "lr: 2\nbase_model: y\n"]);
    let gates = ["--vary", "lr", "--fail-on", "mismatch", "--lang", "en"];
    let page = Runs::of(&confounded).compare(&gates).out;
    assert!(page.contains("gate blocked: mismatch"), "{page}");
}

#[test]
fn the_next_step_of_a_worse_result_is_to_read_the_samples_that_got_worse() {
    let expected = "**Next**: read the 40 samples whose correct got worse: `reportgen samples ";
    next_step(&right_of(200, [140, 100]), &[], expected);
    let expected = "**Next**: read the 40 samples whose error got worse (see Per-sample results).";
    let errors = quiz(200, |arm, i| json!({ "error": i < [100, 140][arm] }));
    next_step(&errors, &["--lower", "error"], expected);
}

#[test]
fn the_next_step_of_a_worse_result_says_which_failure_or_dataset_makes_up_most_of_it() {
    let ended = |arm: usize, i: usize| match i {
        _ if i < [140, 100][arm] => "success",
        _ if i < 140 => "timeout",
        _ => "wrong_answer",
    };
    let timeouts =
        quiz(200, |arm, i| json!({ "accepted": i < [140, 100][arm], "error_type": ended(arm, i) }));
    let expected = "**Next**: read the 40 samples whose accepted_at_1 got worse, most of the loss \
                    by timeout: -20.0 pp: `reportgen samples ";
    next_step(&timeouts, &[], expected);
    let files = [("easy.jsonl", 5), ("hard.jsonl", 6), ("odd.jsonl", 4)];
    let datasets = both(|arm| {
        let right = |lost: usize| records(60, |i| json!({ "correct": i < 40 - lost * arm }));
        files.map(|(name, lost)| (name, right(lost))).to_vec()
    });
    let expected = "**Next**: read the 15 samples whose correct got worse, 6 of them in hard: \
                    `reportgen samples ";
    next_step(&datasets, &[], expected);
}

#[test]
fn the_next_step_of_a_worse_figure_without_samples_is_to_keep_them() {
    let stated = both(|arm| {
        let accuracy = [0.7, 0.5][arm];
        vec![("results.json", json!({ "quiz": { "accuracy": accuracy, "n": 500 } }).to_string())]
    });
    let expected = "**Next**: keep the outcome of every sample in both runs, to see what made \
                    accuracy worse.";
    next_step(&stated, &[], expected);
}

#[test]
fn one_declared_factor_is_a_factor_and_two_are_factors() {
    let arms = configured(["lr: 1\nbase_model: x\n", "lr: 2\nbase_model: y\n"]);
    for (keys, told) in
        [("lr", "Declared factor: lr. "), ("lr,base_model", "Declared factors: lr, base_model. ")]
    {
        let page = Runs::of(&arms).compare(&["--vary", keys, "--lang", "en"]).out;
        assert!(page.contains(told), "{page}");
    }
}

#[test]
fn another_commit_is_to_be_declared_and_never_to_be_made_equal() {
    let next = |texts: [&'static str; 2]| {
        let page = Runs::of(&configured(texts)).compare(&["--vary", "lr"]).out;
        page.lines().find(|line| line.starts_with("**Next**")).expect("a step").to_owned()
    };
    let commit = next(["lr: 1\ngit_commit: aaaaaaa\n", "lr: 2\ngit_commit: bbbbbbb\n"]);
    assert!(commit.contains("declare it: --vary lr,git_commit (else run both"), "{commit}");
    let both = next(["lr: 1\nk: 1\ncommit: aaaaaaa\n", "lr: 2\nk: 2\ncommit: bbbbbbb\n"]);
    assert!(both.contains("make k equal") && both.contains("--vary lr,k,commit"), "{both}");
}
