//! The values that an expectation calls met, exceeded, missed and violated, and where an interval
//! stands among them.

use super::expectation::Way;

/// How a value stands to an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// As expected.
    Met,
    /// Further the expected way than the most that was named.
    Exceeded,
    /// The expected way, or not at all, and not as far as expected.
    Missed,
    /// The other way, or beyond a limit.
    Violated,
}

impl Standing {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Exceeded => "exceeded",
            Self::Missed => "missed",
            Self::Violated => "violated",
        }
    }
}

impl Standing {
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

/// The number line cut into zones. Invariant: one zone more than cuts, in ascending order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Zones {
    zones: Vec<Standing>,
    cuts: Vec<Cut>,
}

/// Two numbers closer than this, relative to their size, are one.
const ROUNDING: f64 = 1e-9;

impl Zones {
    fn starting(zone: Standing) -> Self {
        Self { zones: vec![zone], cuts: Vec::new() }
    }

    /// From `at` on, another zone; `below` says that `at` itself belongs to the one before.
    fn then(mut self, at: f64, below: bool, zone: Standing) -> Self {
        self.cuts.push(Cut { at, below });
        self.zones.push(zone);
        self
    }

    /// A rise by `least` to `most`, or a fall.
    pub(super) fn toward(way: Way, least: Option<f64>, most: Option<f64>) -> Self {
        let up = Self::starting(Standing::Violated);
        let up = match least {
            // No size: a change of exactly 0 is none.
            None => up.then(0.0, false, Standing::Missed).then(0.0, true, Standing::Met),
            Some(least) if least > 0.0 => {
                up.then(0.0, false, Standing::Missed).then(least, false, Standing::Met)
            }
            Some(_) => up.then(0.0, false, Standing::Met),
        };
        let up = match most {
            Some(most) => up.then(most, true, Standing::Exceeded),
            None => up,
        };
        if way == Way::Up { up } else { up.mirrored() }
    }

    /// Within limits, of which either may be open.
    pub(super) fn between(lo: Option<f64>, hi: Option<f64>, closed: bool) -> Self {
        let zones = match lo {
            Some(lo) => Self::starting(Standing::Violated).then(lo, !closed, Standing::Met),
            None => Self::starting(Standing::Met),
        };
        match hi {
            Some(hi) => zones.then(hi, closed, Standing::Violated),
            None => zones,
        }
    }

    fn mirrored(mut self) -> Self {
        self.zones.reverse();
        self.cuts.reverse();
        for cut in &mut self.cuts {
            *cut = Cut { at: 0.0 - cut.at, below: !cut.below };
        }
        self
    }

    fn index(&self, value: f64) -> usize {
        let beyond = |cut: &&Cut| {
            let equal = (value - cut.at).abs() <= ROUNDING * cut.at.abs().max(1.0);
            if equal { !cut.below } else { value > cut.at }
        };
        self.cuts.iter().filter(beyond).count()
    }

    /// How a value stands.
    pub(super) fn at(&self, value: f64) -> Standing {
        self.zones.get(self.index(value)).copied().unwrap_or(Standing::Missed)
    }

    /// Every way in which values of an interval stand, each once.
    pub(super) fn within(&self, lo: f64, hi: f64) -> Vec<Standing> {
        let (first, last) = (self.index(lo), self.index(hi));
        let mut found = self.zones.get(first..=last).unwrap_or_default().to_vec();
        found.sort();
        found.dedup();
        found
    }

    /// The cut nearest to a value among those that an interval covers.
    pub(super) fn border(&self, value: f64, [lo, hi]: [f64; 2]) -> Option<f64> {
        let covered = self.cuts.iter().map(|cut| cut.at).filter(|at| lo <= *at && *at <= hi);
        covered.min_by(|a, b| (a - value).abs().total_cmp(&(b - value).abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Exceeded, Met, Missed, Violated};

    #[test]
    fn a_range_is_met_at_its_ends_and_violated_the_other_way() {
        let up = Zones::toward(Way::Up, Some(20.0), Some(40.0));
        let down = Zones::toward(Way::Down, Some(20.0), Some(40.0));
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
        let up = Zones::toward(Way::Up, None, None);
        assert_eq!([-1.0, 0.0, 0.1].map(|value| up.at(value)), [Violated, Missed, Met]);
        let down = Zones::toward(Way::Down, None, None);
        assert_eq!([1.0, 0.0, -0.1].map(|value| down.at(value)), [Violated, Missed, Met]);
    }

    #[test]
    fn a_limit_is_violated_beyond_it() {
        let below = Zones::between(None, Some(10.0), false);
        assert_eq!([9.9, 10.0].map(|value| below.at(value)), [Met, Violated]);
        let least = Zones::between(Some(-2.0), None, true);
        assert_eq!([-2.1, -2.0].map(|value| least.at(value)), [Violated, Met]);
    }

    #[test]
    fn an_interval_stands_in_every_zone_that_it_reaches() {
        let up = Zones::toward(Way::Up, Some(20.0), Some(40.0));
        for (interval, standings, border) in [
            ([21.0, 39.0], vec![Met], None),
            ([18.0, 32.0], vec![Met, Missed], Some(20.0)),
            ([-1.0, 50.0], vec![Met, Exceeded, Missed, Violated], Some(20.0)),
            ([41.0, f64::INFINITY], vec![Exceeded], None),
        ] {
            let [lo, hi] = interval;
            assert_eq!(up.within(lo, hi), standings, "{interval:?}");
            assert_eq!(up.border(25.0, interval), border, "{interval:?}");
        }
    }
}
