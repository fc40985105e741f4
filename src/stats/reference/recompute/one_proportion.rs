//! One share.

use super::{Fields, Inputs, Recompute, count, level, limits, number, rows, whole};
use std::collections::BTreeMap;

use crate::stats::planning::discordance_bound;
use crate::stats::proportions::one::{clopper_pearson, jeffreys, mid_p, uniform_posterior, wald};
use crate::stats::{Counts, Options, wilson};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("one_proportion_ci_95", one_proportion),
    ("zero_events_upper", zero_events),
    ("bayes_evals_independent_intervals", posterior_of_each),
];

fn one_proportion(inputs: &Inputs) -> Option<Fields> {
    let counts = Counts::new(count(inputs, "x")?, count(inputs, "n")?)?;
    let level = level(inputs);
    Some(vec![
        ("wilson", limits(wilson(counts, level))),
        ("clopper_pearson", limits(clopper_pearson(counts, level))),
        ("midp", limits(mid_p(counts, level))),
        ("jeffreys", limits(jeffreys(counts, level))),
        ("bayes_uniform_equal_tail", limits(uniform_posterior(counts, level))),
        ("wald_clt", limits(wald(counts, level))),
    ])
}

fn zero_events(inputs: &Inputs) -> Option<Fields> {
    let none = Counts::new(0, count(inputs, "n")?)?;
    let (n, level) = (number(inputs, "n")?, level(inputs));
    let options = Options { alpha: 1.0 - level, ..Options::default() };
    Some(vec![
        ("one_sided_exact", vec![discordance_bound(n, options)]),
        ("three_over_n", vec![3.0 / n]),
        ("cp_two_sided_upper", vec![clopper_pearson(none, level).hi]),
    ])
}

/// Systems in the columns of `correct`, samples in its rows; intervals in the order of the names.
fn posterior_of_each(inputs: &Inputs) -> Option<Fields> {
    let names = inputs.get("names")?.as_array()?;
    let rows = rows(inputs, "correct")?;
    let sum = |column: usize| rows.iter().map(|row| row.get(column)).sum::<Option<f64>>();
    let sums = (0..names.len()).map(sum).collect::<Option<Vec<f64>>>()?;
    let mut intervals = BTreeMap::new();
    for (name, sum) in names.iter().zip(&sums) {
        let counts = Counts::new(whole(*sum)?, rows.len() as u64)?;
        intervals.insert(name.as_str()?, limits(uniform_posterior(counts, level(inputs))));
    }
    Some(vec![
        ("n", vec![rows.len() as f64]),
        ("sums", sums),
        ("ci", intervals.into_values().flatten().collect()),
    ])
}
