//! Paired shares.

use super::{
    Fields, Inputs, Recompute, affordable, count, level, limits, number, numbers, options, rows,
    whole,
};
use crate::stats::planning::connor_pairs;
use crate::stats::proportions::closed_form::{
    Correlation, bonett_price, newcombe_paired, wald_paired,
};
use crate::stats::proportions::mcnemar_power::{Variant, connor_power, mcnemar_power};
use crate::stats::proportions::noninferiority;
use crate::stats::proportions::paired::{
    mcnemar_asymptotic, mcnemar_corrected, mcnemar_exact, mcnemar_midp,
    probability_candidate_better, tango_interval,
};
use crate::stats::proportions::ratio::bonett_price_ratio;
use crate::stats::sequential::{discordant_e_value, log_e_value};
use crate::stats::{PairedCounts, holm};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("paired_proportions", paired_proportions),
    ("newcombe_paired_no_continuity", newcombe_uncorrected),
    ("paired_ratio_bonett_price", ratio),
    ("mcnemar_exact", mcnemar_both),
    ("betabinomial_e_value_discordant", e_value),
    ("noninferiority_paired_tango", noninferiority_paired),
    ("all_pairs_mcnemar_holm", all_pairs),
    ("power_mcnemar", power),
];

/// Steps for the power of both tests, times √n: about ten √n numbers of discordant pairs, for each of
/// which six probabilities are computed.
const STEPS_FOR_POWER: f64 = 2000.0;

/// The first system as candidate, the second as baseline: the vectors are first minus second.
fn table(inputs: &Inputs) -> Option<PairedCounts> {
    let counts = PairedCounts {
        both_right: count(inputs, "both")?,
        gained: count(inputs, "first_only")?,
        lost: count(inputs, "second_only")?,
        both_wrong: count(inputs, "neither")?,
    };
    (counts.n() > 0).then_some(counts)
}

fn ratio(inputs: &Inputs) -> Option<Fields> {
    Some(vec![("ci", limits(bonett_price_ratio(table(inputs)?, level(inputs))?))])
}

fn paired_proportions(inputs: &Inputs) -> Option<Fields> {
    let (counts, level) = (table(inputs)?, level(inputs));
    let newcombe = newcombe_paired(counts, Correlation::Corrected, level);
    Some(vec![
        ("diff", vec![counts.delta()]),
        ("mcnemar_exact", vec![mcnemar_exact(counts)]),
        ("mcnemar_midp", vec![mcnemar_midp(counts)]),
        ("mcnemar_asymptotic", vec![mcnemar_asymptotic(counts)]),
        ("mcnemar_cc", vec![mcnemar_corrected(counts)]),
        ("tango", limits(tango_interval(counts, level))),
        ("newcombe_square_and_add", limits(newcombe)),
        ("bonett_price", limits(bonett_price(counts, level))),
        ("wald", limits(wald_paired(counts, level))),
        ("bayes_p_first_better_uniform", vec![probability_candidate_better(counts, 1.0)]),
        ("bayes_p_first_better_jeffreys", vec![probability_candidate_better(counts, 0.5)]),
    ])
}

fn newcombe_uncorrected(inputs: &Inputs) -> Option<Fields> {
    let interval = newcombe_paired(table(inputs)?, Correlation::Observed, level(inputs));
    Some(vec![("ci", limits(interval))])
}

fn mcnemar_both(inputs: &Inputs) -> Option<Fields> {
    let (gained, lost) = (count(inputs, "first_only")?, count(inputs, "second_only")?);
    let counts = PairedCounts { gained, lost, ..PairedCounts::default() };
    Some(vec![("exact", vec![mcnemar_exact(counts)]), ("midp", vec![mcnemar_midp(counts)])])
}

fn e_value(inputs: &Inputs) -> Option<Fields> {
    let (gained, lost) = (count(inputs, "first_only")?, count(inputs, "second_only")?);
    let uniform = discordant_e_value(gained, lost);
    Some(vec![
        ("log_e_uniform", vec![uniform.log_e]),
        ("p_anytime_uniform", vec![uniform.anytime_p]),
        ("log_e_jeffreys", vec![log_e_value(gained, lost, 0.5)]),
    ])
}

fn noninferiority_paired(inputs: &Inputs) -> Option<Fields> {
    let (gained, lost) = (count(inputs, "new_only")?, count(inputs, "base_only")?);
    let both_right = count(inputs, "n")?.checked_sub(gained.checked_add(lost)?)?;
    let counts = PairedCounts { both_right, gained, lost, both_wrong: 0 };
    let margin = number(inputs, "margin").filter(|_| counts.n() > 0)?;
    let judged = noninferiority::noninferiority_paired(counts, margin);
    let lower90 = tango_interval(counts, 0.90).lo;
    Some(vec![
        ("z", vec![judged.z]),
        ("p_noninferior", vec![judged.p]),
        ("lower90", vec![lower90]),
        ("lower95", vec![tango_interval(counts, 0.95).lo]),
        ("pass_at_onesided_05", vec![f64::from(u8::from(lower90 > -margin))]),
    ])
}

/// From outcomes in `correct`, else from rows of first system, second system, right in the first
/// only, right in the second only.
fn all_pairs(inputs: &Inputs) -> Option<Fields> {
    let rows = match rows(inputs, "correct") {
        Some(samples) => discordant_pairs(&samples)?,
        None => numbers(inputs, "pairs_i_j_b_c")?,
    };
    let exact = |row: &[f64]| {
        let (gained, lost) = (whole(row[2])?, whole(row[3])?);
        Some(mcnemar_exact(PairedCounts { gained, lost, ..PairedCounts::default() }))
    };
    let p = rows.chunks_exact(4).map(exact).collect::<Option<Vec<f64>>>()?;
    let p_holm = holm(&p);
    let significant = |p: &[f64]| vec![p.iter().filter(|p| **p < 0.05).count() as f64];
    Some(vec![
        ("pairs_i_j_b_c", rows),
        ("n_sig_raw_05", significant(&p)),
        ("n_sig_holm_05", significant(&p_holm)),
        ("p_exact", p),
        ("p_holm", p_holm),
    ])
}

/// Rows as in `pairs_i_j_b_c` from outcomes with samples in rows and systems in columns.
fn discordant_pairs(samples: &[Vec<f64>]) -> Option<Vec<f64>> {
    let systems = samples.first()?.len();
    affordable(samples.len() as f64 * (systems as f64).powi(2))?;
    let rectangular = samples.iter().all(|sample| sample.len() == systems);
    let only = |right: usize, wrong: usize| {
        samples.iter().filter(|sample| sample[right] > sample[wrong]).count() as f64
    };
    let pairs = (0..systems).flat_map(|i| (i + 1..systems).map(move |j| (i, j)));
    let row = |(i, j)| [i as f64, j as f64, only(i, j), only(j, i)];
    rectangular.then(|| pairs.flat_map(row).collect())
}

fn power(inputs: &Inputs) -> Option<Fields> {
    let (gained, lost) = (number(inputs, "p_first_only")?, number(inputs, "p_second_only")?);
    let (n, options) = (count(inputs, "n")?, options(inputs));
    affordable((n as f64).sqrt() * STEPS_FOR_POWER)?;
    let exact = |variant| mcnemar_power(n, gained, lost, options.alpha, variant);
    Some(vec![
        ("power_normal_connor", vec![connor_power(n as f64, gained, lost, options.alpha)]),
        ("power_exact_test", vec![exact(Variant::Exact)]),
        ("power_midp_test", vec![exact(Variant::MidP)]),
        ("n_connor_80", vec![connor_pairs(gained + lost, gained - lost, options)]),
    ])
}
