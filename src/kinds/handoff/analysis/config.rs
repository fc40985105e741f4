//! `config.json` and `generation_config.json`.

use super::{Inspection, broken};
use crate::diag::{Code, Diagnostic, Fact, Location, Severity};
use crate::model::{Checkpoint, Document, ModelConfig};

/// Directories beside which trainers keep their shards.
const LOADABLE: &[&str] = &["huggingface/config.json", "hf_model/config.json"];

pub(super) fn inspect_for_handoff(checkpoint: &Checkpoint) -> Inspection {
    let config = match &checkpoint.config {
        Document::Absent if checkpoint.is_adapter() => return Inspection::skipped("adapter"),
        Document::Absent => return Inspection::with_findings(vec![without_config(checkpoint)]),
        Document::Broken(damage) => {
            return Inspection::with_findings(vec![broken(Code::ModelFileBroken, damage)]);
        }
        Document::Read(config) => config,
    };
    let mut findings = Vec::new();
    let mut lacks = |key: &str, severity: Severity| {
        let mut finding = Diagnostic::new(Code::ModelUnnamed).key(key).with("key", key);
        finding.severity = severity;
        findings.push(finding.at(Location::file(config.path.as_str())));
    };
    if config.model_type.is_none() {
        lacks("model_type", Severity::Error);
    }
    if config.architectures.is_empty() {
        lacks("architectures", Severity::Warning);
    }
    let code = config.code.iter().filter(|name| checkpoint.file(name).is_none());
    findings.extend(code.map(|name| missing_from_handoff(checkpoint, name)));
    Inspection::with_findings(findings)
        .with("type", config.model_type.as_deref())
        .with("architectures", config.architectures.clone())
}

/// The finding for a file that the model is not built without.
pub(super) fn missing_from_handoff(checkpoint: &Checkpoint, file: &str) -> Diagnostic {
    Diagnostic::new(Code::ModelFileMissing)
        .key(file)
        .with("file", file)
        .at(Location::file(checkpoint.path.as_str()))
}

fn without_config(checkpoint: &Checkpoint) -> Diagnostic {
    match loadable(checkpoint) {
        None => missing_from_handoff(checkpoint, "config.json"),
        Some(directory) => Diagnostic::new(Code::ModelElsewhere)
            .with("meant", format!("{}/{directory}", checkpoint.path.trim_end_matches('/')))
            .at(Location::file(checkpoint.path.as_str())),
    }
}

/// The directory in this one that has the configuration.
fn loadable(checkpoint: &Checkpoint) -> Option<&'static str> {
    let found = LOADABLE.iter().find(|name| checkpoint.file(name).is_some())?;
    found.split_once('/').map(|(directory, _)| directory)
}

/// Why files that stand beside `config.json` are not missed here.
pub(super) fn elsewhere(checkpoint: &Checkpoint) -> Option<&'static str> {
    if checkpoint.is_adapter() {
        return Some("adapter");
    }
    let has_none = matches!(checkpoint.config, Document::Absent);
    (has_none && loadable(checkpoint).is_some()).then_some("elsewhere")
}

/// Whether a model writes text, as far as the names of its classes tell.
fn generates(config: &ModelConfig) -> bool {
    let heads = ["ForCausalLM", "LMHeadModel", "ForConditionalGeneration"];
    let is_one = |name: &String| heads.iter().any(|head| name.ends_with(head));
    config.architectures.is_empty() || config.architectures.iter().any(is_one)
}

pub(super) fn inspect_generation_config(checkpoint: &Checkpoint) -> Inspection {
    let generation = match &checkpoint.generation {
        Document::Absent => {
            let writes = checkpoint.config.content().is_none_or(generates);
            return match elsewhere(checkpoint).or((!writes).then_some("no-generation")) {
                Some(reason) => Inspection::skipped(reason),
                None => {
                    Inspection::with_findings(vec![lacking_from_handoff("generation_config.json")])
                }
            };
        }
        Document::Broken(damage) => {
            return Inspection::with_findings(vec![broken(Code::ModelFileBroken, damage)]);
        }
        Document::Read(generation) => generation,
    };
    let size = checkpoint.config.content().and_then(|config| config.size("vocab_size"));
    let beyond = generation.tokens.iter().filter(|(_, id)| size.is_some_and(|size| *id >= size));
    let findings = beyond.map(|(key, id)| {
        Diagnostic::new(Code::TokenBeyondVocabulary)
            .key(key)
            .with("what", key.as_str())
            .with("id", *id)
            .with("vocabulary", size.unwrap_or(0))
            .at(Location::file(generation.path.as_str()))
    });
    let shown = generation.tokens.iter().map(|(key, id)| Fact::named(key.as_str(), *id as f64));
    Inspection::with_findings(findings.collect()).with("tokens", shown.collect::<Vec<_>>())
}

/// The finding for a file that a model can be loaded without.
pub(super) fn lacking_from_handoff(file: &str) -> Diagnostic {
    Diagnostic::new(Code::ModelFileLacking).key(file).with("file", file)
}
