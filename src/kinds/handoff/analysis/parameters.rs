//! The number of parameters against what the configuration asks for.

use super::{Inspection, model_families};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{Checkpoint, Tensor};
use crate::quantity::Quantity;

/// Endings of tensors that are no parameters.
const BUFFERS: &[&str] = &[".inv_freq", ".masked_bias", ".attn.bias", ".attention.bias"];

pub(super) fn inspect_for_handoff(checkpoint: &Checkpoint) -> Inspection {
    let Some(config) = checkpoint.config.content() else { return Inspection::skipped("no-config") };
    if !checkpoint.has_every_header() {
        return Inspection::skipped("incomplete");
    }
    let tensors: Vec<&Tensor> = checkpoint.tensors().collect();
    if tensors.is_empty() {
        return Inspection::skipped("no-tensors");
    }
    let Some((own, output)) = model_families::parameters(config) else {
        return Inspection::skipped("unknown-family");
    };
    let is_parameter = |tensor: &&&Tensor| !BUFFERS.iter().any(|end| tensor.name.ends_with(end));
    let found: u64 =
        tensors.iter().filter(is_parameter).filter_map(|tensor| tensor.elements()).sum();
    let has_output = tensors.iter().any(|tensor| tensor.name.ends_with("lm_head.weight"));
    let is_tied = model_families::is_tied(config).unwrap_or(!has_output);
    let expected = if is_tied && !has_output { own } else { own + output };
    let differs = (found != expected).then(|| {
        Diagnostic::new(Code::ParameterCount)
            .with("found", Quantity::Count(found))
            .with("expected", Quantity::Count(expected))
            .with("type", config.model_type.as_deref())
            .at(Location::file(config.path.as_str()))
    });
    Inspection::with_findings(differs.into_iter().collect())
        .with("parameters", Quantity::Count(found))
}
