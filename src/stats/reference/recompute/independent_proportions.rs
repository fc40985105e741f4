//! Independent shares.

use super::{Fields, Inputs, Recompute, count, level, limits, number};
use crate::stats::Counts;
use crate::stats::proportions::fisher::fisher_exact;
use crate::stats::proportions::independent::{
    Arm, constrained_share, miettinen_nurminen, newcombe_hybrid, score_test, score_z,
};
use crate::stats::proportions::ratio::score_ratio;
use crate::stats::proportions::unconditional::boschloo;

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("two_independent_proportions_ci_95", two_proportions_interval),
    ("two_independent_proportions_tests", two_proportions_test),
    ("miettinen_nurminen_constrained_mle", constrained_mle),
    ("independent_ratio_score", ratio),
];

/// Samples of both arms together up to which the unconditional test is computed.
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
    let mut fields = vec![
        ("diff", vec![candidate.share() - baseline.share()]),
        ("miettinen_nurminen", limits(miettinen_nurminen(baseline, candidate, level))),
    ];
    if let Some((first, second)) = whole_arms(inputs) {
        fields.push(("newcombe_hybrid", limits(newcombe_hybrid(second, first, level))));
    }
    Some(fields)
}

/// First and second arm where both successes are whole.
fn whole_arms(inputs: &Inputs) -> Option<(Counts, Counts)> {
    let counts = |x: &str, n: &str| Counts::new(count(inputs, x)?, count(inputs, n)?);
    counts("x1", "n1").zip(counts("x2", "n2"))
}

fn two_proportions_test(inputs: &Inputs) -> Option<Fields> {
    let (baseline, candidate) = arms(inputs)?;
    let mut fields = vec![("n_minus_1_chi2_p", vec![score_test(baseline, candidate).p])];
    let Some((first, second)) = whole_arms(inputs) else {
        return Some(fields);
    };
    fields.push(("fisher_two_sided_minlike", vec![fisher_exact(first, second)]));
    if first.n + second.n <= UNCONDITIONAL_UPTO {
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
