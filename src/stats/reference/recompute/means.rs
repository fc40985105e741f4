//! Means and differences of means.

use serde_json::Value;

use super::{Fields, Inputs, Recompute, count, level, limits, moments, number, numbers};
use crate::stats::means::clustered::{ClusteredMean, cluster_t, clustered_mean};
use crate::stats::means::one::t_interval;
use crate::stats::means::paired::paired_t;
use crate::stats::means::welch::Welch;
use crate::stats::{ClusterSums, DifferenceSample, Moments, mean_interval};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("paired_t", paired_student),
    ("welch_t", welch),
    ("welch_t_from_summary", welch_from_summary),
    ("clustered_se_mean", clustered),
    ("paired_moments", paired_moments),
];

/// First minus second sample.
fn differences(inputs: &Inputs) -> Option<DifferenceSample> {
    let (first, second) = (numbers(inputs, "x")?, numbers(inputs, "y")?);
    let mut sample = DifferenceSample::default();
    first.iter().zip(&second).for_each(|(first, second)| sample.add(*second, *first));
    Some(sample)
}

fn paired_student(inputs: &Inputs) -> Option<Fields> {
    let sample = differences(inputs)?;
    let test = paired_t(&sample)?;
    Some(vec![
        ("diff", vec![sample.differences.mean]),
        ("t", vec![test.statistic?]),
        ("df", vec![(sample.differences.n - 1) as f64]),
        ("p", vec![test.p]),
        ("ci95", limits(mean_interval(sample.differences, level(inputs))?)),
    ])
}

fn welch_of_samples(inputs: &Inputs) -> Option<Welch> {
    Welch::new(moments(&numbers(inputs, "y")?), moments(&numbers(inputs, "x")?))
}

fn welch_fields(inputs: &Inputs, welch: Welch) -> Option<Fields> {
    let test = welch.test();
    Some(vec![
        ("t", vec![test.statistic?]),
        ("df", vec![welch.df]),
        ("p", vec![test.p]),
        ("ci95", limits(t_interval(welch.delta, welch.stderr, welch.df, level(inputs)))),
    ])
}

fn welch(inputs: &Inputs) -> Option<Fields> {
    welch_fields(inputs, welch_of_samples(inputs)?)
}

fn welch_from_summary(inputs: &Inputs) -> Option<Fields> {
    let arm = |mean: &str, sd: &str, n: &str| {
        let n = count(inputs, n)?;
        let m2 = number(inputs, sd)?.powi(2) * n.checked_sub(1)? as f64;
        Some(Moments::new(n, number(inputs, mean)?, m2))
    };
    welch_fields(inputs, Welch::new(arm("mean2", "sd2", "n2")?, arm("mean1", "sd1", "n1")?)?)
}

/// Sums and counts of the values per cluster label.
fn cluster_sums(values: &[f64], labels: &Value) -> Option<ClusterSums> {
    let labels = labels.as_array()?.iter().map(ToString::to_string);
    Some(ClusterSums::of(labels.zip(values.iter().copied())))
}

fn clustered(inputs: &Inputs) -> Option<Fields> {
    let scores = numbers(inputs, "scores")?;
    let estimate = clustered_mean(&cluster_sums(&scores, inputs.get("clusters")?)?)?;
    let ClusteredMean { mean, cr1, cr2, cr2_df, clusters } = estimate;
    let (df, level) = ((clusters - 1) as f64, level(inputs));
    Some(vec![
        ("mean", vec![mean]),
        ("se_naive", vec![moments(&scores).stderr()?]),
        ("se_CR1", vec![cr1]),
        ("se_CR2", vec![cr2]),
        ("df_CR1", vec![df]),
        ("df_CR2", vec![cr2_df]),
        ("ci95_CR1_t", limits(t_interval(mean, cr1, df, level))),
        ("ci95_CR2_t", limits(t_interval(mean, cr2, cr2_df, level))),
        ("p", vec![cluster_t(estimate).p]),
    ])
}

fn paired_moments(inputs: &Inputs) -> Option<Fields> {
    let sample = differences(inputs)?;
    Some(vec![("skewness", vec![sample.skewness().unwrap_or(f64::NAN)])])
}
