//! Cases of what stands beside scores and changes what they mean: weights, another scale of marks,
//! and the precision of a classifier, which has the name of a setting.

use serde_json::{Value, json};

use super::Expected::{Grade, Holds, Raised, Silent, Verdict};
use super::{Case, Expected, Files, both, case, quiz, right};
use crate::cases::cases;

cases![
    samples_of_unlike_weight = case(
        quiz(100, |arm, i| json!({ "correct": right(arm, i), "weight": 1 + i % 7 })),
        &[],
        vec![Raised("R493"), Verdict("correct", "better")]
    ),
    samples_of_one_weight = case(
        quiz(100, |arm, i| json!({ "correct": right(arm, i), "sample_weight": 0.01 })),
        &[],
        vec![Silent("R493"), Verdict("correct", "better")]
    ),
    marks_up_to_5_against_marks_up_to_10 = case(
        quiz(100, |arm, i| json!({ "rating": (1 + i % 5) * (1 + arm) })),
        &["--higher", "rating"],
        vec![Raised("R494")]
    ),
    marks_against_shares_of_the_highest_mark = case(
        quiz(100, |arm, i| json!({ "rating": (1 + i % 5) as f64 / [1.0, 5.0][arm] })),
        &["--higher", "rating"],
        vec![Raised("R494")]
    ),
    marks_of_one_scale_of_which_an_arm_lacks_the_lowest = case(
        quiz(100, |arm, i| json!({ "rating": (1 + arm + i % 5).min(5) })),
        &["--higher", "rating"],
        vec![Silent("R494"), Verdict("rating", "better")]
    ),
    marks_of_one_scale_of_which_an_arm_has_only_the_highest = case(
        quiz(100, |arm, i| json!({ "rating": ([1 + i % 5, 4 + i % 2][arm]) })),
        &["--higher", "rating"],
        vec![Silent("R494"), Verdict("rating", "better")]
    ),
    shares_against_percentages_of_a_metric_with_a_declared_direction = case(
        quiz(100, |arm, i| json!({ "f1": (0.3 + i as f64 / 200.0) * [1.0, 100.0][arm] })),
        &["--higher", "f1"],
        vec![Raised("R227"), Verdict("f1", "not-assessable")]
    ),
    shares_of_a_metric_with_a_declared_direction = case(
        quiz(100, |arm, i| json!({ "f1": 0.3 + (i + 20 * arm) as f64 / 200.0 })),
        &["--higher", "f1"],
        vec![Silent("R227"), Silent("R490"), Verdict("f1", "better")]
    ),
    shares_against_percentages_of_a_learned_metric = case(
        quiz(100, |arm, i| json!({ "comet": (0.3 + i as f64 / 200.0) * [1.0, 100.0][arm] })),
        &["--higher", "comet"],
        vec![Raised("R227"), Silent("R490"), Verdict("comet", "not-assessable")]
    ),
    shares_of_one_model_against_percentages_of_another_in_files_of_percentages = case(
        both(|arm| {
            let gsm8k = [0.9, 76.0][arm];
            let text = format!(
                r#"{{"gsm8k": {{"accuracy": {gsm8k}, "n": 1000}}, "math": {{"accuracy": {}, "n": 1000}}}}"#,
                40 + arm
            );
            vec![("metrics.json", text)]
        }),
        &[],
        vec![
            Raised("R121"),
            Raised("R488"),
            Holds("accuracy", "/verdict", json!("not-assessable")),
        ]
    ),
    a_small_percentage_beside_percentages_of_another_metric = case(
        both(|arm| {
            let rate = [0.5, 20.0][arm];
            let text = format!(
                r#"{{"accuracy": {{"value": {}, "n": 1000}}, "timeout_rate": {{"value": {rate}, "n": 1000}}}}"#,
                80 + arm
            );
            vec![("metrics.json", text)]
        }),
        &[],
        vec![Raised("R121"), Silent("R488")]
    ),
    marks_from_0_on_against_marks_from_1_on = case(
        quiz(100, |arm, i| json!({ "rating": arm + i % 5 })),
        &["--higher", "rating"],
        vec![Raised("R490"), Silent("R494"), Verdict("rating", "not-assessable")]
    ),
    marks_from_0_on_of_which_an_arm_lacks_the_lowest = case(
        quiz(100, |arm, i| json!({ "rating": (arm + i % 5).min(4) })),
        &["--higher", "rating"],
        vec![Silent("R490"), Verdict("rating", "better")]
    ),
    seconds_against_milliseconds = case(
        quiz(100, |arm, i| json!({ "dist": (1.0 + i as f64 / 77.0) * [1.0, 1000.0][arm] })),
        &["--lower", "dist"],
        vec![Raised("R490"), Verdict("dist", "not-assessable")]
    ),
    seconds_against_microseconds =
        measured([1.0, 1e6], &["--lower", "dist"], Raised("R490"), "not-assessable"),
    seconds_against_minutes =
        measured([60.0, 1.0], &["--lower", "dist"], Raised("R490"), "not-assessable"),
    bytes_against_megabytes =
        measured([1_048_576.0, 1.0], &["--lower", "dist"], Raised("R490"), "not-assessable"),
    log_likelihoods_against_their_negatives =
        measured([-1.0, 1.0], &["--lower", "dist"], Raised("R490"), "not-assessable"),
    distances_that_are_ten_times_as_large =
        measured([1.0, 10.0], &["--lower", "dist"], Raised("R490"), "not-assessable"),
    distances_that_are_ten_times_as_large_as_the_user_accepts =
        measured([1.0, 10.0], &["--lower", "dist", "--accept", "R490"], Raised("R490"), "worse"),
    distances_that_are_three_times_as_large =
        measured([1.0, 3.0], &["--lower", "dist"], Silent("R490"), "worse"),
    scores_around_0_of_which_the_middle_is_fifty_times_as_large = case(
        quiz(101, |arm, i| json!({ "reward": ((i as f64 - 50.0) / 30.0 + [0.01, 0.5][arm]) })),
        &["--higher", "reward"],
        vec![Silent("R490"), Verdict("reward", "better")]
    ),
    distances_that_are_fifty_times_as_spread = case(
        quiz(100, |arm, i| json!({ "dist": (1.0 + i as f64).powf(1.0 + arm as f64) })),
        &["--lower", "dist"],
        vec![Silent("R490")]
    ),
    measured_scores_of_which_one_arm_has_larger_ones = case(
        quiz(100, |arm, i| json!({ "rating": (1.0 + i as f64 / 100.0) * (1 + arm) as f64 })),
        &["--higher", "rating"],
        vec![Silent("R494"), Verdict("rating", "better")]
    ),
    signs_against_marks_of_0_and_1 = case(
        quiz(100, |arm, i| json!({ "label": ([[-1, 1], [0, 1]][arm][i % 2]) })),
        &["--higher", "label"],
        vec![Raised("R490"), Verdict("label", "not-assessable")]
    ),
    bits_against_nats = case(
        quiz(
            100,
            |arm, i| json!({ "nll": (1.0 + i as f64 / 77.0) * ([1.0, std::f64::consts::LOG2_E][arm]) * (1.0 + 0.001 * (i % 5) as f64) })
        ),
        &["--lower", "nll"],
        vec![Raised("R490"), Verdict("nll", "not-assessable")]
    ),
    losses_that_are_a_third_lower_where_they_are_high = case(
        quiz(100, |arm, i| {
            let loss = 1.0 + i as f64 / 77.0;
            json!({ "nll": if arm == 1 { 1.0 + 0.5 * (loss - 1.0) } else { loss } })
        }),
        &["--lower", "nll"],
        vec![Silent("R490"), Verdict("nll", "better")]
    ),
    distances_that_are_as_bits_to_nats = case(
        quiz(
            100,
            |arm, i| json!({ "dist": (1.0 + i as f64 / 77.0) * ([1.0, std::f64::consts::LOG2_E][arm]) })
        ),
        &["--lower", "dist"],
        vec![Silent("R490"), Verdict("dist", "worse")]
    ),
    minus_1_among_shares = case(
        quiz(
            100,
            |arm, i| json!({ "quality": if arm == 1 && i % 16 == 0 { -1.0 } else { 0.2 + 0.007 * i as f64 } })
        ),
        &["--higher", "quality"],
        vec![Raised("R496"), Verdict("quality", "not-assessable")]
    ),
    minus_1_among_shares_that_the_user_knows_to_be_a_score = case(
        quiz(
            100,
            |arm, i| json!({ "quality": if arm == 1 && i % 16 == 0 { -1.0 } else { 0.2 + 0.007 * i as f64 } })
        ),
        &["--higher", "quality", "--accept", "R496"],
        vec![Raised("R496")]
    ),
    minus_999_among_rewards = case(
        quiz(
            100,
            |arm, i| json!({ "value": if i % (40 + arm) == 0 { -999.0 } else { i as f64 / 10.0 - 4.0 } })
        ),
        &["--higher", "value"],
        vec![Raised("R496"), Verdict("value", "not-assessable")]
    ),
    marks_of_losses_draws_and_wins = case(
        quiz(100, |arm, i| json!({ "outcome": ([-1, -1, 0, 0, 1][(i + 2 * arm) % 5]) })),
        &["--higher", "outcome"],
        vec![Silent("R496")]
    ),
    rewards_on_both_sides_of_0 = case(
        quiz(
            100,
            |arm, i| json!({ "value": if i % 9 == 0 { -1.0 } else { (i + 9 * arm) as f64 / 60.0 - 0.8 } })
        ),
        &["--higher", "value"],
        vec![Silent("R496")]
    ),
    minus_1_of_answers_in_a_wrong_format_as_a_field_says =
        formatted(|_, is_wrong| json!(if is_wrong { "bad" } else { "good" }), Silent("R496")),
    minus_1_of_answers_in_a_wrong_format_as_an_outcome_says =
        formatted(|_, is_wrong| json!(!is_wrong), Silent("R496")),
    minus_1_of_answers_of_which_a_field_says_something_else =
        formatted(|i, _| json!(["bad", "good"][i % 2]), Raised("R496")),
    failures_of_one_arm_that_got_the_mean =
        graded(|arm, i, mark| if arm == 1 && i % 7 == 0 { 6.0 } else { mark }, Raised("R500")),
    failures_of_both_arms_that_got_the_mean =
        graded(|_, i, mark| if i % 7 == 0 { 6.0 } else { mark }, Silent("R500")),
    marks_of_one_arm_that_end_where_those_of_the_other_go_on =
        graded(|arm, _, mark| if arm == 1 { mark.min(8.0) } else { mark }, Raised("R500")),
    marks_of_both_arms_that_end_at_one_limit = graded(|_, _, mark| mark.min(8.0), Silent("R500")),
    failures_of_one_arm_that_got_0_beside_marks_far_above =
        graded(|arm, i, mark| if arm == 1 && i % 7 == 0 { 0.0 } else { mark }, Raised("R500")),
    failures_of_both_arms_that_got_0 =
        graded(|arm, i, mark| if i % (7 + 7 * arm) == 0 { 0.0 } else { mark }, Silent("R500")),
    failures_of_one_arm_that_got_0_among_low_marks = graded(
        |arm, i, mark| if arm == 1 && i % 7 == 0 { 0.0 } else { mark - 3.9 },
        Silent("R500")
    ),
    marks_in_steps_of_which_one_arm_prefers_one = graded(
        |arm, i, mark| if arm == 1 && i % 7 == 0 { 6.0 } else { mark.round() },
        Silent("R500")
    ),
    a_mean_filled_in_one_arm_that_the_user_knows_to_be_scored = case(
        marks(|arm, i, mark| if arm == 1 && i % 7 == 0 { 6.0 } else { mark }),
        &["--higher", "mark", "--accept", "R500"],
        vec![Raised("R500"), Grade("as-declared")]
    ),
    a_precision_beside_a_recall = case(
        classifier([json!(0.613), json!(0.711)]),
        &[],
        vec![
            Silent("R205"),
            Silent("R201"),
            Verdict("accuracy", "better"),
            Holds("precision", "/reason", json!("not-an-average")),
        ]
    ),
    a_precision_in_bits_beside_a_recall = case(
        classifier([json!(16), json!(32)]),
        &[],
        vec![Raised("R205"), Verdict("accuracy", "better")]
    ),
    a_precision_in_the_report_of_a_classifier = case(
        both(|arm| {
            let of = |value: f64| json!({ "precision": value, "recall": value, "f1-score": value, "support": 500 });
            let rate = [0.61, 0.71][arm];
            let report = json!({ "no": of(rate), "yes": of(rate + 0.02), "macro avg": of(rate + 0.01), "accuracy": rate });
            vec![("results.json", report.to_string())]
        }),
        &[],
        vec![Silent("R201"), Silent("R205"), Grade("as-declared")]
    ),
    a_column_of_precision_beside_a_recall = case(
        both(|arm| {
            let row = ["a,500,0.612,0.613,0.6", "a,500,0.712,0.711,0.7"][arm];
            vec![("results.csv", format!("dataset,n,accuracy,precision,recall\n{row}\n"))]
        }),
        &[],
        vec![Silent("R205"), Holds("precision", "/reason", json!("not-an-average"))]
    ),
];

/// Marks from 4 on of several digits, changed as a program does.
fn marks(change: fn(usize, usize, f64) -> f64) -> [Files; 2] {
    quiz(150, move |arm, i| {
        let noise = ((i * (37 + 22 * arm)) % 151) as f64 / 151.0;
        let mark = 4.0 + 0.03 * ((i * 71) % 150) as f64 + 1.3 * noise;
        json!({ "mark": (1000.0 * change(arm, i, mark)).round() / 1000.0 })
    })
}

/// Shares, and −1 for some answers of either arm, beside what a field says of the format.
fn formatted(format: fn(usize, bool) -> Value, expected: Expected) -> Case {
    let record = move |arm: usize, i: usize| {
        let is_wrong = i.is_multiple_of(5 + 3 * arm);
        let share = 0.2 + 0.007 * ((i * 37) % 100) as f64;
        json!({ "value": if is_wrong { -1.0 } else { share }, "format": format(i, is_wrong) })
    };
    case(quiz(100, record), &["--higher", "value"], vec![expected])
}

/// What is confounded where it is raised has its verdict with the code.
fn graded(change: fn(usize, usize, f64) -> f64, expected: Expected) -> Case {
    let grade = Grade(if matches!(expected, Raised(_)) { "confounded" } else { "as-declared" });
    case(marks(change), &["--higher", "mark"], vec![expected, grade])
}

/// Distances that are so many times as large in each arm.
fn measured(
    times: [f64; 2],
    arguments: &'static [&'static str],
    expected: Expected,
    verdict: &'static str,
) -> Case {
    let noise = |arm: usize, i: usize| 1.0 + 0.2 * ((i * (7 + 4 * arm)) % 13) as f64 / 13.0;
    let record =
        move |arm, i| json!({ "dist": (1.0 + i as f64 / 77.0) * noise(arm, i) * times[arm] });
    case(quiz(100, record), arguments, vec![expected, Verdict("dist", verdict)])
}

/// Figures of a classifier with that precision.
fn classifier(precisions: [Value; 2]) -> [Files; 2] {
    let mut arm = 0;
    precisions.map(|precision| {
        let rate = [0.612, 0.712][arm];
        arm += 1;
        let figures =
            json!({ "accuracy": rate, "precision": precision, "recall": rate, "n": 1000 });
        vec![("metrics.json", figures.to_string())]
    })
}
