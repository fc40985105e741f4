//! Paired outcomes 0 or 1: Tango's score interval with McNemar's test.

use super::agreement;
use crate::stats::planning::{detectable_paired_share, discordance_bound, needed_pairs};
use crate::stats::proportions::paired::{fewest_discordant, fewest_pairs, mcnemar, tango_interval};
use crate::stats::{Analysis, Interval, Options, PairedCounts};

/// `None` without pairs.
pub(super) fn analyse(counts: PairedCounts, options: Options) -> Option<Analysis> {
    let interval = Some(interval(counts, 1.0 - options.alpha)?);
    let test = Some(mcnemar(counts));
    let (n, delta) = (counts.n() as f64, counts.delta());
    let discordant = counts.discordant() as f64 / n;
    let supposed = if discordant > 0.0 { discordant } else { discordance_bound(n, options) };
    // A result below the level has at least so many pairs more in one direction.
    let fewest = fewest_discordant(counts.n(), options.alpha);
    Some(Analysis {
        interval_method: "tango",
        delta,
        interval,
        test,
        mde: detectable_paired_share(n, supposed, options)
            .zip(fewest)
            .map(|(mde, fewest)| mde.max(fewest as f64 / n)),
        needed: needed_pairs(discordant, delta, options)
            .map(|needed| needed.max(fewest_pairs(discordant, options.alpha))),
        notes: agreement::notes(interval, test, options.alpha),
    })
}

pub(super) fn interval(counts: PairedCounts, level: f64) -> Option<Interval> {
    (counts.n() > 0).then(|| tango_interval(counts, level))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analysed(both_right: u64, gained: u64, alpha: f64) -> Analysis {
        let counts = PairedCounts { both_right, gained, ..PairedCounts::default() };
        analyse(counts, Options { alpha, ..Options::default() }).unwrap()
    }

    #[test]
    fn plans_reckon_with_the_test_that_decides() {
        // All pairs gained: 2/2^6 is the first p below 0.05; 2/2^8 below 0.01.
        for (alpha, fewest) in [(0.05, 6), (0.01, 8)] {
            assert_eq!(analysed(0, 4, alpha).needed, Some(fewest), "{alpha}");
            assert_eq!(analysed(fewest - 2, 1, alpha).mde, None, "{alpha}");
            assert_eq!(analysed(0, fewest, alpha).mde, Some(1.0), "{alpha}");
        }
        // Of the mid-p variant 1/2^5 is the first below 0.05, and 1/2^10 below 0.001: with seven
        // pairs and thirteen, of which that many are four fifths at most.
        for (pairs, alpha, fewest) in
            [(6, 0.05, 6), (7, 0.05, 5), (100, 0.05, 5), (12, 0.001, 11), (13, 0.001, 10)]
        {
            assert_eq!(fewest_discordant(pairs, alpha), Some(fewest), "{pairs} {alpha}");
        }
        // Five discordant pairs are expected among ten of which half are discordant.
        assert!(analysed(4, 4, 0.05).needed.is_some_and(|needed| needed >= 10));
    }
}
