//! Sizes and detectable differences.

use super::{Fields, Inputs, Recompute, number, options};
use crate::stats::planning::{Estimation, two_share_units, units_for_mean};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] =
    &[("n_two_proportions", two_share_size), ("n_paired_t", paired_size)];

fn two_share_size(inputs: &Inputs) -> Option<Fields> {
    let (p1, p2) = (number(inputs, "p1")?, number(inputs, "p2")?);
    Some(vec![("n_per_group", vec![two_share_units(p1, p2, options(inputs))])])
}

fn paired_size(inputs: &Inputs) -> Option<Fields> {
    let (delta, sd) = (number(inputs, "delta")?, number(inputs, "sd")?);
    let n = units_for_mean(sd * sd, delta, Estimation::OneSample, options(inputs));
    Some(vec![("n", vec![n])])
}
