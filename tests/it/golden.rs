//! Whole commands against the bytes that they are expected to write.
//!
//! `fixtures/cases/<name>/cmd` holds the arguments after `reportgen`, one command a line, with paths
//! from the root of the repository; `stdout`, `stderr` and `status` beside it are what must come out
//! of them, one after another. `out` in a command is a directory of its own, and what is written
//! there must be what `out/` in the case holds.
//! A new case is a copied folder with its own `cmd` (and `runs/`, when it needs inputs).
//! `UPDATE_GOLDENS=1 cargo test golden` writes the expected files; read the difference before
//! committing it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::command::reportgen;

const CASES: &str = "fixtures/cases";
const UPDATE: &str = "UPDATE_GOLDENS";
/// The word of a command, and the directory of a case, that stand for where reports are written.
const OUT: &str = "out";

/// What a case may hold beside its command and what comes out: inputs, reports, and `note.md`, which
/// says where its expected figures come from.
const OPTIONAL: &[&str] = &["runs", OUT, "note.md"];

/// What a case left behind: paths below it, and contents.
type Files = BTreeMap<String, String>;

#[test]
fn every_case_writes_the_bytes_that_are_expected() {
    let update = std::env::var_os(UPDATE).is_some();
    let mut differences = String::new();
    for case in cases() {
        let found = run(&case);
        if update {
            accept(&case, &found);
        }
        let expected = expected(&case);
        let names: BTreeSet<&String> = found.keys().chain(expected.keys()).collect();
        for name in names {
            if let Some(difference) = difference(expected.get(name), found.get(name)) {
                let path = case.join(name);
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
        let mut names: Vec<String> =
            listed(&case).into_iter().filter(|name| !OPTIONAL.contains(&name.as_str())).collect();
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

/// Runs the commands of a case one after another. A report does not say where it was written on
/// this machine: `out/` again stands for it.
fn run(case: &Path) -> Files {
    let lines = fs::read_to_string(case.join("cmd")).expect("a case has a `cmd`");
    let directory = tempfile::tempdir().expect("a directory");
    let root = format!("{}/", directory.path().to_str().expect("UTF-8"));
    let [mut out, mut err, mut status] = [const { String::new() }; 3];
    assert!(!lines.trim().is_empty(), "{}: `cmd` is empty", case.display());
    for line in lines.lines() {
        let words = words(line).into_iter();
        let ended =
            reportgen(words.map(|word| if word == OUT { format!("{root}{OUT}") } else { word }));
        out.push_str(&ended.out);
        err.push_str(&ended.err);
        writeln!(status, "{}", ended.status).expect("written");
    }
    let streams = [("stdout", out), ("stderr", err), ("status", status)];
    let mut files: Files = streams.map(|(name, text)| (name.to_owned(), text)).into();
    files.extend(written(directory.path()));
    files.into_iter().map(|(name, text)| (name, text.replace(&root, ""))).collect()
}

/// The files that lie in `out/` of a directory.
fn written(directory: &Path) -> Files {
    let found = WalkDir::new(directory.join(OUT)).into_iter().filter_map(Result::ok);
    let file = |entry: walkdir::DirEntry| {
        let text = fs::read_to_string(entry.path()).expect("a report is UTF-8");
        let below = entry.path().strip_prefix(directory).expect("below the directory");
        (below.to_str().expect("UTF-8").replace('\\', "/"), text)
    };
    found.filter(|entry| entry.file_type().is_file()).map(file).collect()
}

fn expected(case: &Path) -> Files {
    let stream = |name: &str| Some((name.to_owned(), fs::read_to_string(case.join(name)).ok()?));
    let mut files = written(case);
    files.extend(["stdout", "stderr", "status"].into_iter().filter_map(stream));
    files
}

fn accept(case: &Path, found: &Files) {
    for name in written(case).keys().filter(|name| !found.contains_key(*name)) {
        fs::remove_file(case.join(name)).expect("what is no longer written is removed");
    }
    for (name, text) in found {
        crate::command::write_file(&case.join(name), text);
    }
}

fn listed(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("the directory is listed");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect()
}

/// The words of a command line; single quotes keep spaces together.
pub(crate) fn words(line: &str) -> Vec<String> {
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

/// The first line in which what was expected and what was found differ.
fn difference(expected: Option<&String>, found: Option<&String>) -> Option<String> {
    let (expected, found) = match (expected, found) {
        (Some(expected), Some(found)) if expected == found => return None,
        (Some(expected), Some(found)) => (expected, found),
        (None, _) => return Some("there is no such file, or it is not UTF-8".to_owned()),
        (_, None) => return Some("it is not written".to_owned()),
    };
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
