//! One metric over several datasets: the mean difference, its interval and its verdict.

use reportgen::text::LANGUAGES;
use serde_json::Value;

use crate::command::{compare, compared, json, reportgen};
use crate::directory::Directory;
use crate::report::number;
use crate::verdicts::scattered_order;

/// Right answers in the first arm only, in the second only, in both, in neither.
type Table = [usize; 4];

/// Ids hold the name of the dataset: equal ones would be one question in several datasets.
fn records(dataset: &str, table: Table, arm: usize) -> String {
    let [first, second, both, neither] = table;
    let rows = [(first, arm == 0), (second, arm == 1), (both, true), (neither, false)];
    let outcomes = rows.into_iter().flat_map(|(count, right)| std::iter::repeat_n(right, count));
    let outcomes: Vec<bool> = outcomes.collect();
    let order = scattered_order(outcomes.len()).into_iter().enumerate();
    let lines = order.map(|(id, place)| format!("{dataset}-{id},{}\n", u8::from(outcomes[place])));
    std::iter::once("id,accuracy\n".to_owned()).chain(lines).collect()
}

const ARMS: [&str; 2] = ["left", "right"];

/// Both arms with these datasets, and the words that name them.
fn made(datasets: &[(&str, Table)]) -> (Directory, [String; 2]) {
    let directory = Directory::new();
    for (name, table) in datasets {
        for (arm, run) in ARMS.iter().enumerate() {
            directory.write(format!("{run}/{name}.csv"), records(name, *table, arm));
        }
    }
    let runs = ARMS.map(|run| directory.word(run));
    (directory, runs)
}

/// The report on these datasets, the arms in this order.
fn report(datasets: &[(&str, Table)], arms: [usize; 2], more: &[&str]) -> Value {
    let (_directory, runs) = made(datasets);
    compared(&arms.map(|arm| &runs[arm]), more)
}

fn suite(report: &Value) -> &Value {
    &report["suites"][0]
}

const THREE: [(&str, Table); 3] =
    [("algebra", [3, 14, 40, 43]), ("code", [5, 19, 20, 56]), ("law", [9, 12, 30, 49])];

#[test]
fn the_mean_of_differences_counts_every_dataset_the_same() {
    let report = report(&THREE, [0, 1], &[]);
    let suite = suite(&report);
    assert_eq!((&suite["metric"], &suite["datasets"]), (&"accuracy".into(), &3.into()));
    assert!((number(&suite["macro_mean"]["delta"]) - (11.0 + 14.0 + 3.0) / 3.0).abs() < 1e-9);
    assert_eq!(suite["verdict"], "better");
}

/// Each dataset alone is open, all together are worse.
const ONLY_TOGETHER: [(&str, Table); 4] = [
    ("algebra", [14, 6, 40, 40]),
    ("code", [15, 7, 40, 38]),
    ("law", [14, 6, 30, 50]),
    ("prose", [16, 8, 30, 46]),
];

/// A report in words on these datasets, with exit status and what the terminal shows.
fn told(datasets: &[(&str, Table)], more: &[&str]) -> (u8, String, String) {
    let (directory, runs) = made(datasets);
    let page = directory.word("page.md");
    let ended = compare(&runs, &[&["--lang", "en", "--format", "md", "-o", &page], more].concat());
    (ended.status, directory.read("page.md"), ended.out + &ended.err)
}

#[test]
fn a_mean_that_is_worse_is_told_first_and_fails_the_gate_though_no_dataset_is() {
    let json = report(&ONLY_TOGETHER, [0, 1], &[]);
    assert_eq!(
        (&json["verdicts"]["worse"], &suite(&json)["verdict"]),
        (&0.into(), &"worse".into())
    );
    let (status, page, shown) = told(&ONLY_TOGETHER, &["--fail-on", "regression"]);
    assert_eq!(status, 1, "{shown}");
    let headline = page.lines().nth(2).expect("a headline");
    let first = "❌ **1 worse, 4 inconclusive** (right vs baseline left; gate failed: regression): mean of accuracy over 4 datasets -8.0";
    assert!(headline.starts_with(first), "{headline}");
    let nothing = "none separates";
    assert!(LANGUAGES[0].source.contains(nothing) && !page.contains(nothing), "{page}");
    assert!(page.contains("adjusted together by Holm's method (m = 5)"));
    assert!(shown.contains("accuracy (mean of 4 datasets)"), "{shown}");
}

#[test]
fn a_margin_guards_the_mean_too() {
    let margin = ["--fail-on", "regression", "--margin", "accuracy=20"];
    let (status, _, shown) = told(&ONLY_TOGETHER, &margin);
    assert_eq!(status, 0, "{shown}");
    let json = report(&ONLY_TOGETHER, [0, 1], &margin);
    assert_eq!(suite(&json)["noninferiority"]["outcome"], "pass");
    assert_eq!(json["gates"][0]["outcome"], "pass");
}

#[test]
fn equal_arms_pass_although_their_mean_shows_no_difference() {
    let equal = [("one", [0, 0, 40, 40]), ("two", [0, 0, 30, 30])];
    let json = report(&equal, [0, 1], &["--fail-on", "regression"]);
    assert_eq!(suite(&json)["verdict"], "identical");
    assert_eq!(json["gates"][0]["outcome"], "pass");
}

#[test]
fn two_equal_datasets_narrow_the_interval_by_the_root_of_two() {
    // Eight pairs that differ are too few for the pooled variance.
    let twice = [("one", [1, 3, 50, 46]), ("two", [1, 3, 50, 46])];
    let report = report(&twice, [0, 1], &[]);
    let single = &report["comparisons"][0]["delta"];
    let mean = &suite(&report)["macro_mean"];
    assert_eq!(mean["method"], "mover");
    let delta = number(&single["absolute"]);
    for limit in [0, 1] {
        let alone = number(&single["ci"][limit]) - delta;
        let together = number(&mean["ci"][limit]) - number(&mean["delta"]);
        assert!((together * 2.0_f64.sqrt() - alone).abs() < 1e-9, "{alone} {together}");
    }
}

#[test]
fn differences_that_suffice_are_pooled() {
    let twice = [("one", [3, 14, 40, 43]), ("two", [3, 14, 40, 43])];
    let report = report(&twice, [0, 1], &[]);
    let mean = &suite(&report)["macro_mean"];
    assert_eq!(mean["method"], "pooled-t");
    let (delta, limit) = (number(&mean["delta"]), number(&mean["ci"][1]));
    // 17 of 100 differ: the variance of one is (17 − 100·0.11²)/99; t at 198 degrees of freedom.
    let stderr = 100.0 * ((17.0 - 1.21) / 99.0 / 200.0_f64).sqrt();
    assert!((limit - delta - 1.972_017 * stderr).abs() < 1e-4, "{delta} {limit}");
    assert!((delta.abs() - 11.0).abs() < 1e-9, "{delta}");
}

#[test]
fn exchanging_the_arms_turns_the_mean_round() {
    let (there, back) = (report(&THREE, [0, 1], &[]), report(&THREE, [1, 0], &[]));
    let [there, back] = [&there, &back].map(|report| &suite(report)["macro_mean"]);
    assert!((number(&there["delta"]) + number(&back["delta"])).abs() < 1e-9);
    assert!((number(&there["ci"][0]) + number(&back["ci"][1])).abs() < 1e-9);
    assert!((number(&there["p"]) - number(&back["p"])).abs() < 1e-9);
}

#[test]
fn the_p_value_is_below_the_level_just_when_the_interval_excludes_zero() {
    for gained in 3..20 {
        let tables = [("one", [3, gained, 40, 43]), ("two", [8, 6, 20, 30])];
        let report = report(&tables, [0, 1], &[]);
        let mean = &suite(&report)["macro_mean"];
        let excludes = number(&mean["ci"][0]) > 0.0 || number(&mean["ci"][1]) < 0.0;
        assert_eq!(number(&mean["p"]) < 0.05, excludes, "{mean}");
    }
}

#[test]
fn a_margin_holds_for_the_mean_too() {
    let level = [("one", [6, 6, 500, 400]), ("two", [5, 5, 300, 600])];
    let report = report(&level, [0, 1], &["--margin", "accuracy=2"]);
    assert_eq!(suite(&report)["verdict"], "equivalent");
}

/// Two columns of outcomes over 100 samples, empty where a score is missing: those that only one arm
/// has right stand first.
fn two_metrics(dataset: &str, arm: usize, apart: [[usize; 2]; 2], missing: usize) -> String {
    let outcome = |id: usize, [first, second]: [usize; 2]| {
        u8::from(if id < first { arm == 0 } else { id >= first + second || arm == 1 })
    };
    let line = |id: usize| match apart.map(|apart| outcome(id, apart)) {
        _ if arm == 1 && id >= 100 - missing => format!("{dataset}-{id},,\n"),
        [accuracy, exact_match] => format!("{dataset}-{id},{accuracy},{exact_match}\n"),
    };
    let lines = (0..100).map(line);
    std::iter::once("id,accuracy,exact_match\n".to_owned()).chain(lines).collect()
}

#[test]
fn an_average_without_a_firm_verdict_says_why() {
    // Samples that only the baseline, only the candidate has right, by metric; scores that the
    // candidate lacks on each dataset; what the average of `accuracy` says, and what people read.
    let level = [5, 5];
    for (apart, missing, verdict, reason, sentence) in [
        ([[6, 15], level], [0, 0, 0], "better", Value::Null, ""),
        ([level, level], [0, 0, 0], "inconclusive", Value::Null, ""),
        (
            [[6, 11], level],
            [0, 0, 0],
            "inconclusive",
            "lost-to-family".into(),
            "but not after adjustment for all tests",
        ),
        (
            [[3, 11], [3, 11]],
            [4, 4, 4],
            "inconclusive",
            "missing-could-undo".into(),
            "could overturn the result",
        ),
        (
            [[6, 15], level],
            [0, 0, 30],
            "not-assessable",
            "blocked: R226".into(),
            "a run is incomplete",
        ),
    ] {
        let directory = Directory::new();
        for (arm, run) in ARMS.iter().enumerate() {
            for (dataset, missing) in ["code", "law", "prose"].iter().zip(missing) {
                let table = two_metrics(dataset, arm, apart, missing);
                directory.write(format!("{run}/{dataset}.csv"), table);
            }
        }
        let runs = ARMS.map(|run| directory.word(run));
        let page = compare(&runs, &["--lang", "en", "--format", "md"]).out;
        assert!(page.contains(sentence), "{page}");
        let report = compared(&runs, &[]);
        let found = (&suite(&report)["verdict"], &suite(&report)["reason"]);
        assert_eq!(found, (&verdict.into(), &reason), "{apart:?}, {missing:?} missing");
    }
}

#[test]
fn one_dataset_is_no_suite_and_a_dataset_of_one_arm_is_left_out() {
    assert_eq!(report(&THREE[..1], [0, 1], &[])["suites"], serde_json::json!([]));
    let directory = Directory::new();
    for (arm, run) in ARMS.iter().enumerate() {
        for (name, table) in &THREE[arm..] {
            directory.write(format!("{run}/{name}.csv"), records(name, *table, arm));
        }
    }
    let report = compared(&ARMS.map(|run| directory.word(run)), &[]);
    assert_eq!((&suite(&report)["datasets"], &suite(&report)["left_out"]), (&2.into(), &1.into()));
}

/// The report on arms of several runs: how many of 100 samples each run has right on two datasets,
/// every run with a seed of its own.
fn report_of_runs(arms: [&[[usize; 2]]; 2]) -> Value {
    let directory = Directory::new();
    for (arm, runs) in ARMS.iter().zip(arms) {
        for (seed, counts) in runs.iter().enumerate() {
            let run = format!("{arm}/run-{seed}");
            directory.write(format!("{run}/config.yaml"), format!("seed: {seed}\n"));
            for (dataset, right) in ["code", "law"].iter().zip(counts) {
                let table = records(dataset, [*right, 0, 0, 100 - right], 0);
                directory.write(format!("{run}/{dataset}.csv"), table);
            }
        }
    }
    let arms = ARMS.map(|arm| format!("{arm}={}", directory.word(format!("{arm}/run-*"))));
    json(&reportgen(["compare", "--arm", &arms[0], "--arm", &arms[1], "--format", "json"]))
}

#[test]
fn of_several_runs_the_means_over_datasets_are_compared_run_by_run() {
    let report = report_of_runs([
        &[[50, 40], [52, 44], [51, 41], [55, 47]],
        &[[60, 45], [61, 44], [63, 49], [64, 50]],
    ]);
    let suite = suite(&report);
    let mean = &suite["macro_mean"];
    assert_eq!((&suite["datasets"], &suite["micro_mean"]), (&2.into(), &Value::Null));
    assert_eq!((&mean["method"], &suite["verdict"]), (&"welch-t".into(), &"better".into()));
    // scipy 1.17.1: ttest_ind([52.5, 52.5, 56, 57], [45, 48, 46, 51], equal_var=False)
    for (value, expected) in [
        (&mean["delta"], 7.0),
        (&mean["ci"][0], 2.659_286_308_162_944),
        (&mean["ci"][1], 11.340_713_691_837_056),
        (&mean["p"], 0.007_671_206_641_382_09),
    ] {
        assert!((number(value) - expected).abs() < 1e-9, "{mean}");
    }
}

#[test]
fn a_seed_that_is_lucky_on_every_dataset_does_not_make_the_mean_certain() {
    // The runs differ by as much on either dataset: two datasets say what one would.
    let lucky = [[40, 40], [52, 52], [46, 46], [60, 60]];
    let better = lucky.map(|counts| counts.map(|right| right + 4));
    let report = report_of_runs([&lucky, &better]);
    let suite = suite(&report);
    assert_eq!(suite["verdict"], "inconclusive");
    let [code, law] = [0, 1].map(|at| &report["comparisons"][at]["delta"]);
    assert_eq!(code["ci"], law["ci"]);
    let mean = &suite["macro_mean"];
    let width = |ci: &Value| number(&ci[1]) - number(&ci[0]);
    assert!(width(&mean["ci"]) > 0.9 * width(&code["ci"]), "{mean} {code}");
}

#[test]
fn six_runs_of_equal_seeds_are_paired_over_datasets_too() {
    let base = [[40, 30], [52, 41], [46, 50], [60, 44], [41, 33], [57, 39]];
    let gains = [[2, 3], [1, 2], [4, 1], [3, 3], [2, 2], [5, 1]];
    let mut tuned = base;
    for (counts, gains) in tuned.iter_mut().zip(gains) {
        for (right, gain) in counts.iter_mut().zip(gains) {
            *right += gain;
        }
    }
    let report = report_of_runs([&base, &tuned]);
    let mean = &suite(&report)["macro_mean"];
    // Six gains of one sign: 2/2^6.
    assert_eq!((&mean["method"], &mean["p"]), (&"sign-flip".into(), &0.031_25.into()));
}

#[test]
fn a_dataset_that_one_arm_lacks_stays_in_the_drawing_of_both_arms() {
    let table = |rows: &[&str]| format!("dataset,n,accuracy\n{}", rows.concat());
    let both = ["gsm8k,200,50.0%\n", "arc,200,60.0%\n"];
    let directory = Directory::of([
        ("a.csv", table(&[both[0], both[1], "mmlu,200,40.0%\n"])),
        ("b.csv", table(&both)),
    ]);
    let runs = ["a.csv", "b.csv"].map(|name| directory.word(name));
    let page = compare(&runs, &["--lang", "en", "--format", "html"]).out;
    let (_, chart) = page.split_once("both arms on each dataset</figcaption>").expect("a chart");
    let (chart, _) = chart.split_once("</figure>").expect("its end");
    assert!(chart.contains(">40.0% → ?</text>"), "{chart}");
}
