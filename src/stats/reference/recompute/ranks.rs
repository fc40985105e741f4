//! Tests by ranks.

use super::{Fields, Inputs, Recompute, numbers};
use crate::stats::ranks::rank_sum::RankSum;
use crate::stats::ranks::signed_rank::{SignedRanks, Zeros};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("wilcoxon_signed_rank_exact", signed_rank),
    ("wilcoxon_signed_rank_ties", signed_rank_with_ties),
    ("wilcoxon_zsplit", split_zeros),
    ("mann_whitney_exact", rank_sum),
    ("mann_whitney_ties", rank_sum_with_ties),
];

/// The differences `d`, or `x` − `y`, and the size of the largest score.
fn differences(inputs: &Inputs) -> Option<(Vec<f64>, f64)> {
    let largest = |values: &[f64]| values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    if let Some(differences) = numbers(inputs, "d") {
        let scale = largest(&differences);
        return Some((differences, scale));
    }
    let (first, second) = (numbers(inputs, "x")?, numbers(inputs, "y")?);
    let scale = largest(&first).max(largest(&second));
    let differences = first.iter().zip(&second).map(|(first, second)| first - second).collect();
    Some((differences, scale))
}

fn signed_ranks(inputs: &Inputs, zeros: Zeros) -> Option<SignedRanks> {
    let (differences, scale) = differences(inputs)?;
    Some(SignedRanks::new(&differences, scale, zeros))
}

/// Where there are too many differences to count, the two-sided p is the normal approximation's.
fn signed_rank(inputs: &Inputs) -> Option<Fields> {
    let ranks = signed_ranks(inputs, Zeros::Dropped)?;
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
    let dropped = signed_ranks(inputs, Zeros::Dropped)?;
    let ranked = signed_ranks(inputs, Zeros::Ranked)?;
    Some(vec![
        ("wilcox_W_plus", vec![dropped.plus()]),
        ("wilcox_exact_conditional_p", vec![dropped.test().p]),
        ("wilcox_normal_nocc_p", vec![dropped.normal_p()]),
        ("pratt_W_plus", vec![ranked.plus()]),
        ("pratt_exact_conditional_p", vec![ranked.test().p]),
        ("pratt_normal_nocc_p", vec![ranked.normal_p()]),
    ])
}

/// Demšar's R⁺ belongs to the problems on which the second sample is the larger.
fn split_zeros(inputs: &Inputs) -> Option<Fields> {
    let (minus, plus, z) = signed_ranks(inputs, Zeros::Ranked)?.split();
    Some(vec![
        ("R_plus", vec![plus]),
        ("R_minus", vec![minus]),
        ("T", vec![plus.min(minus)]),
        ("z", vec![z]),
    ])
}

fn ranks(inputs: &Inputs) -> Option<RankSum> {
    RankSum::new(&numbers(inputs, "x")?, &numbers(inputs, "y")?)
}

fn rank_sum(inputs: &Inputs) -> Option<Fields> {
    let ranks = ranks(inputs)?;
    let less = ranks.exact().map_or(f64::NAN, |exact| exact.less);
    Some(vec![
        ("U1", vec![ranks.u()]),
        ("p_two_sided", vec![ranks.test().p]),
        ("p_less", vec![less]),
    ])
}

fn rank_sum_with_ties(inputs: &Inputs) -> Option<Fields> {
    let ranks = ranks(inputs)?;
    Some(vec![
        ("U1", vec![ranks.u()]),
        ("p_asym_cc", vec![ranks.normal_p(0.5)]),
        ("p_asym_nocc", vec![ranks.normal_p(0.0)]),
        ("p_exact_permutation", vec![ranks.test().p]),
    ])
}
