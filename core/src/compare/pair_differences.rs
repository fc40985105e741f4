//! How the differences of single pairs are spread: a mean moves by a few large ones as well as by many small
//! ones.

use super::Comparison;
use super::joined::Joined;
use crate::quantity;
use crate::stats::resampling::bootstrap::quantile;

/// Fewer pairs are seen faster one by one.
const FEWEST: usize = 20;
/// Shares of the pairs at which a difference is named.
pub const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
/// The range of differences is divided into about so many classes.
const CLASSES: f64 = 12.0;
/// Share of the pairs at either end that the outermost classes hold, however far out.
const OUTER: f64 = 0.01;

/// The differences candidate − baseline of the pairs of a cell with a score in both arms, in the unit of the
/// difference.
#[derive(Debug, Clone, PartialEq)]
pub struct PairDifferences {
    pub pairs: usize,
    pub lower: usize,
    pub same: usize,
    pub higher: usize,
    /// At [`SHARES`] of the pairs: linear between two neighbours, type 7 of Hyndman and Fan (1996).
    pub quantiles: [f64; SHARES.len()],
    /// The lowest and the highest.
    pub extremes: [f64; 2],
    /// In ascending order; those that are 0 have a class of their own.
    pub classes: Vec<DifferenceClass>,
}

/// Pairs whose differences lie within limits; an outer limit is infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DifferenceClass {
    pub limits: [f64; 2],
    pub pairs: usize,
}

impl PairDifferences {
    /// `None` without pairs enough, where none changed, and where scores are right or wrong: counting says
    /// all then.
    pub fn of(comparison: &Comparison<'_>) -> Option<Self> {
        Self::new(differences(comparison)?)
    }

    /// Whether there is one.
    pub fn exists(comparison: &Comparison<'_>) -> bool {
        differences(comparison).is_some_and(|differences| says_something(&differences))
    }

    fn new(mut differences: Vec<f64>) -> Option<Self> {
        let pairs = differences.len();
        if !says_something(&differences) {
            return None;
        }
        differences.sort_unstable_by(f64::total_cmp);
        let (Some(&lowest), Some(&highest)) = (differences.first(), differences.last()) else {
            return None;
        };
        let lower = differences.partition_point(|one| *one < 0.0);
        let higher = pairs - differences.partition_point(|one| *one <= 0.0);
        let [low, high] = [OUTER, 1.0 - OUTER].map(|share| quantile(&differences, share));
        // A few large ones among many that are equal are what has to be seen.
        let low = if lower > 0 && low >= 0.0 { lowest } else { low };
        let high = if higher > 0 && high <= 0.0 { highest } else { high };
        let quantiles = SHARES.map(|share| quantile(&differences, share));
        let classes = classes(&differences, [low, high]);
        let extremes = [lowest, highest];
        let same = pairs - lower - higher;
        Some(Self { pairs, lower, same, higher, quantiles, extremes, classes })
    }
}

/// The differences of pairs, where scores may be partly right.
fn differences(comparison: &Comparison<'_>) -> Option<Vec<f64>> {
    let joined = Joined::new(comparison.pair, comparison.cell)?;
    let scale = comparison.cell.spec.unit.shown_scale();
    let differences = || joined.complete().map(|pair| pair.difference() * scale).collect();
    joined.right().is_none().then(differences)
}

fn says_something(differences: &[f64]) -> bool {
    differences.len() >= FEWEST
        && differences.iter().any(|one| *one != 0.0)
        && differences.iter().all(|one| one.is_finite())
}

/// Classes of one width from the lower to the upper end, 0 being a limit; both ends have 0 between them.
fn classes(differences: &[f64], [low, high]: [f64; 2]) -> Vec<DifferenceClass> {
    let width = quantity::step_from((high.max(0.0) - low.min(0.0)) / CLASSES);
    // A hundredth that is a limit may be a little more than that in binary.
    let steps = |distance: f64| (distance / width - 1e-9).ceil() as usize;
    let [below, above] = [-low, high].map(|end| steps(end.max(0.0)));
    let mut counts = vec![0_usize; below + 1 + above];
    for difference in differences {
        let out = steps(difference.abs()).max(1);
        let place = match *difference {
            one if one < 0.0 => below.saturating_sub(out.min(below)),
            one if one > 0.0 => below + out.min(above),
            _ => below,
        };
        if let Some(count) = counts.get_mut(place) {
            *count += 1;
        }
    }
    let last = counts.len() - 1;
    let class = |(place, pairs): (usize, usize)| {
        let edge = |place: f64| (place - below as f64) * width;
        let at = place as f64;
        let [mut from, mut to] = match place {
            place if place < below => [edge(at), edge(at + 1.0)],
            place if place == below => [0.0, 0.0],
            _ => [edge(at - 1.0), edge(at)],
        };
        if place == 0 && place < below {
            from = f64::NEG_INFINITY;
        }
        if place == last && place > below {
            to = f64::INFINITY;
        }
        DifferenceClass { limits: [from, to], pairs }
    };
    counts.into_iter().enumerate().map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(differences: &[f64]) -> Option<PairDifferences> {
        PairDifferences::new(differences.to_vec())
    }

    #[test]
    fn quantiles_are_those_of_numpy() {
        // numpy 2.4.6: numpy.quantile([((i * 37) % 101 - 40) / 10 for i in range(101)], SHARES)
        let differences: Vec<f64> =
            (0..101).map(|i| f64::from((i * 37) % 101 - 40) / 10.0).collect();
        let found = of(&differences).expect("a distribution");
        assert_eq!(found.quantiles, [-3.5, -1.5, 1.0, 3.5, 5.5]);
        assert_eq!((found.lower, found.same, found.higher), (40, 1, 60));
        // numpy 2.4.6: numpy.quantile([x * x for x in range(-3, 19)], SHARES)
        let squares: Vec<f64> = (-3..19).map(|x| f64::from(x * x)).collect();
        let found = of(&squares).expect("a distribution");
        let expected = [1.0, 9.0, 56.5, 162.75, 287.35];
        for (found, expected) in found.quantiles.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn every_pair_is_in_the_class_of_its_limits() {
        let differences: Vec<f64> = (0..400)
            .map(|i| f64::from((i * 7919) % 997 - 600) / 123.0 * f64::from(i % 4))
            .collect();
        let found = of(&differences).expect("a distribution");
        let sum: usize = found.classes.iter().map(|class| class.pairs).sum();
        assert_eq!(sum, 400);
        for class in &found.classes {
            let [from, to] = class.limits;
            let is_in = |one: &&f64| match (from, to) {
                (0.0, 0.0) => **one == 0.0,
                (from, _) if from < 0.0 => (from..to).contains(*one) && **one < 0.0,
                _ => **one > from && **one <= to,
            };
            let expected = differences.iter().filter(is_in).count();
            assert_eq!(class.pairs, expected, "{class:?}");
        }
        assert_eq!(found.same, 100 + differences.iter().filter(|one| **one == 0.0).count() - 100);
    }

    #[test]
    fn a_few_large_changes_among_many_that_are_none_are_seen() {
        let mut differences = vec![0.0; 198];
        differences.extend([-4000.0, -3900.0]);
        let found = of(&differences).expect("a distribution");
        assert_eq!((found.lower, found.same, found.higher), (2, 198, 0));
        assert_eq!(found.extremes, [-4000.0, 0.0]);
        let changed = found.classes.iter().filter(|class| class.limits[0] < 0.0);
        assert_eq!(changed.map(|class| class.pairs).sum::<usize>(), 2);
    }

    #[test]
    fn without_changes_and_with_a_few_pairs_there_is_no_distribution() {
        assert_eq!(of(&[0.0; 100]), None);
        assert_eq!(of(&[0.1, 0.2, 0.3]), None);
        let mut broken: Vec<f64> = (0..100).map(f64::from).collect();
        broken.push(f64::INFINITY);
        assert_eq!(of(&broken), None);
    }
}
