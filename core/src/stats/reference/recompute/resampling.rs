//! Sign flips, the largest of several t, and the bootstrap.

use super::{Fields, Inputs, Method, affordable, fields, moments, whole};
use crate::stats::resampling::bootstrap::{StudentizedMean, percentile, quantile, resampled};
use crate::stats::resampling::max_t::{self, max_t};
use crate::stats::resampling::sign_flip::{
    self, SignFlip, sign_flip_interval, sign_flip_monte_carlo, sign_flip_test,
};

pub(super) static METHODS: &[Method] = &[
    ("sign_flip_permutation_exact", |inputs| {
        let values = inputs.numbers("d")?;
        let test = sign_flip_test(&values)?;
        fields![
            ("mean", moments(&values).mean),
            ("p_two_sided", test.p),
            ("min_attainable_p", test.attainable),
        ]
    }),
    ("sign_flip_permutation_monte_carlo", |inputs| {
        let values = inputs.numbers("d")?;
        affordable(values.len() as f64 * sign_flip::DRAWS as f64)?;
        fields![("p_two_sided", sign_flip_monte_carlo(&values, inputs.number("alpha")?).p)]
    }),
    ("sign_flip_interval", |inputs| {
        let level = inputs.number("level")?;
        fields![("limits", sign_flip_interval(&inputs.numbers("d")?, level)?)]
    }),
    ("min_attainable_p", |inputs| {
        let smallest = |units: f64| Some(SignFlip::with_one_sign(whole(units)?).attainable);
        let units = inputs.numbers("units")?.into_iter();
        fields![("p", units.map(smallest).collect::<Option<Vec<f64>>>()?)]
    }),
    ("westfall_young_maxT_signflip_exact", |inputs| {
        let columns = inputs.columns("D")?;
        let values: usize = columns.iter().map(Vec::len).sum();
        affordable(values as f64 * max_t::DRAWS as f64)?;
        let test = max_t(&columns)?;
        fields![("t_abs", test.t), ("p_step_down", test.step_down)]
    }),
    ("bootstrap_mean_skewed", bootstrap_mean),
    ("quantile_type7", |inputs| {
        let mut values = inputs.numbers("x")?;
        values.sort_unstable_by(f64::total_cmp);
        let quantiles = inputs.numbers("p")?.into_iter().map(|p| quantile(&values, p));
        fields![("quantiles", quantiles.collect::<Vec<f64>>())]
    }),
];

/// Draws for all resamples of a vector. References have used 200,000 resamples and more, so that
/// only the smallest part of the distance may come from this side.
const DRAWS: usize = 5_000_000;

const FEWEST_RESAMPLES: usize = 999;

fn bootstrap_mean(inputs: &Inputs<'_>) -> Option<Fields> {
    let values = inputs.numbers("x").filter(|values| values.len() > 1)?;
    affordable(values.len() as f64 * FEWEST_RESAMPLES as f64)?;
    let resamples = (DRAWS / values.len()).clamp(FEWEST_RESAMPLES, 499_999);
    let mean =
        |drawn: &[usize]| drawn.iter().map(|unit| values[*unit]).sum::<f64>() / drawn.len() as f64;
    let means = resampled(values.len(), resamples, mean);
    let studentized = StudentizedMean::new(&values, resamples);
    fields![
        ("mean", moments(&values).mean),
        ("percentile_95", percentile(&means, 0.95)),
        ("studentized_95", studentized.and_then(|mean| mean.interval(0.95))),
    ]
}
