//! Sign flips, permutations, and the largest of several t.

use serde_json::Value;

use super::{Fields, Inputs, Recompute, affordable, columns, moments, number, numbers};
use crate::stats::resampling::max_t::{self, max_t, simultaneous_critical};
use crate::stats::resampling::permutation::{self, permutation_test};
use crate::stats::resampling::sign_flip::{
    self, SignFlip, sign_flip_interval, sign_flip_monte_carlo, sign_flip_test,
};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("sign_flip_permutation_exact", sign_flips),
    ("sign_flip_permutation_monte_carlo", random_sign_flips),
    ("sign_flip_interval", inverted_sign_flips),
    ("two_sample_permutation_mean_exact", permutations),
    ("westfall_young_maxT_signflip_exact", largest_t),
    ("simultaneous_critical_signflip", critical_t),
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

fn permutations(inputs: &Inputs) -> Option<Fields> {
    let (first, second) = (numbers(inputs, "x")?, numbers(inputs, "y")?);
    affordable(first.len().min(second.len()) as f64 * permutation::DRAWS as f64)?;
    let test = permutation_test(&first, &second)?;
    Some(vec![
        ("diff", vec![moments(&first).mean - moments(&second).mean]),
        ("p_two_sided", vec![test.p()]),
        ("min_attainable_p", vec![permutation::attainable(first.len(), second.len())]),
    ])
}

fn affordable_columns(inputs: &Inputs) -> Option<Vec<Vec<f64>>> {
    let columns = columns(inputs, "D")?;
    let values: usize = columns.iter().map(Vec::len).sum();
    affordable(values as f64 * max_t::DRAWS as f64).map(|()| columns)
}

fn largest_t(inputs: &Inputs) -> Option<Fields> {
    let test = max_t(&affordable_columns(inputs)?)?;
    Some(vec![
        ("t_abs", test.t),
        ("p_single_step", test.single_step),
        ("p_step_down", test.step_down),
        ("p_raw_signflip_of_t", test.raw),
    ])
}

fn critical_t(inputs: &Inputs) -> Option<Fields> {
    let critical = simultaneous_critical(&affordable_columns(inputs)?, number(inputs, "level")?)?;
    Some(vec![("t", vec![critical])])
}

/// Kinds of designs in which every unit may turn its sign.
const OF_SIGNS: &[&str] =
    &["paired", "mcnemar", "mcnemar_m", "signflip", "sign_flip", "cluster", "clusters"];

/// Designs named by their kind and their number of units (`paired6`, `mcnemar_m6`), or by the sizes
/// of two independent samples (`3v4`).
fn attainable(inputs: &Inputs) -> Option<Fields> {
    let smallest = |design: &Value| {
        let name = design.as_str()?;
        if let Some((first, second)) = name.split_once('v')
            && let (Ok(first), Ok(second)) = (first.parse(), second.parse())
        {
            return (first > 0 && second > 0).then(|| permutation::attainable(first, second));
        }
        let kind = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let units: u64 = name[kind.len()..].parse().ok()?;
        OF_SIGNS
            .contains(&kind.trim_end_matches(['_', '=']))
            .then(|| SignFlip::of_one_sign(units).attainable)
    };
    let designs = inputs.get("designs")?.as_array()?;
    let p = designs.iter().map(smallest).collect::<Option<Vec<f64>>>()?;
    Some(vec![("p", p)])
}
