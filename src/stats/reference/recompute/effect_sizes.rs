//! Effect sizes of two samples.

use super::{Fields, Inputs, Recompute, moments, numbers};
use crate::stats::means::effect_size::standardised_difference;
use crate::stats::ranks::rank_sum::RankSum;

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[("effect_sizes_two_sample", effect_sizes)];

fn effect_sizes(inputs: &Inputs) -> Option<Fields> {
    let (first, second) = (numbers(inputs, "x")?, numbers(inputs, "y")?);
    let ranks = RankSum::new(&first, &second)?;
    let found = standardised_difference(moments(&second), moments(&first));
    let or_none = |value: Option<f64>| vec![value.unwrap_or(f64::NAN)];
    Some(vec![
        ("cohens_d", or_none(found.map(|found| found.cohen_d))),
        ("hedges_g_exact", or_none(found.map(|found| found.hedges_g))),
        ("hedges_g_approx", or_none(found.map(|found| found.hedges_g_approximate))),
        ("cliffs_delta", vec![ranks.cliff_delta()]),
        ("prob_superiority", vec![ranks.superiority()]),
    ])
}
