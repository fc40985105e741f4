//! Findings that the user accepts: relabelled, never hidden, and no way round missing data.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Expected::{Gate, Grade, Holds, Raised, Silent, Status, Verdict};
use super::{
    Case, Expected, Files, Runs, both, case, config, correct, finding, quiz, records, right,
};
use crate::cases::cases;
use crate::report::{comparisons, findings};

cases![
    two_keys_differ_one_of_them_accepted = case(
        two_keys(),
        &["--accept", "R201:Temperature", "--fail-on", "mismatch,warning"],
        vec![
            Grade("confounded"),
            Gate("mismatch", "not-gateable"),
            Gate("warning", "fail"),
            Silent("R291"),
            Status(3),
        ]
    ),
    two_keys_differ_both_accepted = case(
        two_keys(),
        &["--accept", "R201:gen.temperature", "--accept", "r201:seed", "--fail-on", "mismatch"],
        vec![
            Grade("as-declared"),
            Raised("R201"),
            Gate("mismatch", "pass"),
            Holds("correct", "/accepted", json!([])),
            Silent("R290"),
            Status(0),
        ]
    ),
    every_warning_accepted = case(
        two_keys(),
        &["--accept", "R201", "--fail-on", "warning"],
        vec![Gate("warning", "pass"), Status(0)]
    ),
    equal_ids_over_other_targets = case(
        quiz(60, retargeted),
        &["--fail-on", "regression"],
        vec![
            Raised("R213"),
            Verdict("correct", "not-assessable"),
            Holds("correct", "/accepted", json!([])),
            Gate("regression", "not-gateable"),
        ]
    ),
    equal_ids_over_other_targets_accepted = case(
        quiz(60, retargeted),
        &["--accept", "R213:b", "--fail-on", "regression,mismatch"],
        vec![
            Raised("R213"),
            Grade("as-declared"),
            Verdict("correct", "better"),
            Holds("correct", "/accepted", json!(["R213"])),
            Gate("regression", "pass"),
            Gate("mismatch", "pass"),
            Status(0),
        ]
    ),
    equal_ids_over_other_targets_accepted_of_another_candidate = case(
        quiz(60, retargeted),
        &["--accept", "R213:c"],
        vec![Raised("R291"), Grade("not-comparable"), Verdict("correct", "not-assessable")]
    ),
    a_third_of_the_samples_accepted = case(stopped(), ALL_THE_SAME, closed("R212")),
    a_third_without_a_score_accepted = case(unanswered(), ALL_THE_SAME, closed("R226")),
    no_sample_in_common_accepted = case(others(), ALL_THE_SAME, closed("R210")),
    an_acceptance_of_a_code_that_no_finding_has = case(
        quiz(60, correct),
        &["--accept", "R213", "--fail-on", "warning"],
        vec![Raised("R290"), Silent("R291"), Gate("warning", "fail")]
    ),
    an_acceptance_of_a_code_that_no_finding_has_itself_accepted = case(
        quiz(60, correct),
        &["--accept", "R213", "--accept", "R290", "--fail-on", "warning"],
        vec![Raised("R290"), Gate("warning", "pass")]
    ),
    an_acceptance_of_a_subject_that_no_finding_has = case(
        two_keys(),
        &["--accept", "R201:temprature"],
        vec![Raised("R291"), Silent("R290"), Grade("confounded")]
    ),
    acceptances_that_cover_something =
        case(two_keys(), &["--accept", "R201:temperature"], vec![Silent("R290"), Silent("R291")]),
];

/// The samples of [`correct`] under configurations that differ in two keys.
fn two_keys() -> [Files; 2] {
    let mut arms = quiz(60, correct);
    for (arm, files) in arms.iter_mut().enumerate() {
        let keys = ["gen:\n  temperature: 0\nseed: 1\n", "gen:\n  temperature: 1\nseed: 2\n"];
        files.push(config(keys[arm]));
    }
    arms
}

/// Equal ids over other targets.
fn retargeted(arm: usize, i: usize) -> Value {
    json!({ "target": format!("t{}", i + 100 * arm), "correct": right(arm, i) })
}

/// Every gate, and every code of missing data accepted.
const ALL_THE_SAME: &[&str] = &[
    "--accept",
    "R210",
    "--accept",
    "R212",
    "--accept",
    "R219",
    "--accept",
    "R226",
    "--accept",
    "R213",
    "--accept",
    "R290",
    "--fail-on",
    "regression,mismatch,missing,warning",
];

/// A candidate that stopped after a third of its samples.
fn stopped() -> [Files; 2] {
    both(|arm| vec![("quiz.jsonl", records([60, 20][arm], |i| correct(arm, i)))])
}

/// A candidate with a third of its samples unanswered.
fn unanswered() -> [Files; 2] {
    quiz(60, |arm, i| match (arm, i) {
        (1, 40..) => json!({ "correct": null, "error": "timeout" }),
        _ => json!({ "correct": right(arm, i) }),
    })
}

/// Arms without an id in common.
fn others() -> [Files; 2] {
    quiz(60, |arm, i| json!({ "id": format!("{arm}-{i}"), "correct": right(arm, i) }))
}

/// Nothing is concluded and no gate passes, whatever is accepted.
fn closed(code: &'static str) -> Vec<Expected> {
    vec![
        Raised(code),
        Grade("not-comparable"),
        Verdict("correct", "not-assessable"),
        Gate("regression", "not-gateable"),
        Gate("mismatch", "not-gateable"),
        Gate("missing", "not-gateable"),
        Gate("warning", "fail"),
    ]
}

#[test]
fn an_acceptance_that_misses_names_the_closest_subject() {
    let report = Runs::of(&two_keys()).report(&["--accept", "R201:temprature"]);
    assert_eq!(finding(&report, "R291")["evidence"]["closest"], "gen.temperature", "{report}");
}

#[test]
fn a_report_says_what_was_accepted_and_the_grade_without() {
    let runs = Runs::of(&two_keys());
    let accept = ["--accept", "R201:temperature", "--accept", "R201:seed", "--fail-on", "mismatch"];
    let report = runs.report(&accept);
    let of = &report["comparability"];
    assert_eq!(of["grade_unaccepted"], "confounded");
    assert_eq!(of["candidates"][0]["grade_unaccepted"], "confounded");
    let rule = |rule| json!({ "rule": rule, "code": "R201", "findings": 1, "lifted": true });
    assert_eq!(of["accepted"], json!([rule("R201:temperature"), rule("R201:seed")]));
    assert_eq!(finding(&report, "R201")["severity"], "error", "sampling differs");
    let reason = report["gates"][0]["reason"].as_str().expect("a reason");
    assert!(
        reason.ends_with("apart from 2 accepted findings; without --accept it would not pass"),
        "{reason}"
    );
    let page = runs.compare(&accept).out;
    for said in [
        "2 mismatches accepted (R201 gen.temperature, R201 seed); otherwise: confounded.",
        "`R201` (accepted)",
    ] {
        assert!(page.contains(said), "no `{said}` in\n{page}");
    }
}

#[test]
fn every_format_says_which_verdict_stands_by_an_acceptance() {
    let runs = Runs::of(&quiz(60, retargeted));
    let out = runs.path("out");
    let target = runs.word("out");
    let ended = runs.compare(&["--accept", "R213", "-o", &target, "--format", "md,html,json,csv"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let read = |name: &str| runs.directory.read(format!("out/{name}"));
    for (place, text, said) in [
        ("terminal", ended.out, "✅ better (R213 accepted)\n"),
        ("Markdown", read("report.md"), "better (R213 accepted) |"),
        ("HTML", read("report.html"), "better (R213 accepted)</td>"),
        ("standard error", ended.err, "error[R213] (accepted): "),
    ] {
        assert!(text.contains(said), "{place}: no `{said}` in\n{text}");
    }
    let mut table = csv::Reader::from_path(out.join("report.csv")).expect("readable");
    let names = table.headers().expect("a first line").clone();
    let row = table.records().next().expect("a row").expect("a whole row");
    let of = |name: &str| {
        let at = names.iter().position(|column| column == name);
        row.get(at.expect(name)).expect("a field in each column")
    };
    assert_eq!(of("grade"), "as-declared");
    assert_eq!(of("grade_unaccepted"), "not-comparable");
    assert_eq!(of("accepted"), "R213");
}

#[test]
fn an_average_names_what_had_to_be_accepted_for_one_of_its_datasets() {
    let runs = Runs::of(&quiz(120, |arm, i| {
        let (dataset, other) = (i % 2, i % 2 * arm * 1000);
        let target = format!("t{}", i + other);
        json!({ "dataset": format!("d{dataset}"), "target": target, "correct": right(arm, i / 2) })
    }));
    let plain = runs.report(&[]);
    assert_eq!(plain["suites"], json!([]), "one dataset is no average");
    let report = runs.report(&["--accept", "R213:D1"]);
    let accepted = |dataset: &str| {
        let found = comparisons(&report).iter().find(|one| one["dataset"] == dataset);
        found.expect(dataset)["accepted"].clone()
    };
    assert_eq!([accepted("d0"), accepted("d1")], [json!([]), json!(["R213"])]);
    assert_eq!(report["suites"][0]["accepted"], json!(["R213"]), "{report}");
}

/// What a report says beside its labels: every finding without its label, every figure.
fn figures(report: &Value) -> Vec<Value> {
    let paths = [
        "/metric",
        "/baseline",
        "/candidate",
        "/pairing",
        "/flips",
        "/bounds/worst",
        "/bounds/best",
        "/delta/absolute",
        "/delta/ci",
        "/test/method",
        "/test/p",
    ];
    let of = |one: &Value| json!(paths.map(|path| one.pointer(path).cloned()));
    comparisons(report).iter().map(of).collect()
}

/// Findings with severity and words, in order.
fn told(report: &Value) -> Vec<Value> {
    let about =
        findings(report).iter().filter(|one| one["code"] != "R290" && one["code"] != "R291");
    about.map(|one| json!([one["code"], one["severity"], one["subject"], one["message"]])).collect()
}

/// How bad a grade is.
fn rank(grade: &Value) -> usize {
    let grades = ["identical", "as-declared", "confounded", "not-comparable"];
    grades.iter().position(|one| grade == one).expect("a grade")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn accepting_removes_no_finding_and_changes_no_figure(
        lost in 0_usize..6,
        retarget in 0_usize..3,
        keys in 0_usize..3,
        codes in prop::sample::subsequence(
            vec!["R201", "R210", "R212", "R213", "R222", "R226", "R211", "R205:b"], 1..8,
        ),
    ) {
        let mut arms = quiz(40, |arm, i| match (arm, i) {
            (1, i) if i < lost => json!({ "correct": null, "target": i }),
            _ => json!({ "correct": right(arm, i), "target": i + arm * retarget }),
        });
        for (arm, files) in arms.iter_mut().enumerate() {
            let lines: Vec<String> = (0..keys).map(|key| format!("key{key}: {arm}\n")).collect();
            files.push(config(lines.concat() + "same: 1\n"));
        }
        let runs = Runs::of(&arms);
        let accept: Vec<&str> = codes.iter().flat_map(|code| ["--accept", code]).collect();
        let (plain, accepted) = (runs.report(&[]), runs.report(&accept));
        prop_assert_eq!(told(&plain), told(&accepted));
        prop_assert_eq!(figures(&plain), figures(&accepted));
        let [before, after] = [&plain, &accepted].map(|report| &report["comparability"]);
        prop_assert_eq!(&before["grade"], &after["grade_unaccepted"]);
        prop_assert!(rank(&after["grade"]) <= rank(&before["grade"]), "{}", after);
    }
}
