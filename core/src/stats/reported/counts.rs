//! The counts behind a printed share: successes (the GRIM test, Brown and Heathers 2017, *Social
//! Psychological and Personality Science* 8) and outcomes.

use std::ops::RangeInclusive;

/// Decimals of a share beyond which its digits are rounding errors of a 64-bit number.
const MEANINGFUL_DECIMALS: u8 = 12;

/// The whole counts k out of `n` whose share prints as `share` with `decimals` decimals, rounding
/// halves up or to even; empty when no count does, and for a share off the scale. A percentage has
/// two decimals less than its share: 57 % is 0.57 with 2.
pub fn consistent_counts(share: f64, decimals: u8, n: u64) -> RangeInclusive<u64> {
    if !(0.0..=1.005).contains(&share) || n == 0 {
        return none();
    }
    let scale = 10_u128.pow(u32::from(decimals.min(MEANINGFUL_DECIMALS)));
    let printed = (share * scale as f64).round() as u128;
    // k/n lies within (2·printed ± 1)/(2·scale); all in whole numbers, so that ties are ties.
    let (n_wide, unit) = (u128::from(n), 2 * scale);
    let lowest = ((2 * printed).saturating_sub(1) * n_wide).div_ceil(unit);
    let above = (2 * printed + 1) * n_wide;
    let upper_tie_rounds_away = above.is_multiple_of(unit) && !printed.is_multiple_of(2);
    let highest = above / unit;
    if highest < lowest || (upper_tie_rounds_away && highest == lowest) {
        return none();
    }
    let highest = highest - u128::from(upper_tie_rounds_away);
    match (u64::try_from(lowest), u64::try_from(highest.min(n_wide))) {
        (Ok(lowest), Ok(highest)) if lowest <= highest => lowest..=highest,
        _ => none(),
    }
}

fn none() -> RangeInclusive<u64> {
    RangeInclusive::new(1, 0)
}

/// The number of outcomes behind a share and its standard error s = √(p(1 − p)/(n − 1)), as in
/// `mean_stderr` of lm-evaluation-harness: p(1 − p)/s² + 1, not rounded. `None` for a standard error
/// of 0, which fits any number.
pub fn implied_size(share: f64, stderr: f64) -> Option<f64> {
    (stderr > 0.0).then(|| share * (1.0 - share) / (stderr * stderr) + 1.0)
}
