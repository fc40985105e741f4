//! How a run ended: `status.json` and exit codes that launchers leave beside results.
//!
//! Only an end before the aim is reported; a run that says that it completed says nothing new.

use super::super::content::read_text_below;
use super::super::document::{Node, Value, read_document};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::run_endings::{STATUS_KEYS, ending, is_unfinished};
use crate::diag::Warned;
use crate::model::{Fragment, RunEnding, Source};

const DOCUMENTS: &[&str] = &["status.json", "run_status.json", "job_status.json"];
const CODES: &[&str] = &[
    "exit_code",
    "exitcode",
    "exit_code.txt",
    "exitcode.txt",
    "exit_status",
    "exit_status.txt",
    "returncode",
    "returncode.txt",
];
const CODE_KEYS: &[&str] = &["exit_code", "exitcode", "exitCode", "returncode", "return_code"];
const ERROR_KEYS: &[&str] = &["error", "exception", "traceback"];
/// Words that stand for a code of 0.
const SUCCESSES: &[&str] =
    &["ok", "success", "succeeded", "completed", "complete", "finished", "done", "passed"];
/// Largest file with a single number.
const LIMIT: u64 = 1 << 10;

pub(super) const READER: Reader = Reader { name: "run-status", recognises, read };

/// The first code of a failure in a value: a number, a text, or a list or table of several processes.
fn failure_in(node: &Node) -> Option<String> {
    match &node.value {
        Value::Null => None,
        Value::Bool(is_failed) => is_failed.then(|| is_failed.to_string()),
        Value::Number(_, code) => is_failure(code).then(|| code.to_string()),
        Value::Text(code) => is_failure(code).then(|| code.clone()),
        Value::List(codes) => codes.iter().find_map(failure_in),
        Value::Table(codes) => codes.values().find_map(failure_in),
    }
}

/// Whether a code, or one of several as Slurm writes them (`0:9`), is that of a failure, or a word is.
fn is_failure(code: &str) -> bool {
    let numbers: Result<Vec<f64>, _> = code.trim().split(':').map(str::parse).collect();
    numbers.map_or_else(|_| is_unfinished(code), |numbers| numbers.iter().any(|code| *code != 0.0))
}

/// Whether the whole text of a file is that of codes, one for each process, of which none is a failure, or
/// a word of a success.
fn is_success(text: &str) -> bool {
    let mut codes = text.split(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | ';'));
    SUCCESSES.contains(&text.to_ascii_lowercase().as_str())
        || codes.all(|code| code.is_empty() || code.parse::<f64>() == Ok(0.0))
}

fn recognises(file: &FileEntry) -> bool {
    let has_key = || {
        let mut keys = STATUS_KEYS.iter().chain(CODE_KEYS).chain(ERROR_KEYS);
        file.head.trim_ascii_start().starts_with(b"\"")
            || file.head.trim_ascii_start().starts_with(b"[")
            || keys.any(|key| file.head_has(&format!("\"{key}\"")))
    };
    CODES.contains(&file.name.as_str()) || DOCUMENTS.contains(&file.name.as_str()) && has_key()
}

fn read(file: &FileEntry, _: &ReadOptions) -> ReadResult {
    let mut findings = Vec::new();
    let mut fragment = Fragment::default();
    if CODES.contains(&file.name.as_str()) {
        let text = read_text_below(file, LIMIT)?.drain_into(&mut findings);
        let code = text.trim();
        if code.is_empty() || !is_success(code) {
            let source = Source::line(&file.display, 1, "");
            fragment.endings.push(RunEnding { said: format!("{} {code}", file.name), source });
        }
    } else {
        let root = read_document(file)?.drain_into(&mut findings);
        endings_in(&root, file, &mut fragment.endings);
    }
    Ok(Warned::new(fragment, findings))
}

/// The endings that a document states, wherever in it: of the run, or of its jobs.
fn endings_in(node: &Node, file: &FileEntry, endings: &mut Vec<RunEnding>) {
    let source = |key: &str, node: &Node| Source::line(&file.display, node.line, key);
    endings.extend(STATUS_KEYS.iter().filter_map(|key| {
        let node = node.get(key)?;
        ending(key, node.text()?, source(key, node))
    }));
    endings.extend(CODE_KEYS.iter().filter_map(|key| {
        let (node, code) = node.get(key).and_then(|node| Some((node, failure_in(node)?)))?;
        let said = format!("{key}: {code}");
        Some(RunEnding { said, source: source(key, node) })
    }));
    endings.extend(ERROR_KEYS.iter().filter_map(|key| {
        let (node, said) = node.get(key).and_then(|node| Some((node, node.text()?)))?;
        let is_none =
            ["", "none", "null"].iter().any(|none| said.trim().eq_ignore_ascii_case(none));
        if is_none {
            return None;
        }
        let said = format!("{key}: {}", said.lines().next()?);
        Some(RunEnding { said, source: source(key, node) })
    }));
    let said = node.text().filter(|text| is_unfinished(text));
    endings.extend(said.map(|text| RunEnding { said: text.to_owned(), source: source("", node) }));
    let inner = node.list().into_iter().flatten();
    let below = node.table().into_iter().flatten();
    let is_further = |(key, node): &(&String, &Node)| {
        node.text().is_none() && !CODE_KEYS.contains(&key.as_str())
    };
    let below = below.filter(is_further).map(|(_, node)| node);
    inner.chain(below).for_each(|node| endings_in(node, file, endings));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::document::parse_json_line;

    #[test]
    fn a_file_of_a_code_tells_a_success_only_by_zeros_or_a_word_for_it() {
        for (text, expected) in [
            ("0", true),
            ("0:0", true),
            ("0\n0", true),
            ("0.0", true),
            ("Success", true),
            ("1", false),
            ("0\n1", false),
            ("0x1", false),
            ("SIGKILL", false),
            ("exit code: 1", false),
            ("\u{fffd}\u{fffd}1\0", false),
        ] {
            assert_eq!(is_success(text), expected, "{text}");
        }
    }

    #[test]
    fn a_failure_is_told_in_any_type_and_nothing_else_is_one() {
        for (code, expected) in [
            ("1", Some("1")),
            ("-9", Some("-9")),
            ("1.0", Some("1.0")),
            ("1e400", Some("1e400")),
            ("\"137\"", Some("137")),
            ("\"0:9\"", Some("0:9")),
            ("\"failed\"", Some("failed")),
            ("true", Some("true")),
            ("[0, 1]", Some("1")),
            ("{\"rank0\": 0, \"rank1\": \"2\"}", Some("2")),
            ("0", None),
            ("0.0", None),
            ("\"0\"", None),
            ("\"0:0\"", None),
            ("\"\"", None),
            ("\"COMPLETED\"", None),
            ("false", None),
            ("null", None),
            ("[0, 0]", None),
        ] {
            let root = parse_json_line(code, 1).expect("JSON").root;
            assert_eq!(failure_in(&root).as_deref(), expected, "{code}");
        }
    }
}
