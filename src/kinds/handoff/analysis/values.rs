//! The numbers themselves, where they were looked through.

use super::{Inspection, first_names};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{Checkpoint, OddTensor, Shard, WeightScan};
use crate::quantity::Quantity;

pub(super) fn inspect_for_handoff(checkpoint: &Checkpoint) -> Inspection {
    if !checkpoint.is_scanned {
        return Inspection::skipped("not-asked");
    }
    let looked: Vec<(&Shard, &WeightScan)> = checkpoint
        .loaded()
        .into_iter()
        .filter_map(|shard| Some((shard, shard.values.as_ref()?)))
        .collect();
    if looked.is_empty() {
        return Inspection::skipped("no-tensors");
    }
    let mut findings = Vec::new();
    for (shard, WeightScan { odd, .. }) in &looked {
        let not_finite = odd.iter().filter(|values| values.nan + values.infinite > 0);
        let not_finite: Vec<String> = not_finite.map(described).collect();
        let zeros =
            odd.iter().filter(|values| values.only_zeros && !values.tensor.ends_with("bias"));
        let zeros: Vec<String> = zeros.map(|values| values.tensor.clone()).collect();
        for (code, names) in [(Code::WeightsNotFinite, not_finite), (Code::WeightsZero, zeros)] {
            if !names.is_empty() {
                findings.push(
                    Diagnostic::new(code)
                        .with("count", names.len())
                        .with("file", shard.file.as_str())
                        .with("tensors", first_names(names))
                        .at(Location::file(shard.path.as_str())),
                );
            }
        }
    }
    let elements: u64 = looked.iter().map(|(_, scan)| scan.elements).sum();
    Inspection::with_findings(findings).with("elements", Quantity::Count(elements))
}

fn described(odd: &OddTensor) -> String {
    let OddTensor { tensor, nan, infinite, elements, .. } = odd;
    format!("{tensor}: {nan} NaN, {infinite} Inf / {elements}")
}
