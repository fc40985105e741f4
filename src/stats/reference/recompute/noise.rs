//! Noise between runs of one configuration.

use super::{Fields, Inputs, Recompute, number, numbers};
use crate::stats::noise::RunNoise;

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[("noise_floor", floor)];

fn floor(inputs: &Inputs) -> Option<Fields> {
    let noise = RunNoise::of(&numbers(inputs, "figures")?)?;
    let alpha = number(inputs, "alpha")?;
    let difference = number(inputs, "difference")?;
    Some(vec![
        ("sd", vec![noise.sd]),
        ("floor", vec![noise.floor(alpha)]),
        ("p", vec![noise.p_value(difference)]),
    ])
}
