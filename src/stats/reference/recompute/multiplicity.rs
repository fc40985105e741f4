//! Corrections for several comparisons.

use super::{Fields, Inputs, Recompute, number, numbers};
use crate::stats::distribution::normal_two_sided;
use crate::stats::holm;

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] =
    &[("p_adjust", adjusted), ("simultaneous_ci_critical", simultaneous_critical)];

fn adjusted(inputs: &Inputs) -> Option<Fields> {
    Some(vec![("holm", holm(&numbers(inputs, "p")?))])
}

fn simultaneous_critical(inputs: &Inputs) -> Option<Fields> {
    let each = (1.0 - number(inputs, "conf")?) / number(inputs, "m")?;
    Some(vec![("z", vec![normal_two_sided(1.0 - each)])])
}
