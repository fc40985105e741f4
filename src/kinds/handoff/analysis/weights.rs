//! The files of the weights: whether they are there, and in a form that can be loaded.

use std::collections::BTreeSet;

use super::config::missing_from_handoff as without;
use super::{Inspection, broken, first_names};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{Checkpoint, Document, SINGLE_FILE, WeightIndex, is_adapter};
use crate::quantity::Quantity;

pub(super) fn inspect_for_handoff(checkpoint: &Checkpoint) -> Inspection {
    if let Document::Broken(damage) = &checkpoint.index {
        return Inspection::with_findings(vec![broken(Code::ModelFileBroken, damage)]);
    }
    let loaded = checkpoint.loaded();
    let mut findings = match &checkpoint.index {
        _ if checkpoint.file(SINGLE_FILE).is_some() => Vec::new(),
        Document::Read(index) => unlisted_or_missing(checkpoint, index),
        _ => numbered(checkpoint),
    };
    if loaded.is_empty() && findings.is_empty() {
        return Inspection::with_findings(vec![no_safetensors(checkpoint)]);
    }
    let strays = strays(checkpoint, &loaded.iter().map(|shard| shard.file.as_str()).collect());
    findings.extend(strays);
    let parameters: u64 = checkpoint.tensors().filter_map(crate::model::Tensor::elements).sum();
    Inspection::with_findings(findings)
        .with("files", loaded.len())
        .with("tensors", Quantity::Count(checkpoint.tensors().count() as u64))
        .with("parameters", Quantity::Count(parameters))
        .with("bytes", Quantity::Bytes(loaded.iter().map(|shard| shard.bytes).sum()))
}

fn unlisted_or_missing(checkpoint: &Checkpoint, index: &WeightIndex) -> Vec<Diagnostic> {
    let gone = index.files().into_iter().filter(|name| checkpoint.file(name).is_none());
    let gone: Vec<String> = gone.map(str::to_owned).collect();
    missing(gone, index.files().len(), &index.path).into_iter().collect()
}

fn missing(gone: Vec<String>, of: usize, path: &str) -> Option<Diagnostic> {
    (!gone.is_empty()).then(|| {
        Diagnostic::new(Code::ShardMissing)
            .with("count", gone.len())
            .with("of", of)
            .with("files", first_names(gone))
            .at(Location::file(path))
    })
}

/// Files named `model-00001-of-00004.safetensors` without an index.
fn numbered(checkpoint: &Checkpoint) -> Vec<Diagnostic> {
    let numbers: Vec<(u64, u64, &str)> =
        checkpoint.shards.iter().filter_map(|shard| number(&shard.file)).collect();
    let Some(&(_, of, prefix)) = numbers.first() else {
        let has_other_name = checkpoint.shards.iter().any(|shard| !is_adapter(&shard.file));
        return has_other_name.then(|| without(checkpoint, SINGLE_FILE)).into_iter().collect();
    };
    let present: BTreeSet<u64> = numbers.iter().map(|(number, ..)| *number).collect();
    let gone = (1..=of.min(10_000)).filter(|number| !present.contains(number));
    let gone = gone.map(|number| format!("{prefix}-{number:05}-of-{of:05}.safetensors")).collect();
    let index = without(checkpoint, "model.safetensors.index.json");
    let of = usize::try_from(of).unwrap_or(usize::MAX);
    missing(gone, of, &checkpoint.path).into_iter().chain([index]).collect()
}

/// Number, number of files and name before them.
fn number(name: &str) -> Option<(u64, u64, &str)> {
    let (before, of) = name.strip_suffix(".safetensors")?.rsplit_once("-of-")?;
    let (prefix, number) = before.rsplit_once('-')?;
    Some((number.parse().ok()?, of.parse().ok()?, prefix))
}

fn strays(checkpoint: &Checkpoint, loaded: &BTreeSet<&str>) -> Option<Diagnostic> {
    let unused = checkpoint.shards.iter().map(|shard| &shard.file);
    let unused = unused.filter(|file| !loaded.contains(file.as_str()) && !is_adapter(file));
    let strays: Vec<String> = unused.cloned().chain(pickled(checkpoint)).collect();
    (!strays.is_empty()).then(|| {
        Diagnostic::new(Code::StrayWeights)
            .with("count", strays.len())
            .with("files", first_names(strays))
    })
}

/// Endings of pickled files, as the libraries write them.
const PICKLED: &[&str] = &[".bin"];

/// Whole weights in pickled form.
fn pickled(checkpoint: &Checkpoint) -> Vec<String> {
    let whole = |name: &str| {
        name.strip_prefix("pytorch_model")
            .is_some_and(|rest| PICKLED.iter().any(|end| rest.ends_with(end)))
            || matches!(name, "model.pt" | "model.pth" | "consolidated.00.pth")
    };
    checkpoint.files.iter().map(|file| &file.name).filter(|name| whole(name)).cloned().collect()
}

fn no_safetensors(checkpoint: &Checkpoint) -> Diagnostic {
    let here = Location::file(checkpoint.path.as_str());
    let names = pickled(checkpoint);
    if !names.is_empty() {
        return Diagnostic::new(Code::PickledWeights)
            .with("count", names.len())
            .with("files", first_names(names))
            .at(here);
    }
    if let Some((kind, merge, names)) = shards_of_training(checkpoint) {
        return Diagnostic::new(Code::UnmergedShards)
            .with("kind", kind)
            .with("merge", merge.replace("DIR", &directory_of(checkpoint, &names)))
            .with("count", names.len())
            .with("files", first_names(names))
            .at(here);
    }
    if checkpoint.files.iter().any(|file| is_adapter(&file.name)) {
        let base = checkpoint.adapter.content().and_then(|adapter| adapter.base.as_deref());
        return Diagnostic::new(Code::AdapterOnly).with("base", base).at(here);
    }
    if let Some((format, names)) = of_other_format(checkpoint) {
        return Diagnostic::new(Code::OtherFormat)
            .with("format", format)
            .with("count", names.len())
            .with("files", first_names(names))
            .at(here);
    }
    Diagnostic::new(Code::WeightsMissing).at(here)
}

/// Weights that are made for other programs, by the endings of their names.
const OTHER_FORMATS: &[(&str, &str)] = &[
    ("GGUF", ".gguf"),
    ("ONNX", ".onnx"),
    ("TensorFlow", ".h5"),
    ("Flax", ".msgpack"),
    ("NeMo", ".nemo"),
];

fn of_other_format(checkpoint: &Checkpoint) -> Option<(&'static str, Vec<String>)> {
    OTHER_FORMATS.iter().find_map(|(format, ending)| {
        let names = checkpoint.files.iter().map(|file| &file.name);
        let names: Vec<String> = names.filter(|name| name.ends_with(ending)).cloned().collect();
        (!names.is_empty()).then_some((*format, names))
    })
}

/// A kind of distributed training by the names of its files: name, command that merges, and how a
/// file name begins and ends.
struct Sharding {
    kind: &'static str,
    merge: &'static str,
    begins: &'static [&'static str],
    ends: &'static str,
}

/// The particular before the general: verl's FSDP shards are `.pt` files as well.
const SHARDINGS: &[Sharding] = &[
    Sharding {
        kind: "FSDP (verl)",
        merge: "python -m verl.model_merger merge --backend fsdp --local_dir DIR --target_dir DIR/huggingface",
        begins: &["model_world_size_"],
        ends: ".pt",
    },
    Sharding {
        kind: "FSDP",
        merge: "torchrun --nproc_per_node=N convert_fsdp_to_hf.py (as many processes as in training)",
        begins: &["model_rank_", "model_state_rank_"],
        ends: ".pt",
    },
    Sharding {
        kind: "DeepSpeed ZeRO",
        merge: "python zero_to_fp32.py DIR OUT --safe_serialization",
        begins: &["mp_rank_", "zero_pp_rank_", "bf16_zero_pp_rank_"],
        ends: "_states.pt",
    },
    Sharding {
        kind: "PyTorch distributed checkpoint",
        merge: "accelerate merge-weights DIR OUT, or python -m torch.distributed.checkpoint.format_utils dcp_to_torch DIR OUT",
        begins: &["__"],
        ends: ".distcp",
    },
];

/// The directory that holds the shards.
fn directory_of(checkpoint: &Checkpoint, names: &[String]) -> String {
    let below = names.first().and_then(|name| name.rsplit_once('/'));
    match below {
        Some((below, _)) => format!("{}/{below}", checkpoint.path.trim_end_matches('/')),
        None => checkpoint.path.clone(),
    }
}

fn shards_of_training(
    checkpoint: &Checkpoint,
) -> Option<(&'static str, &'static str, Vec<String>)> {
    SHARDINGS.iter().find_map(|sharding| {
        let is_shard = |name: &str| {
            let file = name.rsplit('/').next().unwrap_or(name);
            file.ends_with(sharding.ends)
                && sharding.begins.iter().any(|begin| file.starts_with(begin))
        };
        let names = checkpoint.files.iter().map(|file| &file.name).filter(|name| is_shard(name));
        let names: Vec<String> = names.cloned().collect();
        (!names.is_empty()).then_some((sharding.kind, sharding.merge, names))
    })
}
