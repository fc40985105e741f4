//! Paired scores by their order alone: Wilcoxon's signed ranks, and no interval. Scores that are
//! lost or infinite have the largest ranks (Lachin 1999, *Controlled Clinical Trials* 20), which
//! needs no number in their place.

use super::agreement;
use crate::stats::signed_ranks::SignedRanks;
use crate::stats::{Analysis, Options};

/// Tag of the interval that there is not.
const NO_INTERVAL: &str = "paired-ranks";

/// The difference is that of the shares of the ranks on either side, between −1 and 1 (Kerby 2014).
pub(super) fn analyse(ranks: &SignedRanks, options: Options) -> Analysis {
    let (plus, minus) = (ranks.plus(), ranks.minus());
    let all = plus + minus;
    let delta = if all > 0.0 { (plus - minus) / all } else { 0.0 };
    let test = Some(ranks.test());
    Analysis {
        test,
        notes: agreement::notes(None, test, options.alpha),
        ..Analysis::unassessed(NO_INTERVAL, delta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The oracles are `scipy.stats.wilcoxon(d, method="exact")` of `SciPy` 1.17.1, and with ties
    /// all 2⁸ signs of `scipy.stats.rankdata`.
    #[test]
    fn infinite_differences_have_the_largest_ranks() {
        let found = |differences: &[f64]| {
            let analysis = analyse(&SignedRanks::new(differences, 8.0), Options::default());
            (analysis.delta, analysis.test.map_or(1.0, |test| test.p))
        };
        let finite = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, -7.0, -8.0];
        let infinite = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, f64::NEG_INFINITY, f64::NEG_INFINITY];
        let (delta, p) = found(&finite);
        assert!((delta - 6.0 / 36.0).abs() < 1e-15 && (p - 0.742_187_5).abs() < 1e-12, "{p}");
        let (delta, p) = found(&infinite);
        assert!((delta - 6.0 / 36.0).abs() < 1e-15 && (p - 0.710_937_5).abs() < 1e-12, "{p}");
    }
}
