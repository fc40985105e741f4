//! The types that the numbers are stored in.

use indexmap::IndexMap;

use super::Inspection;
use crate::diag::{Code, Diagnostic, Fact, Location};
use crate::model::{Checkpoint, Tensor};
use crate::quantity::{Quantity, Unit};

pub(super) fn inspect_for_handoff(checkpoint: &Checkpoint) -> Inspection {
    let mut parameters: IndexMap<&str, u64> = IndexMap::new();
    for tensor in checkpoint.tensors() {
        *parameters.entry(&tensor.dtype).or_default() += Tensor::elements(tensor).unwrap_or(0);
    }
    parameters.sort_by(|a, m, b, n| n.cmp(m).then(a.cmp(b)));
    let total: u64 = parameters.values().sum();
    let Some((&most, _)) = parameters.first().filter(|_| total > 0) else {
        return Inspection::skipped("no-tensors");
    };
    let config = checkpoint.config.content().filter(|config| !config.is_quantised);
    let declared = config.and_then(|config| Some((config, config.dtype.as_deref()?)));
    let differs = declared.and_then(|(config, written)| {
        (stored_as(written)? != most && stored_as_float(most)).then(|| {
            Diagnostic::new(Code::DtypeDiffers)
                .with("declared", written)
                .with("stored", most)
                .at(Location::file(config.path.as_str()))
        })
    });
    let percent = |count: u64| 100.0 * count as f64 / total as f64;
    let shares = parameters.iter().map(|(dtype, count)| match parameters.len() {
        1 => Fact::from(*dtype),
        _ => Fact::named(*dtype, Quantity::rounded(percent(*count), 2, Unit::Percent)),
    });
    Inspection::with_findings(differs.into_iter().collect())
        .with("shares", shares.collect::<Vec<_>>())
}

/// The name in safetensors files of a type that a configuration names.
fn stored_as(written: &str) -> Option<&'static str> {
    Some(match written.strip_prefix("torch.").unwrap_or(written) {
        "bfloat16" => "BF16",
        "float16" | "half" => "F16",
        "float32" | "float" => "F32",
        "float64" | "double" => "F64",
        _ => return None,
    })
}

fn stored_as_float(dtype: &str) -> bool {
    matches!(dtype, "BF16" | "F16" | "F32" | "F64")
}
