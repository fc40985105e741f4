//! What the levels of intervals and tests are worth: every outcome of small designs enumerated.

use reportgen::stats::distribution::{binomial_pmf, fair_binomial_pmf};
use reportgen::stats::proportions::independent::{miettinen_nurminen, newcombe_hybrid};
use reportgen::stats::proportions::paired::{mcnemar, mcnemar_exact, mcnemar_midp, tango_interval};
use reportgen::stats::proportions::unconditional::boschloo;
use reportgen::stats::{Counts, Interval, PairedCounts, wilson};

const LEVEL: f64 = 0.95;
const ALPHA: f64 = 0.05;

/// Supposed shares from one end of the scale to the other.
fn shares(steps: u32) -> impl Iterator<Item = f64> + Clone {
    (1..steps).map(move |step| f64::from(step) / f64::from(steps))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn wilsons_interval_covers_the_true_share_at_about_its_level() {
    for n in [10, 20, 50, 100, 200] {
        let intervals: Vec<Interval> = (0..=n).map(|x| wilson(Counts { x, n }, LEVEL)).collect();
        let covered = |share: f64| -> f64 {
            let fits = (0..=n).filter(|x| !intervals[*x as usize].excludes(share));
            fits.map(|x| binomial_pmf(x, n, share)).sum()
        };
        let mean = mean(&shares(100).map(covered).collect::<Vec<_>>());
        assert!((0.93..=0.97).contains(&mean), "n = {n}: {mean}");
    }
}

/// Mean coverage of an interval for candidate − baseline over all pairs of shares of a grid.
fn independent_coverage(n: [u64; 2], interval: impl Fn(Counts, Counts) -> Interval) -> f64 {
    let tables: Vec<(u64, u64, Interval)> = (0..=n[0])
        .flat_map(|x| (0..=n[1]).map(move |y| (x, y)))
        .map(|(x, y)| (x, y, interval(Counts { x, n: n[0] }, Counts { x: y, n: n[1] })))
        .collect();
    let covered = |before: f64, after: f64| -> f64 {
        let fits = tables.iter().filter(|(_, _, interval)| !interval.excludes(after - before));
        fits.map(|(x, y, _)| binomial_pmf(*x, n[0], before) * binomial_pmf(*y, n[1], after)).sum()
    };
    let grid = shares(10);
    let all: Vec<f64> = grid
        .clone()
        .flat_map(|p| grid.clone().map(move |q| (p, q)))
        .map(|(p, q)| covered(p, q))
        .collect();
    mean(&all)
}

#[test]
fn intervals_of_independent_shares_cover_the_true_difference_at_about_their_level() {
    for n in [[8, 8], [10, 15]] {
        let score = independent_coverage(n, |a, b| miettinen_nurminen(a.into(), b.into(), LEVEL));
        let hybrid = independent_coverage(n, |a, b| newcombe_hybrid(a, b, LEVEL));
        assert!((0.93..=0.98).contains(&score), "{n:?}: {score}");
        assert!((0.93..=0.98).contains(&hybrid), "{n:?}: {hybrid}");
    }
}

/// Mean coverage of an interval for paired shares, over shares of discordant pairs of a grid. The
/// concordant pairs are all right in both arms, or half of them.
fn paired_coverage(n: u64, interval: impl Fn(PairedCounts) -> Interval) -> f64 {
    let tables: Vec<(u64, u64, Interval)> = (0..=n)
        .flat_map(|gained| (0..=n - gained).map(move |lost| (gained, lost)))
        .map(|(gained, lost)| {
            let both_wrong = (n - gained - lost) / 2;
            let both_right = n - gained - lost - both_wrong;
            let counts = PairedCounts { both_right, gained, lost, both_wrong };
            (gained, lost, interval(counts))
        })
        .collect();
    let covered = |gain: f64, loss: f64| -> f64 {
        let fits = tables.iter().filter(|(_, _, interval)| !interval.excludes(gain - loss));
        let among_the_rest = loss / (1.0 - gain);
        fits.map(|(gained, lost, _)| {
            binomial_pmf(*gained, n, gain) * binomial_pmf(*lost, n - gained, among_the_rest)
        })
        .sum()
    };
    let grid = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4];
    let all: Vec<f64> = grid.iter().flat_map(|p| grid.map(|q| covered(*p, q))).collect();
    mean(&all)
}

#[test]
fn intervals_of_paired_shares_cover_the_true_difference_at_about_their_level() {
    for n in [10, 20, 30] {
        let tango = paired_coverage(n, |counts| tango_interval(counts, LEVEL));
        assert!((0.93..=0.98).contains(&tango), "n = {n}: {tango}");
    }
}

/// How often a test rejects n pairs whose outcomes differ with that probability and fall either way
/// alike: for each number of discordant pairs, its probability times that of the rejected splits.
fn mcnemar_size(n: u64, p_value: fn(PairedCounts) -> f64) -> impl Fn(f64) -> f64 {
    let rejected = |discordant: u64| -> f64 {
        let splits = (0..=discordant).filter(|gained| {
            let lost = discordant - gained;
            let both_wrong = n - discordant;
            p_value(PairedCounts { gained: *gained, lost, both_right: 0, both_wrong }) < ALPHA
        });
        splits.map(|gained| fair_binomial_pmf(gained, discordant)).sum()
    };
    let rejected: Vec<f64> = (0..=n).map(rejected).collect();
    move |share| {
        (0..=n).zip(&rejected).map(|(m, rejected)| binomial_pmf(m, n, share) * rejected).sum()
    }
}

#[test]
fn mcnemars_test_rejects_equal_shares_no_more_often_than_it_says() {
    for n in (5..60).chain([82, 130, 190, 194, 200, 262]) {
        let (exact, midp) = (mcnemar_size(n, mcnemar_exact), mcnemar_size(n, mcnemar_midp));
        let decides = mcnemar_size(n, |counts| mcnemar(counts).p);
        for discordant in shares(100).chain([1.0]) {
            let (exact, midp) = (exact(discordant), midp(discordant));
            assert!(exact <= ALPHA && exact <= midp + 1e-12, "n = {n}, {discordant}: {exact}");
            // Mid-p alone: numpy and scipy 1.17.1 give at most 0.0503 up to four fifths.
            assert!(midp <= 0.0503 || discordant > 0.8, "n = {n}, {discordant}: {midp}");
            let decides = decides(discordant);
            assert!(decides <= ALPHA, "n = {n}, {discordant}: {decides}");
            assert!(decides >= exact - 1e-12, "n = {n}, {discordant}: {decides} {exact}");
        }
    }
    // All of sixteen pairs discordant: mid-p alone rejects 2·P(X ≤ 4) of the time.
    assert!(mcnemar_size(16, mcnemar_midp)(1.0) > 0.076);
}

#[test]
fn boschloos_test_rejects_equal_shares_no_more_often_than_it_says() {
    for n in [[5, 5], [4, 11], [12, 12]] {
        let counts = |x: u64, n: u64| Counts { x, n };
        let rejected: Vec<(u64, u64)> = (0..=n[0])
            .flat_map(|x| (0..=n[1]).map(move |y| (x, y)))
            .filter(|(x, y)| boschloo(counts(*x, n[0]), counts(*y, n[1])).p <= ALPHA)
            .collect();
        assert!(!rejected.is_empty(), "{n:?}");
        for share in shares(200) {
            let size: f64 = rejected
                .iter()
                .map(|(x, y)| binomial_pmf(*x, n[0], share) * binomial_pmf(*y, n[1], share))
                .sum();
            assert!(size <= ALPHA * (1.0 + 1e-9), "{n:?}, {share}: {size}");
        }
    }
}
