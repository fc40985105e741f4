//! What can be said about paired outcomes of which only the two totals are known.

use crate::stats::PairedCounts;
use crate::stats::proportions::paired::mcnemar_exact;

/// The exact McNemar test over all tables of pairs that agree with two totals over the same
/// samples. Both p-values below α: significant whatever the pairing. Both above: not significant
/// whatever it is. Else only the samples can tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairingBounds {
    /// Smallest two-sided p-value, that of the fewest discordant pairs: the difference of the totals.
    pub p_min: f64,
    /// Largest two-sided p-value, that of the most discordant pairs.
    pub p_max: f64,
}

/// The bounds for `x_a` and `x_b` successes of the same `n` samples; `None` when a total exceeds
/// `n` or there are no samples.
///
/// The difference of the discordant counts is that of the totals. With two more discordant pairs,
/// one in either direction, the tail 2·P(S ≥ d) of the symmetric walk changes by
/// (P(S = d − 2) − P(S = d))/2, which is never negative for d ≥ 1: so the ends of the range hold
/// the smallest and the largest p-value, and no table between them has to be visited.
pub fn pairing_bounds(x_a: u64, x_b: u64, n: u64) -> Option<PairingBounds> {
    let (more, less) = (x_a.max(x_b), x_a.min(x_b));
    let spare = n.checked_sub(more).filter(|_| n > 0)?;
    let (apart, both_ways) = (more - less, less.min(spare));
    let p = |lost: u64| {
        mcnemar_exact(PairedCounts { gained: apart + lost, lost, ..PairedCounts::default() })
    };
    Some(PairingBounds { p_min: p(0), p_max: p(both_ways) })
}
