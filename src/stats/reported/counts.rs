//! The whole counts behind a printed percentage (the GRIM test, Brown and Heathers 2017, *Social
//! Psychological and Personality Science* 8).

use std::ops::RangeInclusive;

/// Decimals of a percentage beyond which its digits are rounding errors of a 64-bit number.
const MEANINGFUL_DECIMALS: u8 = 10;

/// The whole counts k out of `n` whose percentage prints as `percent` with `decimals` decimals,
/// rounding halves up or to even; empty when no count does, and for a percentage off the scale.
pub fn consistent_counts(percent: f64, decimals: u8, n: u64) -> RangeInclusive<u64> {
    if !(0.0..=100.5).contains(&percent) || n == 0 {
        return none();
    }
    let scale = 10_u128.pow(u32::from(decimals.min(MEANINGFUL_DECIMALS)));
    let printed = (percent * scale as f64).round() as u128;
    // k/n lies within (2·printed ± 1)/(200·scale); all in whole numbers, so that ties are ties.
    let (n_wide, unit) = (u128::from(n), 200 * scale);
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

/// The empty range of counts.
fn none() -> RangeInclusive<u64> {
    RangeInclusive::new(1, 0)
}
