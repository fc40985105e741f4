//! Scores of seeds × items.

use super::{Fields, Inputs, Recompute, limits, number, rows};
use crate::stats::means::crossed::{Axis, crossed, crossed_difference};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] =
    &[("two_way_variance_components", components), ("crossed_difference", difference)];

fn components(inputs: &Inputs) -> Option<Fields> {
    let crossed = crossed(&rows(inputs, "scores_seed_by_item")?)?;
    Some(vec![
        ("grand", vec![crossed.grand]),
        ("se_seed_only", vec![crossed.seed_stderr()]),
        ("MS_seed", vec![crossed.ms_seed]),
        ("MS_resid", vec![crossed.ms_residual]),
    ])
}

fn difference(inputs: &Inputs) -> Option<Fields> {
    let found = crossed_difference(&rows(inputs, "baseline")?, &rows(inputs, "candidate")?)?;
    let conf = number(inputs, "conf").unwrap_or(0.95);
    Some(vec![
        ("delta", vec![found.delta]),
        ("se", vec![found.stderr]),
        ("df", vec![found.df]),
        ("p", vec![found.test().p]),
        ("ci", limits(found.interval(conf))),
        ("seeds_dominate", vec![f64::from(u8::from(found.dominant == Axis::Seeds))]),
    ])
}
