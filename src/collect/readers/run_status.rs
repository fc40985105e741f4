//! How a run ended: `status.json` and exit codes that launchers leave beside results.
//!
//! Only an end before the aim is reported; a run that says that it completed says nothing new.

use super::super::content::read_text_below;
use super::super::document::{Node, read_document};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::run_endings::{STATUS_KEYS, ending};
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
const CODE_KEYS: &[&str] = &["exit_code", "exitcode", "returncode", "return_code"];
/// Largest file with a single number.
const LIMIT: u64 = 1 << 10;

pub(super) const READER: Reader = Reader { name: "run-status", recognises, read };

fn recognises(file: &FileEntry) -> bool {
    let has_key = || {
        let mut keys = STATUS_KEYS.iter().chain(CODE_KEYS);
        keys.any(|key| file.head_has(&format!("\"{key}\"")))
    };
    CODES.contains(&file.name.as_str()) || DOCUMENTS.contains(&file.name.as_str()) && has_key()
}

fn read(file: &FileEntry, _: &ReadOptions) -> ReadResult {
    let mut findings = Vec::new();
    let mut fragment = Fragment::default();
    if CODES.contains(&file.name.as_str()) {
        let text = read_text_below(file, LIMIT)?.drain_into(&mut findings);
        let code: Option<i64> = text.trim().parse().ok();
        if let Some(code) = code.filter(|code| *code != 0) {
            let source = Source::line(&file.display, 1, "");
            fragment.endings.push(RunEnding { said: format!("{} {code}", file.name), source });
        }
    } else {
        let root = read_document(file)?.drain_into(&mut findings);
        let source = |key: &str, node: &Node| Source::line(&file.display, node.line, key);
        fragment.endings.extend(STATUS_KEYS.iter().filter_map(|key| {
            let node = root.get(key)?;
            ending(key, node.text()?, source(key, node))
        }));
        fragment.endings.extend(CODE_KEYS.iter().filter_map(|key| {
            let node = root.get(key).filter(|node| node.number().unwrap_or(0.0) != 0.0)?;
            let said = format!("{key}: {}", node.written()?);
            Some(RunEnding { said, source: source(key, node) })
        }));
    }
    Ok(Warned::new(fragment, findings))
}
