//! Paired shares: Tango's score interval and McNemar's test.

use crate::stats::distribution::root::boundary;
use crate::stats::distribution::{
    fair_binomial_cdf, fair_binomial_pmf, normal_two_sided, reportable_p,
};
use crate::stats::planning::fewest_flipped;
use crate::stats::{Interval, PairedCounts, Test};

/// Most discordant pairs, as a share of all (numerator and denominator), for which the mid-p variant
/// keeps its level: the number of discordant pairs has to vary for its steps to even out.
const MOST_FOR_MID_P: (u64, u64) = (4, 5);

/// Tango's score interval for the difference of paired shares (Tango 1998, *Statistics in
/// Medicine* 17): all differences whose score statistic stays within ±z. At least one pair.
pub fn tango_interval(counts: PairedCounts, level: f64) -> Interval {
    let (n, z) = (counts.n() as f64, normal_two_sided(level));
    if counts.discordant() == 0 {
        let half = z * z / (n + z * z);
        return Interval { lo: -half, hi: half, level };
    }
    let accepted = |delta: f64| tango_z(counts, delta).abs() <= z;
    let observed = counts.delta();
    Interval {
        lo: boundary(observed, -1.0, accepted),
        hi: boundary(observed, 1.0, accepted),
        level,
    }
}

/// Tango's score statistic for the hypothesis that the difference of paired shares is `delta`,
/// in [−1, 1]; positive when the observed difference is larger. Infinite where the hypothesis
/// leaves no variance but the data contradict it.
pub fn tango_z(counts: PairedCounts, delta: f64) -> f64 {
    let (n, gained, lost) = (counts.n() as f64, counts.gained as f64, counts.lost as f64);
    let surplus = (gained - lost) - n * delta;
    if surplus == 0.0 {
        return 0.0;
    }
    let q = share_lost_at(n, gained, lost, delta);
    let variance = n * (2.0 * q + delta * (1.0 - delta)).max(0.0);
    surplus / variance.sqrt()
}

/// Maximum-likelihood share of pairs lost when the difference is held at `delta`: the larger root
/// of 2n·q² + B·q + C, by the form without cancellation.
fn share_lost_at(n: f64, gained: f64, lost: f64, delta: f64) -> f64 {
    let b = (2.0 * n - gained + lost) * delta - gained - lost;
    let c = -lost * delta * (1.0 - delta);
    let root = (b * b - 8.0 * n * c).max(0.0).sqrt();
    if b > 0.0 { -2.0 * c / (b + root) } else { (root - b) / (4.0 * n) }
}

/// McNemar's test: mid-p where at most four fifths of the pairs are discordant, exact beyond.
pub fn mcnemar(counts: PairedCounts) -> Test {
    let discordant = counts.discordant();
    let one_way = (1.0 - discordant as f64).exp2().min(1.0);
    let (method, p, attainable) = if mid_p_holds(discordant, counts.n()) {
        ("mcnemar-midp", mcnemar_midp(counts), if discordant == 0 { 1.0 } else { 0.5 * one_way })
    } else {
        ("mcnemar-exact", mcnemar_exact(counts), one_way)
    };
    Test { method, p: reportable_p(p), statistic: None, attainable: Some(reportable_p(attainable)) }
}

fn mid_p_holds(discordant: u64, pairs: u64) -> bool {
    let (most, of) = MOST_FOR_MID_P;
    of * discordant <= most * pairs
}

/// Fewest discordant pairs among so many pairs for which [`mcnemar`] can give a p below `alpha`;
/// `None` where even all of them cannot.
pub fn fewest_discordant(pairs: u64, alpha: f64) -> Option<u64> {
    let exact = fewest_flipped(alpha);
    // The mid-p of pairs in one direction is half the exact p: one pair fewer will do.
    let fewest = if mid_p_holds(exact - 1, pairs) { exact - 1 } else { exact };
    (fewest <= pairs).then_some(fewest)
}

/// Pairs among which a share `discordant` > 0 is expected to reach the number of discordant pairs
/// for which [`mcnemar`] can give a p below `alpha`.
pub fn fewest_pairs(discordant: f64, alpha: f64) -> u64 {
    let (most, of) = MOST_FOR_MID_P;
    let exact = fewest_flipped(alpha);
    let fewest = if discordant <= most as f64 / of as f64 { exact - 1 } else { exact };
    (fewest as f64 / discordant).ceil() as u64
}

/// Two-sided exact p-value: the discordant pairs as tosses of a fair coin.
pub fn mcnemar_exact(counts: PairedCounts) -> f64 {
    let rarer = counts.gained.min(counts.lost);
    (2.0 * fair_binomial_cdf(rarer, counts.discordant())).min(1.0)
}

/// Two-sided mid-p value: the observed outcome counts half (Fagerland, Lydersen and Laake 2013,
/// *BMC Medical Research Methodology* 13). Equal counts are in both tails, so half of their
/// probability is left out once: 1 − P(that count)/2. 1 without discordant pairs.
pub fn mcnemar_midp(counts: PairedCounts) -> f64 {
    let (rarer, discordant) = (counts.gained.min(counts.lost), counts.discordant());
    let observed = fair_binomial_pmf(rarer, discordant);
    if discordant == 0 {
        1.0
    } else if counts.gained == counts.lost {
        1.0 - 0.5 * observed
    } else {
        2.0 * fair_binomial_cdf(rarer, discordant) - observed
    }
}
