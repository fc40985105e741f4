//! Headers of safetensors files: what they say of types, shapes and places must be possible.

use std::collections::BTreeMap;

use super::{Inspection, broken, first_names};
use crate::diag::{Code, Diagnostic, Location, Severity};
use crate::model::{Checkpoint, Shard, ShardHeader, Tensor};
use crate::quantity::Quantity;

pub(super) fn inspect_for_handoff(checkpoint: &Checkpoint) -> Inspection {
    if checkpoint.shards.is_empty() {
        return Inspection::skipped("no-safetensors");
    }
    let mut findings = Vec::new();
    for shard in &checkpoint.shards {
        match &shard.header {
            // What the check of the files has already told.
            Err(_) if shard.bytes == 0 || is_pointer(checkpoint, &shard.file) => {}
            Err(damage) => findings.push(broken(Code::HeaderBroken, damage)),
            Ok(header) => findings.extend(header_findings(shard, header)),
        }
    }
    findings.extend(twice(checkpoint));
    let files = checkpoint.shards.len();
    let tensors: usize = checkpoint
        .shards
        .iter()
        .flat_map(|shard| &shard.header)
        .map(|header| header.tensors.len())
        .sum();
    if findings.is_empty() && tensors == 0 {
        return Inspection::skipped("no-tensors");
    }
    Inspection::with_findings(findings)
        .with("files", files)
        .with("tensors", Quantity::Count(tensors as u64))
}

fn is_pointer(checkpoint: &Checkpoint, file: &str) -> bool {
    checkpoint.file(file).is_some_and(|file| file.is_pointer)
}

fn header_findings(shard: &Shard, header: &ShardHeader) -> Vec<Diagnostic> {
    let here = |code: Code| {
        let location = Location::file(shard.path.as_str());
        Diagnostic::new(code).with("file", shard.file.as_str()).at(location)
    };
    let mut findings = Vec::new();
    if let Some((name, cause)) = header.malformed.first() {
        findings.push(here(Code::HeaderBroken).with("cause", format!("{name}: {cause}")));
    }
    if let Some(name) = header.repeated.first() {
        let cause = format!("the header has {name} more than once");
        let mut finding = here(Code::HeaderBroken).with("cause", cause);
        finding.severity = Severity::Warning;
        findings.push(finding);
    }
    let data = shard.bytes.saturating_sub(header.data_start);
    let behind = header.tensors.iter().filter(|tensor| tensor.end > data);
    let behind: Vec<String> = behind.map(|tensor| tensor.name.clone()).collect();
    if behind.is_empty() {
        findings.extend(layout(header, data, &here));
    } else {
        let needed = header.tensors.iter().map(|tensor| tensor.end).max().unwrap_or(0);
        findings.push(
            here(Code::DataCutOff)
                .with("count", behind.len())
                .with("tensors", first_names(behind))
                .with("bytes", shard.bytes)
                .with("needed", header.data_start.saturating_add(needed)),
        );
    }
    let wrong = header.tensors.iter().filter(|tensor| !size_fits(tensor));
    let wrong: Vec<String> = wrong.map(described).collect();
    if !wrong.is_empty() {
        findings.push(
            here(Code::TensorSize).with("count", wrong.len()).with("tensors", first_names(wrong)),
        );
    }
    findings
}

fn size_fits(tensor: &Tensor) -> bool {
    let bytes = tensor.end.checked_sub(tensor.start);
    bytes.is_some() && tensor.bytes_expected() == bytes
}

fn described(tensor: &Tensor) -> String {
    let Tensor { name, dtype, shape, start, end } = tensor;
    format!("{name}: {dtype} {shape:?}, {start}..{end}")
}

/// What is wrong with the order of the data; `None` when the tensors fill it exactly.
fn layout(
    header: &ShardHeader,
    data: u64,
    here: &dyn Fn(Code) -> Diagnostic,
) -> Option<Diagnostic> {
    let mut ordered: Vec<&Tensor> = header.tensors.iter().collect();
    ordered.sort_by_key(|tensor| (tensor.start, tensor.end));
    let mut reached = 0;
    for tensor in ordered {
        if tensor.start != reached {
            let finding = here(Code::LayoutBroken).with("tensor", tensor.name.as_str());
            return Some(finding.with("start", tensor.start).with("reached", reached));
        }
        reached = tensor.end;
    }
    let surplus = data.checked_sub(reached).filter(|surplus| *surplus > 0)?;
    Some(here(Code::SurplusBytes).with("surplus", surplus))
}

fn twice(checkpoint: &Checkpoint) -> Option<Diagnostic> {
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for shard in checkpoint.loaded() {
        for tensor in shard.header.iter().flat_map(|header| &header.tensors) {
            files.entry(&tensor.name).or_default().push(&shard.file);
        }
    }
    let twice = files.iter().filter(|(_, files)| files.len() > 1);
    let twice: Vec<String> =
        twice.map(|(name, files)| format!("{name}: {}", files.join(", "))).collect();
    (!twice.is_empty()).then(|| {
        Diagnostic::new(Code::TensorTwice)
            .with("count", twice.len())
            .with("tensors", first_names(twice))
    })
}
