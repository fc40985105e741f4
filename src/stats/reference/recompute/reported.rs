//! Figures as somebody printed them.

use super::{Fields, Inputs, Recompute, affordable, count, number};
use serde_json::Value;

use crate::stats::Counts;
use crate::stats::proportions::fisher::fisher_exact;
use crate::stats::reported::{consistent_counts, implied_size, pairing_bounds};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("size_behind_stderr", size),
    ("counts_consistent_with_percentage", printed_counts),
    ("mcnemar_p_bounds_from_marginals", bounds_of_marginals),
];

fn size(inputs: &Inputs) -> Option<Fields> {
    let n = implied_size(number(inputs, "acc")?, number(inputs, "acc_stderr")?);
    Some(vec![("n", vec![n.unwrap_or(f64::NAN)])])
}

fn printed_counts(inputs: &Inputs) -> Option<Fields> {
    let printed = match inputs.get("percent")? {
        Value::String(text) => text.clone(),
        number => number.to_string(),
    };
    let printed = printed.trim().trim_end_matches('%').trim_end();
    let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let of_share = u8::try_from(decimals + 2).ok()?;
    let percent: f64 = printed.parse().ok()?;
    let counts = consistent_counts(percent / 100.0, of_share, count(inputs, "n")?);
    affordable(counts.end().saturating_sub(*counts.start()) as f64)?;
    Some(vec![("counts", counts.map(|count| count as f64).collect())])
}

fn bounds_of_marginals(inputs: &Inputs) -> Option<Fields> {
    let (x_a, x_b, n) = (count(inputs, "x_a")?, count(inputs, "x_b")?, count(inputs, "n")?);
    let bounds = pairing_bounds(x_a, x_b, n)?;
    let unpaired = fisher_exact(Counts::new(x_a, n)?, Counts::new(x_b, n)?);
    Some(vec![
        ("p_min", vec![bounds.p_min]),
        ("p_max", vec![bounds.p_max]),
        ("fisher_unpaired", vec![unpaired]),
    ])
}
