//! Whole commands against the bytes that they are expected to write.
//!
//! `fixtures/cases/<name>/cmd` holds the arguments after `reportgen`, on one line, with paths from
//! the root of the repository; `stdout`, `stderr` and `status` beside it are what must come out.
//! A new case is a copied folder with its own `cmd` (and `runs/`, when it needs inputs).
//! `UPDATE_GOLDENS=1 cargo test golden` writes the expected files; read the difference before
//! committing it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Ended, reportgen};

const CASES: &str = "fixtures/cases";
const UPDATE: &str = "UPDATE_GOLDENS";

#[test]
fn every_case_writes_the_bytes_that_are_expected() {
    let update = std::env::var_os(UPDATE).is_some();
    let mut differences = String::new();
    for case in cases() {
        let ended = run(&case);
        for (name, found) in parts(&ended) {
            let path = case.join(name);
            if update {
                fs::write(&path, &found).expect("the expected file is written");
            } else if let Some(difference) = difference(&path, &found) {
                writeln!(differences, "{}: {difference}", path.display()).expect("written");
            }
        }
    }
    assert!(differences.is_empty(), "{differences}`{UPDATE}=1` accepts what was written");
}

#[test]
fn every_case_is_whole() {
    let cases = cases();
    assert!(!cases.is_empty());
    for case in cases {
        let mut names: Vec<String> = fs::read_dir(&case)
            .expect("the case is listed")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "runs")
            .collect();
        names.sort();
        assert_eq!(names, ["cmd", "status", "stderr", "stdout"], "{}", case.display());
    }
}

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = fs::read_dir(CASES)
        .expect("the cases are listed")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    cases.sort();
    cases
}

fn run(case: &Path) -> Ended {
    let line = fs::read_to_string(case.join("cmd")).expect("a case has a `cmd`");
    assert_eq!(line.trim_end().lines().count(), 1, "{}: `cmd` is one line", case.display());
    reportgen(words(&line))
}

/// The words of a command line; single quotes keep spaces together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for c in line.trim_end().chars().chain([' ']) {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            c => word.push(c),
        }
    }
    words
}

fn parts(ended: &Ended) -> [(&'static str, String); 3] {
    [
        ("stdout", ended.out.clone()),
        ("stderr", ended.err.clone()),
        ("status", format!("{}\n", ended.status)),
    ]
}

/// The first line in which the file and what was found differ.
fn difference(path: &Path, found: &str) -> Option<String> {
    let Ok(expected) = fs::read_to_string(path) else {
        return Some("there is no such file, or it is not UTF-8".to_owned());
    };
    if expected == found {
        return None;
    }
    let (expected, found): (Vec<_>, Vec<_>) =
        (expected.split('\n').collect(), found.split('\n').collect());
    let same = expected.iter().zip(&found).take_while(|(one, other)| one == other).count();
    let line = |lines: &[&str]| lines.get(same).map_or("(end)", |line| line).to_owned();
    Some(format!("line {}\n  - {}\n  + {}", same + 1, line(&expected), line(&found)))
}

#[test]
fn quotes_keep_words_with_spaces_together() {
    assert_eq!(words("compare 'a b' c  -o x\n"), ["compare", "a b", "c", "-o", "x"]);
}
