//! What every kind of report says first, over all commands of the golden cases: no format puts a
//! good sign over what went wrong, and a terminal breaks no row.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr as _;

use super::{CASES, listed, words};
use crate::command::{Ended, at_terminal, reportgen};

/// The commands of the golden cases that make a report of one of these kinds, without a format and a
/// place of their own.
fn commands(kinds: &[&str]) -> Vec<Vec<String>> {
    let lines = listed(Path::new(CASES)).into_iter().flat_map(|case| {
        let text = fs::read_to_string(Path::new(CASES).join(case).join("cmd")).expect("a command");
        text.lines().map(words).collect::<Vec<_>>()
    });
    let mut commands: Vec<Vec<String>> = lines
        .filter(|words| words.first().is_some_and(|kind| kinds.contains(&kind.as_str())))
        .map(|words| {
            let mut kept = Vec::new();
            let mut words = words.into_iter();
            while let Some(word) = words.next() {
                match word.as_str() {
                    "-o" | "--format" | "--lang" => drop(words.next()),
                    _ => kept.push(word),
                }
            }
            kept
        })
        .collect();
    commands.sort();
    commands.dedup();
    commands
}

fn with(command: &[String], further: &[&str]) -> Vec<String> {
    command.iter().cloned().chain(further.iter().map(|word| (*word).to_owned())).collect()
}

/// What a report holds that no good sign may stand over.
fn went_wrong(report: &Value) -> Option<String> {
    let any = |key: &str, field: &str, bad: &[&str]| {
        let found = report[key].as_array().into_iter().flatten();
        let mut found = found.filter(|one| bad.iter().any(|bad| one[field] == **bad));
        found.next().map(|one| format!("{key}: {one}"))
    };
    let missed = || {
        let expectations = report["expectations"].as_array().into_iter().flatten();
        let sure = expectations.filter(|one| one["sure"] == true);
        let mut missed =
            sure.filter(|one| ["missed", "violated"].iter().any(|bad| one["outcome"] == **bad));
        missed.next().map(|one| format!("expectations: {one}"))
    };
    let best = &report["best"];
    let tied = ["ties", "not_separable", "not_judged", "left_out"]
        .into_iter()
        .find(|key| best[key].as_array().is_some_and(|steps| !steps.is_empty()));
    let runs = report["runs"].as_array().into_iter().flatten();
    let failing = |run: &&Value| {
        run["errors"]["total"].as_u64() > Some(0)
            || run["success"]["x"].as_u64() < run["success"]["n"].as_u64()
    };
    let failing = (report["kind"] == "quality").then(|| runs.clone().find(failing)).flatten();
    any("gates", "outcome", &["fail"])
        .or_else(|| any("comparisons", "verdict", &["worse"]))
        .or_else(|| any("suites", "verdict", &["worse"]))
        .or_else(missed)
        .or_else(|| any("checks", "outcome", &["fail", "caution"]))
        .or_else(|| any("rates", "movement", &["worsened"]))
        .or_else(|| any("metrics", "movement", &["worsened"]))
        .or_else(|| tied.map(|key| format!("best.{key}: {}", best[key])))
        .or_else(|| failing.map(|run| format!("runs: {}", run["path"])))
}

/// Fails where a report of these kinds has a good sign or a good colour over what went wrong; says
/// how many commands ended in a report where something did.
fn wrong_and_said(kinds: &[&str]) -> usize {
    let mut wrong = 0;
    for command in commands(kinds) {
        let ended = reportgen(with(&command, &["--format", "json"]));
        let Ok(report) = serde_json::from_str::<Value>(&ended.out) else { continue };
        let Some(why) = went_wrong(&report) else { continue };
        wrong += 1;
        let told = format!("{command:?}\n{why}");
        let page = reportgen(with(&command, &["--format", "md"])).out;
        let headline: Vec<&str> =
            page.lines().skip(1).take_while(|line| !line.starts_with('#')).collect();
        let first = headline.iter().find(|line| !line.is_empty()).expect("a headline");
        assert!(!first.contains('✅'), "{told}\n{first}");
        let page = reportgen(with(&command, &["--format", "html"])).out;
        assert!(!page.contains("<header class=\"good\""), "{told}\ngreen in HTML");
        let shown = at_terminal(with(&command, &[]), 80, true).out;
        let first = shown.lines().next().expect("a headline");
        assert!(!first.contains('✅') && !first.contains("\u{1B}[32m"), "{told}\n{first}");
        let said = &report["headline"]["result"];
        assert!(
            !["better", "unchanged", "passed"].iter().any(|good| said == *good),
            "{told}\n{said}"
        );
    }
    wrong
}

#[test]
fn a_comparison_has_no_good_sign_over_what_went_wrong() {
    assert!(wrong_and_said(&["compare", "check"]) > 5);
}

#[test]
fn a_phase_has_no_good_sign_over_what_went_wrong() {
    assert!(wrong_and_said(&["phase"]) > 0);
}

#[test]
fn what_one_run_did_has_no_good_sign_over_what_went_wrong() {
    for kind in ["best", "handoff", "quality"] {
        assert!(wrong_and_said(&[kind]) > 0, "{kind}");
    }
    wrong_and_said(&["progress"]);
}

#[test]
fn figures_of_one_evaluation_are_never_called_good() {
    for command in commands(&["metrics"]) {
        let page = reportgen(with(&command, &["--format", "md"])).out;
        assert!(!page.lines().nth(2).unwrap_or_default().contains('✅'), "{page}");
    }
}

/// The lines of the table on a terminal: those from the rule on.
fn rows(shown: &str) -> impl Iterator<Item = &str> {
    shown.lines().skip_while(|line| !line.starts_with('─')).take_while(|line| !line.is_empty())
}

#[test]
fn a_terminal_shows_headline_and_table_of_every_kind_without_a_broken_row() {
    for kind in ["compare", "phase", "progress", "quality", "metrics", "best", "handoff"] {
        let mut tables = 0;
        for command in commands(&[kind]) {
            let ended = |width, lang| at_terminal(with(&command, &["--lang", lang]), width, false);
            let wide = ended(400, "en");
            for (width, lang) in [(80, "en"), (80, "zh"), (60, "en"), (60, "zh")] {
                let Ended { out, .. } = ended(width, lang);
                for row in rows(&out) {
                    assert!(row.width() <= usize::from(width), "{command:?} {width}\n{out}");
                }
                assert_eq!(rows(&out).count(), rows(&wide.out).count(), "{command:?}\n{out}");
                tables += usize::from(rows(&out).count() > 1);
            }
        }
        assert!(tables > 0, "{kind}");
    }
}

#[test]
fn every_kind_says_on_a_terminal_what_it_wrote() {
    for kind in [
        "compare", "check", "phase", "samples", "progress", "quality", "metrics", "best", "handoff",
    ] {
        let directory = crate::directory::Directory::new();
        let out = directory.word("reports");
        let made = commands(&[kind]).into_iter().find_map(|command| {
            let ended = at_terminal(with(&command, &["-o", &out, "--format", "md"]), 80, false);
            ended.out.contains("wrote ").then_some(ended.out)
        });
        let shown = made.unwrap_or_else(|| panic!("{kind} wrote nothing"));
        let first = shown.lines().next().unwrap_or_default();
        assert!(!first.is_empty() && !first.starts_with("wrote"), "{shown}");
    }
}

#[test]
fn what_went_wrong_is_seen_in_each_kind_of_data() {
    assert_eq!(went_wrong(&json!({ "gates": [{ "outcome": "pass" }] })), None);
    for report in [
        json!({ "suites": [{ "verdict": "worse" }] }),
        json!({ "expectations": [{ "sure": true, "outcome": "violated" }] }),
        json!({ "metrics": [{ "movement": "worsened" }] }),
        json!({ "best": { "ties": [400] } }),
        json!({ "kind": "quality", "runs": [{ "success": { "x": 1, "n": 9 } }] }),
    ] {
        assert!(went_wrong(&report).is_some(), "{report}");
    }
}
