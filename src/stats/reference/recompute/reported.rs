//! Figures as somebody printed them.

use super::{Fields, Inputs, Recompute, affordable, count, numbers, whole};
use serde_json::Value;

use crate::stats::Counts;
use crate::stats::proportions::fisher::fisher_exact;
use crate::stats::reported::{
    consistent_counts, implied_size, macro_stderr, pairing_bounds, pooled_stderr, share_stderr,
    weighted_stderr,
};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("lm_eval_harness_stderr", outcome_stderr),
    ("lm_eval_pooled_sample_stderr", stderr_of_tasks),
    ("counts_consistent_with_percentage", printed_counts),
    ("mcnemar_p_bounds_from_marginals", bounds_of_marginals),
];

fn or_none(value: Option<f64>) -> Vec<f64> {
    vec![value.unwrap_or(f64::NAN)]
}

fn outcome_stderr(inputs: &Inputs) -> Option<Fields> {
    let counts = Counts::new(count(inputs, "x")?, count(inputs, "n")?)?;
    let (share, stderr) = (counts.share(), share_stderr(counts));
    let implied = stderr.and_then(|stderr| implied_size(share, stderr));
    Some(vec![
        ("acc", vec![share]),
        ("acc_stderr", or_none(stderr)),
        ("implied_n_from_acc_and_stderr", or_none(implied)),
    ])
}

fn stderr_of_tasks(inputs: &Inputs) -> Option<Fields> {
    let (stderrs, sizes) = (numbers(inputs, "stderrs")?, numbers(inputs, "sizes")?);
    let sizes = sizes.into_iter().map(whole).collect::<Option<Vec<u64>>>()?;
    let tasks: Vec<(f64, u64)> = stderrs.into_iter().zip(sizes).collect();
    Some(vec![
        ("pooled", or_none(pooled_stderr(&tasks))),
        ("stratified_correct_micro", or_none(weighted_stderr(&tasks))),
        ("macro", or_none(macro_stderr(&tasks))),
    ])
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
    let (fewest, most) = (bounds.fewest_discordant as f64, bounds.most_discordant as f64);
    let unpaired = fisher_exact(Counts::new(x_a, n)?, Counts::new(x_b, n)?);
    Some(vec![
        ("discordant_min", vec![fewest]),
        ("discordant_max", vec![most]),
        ("p_min", vec![bounds.p_min]),
        ("p_min_at_discordant", vec![fewest]),
        ("p_max", vec![bounds.p_max]),
        ("p_max_at_discordant", vec![most]),
        ("fisher_unpaired", vec![unpaired]),
    ])
}
