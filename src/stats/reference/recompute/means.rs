//! Means and differences of means.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Fields, Inputs, Recompute, count, level, limits, moments, number, numbers, options};
use crate::stats::distribution::{normal_two_sided, t_two_sided_p};
use crate::stats::means::clustered::{
    ClusteredMean, clustered_mean, intraclass_correlation, two_way_clustered_mean,
};
use crate::stats::means::one::{Equivalence, sd_interval, t_interval};
use crate::stats::means::paired::{paired_stderr, paired_t};
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
    ("two_way_clustered_se_mean", two_way_clustered),
    ("paired_se_from_summary", paired_from_summary),
    ("paired_moments", paired_moments),
    ("chi2_ci_for_sd", sd_limits),
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

/// Two one-sided t tests against the limits `low` and `upp`.
fn tost(inputs: &Inputs, estimate: f64, stderr: f64, df: f64) -> Option<Fields> {
    let (low, high) = (number(inputs, "low")?, number(inputs, "upp")?);
    let found = Equivalence::new(estimate, stderr, df, low, high);
    let level = 1.0 - 2.0 * options(inputs).alpha;
    Some(vec![
        ("p", vec![found.p()]),
        ("p_lower", vec![found.above_lower]),
        ("p_upper", vec![found.below_upper]),
        ("ci90", limits(t_interval(estimate, stderr, df, level))),
    ])
}

fn tost_paired(inputs: &Inputs) -> Option<Fields> {
    let differences = differences(inputs)?.differences;
    tost(inputs, differences.mean, differences.stderr()?, (differences.n - 1) as f64)
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

fn tost_welch(inputs: &Inputs) -> Option<Fields> {
    let welch = welch_of_samples(inputs)?;
    tost(inputs, welch.delta, welch.stderr, welch.df)
}

/// Moments of the values per cluster label.
fn clusters(values: &[f64], labels: &Value) -> Option<Vec<Moments>> {
    let mut clusters: BTreeMap<String, Moments> = BTreeMap::new();
    for (value, label) in values.iter().zip(labels.as_array()?) {
        clusters.entry(label.to_string()).or_default().add(*value);
    }
    Some(clusters.into_values().collect())
}

/// Sums and counts of the values per cluster label.
fn cluster_sums(values: &[f64], labels: &Value) -> Option<ClusterSums> {
    let labels = labels.as_array()?.iter().map(ToString::to_string);
    Some(ClusterSums::of(labels.zip(values.iter().copied())))
}

fn clustered(inputs: &Inputs) -> Option<Fields> {
    let (scores, labels) = (numbers(inputs, "scores")?, inputs.get("clusters")?);
    let estimate = clustered_mean(&cluster_sums(&scores, labels)?)?;
    let ClusteredMean { mean, cr0, cr1, cr2, cr2_df, clusters: count } = estimate;
    let df = (count - 1) as f64;
    let naive = moments(&scores).stderr()?;
    let correlation = intraclass_correlation(&clusters(&scores, labels)?);
    Some(vec![
        ("mean", vec![mean]),
        ("se_naive", vec![naive]),
        ("se_CR0_miller", vec![cr0]),
        ("se_CR1", vec![cr1]),
        ("se_CR2", vec![cr2]),
        ("df_CR1", vec![df]),
        ("df_CR2", vec![cr2_df]),
        ("ci95_CR1_t", limits(t_interval(mean, cr1, df, level(inputs)))),
        ("ci95_CR2_t", limits(t_interval(mean, cr2, cr2_df, level(inputs)))),
        ("design_effect_CR0", vec![(cr0 / naive).powi(2)]),
        ("design_effect_CR1", vec![(cr1 / naive).powi(2)]),
        ("icc", vec![correlation.unwrap_or(f64::NAN)]),
    ])
}

/// The differences are judged by CR1 whatever the sizes of the clusters.
fn paired_clustered(inputs: &Inputs) -> Option<Fields> {
    let (first, second) = (numbers(inputs, "a")?, numbers(inputs, "b")?);
    let mut sample = DifferenceSample::default();
    first.iter().zip(&second).for_each(|(first, second)| sample.add(*second, *first));
    let differences: Vec<f64> = first.iter().zip(&second).map(|(a, b)| a - b).collect();
    let estimate = clustered_mean(&cluster_sums(&differences, inputs.get("clusters")?)?)?;
    let (first, second) = (sample.candidate.stderr()?, sample.baseline.stderr()?);
    let (t, df) = (estimate.mean / estimate.cr1, (estimate.clusters - 1) as f64);
    Some(vec![
        ("diff", vec![estimate.mean]),
        ("se_a", vec![first]),
        ("se_b", vec![second]),
        ("corr", vec![sample.correlation().unwrap_or(f64::NAN)]),
        ("se_unpaired", vec![first.hypot(second)]),
        ("se_paired", vec![sample.differences.stderr()?]),
        ("se_paired_cluster_CR0", vec![estimate.cr0]),
        ("se_paired_cluster_CR1", vec![estimate.cr1]),
        ("se_paired_cluster_CR2", vec![estimate.cr2]),
        ("t_CR1", vec![t]),
        ("df", vec![df]),
        ("df_CR2", vec![estimate.cr2_df]),
        ("p", vec![t_two_sided_p(t, df)]),
    ])
}

fn two_way_clustered(inputs: &Inputs) -> Option<Fields> {
    let scores = numbers(inputs, "scores")?;
    let (first, second) = (inputs.get("clusters")?, inputs.get("other_clusters")?);
    let pairs = first.as_array()?.iter().zip(second.as_array()?);
    let both = pairs.map(|(one, other)| Value::from(vec![one.clone(), other.clone()])).collect();
    let sums = |labels: &Value| cluster_sums(&scores, labels);
    let found = two_way_clustered_mean(&sums(first)?, &sums(second)?, &sums(&both)?)?;
    Some(vec![("mean", vec![found.mean]), ("se", vec![found.stderr]), ("df", vec![found.df])])
}

fn paired_from_summary(inputs: &Inputs) -> Option<Fields> {
    let (first, second) = (number(inputs, "p_a")?, number(inputs, "p_b")?);
    let n = number(inputs, "n")?;
    let stderr = |share: f64| (share * (1.0 - share) / n).sqrt();
    let paired = paired_stderr(stderr(first), stderr(second), number(inputs, "corr")?);
    let half = normal_two_sided(level(inputs)) * paired;
    let delta = first - second;
    Some(vec![
        ("diff", vec![delta]),
        ("se_a", vec![stderr(first)]),
        ("se_b", vec![stderr(second)]),
        ("se_paired", vec![paired]),
        ("ci95", vec![delta - half, delta + half]),
    ])
}

fn paired_moments(inputs: &Inputs) -> Option<Fields> {
    let sample = differences(inputs)?;
    let or_none = |value: Option<f64>| vec![value.unwrap_or(f64::NAN)];
    Some(vec![
        ("corr", or_none(sample.correlation())),
        ("variance_reduction", or_none(sample.variance_reduction())),
        ("skewness", or_none(sample.skewness())),
    ])
}

fn sd_limits(inputs: &Inputs) -> Option<Fields> {
    let interval = sd_interval(number(inputs, "sd")?, count(inputs, "n")?, level(inputs))?;
    Some(vec![("ci", limits(interval))])
}
