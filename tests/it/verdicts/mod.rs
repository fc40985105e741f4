//! What must be found, and what must not, in small runs that were made to mislead.
//!
//! One row is one test: its name, the files of both arms, the arguments, and what `report.json` has
//! to say. A code of comparability has a row here, and a test says which have none.

mod acceptance;
mod answers;
mod bad_input;
mod claims;
mod clusters;
mod config;
mod coverage;
mod data;
mod fields_apart;
mod figures;
mod headline;
mod id_beginnings;
mod judgement;
mod missing;
mod near;
mod neighbours;
mod noise;
mod odd;
mod parts;
mod places;
mod reading;
mod record_settings;
mod records;
mod retries;
mod roles;
mod samples;
mod scales;
mod scorers;
mod seeds;
mod selection;
mod shared_questions;
mod skew;
mod stated;
mod stated_only;
mod stated_spreads;
mod strata;
mod tables;
mod text_beginnings;
mod texts;
mod totals;
mod trainings;
mod unanswered;
mod wording;

pub(crate) use neighbours::scattered_order;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use reportgen::diag::Code;
use serde_json::{Value, json};
use walkdir::WalkDir;

use crate::command::{self, Ended, compare, json as report_of};
use crate::directory::{Directory, write_file};
use crate::report::{cell, comparisons, finding, list, number, told};

/// The files of a run: path below it, and content.
type Files = Vec<(&'static str, String)>;

/// One pair of runs and what must be said about it.
struct Case {
    arms: [Files; 2],
    arguments: &'static [&'static str],
    expected: Vec<Expected>,
}

/// One thing that a report has to say.
enum Expected {
    Grade(&'static str),
    Raised(&'static str),
    Silent(&'static str),
    /// No finding is more than a remark.
    Quiet,
    /// Metric and verdict.
    Verdict(&'static str, &'static str),
    /// Metric, path in its comparison, value.
    Holds(&'static str, &'static str, Value),
    /// Rule and outcome.
    Gate(&'static str, &'static str),
    /// What a verdict is about.
    Claim(&'static str),
    Status(u8),
}
use Expected::{Claim, Gate, Grade, Holds, Quiet, Raised, Silent, Status, Verdict};

fn case(arms: [Files; 2], arguments: &'static [&'static str], expected: Vec<Expected>) -> Case {
    Case { arms, arguments, expected }
}

impl Case {
    /// Fails with everything that the report does not say, and with the findings that it has.
    fn check(&self) {
        let ended = Runs::of(&self.arms).compare(&[&["--format", "json"], self.arguments].concat());
        let report = report_of(&ended);
        let unmet = self.expected.iter().filter_map(|one| unmet(one, &report, ended.status));
        let mut unmet: Vec<String> = unmet.collect();
        let says_nothing = self.expected.iter().all(|one| matches!(one, Silent(_) | Quiet));
        if says_nothing && listed(&report, "comparisons", "delta").iter().all(|(d, _)| d.is_null())
        {
            unmet.push("nothing is compared that could be silent".to_owned());
        }
        unmet.extend(judged_all_the_same(&report));
        unmet.extend(headline_that_flatters(&report));
        assert!(unmet.is_empty(), "\n{}\nfindings:\n{}", unmet.join("\n"), told(&report));
    }
}

/// Results and averages of a pair that is not comparable and have a verdict all the same.
fn judged_all_the_same(report: &Value) -> Vec<String> {
    let arms = listed(&report["comparability"], "candidates", "grade");
    let incomparable = arms.iter().filter(|(grade, _)| *grade == "not-comparable");
    let names: Vec<&Value> = incomparable.map(|(_, arm)| &arm["candidate"]).collect();
    let of_them = ["comparisons", "suites"].into_iter().flat_map(|key| list(report, key));
    let of_them = of_them.filter(|one| names.contains(&&one["candidate_run"]));
    let judged = of_them.filter(|one| one["verdict"] != "not-assessable");
    judged
        .map(|one| format!("not comparable, and yet {}: {}", one["metric"], one["verdict"]))
        .collect()
}

/// A headline that does not say what is gravest: a gate that failed, a result that got worse.
fn headline_that_flatters(report: &Value) -> Option<String> {
    let failed = list(report, "gates").iter().any(|gate| gate["outcome"] == "fail");
    let judged = ["comparisons", "suites"].into_iter().flat_map(|key| list(report, key));
    let worse = judged.filter(|one| one["verdict"] == "worse").count() > 0;
    let expected = match (failed, worse) {
        (true, _) => "failed",
        (false, true) => "worse",
        (false, false) => return None,
    };
    let said = &report["headline"]["result"];
    (said != expected).then(|| format!("the headline says {said} and not {expected}"))
}

/// Both arms: `files(0)` is the baseline, `files(1)` the candidate.
fn both(files: impl Fn(usize) -> Files) -> [Files; 2] {
    [files(0), files(1)]
}

/// Both arms with one file of samples each; records without an `id` get their number.
fn quiz(n: usize, record: impl Fn(usize, usize) -> Value) -> [Files; 2] {
    both(|arm| vec![("quiz.jsonl", records(n, |i| record(arm, i)))])
}

fn records(n: usize, record: impl Fn(usize) -> Value) -> String {
    let line = |i| {
        let mut record = record(i);
        let fields = record.as_object_mut().expect("a record is an object");
        fields.entry("id").or_insert_with(|| json!(format!("q{i}")));
        format!("{record}\n")
    };
    (0..n).map(line).collect()
}

/// 40 % right in the baseline, 80 % in the candidate, nothing lost: a clear effect from 30 on.
fn right(arm: usize, i: usize) -> bool {
    i % 5 < [2, 4][arm]
}

fn correct(arm: usize, i: usize) -> Value {
    json!({ "correct": right(arm, i) })
}

fn config(text: impl Into<String>) -> (&'static str, String) {
    ("config.yaml", text.into())
}

/// Both arms with the clear effect and a configuration each.
fn configured(texts: [&'static str; 2]) -> [Files; 2] {
    both(|arm| vec![("quiz.jsonl", records(60, |i| correct(arm, i))), config(texts[arm])])
}

fn cases() -> Vec<Case> {
    let subjects = [
        samples::cases(),
        coverage::cases(),
        missing::cases(),
        figures::cases(),
        clusters::cases(),
        tables::cases(),
        totals::cases(),
        config::cases(),
        acceptance::cases(),
        data::cases(),
        fields_apart::cases(),
        answers::cases(),
        bad_input::cases(),
        id_beginnings::cases(),
        judgement::cases(),
        near::cases(),
        neighbours::cases(),
        reading::cases(),
        record_settings::cases(),
        roles::cases(),
        noise::cases(),
        scales::cases(),
        scorers::cases(),
        seeds::cases(),
        stated::cases(),
        stated_only::cases(),
        stated_spreads::cases(),
        strata::cases(),
        skew::cases(),
        odd::cases(),
        claims::cases(),
        records::cases(),
        retries::cases(),
        trainings::cases(),
        parts::cases(),
        places::cases(),
        selection::cases(),
        shared_questions::cases(),
        text_beginnings::cases(),
        unanswered::cases(),
    ];
    subjects.into_iter().flatten().collect()
}

/// Both arms on disk.
struct Runs {
    directory: Directory,
}

impl Runs {
    fn of(arms: &[Files; 2]) -> Self {
        let directory = Directory::new();
        for (run, files) in ["a", "b"].iter().zip(arms) {
            for (below, content) in files {
                write_file(&directory.path(run).join(below), content);
            }
        }
        Self { directory }
    }

    fn path(&self, below: &str) -> PathBuf {
        self.directory.path(below)
    }

    fn word(&self, below: &str) -> String {
        self.directory.word(below)
    }

    /// What lies below `seed-1`, `checkpoint-1` or `fold-1` and others is a run of its own, and `a` and
    /// `b` are arms of them.
    /// What lies beside both in `rerun-1` and others repeats the baseline, whose own path the word
    /// `BASELINE` stands for.
    fn compare(&self, arguments: &[&str]) -> Ended {
        let [repeats, baseline, candidate] = ["rerun-*", "a", "b"].map(|below| self.word(below));
        let mut arguments: Vec<&str> = arguments
            .iter()
            .map(|&word| if word == "BASELINE" { baseline.as_str() } else { word })
            .collect();
        if self.path("rerun-1").is_dir() {
            arguments.extend(["--noise", &repeats]);
        }
        let mut words = ["seed", "checkpoint", "fold"].into_iter();
        let Some(word) = words.find(|word| self.path(&format!("a/{word}-1")).is_dir()) else {
            return compare(&[&baseline, &candidate], &arguments);
        };
        let [a, b] =
            ["a", "b"].map(|arm| format!("{arm}={}", self.word(&format!("{arm}/{word}-*"))));
        compare(&["--arm", &a, "--arm", &b], &arguments)
    }

    /// A report under this file of choices.
    fn configured_report(&self, choices: &str, arguments: &[&str]) -> Value {
        self.directory.write("reportgen.toml", choices);
        let config = ["--config", &self.word("reportgen.toml")];
        self.report(&[&config, arguments].concat())
    }

    fn report(&self, arguments: &[&str]) -> Value {
        report_of(&self.compare(&[&["--format", "json"], arguments].concat()))
    }
}

fn listed<'r>(report: &'r Value, key: &str, of: &str) -> Vec<(&'r Value, &'r Value)> {
    list(report, key).iter().map(|one| (&one[of], one)).collect()
}

/// What the report says instead, when it does not say what is expected.
fn unmet(expected: &Expected, report: &Value, status: u8) -> Option<String> {
    let findings = listed(report, "findings", "code");
    let raised = |code: &str| findings.iter().any(|(one, _)| *one == code);
    let differs = |what: &str, found: &Value, wanted: &Value| {
        (found != wanted).then(|| format!("{what} is {found}, not {wanted}"))
    };
    match expected {
        Grade(grade) => differs("the grade", &report["comparability"]["grade"], &json!(grade)),
        Raised(code) => (!raised(code)).then(|| format!("{code} is not raised")),
        Silent(code) => raised(code).then(|| format!("{code} is raised")),
        Quiet => {
            let loud = findings.iter().find(|(_, one)| one["severity"] != "info");
            loud.map(|(_, one)| format!("there is {one}"))
        }
        Verdict(metric, verdict) => {
            let found = cell(report, metric);
            let what = format!("{metric} ({}): the verdict", found["reason"]);
            differs(&what, &found["verdict"], &json!(verdict))
        }
        Holds(metric, path, value) => {
            let found = cell(report, metric).pointer(path);
            found.map_or_else(
                || Some(format!("{metric}{path} is not there")),
                |found| differs(&format!("{metric}{path}"), found, value),
            )
        }
        Gate(rule, outcome) => {
            let gates = listed(report, "gates", "name");
            let found =
                gates.iter().find(|(name, _)| *name == rule).map(|(_, gate)| &gate["outcome"]);
            differs(&format!("the gate {rule}"), found.unwrap_or(&Value::Null), &json!(outcome))
        }
        Claim(claim) => {
            let found = &report["comparability"]["candidates"][0]["claim"];
            differs("the claim", found, &json!(claim))
        }
        Status(wanted) => differs("the status", &json!(status), &json!(wanted)),
    }
}

#[test]
fn every_code_of_the_checks_is_raised_by_a_case() {
    let cases = cases();
    let expected = cases.iter().flat_map(|case| &case.expected);
    let raised: BTreeSet<&str> = expected
        .filter_map(|one| if let Raised(code) = one { Some(*code) } else { None })
        .collect();
    let is_of_checks = |code: &Code| {
        code.id().starts_with("R2") || matches!(code, Code::DuplicateIds | Code::ConflictingIds)
    };
    let all = Code::ALL.iter().copied().filter(is_of_checks);
    let bare: Vec<Code> = all.filter(|code| !raised.contains(code.id())).collect();
    assert!(bare.is_empty(), "no case raises {bare:?}");
}

#[test]
fn every_code_of_the_checks_stays_silent_in_a_case_that_comes_close() {
    let cases = cases();
    let expected = cases.iter().flat_map(|case| &case.expected);
    let silent: BTreeSet<&str> = expected
        .filter_map(|one| if let Silent(code) = one { Some(*code) } else { None })
        .collect();
    let comparing = Code::ALL.iter().copied().filter(|code| code.id().starts_with("R2"));
    let bare: Vec<Code> = comparing.filter(|code| !silent.contains(code.id())).collect();
    assert!(bare.is_empty(), "no case must not raise {bare:?}");
}

#[test]
fn outcomes_written_as_0_and_100_have_the_p_of_those_written_as_0_and_1() {
    let [share, percent] =
        [1.0, 100.0].map(|right| of_two_scores("correct", [0.0, right])["test"].clone());
    assert!(share["method"].as_str().expect("a method").starts_with("mcnemar"), "{share}");
    assert_eq!(share, percent);
}

/// A comparison of two scores in which the candidate has the higher one more often.
fn of_two_scores(metric: &str, scores: [f64; 2]) -> Value {
    let record = |arm: usize, i: usize| json!({ metric: scores[usize::from(i % 7 < 3 + arm)] });
    cell(&Runs::of(&quiz(60, record)).report(&["--higher", metric]), metric).clone()
}

#[test]
fn two_scores_of_any_size_have_the_test_of_0_and_1_and_a_difference_in_their_own_unit() {
    let shares = of_two_scores("reward", [0.0, 1.0]);
    for scores in [[-1.0, 1.0], [1.0, 5.0], [-2.5, 0.5]] {
        let found = of_two_scores("reward", scores);
        assert_eq!((&found["verdict"], &found["test"]), (&json!("better"), &shares["test"]));
        for path in ["/delta/absolute", "/delta/ci/0", "/delta/ci/1"] {
            let [mine, theirs] =
                [&found, &shares].map(|one| number(one.pointer(path).expect("a number")));
            assert!((mine - (scores[1] - scores[0]) * theirs).abs() < 1e-9, "{path}: {found}");
        }
        assert_eq!(found["flips"], Value::Null, "{found}");
    }
    // A third score, and scores of which each arm has another, may have rare others.
    for rare in [json!(0.0), json!(0.25)] {
        let record = |arm: usize, i: usize| json!({ "reward": if i == 3 && arm == 0 { rare.clone() } else { json!([0.25, 0.75][arm]) } });
        let report = Runs::of(&quiz(40, record)).report(&["--higher", "reward"]);
        let method = cell(&report, "reward")["test"]["method"].to_string();
        assert!(!method.contains("mcnemar"), "{method}");
    }
}

#[test]
fn a_unit_that_the_user_declares_is_not_doubted() {
    let runs = Runs::of(&quiz(40, |arm, i| json!({ "correct": (i % 3) * [1, 50][arm] })));
    let declared =
        "[[metric]]\nnames = [\"correct\"]\ndirection = \"higher\"\nunit = \"percent\"\n";
    let report = runs.configured_report(declared, &[]);
    for expected in [Silent("R227"), Holds("correct", "/unit", json!("percent"))] {
        assert_eq!(unmet(&expected, &report, 0), None);
    }
}

#[test]
fn samples_without_a_cluster_are_clusters_of_their_own() {
    // 10 clusters of two, 40 samples that name none.
    let record = |arm: usize, i: usize| {
        let right = (i % 5 < 2 + arm) != (arm == 1 && i % 10 == 1);
        let mut record = json!({ "correct": right });
        if i < 20 {
            record["cluster"] = json!(format!("c{}", i / 2));
        }
        record
    };
    let runs = Runs::of(&quiz(60, record));
    let clustered = runs.report(&[]);
    let clustered = cell(&clustered, "correct");
    assert_eq!(clustered["pairing"]["unit"], "cluster", "{clustered}");
    assert_eq!(clustered["pairing"]["clusters"], 50, "{clustered}");
    let plain = Runs::of(&quiz(60, |arm, i| json!({ "correct": record(arm, i)["correct"] })));
    let plain = plain.report(&[]);
    let p = |cell: &Value| number(&cell["test"]["p"]);
    let ratio = p(clustered) / p(cell(&plain, "correct"));
    assert!((0.2..5.0).contains(&ratio), "{ratio}");
    let page = runs.compare(&["--format", "md"]).out;
    assert!(clustered["needed_n"].is_u64(), "{clustered}");
    let needed = format!("{} clusters", clustered["needed_n"]);
    assert!(page.contains(&needed), "no `{needed}` in\n{page}");
}

#[test]
fn further_fields_without_a_good_side_cost_a_metric_nothing() {
    let p = |further: usize| {
        let runs = Runs::of(&quiz(60, |arm, i| {
            let mut record = json!({ "correct": i % 10 < 5 + 2 * arm });
            for field in 0..further {
                record[format!("field{field}")] = json!((i * (field + 3) + arm) % 11);
            }
            record
        }));
        let report = runs.report(&[]);
        assert_eq!(comparisons(&report).len(), 1 + further);
        number(&cell(&report, "correct")["test"]["p_adjusted"])
    };
    assert_eq!(p(0), p(40));
}

#[test]
fn a_shipped_example_and_its_copy_are_identical() {
    let example = Path::new("fixtures/kl_beta/kl-0.12");
    let directory = Directory::new();
    for entry in WalkDir::new(example).into_iter().map(|entry| entry.expect("an entry")) {
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(example).expect("below the example");
            directory.write(below, fs::read(entry.path()).expect("read"));
        }
    }
    let report = command::compared(&[example.to_str().expect("UTF-8"), &directory.word("")], &[]);
    assert_eq!(unmet(&Grade("identical"), &report, 0), None);
}

#[test]
fn a_report_never_replaces_an_input_and_several_formats_are_not_one_file() {
    let runs = Runs::of(&quiz(40, correct));
    let files = ["a/quiz.jsonl", "b/quiz.jsonl"].map(|below| runs.word(below));
    let before = runs.directory.read("b/quiz.jsonl");
    let ended = compare(&files, &["-o", &files[1]]);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert_eq!(runs.directory.read("b/quiz.jsonl"), before);
    let ended = runs.compare(&["-o", &files[1], "--format", "json"]);
    assert_eq!(ended.status, 2, "a file inside a run: {ended:?}");
    assert_eq!(runs.directory.read("b/quiz.jsonl"), before);
    let ended = runs.compare(&["-o", &runs.word("x.html"), "--format", "html,md"]);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert!(!runs.path("x.html").exists());
}
