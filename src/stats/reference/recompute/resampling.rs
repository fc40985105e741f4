//! Sign flips, permutations, and the largest of several t.

use super::{Fields, Inputs, Recompute, affordable, columns, moments, number, numbers, whole};
use crate::stats::resampling::max_t::{self, max_t};
use crate::stats::resampling::sign_flip::{
    self, SignFlip, sign_flip_interval, sign_flip_monte_carlo, sign_flip_test,
};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("sign_flip_permutation_exact", sign_flips),
    ("sign_flip_permutation_monte_carlo", random_sign_flips),
    ("sign_flip_interval", inverted_sign_flips),
    ("westfall_young_maxT_signflip_exact", largest_t),
    ("min_attainable_p", attainable),
];

fn sign_flips(inputs: &Inputs) -> Option<Fields> {
    let values = numbers(inputs, "d")?;
    let test = sign_flip_test(&values)?;
    Some(vec![
        ("mean", vec![moments(&values).mean]),
        ("p_two_sided", vec![test.p]),
        ("min_attainable_p", vec![test.attainable]),
    ])
}

fn random_sign_flips(inputs: &Inputs) -> Option<Fields> {
    let values = numbers(inputs, "d")?;
    affordable(values.len() as f64 * sign_flip::DRAWS as f64)?;
    let test = sign_flip_monte_carlo(&values, number(inputs, "alpha")?);
    Some(vec![("p_two_sided", vec![test.p])])
}

fn inverted_sign_flips(inputs: &Inputs) -> Option<Fields> {
    let interval = sign_flip_interval(&numbers(inputs, "d")?, number(inputs, "level")?)?;
    Some(vec![("limits", super::limits(interval))])
}

fn largest_t(inputs: &Inputs) -> Option<Fields> {
    let columns = columns(inputs, "D")?;
    let values: usize = columns.iter().map(Vec::len).sum();
    affordable(values as f64 * max_t::DRAWS as f64)?;
    let test = max_t(&columns)?;
    Some(vec![("t_abs", test.t), ("p_step_down", test.step_down)])
}

/// For samples of so many units that may each turn their sign.
fn attainable(inputs: &Inputs) -> Option<Fields> {
    let smallest = |units: f64| Some(SignFlip::of_one_sign(whole(units)?).attainable);
    let p = numbers(inputs, "units")?.into_iter().map(smallest).collect::<Option<Vec<f64>>>()?;
    Some(vec![("p", p)])
}
