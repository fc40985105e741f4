//! The only place where numbers become text.
//!
//! Rates are shown as percentages with one or two decimals, as many as the figure needs; a
//! difference takes the greater precision of its operands and always a sign, except zero.
//! Rounding is that of the formatting machinery (round half to even on the exact binary value),
//! the same everywhere; negative zero is zero.

mod unit;

pub use unit::Unit;

const MOST_RATE_DECIMALS: usize = 2;
const MOST_PLAIN_DECIMALS: usize = 5;
const MOST_PLAIN_DIGITS: usize = 6;

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

/// A figure in its unit: `57.0%`, `50.55%`, `0.09400`, `350`.
pub fn figure(value: f64, unit: Unit) -> String {
    let shown = value * unit.shown_scale();
    let number = fixed(shown, decimals(value, unit));
    match unit {
        Unit::Fraction | Unit::Percent => format!("{number}%"),
        Unit::Seconds => format!("{number} s"),
        Unit::Dollars => dollars(&number),
        Unit::Count | Unit::Tokens | Unit::Plain => number,
    }
}

/// The decimals that a figure is shown with.
pub fn decimals(value: f64, unit: Unit) -> usize {
    let shown = value * unit.shown_scale();
    let (least, most) = match unit {
        Unit::Fraction | Unit::Percent => (1, MOST_RATE_DECIMALS),
        Unit::Seconds => (1, 3),
        Unit::Count => (0, 0),
        Unit::Tokens => (0, 1),
        Unit::Dollars => (2, 6),
        Unit::Plain => (0, plain_decimals(shown)),
    };
    let text = fixed(shown, most);
    let needed =
        text.rsplit_once('.').map_or(0, |(_, decimals)| decimals.trim_end_matches('0').len());
    needed.clamp(least, most)
}

/// Six digits in all; numbers far below 1 need more decimals to keep their leading digits apart.
fn plain_decimals(value: f64) -> usize {
    if value.abs() >= 1.0 {
        let whole_digits = value.abs().log10().clamp(0.0, 400.0) as usize + 1;
        return MOST_PLAIN_DIGITS.saturating_sub(whole_digits).min(MOST_PLAIN_DECIMALS);
    }
    if value == 0.0 || value.abs() >= 1e-3 {
        return MOST_PLAIN_DECIMALS;
    }
    let leading_zeros = (-value.abs().log10()).floor().clamp(0.0, 12.0) as usize;
    leading_zeros + 4
}

/// A difference in its own unit with sign: `-1.8 pp`, `+0.5`, `0.0 pp`. `operands` are the two
/// figures in the metric's unit.
pub fn difference(delta: f64, operands: [f64; 2], unit: Unit) -> String {
    let [baseline, candidate] = operands;
    let precision = decimals(baseline, unit).max(decimals(candidate, unit));
    signed_with_unit(delta, precision, unit)
}

/// A difference with a given number of decimals, more while it would be shown as zero and is not.
pub fn signed_with_unit(delta: f64, decimals: usize, unit: Unit) -> String {
    let mut decimals = decimals;
    while vanishes(delta, decimals) && decimals < 9 {
        decimals += 1;
    }
    let shown = signed(delta, decimals);
    if unit == Unit::Dollars {
        return dollars(&shown);
    }
    format!("{shown}{}", delta_suffix(unit))
}

/// The sign of money behind the sign of the number: `+$0.002326`.
fn dollars(number: &str) -> String {
    match number.strip_prefix(['+', '-']) {
        Some(rest) => format!("{}${rest}", &number[..1]),
        None => format!("${number}"),
    }
}

/// An amount of money to five leading digits and at least two decimals: `$0.0017124`, `$12.50`.
pub fn money(amount: f64) -> String {
    dollars(&money_digits(amount, |decimals| fixed(amount, decimals)))
}

/// A difference of money with its sign: `+$0.002326`.
pub fn money_change(amount: f64) -> String {
    dollars(&money_digits(amount, |decimals| signed(amount, decimals)))
}

fn money_digits(amount: f64, written: impl Fn(usize) -> String) -> String {
    let text = written(decimals_for(amount, 5.0).clamp(2, 12));
    let Some((whole, decimals)) = text.split_once('.') else { return text };
    let kept = decimals.trim_end_matches('0').len().max(2);
    format!("{whole}.{}", decimals.get(..kept).unwrap_or(decimals))
}

/// A share with its counts: `97.7% (43/44)`; two decimals from 1,000 cases on.
pub fn share(x: f64, n: f64) -> String {
    share_with(x, n, share_decimals(n))
}

/// A share that is expected, with its expected counts: `1.75% (2/114)`.
pub fn expected_share(x: f64, n: f64) -> String {
    share_with(x, n, 2)
}

fn share_with(x: f64, n: f64, decimals: usize) -> String {
    let shown = fixed(100.0 * x / n, decimals);
    // A share that is expected need not be of whole cases.
    let cases = |cases: f64| {
        let is_whole = cases.fract() == 0.0 && cases < 9e15;
        if is_whole { count(cases as u64) } else { fixed(cases, 1) }
    };
    format!("{shown}% ({}/{})", cases(x), cases(n))
}

/// The decimals of a share of so many cases, as a percentage.
pub fn share_decimals(n: f64) -> usize {
    if n < 1000.0 { 1 } else { 2 }
}

/// From one figure to another: `94.3% … 100.0%`.
pub fn range(lo: f64, hi: f64, unit: Unit) -> String {
    let end = |value: f64| match unit {
        Unit::Fraction => format!("{}%", fixed(100.0 * value, 1)),
        Unit::Dollars => money(value),
        _ => figure(value, unit),
    };
    format!("{} … {}", end(lo), end(hi))
}

/// From one share to another with two decimals, beside [`expected_share`].
pub fn expected_range(lo: f64, hi: f64) -> String {
    format!("{}% … {}%", fixed(100.0 * lo, 2), fixed(100.0 * hi, 2))
}

/// A number of things that may be counted or averaged: `44`, `14.67`.
pub fn amount(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", count(value.abs() as u64));
    }
    figure(value, Unit::Plain)
}

/// A position on an axis: `500`, `0.25`.
pub fn position(at: f64) -> String {
    at.to_string()
}

/// A mean of stars: `4.7`.
pub fn stars(mean: f64) -> String {
    fixed(mean, 1)
}

/// Whether a number that is not 0 would be shown as 0.
fn vanishes(value: f64, decimals: usize) -> bool {
    let shown = fixed(value, decimals);
    value.abs() > 1e-9 && shown.bytes().all(|b| !(b'1'..=b'9').contains(&b))
}

/// What follows a difference: ` pp` for rates.
pub fn delta_suffix(unit: Unit) -> &'static str {
    match unit {
        Unit::Fraction | Unit::Percent => " pp",
        Unit::Seconds => " s",
        _ => "",
    }
}

/// Decimals that show so many leading digits of a number of that size.
pub fn decimals_for(size: f64, digits: f64) -> usize {
    if size == 0.0 {
        0
    } else {
        (digits - 1.0 - size.abs().log10().floor()).clamp(0.0, 15.0) as usize
    }
}

/// Decimals that an interval of an average deserves: two digits of its width, at least one decimal.
pub fn decimals_for_interval(lo: f64, hi: f64) -> usize {
    (2.0 - (hi - lo).max(1e-6).log10().floor()).clamp(1.0, 8.0) as usize
}

/// A number with sign and fixed decimals; zero has no sign.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if zero || text.starts_with('-') { text } else { format!("+{text}") }
}

/// A number with fixed decimals; negative zero is zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

/// Most decimals that show on which side of 0 the limit of an interval lies.
const MOST_LIMIT_DECIMALS: usize = 4;

/// An interval of a difference: `-11.4 … +7.8`, with more decimals while a limit would be shown as
/// 0 and is not. Brackets would be markup in some formats.
pub fn interval(lo: f64, hi: f64, decimals: usize) -> String {
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

/// A level as a percentage: `95%`, `99.9%`.
pub fn level(level: f64) -> String {
    let text = fixed(level * 100.0, 3);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A p-value: three decimals, or the bound below which it lies.
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { fixed(p, 3) }
}

/// A p-value with its relation, for use inside a sentence: `= 0.034` or `< 0.001`.
pub fn p_relation(p: f64) -> String {
    let shown = p_value(p);
    if shown.starts_with('<') { shown.replacen('<', "< ", 1) } else { format!("= {shown}") }
}

/// The size of an error, to one digit: `3e-12`. Further digits differ between machines.
pub fn error_size(error: f64) -> String {
    if error == 0.0 { "0".to_owned() } else { format!("{error:.0e}") }
}

/// A relative change without sign, for use beside an arrow: `13.5%`.
pub fn relative(change: f64) -> String {
    let percent = change.abs() * 100.0;
    if percent > 0.0 && percent < 0.05 {
        return "<0.1%".to_owned();
    }
    format!("{}%", fixed(percent, 1))
}

/// A relative change with sign: `+13.5%`; none has no sign.
pub fn relative_signed(change: f64) -> String {
    let sign = match change {
        change if change > 0.0 => "+",
        change if change < 0.0 => "-",
        _ => "",
    };
    format!("{sign}{}", relative(change))
}

/// A figure and the samples behind it of those that there should be.
pub fn covered(figure: String, part: Option<[u64; 2]>) -> String {
    match part {
        Some([behind, of]) => format!("{figure} ({}/{})", count(behind), count(of)),
        None => figure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_keep_one_or_two_decimals() {
        let cases = [
            (57.0, "57.0%"),
            (50.55, "50.55%"),
            (47.8, "47.8%"),
            (49.625, "49.62%"),
            (0.0, "0.0%"),
        ];
        for (value, shown) in cases {
            assert_eq!(figure(value, Unit::Percent), shown);
        }
        assert_eq!(figure(0.55, Unit::Fraction), "55.0%");
        assert_eq!(figure(37.0 / 60.0, Unit::Fraction), "61.67%");
    }

    #[test]
    fn differences_take_the_greater_precision_of_their_operands() {
        let shown = |a: f64, b: f64| difference(b - a, [a, b], Unit::Percent);
        assert_eq!(shown(58.8, 57.0), "-1.8 pp");
        assert_eq!(shown(53.9, 55.1), "+1.2 pp");
        assert_eq!(shown(55.2, 55.2), "0.0 pp");
        assert_eq!(shown(49.75, 49.62), "-0.13 pp");
    }

    #[test]
    fn a_small_difference_is_not_shown_as_zero() {
        assert_eq!(signed_with_unit(0.0004, 1, Unit::Fraction), "+0.0004 pp");
    }

    #[test]
    fn money_keeps_five_digits_and_its_sign_stands_before_the_dollar() {
        for (amount, shown) in [
            (0.001_712_4, "$0.0017124"),
            (0.008_562, "$0.008562"),
            (0.8562, "$0.8562"),
            (12.5, "$12.50"),
            (1234.5, "$1234.50"),
            (0.0, "$0.00"),
            (-0.5, "-$0.50"),
        ] {
            assert_eq!(money(amount), shown);
        }
        assert_eq!(money_change(0.002_326), "+$0.002326");
        assert_eq!(figure(-5.0, Unit::Dollars), "-$5.00");
        assert_eq!(signed_with_unit(-0.25, 2, Unit::Dollars), "-$0.25");
    }

    #[test]
    fn a_share_stands_beside_its_counts() {
        let cases = [(43.0, 44.0, "97.7% (43/44)"), (2.0, 114.5, "1.7% (2/114.5)")];
        for (x, n, shown) in cases {
            assert_eq!(share(x, n), shown);
        }
        assert_eq!(share(1234.0, 5000.0), "24.68% (1,234/5,000)");
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
            assert_eq!(interval(lo, hi, 1), shown);
        }
    }

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
    fn the_size_of_an_error_has_one_digit() {
        let shown = [0.0, 3.49e-12, 0.96, 12.0].map(error_size);
        assert_eq!(shown, ["0", "3e-12", "1e0", "1e1"]);
    }

    #[test]
    fn plain_numbers_keep_their_leading_digits() {
        let cases =
            [(0.094, "0.094"), (5.11661, "5.11661"), (1.23456e-6, "0.000001235"), (3.0, "3")];
        for (value, shown) in cases {
            assert_eq!(figure(value, Unit::Plain), shown);
        }
    }
}
