//! Means and differences of means.

use super::{Fields, Inputs, Recompute, count, limits, moments, number, numbers};
use std::collections::BTreeMap;

use serde_json::Value;

use crate::stats::distribution::t_sf;
use crate::stats::means::clustered::{ClusteredMean, cluster_t, clustered_mean};
use crate::stats::means::one::t_interval;
use crate::stats::means::paired::paired_t;
use crate::stats::means::welch::Welch;
use crate::stats::{ClusterSums, DifferenceSample, Moments, mean_interval};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("paired_t", paired_student),
    ("tost_paired", tost_paired),
    ("welch_t", welch),
    ("welch_t_from_summary", welch_from_summary),
    ("tost_two_sample_welch", tost_welch),
    ("clustered_se_mean", clustered),
    ("paired_difference_clustered", paired_clustered),
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
        ("ci95", limits(mean_interval(sample.differences, 0.95)?)),
    ])
}

/// Two one-sided t tests against the limits `low` and `upp`.
fn tost(inputs: &Inputs, estimate: f64, stderr: f64, df: f64) -> Option<Fields> {
    let lower = t_sf((estimate - number(inputs, "low")?) / stderr, df);
    let upper = t_sf((number(inputs, "upp")? - estimate) / stderr, df);
    Some(vec![
        ("p", vec![lower.max(upper)]),
        ("p_lower", vec![lower]),
        ("p_upper", vec![upper]),
        ("ci90", limits(t_interval(estimate, stderr, df, 0.90))),
    ])
}

fn tost_paired(inputs: &Inputs) -> Option<Fields> {
    let differences = differences(inputs)?.differences;
    tost(inputs, differences.mean, differences.stderr()?, (differences.n - 1) as f64)
}

fn welch_of_samples(inputs: &Inputs) -> Option<Welch> {
    Welch::new(moments(&numbers(inputs, "y")?), moments(&numbers(inputs, "x")?))
}

fn welch_fields(welch: Welch) -> Option<Fields> {
    let test = welch.test();
    Some(vec![
        ("t", vec![test.statistic?]),
        ("df", vec![welch.df]),
        ("p", vec![test.p]),
        ("ci95", limits(t_interval(welch.delta, welch.stderr, welch.df, 0.95))),
    ])
}

fn welch(inputs: &Inputs) -> Option<Fields> {
    welch_fields(welch_of_samples(inputs)?)
}

fn welch_from_summary(inputs: &Inputs) -> Option<Fields> {
    let arm = |mean: &str, sd: &str, n: &str| {
        let n = count(inputs, n)?;
        let m2 = number(inputs, sd)?.powi(2) * n.checked_sub(1)? as f64;
        Some(Moments { n, mean: number(inputs, mean)?, m2 })
    };
    welch_fields(Welch::new(arm("mean2", "sd2", "n2")?, arm("mean1", "sd1", "n1")?)?)
}

fn tost_welch(inputs: &Inputs) -> Option<Fields> {
    let welch = welch_of_samples(inputs)?;
    tost(inputs, welch.delta, welch.stderr, welch.df)
}

/// Sums and counts of the values per cluster label.
fn cluster_sums(values: &[f64], labels: &Value) -> Option<ClusterSums> {
    let mut sums: BTreeMap<String, (f64, u64)> = BTreeMap::new();
    for (value, label) in values.iter().zip(labels.as_array()?) {
        let (sum, count) = sums.entry(label.to_string()).or_default();
        *sum += value;
        *count += 1;
    }
    Some(ClusterSums { clusters: sums.into_values().collect() })
}

fn clustered(inputs: &Inputs) -> Option<Fields> {
    let scores = numbers(inputs, "scores")?;
    let estimate = clustered_mean(&cluster_sums(&scores, inputs.get("clusters")?)?)?;
    let ClusteredMean { mean, cr0, cr1, clusters } = estimate;
    let df = (clusters - 1) as f64;
    Some(vec![
        ("mean", vec![mean]),
        ("se_naive", vec![moments(&scores).stderr()?]),
        ("se_CR0_miller", vec![cr0]),
        ("se_CR1", vec![cr1]),
        ("df_CR1", vec![df]),
        ("ci95_CR1_t", limits(t_interval(mean, cr1, df, 0.95))),
    ])
}

fn paired_clustered(inputs: &Inputs) -> Option<Fields> {
    let (first, second) = (numbers(inputs, "a")?, numbers(inputs, "b")?);
    let differences: Vec<f64> = first.iter().zip(&second).map(|(a, b)| a - b).collect();
    let estimate = clustered_mean(&cluster_sums(&differences, inputs.get("clusters")?)?)?;
    let (first, second) = (moments(&first).stderr()?, moments(&second).stderr()?);
    let test = cluster_t(estimate);
    Some(vec![
        ("diff", vec![estimate.mean]),
        ("se_a", vec![first]),
        ("se_b", vec![second]),
        ("se_unpaired", vec![first.hypot(second)]),
        ("se_paired", vec![moments(&differences).stderr()?]),
        ("se_paired_cluster_CR0", vec![estimate.cr0]),
        ("se_paired_cluster_CR1", vec![estimate.cr1]),
        ("t_CR1", vec![test.statistic?]),
        ("df", vec![(estimate.clusters - 1) as f64]),
        ("p", vec![test.p]),
    ])
}
