//! Files that were not written to their end.

use super::{Inspection, first_names};
use crate::diag::{Code, Diagnostic, Severity};
use crate::model::{Checkpoint, CheckpointFile};
use crate::quantity::Quantity;

/// Endings of names of files that are still being written, or never were to their end.
const UNFINISHED: &[&str] = &[".tmp", ".part", ".partial", ".incomplete", ".crdownload", ".aria2"];
/// Endings of files that have to hold something.
const NEEDED: &[&str] = &[".json", ".safetensors", ".bin", ".pt", ".pth", ".model"];

pub(super) fn inspect_for_handoff(checkpoint: &Checkpoint) -> Inspection {
    let ends = |file: &CheckpointFile, endings: &[&str]| {
        endings.iter().any(|ending| file.name.ends_with(ending))
    };
    let top_level: Vec<&CheckpointFile> =
        checkpoint.files.iter().filter(|file| !file.name.contains('/')).collect();
    let names = |wanted: &dyn Fn(&CheckpointFile) -> bool| -> Vec<String> {
        top_level.iter().filter(|file| wanted(file)).map(|file| file.name.clone()).collect()
    };
    let pointers = names(&|file| file.is_pointer);
    let empty = names(&|file| file.bytes == 0 && ends(file, NEEDED));
    let unfinished = names(&|file| ends(file, UNFINISHED));
    let finding = |code: Code, severity: Severity, names: Vec<String>| {
        let mut finding = Diagnostic::new(code).with("count", names.len());
        finding.severity = severity;
        (!names.is_empty()).then(|| finding.with("files", first_names(names)))
    };
    let findings = [
        finding(Code::PointerFile, Severity::Error, pointers),
        finding(Code::UnfinishedFile, Severity::Error, empty),
        finding(Code::UnfinishedFile, Severity::Warning, unfinished),
    ];
    let bytes: u64 = top_level.iter().map(|file| file.bytes).sum();
    Inspection::with_findings(findings.into_iter().flatten().collect())
        .with("count", top_level.len())
        .with("bytes", Quantity::Bytes(bytes))
}
