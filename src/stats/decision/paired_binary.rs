//! Paired outcomes 0 or 1: Tango's score interval with McNemar's test.

use super::agreement;
use crate::stats::planning::{detectable_paired_share, discordance_bound, needed_pairs};
use crate::stats::proportions::paired::{fewest_discordant, mcnemar, tango_interval};
use crate::stats::{Analysis, Interval, Options, PairedCounts};

/// `None` without pairs.
pub(super) fn analyse(counts: PairedCounts, options: Options) -> Option<Analysis> {
    let interval = Some(interval(counts, 1.0 - options.alpha)?);
    let test = Some(mcnemar(counts));
    let (n, delta) = (counts.n() as f64, counts.delta());
    let discordant = counts.discordant() as f64 / n;
    let supposed = if discordant > 0.0 { discordant } else { discordance_bound(n, options) };
    // A result below the level has at least so many pairs more in one direction.
    let fewest = fewest_discordant(options.alpha) as f64;
    Some(Analysis {
        interval_method: "tango",
        delta,
        interval,
        test,
        mde: detectable_paired_share(n, supposed, options)
            .filter(|_| n >= fewest)
            .map(|mde| mde.max(fewest / n)),
        needed: needed_pairs(discordant, delta, options)
            .map(|needed| needed.max((fewest / discordant).ceil() as u64)),
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
        // Of the mid-p variant 1/2^10 is the first below 0.001.
        assert_eq!(fewest_discordant(0.001), 10);
        // Six discordant pairs are expected among twelve of which half are discordant.
        assert!(analysed(4, 4, 0.05).needed.is_some_and(|needed| needed >= 12));
    }
}
