//! Shapes of embedding and output against the configuration.

use super::{Inspection, model_families};
use crate::diag::{Code, Diagnostic, Fact, Location};
use crate::model::{Checkpoint, ModelConfig, Tensor};

pub(super) const EMBEDDINGS: &[&str] = &["embed_tokens.weight", "wte.weight"];
const OUTPUT: &str = "lm_head.weight";

pub(super) fn inspect_for_handoff(checkpoint: &Checkpoint) -> Inspection {
    let Some(config) = checkpoint.config.content() else { return Inspection::skipped("no-config") };
    if config.is_quantised {
        return Inspection::skipped("quantised");
    }
    let hidden = config.size("hidden_size").or(config.size("n_embd"));
    let Some((tokens, hidden)) = config.size("vocab_size").zip(hidden) else {
        return Inspection::skipped("no-sizes");
    };
    let ends = |tensor: &&Tensor, endings: &[&str]| {
        endings.iter().any(|ending| tensor.name.ends_with(ending))
    };
    let embedding = checkpoint.tensors().find(|tensor| ends(tensor, EMBEDDINGS));
    let output = checkpoint.tensors().find(|tensor| ends(tensor, &[OUTPUT]));
    let Some(embedding) = embedding else { return Inspection::skipped("no-embedding") };
    let finding = |tensor: &str, found: Fact| disagrees(config, tensor, found, [tokens, hidden]);
    let mut findings = Vec::new();
    for tensor in [Some(embedding), output].into_iter().flatten() {
        if tensor.shape != [tokens, hidden] {
            findings.push(finding(&tensor.name, Fact::Shape(tensor.shape.clone())));
        }
    }
    let whole = checkpoint.has_every_header();
    let is_causal = config.architectures.iter().any(|name| name.ends_with("ForCausalLM"));
    if output.is_none() && is_causal && model_families::is_tied(config) == Some(false) && whole {
        findings.push(finding(OUTPUT, "–".into()));
    }
    Inspection::with_findings(findings).with("shape", Fact::Shape(vec![tokens, hidden]))
}

fn disagrees(config: &ModelConfig, tensor: &str, found: Fact, wanted: [u64; 2]) -> Diagnostic {
    Diagnostic::new(Code::ShapeDisagrees)
        .with("tensor", tensor)
        .with("found", found)
        .with("wanted", Fact::Shape(wanted.into()))
        .at(Location::file(config.path.as_str()))
}
