//! Cases whose configurations, data files or aggregates mislead.

use serde_json::{Value, json};

use super::Expected::{Gate, Grade, Holds, Quiet, Raised, Silent, Status, Verdict};
use super::{
    Case, Expected, Files, Runs, both, case, cell, config, configured, correct, finding, quiz,
    records, unmet,
};
use crate::cases::cases;

cases![
    other_settings_and_another_epoch = case(
        at_epochs(["1", "2"], ["lr: 1\n", "lr: 2\n"]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R503"), Verdict("accuracy", "better")]
    ),
    an_epoch_that_is_declared = case(
        at_epochs(["1", "2"], ["lr: 1\n", "lr: 2\n"]),
        &["--vary", "lr,epoch"],
        vec![Grade("as-declared"), Silent("R503"), Silent("R204"), Verdict("accuracy", "better")]
    ),
    an_epoch_that_alone_differs = case(
        at_epochs(["1", "2"], ["lr: 1\n"; 2]),
        &[],
        vec![Raised("R205"), Silent("R503"), Verdict("accuracy", "better")]
    ),
    one_epoch_and_other_settings = case(
        at_epochs(["2", "2"], ["lr: 1\n", "lr: 2\n"]),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Silent("R503"), Verdict("accuracy", "better")]
    ),
    a_model_before_its_training = case(
        at_epochs(["0", "2"], ["lr: 1\n", "lr: 2\n"]),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Silent("R503"), Verdict("accuracy", "better")]
    ),
    weights_that_are_named_by_their_epoch = case(
        at_epochs(["1", "2"], ["model: out/epoch-1\n", "model: out/epoch-2\n"]),
        &[],
        vec![Silent("R503"), Raised("R205"), Verdict("accuracy", "better")]
    ),
    weights_of_other_trainings_at_another_epoch = case(
        at_epochs(["1", "2"], ["model: sft/epoch-1\n", "model: grpo/epoch-2\n"]),
        &["--vary", "model"],
        vec![Raised("R503"), Grade("confounded")]
    ),
    a_harness_that_writes_percentages_against_one_that_writes_shares = case(
        both(|arm| {
            let figure = ["0.5", "52.0"][arm];
            let results = format!(
                r#"{{"results":{{"arc":{{"acc,none":{figure},"alias":"arc"}}}},"n-samples":{{"arc":{{"effective":200}}}}}}"#
            );
            vec![("results_2026-01-01T00-00-00.1.json", results)]
        }),
        &[],
        vec![
            Grade("not-comparable"),
            Raised("R121"),
            Raised("R227"),
            Verdict("accuracy", "not-assessable"),
        ]
    ),
    files_of_one_name_in_different_directories_neither_there = case(
        trained_on(["/gone/one/x.jsonl", "/gone/two/x.jsonl"]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R206"), Raised("R209"), Silent("R207")]
    ),
    the_same_file_declared_not_there = case(
        trained_on(["/gone/one/x.jsonl"; 2]),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Silent("R206"), Silent("R207"), Quiet]
    ),
    files_of_one_name_with_other_content = case(
        with_data(|arm, i| json!({ "text": format!("{arm}-{i}") })),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R207"), Silent("R206")]
    ),
    data_of_other_quality = case(
        with_data(|arm, i| json!({ "text": i, "verified": i % 2 <= arm })),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R208")]
    ),
    an_undeclared_difference_beside_the_declared_one_and_a_key_of_one_side_only = case(
        configured(["lr: 1\nseed: 1\n", "lr: 2\nseed: 2\nwarmup: 5\n"]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R201"), Raised("R202"), Verdict("correct", "better")]
    ),
    factors_that_do_not_differ_or_are_not_there = case(
        configured(["lr: 1\nbeta: 3\n", "lr: 1\nbeta: 4\n"]),
        &["--vary", "lr,gamma"],
        vec![Raised("R203"), Raised("R204"), Raised("R201")]
    ),
    one_difference_is_the_factor_a_margin_for_nothing = case(
        configured(["lr: 1\n", "lr: 2\n"]),
        &["--margin", "wer=1"],
        vec![Grade("as-declared"), Raised("R205"), Raised("R225"), Silent("R201")]
    ),
    an_accuracy_that_samples_of_another_name_do_not_give = beside(
        [r#"{"accuracy": 0.4, "n": 60}"#, r#"{"accuracy": 0.9, "n": 60}"#],
        vec![Raised("R221")]
    ),
    an_accuracy_that_samples_of_another_name_give = beside(
        [r#"{"accuracy": 0.4, "n": 60}"#, r#"{"accuracy": 0.8, "n": 60}"#],
        vec![Silent("R221")]
    ),
    an_accuracy_in_percent_that_samples_of_another_name_give =
        beside([r#"{"accuracy": "40.0%"}"#, r#"{"accuracy": "80.0%"}"#], vec![Silent("R221")]),
    an_accuracy_over_other_samples = beside(
        [r#"{"accuracy": 0.5, "n": 900}"#, r#"{"accuracy": 0.9, "n": 900}"#],
        vec![Silent("R221")]
    ),
    another_figure_than_a_share_of_right_answers =
        beside([r#"{"bleu": 0.5}"#, r#"{"bleu": 0.9}"#], vec![Silent("R221")]),
    more_is_better_in_one_arm_and_worse_in_the_other = stated(
        [
            r#"{"accuracy": {"value": 0.5, "higher_is_better": true, "n": 500}}"#,
            r#"{"accuracy": {"value": 0.7, "higher_is_better": false, "n": 500}}"#,
        ],
        vec![Raised("R267"), Grade("not-comparable"), Verdict("accuracy", "not-assessable")]
    ),
    files_that_say_so_of_their_only_metric = stated(
        [
            r#"{"higher_is_better": true, "accuracy": 0.5, "n": 500}"#,
            r#"{"higher_is_better": false, "accuracy": 0.7, "n": 500}"#,
        ],
        vec![Raised("R267"), Verdict("accuracy", "not-assessable")]
    ),
    more_is_better_in_one_arm_and_the_other_says_nothing = stated(
        [
            r#"{"own_score": {"value": 0.5, "higher_is_better": true, "n": 500}}"#,
            r#"{"own_score": {"value": 0.7, "n": 500}}"#,
        ],
        vec![Silent("R267"), Holds("own_score", "/direction", json!("higher"))]
    ),
    a_candidate_alone_does_not_say_which_way_it_is_judged = stated(
        [
            r#"{"own_score": {"value": 0.8, "n": 500}}"#,
            r#"{"own_score": {"value": 0.5, "higher_is_better": false, "n": 500}}"#,
        ],
        vec![Holds("own_score", "/direction", json!("unknown"))]
    ),
    a_candidate_alone_does_not_turn_a_known_metric_round = stated(
        [
            r#"{"accuracy": {"value": 0.8, "n": 500}}"#,
            r#"{"accuracy": {"value": 0.5, "higher_is_better": false, "n": 500}}"#,
        ],
        vec![Verdict("accuracy", "worse")]
    ),
    one_word_for_several_metrics_declares_none = stated(
        [
            r#"{"higher_is_better": true, "accuracy": 0.5, "loss": 0.5}"#,
            r#"{"higher_is_better": false, "accuracy": 0.7, "loss": 0.4}"#,
        ],
        vec![Silent("R267")]
    ),
    no_shot_answered_beside_five = case(
        both(|arm| vec![("grid.csv", format!("shot,accuracy\n{},0.5\n", 5 * arm))]),
        &[],
        vec![Grade("not-comparable"), Raised("R219"), Verdict("accuracy", "not-assessable")]
    ),
    one_filter_of_the_harness_beside_another = case(
        both(|arm| harness(["strict-match", "flexible-extract"][arm], 0.5, 400, 1)),
        &["--fail-on", "regression"],
        vec![Raised("R219"), Verdict("accuracy", "not-assessable"), Status(3)]
    ),
    the_same_task_over_other_numbers_of_questions = case(
        both(|arm| harness("none", [0.3, 0.9][arm], [400, 300][arm], 1)),
        &[],
        vec![Grade("confounded"), Raised("R228"), Silent("R220"), Verdict("accuracy", "better"),]
    ),
    another_version_of_the_task = case(
        both(|arm| harness("none", [0.3, 0.9][arm], 400, arm as u64)),
        &[],
        vec![Grade("confounded"), Raised("R220"), Silent("R228")]
    ),
    one_equal_aggregate_without_a_configuration_proves_nothing = case(
        both(|_| vec![metrics(&json!({ "accuracy": 0.5 }))]),
        &[],
        vec![
            Grade("as-declared"),
            Raised("R218"),
            Raised("R224"),
            Verdict("accuracy", "not-assessable"),
        ]
    ),
    a_metric_that_one_arm_does_not_have = case(
        both(|arm| {
            let all = [json!({ "accuracy": 0.5, "f1": 0.5 }), json!({ "accuracy": 0.6 })];
            vec![metrics(&all[arm])]
        }),
        &["--fail-on", "missing"],
        vec![Raised("R216"), Silent("R219"), Gate("missing", "not-gateable")]
    ),
    an_aggregate_that_its_own_samples_contradict = case(
        both(|arm| {
            let samples = records(60, |i| correct(arm, i));
            vec![("quiz.jsonl", samples), metrics(&json!({ "correct": 0.4 + 0.5 * arm as f64 }))]
        }),
        &[],
        vec![Raised("R221")]
    ),
    checkpoints_with_the_same_figures =
        case(both(|_| checkpoints().to_vec()), &[], vec![Raised("R217")]),
    a_curve_beside_one_checkpoint = case(
        both(|arm| {
            let mut files = vec![("quiz.jsonl", records(60, |i| correct(arm, i)))];
            match arm {
                0 => files.push(metrics(&json!({ "accuracy": 0.5 }))),
                _ => files.extend(checkpoints()),
            }
            files
        }),
        &[],
        vec![Raised("R223"), Silent("R219")]
    ),
    a_change_of_a_metric_that_has_no_good_side_is_not_a_pass = case(
        quiz(
            60,
            |arm, i| json!({ "correct": i % 3 == 0, "edit_distance": (i % 7) as f64 + (5 * arm) as f64 }),
        ),
        &["--fail-on", "regression"],
        vec![
            Verdict("correct", "identical"),
            Verdict("edit_distance", "not-assessable"),
            Holds("edit_distance", "/reason", json!("direction-unknown")),
            Gate("regression", "inconclusive"),
            Status(0),
        ]
    ),
    whole_percentages_hide_counts = case(percent(["\"57%\"", "\"62%\""]), &[], {
        let mut expected = concluded("inconclusive");
        let notes = json!(["treated-as-independent", "several-counts"]);
        expected.push(Holds("accuracy", "/notes", notes));
        expected
    }),
    whole_numbers_of_percent_do_too = case(percent(["57", "62"]), &[], concluded("inconclusive")),
    a_decimal_tells_the_count = case(percent(["57.0", "62.0"]), &[], concluded("better")),
    a_share_without_rounding_is_its_count = case(
        both(|arm| vec![figure("accuracy", [0.57, 0.62][arm], 1000)]),
        &[],
        concluded("better")
    ),
    a_share_beside_one_that_no_count_gives_was_rounded = case(
        both(|arm| {
            let share = [0.57, 0.62][arm];
            let accuracy = json!({ "value": share, "n": 1000 });
            let rounded = json!({ "value": 0.57, "n": 44 });
            vec![metrics(&json!({ "accuracy": accuracy, "exact_match": rounded }))]
        }),
        &[],
        concluded("inconclusive")
    ),
    a_zero_at_the_end_shows_rounding_in_a_table = case(
        both(|arm| {
            vec![("grid.csv", format!("n,accuracy\n10000,{}\n", ["0.570", "0.582"][arm]))]
        }),
        &[],
        concluded("inconclusive")
    ),
    a_printed_57_percent_of_44_is_25 =
        case(of_44("accuracy", "57%"), &[], concluded("inconclusive")),
    a_printed_0_57_of_44_is_25 = case(of_44("accuracy", 0.57), &[], concluded("inconclusive")),
    a_printed_0_6_of_44_is_25_to_28 = case(of_44("accuracy", 0.6), &[], concluded("inconclusive")),
    a_printed_57_0_percent_of_44_is_no_count_of_right_answers =
        case(of_44("accuracy", "57.0%"), &[], vec![Raised("R130"), Silent("R131")]),
    a_printed_57_0_percent_of_44_may_be_a_mean_of_what_is_partly_right =
        case(of_44("pass_ratio", "57.0%"), &[], vec![Silent("R130"), Raised("R131"), Quiet]),
    few_samples_are_tested_exactly_as_figures_too = case(
        both(|arm| vec![figure("accuracy", [0.0, 0.75][arm], 4)]),
        &[],
        vec![
            Holds("accuracy", "/test/method", json!("boschloo")),
            Verdict("accuracy", "inconclusive"),
        ]
    ),
    a_stderr_named_as_the_harness_names_it_tells_the_size =
        case(with_stderr("acc", "acc_stderr"), &[], thousand_samples()),
    a_stderr_under_another_name_tells_the_size =
        case(with_stderr("accuracy", "acc_std_err"), &[], thousand_samples()),
    a_stderr_with_a_filter_tells_the_size =
        case(with_stderr("acc,none", "acc_stderr,none"), &[], thousand_samples()),
    a_standard_deviation_with_the_number_of_samples_by_dataset = case(
        both(|arm| {
            let reward = [1.0, 1.5][arm];
            let figures = json!({ "reward": reward, "reward_std": 2.0, "num_samples": 400 });
            let all = json!({ "datasets": { "chat": figures } });
            vec![("summary.json", all.to_string())]
        }),
        &[],
        vec![Holds("reward", "/test/method", json!("welch-t"))]
    ),
    one_arm_says_why_it_stopped = case(
        recorded_by_one("finish_reason", "stop"),
        &["--fail-on", "missing"],
        nothing_is_missing()
    ),
    one_arm_says_what_went_wrong = case(
        recorded_by_one("error_type", "success"),
        &["--fail-on", "missing"],
        nothing_is_missing()
    ),
];

/// The clear effect under data of these names, which are not there.
fn trained_on(path: [&'static str; 2]) -> [Files; 2] {
    both(|arm| {
        vec![
            ("quiz.jsonl", records(60, |i| correct(arm, i))),
            config(format!("lr: 0.{}\ntrain_data: {}\n", arm + 1, path[arm])),
        ]
    })
}

/// The same with data of one name, and its rows.
fn with_data(rows: fn(usize, usize) -> Value) -> [Files; 2] {
    let mut arms = trained_on(["data/x.jsonl"; 2]);
    for (arm, files) in arms.iter_mut().enumerate() {
        files.push(("data/x.jsonl", (0..40).map(|i| rows(arm, i).to_string() + "\n").collect()));
    }
    arms
}

/// A stated figure beside 60 samples, of which 24 and 48 are right.
fn beside(stated: [&'static str; 2], expected: Vec<Expected>) -> Case {
    let files = |arm: usize| {
        let samples = records(60, |i| correct(arm, i));
        vec![("quiz.jsonl", samples), ("metrics.json", stated[arm].to_owned())]
    };
    case(both(files), &[], expected)
}

fn stated(files: [&'static str; 2], expected: Vec<Expected>) -> Case {
    case(both(|arm| vec![("metrics.json", files[arm].to_owned())]), &[], expected)
}

/// A result file of lm-evaluation-harness with one task.
fn harness(filter: &str, accuracy: f64, n: u64, version: u64) -> Files {
    let results = json!({
        "results": { "arc": { format!("acc,{filter}"): accuracy, format!("acc_stderr,{filter}"): 0.02 } },
        "versions": { "arc": version },
        "n-samples": { "arc": { "original": n, "effective": n } },
    });
    vec![("results_2024.json", results.to_string())]
}

/// One figure of each arm at an epoch that the name of its file says, and its settings.
fn at_epochs(epochs: [&'static str; 2], settings: [&'static str; 2]) -> [Files; 2] {
    both(|arm| {
        let name: &'static str = format!("epoch_{}/metrics.json", epochs[arm]).leak();
        let accuracy = [0.5, 0.65][arm];
        let figure = json!({ "accuracy": accuracy, "n": 200 });
        vec![(name, figure.to_string()), ("config.yaml", settings[arm].to_owned())]
    })
}

/// Two checkpoints with four figures, which do not move from the first to the second.
fn checkpoints() -> [(&'static str, String); 2] {
    let figures = json!({ "accuracy": 0.5, "f1": 0.4, "exact_match": 0.3, "mcc": 0.2 });
    ["eval_step_1/metrics.json", "eval_step_2/metrics.json"].map(|path| (path, figures.to_string()))
}

fn metrics(figures: &Value) -> (&'static str, String) {
    ("metrics.json", figures.to_string())
}

/// One figure over so many samples, a number or a text.
fn figure(metric: &str, value: impl Into<Value>, n: u64) -> (&'static str, String) {
    metrics(&json!({ metric: { "value": value.into(), "n": n } }))
}

/// A printed percentage over a thousand samples in each arm.
fn percent(values: [&'static str; 2]) -> [Files; 2] {
    both(|arm| {
        let of_unit = r#"{"metric":"accuracy","unit":"percent","axes":["epoch"],"#;
        let figure = format!(r#""results":{{"1":{{"value":{},"n":1000}}}}}}"#, values[arm]);
        vec![("grid.json", format!("{of_unit}{figure}"))]
    })
}

/// A figure of the baseline over 44 samples, of which 25 are 56.8 %.
fn of_44(metric: &'static str, value: impl Into<Value>) -> [Files; 2] {
    let values = [value.into(), json!("50%")];
    both(|arm| vec![figure(metric, values[arm].clone(), 44)])
}

/// The printed figures are counts, and this is what follows from them.
fn concluded(verdict: &'static str) -> Vec<Expected> {
    vec![Verdict("accuracy", verdict), Silent("R130"), Silent("R131")]
}

/// An accuracy and its standard error under a name; √(p(1 − p)/(n − 1)) of 400 and 500 right of 1000.
fn with_stderr(metric: &'static str, name: &'static str) -> [Files; 2] {
    both(|arm| {
        let (share, right) = ([0.4, 0.5][arm], [400.0, 500.0][arm]);
        let stderr = (right * (1.0 - share) / 1000.0 / 999.0_f64).sqrt();
        vec![metrics(&json!({ metric: share, name: stderr }))]
    })
}

/// The standard errors tell the number of samples.
fn thousand_samples() -> Vec<Expected> {
    vec![
        Verdict("accuracy", "better"),
        Holds("accuracy", "/baseline/n", json!(1000)),
        Holds("accuracy", "/candidate/n", json!(1000)),
        Holds("accuracy", "/notes", json!(["treated-as-independent", "size-inferred"])),
    ]
}

/// The candidate alone records a field.
fn recorded_by_one(field: &'static str, value: &'static str) -> [Files; 2] {
    quiz(60, |arm, i| {
        let mut record = correct(arm, i);
        if arm == 1 {
            record[field] = json!(value);
        }
        record
    })
}

fn nothing_is_missing() -> Vec<Expected> {
    vec![
        Verdict("correct", "better"),
        Raised("R230"),
        Silent("R216"),
        Gate("missing", "pass"),
        Status(0),
    ]
}

#[test]
fn whole_percentages_have_the_largest_p_of_the_counts_behind_them() {
    let p = |values: [&str; 2], n| {
        let report = Runs::of(&both(|arm| vec![figure("accuracy", values[arm], n)])).report(&[]);
        cell(&report, "accuracy")["test"]["p"].as_f64().expect("a p")
    };
    // 574 against 615 of 1000: the score test with N/(N − 1) by hand.
    assert!((p(["57%", "62%"], 1000) - 0.061_934_862_741).abs() < 1e-9);
    // scipy 1.17.1 boschloo_exact([[3, 0], [1, 4]])
    assert!((p(["0.0%", "75.0%"], 4) - 9.0 / 128.0).abs() < 1e-9);
}

#[test]
fn a_spread_is_no_metric_of_its_own() {
    let report = Runs::of(&both(|arm| {
        let figures =
            json!({ "f1": 0.5 + 0.1 * arm as f64, "f1_se": 0.02, "f1_std": 0.3, "n": 225 });
        vec![metrics(&figures)]
    }))
    .report(&[]);
    assert_eq!(report["comparisons"].as_array().expect("comparisons").len(), 1, "{report}");
}

#[test]
fn a_deviation_that_the_samples_cannot_have_is_not_that_of_the_metric_beside_it() {
    // Outcomes of which half are right deviate by 0.5; 0.01 is that of something else.
    let report = Runs::of(&both(|arm| {
        let accuracy = 0.5 + 0.1 * arm as f64;
        vec![metrics(&json!({ "accuracy": accuracy, "accuracy_std": 0.01, "n": 60 }))]
    }))
    .report(&[]);
    assert_eq!(cell(&report, "accuracy")["test"]["method"], "boschloo");
}

#[test]
fn samples_whose_every_score_is_nan_are_samples_without_scores() {
    let nan = (0..40).map(|i| format!("{{\"id\": {i}, \"prompt\": \"p{i}\", \"f1\": NaN}}\n"));
    let good = records(40, |i| json!({ "id": i, "prompt": format!("p{i}"), "f1": 0.5 }));
    let arms = [vec![("quiz.jsonl", good)], vec![("quiz.jsonl", nan.collect())]];
    let report = Runs::of(&arms).report(&[]);
    let found = finding(&report, "R106");
    assert_eq!(found["location"]["line"], 1, "{found}");
    assert_eq!(unmet(&Silent("R122"), &report, 0), None);
    assert_eq!(cell(&report, "f1")["candidate"]["absent"], "failed");
}
