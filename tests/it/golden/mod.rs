//! Whole commands against the bytes that they are expected to write.
//!
//! `fixtures/cases/<name>/cmd` holds the arguments after `reportgen`, one command a line, with paths
//! from the root of the repository; `stdout`, `stderr` and `status` beside it are what must come out
//! of them, one after another. `out` in a command is a directory of its own, and what is written
//! there must be what `out/` in the case holds, but for the manifest.
//! A new case is a copied folder with its own `cmd` (and `runs/`, when it needs inputs).
//! `UPDATE_GOLDENS=1 cargo test golden` writes the expected files and gives each folder a test of its
//! name in `cases.in`; read the difference before committing it.

mod first_screen;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::command::reportgen;
use crate::difference::difference;
use crate::directory::{Directory, write_file};
use crate::manifest;

const CASES: &str = "fixtures/cases";
const LIST: &str = "tests/it/golden/cases.in";
const UPDATE: &str = "UPDATE_GOLDENS";
/// The word of a command, and the directory of a case, that stand for where reports are written.
const OUT: &str = "out";

/// What a case may hold beside its command and what comes out: inputs, reports, and `note.md`, which
/// says where its expected figures come from.
const OPTIONAL: &[&str] = &["runs", OUT, "note.md"];

/// What a case left behind: paths below it, and contents.
type Files = BTreeMap<String, String>;

/// A test for each folder of [`CASES`], by its name.
macro_rules! folders {
    [$($name:ident),+ $(,)?] => {
        const LISTED: &[&str] = &[$(stringify!($name)),+];
        crate::cases::tests![$($name = check(stringify!($name))),+];
    };
}
include!("cases.in");

fn check(name: &str) {
    let case = Path::new(CASES).join(name);
    let found = run(&case);
    if is_update() {
        accept(&case, &found);
    }
    let mut parts = listed(&case);
    parts.retain(|part| !OPTIONAL.contains(&part.as_str()));
    assert_eq!(parts, ["cmd", "status", "stderr", "stdout"], "{name} is not whole");
    let expected = expected(&case);
    let names: BTreeSet<&String> = found.keys().chain(expected.keys()).collect();
    let differences: String = names
        .into_iter()
        .filter_map(|name| {
            let [before, after] = [expected.get(name), found.get(name)];
            let what = match (before, after) {
                (Some(before), Some(after)) if before == after => return None,
                (Some(_), Some(_)) => "differs",
                (None, _) => "is not expected",
                (_, None) => "is not written",
            };
            let texts = [before, after].map(|text| text.map_or("", String::as_str));
            let shown = difference(texts[0], texts[1]).unwrap_or_default();
            Some(format!("{} {what}:\n{shown}", case.join(name).display()))
        })
        .collect();
    assert!(differences.is_empty(), "\n{differences}`{UPDATE}=1` accepts what was written");
}

fn is_update() -> bool {
    std::env::var_os(UPDATE).is_some()
}

#[test]
fn every_folder_has_a_test_of_its_name() {
    let folders = listed(Path::new(CASES));
    assert!(!folders.is_empty(), "{CASES} is empty");
    if is_update() {
        for name in folders.iter().filter(|name| !LISTED.contains(&name.as_str())) {
            check(name);
        }
        let rows = folders.join(",\n    ");
        write_file(Path::new(LIST), format!("folders![\n    {rows},\n];\n"));
    } else if let Some(difference) = difference(&LISTED.join("\n"), &folders.join("\n")) {
        panic!("\n{difference}\n`{UPDATE}=1 cargo test golden` makes {LIST} anew");
    }
}

/// Runs the commands of a case one after another. A report does not say where it was written on
/// this machine: `out/` again stands for it.
fn run(case: &Path) -> Files {
    let lines = fs::read_to_string(case.join("cmd")).expect("a case has a `cmd`");
    let directory = Directory::new();
    let root = format!("{}/", directory.word(""));
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
    files.extend(written(directory.root()));
    // Its hashes depend on the directory of this run, so they are held against the files.
    if files.remove(&format!("{OUT}/{}", manifest::NAME)).is_some() {
        assert_eq!(manifest::torn(&directory.path(OUT)), [""; 0]);
    }
    let elsewhere = |text: String| without_hash(text.replace(&root, ""));
    files.into_iter().map(|(name, text)| (name, elsewhere(text))).collect()
}

/// The last line of a document says what was generated, the directory of this run among it.
fn without_hash(text: String) -> String {
    let Some((document, stamp)) = text.rsplit_once("\n<!-- reportgen:report ") else { return text };
    let kind = stamp.split(' ').next().unwrap_or_default();
    format!("{document}\n<!-- reportgen:report {kind} … -->\n")
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
        write_file(&case.join(name), text);
    }
}

/// The names in a directory, in order.
fn listed(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("the directory is listed");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
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

#[test]
fn quotes_keep_words_with_spaces_together() {
    assert_eq!(words("compare 'a b' c  -o x\n"), ["compare", "a b", "c", "-o", "x"]);
}
