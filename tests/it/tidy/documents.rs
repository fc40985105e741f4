//! That documents name files and places that exist, and nothing shipped names a machine.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::{ARCHITECTURE, none};
use crate::sources::{files, read};

fn documents() -> Vec<PathBuf> {
    let readme = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(PathBuf::from);
    files("docs", "md").into_iter().chain(readme).collect()
}

/// Folders that a path of a document may begin with.
const ROOTS: &[&str] = &[
    "docs",
    "core",
    "fixtures",
    "report_templates",
    "src",
    "tests",
    "benches",
    "examples",
    "python",
];

/// Whether a text in back quotes names a file or a folder of the project by its whole path.
fn is_path(span: &str) -> bool {
    let first = span.split('/').next().unwrap_or_default();
    let name = span.rsplit('/').next().unwrap_or_default();
    let is_one = span.contains('/') && !span.contains([' ', '<', '*', '{', '…', '$', '\n']);
    ROOTS.contains(&first) && is_one && (name.is_empty() || name.contains('.'))
}

#[test]
fn every_path_that_a_document_names_exists() {
    let mut offences = Vec::new();
    let mut seen = 0;
    for document in documents() {
        for span in read(&document).split('`').skip(1).step_by(2).filter(|span| is_path(span)) {
            seen += 1;
            if !Path::new(span).exists() {
                offences.push(format!("{}: there is no `{span}`", document.display()));
            }
        }
    }
    none(&offences);
    assert!(seen > 100, "only {seen} paths: are they still in back quotes?");
}

/// Whether a text in back quotes names a source file or a folder of the architecture, without
/// saying where it lies.
fn is_name(span: &str, is_architecture: bool) -> bool {
    let is_word = span.chars().all(|c| c.is_alphanumeric() || "._-/".contains(c));
    let ends = |end: &str| span.ends_with(end) && span.len() > end.len();
    is_word && !is_path(span) && (ends(".rs") || is_architecture && ends("/"))
}

/// The folders of sources that a section of the architecture names; all where it names none.
fn folders(section: &str) -> Vec<&str> {
    let named = section.split('`').skip(1).step_by(2);
    let is_folder = |span: &&str| {
        ["src/", "core/", "memory/"].iter().any(|root| span.starts_with(root))
            && span.ends_with('/')
    };
    let folders: Vec<&str> = named.filter(is_folder).collect();
    if folders.is_empty() { SOURCES.to_vec() } else { folders }
}

/// Folders that hold sources.
const SOURCES: &[&str] = &["src", "core", "memory", "tests", "examples"];

#[test]
fn every_file_that_a_document_names_without_its_folder_exists_where_the_section_says() {
    let mut offences = Vec::new();
    let mut seen = 0;
    for document in documents() {
        let is_architecture = document == Path::new(ARCHITECTURE);
        let text = read(&document);
        let sections = if is_architecture { text.split("\n### ").collect() } else { vec![&*text] };
        for section in sections {
            let folders = if is_architecture { folders(section) } else { SOURCES.to_vec() };
            let there: BTreeSet<PathBuf> = folders
                .iter()
                .flat_map(WalkDir::new)
                .map(|entry| entry.expect("readable").into_path())
                .collect();
            let spans = section.split('`').skip(1).step_by(2);
            for span in spans.filter(|span| is_name(span, is_architecture)) {
                seen += 1;
                if !there.iter().any(|path| path.ends_with(span.trim_end_matches('/'))) {
                    let place = folders.join(", ");
                    offences.push(format!("{}: no `{span}` in {place}", document.display()));
                }
            }
        }
    }
    none(&offences);
    assert!(seen > 80, "only {seen} files: are they still in back quotes?");
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut offences = Vec::new();
    let mut seen = 0;
    for document in documents() {
        let folder = document.parent().expect("a folder");
        for rest in read(&document).split("](").skip(1) {
            let target = rest.split([')', '#', ' ']).next().unwrap_or_default();
            let is_local = !target.is_empty() && !target.contains("://");
            seen += usize::from(is_local);
            if is_local && !folder.join(target).exists() {
                offences.push(format!("{}: {target} leads nowhere", document.display()));
            }
        }
    }
    none(&offences);
    assert!(seen > 50, "only {seen} links");
}

#[test]
fn nothing_shipped_holds_a_path_of_the_machine_it_was_made_on() {
    let mut offences = Vec::new();
    let folders = ROOTS.iter().chain(&["README.md", "CONTRIBUTING.md", "Cargo.toml", ".ci"]);
    for entry in folders.flat_map(WalkDir::new).map(|entry| entry.expect("readable")) {
        // The rule itself names them, and so does what Python keeps of a module that it has read.
        let is_exempt = entry.path().ends_with("tidy/documents.rs")
            || entry.path().extension().is_some_and(|extension| extension == "pyc");
        if !entry.file_type().is_file() || is_exempt {
            continue;
        }
        let bytes = fs::read(entry.path()).expect("readable");
        let text = String::from_utf8_lossy(&bytes);
        for start in ["/root/", "/home/", "/tmp/", "/Users/"] {
            let at_start = |at: usize| {
                let before = text[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || "._-~".contains(c))
            };
            if text.match_indices(start).any(|(at, _)| at_start(at)) {
                offences.push(format!("{}: {start}…", entry.path().display()));
            }
        }
    }
    none(&offences);
}

#[test]
fn no_file_has_a_name_that_some_systems_refuse() {
    let entries = ROOTS.iter().flat_map(WalkDir::new).map(|entry| entry.expect("readable"));
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let offences: Vec<String> =
        names.filter(|name| name.contains(['|', ':', '*', '?', '<', '>', '"', '\\'])).collect();
    none(&offences);
}
