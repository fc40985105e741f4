//! Paired shares.

use super::{Fields, Inputs, Recompute, count, limits, number, numbers};
use crate::stats::distribution::normal_sf;
use crate::stats::proportions::paired::{mcnemar_exact, mcnemar_midp, tango_interval, tango_z};
use crate::stats::{PairedCounts, holm};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[
    ("paired_proportions", paired_proportions),
    ("mcnemar_exact", mcnemar_both),
    ("noninferiority_paired_tango", noninferiority_paired),
    ("all_pairs_mcnemar_holm", all_pairs),
];

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
