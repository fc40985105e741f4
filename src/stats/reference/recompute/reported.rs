//! Figures as somebody printed them.

use super::{Fields, Inputs, Recompute, count, moments};
use crate::stats::Counts;
use crate::stats::reported::consistent_counts;

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("lm_eval_harness_stderr", outcome_stderr),
    ("counts_consistent_with_percentage", printed_counts),
];

fn outcome_stderr(inputs: &Inputs) -> Option<Fields> {
    let counts = Counts::new(count(inputs, "x")?, count(inputs, "n")?)?;
    let outcomes = (0..counts.n).map(|i| f64::from(u8::from(i < counts.x)));
    let outcomes = moments(&outcomes.collect::<Vec<f64>>());
    Some(vec![("acc", vec![outcomes.mean]), ("acc_stderr", vec![outcomes.stderr()?])])
}

fn printed_counts(inputs: &Inputs) -> Option<Fields> {
    let printed = inputs.get("percent")?.as_str()?;
    let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let decimals = u8::try_from(decimals).ok()?;
    let counts = consistent_counts(printed.parse().ok()?, decimals, count(inputs, "n")?);
    Some(vec![("counts", counts.map(|count| count as f64).collect())])
}
