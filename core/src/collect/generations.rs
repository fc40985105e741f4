//! What generations of a training are made of: one field of records in JSON lines.
//!
//! A reading of its own, because only one command asks for it and names the field.

use std::path::Path;
use std::sync::Arc;

use super::discover::{DiscoveredFile, discover};
use super::document::{Node, Value};
use super::objects::fetched::place_of;
use super::readers::axis_of_record;
use super::records::read_json_lines;
use super::{FileEntry, RunAddress};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{Access, Generation, Generations, Source};

/// Reads the names that a field of the records of a run holds: a list of texts, or one text. With
/// `file` only files of that name (or path below the run) are looked at, else all JSON lines.
pub fn read_generations(
    run: &Path,
    field: &str,
    file: Option<&str>,
    access: &Access,
) -> Warned<Generations> {
    let mut findings = Vec::new();
    // What was wrong with the walk or with a record was said when the run was read.
    let found = discover(&place_of(&RunAddress::of(run).path), access).value;
    let mut records = Vec::new();
    let mut files = Vec::new();
    let (mut seen, mut passed_over, mut first_lacking) = (0_usize, 0_usize, None);
    for entry in found.iter().filter_map(|found| match found {
        DiscoveredFile::File(entry) if is_asked(entry, file) => Some(entry),
        _ => None,
    }) {
        let Ok(lines) = read_json_lines(entry) else { continue };
        let mut of_file = Vec::new();
        let mut lacks = Vec::new();
        for node in &lines.value.records {
            match names(node, field) {
                Some(names) => of_file.push(Generation {
                    at: axis_of_record(node),
                    names,
                    source: Source::line(&entry.display, node.line, field),
                }),
                None => lacks.push(node.line),
            }
        }
        // A file without the field holds something else, unless it was named.
        if of_file.is_empty() && file.is_none() {
            passed_over += lacks.len();
            continue;
        }
        seen += lines.value.records.len();
        let place = lacks.first().map(|line| Location::line(&*entry.display, *line));
        first_lacking = first_lacking.or(place);
        if !of_file.is_empty() {
            files.push(Arc::clone(&entry.display));
        }
        records.extend(of_file);
    }
    let seen = if records.is_empty() { seen + passed_over } else { seen };
    if records.is_empty() || records.len() < seen {
        let place = first_lacking.unwrap_or_else(|| Location::file(super::shown(run)));
        findings.push(
            Diagnostic::new(Code::PatternsMissing)
                .with("field", field)
                .with("having", records.len())
                .with("records", seen)
                .at(place),
        );
    }
    Warned::new(Generations { field: field.to_owned(), files, records }, findings)
}

fn is_asked(entry: &FileEntry, file: Option<&str>) -> bool {
    let is_lines = entry.has_extension("jsonl") || entry.has_extension("ndjson");
    match file {
        Some(file) => entry.relative == file || entry.relative.ends_with(&format!("/{file}")),
        None => is_lines,
    }
}

/// The names that a field holds; a path such as `extra.operators` reaches into tables.
fn names(node: &Node, field: &str) -> Option<Vec<String>> {
    let found =
        node.get(field).or_else(|| field.split('.').try_fold(node, |node, key| node.get(key)))?;
    match &found.value {
        Value::Text(text) => Some(vec![text.clone()]),
        Value::List(items) => items.iter().map(|item| item.written().map(str::to_owned)).collect(),
        _ => None,
    }
}
