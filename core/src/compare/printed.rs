//! Consistency of a stated rate: its decimals, and whether right and wrong samples can produce it and
//! its standard error.

use crate::model::MetricSpec;
use crate::pairing::StatedSide;
use crate::quantity::Unit;
use crate::stats::{ReportedRate, reported};

/// Decimals beyond which a share is taken as exact.
pub(super) const MOST_DECIMALS: u8 = 12;

/// A stated rate over `n` samples with the decimals that it was rounded to, as far as its file tells;
/// `None` if it is not a share between 0 and 1.
///
/// A percentage has the decimals written. A share has those of the file where this shows that it
/// rounds; else 0.57 is read as 57.0 %, because a program that rounds nothing writes 114 of 200 so.
/// A share that no count gives so is read by the digits written.
pub(super) fn printed_rate(stated: &StatedSide<'_>, unit: Unit, n: u64) -> Option<ReportedRate> {
    let share = stated.value().value()? / unit.whole()?;
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    let percent = stated.is_percentage(unit);
    let written = stated.decimals() + if percent { 2 } else { 0 };
    let finer = match (percent, stated.scalar.decimals, stated.scalar.rounded_to) {
        (true, Some(_), _) => written,
        (false, _, Some(rounded_to)) => usize::from(rounded_to),
        (true, None, _) | (false, _, None) => written.max(3),
    };
    let rate = |decimals: usize| {
        let decimals = u8::try_from(decimals).unwrap_or(MOST_DECIMALS).min(MOST_DECIMALS);
        ReportedRate { share, decimals, n }
    };
    let counts =
        |rate: ReportedRate| reported::consistent_counts(rate.share, rate.decimals, rate.n);
    let (finer, coarser) = (rate(finer), rate(written));
    Some(if counts(finer).is_empty() { coarser } else { finer })
}

/// Whether no whole count over its n gives the rate, of samples that are right or wrong (the GRIM
/// test, Brown and Heathers 2017). A figure with a standard error is judged by that.
pub(super) fn is_impossible(
    stated: &StatedSide<'_>,
    rate: ReportedRate,
    spec: &MetricSpec,
) -> bool {
    spec.outcomes && stated.stderr().is_none() && fits_no_count(rate)
}

pub(super) fn fits_no_count(rate: ReportedRate) -> bool {
    reported::consistent_counts(rate.share, rate.decimals, rate.n).is_empty()
}

/// Part of the standard error of right and wrong samples below which a stated one is none: several
/// answers to each sample, or strata of unlike difficulty, make it smaller, but hardly by half.
const LEAST: f64 = 0.5;
/// Part of the largest standard deviation from which on a stated standard error is one: even five
/// clusters whose samples all agree stay below half of it.
const DEVIATION: f64 = 0.5;
/// Below so many samples standard error and standard deviation are too near to each other.
const FEWEST_SAMPLES: u64 = 20;

/// A standard error that no mean can have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ImpossibleStderr {
    /// As stated, in the unit of the cell.
    pub(super) stated: f64,
    /// That of right and wrong samples, one independent of the other.
    pub(super) of_counts: f64,
    pub(super) n: u64,
}

/// The stated standard error of a rate, where it is impossible.
///
/// Scores between 0 and 1 with the mean p have a variance of at most p(1 − p)·n/(n − 1) (Bhatia and
/// Davis 2000), and right and wrong ones have just that, so that √(p(1 − p)/(n − 1)) is the standard
/// error of independent ones. Clusters make it larger, never as large as the standard deviation.
pub(super) fn impossible_stderr(
    stated: &StatedSide<'_>,
    spec: &MetricSpec,
) -> Option<ImpossibleStderr> {
    let whole = spec.unit.whole()?;
    let n = stated.n.filter(|&n| n >= FEWEST_SAMPLES)?;
    let (value, stderr) = (stated.value().value()?, stated.stderr()?);
    let share = value / whole;
    let spread = (share * (1.0 - share)).max(0.0).sqrt() * whole;
    let of_counts = spread / ((n - 1) as f64).sqrt();
    let is_small = spec.outcomes && stderr + stated.stderr_rounding() < LEAST * of_counts;
    let is_large = spread > 0.0 && stderr - stated.stderr_rounding() > DEVIATION * spread;
    (is_small || is_large).then_some(ImpossibleStderr { stated: stderr, of_counts, n })
}
