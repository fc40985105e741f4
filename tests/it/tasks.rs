//! Arms of several runs over several datasets: aggregates of all scores and the probability of
//! improvement.

use serde_json::Value;

use crate::command::compared;
use crate::directory::Directory;
use crate::report::number;

const DATASETS: [&str; 3] = ["algebra", "code", "law"];

/// The report on these scores\[run\]\[dataset\].
fn report(base: &[[f64; 3]], tuned: &[[f64; 3]]) -> Value {
    let directory = Directory::new();
    let mut words = Vec::new();
    for (arm, runs) in [("base", base), ("tuned", tuned)] {
        for (seed, scores) in runs.iter().enumerate() {
            let run = format!("{arm}-{seed}");
            let figures = DATASETS.iter().zip(scores);
            let figures: Vec<String> = figures
                .map(|(dataset, score)| format!("\"{dataset}\": {{\"f1\": {score}}}"))
                .collect();
            directory.write(format!("{run}/metrics.json"), format!("{{{}}}", figures.join(", ")));
            directory.write(format!("{run}/config.yaml"), format!("arm: {arm}\nseed: {seed}\n"));
            words.extend(["--arm".to_owned(), format!("{arm}={}", directory.word(run))]);
        }
    }
    words.extend(["--vary", "arm"].map(str::to_owned));
    compared(&words, &[])
}

/// By hand: of nine scores two are left out at either end, and wins are counted over the nine pairs
/// of runs on each dataset.
#[test]
fn three_runs_on_three_datasets_are_aggregated() {
    let base = [[0.50, 0.20, 0.70], [0.52, 0.26, 0.74], [0.48, 0.23, 0.72]];
    let tuned = [[0.60, 0.25, 0.71], [0.51, 0.30, 0.73], [0.58, 0.22, 0.72]];
    let report = report(&base, &tuned);
    let found = &report["tasks"][0];
    assert_eq!((&found["metric"], &found["candidate"]["runs"]), (&"f1".into(), &3.into()));
    // Ascending: .20 .23 | .26 .48 .50 .52 .70 | .72 .74 and .22 .25 | .30 .51 .58 .60 .71 | .72 .73
    let iqm = [(0.26 + 0.48 + 0.50 + 0.52 + 0.70) / 5.0, (0.30 + 0.51 + 0.58 + 0.60 + 0.71) / 5.0];
    assert!((number(&found["baseline"]["iqm"]) - iqm[0]).abs() < 1e-12);
    assert!((number(&found["candidate"]["iqm"]) - iqm[1]).abs() < 1e-12);
    let mean = (0.50 + 0.52 + 0.48 + 0.20 + 0.26 + 0.23 + 0.70 + 0.74 + 0.72) / 9.0;
    assert!((number(&found["baseline"]["mean"]) - mean).abs() < 1e-12);
    assert!((number(&found["baseline"]["median"]) - 0.50).abs() < 1e-12);
    assert!((number(&found["baseline"]["optimality_gap"]) - (1.0 - mean)).abs() < 1e-12);
    // algebra 8 of 9, code 2 + 3 + 1 of 9, law 1 + 2 + 1.5 of 9.
    let improvement = (8.0 / 9.0 + 6.0 / 9.0 + 4.5 / 9.0) / 3.0;
    assert!((number(&found["probability_of_improvement"]) - improvement).abs() < 1e-12);
    assert!(found["candidate"]["iqm_ci"].is_null(), "three runs say little of further ones");
}

#[test]
fn from_five_runs_on_there_are_intervals_that_hold_the_figures() {
    let runs = |shift: f64| {
        [0.0, 0.02, 0.04, 0.01, 0.03].map(|seed| [0.5, 0.2, 0.7].map(|at: f64| at + shift + seed))
    };
    let report = report(&runs(0.0), &runs(0.015));
    let found = &report["tasks"][0];
    for arm in ["baseline", "candidate"] {
        let [lo, hi] = [0, 1].map(|limit| number(&found[arm]["iqm_ci"][limit]));
        let iqm = number(&found[arm]["iqm"]);
        assert!(lo < iqm && iqm < hi, "{found}");
    }
    let interval = &found["probability_of_improvement_ci"];
    let improvement = number(&found["probability_of_improvement"]);
    assert!(number(&interval[0]) < improvement && improvement < number(&interval[1]), "{found}");
}

#[test]
fn two_runs_of_an_arm_or_one_dataset_are_not_aggregated() {
    let two = [[0.50, 0.20, 0.70], [0.52, 0.26, 0.74]];
    let three = [[0.60, 0.25, 0.71], [0.51, 0.30, 0.73], [0.58, 0.22, 0.72]];
    assert_eq!(report(&two, &three)["tasks"], serde_json::json!([]));
    let [base, tuned] = ["base", "tuned"].map(|arm| format!("{arm}=fixtures/seeds/{arm}-seed*"));
    let seeds = compared(&["--arm", &base, "--arm", &tuned], &[]);
    assert_eq!(seeds["tasks"], serde_json::json!([]));
}
