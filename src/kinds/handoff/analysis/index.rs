//! The index of split weights against the files that it names.

use std::collections::BTreeSet;

use super::{Inspection, first_names};
use crate::diag::{Code, Diagnostic, Location, Severity};
use crate::model::{Checkpoint, Document, WeightIndex};
use crate::quantity::Quantity;

pub(super) fn inspect_for_handoff(checkpoint: &Checkpoint) -> Inspection {
    let Document::Read(index) = &checkpoint.index else {
        return Inspection::skipped("no-index");
    };
    let mut in_files: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut readable: Vec<&str> = Vec::new();
    let mut bytes = 0;
    for shard in checkpoint.named_by(index) {
        let Ok(header) = &shard.header else { continue };
        readable.push(&shard.file);
        for tensor in &header.tensors {
            in_files.insert((&tensor.name, &shard.file));
            bytes += tensor.end.saturating_sub(tensor.start);
        }
    }
    let elsewhere = index
        .weight_map
        .iter()
        .filter(|(_, file)| readable.contains(&file.as_str()))
        .filter(|(name, file)| !in_files.contains(&(name.as_str(), file.as_str())));
    let elsewhere: Vec<String> = elsewhere.map(|(name, file)| format!("{name} → {file}")).collect();
    let unlisted: BTreeSet<&str> = in_files
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| !index.weight_map.contains_key(*name))
        .collect();
    let unlisted: Vec<String> = unlisted.into_iter().map(str::to_owned).collect();
    let whole = readable.len() == index.files().len();
    let mut findings = Vec::new();
    if !elsewhere.is_empty() || !unlisted.is_empty() {
        findings.push(
            disagrees(index)
                .with("absent", elsewhere.len())
                .with("unlisted", unlisted.len())
                .with("tensors", first_names(elsewhere.into_iter().chain(unlisted))),
        );
    } else if let Some(stated) = index.total_size.filter(|stated| whole && *stated != bytes) {
        let mut finding = disagrees(index);
        finding.severity = Severity::Warning;
        let tensors = vec![format!("total_size {stated} ≠ {bytes}")];
        findings
            .push(finding.with("absent", 0_u64).with("unlisted", 0_u64).with("tensors", tensors));
    }
    Inspection::with_findings(findings)
        .with("tensors", Quantity::Count(index.weight_map.len() as u64))
        .with("files", index.files().len())
}

fn disagrees(index: &WeightIndex) -> Diagnostic {
    Diagnostic::new(Code::IndexDisagrees).at(Location::file(index.path.as_str()))
}
