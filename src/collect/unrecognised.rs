//! Files that look like data and that no reader takes: why not, as far as their first bytes tell.

use super::document::{Node, Table, Value, parse_json_line};
use super::readers;
use super::records::{first_records, header};
use super::{FileEntry, bounded};
use crate::diag::{Code, Diagnostic, Location};

const TABLES: &[&str] = &["csv", "tsv"];
const LINES: &[&str] = &["jsonl", "ndjson"];
/// Vocabularies and manifests that lie beside weights or sources.
const NOT_RESULTS: &[&str] = &[
    "tokenizer",
    "tokenizer_config",
    "vocab",
    "special_tokens_map",
    "added_tokens",
    "preprocessor_config",
    "dataset_info",
    "package",
    "package-lock",
    "tsconfig",
];
/// Files that get a finding each; the rest share one.
const SHOWN: usize = 5;
/// Most names that are shown, and most characters of each.
const NAMES: usize = 8;
const NAME_LENGTH: usize = 40;

#[derive(Debug)]
pub(super) struct Unread {
    pub(super) position: usize,
    path: String,
    cause: String,
}

/// Why nobody reads the file; `None` where nobody would expect it.
pub(super) fn unread(position: usize, file: &FileEntry) -> Option<Unread> {
    let has = |extensions: &[&str]| extensions.iter().any(|end| file.has_extension(end));
    let head = file.head.as_slice();
    let is_manifest = NOT_RESULTS.contains(&file.stem()) || file.name.ends_with(".index.json");
    let cause = if is_manifest || !(has(TABLES) || has(LINES) || has(&["json"])) {
        return None;
    } else if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        "the text is UTF-16; save it as UTF-8".to_owned()
    } else if head.trim_ascii().is_empty() {
        "it is empty".to_owned()
    } else if has(TABLES) {
        table_cause(file)
    } else if has(LINES) {
        lines_cause(file)
    } else {
        document_cause(file)
    };
    Some(Unread { position, path: file.display.to_string(), cause })
}

fn table_cause(file: &FileEntry) -> String {
    let columns = header(file);
    let has_rows = file.head.trim_ascii().contains(&b'\n');
    if has_rows { unknown("columns", &columns) } else { "it has a header and no rows".to_owned() }
}

fn lines_cause(file: &FileEntry) -> String {
    match first_records(file).first().and_then(Node::table) {
        Some(record) => record_cause(record),
        None => "its first lines are no JSON objects".to_owned(),
    }
}

fn document_cause(file: &FileEntry) -> String {
    let text = String::from_utf8_lossy(&file.head);
    let Ok(parsed) = parse_json_line(&text, 1) else {
        return "neither its name nor its beginning is that of results".to_owned();
    };
    let first = parsed.root.list().and_then(|items| items.first()?.table());
    match first {
        Some(record) => record_cause(record),
        None if has_number(&parsed.root) => {
            "figures are read from metrics.json, results.json, *_metrics.json and the like, \
             and this is another name"
                .to_owned()
        }
        None => "it is JSON without numeric figures".to_owned(),
    }
}

/// A record without a score, or whose score is NaN or infinite.
fn record_cause(record: &Table) -> String {
    let names: Vec<String> = record.keys().cloned().collect();
    let is_not_finite = |node: &Node| node.number().is_some_and(|number| !number.is_finite());
    match record.iter().find(|(_, node)| is_not_finite(node)) {
        Some((name, _)) => {
            let name: String = name.chars().take(NAME_LENGTH).collect();
            format!("{}: {name} is no finite number", unknown("fields", &names))
        }
        None => unknown("fields", &names),
    }
}

fn has_number(node: &Node) -> bool {
    match &node.value {
        Value::Number(..) => true,
        Value::Table(table) => table.values().any(has_number),
        Value::List(items) => items.iter().any(has_number),
        _ => false,
    }
}

fn unknown(what: &str, names: &[String]) -> String {
    let named = names.iter().filter(|name| !name.is_empty());
    let shown = bounded(named.map(|name| name.chars().take(NAME_LENGTH).collect()), NAMES);
    let lacking = if names.iter().any(|name| readers::names_sample(name)) {
        "none beside the sample id holds a score"
    } else {
        "none is a sample id (id, qid, …) or an axis (step, epoch)"
    };
    format!("{what} seen: {}; {lacking}", shown.join(", "))
}

/// The findings about such files, a bounded number for a run.
pub(super) fn unread_file_findings(unread: Vec<Unread>) -> Vec<Diagnostic> {
    let rest = unread.len().saturating_sub(SHOWN);
    let finding = |(place, Unread { path, cause, .. }): (usize, Unread)| {
        let cause = match (place == SHOWN, rest) {
            (true, 2..) => format!("{cause} (and {} more files)", rest - 1),
            _ => cause,
        };
        Diagnostic::new(Code::Unrecognised)
            .with("path", path.as_str())
            .with("cause", cause)
            .at(Location::file(path))
    };
    unread.into_iter().take(SHOWN + 1).enumerate().map(finding).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::*;

    fn file(name: &str, head: &[u8]) -> FileEntry {
        FileEntry {
            path: PathBuf::from(name),
            display: Arc::from(name),
            relative: name.to_owned(),
            name: name.to_owned(),
            bytes: head.len() as u64,
            head: head.to_vec(),
            gzip: false,
        }
    }

    #[test]
    fn a_data_file_that_nobody_reads_is_told_with_the_reason() {
        for (name, head, cause) in [
            ("a.csv", &b"\xff\xfei\0d\0"[..], "UTF-16"),
            ("a.jsonl", b" \n", "empty"),
            ("a.csv", b"name,acc\n", "no rows"),
            ("a.csv", b"name,acc\nx,1\n", "columns seen: name, acc; none is a sample id"),
            ("a.jsonl", b"{\"id\": 1, \"text\": \"x\"}\n", "none beside the sample id"),
            ("a.jsonl", b"{\"id\": 1, \"mine\": NaN}\n", "mine is no finite number"),
            ("a.json", b"{\"note\": \"x\"}", "without numeric figures"),
            ("a.json", b"{\"note\": 1}", "another name"),
            ("a.json", b"[{\"note\": 1}]", "fields seen: note"),
        ] {
            let found = unread(0, &file(name, head)).expect(cause);
            assert!(found.cause.contains(cause), "{}", found.cause);
        }
        assert!(unread(0, &file("tokenizer.json", b"{}")).is_none());
        assert!(unread(0, &file("notes.txt", b"x")).is_none());
    }

    #[test]
    fn many_such_files_share_a_finding() {
        let many: Vec<Unread> =
            (0..9).filter_map(|at| unread(at, &file(&format!("{at}.csv"), b"name\nx\n"))).collect();
        let found = unread_file_findings(many);
        assert_eq!(found.len(), 6);
        assert!(found[5].evidence["cause"].to_string().ends_with("(and 3 more files)"));
    }
}
