//! Sizes and detectable differences.

use super::{Fields, Inputs, Recompute, number, numbers, options};
use crate::stats::planning::answers::{
    QuestionVariance, detectable_over_questions, questions_needed,
};
use crate::stats::planning::t_power::{paired_t_pairs, paired_t_power, two_sample_t_power};
use crate::stats::planning::two_share_units;

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("n_two_proportions", two_share_size),
    ("n_paired_t", paired_size),
    ("power_paired_t", paired_power),
    ("power_two_sample_t", two_sample_power),
    ("miller_required_n", questions),
    ("miller_mde", detectable),
    ("miller_resampling_variance", resampling),
];

fn two_share_size(inputs: &Inputs) -> Option<Fields> {
    let (p1, p2) = (number(inputs, "p1")?, number(inputs, "p2")?);
    Some(vec![("n_per_group", vec![two_share_units(p1, p2, options(inputs))])])
}

fn paired_size(inputs: &Inputs) -> Option<Fields> {
    let (delta, sd) = (number(inputs, "delta")?, number(inputs, "sd")?);
    Some(vec![("n", vec![paired_t_pairs(delta, sd, options(inputs))?])])
}

fn paired_power(inputs: &Inputs) -> Option<Fields> {
    let (n, delta, sd) = (number(inputs, "n")?, number(inputs, "delta")?, number(inputs, "sd")?);
    Some(vec![("power", vec![paired_t_power(n, delta, sd, options(inputs).alpha)])])
}

fn two_sample_power(inputs: &Inputs) -> Option<Fields> {
    let (delta, sd) = (number(inputs, "delta")?, number(inputs, "sd")?);
    let n = number(inputs, "n_per_group")?;
    Some(vec![("power", vec![two_sample_t_power(n, delta, sd, options(inputs).alpha)])])
}

/// Both arms give `k` answers where there is no number for either.
fn question_variance(inputs: &Inputs) -> Option<QuestionVariance> {
    let arm = |variance: &str, answers: &str| {
        let answers = number(inputs, answers).or_else(|| number(inputs, "k"))?;
        Some((number(inputs, variance)?, answers))
    };
    Some(QuestionVariance {
        questions: number(inputs, "omega2")?,
        first: arm("sigma2_a", "k_a")?,
        second: arm("sigma2_b", "k_b")?,
    })
}

fn questions(inputs: &Inputs) -> Option<Fields> {
    let n = questions_needed(question_variance(inputs)?, number(inputs, "mde")?, options(inputs));
    Some(vec![("n", vec![n]), ("n_ceil", vec![n.ceil()])])
}

fn detectable(inputs: &Inputs) -> Option<Fields> {
    let (variance, n) = (question_variance(inputs)?, number(inputs, "n")?);
    Some(vec![("mde", vec![detectable_over_questions(variance, n, options(inputs))])])
}

fn resampling(inputs: &Inputs) -> Option<Fields> {
    let (questions, answer) = (number(inputs, "var_x")?, number(inputs, "mean_sigma2")?);
    // The mean score of one arm: a difference from something that is known.
    let total = |answers: f64| {
        QuestionVariance { questions, first: (answer, answers), second: (0.0, 1.0) }.total()
    };
    let of = |answers: &f64| (total(*answers), 1.0 - total(*answers) / total(1.0));
    let (total, reduction) = numbers(inputs, "K")?.iter().map(of).unzip();
    Some(vec![("total", total), ("reduction", reduction)])
}
