//! Independent shares.

use super::{Fields, Inputs, Recompute, limits, number};
use crate::stats::distribution::{normal_sf, normal_two_sided_p};
use crate::stats::proportions::independent::{
    Arm, constrained_share, miettinen_nurminen, score_test, score_z,
};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("two_independent_proportions_ci_95", two_proportions_interval),
    ("two_independent_proportions_tests", two_proportions_test),
    ("miettinen_nurminen_constrained_mle", constrained_mle),
    ("noninferiority_independent_farrington_manning", noninferiority_independent),
];

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
