//! What has to be said about the pairs of runs of the torture set, whatever its goldens hold.
//!
//! `fixtures/make_torture.py` writes the runs; `fixtures/cases/torture_*` holds command, reports and
//! exit statuses. Expected figures follow from how the runs are made, not from a report. Each test
//! runs the command of its case again, so that accepting new goldens cannot bless a wrong report.

mod hostile;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::command::{Ended, json as report_of, reportgen};
use crate::golden::words;
use crate::report::{self, finding, findings, list, number, told};

const CASES: &str = "fixtures/cases";
const MATRIX: &str = "docs/comparison.md";
/// A case with what its command says about it.
struct Case {
    /// The words of the command, without where and in which formats to write.
    command: Vec<String>,
    report: Value,
}

impl Case {
    fn of(number: usize) -> Self {
        let command = command(&folder(number));
        let ended = run(&command, &["--format", "json", "--fail-on", "regression,mismatch"]);
        Self { command, report: report_of(&ended) }
    }

    fn page(&self, format: &str) -> String {
        run(&self.command, &["--format", format]).out
    }

    /// The grade, and the verdict of every comparison.
    fn says(&self, grade: &str, verdicts: &[&str]) {
        assert_eq!(self.report["comparability"]["grade"], grade, "{}", self.findings());
        let found: Vec<&Value> = self.comparisons().iter().map(|one| &one["verdict"]).collect();
        assert_eq!(found, verdicts, "{}", self.findings());
    }

    /// The gates `regression` and `mismatch`, and what the process ends with: without a gate, and
    /// with each of them.
    fn gates(&self, outcomes: [&str; 2], statuses: [u8; 3]) {
        let gates = list(&self.report, "gates");
        let found: Vec<&Value> = gates.iter().map(|gate| &gate["outcome"]).collect();
        assert_eq!(found, outcomes, "{gates:?}");
        let ended = [None, Some("regression"), Some("mismatch")].map(|rule| self.status(rule));
        assert_eq!(ended, statuses);
    }

    fn status(&self, rule: Option<&str>) -> u8 {
        let gate = rule.map_or_else(Vec::new, |rule| vec!["--fail-on", rule]);
        run(&self.command, &[&["--format", "csv"], &*gate].concat()).status
    }

    fn gate(&self, rule: &str) -> &Value {
        let found = list(&self.report, "gates").iter().find(|gate| gate["name"] == rule);
        &found.expect(rule)["outcome"]
    }

    fn comparisons(&self) -> &[Value] {
        report::comparisons(&self.report)
    }

    /// The only comparison.
    fn cell(&self) -> &Value {
        let all = self.comparisons();
        assert_eq!(all.len(), 1, "{all:?}");
        &all[0]
    }

    fn found(&self, path: &str) -> &Value {
        self.cell().pointer(path).expect(path)
    }

    fn holds(&self, path: &str, value: &Value) {
        assert_eq!(self.found(path), value, "{path}");
    }

    fn near(&self, path: &str, value: f64) {
        let found = number(self.found(path));
        assert!((found - value).abs() < 1e-9, "{path} is {found}, not {value}");
    }

    fn diagnostics(&self) -> &[Value] {
        findings(&self.report)
    }

    fn raised(&self, code: &str) -> Vec<&Value> {
        self.diagnostics().iter().filter(|one| one["code"] == code).collect()
    }

    fn finding(&self, code: &str) -> &Value {
        finding(&self.report, code)
    }

    /// The findings that name a configuration key.
    fn about(&self, key: &str) -> Vec<&Value> {
        self.diagnostics().iter().filter(|one| one.to_string().contains(key)).collect()
    }

    /// Not a word, remarks included.
    fn is_silent(&self) {
        assert!(self.diagnostics().is_empty(), "{}", self.findings());
    }

    /// Nothing but remarks.
    fn is_calm(&self) {
        let calm = self.diagnostics().iter().all(|one| one["severity"] == "info");
        assert!(calm, "{}", self.findings());
    }

    fn findings(&self) -> String {
        told(&self.report)
    }

    fn residue(&self, key: &str) -> Option<&Value> {
        list(&self.report["comparability"], "residue").iter().find(|one| one["key"] == key)
    }
}

fn folders() -> Vec<PathBuf> {
    let entries = fs::read_dir(CASES).expect("the cases are listed");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> =
        paths.filter(|path| path.to_string_lossy().contains("/torture_")).collect();
    found.sort();
    found
}

fn folder(number: usize) -> PathBuf {
    let found = folders().into_iter().find(|path| number_of(path) == number);
    found.expect("a case of that number")
}

fn number_of(case: &Path) -> usize {
    let name = case.file_name().expect("a name").to_string_lossy();
    name["torture_".len()..][..2].parse().expect("two digits")
}

fn command(case: &Path) -> Vec<String> {
    let text = fs::read_to_string(case.join("cmd")).expect("a case has a `cmd`");
    let words = words(text.lines().next().expect("a line"));
    words.into_iter().take_while(|word| word != "-o").collect()
}

fn run(command: &[String], further: &[&str]) -> Ended {
    reportgen(command.iter().map(String::as_str).chain(further.iter().copied()))
}

#[test]
fn case_01_a_run_that_died_is_incomplete_and_passes_nothing() {
    let case = Case::of(1);
    case.says("not-comparable", &["not-assessable"]);
    case.gates(["not-gateable", "not-gateable"], [0, 3, 3]);
    assert_eq!(case.report["runs"][1]["status"], "torn");
    case.holds("/candidate/coverage/present", &json!(30));
    case.holds("/candidate/coverage/missing", &json!(970));
    case.holds("/pairing/baseline_only", &json!(970));
    let torn = &case.finding("R103")["location"];
    assert!(torn["path"].as_str().is_some_and(|path| path.ends_with("candidate/results.jsonl")));
    assert_eq!(torn["line"], 31, "{torn}");
    assert_eq!(case.finding("R212")["severity"], "error");
}

#[test]
fn case_02_equal_indices_over_other_questions_are_not_comparable() {
    let case = Case::of(2);
    case.says("not-comparable", &["not-assessable"]);
    case.gates(["not-gateable", "not-gateable"], [0, 3, 3]);
    case.holds("/reason", &json!("blocked: R213"));
    let evidence = &case.finding("R213")["evidence"];
    assert!(evidence.as_object().expect("facts").values().any(|fact| *fact == 1000), "{evidence}");
    for key in ["temperature", "n_shot"] {
        let residue = case.residue(key).unwrap_or_else(|| panic!("{key}: {}", case.findings()));
        assert_eq!(residue["can_move_metric"], true, "{residue}");
        assert!(!case.about(key).is_empty(), "{key}: {}", case.findings());
    }
}

#[test]
fn case_03_five_gained_and_five_lost_of_a_thousand_are_equivalent_within_5_pp() {
    let case = Case::of(3);
    case.says("as-declared", &["equivalent"]);
    case.gates(["pass", "pass"], [0, 0, 0]);
    assert_eq!([case.found("/flips/gained"), case.found("/flips/lost")], [5, 5]);
    case.near("/delta/absolute", 0.0);
    for end in ["/delta/ci/0", "/delta/ci/1"] {
        assert!(number(case.found(end)).abs() < 1.0, "{}", case.cell());
    }
}

#[test]
fn case_03_ten_samples_that_changed_sides_are_not_called_the_same_result() {
    Case::of(3).is_calm();
}

#[test]
fn case_04_two_thirds_to_all_is_better() {
    let case = Case::of(4);
    case.says("as-declared", &["better"]);
    case.gates(["pass", "pass"], [0, 0, 0]);
    case.near("/delta/absolute", 33.4);
    assert_eq!([case.found("/flips/gained"), case.found("/flips/lost")], [334, 0]);
    assert!(number(case.found("/test/p")) < 1e-6, "{}", case.cell());
    case.is_calm();
}

#[test]
fn case_05_a_drop_far_inside_the_margin_is_equivalent() {
    let case = Case::of(5);
    case.says("as-declared", &["equivalent"]);
    case.gates(["pass", "pass"], [0, 0, 0]);
    case.near("/delta/absolute", -0.001);
    for end in ["/delta/ci/0", "/delta/ci/1"] {
        assert!(number(case.found(end)).abs() < 0.05, "{}", case.cell());
    }
    case.is_calm();
}

#[test]
fn case_06_timeouts_are_no_wrong_answers_and_bound_the_difference() {
    let case = Case::of(6);
    case.says("not-comparable", &["not-assessable"]);
    case.gates(["not-gateable", "not-gateable"], [0, 3, 3]);
    case.holds("/candidate/coverage/errored", &json!(90));
    case.holds("/candidate/coverage/unscored", &json!(0));
    case.holds("/candidate/coverage/present", &json!(910));
    // 607 of the 910 rows with a reward are right, 60 of the 90 lost ones were in the baseline.
    case.near("/candidate/value", 607.0 / 910.0);
    case.holds("/bounds/lost", &json!(90));
    for (bound, difference) in
        [("completed_only", 0.0), ("all_wrong", -6.0), ("worst", -6.0), ("best", 3.0)]
    {
        case.near(&format!("/bounds/{bound}"), difference);
    }
    assert_ne!(*case.found("/bounds/survives"), true);
    assert!(!case.raised("R222").is_empty() && !case.raised("R226").is_empty());
}

#[test]
fn case_07_a_task_that_the_candidate_lacks_is_missing_and_no_drop() {
    let case = Case::of(7);
    let absent: Vec<&Value> =
        case.comparisons().iter().filter(|one| one["dataset"] == "exam_law").collect();
    let [law] = absent[..] else { panic!("one comparison of exam_law: {absent:?}") };
    assert_eq!(law["baseline"]["value"], 0.6);
    assert_eq!([&law["candidate"]["value"], &law["delta"], &law["test"]], [&Value::Null; 3]);
    assert_eq!([&law["verdict"], &law["reason"]], ["not-assessable", "missing-value"]);
    assert!(!case.raised("R216").is_empty(), "{}", case.findings());
    let means = list(&case.report, "suites").iter().map(|mean| &mean["left_out"]);
    assert_eq!(means.collect::<Vec<_>>(), [1]);
    let known = case.comparisons().iter().filter(|one| !one["delta"].is_null());
    let known: Vec<f64> = known.map(|one| number(&one["delta"]["absolute"])).collect();
    assert!(known.len() == 2 && known.iter().all(|delta| *delta > 0.0), "{known:?}");
    for format in ["md", "csv"] {
        let page = case.page(format);
        assert!(!page.contains("-60") && !page.contains("-0.6"), "{page}");
    }
    assert_eq!(case.status(Some("missing")), 3);
}

#[test]
fn case_07_a_candidate_that_lacks_a_task_passes_no_regression_gate() {
    let case = Case::of(7);
    assert_ne!(*case.gate("regression"), "pass");
    assert_eq!(case.status(None), 0);
}

#[test]
fn case_08_conflicting_records_are_set_aside_and_named() {
    let case = Case::of(8);
    case.holds("/pairing/conflicting", &json!(16));
    case.holds("/pairing/paired", &json!(384));
    // Taking the last record would give +4 pp, taking the first 0.
    case.near("/delta/absolute", 0.0);
    case.holds("/verdict", &json!("inconclusive"));
    case.near("/bounds/worst", 0.0);
    case.near("/bounds/best", 4.0);
    let conflict = case.finding("R105");
    assert_eq!(conflict["severity"], "error");
    assert!(conflict["location"]["line"].is_u64(), "{conflict}");
    let message = conflict["message"].as_str().expect("a message");
    assert!(message.contains("(384, 385, 386, 387, 388, +11)"), "{message}");
    case.gates(["inconclusive", "pass"], [0, 0, 0]);
}

#[test]
fn case_09_a_change_from_zero_has_no_relative_size() {
    let case = Case::of(9);
    case.says("as-declared", &["better"]);
    case.gates(["pass", "pass"], [0, 0, 0]);
    case.near("/baseline/value", 0.0);
    case.near("/delta/absolute", 50.0);
    case.holds("/delta/relative", &Value::Null);
    let page = case.page("md");
    for wrong in ["inf", "NaN", "nan", "(+0", "∞"] {
        assert!(!page.contains(wrong), "`{wrong}` in\n{page}");
    }
    let codes: Vec<&Value> = case.diagnostics().iter().map(|one| &one["code"]).collect();
    assert_eq!(codes, ["R259"], "none of 200 right may be a choice of items");
}

#[test]
fn case_11_one_directory_in_both_arms_is_said_to_be_identical() {
    let case = Case::of(11);
    case.says("identical", &["identical"]);
    case.gates(["pass", "pass"], [0, 0, 0]);
    assert_eq!(case.raised("R115").len(), 1, "{}", case.findings());
}

/// A setting of the evaluation is the only one that differs: what was meant to differ is not
/// recorded, and the difference may be the setting's alone.
fn confounded_by(number: usize, key: &str) {
    let case = Case::of(number);
    let grade = &case.report["comparability"]["grade"];
    assert!(*grade == "confounded" || *grade == "not-comparable", "{grade}: {}", case.findings());
    let loud = case.about(key).into_iter().any(|one| one["severity"] != "info");
    assert!(loud, "{}", case.findings());
    let factors = list(&case.report["comparability"], "factors");
    assert!(!factors.contains(&json!(key)), "{factors:?}");
    assert_eq!(case.residue(key).expect(key)["can_move_metric"], true);
    assert_eq!(*case.gate("mismatch"), "not-gateable");
    assert_eq!([None, Some("mismatch")].map(|rule| case.status(rule)), [0, 3]);
}

#[test]
fn case_12_another_judge_confounds() {
    confounded_by(12, "judge_model");
}

#[test]
fn case_12_another_judge_is_named() {
    assert!(!Case::of(12).about("judge_model").is_empty());
}

#[test]
fn case_13_another_revision_of_the_dataset_confounds() {
    confounded_by(13, "dataset_revision");
}

#[test]
fn case_13_another_revision_of_the_dataset_is_named() {
    assert!(!Case::of(13).about("dataset_revision").is_empty());
}

#[test]
fn case_14_another_order_of_the_samples_is_not_worth_a_word() {
    let case = Case::of(14);
    case.is_silent();
    case.says("as-declared", &["inconclusive"]);
    case.gates(["inconclusive", "pass"], [0, 0, 0]);
    case.holds("/pairing/paired", &json!(300));
    assert_eq!([case.found("/flips/gained"), case.found("/flips/lost")], [14, 11]);
}

#[test]
fn case_15_another_output_path_and_time_are_not_worth_a_word() {
    let case = Case::of(15);
    case.is_silent();
    case.says("as-declared", &["inconclusive"]);
    case.gates(["inconclusive", "pass"], [0, 0, 0]);
    for key in ["output_dir", "timestamp"] {
        assert_eq!(case.residue(key).expect(key)["can_move_metric"], false);
    }
    assert_eq!(case.report["comparability"]["factors"], json!([]));
}

#[test]
fn case_16_evaluated_samples_in_the_training_file_are_counted_and_named() {
    let case = Case::of(16);
    let overlaps = |one: &&Value| {
        let facts = one["evidence"].as_object().expect("facts");
        let of_candidate = one.to_string().contains("candidate_sums.jsonl");
        one["severity"] != "info" && of_candidate && facts.values().any(|fact| *fact == 25)
    };
    let found: Vec<&Value> = case.diagnostics().iter().filter(overlaps).collect();
    assert_eq!(found.len(), 1, "{}", case.findings());
    assert!(case.report["runs"][0].to_string().contains("baseline_sums.jsonl"));
    let loud = case.diagnostics().iter().filter(|one| one["severity"] != "info");
    assert!(loud.into_iter().all(|one| !one.to_string().contains("baseline_sums.jsonl")));
}

/// What a row of the matrix has to say about a case: grade, verdicts, findings beyond remarks, and
/// exit statuses, from the golden files.
fn row(case: &Path) -> [String; 4] {
    let read = |name: &str| fs::read_to_string(case.join(name)).expect("a golden file");
    let report: Value = serde_json::from_str(&read("out/report.json")).expect("JSON");
    let counts = report["verdicts"].as_object().expect("counts");
    let verdict = |(name, count): (&String, &Value)| {
        (*count != 0).then(|| format!("{count} {}", name.replace('_', "-")))
    };
    let loud = findings(&report).iter().filter(|one| one["severity"] != "info");
    let mut codes: Vec<&str> = loud.filter_map(|one| one["code"].as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let codes = if codes.is_empty() { "–".to_owned() } else { codes.join(" ") };
    [
        report["comparability"]["grade"].as_str().expect("a grade").to_owned(),
        counts.iter().filter_map(verdict).collect::<Vec<_>>().join(", "),
        codes,
        read("status").lines().collect::<Vec<_>>().join(" / "),
    ]
}

#[test]
fn the_matrix_says_what_the_golden_reports_say() {
    let document = fs::read_to_string(MATRIX).expect(MATRIX);
    let mut stale = Vec::new();
    for case in folders() {
        let start = format!("| {} |", number_of(&case));
        let line = document.lines().find(|line| line.starts_with(&start)).unwrap_or_default();
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let wanted = row(&case);
        if cells.get(3..7) != Some(&wanted.each_ref().map(String::as_str)[..]) {
            stale.push(format!("{start} … | {} |", wanted.join(" | ")));
        }
    }
    assert_eq!(folders().len(), 16);
    let stale = stale.join("\n");
    assert!(stale.is_empty(), "{MATRIX} is stale; its cells have to be\n{stale}");
}
