//! Paired shares.

use super::{
    Fields, Inputs, Recompute, affordable, columns, count, level, limits, number, options,
};
use crate::stats::PairedCounts;
use crate::stats::planning::connor_pairs;
use crate::stats::proportions::paired::{mcnemar_exact, mcnemar_midp, tango_interval, tango_z};
use crate::stats::proportions::ratio::bonett_price_ratio;
use crate::stats::sequential::discordant_e_value;
use crate::stats::systems::all_pairs;

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("paired_proportions", paired_proportions),
    ("paired_ratio_bonett_price", ratio),
    ("mcnemar_exact", mcnemar_both),
    ("betabinomial_e_value_discordant", e_value),
    ("tango_at_margin", at_margin),
    ("all_pairs_mcnemar_holm", every_two),
    ("n_paired_proportions", size),
];

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
    let counts = table(inputs)?;
    Some(vec![
        ("diff", vec![counts.delta()]),
        ("mcnemar_exact", vec![mcnemar_exact(counts)]),
        ("mcnemar_midp", vec![mcnemar_midp(counts)]),
        ("tango", limits(tango_interval(counts, level(inputs)))),
    ])
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
    ])
}

fn at_margin(inputs: &Inputs) -> Option<Fields> {
    let (gained, lost) = (count(inputs, "new_only")?, count(inputs, "base_only")?);
    let both_right = count(inputs, "n")?.checked_sub(gained.checked_add(lost)?)?;
    let counts = PairedCounts { both_right, gained, lost, both_wrong: 0 };
    let margin = number(inputs, "margin").filter(|_| counts.n() > 0)?;
    Some(vec![
        ("z", vec![tango_z(counts, -margin)]),
        ("lower90", vec![tango_interval(counts, 0.90).lo]),
        ("lower95", vec![tango_interval(counts, 0.95).lo]),
    ])
}

/// Every two systems, samples in the rows of `correct` and systems in its columns.
fn every_two(inputs: &Inputs) -> Option<Fields> {
    let systems = columns(inputs, "correct")?;
    affordable(systems.first()?.len() as f64 * (systems.len() as f64).powi(2))?;
    let p_of = |first: usize, second: usize| {
        let mut counts = PairedCounts::default();
        for (first, second) in systems[first].iter().zip(&systems[second]) {
            counts.add(*second > 0.5, *first > 0.5);
        }
        Some(mcnemar_exact(counts))
    };
    let (p, p_holm) = all_pairs(systems.len(), p_of)
        .iter()
        .filter_map(|pair| pair.p.zip(pair.p_adjusted))
        .unzip();
    Some(vec![("p_exact", p), ("p_holm", p_holm)])
}

fn size(inputs: &Inputs) -> Option<Fields> {
    let (gained, lost) = (number(inputs, "p_first_only")?, number(inputs, "p_second_only")?);
    Some(vec![("n_pairs", vec![connor_pairs(gained + lost, gained - lost, options(inputs))])])
}
