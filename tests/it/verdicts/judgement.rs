//! Verdicts, gates and bounds whose figures a person can work out.

use serde_json::{Value, json};

use super::Expected::{Gate, Holds, Raised, Silent, Status, Verdict};
use super::{Case, Expected, Files, Runs, both, case, cell, quiz, unmet};
use crate::cases::cases;

/// Two metrics that decide together.
const BOTH: [&str; 4] = ["--metric", "correct", "--metric", "f1"];

cases![
    // Tango without discordant pairs: ±z²/(n + z²), z = 1.645: 1.34 pp.
    equal_outcomes_of_200_are_not_inferior_by_two_points =
        equal(&["--fail-on", "regression", "--margin", "correct=2"], "pass", "pass", 0),
    a_size_that_the_candidate_alone_lacks_closes_the_gate = case(
        both(|arm| {
            let b = [json!({ "accuracy": 0.9, "n": 500 }), json!({ "accuracy": 0.4 })];
            let a = json!({ "accuracy": 0.9 + 0.05 * arm as f64, "n": 500 });
            vec![("metrics.json", json!({ "a": a, "b": b[arm] }).to_string())]
        }),
        &["--fail-on", "regression"],
        vec![Gate("regression", "not-gateable"), Status(3)]
    ),
    equal_outcomes_of_200_leave_one_point_open = equal(
        &["--fail-on", "regression", "--margin", "correct=1pp"],
        "inconclusive",
        "inconclusive",
        0,
    ),
    equal_outcomes_of_200_fail_a_strict_gate_of_one_point = equal(
        &["--fail-on", "regression", "--margin", "correct=1%", "--strict"],
        "inconclusive",
        "inconclusive",
        1,
    ),
    worse_but_by_less_than_the_margin = case(
        up_to(400, [300, 292]),
        &["--fail-on", "regression", "--margin", "correct=5"],
        vec![
            Verdict("correct", "equivalent"),
            Holds("correct", "/noninferiority/outcome", json!("pass")),
            Gate("regression", "pass"),
        ]
    ),
    worse_by_more_than_the_margin = case(
        up_to(400, [300, 240]),
        &["--fail-on", "regression", "--margin", "correct=5"],
        vec![
            Verdict("correct", "worse"),
            Holds("correct", "/noninferiority/outcome", json!("fail")),
            Gate("regression", "fail"),
            Status(1),
        ]
    ),
    worse_and_perhaps_by_more_than_the_margin = case(
        up_to(400, [300, 280]),
        &["--fail-on", "regression", "--margin", "correct=5"],
        vec![
            Verdict("correct", "worse"),
            Holds("correct", "/noninferiority/outcome", json!("inconclusive")),
            Gate("regression", "inconclusive"),
            Status(0),
        ]
    ),
    fewer_timeouts_are_not_inferior = case(
        timeouts([60, 20]),
        &["--fail-on", "regression", "--margin", "timeout_rate=1"],
        vec![
            Verdict("timeout_rate", "inconclusive"),
            Holds("timeout_rate", "/reason", json!("guard-held")),
            Holds("timeout_rate", "/noninferiority/outcome", json!("pass")),
            Gate("regression", "pass"),
        ]
    ),
    more_timeouts_than_the_margin_allows = case(
        timeouts([20, 60]),
        &["--fail-on", "regression", "--margin", "timeout_rate=1"],
        vec![
            Holds("timeout_rate", "/noninferiority/outcome", json!("fail")),
            Gate("regression", "fail"),
        ]
    ),
    a_gate_over_two_metrics_needs_both = case(
        quiz(400, |arm, i| json!({ "correct": i < 300, "f1": i < [300, 280][arm] })),
        &["--fail-on", "regression", "--margin", "correct=5", "--margin", "f1=5"],
        vec![
            Holds("correct", "/noninferiority/outcome", json!("pass")),
            Holds("f1", "/noninferiority/outcome", json!("inconclusive")),
            Gate("regression", "inconclusive"),
        ]
    ),
    a_margin_written_as_a_share = margin(
        &["--margin", "correct=0.02"],
        vec![Raised("R240"), Holds("correct", "/noninferiority/margin", json!(0.02))]
    ),
    a_small_margin_that_says_points = margin(
        &["--margin", "correct=0.02pp"],
        vec![Silent("R240"), Holds("correct", "/noninferiority/margin", json!(0.02))]
    ),
    a_margin_that_no_difference_can_exceed = margin(
        &["--margin", "correct=100"],
        vec![
            Raised("R241"),
            Verdict("correct", "better"),
            Holds("correct", "/noninferiority", Value::Null),
        ]
    ),
    points_for_a_metric_that_is_no_rate = margin(
        &["--margin", "edit_distance=1pp"],
        vec![Raised("R242"), Silent("R243"), Verdict("edit_distance", "identical")]
    ),
    a_margin_without_a_good_side = margin(
        &["--margin", "edit_distance=3"],
        vec![Raised("R243"), Holds("edit_distance", "/noninferiority", Value::Null)]
    ),
    // 60.2 % and 60.5 % of a million: less than a point apart for certain.
    a_certain_difference_of_less_than_a_point = case(
        both(|arm| stated([0.602, 0.605][arm], 1_000_000)),
        &[],
        vec![Verdict("accuracy", "better"), Holds("accuracy", "/small_within", json!(1.0))]
    ),
    a_difference_that_may_be_more_than_a_point = case(
        both(|arm| stated([0.60, 0.62][arm], 20_000)),
        &[],
        vec![Verdict("accuracy", "better"), Holds("accuracy", "/small_within", Value::Null)]
    ),
    // A tenth of the 1 % that is wrong is 0.1 pp, and 0.3 pp are a third of it.
    a_third_of_all_errors_gone = case(
        both(|arm| stated([0.990, 0.993][arm], 1_000_000)),
        &[],
        vec![Verdict("accuracy", "better"), Holds("accuracy", "/small_within", Value::Null)]
    ),
    a_small_difference_beside_a_margin = case(
        both(|arm| stated([0.602, 0.605][arm], 1_000_000)),
        &["--margin", "accuracy=0.2pp"],
        vec![Verdict("accuracy", "better"), Holds("accuracy", "/small_within", Value::Null)]
    ),
    // Scores from 0 to 0.9 in steps of 0.1 have a standard deviation of 0.288.
    scores_within_a_tenth_of_their_standard_deviation = case(
        scores_moved_by([0.004, 0.006]),
        &[],
        vec![Verdict("rougeL", "better"), Holds("rougeL", "/small_within", json!(0.02))]
    ),
    scores_beyond_a_tenth_of_their_standard_deviation = case(
        scores_moved_by([0.04, 0.06]),
        &[],
        vec![Verdict("rougeL", "better"), Holds("rougeL", "/small_within", Value::Null)]
    ),
    four_changes_in_one_direction_cannot_reach_0_05 = case(
        up_to(40, [20, 24]),
        &[],
        vec![
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("out-of-reach")),
        ]
    ),
    five_changes_reach_it_alone = case(
        up_to(40, [20, 25]),
        &[],
        vec![
            Verdict("correct", "better"),
            Holds("correct", "/test/p", json!(0.03125)),
            Holds("correct", "/test/method", json!("mcnemar-midp")),
        ]
    ),
    five_changes_of_six_pairs_do_not = case(
        up_to(6, [0, 5]),
        &[],
        vec![
            Holds("correct", "/reason", json!("out-of-reach")),
            Holds("correct", "/test/method", json!("mcnemar-exact")),
        ]
    ),
    five_changes_do_not_reach_it_beside_a_test_that_finds_nothing = case(
        quiz(40, |arm, i| json!({ "correct": i < [20, 25][arm], "f1": (i + arm) % 2 })),
        &BOTH,
        vec![
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("out-of-reach")),
        ]
    ),
    a_clear_effect_holds_at_any_time_and_a_mean_has_no_such_method = case(
        quiz(
            200,
            |arm, i| json!({ "correct": i < [60, 120][arm], "judge_score": (i * (arm + 3)) % 7 }),
        ),
        &["--anytime"],
        vec![
            Verdict("correct", "better"),
            Holds("correct", "/test/method", json!("e-value")),
            Holds("correct", "/delta/ci_simultaneous", Value::Null),
            Holds("judge_score", "/reason", json!("no-anytime-method")),
        ]
    ),
    what_one_look_finds_looking_again_and_again_does_not = case(
        up_to(40, [20, 27]),
        &["--anytime"],
        vec![Verdict("correct", "inconclusive"), Holds("correct", "/mde", Value::Null)]
    ),
    a_printed_130_of_200_against_100_of_200_whatever_the_pairing = case(
        both(|arm| grid([50.0, 65.0][arm], 200)),
        &[],
        vec![noted("significant-however-paired"), Verdict("accuracy", "better")]
    ),
    a_printed_114_of_200_against_100_of_200_depends_on_the_pairing = case(
        both(|arm| grid([50.0, 57.0][arm], 200)),
        &[],
        vec![noted("pairing-would-tell"), Verdict("accuracy", "inconclusive"), Silent("R130")]
    ),
    a_printed_57_0_percent_of_44_is_no_count = case(
        both(|arm| grid([57.0, 50.0][arm], 44)),
        &[],
        vec![
            Raised("R130"),
            Holds("accuracy", "/test", Value::Null),
            Holds("accuracy", "/reason", json!("impossible-figure")),
        ]
    ),
];

/// Right below a limit of each arm.
fn up_to(n: usize, limits: [usize; 2]) -> [Files; 2] {
    quiz(n, move |arm, i| json!({ "correct": i < limits[arm] }))
}

/// Equal outcomes of 200 samples: how a margin is judged, the gate and the exit status.
fn equal(margin: &'static [&'static str], judged: &str, gate: &'static str, status: u8) -> Case {
    let same = quiz(200, |_, i| json!({ "correct": i % 3 == 0 }));
    let expected = vec![
        Verdict("correct", "identical"),
        Holds("correct", "/noninferiority/outcome", json!(judged)),
        Gate("regression", gate),
        Status(status),
    ];
    case(same, margin, expected)
}

fn timeouts(limits: [usize; 2]) -> [Files; 2] {
    quiz(400, |arm, i| json!({ "timeout_rate": i < limits[arm] }))
}

/// The clear effect beside a metric that is no rate and has no good side.
fn margin(arguments: &'static [&'static str], expected: Vec<Expected>) -> Case {
    let files = quiz(60, |arm, i| json!({ "correct": i % 5 < [2, 4][arm], "edit_distance": i }));
    case(files, arguments, expected)
}

/// A grid with one figure over 200 samples of a named dataset.
fn grid(percent: impl Into<Value>, n: usize) -> Files {
    let grid = json!({
        "metric": "accuracy", "unit": "percent", "dataset": "quiz", "axes": ["epoch"],
        "results": { "1": { "value": percent.into(), "n": n } },
    });
    vec![("grid.json", grid.to_string())]
}

fn stated(share: f64, n: usize) -> Files {
    vec![("metrics.json", json!({ "quiz": { "accuracy": share, "n": n } }).to_string())]
}

/// Scores of 300 samples, in the candidate higher by one amount or the other in turns.
fn scores_moved_by(by: [f64; 2]) -> [Files; 2] {
    quiz(300, move |arm, i| {
        let score = 0.1 * (i % 10) as f64;
        json!({ "rougeL": if arm == 1 { score + by[i % 2] } else { score } })
    })
}

fn noted(tag: &str) -> Expected {
    Holds("accuracy", "/notes", json!(["treated-as-independent", tag]))
}

/// Asserts figures of a comparison by their path.
fn assert_figures(of: &Value, expected: &[(&str, f64)]) {
    for (path, value) in expected {
        let found = of.pointer(path).and_then(Value::as_f64);
        let close = found.is_some_and(|found| (found - value).abs() < 1e-9);
        assert!(close, "{path} is {found:?}, not {value}: {of:#}");
    }
}

#[test]
fn a_standard_deviation_that_says_so_gives_welchs_test_and_a_bare_plus_minus_a_z_test() {
    let report = Runs::of(&both(|arm| {
        let reward = json!({ "value": 1.0 + 0.5 * arm as f64, "std": 2.0, "n": 400 });
        let figures = json!({ "reward": reward, "mcc": "0.5 ± 0.1" });
        vec![("metrics.json", figures.to_string())]
    }))
    .report(&[]);
    let reward = cell(&report, "reward");
    assert_eq!(reward["test"]["method"], "welch-t");
    // 0.5 / √(2·2²/400)
    assert_figures(reward, &[("/test/statistic", 12.5_f64.sqrt())]);
    assert_eq!(cell(&report, "mcc")["test"]["method"], "stderr-z");
    assert_eq!(unmet(&Raised("R174"), &report, 0), None);
}

#[test]
fn missing_scores_bound_the_difference_over_all_samples_asked() {
    // 100 questions: 50 right in the baseline, the same and ten more in the candidate; the last
    // three, wrong in both, were not answered by one arm.
    let without = |lacking: usize| {
        let runs = Runs::of(&quiz(100, move |arm, i| {
            let score = (arm != lacking || i < 97).then_some(i < [50, 60][arm]);
            json!({ "correct": score })
        }));
        cell(&runs.report(&[]), "correct").clone()
    };
    let candidate = without(1);
    assert_figures(
        &candidate,
        &[
            ("/bounds/asked", 100.0),
            ("/bounds/lost", 3.0),
            ("/bounds/completed_only", 1000.0 / 97.0),
            ("/bounds/all_wrong", 10.0),
            ("/bounds/all_right", 13.0),
            ("/bounds/worst", 10.0),
            ("/bounds/best", 13.0),
        ],
    );
    assert_eq!(candidate["bounds"]["survives"], json!(true));
    assert_eq!(candidate["verdict"], "better");
    // Three more right answers of the baseline make three losses of ten gains: p 0.09.
    let baseline = without(0);
    assert_figures(&baseline, &[("/bounds/worst", 7.0), ("/bounds/best", 10.0)]);
    assert_eq!(baseline["bounds"]["survives"], json!(false));
    assert_eq!(baseline["verdict"], "inconclusive");
    assert_eq!(baseline["reason"], "missing-could-undo");
}

#[test]
fn records_of_one_arm_only_count_among_the_samples_asked() {
    // Four records of the baseline have no partner; two of them are right.
    let [mine, theirs] = quiz(100, |arm, i| json!({ "correct": i < [50, 70][arm] }));
    let extra = |right: bool, id| format!("{}\n", json!({ "id": id, "correct": right }));
    let mine = mine
        .into_iter()
        .map(|(path, text)| {
            let more: String = ["w", "x", "y", "z"].iter().map(|id| extra(*id < "y", id)).collect();
            (path, text + &more)
        })
        .collect();
    let report = Runs::of(&[mine, theirs]).report(&[]);
    assert_figures(
        cell(&report, "correct"),
        &[
            ("/bounds/asked", 104.0),
            ("/bounds/lost", 4.0),
            ("/bounds/completed_only", 20.0),
            ("/bounds/worst", 1800.0 / 104.0),
            ("/bounds/best", 2200.0 / 104.0),
        ],
    );
}

#[test]
fn truncated_answers_are_counted_wrong_beside_the_verdict() {
    // Ten gains, six of them in answers that were cut.
    let runs = Runs::of(&quiz(100, |arm, i| {
        let cut = arm == 1 && (50..56).contains(&i);
        json!({ "correct": i < [50, 60][arm], "truncated": cut })
    }));
    let report = runs.report(&[]);
    let correct = cell(&report, "correct");
    assert_figures(
        correct,
        &[("/bounds/truncation/samples", 6.0), ("/bounds/truncation/counted_wrong", 4.0)],
    );
    assert_eq!(correct["bounds"]["truncation"]["survives"], json!(false));
    assert_eq!(correct["bounds"]["survives"], Value::Null);
    assert_eq!(correct["verdict"], "better");
}

#[test]
fn joint_intervals_contain_single_ones_and_stand_at_one_minus_alpha_over_m() {
    let runs = Runs::of(&quiz(
        60,
        |arm, i| json!({ "correct": i % 5 < 2 + arm, "f1": (i % 4) as f64 / (4 + arm) as f64 }),
    ));
    let at = [&BOTH[..], &["--alpha", "0.1", "--lang", "en"]].concat();
    let report = runs.report(&at);
    for metric in ["correct", "f1"] {
        let delta = &cell(&report, metric)["delta"];
        assert_figures(delta, &[("/level", 0.9), ("/level_simultaneous", 0.95)]);
        let limit = |key: &str, end: usize| delta[key][end].as_f64().expect("a limit");
        assert!(limit("ci_simultaneous", 0) < limit("ci", 0), "{delta}");
        assert!(limit("ci_simultaneous", 1) > limit("ci", 1), "{delta}");
    }
    let page = runs.compare(&[&at[..], &["--format", "md"]].concat()).out;
    assert!(page.contains("| Metric | Difference | 90% CI (joint) |"), "{page}");
    let alone = cell(&Runs::of(&up_to(60, [20, 40])).report(&[]), "correct")["delta"].clone();
    assert_eq!(alone["ci_simultaneous"], Value::Null);
}

#[test]
fn what_could_be_detected_among_m_tests_is_planned_at_alpha_over_m() {
    // Ten samples become right and five wrong: enough for a p below α/2, had all become right.
    let correct = |arm: usize, i: usize| match (arm, i % 9) {
        (1, 4) => i.is_multiple_of(2),
        (1, 3) => i % 4 != 1,
        (_, rest) => rest < 4,
    };
    let two = Runs::of(&quiz(
        180,
        |arm, i| json!({ "correct": correct(arm, i), "f1": (i % 4) as f64 / (4 + arm) as f64 }),
    ));
    let one = Runs::of(&quiz(180, |arm, i| json!({ "correct": correct(arm, i) })));
    let among_two = cell(&two.report(&BOTH), "correct").clone();
    let alone = |alpha: &str| cell(&one.report(&["--alpha", alpha]), "correct").clone();
    let (halved, whole) = (alone("0.025"), alone("0.05"));
    for key in ["mde", "needed_n"] {
        assert_eq!(among_two[key], halved[key], "{key}");
        assert!(among_two[key].as_f64() > whole[key].as_f64(), "{key}: {among_two} {whole}");
    }
    for (runs, decide, said) in [(&two, &BOTH[..], true), (&one, &[], false)] {
        let page = runs.compare(&[decide, &["--format", "md", "--lang", "en"]].concat()).out;
        assert_eq!(page.contains("at the strictest level of the family"), said, "{page}");
    }
}

#[test]
fn looking_again_and_again_has_the_price_of_the_e_value() {
    let runs =
        Runs::of(&quiz(100, |arm, i| json!({ "correct": (i < 34) == (arm == 1) && i < 54 })));
    let report = runs.report(&["--anytime"]);
    let test = &cell(&report, "correct")["test"];
    // 34 gains and 20 losses: exp(54·ln 2 + betaln(35, 21)), scipy 1.17.1.
    let e = 1.019_126_924_883_969_2;
    assert_figures(test, &[("/statistic", e), ("/p", 1.0 / e)]);
}

#[test]
fn extremes_enclose_every_way_of_filling_in_what_is_missing() {
    // Every filling of two missing scores in each arm, worked out as runs of their own.
    let score = |arm: usize, i: usize| f64::from(u8::from(i % 4 < 2 + arm));
    let lacking = |arm: usize, i: usize| (i == 3 || i == 4 + arm) && i < 60;
    let delta = |filled: Option<[bool; 4]>| {
        let runs = Runs::of(&quiz(60, |arm, i| {
            let correct = match filled {
                _ if !lacking(arm, i) => json!(score(arm, i)),
                None => return json!({ "error": "out of memory" }),
                Some(right) => json!(f64::from(u8::from(right[2 * arm + usize::from(i != 3)]))),
            };
            json!({ "correct": correct })
        }));
        cell(&runs.report(&[]), "correct").clone()
    };
    let bounds = delta(None)["bounds"].clone();
    let all: Vec<f64> = (0..16_u8)
        .map(|bits| delta(Some([0, 1, 2, 3].map(|bit| bits >> bit & 1 == 1))))
        .map(|cell| cell["delta"]["absolute"].as_f64().expect("a difference"))
        .collect();
    let lowest = all.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_figures(&bounds, &[("/lost", 3.0), ("/worst", lowest), ("/best", highest)]);
    assert_figures(&bounds, &[("/all_wrong", all[0]), ("/all_right", all[15])]);
}

#[test]
fn margins_are_refused_where_verdicts_have_to_hold_at_any_time() {
    let runs = Runs::of(&up_to(40, [20, 27]));
    runs.directory.write("reportgen.toml", "margins = { correct = 5 }\n");
    let config = ["--config", &runs.word("reportgen.toml"), "--anytime"];
    for arguments in [&["--anytime", "--margin", "correct=5"][..], &config] {
        let ended = runs.compare(arguments);
        assert!(
            ended.status == 2 && ended.err.contains("a margin is judged by an interval"),
            "{ended:?}"
        );
        assert_eq!(ended.out, "");
    }
}
