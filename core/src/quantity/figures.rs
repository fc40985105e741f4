//! Figures of metrics in their units.

use super::numbers::{decimals_for_digits, fixed, is_whole, signed, trimmed};
use super::{Unit, count, percent};

const MOST_RATE_DECIMALS: usize = 2;
const MOST_PLAIN_DECIMALS: usize = 5;
const MOST_PLAIN_DIGITS: usize = 6;

/// A figure in its unit, as many decimals as it needs: `57.0%`, `50.55%`, `0.094`, `12.5 s`.
pub fn figure(value: f64, unit: Unit) -> String {
    figure_with_decimals(value, decimals(value, unit), unit)
}

/// A figure in its unit with so many decimals: `57.00%`.
pub fn figure_with_decimals(value: f64, decimals: usize, unit: Unit) -> String {
    unit.attached_to(&fixed(value * unit.shown_scale(), decimals))
}

/// A count, or a mean of counts: `11,900`, `14.67`.
pub fn amount(value: f64) -> String {
    if is_whole(value) {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", count(value.abs() as u64));
    }
    figure(value, Unit::Plain)
}

/// The decimals that [`figure`] shows: 1 for 57%, 2 for 50.55%.
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
    trimmed(&text, least).split_once('.').map_or(0, |(_, decimals)| decimals.len())
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

/// A rate with the cases that are so and all of them: `66.7% (30/45)`.
pub fn with_coverage(figure: String, part: Option<[u64; 2]>) -> String {
    match part {
        Some([behind, of]) => format!("{figure} ({}/{})", count(behind), count(of)),
        None => figure,
    }
}

/// A figure of fewer samples than there should be: `66.7% (n=30/1,000)`.
pub fn with_samples(figure: String, part: Option<[u64; 2]>) -> String {
    match part {
        Some([behind, of]) => format!("{figure} (n={}/{})", count(behind), count(of)),
        None => figure,
    }
}

/// A standard deviation in the unit of differences: `1.2 pp`, `0.3 s`.
pub fn spread_text(sd: f64, unit: Unit) -> String {
    let number = fixed(sd * unit.shown_scale(), decimals(sd, unit));
    unit.attached_to_difference(&number)
}

/// From one figure to another, each with its unit: `94.3% … 100.0%`.
pub fn range(lo: f64, hi: f64, unit: Unit) -> String {
    let limit = |value: f64| match unit {
        Unit::Fraction => percent(value),
        Unit::Dollars => money(value),
        _ => figure(value, unit),
    };
    format!("{} … {}", limit(lo), limit(hi))
}

/// From one figure to another with so many decimals, the unit once: `46.5 … 64.3%`.
pub fn range_with_decimals(lo: f64, hi: f64, decimals: usize, unit: Unit) -> String {
    let limit = |value: f64| fixed(value * unit.shown_scale(), decimals);
    format!("{} … {}{}", limit(lo), limit(hi), unit.suffix())
}

/// An amount of money to five leading digits and at least two decimals: `$0.0017124`, `$12.50`.
pub fn money(amount: f64) -> String {
    Unit::Dollars.attached_to(trimmed(&fixed(amount, money_decimals(amount)), 2))
}

/// A difference of money with its sign: `+$0.002326`.
pub fn money_change(amount: f64) -> String {
    Unit::Dollars.attached_to(trimmed(&signed(amount, money_decimals(amount)), 2))
}

fn money_decimals(amount: f64) -> usize {
    decimals_for_digits(amount, 5.0).clamp(2, 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_a_count_or_a_mean() {
        assert_eq!([amount(-1234.0), amount(44.0 / 3.0)], ["-1,234", "14.6667"]);
    }

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
    fn plain_numbers_keep_their_leading_digits() {
        let cases =
            [(0.094, "0.094"), (5.11661, "5.11661"), (1.23456e-6, "0.000001235"), (3.0, "3")];
        for (value, shown) in cases {
            assert_eq!(figure(value, Unit::Plain), shown);
        }
    }

    #[test]
    fn a_range_names_its_unit_as_its_limits_do() {
        assert_eq!(range(0.943, 1.0, Unit::Fraction), "94.3% … 100.0%");
        assert_eq!(range_with_decimals(0.465, 0.643, 1, Unit::Fraction), "46.5 … 64.3%");
        assert_eq!(range_with_decimals(1.0, 2.5, 2, Unit::Seconds), "1.00 … 2.50 s");
    }

    #[test]
    fn the_spread_of_rates_is_in_points() {
        let cases = [(0.012, Unit::Fraction, "1.2 pp"), (0.25, Unit::Seconds, "0.25 s")];
        for (sd, unit, shown) in cases {
            assert_eq!(spread_text(sd, unit), shown);
        }
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
    }
}
