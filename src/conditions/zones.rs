//! The number line cut into zones, and where a value stands among them with its interval.
//!
//! Conditions and expectations are both judged here: a condition has zones in which it holds or
//! fails, an expectation those in which it is met, exceeded, missed or violated.

use super::ThresholdRelation;

/// How a value stands to an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThresholdStanding {
    /// As expected.
    Met,
    /// Further the expected way than the most that was named.
    Exceeded,
    /// The expected way, or not at all, and not as far as expected.
    Missed,
    /// The other way, or beyond a limit.
    Violated,
}

impl ThresholdStanding {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Exceeded => "exceeded",
            Self::Missed => "missed",
            Self::Violated => "violated",
        }
    }

    /// Whether the expectation came true.
    pub fn is_good(self) -> bool {
        matches!(self, Self::Met | Self::Exceeded)
    }
}

/// Where one zone ends and the next begins.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cut {
    at: f64,
    /// Whether the number itself belongs to the zone below.
    below: bool,
}

/// The number line cut into zones, each with an answer. Invariant: one zone more than cuts, in
/// ascending order.
#[derive(Debug, Clone, PartialEq)]
pub struct ThresholdZones<T> {
    lowest: T,
    /// Each cut with the answer of the zone above it.
    above: Vec<(Cut, T)>,
}

/// Two numbers closer than this, relative to their size, are one.
const ROUNDING: f64 = 1e-12;

impl<T: Copy + Ord> ThresholdZones<T> {
    fn starting(lowest: T) -> Self {
        Self { lowest, above: Vec::new() }
    }

    /// From `at` on, another zone; `below` says that `at` itself belongs to the one before.
    fn then(mut self, at: f64, below: bool, zone: T) -> Self {
        self.above.push((Cut { at, below }, zone));
        self
    }

    /// Zones passed on the way up to a value, the one that it lies in last.
    fn up_to(&self, value: f64) -> impl DoubleEndedIterator<Item = T> {
        let beyond = |(cut, _): &&(Cut, T)| {
            let equal = (value - cut.at).abs() <= ROUNDING * cut.at.abs().max(1.0);
            if equal { !cut.below } else { value > cut.at }
        };
        let count = self.above.iter().take_while(beyond).count();
        let passed = self.above.iter().take(count).map(|(_, zone)| *zone);
        std::iter::once(self.lowest).chain(passed)
    }

    pub fn at(&self, value: f64) -> T {
        self.up_to(value).next_back().unwrap_or(self.lowest)
    }

    /// Every way in which values of an interval stand, each once, in ascending order.
    pub fn within(&self, [lo, hi]: [f64; 2]) -> Vec<T> {
        let before = self.up_to(lo).count() - 1;
        let mut found: Vec<T> = self.up_to(hi).skip(before).collect();
        found.sort();
        found.dedup();
        found
    }

    /// The cut nearest to a value among those that an interval covers.
    pub fn border(&self, value: f64, [lo, hi]: [f64; 2]) -> Option<f64> {
        let covered = self.above.iter().map(|(cut, _)| cut.at);
        let covered = covered.filter(|at| lo <= *at && *at <= hi);
        covered.min_by(|a, b| (a - value).abs().total_cmp(&(b - value).abs()))
    }
}

impl ThresholdZones<bool> {
    /// Where a value stands in a relation to a number, and where it does not.
    pub(super) fn holding(relation: ThresholdRelation, to: f64) -> Self {
        match relation {
            ThresholdRelation::Less => Self::starting(true).then(to, false, false),
            ThresholdRelation::AtMost => Self::starting(true).then(to, true, false),
            ThresholdRelation::More => Self::starting(false).then(to, true, true),
            ThresholdRelation::AtLeast => Self::starting(false).then(to, false, true),
            ThresholdRelation::Equal => {
                Self::starting(false).then(to, false, true).then(to, true, false)
            }
            ThresholdRelation::Unequal => {
                Self::starting(true).then(to, false, false).then(to, true, true)
            }
        }
    }
}

impl ThresholdZones<ThresholdStanding> {
    /// A rise by `least` to `most`.
    pub fn rise(least: Option<f64>, most: Option<f64>) -> Self {
        let zones = Self::starting(ThresholdStanding::Violated);
        let zones =
            match least {
                // No size: a change of exactly 0 is none.
                None => zones.then(0.0, false, ThresholdStanding::Missed).then(
                    0.0,
                    true,
                    ThresholdStanding::Met,
                ),
                Some(least) if least > 0.0 => zones
                    .then(0.0, false, ThresholdStanding::Missed)
                    .then(least, false, ThresholdStanding::Met),
                Some(_) => zones.then(0.0, false, ThresholdStanding::Met),
            };
        match most {
            Some(most) => zones.then(most, true, ThresholdStanding::Exceeded),
            None => zones,
        }
    }

    /// A fall by `least` to `most`.
    pub fn fall(least: Option<f64>, most: Option<f64>) -> Self {
        let mut lowest = ThresholdStanding::Violated;
        let mut above = Vec::new();
        for (cut, zone) in Self::rise(least, most).above {
            let mirrored = Cut { at: 0.0 - cut.at, below: !cut.below };
            above.insert(0, (mirrored, std::mem::replace(&mut lowest, zone)));
        }
        Self { lowest, above }
    }

    /// Within limits, of which either may be open.
    pub fn between(lo: Option<f64>, hi: Option<f64>, closed: bool) -> Self {
        let zones = match lo {
            Some(lo) => Self::starting(ThresholdStanding::Violated).then(
                lo,
                !closed,
                ThresholdStanding::Met,
            ),
            None => Self::starting(ThresholdStanding::Met),
        };
        match hi {
            Some(hi) => zones.then(hi, closed, ThresholdStanding::Violated),
            None => zones,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ThresholdStanding::{Exceeded, Met, Missed, Violated};

    #[test]
    fn a_range_is_met_at_its_ends_and_violated_the_other_way() {
        let up = ThresholdZones::rise(Some(20.0), Some(40.0));
        let down = ThresholdZones::fall(Some(20.0), Some(40.0));
        for (value, standing) in [
            (-0.1, Violated),
            (0.0, Missed),
            (19.9, Missed),
            (20.0, Met),
            (19.999_999_999_999, Met),
            (40.0, Met),
            (40.1, Exceeded),
        ] {
            assert_eq!(up.at(value), standing, "{value}");
            assert_eq!(down.at(-value), standing, "-{value}");
        }
    }

    #[test]
    fn an_arrow_alone_asks_for_any_move() {
        let up = ThresholdZones::rise(None, None);
        assert_eq!([-1.0, 0.0, 0.1].map(|value| up.at(value)), [Violated, Missed, Met]);
        let down = ThresholdZones::fall(None, None);
        assert_eq!([1.0, 0.0, -0.1].map(|value| down.at(value)), [Violated, Missed, Met]);
    }

    #[test]
    fn a_limit_is_violated_beyond_it() {
        let below = ThresholdZones::between(None, Some(10.0), false);
        assert_eq!([9.9, 10.0].map(|value| below.at(value)), [Met, Violated]);
        let least = ThresholdZones::between(Some(-2.0), None, true);
        assert_eq!([-2.1, -2.0].map(|value| least.at(value)), [Violated, Met]);
    }

    #[test]
    fn an_interval_stands_in_every_zone_that_it_reaches() {
        let up = ThresholdZones::rise(Some(20.0), Some(40.0));
        for (interval, standings, border) in [
            ([21.0, 39.0], vec![Met], None),
            ([18.0, 32.0], vec![Met, Missed], Some(20.0)),
            ([-1.0, 50.0], vec![Met, Exceeded, Missed, Violated], Some(20.0)),
            ([41.0, f64::INFINITY], vec![Exceeded], None),
        ] {
            assert_eq!(up.within(interval), standings, "{interval:?}");
            assert_eq!(up.border(25.0, interval), border, "{interval:?}");
        }
    }
}
