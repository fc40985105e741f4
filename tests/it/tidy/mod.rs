//! The rules of the house that a compiler does not know: which module may know which, where a
//! dependency may be named, what may stand in code, and that documents, catalogues and codes point
//! at things that exist.
//!
//! A list of what breaks a rule today is exact: a new offence fails the test, and so does one that
//! is in the list and no longer there.

mod catalogues;
mod code;
mod documents;
mod modules;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::sources::read;

/// The document that says which module may know which, and where a crate may be named.
const ARCHITECTURE: &str = "docs/architecture.md";

/// Fails with every offence at once.
#[track_caller]
fn none(offences: &[String]) {
    assert!(offences.is_empty(), "\n{}", offences.join("\n"));
}

/// Fails where the numbers of offences of each file are others than those that are known.
#[track_caller]
fn only_known(what: &str, found: &BTreeMap<&str, Vec<String>>, known: &[(&str, usize, &str)]) {
    let mut wrong = Vec::new();
    let files: BTreeSet<&str> = known.iter().map(|(file, ..)| *file).collect();
    assert_eq!(files.len(), known.len(), "a file is listed twice");
    for file in found.keys().copied().chain(files).collect::<BTreeSet<&str>>() {
        let there = found.get(file).map_or(&[][..], Vec::as_slice);
        let listed = known.iter().find(|(known, ..)| *known == file).map_or(0, |(_, n, _)| *n);
        if there.len() != listed {
            let lines = there.join("\n    ");
            let told = format!("{} {what}, {listed} listed", there.len());
            wrong.push(format!("{file}: {told}\n    {lines}"));
        }
    }
    none(&wrong);
}

/// The rows of the table of the architecture document whose first heads are these, as plain text.
fn table(heads: [&str; 2]) -> Vec<Vec<String>> {
    let cells = |line: &str| -> Vec<String> {
        let plain = line.replace('`', "");
        plain.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let text = read(Path::new(ARCHITECTURE));
    let found = text.lines().skip_while(|line| !cells(line).starts_with(&heads.map(str::to_owned)));
    let rows: Vec<_> = found.skip(2).take_while(|line| line.starts_with('|')).map(cells).collect();
    assert!(!rows.is_empty(), "{ARCHITECTURE} has no table {heads:?}");
    rows
}

fn list(cell: &str) -> Vec<String> {
    cell.split(',').map(|part| part.trim().to_owned()).filter(|part| part != "–").collect()
}
