//! The same weights under two names.

use crate::diag::{Code, Diagnostic, Fact};
use crate::model::leaf;
use crate::pairing::{ArmPair, ConfigDifference};

/// Last components of keys that hold a hash of the weights.
const HASHES: [&str; 14] = [
    "model_sha",
    "model_hash",
    "model_sha256",
    "model_revision_sha",
    "weights_hash",
    "weights_sha256",
    "checkpoint_hash",
    "checkpoint_sha",
    "checkpoint_sha256",
    "checkpoint_md5",
    "ckpt_hash",
    "ckpt_sha256",
    "safetensors_sha256",
    "weights_md5",
];
/// Last components of keys that name the weights.
const NAMES: [&str; 15] = [
    "model",
    "model_name",
    "model_path",
    "model_name_or_path",
    "pretrained",
    "checkpoint",
    "checkpoint_path",
    "checkpoint_dir",
    "checkpoint_step",
    "ckpt",
    "ckpt_path",
    "weights",
    "step",
    "global_step",
    "load_path",
];
/// Parts of keys that say that the weights are not all there is.
const ADAPTERS: [&str; 4] = ["adapter", "lora", "peft", "delta"];

/// A shorter text is no hash.
const SHORTEST_HASH: usize = 7;

pub(super) fn check_checkpoint(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let configs = [&pair.baseline.content.config, &pair.candidate.content.config];
    let has_adapter = configs.iter().any(|config| {
        let mut keys = config.iter().map(|(key, _)| key.to_ascii_lowercase());
        keys.any(|key| ADAPTERS.iter().any(|adapter| key.contains(adapter)))
    });
    let named = pair.differences.iter().find(|one| names_other_weights(one));
    let (Some(named), false) = (named, has_adapter) else { return Vec::new() };
    let [mine, theirs] = configs;
    let same = mine.iter().find(|(key, entry)| {
        HASHES.contains(&lower_leaf(key).as_str())
            && entry.value.to_string().len() >= SHORTEST_HASH
            && theirs.get(key).is_some_and(|other| other.value.same_as(&entry.value))
    });
    let Some((key, entry)) = same else { return Vec::new() };
    let value = |side: &Option<crate::model::ConfigEntry>| {
        side.as_ref().map_or_else(|| Fact::from(""), |entry| Fact::from(&entry.value))
    };
    let hash: String = entry.value.to_string().chars().take(16).collect();
    vec![
        Diagnostic::new(Code::SameCheckpoint)
            .about_key(key)
            .with("hash", hash)
            .with("name", named.key.as_str())
            .with("baseline", value(&named.baseline))
            .with("candidate", value(&named.candidate))
            .at(theirs.get(key).unwrap_or(entry).source.location()),
    ]
}

fn lower_leaf(key: &str) -> String {
    leaf(key).to_ascii_lowercase()
}

/// Whether the last component of a key is that of a name of weights.
pub(super) fn names_weights(key: &str) -> bool {
    NAMES.contains(&lower_leaf(key).as_str())
}

fn names_other_weights(one: &ConfigDifference) -> bool {
    let last = |entry: &crate::model::ConfigEntry| {
        let text = entry.value.to_string();
        let text = text.trim_end_matches('/');
        text.rsplit('/').next().unwrap_or(text).to_ascii_lowercase()
    };
    let sides = one.baseline.as_ref().zip(one.candidate.as_ref());
    names_weights(&one.key) && sides.is_some_and(|(mine, theirs)| last(mine) != last(theirs))
}
