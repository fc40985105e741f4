//! Differences of figures, their intervals, and p-values.

use super::numbers::{fixed, signed, trimmed};
use super::{Unit, decimals};

/// Most decimals that show on which side of 0 the limit of an interval lies.
const MOST_LIMIT_DECIMALS: usize = 4;

/// A difference in its own unit with sign: `-1.8 pp`, `+0.5`, `0.0 pp`. `operands` are the two
/// figures in the metric's unit.
pub fn difference_text(delta: f64, operands: [f64; 2], unit: Unit) -> String {
    difference_with_decimals(delta, decimals_of_difference(delta, operands, unit), unit)
}

/// Decimals that a difference has of its figures: those of the finer one, and beside a figure that is
/// no rate and tiny only as far as the difference is small enough to need them.
fn decimals_of_difference(delta: f64, operands: [f64; 2], unit: Unit) -> usize {
    let [baseline, candidate] = operands.map(|figure| decimals(figure, unit));
    let finer = baseline.max(candidate);
    let needed = baseline.min(candidate).max(decimals(delta, unit));
    if unit.is_rate() { finer } else { finer.min(needed) }
}

/// A difference with no more decimals than its interval deserves: one where a rate is known to a
/// point or worse. Without an interval as [`difference_text`].
pub fn difference_within(
    delta: f64,
    operands: [f64; 2],
    interval: Option<[f64; 2]>,
    unit: Unit,
) -> String {
    let precision = decimals_of_difference(delta, operands, unit);
    let deserved = interval.map(|[lo, hi]| {
        let is_coarse = unit.is_rate() && hi - lo >= 1.0;
        if is_coarse { 1 } else { decimals_for_interval(lo, hi) }
    });
    let decimals = deserved.map_or(precision, |most| precision.min(most));
    difference_with_decimals(delta, decimals, unit)
}

/// A difference in its own unit with so many decimals, more while it would be shown as zero and is
/// not: `-1.8 pp`, `+0.0004 pp`.
pub fn difference_with_decimals(delta: f64, decimals: usize, unit: Unit) -> String {
    let mut decimals = decimals;
    while vanishes(delta, decimals) && decimals < 9 {
        decimals += 1;
    }
    unit.attached_to_difference(&signed(delta, decimals))
}

/// A mean of differences in their unit with at most so many decimals, of which trailing zeros are
/// cut but for the first: `+1.25 pp`, `-2.0 pp`.
pub fn mean_difference_text(delta: f64, most_decimals: usize, unit: Unit) -> String {
    unit.attached_to_difference(trimmed(&signed(delta, most_decimals), 1))
}

/// An interval of a difference without its unit: `-11.4 … +7.8`, with more decimals while a limit
/// would be shown as 0 and is not. Brackets would be markup in some formats.
pub fn interval_text(lo: f64, hi: f64, decimals: usize) -> String {
    let mut decimals = decimals;
    while decimals < MOST_LIMIT_DECIMALS && [lo, hi].iter().any(|at| vanishes(*at, decimals)) {
        decimals += 1;
    }
    let limit = |at: f64| match signed(at, decimals) {
        shown if !vanishes(at, decimals) => shown,
        shown if at < 0.0 => format!("-{shown}"),
        shown => format!("+{shown}"),
    };
    format!("{} … {}", limit(lo), limit(hi))
}

/// Decimals that an interval of an average deserves: two digits of its width, at least one decimal.
pub fn decimals_for_interval(lo: f64, hi: f64) -> usize {
    (2.0 - (hi - lo).max(1e-6).log10().floor()).clamp(1.0, 8.0) as usize
}

/// Whether a number that is not 0 would be shown as 0.
fn vanishes(value: f64, decimals: usize) -> bool {
    let shown = fixed(value, decimals);
    value.abs() > 1e-9 && shown.bytes().all(|b| !(b'1'..=b'9').contains(&b))
}

/// A p-value with three decimals, or the bound below which it lies: `0.034`, `<0.001`.
pub fn p_value_text(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { fixed(p, 3) }
}

/// A p-value behind the letter p in a sentence: `= 0.034`, `< 0.001`.
pub fn p_text_in_sentence(p: f64) -> String {
    let shown = p_value_text(p);
    if shown.starts_with('<') { shown.replacen('<', "< ", 1) } else { format!("= {shown}") }
}

/// Differences below the rounding error of their operands in double precision count as 0.
pub fn settled(delta: f64) -> f64 {
    if delta.abs() < 1e-9 { 0.0 } else { delta }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_take_the_greater_precision_of_their_operands() {
        let shown = |a: f64, b: f64| difference_text(b - a, [a, b], Unit::Percent);
        assert_eq!(shown(58.8, 57.0), "-1.8 pp");
        assert_eq!(shown(53.9, 55.1), "+1.2 pp");
        assert_eq!(shown(55.2, 55.2), "0.0 pp");
        assert_eq!(shown(49.75, 49.62), "-0.13 pp");
        let losses = [0.392_973_721, 0.000_004_098];
        assert_eq!(difference_text(losses[1] - losses[0], losses, Unit::Plain), "-0.39297");
    }

    #[test]
    fn a_difference_has_no_more_decimals_than_its_interval_deserves() {
        let shown =
            |delta, interval| difference_within(delta, [31.95, 53.1], interval, Unit::Percent);
        assert_eq!(shown(21.15, None), "+21.15 pp");
        assert_eq!(shown(21.16, Some([15.4, 26.9])), "+21.2 pp");
        assert_eq!(shown(0.12, Some([0.05, 0.19])), "+0.12 pp");
        assert_eq!(shown(0.04, Some([-4.0, 4.1])), "+0.04 pp");
    }

    #[test]
    fn a_small_difference_is_not_shown_as_zero() {
        assert_eq!(difference_with_decimals(0.0004, 1, Unit::Fraction), "+0.0004 pp");
        assert_eq!(difference_with_decimals(-0.25, 2, Unit::Dollars), "-$0.25");
    }

    #[test]
    fn a_mean_of_differences_ends_in_no_zero_but_the_first() {
        let shown = [1.25, -2.0, 0.1239].map(|delta| mean_difference_text(delta, 3, Unit::Percent));
        assert_eq!(shown, ["+1.25 pp", "-2.0 pp", "+0.124 pp"]);
        assert_eq!(mean_difference_text(12.4, 0, Unit::Tokens), "+12");
    }

    #[test]
    fn a_limit_shows_on_which_side_of_0_it_lies() {
        let cases = [
            (0.04, 3.2, "+0.04 … +3.20"),
            (-3.2, -0.0004, "-3.2000 … -0.0004"),
            (0.000_01, 2.0, "+0.0000 … +2.0000"),
            (0.0, 2.0, "0.0 … +2.0"),
            (-1e-15, 2.0, "0.0 … +2.0"),
        ];
        for (lo, hi, shown) in cases {
            assert_eq!(interval_text(lo, hi, 1), shown);
        }
    }

    #[test]
    fn a_p_value_is_a_number_or_a_bound() {
        let shown = [0.034, 0.000_2].map(|p| (p_value_text(p), p_text_in_sentence(p)));
        let expected = [("0.034", "= 0.034"), ("<0.001", "< 0.001")];
        assert_eq!(shown, expected.map(|(cell, inside)| (cell.to_owned(), inside.to_owned())));
    }
}
