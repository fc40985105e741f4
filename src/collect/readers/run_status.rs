//! How a run ended: `status.json` and exit codes that launchers leave beside results.
//!
//! Only an end before the aim is told; a run that says that it completed says nothing new.

use super::super::content::read_text_below;
use super::super::document::{Node, read};
use super::super::{Choices, FileEntry, Reader};
use crate::diag::{Diagnostic, Warned};
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
pub(super) const STATUS_KEYS: &[&str] = &["status", "state"];
const CODE_KEYS: &[&str] = &["exit_code", "exitcode", "returncode", "return_code"];
/// Words of an end before the aim, in lower case.
pub(super) const UNFINISHED: &[&str] = &[
    "failed",
    "failure",
    "error",
    "errored",
    "crashed",
    "cancelled",
    "canceled",
    "killed",
    "interrupted",
    "aborted",
    "preempted",
    "timeout",
    "timed_out",
    "out_of_memory",
    "oom",
    "running",
    "started",
    "incomplete",
];
/// Largest file with a single number.
const LIMIT: u64 = 1 << 10;

/// See the module.
pub(super) struct RunStatus;

impl Reader for RunStatus {
    fn name(&self) -> &'static str {
        "run-status"
    }

    fn recognises(&self, file: &FileEntry) -> bool {
        let has_key = || {
            let mut keys = STATUS_KEYS.iter().chain(CODE_KEYS);
            keys.any(|key| file.head_has(&format!("\"{key}\"")))
        };
        CODES.contains(&file.name.as_str()) || DOCUMENTS.contains(&file.name.as_str()) && has_key()
    }

    fn read(&self, file: &FileEntry, _: &Choices) -> Result<Warned<Fragment>, Box<Diagnostic>> {
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
            let root = read(file)?.drain_into(&mut findings);
            let keyed = |key: &&str| Some(((*key).to_owned(), root.get(key)?));
            let words = STATUS_KEYS.iter().filter_map(keyed);
            fragment.endings.extend(words.filter_map(|(key, node)| ending(&key, node, file)));
            let failed = |node: &Node| node.number().is_some_and(|code| code != 0.0);
            let codes = CODE_KEYS.iter().filter_map(keyed).filter(|(_, node)| failed(node));
            fragment.endings.extend(codes.map(|(key, node)| told(&key, node, file)));
        }
        Ok(Warned::new(fragment, findings))
    }
}

/// The end before the aim that a status tells, if it does.
pub(super) fn ending(key: &str, node: &Node, file: &FileEntry) -> Option<RunEnding> {
    is_unfinished(node).then(|| told(key, node, file))
}

fn told(key: &str, node: &Node, file: &FileEntry) -> RunEnding {
    RunEnding {
        said: format!("{key}: {}", node.written().unwrap_or_default()),
        source: Source::line(&file.display, node.line, key),
    }
}

fn is_unfinished(node: &Node) -> bool {
    let word = node.text().map(str::to_ascii_lowercase);
    word.is_some_and(|word| UNFINISHED.contains(&word.trim()))
}
