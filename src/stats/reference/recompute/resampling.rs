//! Sign flips, permutations, resamples.

use super::{Fields, Inputs, Recompute, moments, numbers};
use serde_json::Value;

use crate::stats::PairedCounts;
use crate::stats::proportions::paired::mcnemar_exact;
use crate::stats::resampling::sign_flip::{SignFlip, sign_flip_test};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] =
    &[("sign_flip_permutation_exact", sign_flips), ("min_attainable_p", attainable)];

fn sign_flips(inputs: &Inputs) -> Option<Fields> {
    let values = numbers(inputs, "d")?;
    let test = sign_flip_test(&values)?;
    Some(vec![
        ("mean", vec![moments(&values).mean]),
        ("p_two_sided", vec![test.p]),
        ("min_attainable_p", vec![test.attainable]),
    ])
}

/// Designs named by their kind and their number of units: `paired6`, `mcnemar_m6`.
fn attainable(inputs: &Inputs) -> Option<Fields> {
    let smallest = |design: &Value| {
        let name = design.as_str()?;
        let units: u64 =
            name.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().ok()?;
        match name.trim_end_matches(|digit: char| digit.is_ascii_digit()) {
            "paired" => Some(SignFlip::of_one_sign(units).attainable),
            "mcnemar_m" => {
                Some(mcnemar_exact(PairedCounts { gained: units, ..PairedCounts::default() }))
            }
            _ => None,
        }
    };
    let designs = inputs.get("designs")?.as_array()?;
    let p = designs.iter().map(smallest).collect::<Option<Vec<f64>>>()?;
    Some(vec![("p", p)])
}
