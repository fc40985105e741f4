//! Independent shares.

use super::{Fields, Inputs, Recompute, count, level, limits, number};
use crate::stats::Counts;
use crate::stats::proportions::closed_form::{agresti_caffo, newcombe_hybrid};
use crate::stats::proportions::fisher::{fisher_exact, fisher_midp};
use crate::stats::proportions::independent::{
    Arm, cohens_h, constrained_share, mee, miettinen_nurminen, pooled_z_p, score_test, score_z,
};
use crate::stats::proportions::noninferiority;
use crate::stats::proportions::ratio::score_ratio;
use crate::stats::proportions::unconditional::{barnard, boschloo};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("two_independent_proportions_ci_95", two_proportions_interval),
    ("two_independent_proportions_tests", two_proportions_test),
    ("miettinen_nurminen_constrained_mle", constrained_mle),
    ("noninferiority_independent_farrington_manning", noninferiority_independent),
    ("cohens_h", effect_size),
    ("independent_ratio_score", ratio),
];

/// Samples of both arms together up to which the unconditional tests are computed.
const UNCONDITIONAL_UPTO: u64 = 2000;

/// Successes, which need not be whole, of a whole number of trials.
fn arm(inputs: &Inputs, x: &str, n: &str) -> Option<Arm> {
    let arm = Arm { x: number(inputs, x)?, n: count(inputs, n)? as f64 };
    (arm.n >= 1.0 && (0.0..=arm.n).contains(&arm.x)).then_some(arm)
}

/// Second and first arm as baseline and candidate: the vectors are first minus second.
fn arms(inputs: &Inputs) -> Option<(Arm, Arm)> {
    Some((arm(inputs, "x2", "n2")?, arm(inputs, "x1", "n1")?))
}

fn ratio(inputs: &Inputs) -> Option<Fields> {
    let (baseline, candidate) = arms(inputs)?;
    Some(vec![("ci", limits(score_ratio(baseline, candidate, level(inputs))?))])
}

fn two_proportions_interval(inputs: &Inputs) -> Option<Fields> {
    let ((baseline, candidate), level) = (arms(inputs)?, level(inputs));
    Some(vec![
        ("diff", vec![candidate.share() - baseline.share()]),
        ("newcombe_hybrid", limits(newcombe_hybrid(baseline, candidate, level))),
        ("miettinen_nurminen", limits(miettinen_nurminen(baseline, candidate, level))),
        ("mee_score", limits(mee(baseline, candidate, level))),
        ("agresti_caffo", limits(agresti_caffo(baseline, candidate, level))),
    ])
}

fn two_proportions_test(inputs: &Inputs) -> Option<Fields> {
    let (baseline, candidate) = arms(inputs)?;
    let mut fields = vec![
        ("n_minus_1_chi2_p", vec![score_test(baseline, candidate).p]),
        ("z_pooled_p", vec![pooled_z_p(baseline, candidate)]),
    ];
    let counts = |x: &str, n: &str| Counts::new(count(inputs, x)?, count(inputs, n)?);
    let (Some(first), Some(second)) = (counts("x1", "n1"), counts("x2", "n2")) else {
        return Some(fields);
    };
    fields.push(("fisher_two_sided_minlike", vec![fisher_exact(first, second)]));
    fields.push(("fisher_midp_twice_one_sided", vec![fisher_midp(first, second)]));
    if first.n + second.n <= UNCONDITIONAL_UPTO {
        fields.push(("barnard_pooled", vec![barnard(first, second)]));
        fields.push(("boschloo", vec![boschloo(second, first).p]));
    }
    Some(fields)
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
    let baseline = arm(inputs, "x_base", "n_base")?;
    let candidate = arm(inputs, "x_new", "n_new")?;
    let margin = number(inputs, "margin")?;
    let judged = noninferiority::noninferiority_independent(baseline, candidate, margin);
    Some(vec![("z", vec![judged.z]), ("p_noninferior", vec![judged.p])])
}

fn effect_size(inputs: &Inputs) -> Option<Fields> {
    Some(vec![("h", vec![cohens_h(number(inputs, "p1")?, number(inputs, "p2")?)])])
}
