//! Numbers without a unit: counts, fixed decimals, significant digits.

use serde::Serializer;

use super::Unit;

/// A count to two significant digits: 281 is about 280.
pub fn about(count: u64) -> u64 {
    let place = 10_u64.pow(count.checked_ilog10().unwrap_or(0).saturating_sub(1));
    (count / place * place).saturating_add(if count % place * 2 >= place { place } else { 0 })
}

/// A count with commas between groups of three digits: `11,900`.
pub fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A number with all of its digits, as it was read: a step `500`, an epoch `0.25`, a score `1.7`.
pub fn exact(value: f64) -> String {
    value.to_string()
}

/// A number as it was declared in that unit: `5%`, `$2.5`, `30 s`.
pub fn exact_with_unit(value: f64, unit: Unit) -> String {
    unit.attached_to(&exact(value))
}

/// A number with so many decimals: `0.50`; negative zero is zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if is_zero(rest) => rest.to_owned(),
        _ => text,
    }
}

/// As [`fixed`] with a sign: `+0.50`; zero has none.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    if is_zero(&text) || text.starts_with('-') { text } else { format!("+{text}") }
}

/// The size of a number that only matters by its size, to one digit: an error `3e-12`, a
/// probability `2e-3`. Further digits of errors differ between machines.
pub fn magnitude(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.0e}") }
}

/// The sizes of a tensor as files of weights list them: `[24, 8]`.
pub fn shape(sizes: &[u64]) -> String {
    format!("{sizes:?}")
}

/// The sizes of a tensor in a sentence: `24 × 8`.
pub fn dimensions(sizes: &[u64]) -> String {
    let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
    sizes.join(" × ")
}

/// A size in bytes, in units of 1,000: `512 B`, `1.4 GB`.
pub fn bytes(size: u64) -> String {
    let units =
        [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    let fitting = units.into_iter().find(|(unit, _)| size >= *unit);
    fitting.map_or_else(
        || format!("{size} B"),
        |(unit, name)| format!("{} {name}", fixed(size as f64 / unit as f64, 1)),
    )
}

/// The mean of a column of data: `0.1988`.
pub fn mean(value: f64) -> String {
    fixed(value, 4)
}

/// A mean of stars: `4.7`.
pub fn stars(mean: f64) -> String {
    fixed(mean, 1)
}

/// Decimals of the shortest spelling of a number.
pub fn spelled_decimals(number: f64) -> usize {
    number.to_string().rsplit_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// Decimals that show so many leading digits of a number of that size: 3 for `0.0123` and 2 digits.
pub fn decimals_for_digits(size: f64, digits: f64) -> usize {
    if size == 0.0 {
        0
    } else {
        (digits - 1.0 - size.abs().log10().floor()).clamp(0.0, 15.0) as usize
    }
}

/// The number with so many leading digits: 1230 for 1234 and 3 digits.
pub fn round_to_digits(value: f64, digits: usize) -> f64 {
    let decimals = digits.saturating_sub(1);
    format!("{value:.decimals$e}").parse().unwrap_or(value)
}

/// The number nearest to a power of ten. Of `powi` and `powf` the last digit depends on the machine.
pub fn power_of_ten(power: i32) -> f64 {
    format!("1e{power}").parse().unwrap_or_default()
}

/// The least of 1, 2 and 5 times a power of ten that is not below a number; 1 for none above 0.
pub fn step_from(least: f64) -> f64 {
    if least <= 0.0 {
        return 1.0;
    }
    let power = power_of_ten(least.log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(least)
}

/// Writes a number to JSON, a whole one as an integer: `500`, `0.25`; NaN and infinities as `null`.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if is_whole(*number) {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        return serializer.serialize_i64(*number as i64);
    }
    serializer.serialize_f64(*number)
}

/// A number without the zeros at its end, but for so many decimals: `12.50` for `12.5000` and 2.
pub(super) fn trimmed(number: &str, least_decimals: usize) -> &str {
    let Some(point) = number.find('.') else { return number };
    let needed = number.trim_end_matches('0').len() - point - 1;
    match needed.max(least_decimals) {
        0 => &number[..point],
        decimals => number.get(..=point + decimals).unwrap_or(number),
    }
}

/// Whether a number is whole and exact.
pub(super) fn is_whole(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() < 9e15
}

/// Whether a number without sign is shown as zero.
pub(super) fn is_zero(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_zero_is_zero() {
        assert_eq!(fixed(-0.0, 1), "0.0");
        assert_eq!(signed(-0.04, 1), "0.0");
    }

    #[test]
    fn counts_have_thousands_separators() {
        let cases = [(7, "7"), (999, "999"), (1_000, "1,000"), (11_900_000, "11,900,000")];
        for (value, shown) in cases {
            assert_eq!(count(value), shown);
        }
    }

    #[test]
    fn a_power_of_ten_is_the_number_that_is_written_so() {
        let powers = [-400, -308, -23, -2, 0, 22, 23, 308, 309].map(power_of_ten);
        assert_eq!(powers, [0.0, 1e-308, 1e-23, 0.01, 1.0, 1e22, 1e23, 1e308, f64::INFINITY]);
    }

    #[test]
    fn a_step_is_1_2_or_5_times_a_power_of_ten() {
        let steps = [-1.0, 0.0, 0.003, 0.05, 0.2, 1.0, 1.5, 3.0, 6.0, 10.0].map(step_from);
        assert_eq!(steps, [1.0, 1.0, 0.005, 0.05, 0.2, 1.0, 2.0, 5.0, 10.0, 10.0]);
    }

    #[test]
    fn a_count_that_is_about_right_has_two_digits() {
        let counts = [0, 7, 24, 99, 281, 995, 58_865, u64::MAX].map(about);
        assert_eq!(counts, [0, 7, 24, 99, 280, 1_000, 59_000, 18_000_000_000_000_000_000]);
    }

    #[test]
    fn the_size_of_an_error_has_one_digit() {
        let shown = [0.0, 3.49e-12, 0.96, 12.0].map(magnitude);
        assert_eq!(shown, ["0", "3e-12", "1e0", "1e1"]);
    }

    #[test]
    fn what_was_declared_keeps_its_digits_in_its_unit() {
        let cases = [
            (5.0, Unit::Percent, "5%"),
            (2.5, Unit::Dollars, "$2.5"),
            (-0.25, Unit::Dollars, "-$0.25"),
            (30.0, Unit::Seconds, "30 s"),
            (0.123_456_789, Unit::Plain, "0.123456789"),
        ];
        for (value, unit, shown) in cases {
            assert_eq!(exact_with_unit(value, unit), shown);
        }
    }

    #[test]
    fn leading_digits_are_kept_at_any_size() {
        for (value, rounded) in [(1234.0, 1230.0), (-0.001_237, -0.001_24), (9.996, 10.0)] {
            assert_eq!(round_to_digits(value, 3), rounded);
        }
        assert_eq!(fixed(0.0123, decimals_for_digits(0.0123, 2.0)), "0.012");
    }
}
