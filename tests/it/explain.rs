//! What every code means: that each is explained once, beside the rule, and that the document is
//! the one that the explanations make.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use reportgen::diag::Code;
use reportgen::explain;
use walkdir::WalkDir;

use crate::command::reportgen;
use crate::difference::difference;

const DOCUMENT: &str = "docs/diagnostics.md";
const UPDATE: &str = "UPDATE_GOLDENS";

#[test]
fn every_code_is_explained_exactly_once() {
    let explained: Vec<Code> = explain::all().iter().map(|one| one.code).collect();
    let distinct: BTreeSet<Code> = explained.iter().copied().collect();
    assert_eq!(distinct.len(), explained.len(), "a code is explained twice");
    let silent: Vec<&Code> = Code::ALL.iter().filter(|code| !distinct.contains(code)).collect();
    assert!(silent.is_empty(), "not explained: {silent:?}");
}

#[test]
fn rule_and_reason_are_whole_sentences() {
    const FEWEST_WORDS: usize = 10;
    for one in explain::all() {
        for (name, text) in [("when", one.when), ("why", one.why)] {
            let is_whole = text.ends_with('.') && text.split(' ').count() >= FEWEST_WORDS;
            assert!(is_whole, "{}, `{name}`: {text}", one.code);
            assert!(!text.contains("  "), "{}, `{name}` has a gap: {text}", one.code);
        }
    }
}

#[test]
fn every_code_that_a_text_names_exists() {
    let mut named = 0;
    for one in explain::all() {
        for word in one.when.split('`').chain(one.why.split('`')) {
            let digits = word.strip_prefix('R').filter(|rest| rest.len() == 3);
            if digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
                assert!(explain::find(word).is_some(), "{} names {word}", one.code);
                named += 1;
            }
        }
    }
    assert!(named > 20, "only {named} codes are named: do they still stand in back quotes?");
}

#[test]
fn a_code_is_explained_where_it_is_raised() {
    let sources: Vec<(PathBuf, String)> = sources().collect();
    for code in Code::ALL {
        let name = format!("Code::{code:?},");
        let explains = |text: &str| {
            text.split("Explanation::new(").skip(1).any(|rest| rest.trim_start().starts_with(&name))
        };
        let found: Vec<&PathBuf> =
            sources.iter().filter(|(_, text)| explains(text)).map(|(path, _)| path).collect();
        let [path] = found.as_slice() else { panic!("{code} is explained in {found:?}") };
        let folder = path.parent().expect("a folder");
        let mut near = sources.iter().filter(|(other, _)| other.starts_with(folder));
        let is_raised = near.any(|(_, text)| raises(text, *code));
        assert!(is_raised, "{}: nothing near raises {code}", path.display());
    }
}

/// Whether a source names the code otherwise than to explain it.
fn raises(text: &str, code: Code) -> bool {
    let name = format!("Code::{code:?}");
    text.match_indices(&name).any(|(at, _)| {
        let is_whole = !text[at + name.len()..].starts_with(|c: char| c.is_alphanumeric());
        is_whole && !text[..at].trim_end().ends_with("Explanation::new(")
    })
}

fn sources() -> impl Iterator<Item = (PathBuf, String)> {
    let entries = WalkDir::new("src").sort_by_file_name().into_iter().filter_map(Result::ok);
    let paths = entries.map(walkdir::DirEntry::into_path);
    let rust = paths.filter(|path| path.extension().is_some_and(|found| found == "rs"));
    rust.map(|path| (path.clone(), fs::read_to_string(path).expect("readable")))
}

#[test]
fn the_document_is_the_one_that_the_explanations_make() {
    let made = explain::document();
    if std::env::var_os(UPDATE).is_some() {
        fs::write(DOCUMENT, &made).expect("the document is written");
    }
    let written = fs::read_to_string(Path::new(DOCUMENT)).unwrap_or_default();
    let difference = difference(&made, &written).unwrap_or_default();
    assert!(difference.is_empty(), "{DOCUMENT}:\n{difference}`{UPDATE}=1` writes it");
}

#[test]
fn a_code_is_found_in_either_case_and_a_slip_is_told_what_was_meant() {
    assert_eq!(reportgen(["explain", "r203"]).out, reportgen(["explain", "R203"]).out);
    for (word, meant) in [
        ("R2O3", &["R203"][..]),
        ("margin", &["R225", "R240", "R241", "R242", "R243"]),
        ("MARGIN", &["R225"]),
        ("203", &["R203"]),
        ("qwertz", &["`reportgen explain` lists"]),
    ] {
        let ended = reportgen(["explain", word]);
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{ended:?}");
        for meant in meant {
            assert!(ended.err.contains(meant), "{word}: {}", ended.err);
        }
    }
}

#[test]
fn the_list_has_a_line_for_every_code() {
    let listed = reportgen(["explain"]).out;
    assert_eq!(listed.lines().count(), Code::ALL.len());
    let ids: Vec<&str> = listed.lines().filter_map(|line| line.split("  ").next()).collect();
    assert!(ids.is_sorted(), "{listed}");
}
