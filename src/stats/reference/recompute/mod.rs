//! Which function answers which method of a reference vector, one file for each subject.

mod crossed;
mod distributions;
mod independent_proportions;
mod means;
mod multiplicity;
mod one_proportion;
mod paired_proportions;
mod planning;
mod reported;
mod resampling;

use serde_json::{Map, Value};

use super::flatten;
use crate::stats::{Interval, Moments, Options};

type Inputs = Map<String, Value>;
type Fields = Vec<(&'static str, Vec<f64>)>;
type Recompute = fn(&Inputs) -> Option<Fields>;

/// Every method, by subject.
static SUBJECTS: &[&[(&str, Recompute)]] = &[
    distributions::METHODS,
    one_proportion::METHODS,
    paired_proportions::METHODS,
    independent_proportions::METHODS,
    means::METHODS,
    crossed::METHODS,
    resampling::METHODS,
    multiplicity::METHODS,
    reported::METHODS,
    planning::METHODS,
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
    let mut methods = SUBJECTS.iter().copied().flatten();
    methods.find(|(name, _)| *name == method).map(|(_, recompute)| *recompute)
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

/// A list of lists of numbers.
fn rows(inputs: &Inputs, key: &str) -> Option<Vec<Vec<f64>>> {
    Some(inputs.get(key)?.as_array()?.iter().map(flatten).collect())
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

fn moments(values: &[f64]) -> Moments {
    values.iter().copied().collect()
}
