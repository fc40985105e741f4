//! Means and differences of means, also over several runs or answers.

use super::{Fields, Inputs, Method, fields, moments, whole};
use crate::stats::means::clustered::{ClusteredMean, cluster_t, clustered_mean};
use crate::stats::means::crossed::{Axis, crossed, crossed_difference};
use crate::stats::means::paired::paired_t;
use crate::stats::means::student::t_interval;
use crate::stats::means::welch::Welch;
use crate::stats::noise::RunNoise;
use crate::stats::planning::answers::QuestionVariance;
use crate::stats::repeats::{pass_at_k, pass_hat_k};
use crate::stats::{ClusterSums, Counts, DifferenceSample, Moments, mean_interval};

pub(super) static METHODS: &[Method] = &[
    ("paired_t", |inputs| {
        let sample = differences(inputs)?;
        let test = paired_t(&sample)?;
        fields![
            ("diff", sample.differences.mean),
            ("t", test.statistic),
            ("df", (sample.differences.n - 1) as f64),
            ("p", test.p),
            ("ci95", mean_interval(sample.differences, inputs.level())),
        ]
    }),
    ("paired_moments", |inputs| fields![("skewness", differences(inputs)?.skewness())]),
    ("welch_t", |inputs| {
        let arm = |key: &str| Some(moments(&inputs.numbers(key)?));
        welch(inputs, arm("y")?, arm("x")?)
    }),
    ("welch_t_from_summary", |inputs| {
        let arm = |mean: &str, sd: &str, n: &str| {
            let n = inputs.count(n)?;
            let m2 = inputs.number(sd)?.powi(2) * n.checked_sub(1)? as f64;
            Some(Moments::new(n, inputs.number(mean)?, m2))
        };
        welch(inputs, arm("mean2", "sd2", "n2")?, arm("mean1", "sd1", "n1")?)
    }),
    ("clustered_se_mean", clustered),
    ("two_way_variance_components", |inputs| {
        let crossed = crossed(&inputs.rows("scores_seed_by_item")?)?;
        fields![
            ("grand", crossed.grand),
            ("se_seed_only", crossed.seed_stderr()),
            ("MS_seed", crossed.ms_seed),
            ("MS_resid", crossed.ms_residual),
        ]
    }),
    ("crossed_difference", |inputs| {
        let found = crossed_difference(&inputs.rows("baseline")?, &inputs.rows("candidate")?)?;
        fields![
            ("delta", found.delta),
            ("se", found.stderr),
            ("df", found.df),
            ("p", found.test().p),
            ("ci", found.interval(inputs.level())),
            ("seeds_dominate", f64::from(u8::from(found.dominant == Axis::Seeds))),
        ]
    }),
    ("noise_floor", |inputs| {
        let noise = RunNoise::from_figures(&inputs.numbers("figures")?)?;
        fields![
            ("sd", noise.sd),
            ("floor", noise.floor(inputs.number("alpha")?)),
            ("p", noise.p_value(inputs.number("difference")?)),
        ]
    }),
    ("pass_at_k", |inputs| {
        let attempts = Counts::new(inputs.count("c")?, inputs.count("n")?)?;
        let k = inputs.count("k")?;
        fields![("pass_at_k", pass_at_k(attempts, k)?), ("pass_hat_k", pass_hat_k(attempts, k)?)]
    }),
    ("pass_at_k_benchmark", pass_over_problems),
    ("miller_resampling_variance", |inputs| {
        let (questions, answer) = (inputs.number("var_x")?, inputs.number("mean_sigma2")?);
        // The mean score of one arm: a difference from something that is known.
        let total = |answers: f64| {
            QuestionVariance { questions, first: (answer, answers), second: (0.0, 1.0) }.total()
        };
        fields![("total", inputs.numbers("K")?.into_iter().map(total).collect::<Vec<f64>>())]
    }),
];

/// First minus second sample.
fn differences(inputs: &Inputs<'_>) -> Option<DifferenceSample> {
    let (first, second) = (inputs.numbers("x")?, inputs.numbers("y")?);
    let mut sample = DifferenceSample::default();
    first.iter().zip(&second).for_each(|(first, second)| sample.add(*second, *first));
    Some(sample)
}

fn welch(inputs: &Inputs<'_>, baseline: Moments, candidate: Moments) -> Option<Fields> {
    let welch = Welch::new(baseline, candidate)?;
    let test = welch.test();
    fields![
        ("t", test.statistic),
        ("df", welch.df),
        ("p", test.p),
        ("ci95", t_interval(welch.delta, welch.stderr, welch.df, inputs.level())),
    ]
}

fn clustered(inputs: &Inputs<'_>) -> Option<Fields> {
    let scores = inputs.numbers("scores")?;
    let labels = inputs.value("clusters")?.as_array()?.iter().map(ToString::to_string);
    let estimate = clustered_mean(&ClusterSums::summed(labels.zip(scores.iter().copied())))?;
    let ClusteredMean { mean, cr1, cr2, cr2_df, clusters } = estimate;
    let (df, level) = ((clusters - 1) as f64, inputs.level());
    fields![
        ("mean", mean),
        ("se_naive", moments(&scores).stderr()),
        ("se_CR1", cr1),
        ("se_CR2", cr2),
        ("df_CR1", df),
        ("df_CR2", cr2_df),
        ("ci95_CR1_t", t_interval(mean, cr1, df, level)),
        ("ci95_CR2_t", t_interval(mean, cr2, cr2_df, level)),
        ("p", cluster_t(estimate).p),
    ]
}

/// Problems with one number of attempts for all of them, or one for each.
fn pass_over_problems(inputs: &Inputs<'_>) -> Option<Fields> {
    let (successes, k) = (inputs.numbers("c")?, inputs.count("k")?);
    let attempts = inputs
        .numbers("n")
        .or_else(|| Some(vec![inputs.number("n")?; successes.len()]))
        .filter(|attempts| attempts.len() == successes.len())?;
    let chance = |(c, n): (&f64, &f64)| pass_at_k(Counts::new(whole(*c)?, whole(*n)?)?, k);
    let chances = successes.iter().zip(&attempts).map(chance).collect::<Option<Vec<f64>>>()?;
    let over_problems = moments(&chances);
    fields![
        ("mean", over_problems.mean),
        ("se_problem_level", over_problems.stderr()),
        ("ci95_t", mean_interval(over_problems, 0.95)),
        ("per_problem", chances),
    ]
}
