//! Differences that are certain and small: established, and so near to 0 that most people would call
//! them nothing had they been asked before.
//!
//! A remark that changes no verdict: what matters is declared as a margin and never guessed.

use super::{Comparison, counted};
use crate::pairing::PairArm;
use crate::quantity;
use crate::stats::Moments;

/// Differences of rates within a percentage point are small,
const POINT: f64 = 1.0;
/// and so are those of scores within a tenth of their standard deviation, half of what Cohen (1988)
/// calls a small effect. A rate near 0 or 1 is held to a tenth of its rarer outcome.
const TENTH: f64 = 0.1;

impl Comparison<'_> {
    /// The distance from 0 that a better or worse result certainly lies within although nobody
    /// declared a margin, in the unit of the difference; `None` where it may be larger.
    pub(super) fn measured_small(&self) -> Option<f64> {
        if !self.verdict.is_decided() || self.margin.is_some() {
            return None;
        }
        let band =
            if self.cell.spec.unit.is_rate() { self.band_of_rate() } else { self.band_of_scores() };
        let band = rounded_down(band?)?;
        self.allowed_interval()?.is_within(band).then_some(band)
    }

    fn band_of_rate(&self) -> Option<f64> {
        let whole = self.cell.spec.unit.whole()?;
        let share = self.figure(PairArm::Baseline)? / whole;
        Some(POINT.min(100.0 * TENTH * share.min(1.0 - share)))
    }

    fn band_of_scores(&self) -> Option<f64> {
        let baseline = &self.cell.baseline;
        let of_samples = || Some(baseline.samples.as_ref()?.scores().collect());
        let moments: Moments =
            baseline.counted.as_ref().map(counted::moments).or_else(of_samples)?;
        let spread = moments.variance()?.sqrt();
        Some(TENTH * spread * self.cell.spec.unit.shown_scale())
    }
}

/// The next number below with one digit, as a person would declare a margin.
fn rounded_down(value: f64) -> Option<f64> {
    if !(value.is_finite() && value > 0.0) {
        return None;
    }
    let mut digit = quantity::power_of_ten(value.log10().floor() as i32);
    if value / digit < 1.0 {
        digit /= 10.0;
    }
    // The quotient of 0.3 by 0.1 lies just below 3.
    Some(quantity::round_to_digits((value / digit + 1e-9).floor() * digit, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_has_one_digit_and_is_no_larger_than_the_band() {
        for (value, expected) in
            [(1.0, 1.0), (0.3, 0.3), (0.37, 0.3), (12.9, 10.0), (0.0099, 0.009)]
        {
            let found = rounded_down(value).expect("positive");
            assert!((found / expected - 1.0).abs() < 1e-9, "{value}: {found}");
        }
        assert_eq!([rounded_down(0.0), rounded_down(-1.0), rounded_down(f64::NAN)], [None; 3]);
    }
}
