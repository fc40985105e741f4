//! Bootstrap distributions and intervals.

use super::{Fields, Inputs, Recompute, affordable, limits, moments, numbers};
use crate::stats::resampling::bootstrap::{StudentizedMean, quantile};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] =
    &[("bootstrap_mean_skewed", mean), ("quantile_type7", type_7)];

/// Draws for all resamples of a vector. References have used 200,000 resamples and more, so that
/// only the smallest part of the distance may come from this side.
const DRAWS: usize = 5_000_000;

const FEWEST_RESAMPLES: usize = 999;

fn mean(inputs: &Inputs) -> Option<Fields> {
    let values = numbers(inputs, "x").filter(|values| values.len() > 1)?;
    affordable(values.len() as f64 * FEWEST_RESAMPLES as f64)?;
    let resamples = (DRAWS / values.len()).clamp(FEWEST_RESAMPLES, 499_999);
    let studentized = StudentizedMean::new(&values, resamples).and_then(|mean| mean.interval(0.95));
    Some(vec![
        ("mean", vec![moments(&values).mean]),
        ("studentized_95", studentized.map_or(vec![f64::NAN], limits)),
    ])
}

fn type_7(inputs: &Inputs) -> Option<Fields> {
    let mut values = numbers(inputs, "x")?;
    values.sort_unstable_by(f64::total_cmp);
    let quantiles = numbers(inputs, "p")?.iter().map(|p| quantile(&values, *p)).collect();
    Some(vec![("quantiles", quantiles)])
}
