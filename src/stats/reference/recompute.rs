//! Which function answers which method of a reference vector.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::flatten;
use crate::stats::distribution::{
    normal_sf, normal_two_sided, normal_two_sided_p, regularized_incomplete_beta, t_sf,
    t_upper_quantile,
};
use crate::stats::independent_binary::{
    Arm, constrained_share, miettinen_nurminen, score_test, score_z,
};
use crate::stats::independent_real::Welch;
use crate::stats::mean::t_interval;
use crate::stats::paired_binary::{mcnemar_exact, mcnemar_midp, tango_interval, tango_z};
use crate::stats::paired_clustered::{ClusteredMean, cluster_t, clustered_mean};
use crate::stats::paired_real::paired_t;
use crate::stats::power::{
    Estimation, connor_pairs, discordance_bound, two_share_units, units_for_mean,
};
use crate::stats::reported_rate::consistent_counts;
use crate::stats::sign_flip::{SignFlip, sign_flip_test};
use crate::stats::{
    ClusterSums, Counts, DifferenceSample, Interval, Moments, Options, PairedCounts, holm,
    mean_interval, wilson,
};

type Inputs = Map<String, Value>;
type Fields = Vec<(&'static str, Vec<f64>)>;
type Recompute = fn(&Inputs) -> Option<Fields>;

/// Method names and their functions.
static METHODS: &[(&str, Recompute)] = &[
    ("student_t_quantile", student_t_quantile),
    ("student_t_sf", student_t_sf),
    ("normal_sf", normal_tail),
    ("regularized_incomplete_beta", incomplete_beta),
    ("simultaneous_ci_critical", simultaneous_critical),
    ("one_proportion_ci_95", one_proportion),
    ("zero_events_upper", zero_events),
    ("paired_proportions", paired_proportions),
    ("mcnemar_exact", mcnemar_both),
    ("noninferiority_paired_tango", noninferiority_paired),
    ("all_pairs_mcnemar_holm", all_pairs),
    ("two_independent_proportions_ci_95", two_proportions_interval),
    ("two_independent_proportions_tests", two_proportions_test),
    ("miettinen_nurminen_constrained_mle", constrained_mle),
    ("noninferiority_independent_farrington_manning", noninferiority_independent),
    ("paired_t", paired_student),
    ("tost_paired", tost_paired),
    ("welch_t", welch),
    ("welch_t_from_summary", welch_from_summary),
    ("tost_two_sample_welch", tost_welch),
    ("clustered_se_mean", clustered),
    ("paired_difference_clustered", paired_clustered),
    ("lm_eval_harness_stderr", outcome_stderr),
    ("sign_flip_permutation_exact", sign_flips),
    ("min_attainable_p", attainable),
    ("p_adjust", adjusted),
    ("counts_consistent_with_percentage", printed_counts),
    ("n_two_proportions", two_share_size),
    ("n_paired_t", paired_size),
    ("power_mcnemar", connor),
];

/// Fields of known methods that are knowingly not reproduced.
static LEFT_OUT: &[(&str, &[&str], &str)] = &[
    (
        "one_proportion_ci_95",
        &["clopper_pearson", "midp", "jeffreys", "bayes_uniform_equal_tail", "wald_clt"],
        "only Wilson's interval is used for one share",
    ),
    ("zero_events_upper", &["three_over_n"], "a rule of thumb"),
    ("zero_events_upper", &["cp_two_sided_upper"], "only Wilson's interval is used for one share"),
    (
        "paired_proportions",
        &["newcombe_square_and_add", "bonett_price", "wald"],
        "only Tango's interval is used for paired shares",
    ),
    (
        "paired_proportions",
        &["mcnemar_asymptotic", "mcnemar_cc"],
        "only the exact and mid-p variants are used",
    ),
    (
        "paired_proportions",
        &["bayes_p_first_better_uniform", "bayes_p_first_better_jeffreys"],
        "no Bayesian method is used",
    ),
    (
        "two_independent_proportions_ci_95",
        &["newcombe_hybrid", "mee_score", "agresti_caffo"],
        "only Miettinen and Nurminen's interval is used for independent shares",
    ),
    (
        "two_independent_proportions_tests",
        &["fisher_two_sided_minlike", "fisher_midp_twice_one_sided", "barnard_pooled", "boschloo"],
        "only the score test of the interval is used",
    ),
    ("clustered_se_mean", &["design_effect_CR0", "icc"], "not reported"),
    ("paired_difference_clustered", &["corr"], "not reported"),
    ("lm_eval_harness_stderr", &["implied_n_from_acc_and_stderr"], "not inferred"),
    (
        "p_adjust",
        &["bonferroni", "hochberg", "hommel", "bh", "by", "sidak", "holm_sidak"],
        "only Holm's adjustment is used",
    ),
    ("simultaneous_ci_critical", &["sidak_z"], "only the Bonferroni level is used"),
    (
        "power_mcnemar",
        &["power_normal_connor", "power_exact_test", "power_midp_test"],
        "sizes and detectable differences are reported, not power",
    ),
];

/// The function for a method.
pub(super) fn find(method: &str) -> Option<Recompute> {
    METHODS.iter().find(|(name, _)| *name == method).map(|(_, recompute)| *recompute)
}

/// Why a field is not reproduced, when that is on purpose.
pub(super) fn left_out(method: &str, field: &str) -> Option<&'static str> {
    let mut rows = LEFT_OUT.iter();
    rows.find(|(name, fields, _)| *name == method && fields.contains(&field))
        .map(|(_, _, reason)| *reason)
}

fn number(inputs: &Inputs, key: &str) -> Option<f64> {
    inputs.get(key)?.as_f64()
}

fn count(inputs: &Inputs, key: &str) -> Option<u64> {
    inputs.get(key)?.as_u64()
}

fn numbers(inputs: &Inputs, key: &str) -> Option<Vec<f64>> {
    inputs.get(key).filter(|value| value.is_array()).map(flatten)
}

fn limits(interval: Interval) -> Vec<f64> {
    vec![interval.lo, interval.hi]
}

fn options(inputs: &Inputs) -> Options {
    let default = Options::default();
    Options {
        alpha: number(inputs, "alpha").unwrap_or(default.alpha),
        power: number(inputs, "power").unwrap_or(default.power),
    }
}

fn student_t_quantile(inputs: &Inputs) -> Option<Fields> {
    let t = t_upper_quantile(1.0 - number(inputs, "p")?, number(inputs, "df")?);
    Some(vec![("t", vec![t])])
}

fn student_t_sf(inputs: &Inputs) -> Option<Fields> {
    Some(vec![("sf", vec![t_sf(number(inputs, "t")?, number(inputs, "df")?)])])
}

fn normal_tail(inputs: &Inputs) -> Option<Fields> {
    Some(vec![("sf", vec![normal_sf(number(inputs, "z")?)])])
}

fn incomplete_beta(inputs: &Inputs) -> Option<Fields> {
    let (a, b) = (number(inputs, "a")?, number(inputs, "b")?);
    Some(vec![("I", vec![regularized_incomplete_beta(a, b, number(inputs, "x")?)])])
}

fn simultaneous_critical(inputs: &Inputs) -> Option<Fields> {
    let each = (1.0 - number(inputs, "conf")?) / number(inputs, "m")?;
    Some(vec![("z", vec![normal_two_sided(1.0 - each)])])
}

fn one_proportion(inputs: &Inputs) -> Option<Fields> {
    let counts = Counts::new(count(inputs, "x")?, count(inputs, "n")?)?;
    Some(vec![("wilson", limits(wilson(counts, number(inputs, "conf")?)))])
}

fn zero_events(inputs: &Inputs) -> Option<Fields> {
    let options = Options { alpha: 1.0 - number(inputs, "conf")?, ..Options::default() };
    Some(vec![("one_sided_exact", vec![discordance_bound(number(inputs, "n")?, options)])])
}

fn paired_proportions(inputs: &Inputs) -> Option<Fields> {
    let counts = PairedCounts {
        both_right: count(inputs, "both")?,
        gained: count(inputs, "first_only")?,
        lost: count(inputs, "second_only")?,
        both_wrong: count(inputs, "neither")?,
    };
    Some(vec![
        ("diff", vec![counts.delta()]),
        ("mcnemar_exact", vec![mcnemar_exact(counts)]),
        ("mcnemar_midp", vec![mcnemar_midp(counts)]),
        ("tango", limits(tango_interval(counts, number(inputs, "conf")?))),
    ])
}

fn mcnemar_both(inputs: &Inputs) -> Option<Fields> {
    let (gained, lost) = (count(inputs, "first_only")?, count(inputs, "second_only")?);
    let counts = PairedCounts { gained, lost, ..PairedCounts::default() };
    Some(vec![("exact", vec![mcnemar_exact(counts)]), ("midp", vec![mcnemar_midp(counts)])])
}

fn noninferiority_paired(inputs: &Inputs) -> Option<Fields> {
    let (gained, lost) = (count(inputs, "new_only")?, count(inputs, "base_only")?);
    let both_right = count(inputs, "n")?.checked_sub(gained + lost)?;
    let counts = PairedCounts { both_right, gained, lost, both_wrong: 0 };
    let margin = number(inputs, "margin")?;
    let z = tango_z(counts, -margin);
    let lower90 = tango_interval(counts, 0.90).lo;
    Some(vec![
        ("z", vec![z]),
        ("p_noninferior", vec![normal_sf(z)]),
        ("lower90", vec![lower90]),
        ("lower95", vec![tango_interval(counts, 0.95).lo]),
        ("pass_at_onesided_05", vec![f64::from(u8::from(lower90 > -margin))]),
    ])
}

/// Rows of first system, second system, right in the first only, right in the second only.
fn all_pairs(inputs: &Inputs) -> Option<Fields> {
    let rows = numbers(inputs, "pairs_i_j_b_c")?;
    let exact = |row: &[f64]| {
        let (gained, lost) = (row[2] as u64, row[3] as u64);
        mcnemar_exact(PairedCounts { gained, lost, ..PairedCounts::default() })
    };
    let p: Vec<f64> = rows.chunks_exact(4).map(exact).collect();
    let p_holm = holm(&p);
    let significant = |p: &[f64]| vec![p.iter().filter(|p| **p < 0.05).count() as f64];
    Some(vec![
        ("n_sig_raw_05", significant(&p)),
        ("n_sig_holm_05", significant(&p_holm)),
        ("p_exact", p),
        ("p_holm", p_holm),
    ])
}

/// Second and first arm as baseline and candidate: the vectors are first minus second.
fn arms(inputs: &Inputs) -> Option<(Arm, Arm)> {
    let arm = |x: &str, n: &str| Some(Arm { x: number(inputs, x)?, n: number(inputs, n)? });
    Some((arm("x2", "n2")?, arm("x1", "n1")?))
}

fn two_proportions_interval(inputs: &Inputs) -> Option<Fields> {
    let (baseline, candidate) = arms(inputs)?;
    let interval = miettinen_nurminen(baseline, candidate, number(inputs, "conf")?);
    Some(vec![
        ("diff", vec![candidate.share() - baseline.share()]),
        ("miettinen_nurminen", limits(interval)),
    ])
}

/// The score statistic without its factor (N − 1)/N is the pooled z test.
fn without_finite_factor(z: f64, total: f64) -> f64 {
    z * (total / (total - 1.0)).sqrt()
}

fn two_proportions_test(inputs: &Inputs) -> Option<Fields> {
    let (baseline, candidate) = arms(inputs)?;
    let test = score_test(baseline, candidate);
    let pooled = without_finite_factor(test.statistic?, baseline.n + candidate.n);
    Some(vec![("n_minus_1_chi2_p", vec![test.p]), ("z_pooled_p", vec![normal_two_sided_p(pooled)])])
}

fn constrained_mle(inputs: &Inputs) -> Option<Fields> {
    let ((baseline, candidate), delta) = (arms(inputs)?, number(inputs, "delta")?);
    let share = constrained_share(baseline, candidate, delta);
    Some(vec![
        ("p1", vec![share + delta]),
        ("p2", vec![share]),
        ("z_bcf", vec![score_z(baseline, candidate, delta)]),
    ])
}

fn noninferiority_independent(inputs: &Inputs) -> Option<Fields> {
    let arm = |x: &str, n: &str| Some(Arm { x: number(inputs, x)?, n: number(inputs, n)? });
    let (baseline, candidate) = (arm("x_base", "n_base")?, arm("x_new", "n_new")?);
    let score = score_z(baseline, candidate, -number(inputs, "margin")?);
    let z = without_finite_factor(score, baseline.n + candidate.n);
    Some(vec![("z", vec![z]), ("p_noninferior", vec![normal_sf(z)])])
}

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

fn moments(values: &[f64]) -> Moments {
    let mut moments = Moments::default();
    for value in values {
        moments.add(*value);
    }
    moments
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

fn outcome_stderr(inputs: &Inputs) -> Option<Fields> {
    let counts = Counts::new(count(inputs, "x")?, count(inputs, "n")?)?;
    let outcomes = (0..counts.n).map(|i| f64::from(u8::from(i < counts.x)));
    let outcomes = moments(&outcomes.collect::<Vec<f64>>());
    Some(vec![("acc", vec![outcomes.mean]), ("acc_stderr", vec![outcomes.stderr()?])])
}

fn sign_flips(inputs: &Inputs) -> Option<Fields> {
    let values = numbers(inputs, "d")?;
    let test = sign_flip_test(&values)?;
    Some(vec![
        ("mean", vec![moments(&values).mean]),
        ("p_two_sided", vec![test.p]),
        ("min_attainable_p", vec![test.attainable]),
    ])
}

/// Designs named by their kind and their number of units: `paired6`, `mcnemar_m6`.
fn attainable(inputs: &Inputs) -> Option<Fields> {
    let smallest = |design: &Value| {
        let name = design.as_str()?;
        let units: u64 =
            name.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().ok()?;
        match name.trim_end_matches(|digit: char| digit.is_ascii_digit()) {
            "paired" => Some(SignFlip::of_one_sign(units).attainable),
            "mcnemar_m" => {
                Some(mcnemar_exact(PairedCounts { gained: units, ..PairedCounts::default() }))
            }
            _ => None,
        }
    };
    let designs = inputs.get("designs")?.as_array()?;
    let p = designs.iter().map(smallest).collect::<Option<Vec<f64>>>()?;
    Some(vec![("p", p)])
}

fn adjusted(inputs: &Inputs) -> Option<Fields> {
    Some(vec![("holm", holm(&numbers(inputs, "p")?))])
}

fn printed_counts(inputs: &Inputs) -> Option<Fields> {
    let printed = inputs.get("percent")?.as_str()?;
    let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let decimals = u8::try_from(decimals).ok()?;
    let counts = consistent_counts(printed.parse().ok()?, decimals, count(inputs, "n")?);
    Some(vec![("counts", counts.map(|count| count as f64).collect())])
}

fn two_share_size(inputs: &Inputs) -> Option<Fields> {
    let (p1, p2) = (number(inputs, "p1")?, number(inputs, "p2")?);
    Some(vec![("n_per_group", vec![two_share_units(p1, p2, options(inputs))])])
}

fn paired_size(inputs: &Inputs) -> Option<Fields> {
    let (delta, sd) = (number(inputs, "delta")?, number(inputs, "sd")?);
    let n = units_for_mean(sd * sd, delta, Estimation::OneSample, options(inputs));
    Some(vec![("n", vec![n])])
}

fn connor(inputs: &Inputs) -> Option<Fields> {
    let (first, second) = (number(inputs, "p_first_only")?, number(inputs, "p_second_only")?);
    let pairs = connor_pairs(first + second, first - second, options(inputs));
    Some(vec![("n_connor_80", vec![pairs])])
}
