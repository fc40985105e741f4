//! Several attempts at each problem.

use super::{Fields, Inputs, Recompute, count, limits, numbers, whole};
use crate::stats::Counts;
use crate::stats::repeats::{Benchmark, pass_at_k, pass_hat_k};

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
    let benchmark = Benchmark::pass_at_k(&problems, k)?;
    let all = Benchmark::pass_hat_k(&problems, k)?;
    let none = vec![f64::NAN];
    Some(vec![
        ("mean", vec![benchmark.moments.mean]),
        (
            "se_problem_level",
            benchmark.moments.stderr().map_or(none.clone(), |stderr| vec![stderr]),
        ),
        ("ci95_t", benchmark.interval(0.95).map_or(none.clone(), limits)),
        ("ci95_t_clipped", benchmark.clipped_interval(0.95).map_or(none, limits)),
        ("per_problem", benchmark.per_problem),
        ("pass_hat_k_mean", vec![all.moments.mean]),
    ])
}
