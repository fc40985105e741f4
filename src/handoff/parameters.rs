//! The number of parameters against what the configuration asks for.

use super::{Check, Seen, families};
use crate::diag::{Code, Diagnostic, Explanation, Location};
use crate::model::{Checkpoint, Tensor};
use crate::quantity;

pub(super) const CHECK: Check = Check { id: "parameters", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[Explanation::new(
    Code::ParameterCount,
    "The elements of all tensors, buffers aside, are not as many as follow from `config.json`. \
     Worked out for causal language models of the types llama, mistral, qwen2, qwen3 and gpt2 that \
     are not quantised; others are counted and not judged. A tied output matrix may be stored or \
     not. Not counted while a file is missing or its header broken.",
    "Weights and configuration belong to different models, or a part of the weights is missing or \
     surplus. Loaders fill what is missing with random numbers and say so only in a log.",
)];

/// Endings of tensors that are no parameters.
const BUFFERS: &[&str] = &[".inv_freq", ".masked_bias", ".attn.bias", ".attention.bias"];

fn run(checkpoint: &Checkpoint) -> Seen {
    let Some(config) = checkpoint.config.content() else { return Seen::skipped("no-config") };
    if !checkpoint.has_every_header() {
        return Seen::skipped("incomplete");
    }
    let tensors: Vec<&Tensor> = checkpoint.tensors().collect();
    if tensors.is_empty() {
        return Seen::skipped("no-tensors");
    }
    let Some((own, output)) = families::parameters(config) else {
        return Seen::skipped("unknown-family");
    };
    let is_parameter = |tensor: &&&Tensor| !BUFFERS.iter().any(|end| tensor.name.ends_with(end));
    let found: u64 =
        tensors.iter().filter(is_parameter).filter_map(|tensor| tensor.elements()).sum();
    let has_output = tensors.iter().any(|tensor| tensor.name.ends_with("lm_head.weight"));
    let is_tied = families::is_tied(config).unwrap_or(!has_output);
    let expected = if is_tied && !has_output { own } else { own + output };
    let differs = (found != expected).then(|| {
        Diagnostic::new(Code::ParameterCount)
            .with("found", quantity::count(found))
            .with("expected", quantity::count(expected))
            .with("type", config.model_type.as_deref().unwrap_or("?"))
            .at(Location::file(config.path.as_str()))
    });
    Seen::of(differs.into_iter().collect()).with("parameters", found)
}
