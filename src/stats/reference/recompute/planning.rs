//! Sizes and detectable differences.

use super::{Fields, Inputs, Recompute, number, numbers, options};
use crate::stats::planning::answers::QuestionVariance;
use crate::stats::planning::two_share_units;

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] =
    &[("n_two_proportions", two_share_size), ("miller_resampling_variance", resampling)];

fn two_share_size(inputs: &Inputs) -> Option<Fields> {
    let (p1, p2) = (number(inputs, "p1")?, number(inputs, "p2")?);
    Some(vec![("n_per_group", vec![two_share_units(p1, p2, options(inputs))])])
}

/// The mean score of one arm: a difference from something that is known.
fn resampling(inputs: &Inputs) -> Option<Fields> {
    let (questions, answer) = (number(inputs, "var_x")?, number(inputs, "mean_sigma2")?);
    let total = |answers: &f64| {
        QuestionVariance { questions, first: (answer, *answers), second: (0.0, 1.0) }.total()
    };
    Some(vec![("total", numbers(inputs, "K")?.iter().map(total).collect())])
}
