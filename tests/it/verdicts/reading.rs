//! Cases of what stands in files of results beside the figures: what they are of, how they were
//! made, and on how many samples they stand.

use serde_json::{Value, json};

use super::Expected::{Grade, Holds, Quiet, Raised, Silent, Verdict};
use super::{Case, Expected, Files, both, case, quiz, right};
use crate::cases::cases;

cases![
    rows_of_a_table_are_of_other_tasks = case(table("task", OTHERS), &[], not_compared("R249")),
    rows_of_a_table_are_of_other_subsets = case(table("subset", OTHERS), &[], not_compared("R219")),
    rows_of_a_table_are_of_other_languages = case(table("lang", OTHERS), &[], not_compared("R219")),
    rows_of_a_table_have_other_judges = case(table("judge", OTHERS), &[], not_compared("R219")),
    a_text_column_of_no_known_name_tells_rows_apart =
        case(table("bucket", OTHERS), &[], not_compared("R219")),
    rows_of_a_table_are_of_the_same_tasks = case(
        table("task", SAME),
        &[],
        vec![
            Silent("R219"),
            Verdict("accuracy", "better"),
            Holds("accuracy", "/dataset", json!("aa")),
        ]
    ),
    a_table_names_another_judge_in_every_row = case(
        table("judge", [["m1", "m1"], ["m2", "m2"]]),
        &[],
        vec![Raised("R234"), Grade("confounded")]
    ),
    remarks_in_a_table_are_no_coordinates = case(
        both(|arm| {
            let (mean, note) = ([0.4, 0.6][arm], ["first try", "after the fix"][arm]);
            vec![("results.csv", format!("task,accuracy,n,notes\naa,{mean},1000,{note}\n"))]
        }),
        &[],
        vec![Silent("R219"), Verdict("accuracy", "better")]
    ),
    figures_are_of_another_dataset_by_the_text_beside_them = case(
        text_beside("dataset", ["easy", "hard"]),
        &[],
        vec![Grade("not-comparable"), Raised("R249"), Silent("R219")]
    ),
    figures_are_of_one_dataset_by_the_text_beside_them = case(
        text_beside("task", ["easy", "easy"]),
        &[],
        vec![Verdict("accuracy", "better"), Holds("accuracy", "/dataset", json!("easy"))]
    ),
    another_judge_is_named_beside_the_figures = case(
        text_beside("judge_model", ["m1", "m2"]),
        &[],
        vec![Raised("R234"), Grade("confounded")]
    ),
    another_split_is_named_beside_the_figures = case(
        text_beside("split", ["validation", "test"]),
        &[],
        vec![Raised("R201"), Grade("confounded")]
    ),
    the_temperature_beside_the_figures_is_a_setting_and_no_metric = case(
        figure(|arm| json!({ "temperature": arm, "judge": "m" })),
        &["--vary", "temperature"],
        vec![Quiet, Verdict("accuracy", "better"), Grade("as-declared")]
    ),
    settings_in_a_block_beside_the_figures_differ = case(
        figure(|arm| json!({ "config": { "temperature": arm, "judge_model": format!("m{arm}") } }),),
        &[],
        vec![Raised("R201"), Raised("R234"), Grade("confounded")]
    ),
    figures_say_that_their_run_failed = case(
        figure(|arm| json!({ "status": (["completed", "failed"][arm]) })),
        &[],
        vec![Raised("R284"), Verdict("accuracy", "not-assessable")]
    ),
    figures_say_that_their_run_completed = case(
        figure(|_| json!({ "status": "completed" })),
        &[],
        vec![Silent("R284"), Verdict("accuracy", "better")]
    ),
    a_figure_stands_on_a_part_of_its_samples = case(
        figure(|arm| json!({ "evaluated": ([1000, 600][arm]) })),
        &[],
        vec![Raised("R280"), Verdict("accuracy", "not-assessable")]
    ),
    a_figure_stands_on_all_of_its_samples = case(
        figure(|_| json!({ "evaluated": 1000, "num_errors": 0 })),
        &[],
        vec![Silent("R280"), Silent("R281"), Verdict("accuracy", "better")]
    ),
    samples_beside_a_figure_failed = case(
        figure(|arm| json!({ "num_errors": 300 * arm })),
        &[],
        vec![Raised("R280"), Verdict("accuracy", "not-assessable")]
    ),
    errors_beside_a_figure_are_the_wrong_answers = case(
        figure(|arm| json!({ "errors": ([500, 300][arm]) })),
        &[],
        vec![Silent("R280"), Verdict("accuracy", "better")]
    ),
    a_number_of_samples_is_an_overflow = case(
        both(|arm| {
            let text = format!("{{\"accuracy\": 0.{}, \"n\": 18446744073709551615}}", arm + 5);
            vec![("metrics.json", text)]
        }),
        &[],
        vec![Raised("R160"), Verdict("accuracy", "not-assessable")]
    ),
    a_number_of_samples_is_large = case(
        figure(|_| json!({ "n": 1_000_000_000_u64 })),
        &[],
        vec![Silent("R160"), Verdict("accuracy", "better")]
    ),
    a_count_of_right_answers_beside_a_share_is_no_percentage = case(
        counted(
            |arm| json!({ "accuracy": ([0.5, 0.9][arm]), "correct": ([45, 81][arm]), "total": 90 }),
        ),
        &[],
        vec![
            Silent("R121"),
            Holds("accuracy", "/candidate/value", json!(0.9)),
            Holds("accuracy", "/unit", json!("fraction")),
        ]
    ),
    a_count_of_right_answers_of_a_total_is_their_share = case(
        counted(|arm| json!({ "correct": ([45, 81][arm]), "total": 90 })),
        &[],
        vec![
            Silent("R121"),
            Verdict("correct", "better"),
            Holds("correct", "/candidate/value", json!(0.9)),
        ]
    ),
    percentages_without_a_total_are_still_percentages = case(
        counted(|arm| json!({ "accuracy": ([45, 81][arm]), "f1": 50.5, "n": 900 })),
        &[],
        vec![Raised("R121")]
    ),
    a_status_of_error_with_a_score_of_0 =
        case(failing(100, || json!({ "status": "error" })), &[], lost()),
    requests_that_timed_out_have_a_score_of_0 =
        case(failing(100, || json!({ "error": "timeout" })), &[], lost()),
    requests_that_were_refused_have_a_score_of_0 = case(
        failing(100, || json!({ "error": "RateLimitError: 429 Too Many Requests" })),
        &[],
        lost()
    ),
    code_that_ran_out_of_time_in_its_tests_is_a_wrong_answer =
        case(tested(json!({ "error": "TimeoutError: timed out" })), &[], wrong()),
    a_request_that_ran_out_of_time_is_no_answer_of_code =
        case(tested(json!({ "error": "Request timed out" })), &[], lost()),
    code_that_raises_an_error_is_a_wrong_answer = case(
        failing(
            100,
            || json!({ "status": "error", "error": "NameError: name 'x' is not defined" }),
        ),
        &[],
        wrong()
    ),
    code_that_does_not_end_is_a_wrong_answer =
        case(failing(100, || json!({ "error": "timeout", "error_type": "timeout" })), &[], wrong()),
    other_system_messages =
        case(asked(["short", "think"], ["how", "how"]), &[], vec![Raised("R214")]),
    other_user_messages =
        case(asked(["short", "short"], ["how", "why"]), &[], vec![Raised("R214")]),
    equal_messages_and_other_answers_of_the_model_in_them = case(
        asked(["short", "short"], ["how", "how"]),
        &[],
        vec![Silent("R213"), Silent("R214"), Verdict("correct", "better")]
    ),
    other_instructions = case(named("instruction", false), &[], vec![Raised("R213")]),
    other_labels_beside_a_response = case(named("label", true), &[], vec![Raised("R213")]),
    an_answer_may_be_what_the_model_said =
        case(named("answer", false), &[], vec![Silent("R213"), Verdict("correct", "better")]),
];

/// A table of two rows in each arm: the name of the text column, and its texts by arm.
fn table(column: &'static str, texts: [[&'static str; 2]; 2]) -> [Files; 2] {
    both(|arm| {
        let [first, second] = texts[arm];
        let (low, high) = ([0.4, 0.6][arm], [0.3, 0.5][arm]);
        let text = format!("{column},accuracy,n\n{first},{low},1000\n{second},{high},900\n");
        vec![("results.csv", text)]
    })
}

/// Texts of the rows of both arms that have none in common, and the same ones.
const OTHERS: [[&str; 2]; 2] = [["aa", "bb"], ["cc", "dd"]];
const SAME: [[&str; 2]; 2] = [["aa", "bb"]; 2];

fn not_compared(code: &'static str) -> Vec<Expected> {
    vec![Grade("not-comparable"), Raised(code), Verdict("accuracy", "not-assessable")]
}

/// One accuracy in each arm over a thousand samples, and what stands beside it.
fn figure(beside: impl Fn(usize) -> Value) -> [Files; 2] {
    both(|arm| {
        let mut figures = json!({ "accuracy": ([0.5, 0.7][arm]), "n": 1000 });
        let fields = figures.as_object_mut().expect("an object");
        fields.extend(beside(arm).as_object().expect("an object").clone());
        vec![("metrics.json", figures.to_string())]
    })
}

fn text_beside(name: &'static str, texts: [&'static str; 2]) -> [Files; 2] {
    figure(|arm| json!({ (name): texts[arm] }))
}

fn counted(figures: fn(usize) -> Value) -> [Files; 2] {
    both(|arm| vec![("metrics.json", figures(arm).to_string())])
}

/// Every tenth answer of the baseline is marked with those fields and has a score of 0.
fn failing(n: usize, fields: fn() -> Value) -> [Files; 2] {
    quiz(n, move |arm, i| {
        let failed = arm == 0 && i % 10 == 0;
        let mut record = json!({ "correct": right(arm, i) && !failed });
        if failed {
            let marks = fields().as_object().expect("an object").clone();
            record.as_object_mut().expect("an object").extend(marks);
        }
        record
    })
}

/// The same of records in which tests of code say whether they passed.
fn tested(failure: Value) -> [Files; 2] {
    quiz(100, move |arm, i| {
        let failed = arm == 0 && i % 10 == 0;
        let mut record = json!({ "passed": right(arm, i) && !failed });
        if failed {
            let marks = failure.as_object().expect("an object").clone();
            record.as_object_mut().expect("an object").extend(marks);
        }
        record
    })
}

fn lost() -> Vec<Expected> {
    vec![Raised("R226"), Verdict("correct", "not-assessable")]
}

fn wrong() -> Vec<Expected> {
    vec![Silent("R226"), Silent("R222"), Verdict("correct", "better")]
}

/// Messages of these systems and users.
fn asked(system: [&'static str; 2], user: [&'static str; 2]) -> [Files; 2] {
    quiz(100, |arm, i| {
        let question = format!("{} {i}", user[arm]);
        let messages = json!([
            { "role": "system", "content": system[arm] },
            { "role": "user", "content": question },
            { "role": "assistant", "content": format!("answer {arm} of {i}") },
        ]);
        json!({ "correct": right(arm, i), "messages": messages, "target": i })
    })
}

/// Other texts in a field of that name, with or without a response beside them.
fn named(name: &'static str, is_answered: bool) -> [Files; 2] {
    quiz(100, |arm, i| {
        let mut record = json!({ "correct": right(arm, i), (name): format!("{arm} {i}") });
        if is_answered {
            record["response"] = json!(format!("I say {arm} {i}"));
        }
        record
    })
}
