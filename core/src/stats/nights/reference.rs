//! The nights that a new one is held against: all since the last accepted change.

use super::night::Night;
use crate::stats::distribution::{normal_upper_quantile, t_sf};

/// Nights before the first residual.
pub const FEWEST_NIGHTS: usize = 14;

/// Values this close, relative to their size, are equal.
const ROUNDING: f64 = 1e-12;

/// Nights that the estimate of the autocorrelation is old: a change of level makes neighbours
/// alike, and would hide behind an estimate that has seen it.
const AUTOCORRELATION_AGE: usize = 14;

/// More would take most of a change out with it.
const LARGEST_AUTOCORRELATION: f64 = 0.5;

/// What the nights before say of the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    pub mean: f64,
    /// Standard deviation of one night around that estimated mean; 0 where all nights were equal.
    pub sd: f64,
}

/// A night held against those before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Residual {
    /// Standard normal while the level does not change.
    Normal(f64),
    /// It differs although no night before did from any other.
    Exact,
}

/// Sums over the nights of a segment, each taken in after it was judged.
#[derive(Debug, Clone, Default)]
pub(super) struct Reference {
    /// Places and values in order.
    nights: Vec<(usize, f64)>,
    mean: f64,
    squares: f64,
    lowest: f64,
    highest: f64,
    /// Squared steps between neighbouring nights, and how many.
    steps: (f64, f64),
    /// Sampling variances of one sample, and how many.
    sampling: (f64, f64),
    /// Autocorrelation as estimated behind each night.
    autocorrelations: Vec<f64>,
}

impl Reference {
    pub(super) fn nights(&self) -> &[(usize, f64)] {
        &self.nights
    }

    /// Takes in the night at this place (Welford 1962).
    pub(super) fn push(&mut self, place: usize, night: Night) {
        let y = night.value;
        if let Some((last, before)) = self.nights.last()
            && last + 1 == place
        {
            self.steps = (self.steps.0 + (y - before).powi(2), self.steps.1 + 1.0);
        }
        if self.nights.is_empty() {
            (self.lowest, self.highest) = (y, y);
        }
        self.nights.push((place, y));
        let apart = y - self.mean;
        self.mean += apart / self.m();
        self.squares += apart * (y - self.mean);
        (self.lowest, self.highest) = (self.lowest.min(y), self.highest.max(y));
        if let Some(variance) = night.sampling_variance {
            let of_sample = variance * samples(night.n);
            self.sampling = (self.sampling.0 + of_sample, self.sampling.1 + 1.0);
        }
        self.autocorrelations.push(self.latest_autocorrelation());
    }

    /// The first nights, up to and without that place.
    pub(super) fn until(&self, place: usize) -> Self {
        let mut part = Self { sampling: self.sampling, ..Self::default() };
        for (at, value) in self.nights.iter().take_while(|(at, _)| *at < place) {
            part.push(*at, Night { value: *value, n: None, sampling_variance: None });
        }
        part
    }

    fn m(&self) -> f64 {
        self.nights.len() as f64
    }

    fn is_constant(&self) -> bool {
        are_equal(self.lowest, self.highest)
    }

    /// The sampling variance of a mean of so many samples, by the nights so far; 0 where unknown.
    pub(super) fn sampling_variance(&self, n: Option<u64>) -> f64 {
        let (sum, count) = self.sampling;
        if count > 0.0 { sum / count / samples(n) } else { 0.0 }
    }

    /// Variance of a night around the level: the larger of what sampling explains and of what was
    /// seen between nights.
    fn variance(&self, n: Option<u64>) -> f64 {
        let between = if self.is_constant() { 0.0 } else { self.squares / (self.m() - 1.0) };
        between.max(self.sampling_variance(n))
    }

    /// 1 − half the ratio of von Neumann (1941) over the nights so far.
    fn latest_autocorrelation(&self) -> f64 {
        let (squares, steps) = self.steps;
        if self.is_constant() || steps < 1.0 {
            return 0.0;
        }
        let ratio = squares / steps / (self.squares / (self.m() - 1.0));
        // Values near the ends of the range of numbers have no squares.
        if ratio.is_finite() { 1.0 - 0.5 * ratio } else { 0.0 }
    }

    /// The autocorrelation that is taken out of residuals: the estimate of two weeks ago.
    fn autocorrelation(&self) -> f64 {
        let nights = self.nights.len().saturating_sub(AUTOCORRELATION_AGE).max(FEWEST_NIGHTS);
        let estimate = self.autocorrelations.get(nights - 1).copied().unwrap_or_default();
        estimate.clamp(0.0, LARGEST_AUTOCORRELATION)
    }

    /// `None` before there are [`FEWEST_NIGHTS`].
    pub(super) fn expected(&self, n: Option<u64>) -> Option<Expected> {
        let sd = (self.variance(n) * (1.0 + 1.0 / self.m())).sqrt();
        (self.nights.len() >= FEWEST_NIGHTS).then_some(Expected { mean: self.mean, sd })
    }

    /// The Q statistic of Quesenberry (1991, *Journal of Quality Technology* 23), Φ⁻¹(F(r)) with F
    /// Student's t of m − 1 degrees of freedom and r = (y − mean)/(sd·√(1 + 1/m)), behind a
    /// first-order autoregression where the nights show one.
    pub(super) fn residual(&self, place: usize, night: Night) -> Option<Residual> {
        let Expected { mean, sd } = self.expected(night.n)?;
        if sd <= 0.0 || sd <= ROUNDING * mean.abs() {
            let is_same = are_equal(night.value, mean);
            return Some(if is_same { Residual::Normal(0.0) } else { Residual::Exact });
        }
        let before = self.nights.last().filter(|(last, _)| last + 1 == place);
        let (rho, before) =
            before.map_or((0.0, mean), |(_, value)| (self.autocorrelation(), *value));
        let r = (night.value - mean - rho * (before - mean)) / (sd * (1.0 - rho * rho).sqrt());
        if !r.is_finite() {
            return None;
        }
        let tail = t_sf(r.abs(), self.m() - 1.0).clamp(f64::MIN_POSITIVE, 0.5);
        Some(Residual::Normal(normal_upper_quantile(tail).max(0.0).copysign(r)))
    }
}

/// Samples that variances are scaled by.
fn samples(n: Option<u64>) -> f64 {
    n.filter(|n| *n > 0).map_or(1.0, |n| n as f64)
}

/// Whether two values differ by no more than rounding.
pub(super) fn are_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}
