//! Cases with several answers to each problem.

use serde_json::{Value, json};

use super::Expected::{Grade, Holds, Quiet, Raised, Silent, Verdict};
use super::{Case, Files, Runs, both, case, cell, finding, quiz, records, right};
use crate::cases::cases;

/// `k(arm)` answers to each of 40 problems; an answer is right where `answer` says so.
fn answers(
    k: impl Fn(usize, usize) -> usize,
    answer: impl Fn(usize, usize, usize) -> Value,
) -> [Files; 2] {
    both(|arm| {
        let of_problem = |problem: usize| {
            let answer = |index| {
                let mut record = answer(arm, problem, index);
                record["id"] = json!(format!("p{problem}"));
                record
            };
            records(k(arm, problem), answer)
        };
        vec![("quiz.jsonl", (0..40).map(of_problem).collect())]
    })
}

/// Problem `p` of 40 has `p % (k + 1)` right answers, in the candidate one more where it can.
fn graded(k: usize) -> impl Fn(usize, usize, usize) -> Value {
    move |arm, problem, index| json!({ "correct": index < problem % (k + 1) + arm })
}

/// Three answers to each problem, of which those of the second trial are better.
fn of_trials(field: &'static str) -> [Files; 2] {
    answers(
        |_, _| 3,
        move |arm, problem, index| {
            let correct = problem * 13 % 10 < [2, 7, 4][index] + arm;
            json!({ "correct": correct, field: index })
        },
    )
}

/// An accuracy over 1,920 in each arm, and other figures in the same file.
fn beside(others: &Value) -> [Files; 2] {
    both(|arm| {
        let mut figures = json!({ "accuracy": ([0.5, 0.6][arm]), "n": 1920 });
        for (key, value) in others.as_object().expect("figures") {
            figures[key] = value.clone();
        }
        vec![("metrics.json", figures.to_string())]
    })
}

/// Three scores of each problem under an id of its own, of which so many tenths are right.
fn of_ids(id: fn(usize, usize) -> String, tenths: [usize; 3]) -> [Files; 2] {
    quiz(360, move |arm, i| {
        let (problem, index) = (i % 120, i / 120);
        let correct = (problem * 13 + index * 7) % 10 < tenths[index] + arm;
        json!({ "id": id(problem, index), "correct": correct })
    })
}

/// Three marks for each sample, of which each is higher by what its rater adds.
fn by_raters(field: &'static str, adds: fn(usize, usize) -> usize) -> [Files; 2] {
    answers(
        |_, _| 3,
        move |arm, sample, rater| {
            let mark = 1 + (sample * 13 + rater * 5 + arm * (sample % 3)) % 4 + adds(arm, rater);
            json!({ "rating": mark, field: format!("r{rater}") })
        },
    )
}

cases![
    answers_that_are_better_in_one_trial = case(
        of_trials("trial"),
        &[],
        vec![
            Raised("R489"),
            Verdict("correct", "not-assessable"),
            Verdict("correct_pass@3", "not-assessable"),
        ]
    ),
    a_size_of_all_answers_beside_the_number_of_runs = case(
        beside(&json!({ "num_runs": 64 })),
        &[],
        vec![Raised("R167"), Holds("accuracy", "/candidate/n", json!(30))]
    ),
    a_size_beside_the_epochs_of_a_training = case(
        beside(&json!({ "epochs": 4, "train_loss": 0.5 })),
        &[],
        vec![Silent("R167"), Holds("accuracy", "/candidate/n", json!(1920))]
    ),
    a_size_beside_epochs_alone = case(
        beside(&json!({ "epochs": 4 })),
        &[],
        vec![Silent("R167"), Holds("accuracy", "/candidate/n", json!(1920))]
    ),
    a_size_beside_the_votes_of_which_each_problem_has_one_outcome = case(
        beside(&json!({ "num_votes": 8 })),
        &[],
        vec![Silent("R167"), Holds("accuracy", "/candidate/n", json!(1920))]
    ),
    ids_that_name_seeds_of_which_one_is_better = case(
        of_ids(|problem, index| format!("q{problem}_seed{index}"), [2, 7, 4]),
        &[],
        vec![Raised("R489"), Verdict("correct", "not-assessable")]
    ),
    ids_that_begin_with_runs_of_which_one_is_better = case(
        of_ids(|problem, index| format!("run{index}/q{problem}"), [2, 7, 4]),
        &[],
        vec![Raised("R489"), Verdict("correct", "not-assessable")]
    ),
    ids_that_name_seeds_which_move_nothing = case(
        of_ids(|problem, index| format!("q{problem}_seed{index}"), [4, 4, 4]),
        &[],
        vec![Silent("R489")]
    ),
    ids_of_questions_that_end_with_numbers = case(
        of_ids(|problem, index| format!("q{problem}_{index}"), [2, 7, 4]),
        &[],
        vec![Silent("R489")]
    ),
    one_answer_against_the_best_of_four_by_their_number = case(
        quiz(100, |arm, i| json!({ "correct": right(arm, i), "attempts": 1 + 3 * arm })),
        &[],
        vec![Raised("R200")]
    ),
    one_answer_against_the_best_of_four_that_are_listed = case(
        quiz(100, |arm, i| json!({ "correct": right(arm, i), "scores": vec![0; 1 + 3 * arm] })),
        &[],
        vec![Raised("R200")]
    ),
    as_many_answers_in_both_arms = case(
        quiz(100, |arm, i| json!({ "correct": right(arm, i), "outputs": [i, arm], "attempts": 2 })),
        &[],
        vec![Silent("R200"), Silent("R294"), Verdict("correct", "better")]
    ),
    answers_that_are_better_in_one_trial_of_one_model = case(
        of_trials("trial"),
        &["--accept", "R489"],
        vec![Raised("R489"), Verdict("correct", "better")]
    ),
    answers_of_which_one_is_better_and_nothing_numbers_trials =
        case(of_trials("temperature"), &[], vec![Silent("R489")]),
    raters_of_all_samples_who_each_prefer_another_arm = case(
        by_raters("rater", |arm, rater| if arm == 1 { [2, 0, 1][rater] } else { 0 }),
        &["--higher", "rating"],
        vec![Raised("R489"), Verdict("rating", "not-assessable")]
    ),
    raters_of_all_samples_who_are_strict_with_both_arms = case(
        by_raters("rater", |arm, rater| [2, 0, 1][rater] + arm),
        &["--higher", "rating"],
        vec![Silent("R489"), Verdict("rating", "better")]
    ),
    marks_that_no_rater_gave = case(
        by_raters("prompt_style", |arm, rater| if arm == 1 { [2, 0, 1][rater] } else { 0 }),
        &["--higher", "rating"],
        vec![Silent("R489")]
    ),
    answers_that_trials_number_and_do_not_move = case(
        answers(
            |_, _| 3,
            |arm, problem, index| {
                json!({ "correct": (problem * 13 + index * 5) % 10 < 4 + arm, "trial": index })
            }
        ),
        &[],
        vec![Silent("R489")]
    ),
    four_answers_to_each_problem_give_pass_at_4_and_pass_hat_4_paired_by_problem = case(
        answers(|_, _| 4, graded(4)),
        &[],
        vec![
            Quiet,
            Raised("R120"),
            Raised("R155"),
            Verdict("correct", "better"),
            Holds("correct_pass@4", "/direction", json!("higher")),
            Holds("correct_pass@4", "/unit", json!("fraction")),
            // Every fifth problem has no right answer in the baseline, one in the candidate.
            Holds("correct_pass@4", "/flips/gained", json!(8)),
            Holds("correct_pass@4", "/candidate/value", json!(1.0)),
            Holds("correct_pass^4", "/flips/gained", json!(8)),
            Holds("correct_pass^4", "/baseline/value", json!(0.2)),
        ]
    ),
    arms_with_four_and_eight_answers_are_compared_at_pass_at_4 = case(
        answers(
            |arm, _| [4, 8][arm],
            |arm, problem, index| json!({ "correct": index < (problem % 5) * (arm + 1) }),
        ),
        &[],
        vec![
            Raised("R229"),
            Silent("R216"),
            // By enumeration: of 0, 2, 4, 6, 8 right of 8, pass@4 is 1 - C(8-c, 4)/C(8, 4).
            Holds("correct_pass@4", "/candidate/value", json!(0.754_285_714_285_714_2)),
            Holds("correct_pass@4", "/baseline/value", json!(0.8)),
            Holds("correct_pass@4", "/pairing/paired", json!(40)),
        ]
    ),
    uneven_numbers_of_answers_are_averaged_as_they_are_and_told = case(
        answers(|_, problem| 2 + problem % 3, graded(4)),
        &[],
        vec![
            Raised("R150"),
            Silent("R105"),
            Silent("R156"),
            Holds("correct", "/baseline/n", json!(40)),
            Holds("correct_pass@2", "/pairing/paired", json!(40)),
        ]
    ),
    arms_of_which_one_lacks_answers_to_many_problems_are_not_comparable = case(
        // Equal models, of which one has lost wrong answers.
        answers(
            |arm, problem| 8 - 2 * arm * (problem % 2),
            |_, _, index| json!({ "correct": index < 4 })
        ),
        &[],
        vec![
            Raised("R509"),
            Grade("not-comparable"),
            Holds("correct", "/reason", json!("blocked: R509")),
        ]
    ),
    a_few_lost_answers_that_could_undo_a_difference_leave_it_open = case(
        answers(
            |arm, problem| 8 - arm * usize::from(problem < 15),
            |_, _, index| json!({ "correct": index < 4 }),
        ),
        &[],
        vec![
            Silent("R509"),
            Raised("R150"),
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("missing-could-undo")),
        ]
    ),
    a_few_lost_answers_do_not_undo_a_large_difference = case(
        answers(
            |arm, problem| 8 - arm * usize::from(problem < 15),
            |arm, _, index| json!({ "correct": index < 4 + arm }),
        ),
        &[],
        vec![Silent("R509"), Raised("R150"), Verdict("correct", "better")]
    ),
    one_more_record_of_a_few_problems_is_a_repetition_no_answer = case(
        answers(|_, problem| 1 + usize::from(problem < 2), graded(2)),
        &[],
        vec![Raised("R105"), Silent("R120"), Silent("R150")]
    ),
    rates_of_errors_have_no_pass_at_k = case(
        answers(
            |_, _| 2,
            |arm, problem, index| {
                let kinds = ["success", "timeout", "wrong_answer"];
                json!({ "error_type": kinds[(problem + index * (1 + arm)) % 3] })
            },
        ),
        &[],
        vec![
            Holds("exec_success_rate_pass@2", "/pairing/paired", json!(40)),
            Silent("R219"),
            Silent("R216"),
        ]
    ),
    an_answer_without_a_score_leaves_its_problem_without_a_mean_and_that_is_told = case(
        answers(
            |_, _| 4,
            |arm, problem, index| match (arm, problem, index) {
                (1, 3, 2) => json!({ "correct": null }),
                _ => graded(4)(arm, problem, index),
            },
        ),
        &[],
        vec![
            Raised("R151"),
            Holds("correct", "/candidate/coverage/unscored", json!(1)),
            Holds("correct_pass@4", "/pairing/paired", json!(39)),
        ]
    ),
    pass_at_8_of_four_answers_is_not_given = case(
        answers(|_, _| 4, graded(4)),
        &["--pass-at", "1,2,8"],
        vec![
            Raised("R156"),
            Silent("R216"),
            Holds("correct_pass@2", "/pairing/paired", json!(40)),
            Holds("correct_pass@4", "/pairing/paired", json!(40)),
        ]
    ),
];

#[test]
fn pass_at_k_beyond_the_answers_is_no_metric_and_names_its_problems() {
    let runs = Runs::of(&answers(|_, problem| 3 + usize::from(problem < 30), graded(4)));
    let report = runs.report(&["--pass-at", "1,4,9"]);
    for none in ["correct_pass@9", "correct_pass^9", "correct_pass@1"] {
        assert_eq!(cell(&report, none), &Value::Null, "{none}");
    }
    let four = cell(&report, "correct_pass@4");
    assert_eq!(four["pairing"]["paired"], 30, "{four}");
    let found = &finding(&report, "R156")["evidence"];
    assert_eq!(
        (&found["k"], &found["count"], &found["total"]),
        (&4.into(), &10.into(), &40.into())
    );
}

#[test]
fn the_share_of_sampling_is_told_for_each_run() {
    // By hand: of 40 problems 20 have the mean 0, 10 have 1, 10 have 1/2 with variance 1/2. The
    // variance of the means is 6.875/39 = 0.1763, of which sampling is 1/2 · 10/40 / 2 = 0.0625.
    let runs = Runs::of(&answers(
        |_, _| 2,
        |_, problem, index| json!({ "correct": problem % 4 == 1 || (problem % 4 == 3 && index == 1) }),
    ));
    let report = runs.report(&[]);
    let found = finding(&report, "R155");
    assert_eq!(found["evidence"]["k"], json!({ "lowest": 2, "highest": 2 }), "{found}");
    let share = &found["evidence"]["shares"][0];
    assert_eq!((&share["name"], &share["value"]["unit"]), (&"correct".into(), &"percent".into()));
    let value = share["value"]["value"].as_f64().expect("a number");
    assert!((value - 100.0 * 0.0625 / (6.875 / 39.0)).abs() < 1e-9, "{found}");
    assert!(found["message"].as_str().expect("a text").contains("correct 35%"), "{found}");
}

#[test]
fn the_share_of_sampling_in_a_paired_difference_is_larger_than_in_either_arm() {
    // By hand: of 40 problems 10 differ by 1 and 30 by 0, variance 7.5/39. In each arm 10 problems
    // have the answers 0 and 1 with variance 1/2: 1/2 · 10/40 / 2 = 0.0625, together 0.125. The
    // variance of the candidate's means is 6.875/39, of which that is only 35 %.
    let runs = Runs::of(&answers(
        |_, _| 2,
        |arm, problem, index| {
            let sure = arm == 1 && problem % 4 == 1;
            json!({ "correct": sure || (problem % 4 == 3 && index == 1) })
        },
    ));
    let report = runs.report(&[]);
    let found = &cell(&report, "correct")["answers"];
    for (key, expected) in [
        ("baseline", 2.0),
        ("candidate", 2.0),
        ("sampling_share", 0.65),
        ("stderr_ratio_twice_answers", 0.675_f64.sqrt()),
        ("stderr_ratio_twice_problems", 0.5_f64.sqrt()),
    ] {
        let value = found[key].as_f64().expect(key);
        assert!((value - expected).abs() < 1e-12, "{key}: {found}");
    }
    assert_eq!(cell(&report, "correct_pass@2")["answers"], Value::Null);
    for (lang, told) in
        [("en", "65% of the variance is from sampling answers"), ("zh", "方差的 65%")]
    {
        let text = runs.compare(&["--lang", lang]).out;
        assert!(text.contains(told), "{text}");
    }
}

#[test]
fn single_answers_in_an_arm_leave_the_share_of_sampling_open() {
    let runs = Runs::of(&answers(|arm, _| [1, 4][arm], graded(4)));
    assert_eq!(cell(&runs.report(&[]), "correct")["answers"], Value::Null);
}
