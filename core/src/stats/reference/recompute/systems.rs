//! Several systems over the same blocks, pairs of them, and runs on tasks.

use serde_json::Value;

use super::{Fields, Inputs, Method, affordable, fields};
use crate::stats::proportions::paired::mcnemar_exact;
use crate::stats::resampling::tasks::{
    interquartile_mean, mean_of_tasks, median_of_tasks, optimality_gap, probability_of_improvement,
};
use crate::stats::signed_ranks::SignedRanks;
use crate::stats::systems::{RankedBlocks, all_pairs, cochran_q};
use crate::stats::{PairedCounts, holm};

pub(super) static METHODS: &[Method] = &[
    ("friedman_iman_davenport_nemenyi", friedman),
    ("cochran_q", |inputs| {
        let test = cochran_q(&inputs.rows("correct")?)?;
        fields![("Q", test.statistic), ("df", test.df), ("p", test.p)]
    }),
    ("wilcoxon_signed_rank_exact", |inputs| {
        let ranks = signed_ranks(inputs)?;
        let (greater, less) = ranks.exact_upper_tails().unzip();
        fields![
            ("W_plus", ranks.plus()),
            ("p_two_sided", ranks.test().p),
            ("p_greater", greater),
            ("p_less", less),
        ]
    }),
    ("wilcoxon_signed_rank_ties", |inputs| {
        let ranks = signed_ranks(inputs)?;
        fields![
            ("pratt_W_plus", ranks.plus()),
            ("pratt_exact_conditional_p", ranks.test().p),
            ("pratt_normal_nocc_p", ranks.normal_p()),
        ]
    }),
    ("all_pairs_mcnemar_holm", every_two),
    ("p_adjust", |inputs| {
        let p = inputs.numbers("p")?;
        affordable((p.len() as f64).powi(2))?;
        // A comparison without a p-value is NaN there, and does not count into m.
        let known: Vec<f64> = p.iter().copied().filter(|p| !p.is_nan()).collect();
        let mut adjusted = holm(&known).into_iter();
        let next = |p: &f64| if p.is_nan() { None } else { adjusted.next() };
        let holm: Vec<f64> = p.iter().map(next).map(|p| p.unwrap_or(f64::NAN)).collect();
        fields![("holm", holm)]
    }),
    ("rliable_aggregates", tasks),
];

fn friedman(inputs: &Inputs<'_>) -> Option<Fields> {
    let higher = inputs.value("higher_is_better").and_then(Value::as_bool).unwrap_or(true);
    let ranked = RankedBlocks::new(&inputs.rows("scores")?, higher)?;
    let (corrected, f) = (ranked.friedman_tie_corrected(), ranked.iman_davenport());
    fields![
        ("mean_ranks", ranked.mean_ranks()),
        ("chi2_uncorrected", ranked.friedman().map(|test| test.statistic)),
        ("F_iman_davenport", f.map(|test| test.statistic)),
        ("F_df", f.map_or([f64::NAN; 2], |test| test.df)),
        ("F_p", f.map(|test| test.p)),
        ("chi2_tie_corrected", corrected.map(|test| test.statistic)),
        ("chi2_tie_corrected_p", corrected.map(|test| test.p)),
        ("CD_05", ranked.critical_difference(0.05)),
        ("CD_10", ranked.critical_difference(0.10)),
    ]
}

/// The ranks of the differences `d`, or of `x` − `y`.
fn signed_ranks(inputs: &Inputs<'_>) -> Option<SignedRanks> {
    let largest = |values: &[f64]| values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    if let Some(differences) = inputs.numbers("d") {
        return Some(SignedRanks::new(&differences, largest(&differences)));
    }
    let (first, second) = (inputs.numbers("x")?, inputs.numbers("y")?);
    let differences: Vec<f64> =
        first.iter().zip(&second).map(|(first, second)| first - second).collect();
    Some(SignedRanks::new(&differences, largest(&first).max(largest(&second))))
}

/// Every two systems, samples in the rows of `correct` and systems in its columns.
fn every_two(inputs: &Inputs<'_>) -> Option<Fields> {
    let systems = inputs.columns("correct")?;
    affordable(systems.first()?.len() as f64 * (systems.len() as f64).powi(2))?;
    let p_of = |first: usize, second: usize| {
        let mut counts = PairedCounts::default();
        for (first, second) in systems[first].iter().zip(&systems[second]) {
            counts.add(*second > 0.5, *first > 0.5);
        }
        Some(mcnemar_exact(counts))
    };
    let pairs = all_pairs(systems.len(), p_of);
    let (p, p_holm): (Vec<f64>, Vec<f64>) =
        pairs.iter().filter_map(|pair| pair.p.zip(pair.p_adjusted)).unzip();
    fields![("p_exact", p), ("p_holm", p_holm)]
}

fn tasks(inputs: &Inputs<'_>) -> Option<Fields> {
    let (x, y) = (inputs.columns("x")?, inputs.columns("y")?);
    let pairs = |(x, y): (&Vec<f64>, &Vec<f64>)| x.len() as f64 * y.len() as f64;
    affordable(x.iter().zip(&y).map(pairs).sum())?;
    let gamma = inputs.number("gamma").unwrap_or(1.0);
    fields![
        ("iqm_x", interquartile_mean(&x)),
        ("iqm_y", interquartile_mean(&y)),
        ("mean_x", mean_of_tasks(&x)),
        ("median_x", median_of_tasks(&x)),
        ("median_y", median_of_tasks(&y)),
        ("optimality_gap_x", optimality_gap(&x, gamma)),
        ("poi_x_over_y", probability_of_improvement(&x, &y)),
    ]
}
