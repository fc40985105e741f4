//! Fisher's exact test of two independent shares: the successes of both arms together are held
//! fixed, and one arm's share of them is a draw without replacement.

use crate::stats::Counts;
use crate::stats::distribution::root::first_where;
use crate::stats::distribution::{hypergeometric_pmf, reportable_p};

/// Tables whose probabilities differ relatively by less than this are equally probable, as in R's
/// `fisher.test`.
const TIE: f64 = 1e-7;

/// Terms smaller than this share of a sum do not change it.
const NEGLIGIBLE: f64 = 1e-18;

/// Two-sided p-value (Fisher 1935): the probability of all tables that are no more probable than
/// the observed one. Conservative.
pub fn fisher_exact(first: Counts, second: Counts) -> f64 {
    let draw = Draw::new(first, second);
    let observed = draw.probability(first.x);
    let limit = observed * (1.0 + TIE);
    let centre = draw.mode();
    if observed >= draw.probability(centre) * (1.0 - TIE) {
        return 1.0;
    }
    let opposite = if first.x < centre {
        let from = first_where(centre, draw.largest + 1, |k| draw.probability(k) <= limit);
        draw.upper_tail(from)
    } else {
        let past = first_where(draw.smallest, centre, |k| draw.probability(k) > limit);
        past.checked_sub(1).map_or(0.0, |until| draw.lower_tail(until))
    };
    reportable_p(draw.outer_tail(first.x) + opposite)
}

/// The successes of the first arm, given those of both.
struct Draw {
    first: u64,
    second: u64,
    successes: u64,
    smallest: u64,
    largest: u64,
}

impl Draw {
    fn new(first: Counts, second: Counts) -> Self {
        let successes = first.x + second.x;
        Self {
            first: first.n,
            second: second.n,
            successes,
            smallest: successes.saturating_sub(second.n),
            largest: successes.min(first.n),
        }
    }

    fn probability(&self, k: u64) -> f64 {
        hypergeometric_pmf(k, self.first, self.second, self.successes)
    }

    /// The most probable count.
    fn mode(&self) -> u64 {
        let (first, second) = (u128::from(self.first), u128::from(self.second));
        let mode = (u128::from(self.successes) + 1) * (first + 1) / (first + second + 2);
        u64::try_from(mode).unwrap_or(self.largest).clamp(self.smallest, self.largest)
    }

    /// P(X ≤ k) below the mode, P(X ≥ k) above it.
    fn outer_tail(&self, k: u64) -> f64 {
        if k < self.mode() { self.lower_tail(k) } else { self.upper_tail(k) }
    }

    fn lower_tail(&self, k: u64) -> f64 {
        if k >= self.largest {
            return 1.0;
        }
        if k > self.mode() {
            return 1.0 - self.upper_tail(k + 1);
        }
        let step = |k: u64| {
            let absent = (self.second + k - self.successes) as f64;
            k as f64 * absent / ((self.first - k + 1) as f64 * (self.successes - k + 1) as f64)
        };
        outwards(self.probability(k), (self.smallest + 1..=k).rev().map(step))
    }

    fn upper_tail(&self, k: u64) -> f64 {
        if k <= self.smallest {
            return 1.0;
        }
        if k <= self.mode() {
            return 1.0 - self.lower_tail(k - 1);
        }
        let step = |k: u64| {
            let absent = (self.second + k + 1 - self.successes) as f64;
            (self.first - k) as f64 * (self.successes - k) as f64 / ((k + 1) as f64 * absent)
        };
        outwards(self.probability(k), (k..self.largest).map(step))
    }
}

/// Sum of a first term and of those that follow from it by these ratios, until they no longer
/// matter.
fn outwards(first: f64, ratios: impl Iterator<Item = f64>) -> f64 {
    let (mut term, mut sum) = (first, first);
    for ratio in ratios {
        term *= ratio;
        sum += term;
        if term <= sum * NEGLIGIBLE {
            break;
        }
    }
    sum.min(1.0)
}
