//! Tests by ranks.

use super::{Fields, Inputs, Recompute, numbers};
use crate::stats::signed_ranks::SignedRanks;

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("wilcoxon_signed_rank_exact", signed_rank),
    ("wilcoxon_signed_rank_ties", signed_rank_with_ties),
];

/// The ranks of the differences `d`, or of `x` − `y`.
fn ranks(inputs: &Inputs) -> Option<SignedRanks> {
    let largest = |values: &[f64]| values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    if let Some(differences) = numbers(inputs, "d") {
        return Some(SignedRanks::new(&differences, largest(&differences)));
    }
    let (first, second) = (numbers(inputs, "x")?, numbers(inputs, "y")?);
    let scale = largest(&first).max(largest(&second));
    let differences: Vec<f64> =
        first.iter().zip(&second).map(|(first, second)| first - second).collect();
    Some(SignedRanks::new(&differences, scale))
}

/// Where there are too many differences to count, the two-sided p is the normal approximation's.
fn signed_rank(inputs: &Inputs) -> Option<Fields> {
    let ranks = ranks(inputs)?;
    let (greater, less) = ranks.exact_upper_tails().unwrap_or((f64::NAN, f64::NAN));
    Some(vec![
        ("W_plus", vec![ranks.plus()]),
        ("W_minus", vec![ranks.minus()]),
        ("p_two_sided", vec![ranks.test().p]),
        ("p_greater", vec![greater]),
        ("p_less", vec![less]),
    ])
}

fn signed_rank_with_ties(inputs: &Inputs) -> Option<Fields> {
    let ranks = ranks(inputs)?;
    Some(vec![
        ("pratt_W_plus", vec![ranks.plus()]),
        ("pratt_exact_conditional_p", vec![ranks.test().p]),
        ("pratt_normal_nocc_p", vec![ranks.normal_p()]),
    ])
}
