//! Several attempts at each problem.

use super::{Fields, Inputs, Recompute, count, limits, moments, numbers, whole};
use crate::stats::repeats::{pass_at_k, pass_hat_k};
use crate::stats::{Counts, mean_interval};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] =
    &[("pass_at_k", one_problem), ("pass_at_k_benchmark", benchmark)];

fn one_problem(inputs: &Inputs) -> Option<Fields> {
    let attempts = Counts::new(count(inputs, "c")?, count(inputs, "n")?)?;
    let k = count(inputs, "k")?;
    Some(vec![
        ("pass_at_k", vec![pass_at_k(attempts, k)?]),
        ("pass_hat_k", vec![pass_hat_k(attempts, k)?]),
    ])
}

/// Problems with one number of attempts for all of them, or one for each.
fn benchmark(inputs: &Inputs) -> Option<Fields> {
    let counts =
        |key: &str| -> Option<Vec<u64>> { numbers(inputs, key)?.into_iter().map(whole).collect() };
    let successes = counts("c")?;
    let attempts = match count(inputs, "n") {
        Some(all) => vec![all; successes.len()],
        None => counts("n")?,
    };
    if attempts.len() != successes.len() {
        return None;
    }
    let problems: Vec<Counts> =
        successes.iter().zip(&attempts).map(|(c, n)| Counts::new(*c, *n)).collect::<Option<_>>()?;
    let k = count(inputs, "k")?;
    let chances: Vec<f64> =
        problems.iter().map(|attempts| pass_at_k(*attempts, k)).collect::<Option<_>>()?;
    let over_problems = moments(&chances);
    Some(vec![
        ("mean", vec![over_problems.mean]),
        ("se_problem_level", vec![over_problems.stderr().unwrap_or(f64::NAN)]),
        ("ci95_t", mean_interval(over_problems, 0.95).map_or(vec![f64::NAN], limits)),
        ("per_problem", chances),
    ])
}
