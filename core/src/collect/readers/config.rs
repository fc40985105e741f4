//! Configuration files in YAML, JSON and TOML, flattened to dotted keys.

use super::super::document::{
    Node, Value, flatten, keys_written_twice, read_document, repeated_keys,
};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::chinese_heads::setting_key;
use super::file_figures::empty;
use super::run_endings::ending;
use super::sacred_results::{RESULT, results};
use super::settings_beside::decides_results;
use crate::diag::Warned;
use crate::model::{Config, Fragment, Provenance, TIME_KEYS, leaf};

pub(in crate::collect) const NAME: &str = "config";

const EXTENSIONS: &[&str] = &["yaml", "yml", "json", "toml"];
const STEMS: &[&str] =
    &["config", "hparams", "params", "args", "training_args", "train", "run", "hyperparameters"];
/// Vocabulary rather than options, and thousands of keys.
const NOT_CONFIG: &[&str] = &["tokenizer_config.json"];
/// Bookkeeping and outcomes that wandb and sacred write beside the configuration.
const INTERNAL_KEYS: &[&str] =
    &["_wandb", "wandb_version", "__doc__", RESULT, "heartbeat", "captured_out", "fail_trace"];

/// Parts of names of files that hold results, or settings of something else than the run.
const OTHERS: &[&str] = &[
    "result",
    "metric",
    "score",
    "eval",
    "summary",
    "report",
    "dataset",
    "environment",
    "pyproject",
    "compose",
];

pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

fn recognises(file: &FileEntry) -> bool {
    let stem = file.stem();
    let named = STEMS.contains(&stem) || stem.contains("config");
    // Next to config.yaml, hydra keeps its own settings and the overrides already applied.
    let hydra_internal = format!("/{}", file.relative).contains("/.hydra/") && stem != "config";
    (named || has_settings(file))
        && !hydra_internal
        && EXTENSIONS.iter().any(|extension| file.has_extension(extension))
        && !NOT_CONFIG.contains(&file.name.as_str())
}

/// Whether a file of any name sets something that decides results, and is no account of results itself:
/// `sft.yaml`, `overrides.yaml`, `recipe.toml`.
fn has_settings(file: &FileEntry) -> bool {
    let is_text = EXTENSIONS.iter().any(|end| *end != "json" && file.has_extension(end));
    let is_other = OTHERS.iter().any(|word| file.stem().contains(word));
    let is_setting = |line: &str| {
        let key = line.split_once([':', '=']).map(|(key, _)| setting_key(key));
        key.is_some_and(|key| decides_results(leaf(&key)))
    };
    is_text && !is_other && String::from_utf8_lossy(&file.head).lines().any(is_setting)
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut findings = Vec::new();
    let root = read_document(file)?.drain_into(&mut findings);
    if root.table().is_none() {
        return Err(Box::new(empty(file)));
    }
    findings.extend(repeated_keys(keys_written_twice(&root), file));
    let mut config = Config::default();
    for (key, node) in root.entries() {
        if !INTERNAL_KEYS.contains(&key.as_str()) {
            flatten(unwrapped(node), key, &file.display, &mut config);
        }
    }
    if config.is_empty() {
        findings.push(empty(file));
    }
    let provenance = provenance(&config);
    // What sacred and others write at the top of their record of a run.
    let status = config.get("status");
    let ending =
        status.and_then(|entry| ending("status", &entry.value.to_string(), entry.source.clone()));
    let endings = ending.into_iter().collect();
    let scalars = results(&root, file, &options.names);
    Ok(Warned::new(
        Fragment {
            config,
            has_whole_config: true,
            scalars,
            provenance,
            endings,
            ..Fragment::default()
        },
        findings,
    ))
}

/// The value of wandb's `{desc: …, value: …}`.
fn unwrapped(node: &Node) -> &Node {
    match &node.value {
        Value::Table(table) if table.keys().all(|key| key == "desc" || key == "value") => {
            table.get("value").unwrap_or(node)
        }
        _ => node,
    }
}

fn provenance(config: &Config) -> Provenance {
    let [started, ended] = TIME_KEYS;
    let first = |keys: &[&str]| {
        keys.iter()
            .filter_map(|key| config.get(key))
            .map(|entry| entry.value.to_string())
            .find(|text| !text.is_empty() && text != "null")
    };
    Provenance {
        commit: first(&["git_commit", "commit", "git_hash", "git_sha", "git.commit"]),
        started: first(started),
        ended: first(ended),
        model: first(&["model_name_or_path", "model_name", "model.name", "model.path"]),
        harness: None,
        harness_version: None,
    }
}
