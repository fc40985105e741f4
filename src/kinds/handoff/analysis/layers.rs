//! Layers: all of them there, each with the same tensors.

use std::collections::{BTreeMap, BTreeSet};

use super::shapes::EMBEDDINGS;
use super::{Inspection, first_names, model_families};
use crate::diag::{Code, Diagnostic, Location, Severity};
use crate::model::Checkpoint;

/// Parts of names after which the number of a layer stands.
const MARKS: &[&str] = &["layers", "h", "blocks"];

pub(super) fn inspect_for_handoff(checkpoint: &Checkpoint) -> Inspection {
    let Some(config) = checkpoint.config.content() else { return Inspection::skipped("no-config") };
    if !checkpoint.has_every_header() {
        return Inspection::skipped("incomplete");
    }
    // An encoder and a decoder have counts of their own.
    let is_pair = config.size("is_encoder_decoder") == Some(1);
    let wanted = config.size("num_hidden_layers").or_else(|| config.size("n_layer"));
    let Some(wanted) = wanted.filter(|_| !is_pair) else { return Inspection::skipped("no-layers") };
    // By what stands before the number: a model of several parts has several stacks.
    let mut stacks: BTreeMap<&str, BTreeMap<u64, BTreeSet<&str>>> = BTreeMap::new();
    for tensor in checkpoint.tensors() {
        if let Some((stack, layer, rest)) = parted(&tensor.name) {
            stacks.entry(stack).or_default().entry(layer).or_default().insert(rest);
        }
    }
    let Some((stack, layers)) = main(stacks, checkpoint) else {
        return Inspection::skipped("no-layers");
    };
    // Layers that predict further tokens follow those that are counted.
    let most = wanted + config.size("num_nextn_predict_layers").unwrap_or(0);
    let here = Location::file(config.path.as_str());
    let missing = (0..wanted.min(10_000)).filter(|layer| !layers.contains_key(layer));
    let surplus = layers.keys().filter(|layer| **layer >= most).copied();
    let named = |layer: u64| format!("{stack}.{layer}");
    let wrong: Vec<String> = missing.chain(surplus).map(named).collect();
    let mut findings = Vec::new();
    if !wrong.is_empty() {
        findings.push(
            Diagnostic::new(Code::LayersIncomplete)
                .with("count", wrong.len())
                .with("wanted", wanted)
                .with("tensors", first_names(wrong))
                .at(here.clone()),
        );
    }
    let is_uniform = config.model_type.as_deref().is_some_and(model_families::is_uniform);
    let lacking = lacking(stack, &layers, is_uniform);
    if !lacking.is_empty() {
        let mut finding = Diagnostic::new(Code::LayersIncomplete)
            .with("count", lacking.len())
            .with("wanted", wanted)
            .with("tensors", first_names(lacking))
            .at(here);
        if !is_uniform {
            finding.severity = Severity::Warning;
        }
        findings.push(finding);
    }
    Inspection::with_findings(findings).with("layers", layers.len())
}

/// The stack that the configuration counts: the one beside the embedding, so that the layers of a
/// vision tower are not taken for those of the language model; else the only one.
fn main<'a, L>(stacks: BTreeMap<&'a str, L>, checkpoint: &Checkpoint) -> Option<(&'a str, L)> {
    let beside = checkpoint.tensors().find_map(|tensor| {
        let name = EMBEDDINGS.iter().find_map(|end| tensor.name.strip_suffix(end))?;
        stacks
            .keys()
            .copied()
            .find(|stack| stack.strip_prefix(name).is_some_and(|mark| MARKS.contains(&mark)))
    });
    let is_only = stacks.len() == 1;
    stacks.into_iter().find(|(stack, _)| is_only || Some(*stack) == beside)
}

/// Stack, number of the layer, and name within it.
fn parted(name: &str) -> Option<(&str, u64, &str)> {
    let mut from = 0;
    for part in name.split('.') {
        let end = from + part.len();
        if MARKS.contains(&part) {
            let (number, rest) = name.get(end + 1..)?.split_once('.')?;
            return Some((name.get(..end)?, number.parse().ok()?, rest));
        }
        from = end + 1;
    }
    None
}

/// Tensors that more than half of the layers have and others lack. Unless `all_alike`, a layer with
/// tensors of its own is taken for one of another kind.
fn lacking(stack: &str, layers: &BTreeMap<u64, BTreeSet<&str>>, all_alike: bool) -> Vec<String> {
    let mut having: BTreeMap<&str, usize> = BTreeMap::new();
    for tensors in layers.values() {
        for tensor in tensors {
            *having.entry(tensor).or_default() += 1;
        }
    }
    let usual: BTreeSet<&str> = having
        .into_iter()
        .filter(|(_, count)| 2 * count > layers.len() || (all_alike && 2 * count == layers.len()))
        .map(|(name, _)| name)
        .collect();
    let alike = layers.iter().filter(|(_, tensors)| all_alike || tensors.is_subset(&usual));
    let lacks = |(layer, tensors): (&u64, &BTreeSet<&str>)| {
        let gone = usual.difference(tensors);
        gone.map(|name| format!("{stack}.{layer}.{name}")).collect::<Vec<_>>()
    };
    alike.flat_map(lacks).collect()
}
