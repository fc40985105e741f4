//! Shares as percentages, and relative changes.

use super::count;
use super::numbers::{fixed, is_whole, trimmed};

/// A share of 1 as a percentage with one decimal: `12.3%`.
pub fn percent(share: f64) -> String {
    format!("{}%", fixed(100.0 * share, 1))
}

/// A share of 1 as a percentage without decimals, where the share is rough: `12%`.
pub fn whole_percent(share: f64) -> String {
    format!("{}%", fixed(100.0 * share, 0))
}

/// A share of that many cases as a percentage: `97.7%`; two decimals from 1,000 cases on.
pub fn percent_of_cases(share: f64, cases: f64) -> String {
    format!("{}%", fixed(100.0 * share, share_decimals(cases)))
}

/// The decimals of a share of so many cases, as a percentage.
pub fn share_decimals(cases: f64) -> usize {
    if cases < 1000.0 { 1 } else { 2 }
}

/// A share with its counts: `97.7% (43/44)`; two decimals from 1,000 cases on.
pub fn share(x: f64, n: f64) -> String {
    share_with(x, n, share_decimals(n))
}

/// A share that is expected, with its expected counts: `1.75% (2/114.3)`.
pub fn expected_share(x: f64, n: f64) -> String {
    share_with(x, n, 2)
}

/// From one expected share of 1 to another, beside [`expected_share`]: `1.20% … 6.17%`.
pub fn expected_share_range(lo: f64, hi: f64) -> String {
    format!("{}% … {}%", fixed(100.0 * lo, 2), fixed(100.0 * hi, 2))
}

fn share_with(x: f64, n: f64, decimals: usize) -> String {
    let shown = fixed(100.0 * x / n, decimals);
    // A share that is expected need not be of whole cases.
    let cases = |cases: f64| if is_whole(cases) { count(cases as u64) } else { fixed(cases, 1) };
    format!("{shown}% ({}/{})", cases(x), cases(n))
}

/// A relative change without its sign, for use beside an arrow: `13.5%`; `<0.1%` where it would be
/// shown as zero and is not.
pub fn relative_change(change: f64) -> String {
    let percent = change.abs() * 100.0;
    if percent > 0.0 && percent < 0.05 {
        return "<0.1%".to_owned();
    }
    format!("{}%", fixed(percent, 1))
}

/// A relative change with its sign: `+13.5%`; none has no sign.
pub fn signed_relative_change(change: f64) -> String {
    let sign = match change {
        change if change > 0.0 => "+",
        change if change < 0.0 => "-",
        _ => "",
    };
    format!("{sign}{}", relative_change(change))
}

/// A level of confidence or a power: `95%`, `99.9%`.
pub fn level(level: f64) -> String {
    format!("{}%", trimmed(&fixed(level * 100.0, 3), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_stands_beside_its_counts() {
        let cases = [(43.0, 44.0, "97.7% (43/44)"), (2.0, 114.5, "1.7% (2/114.5)")];
        for (x, n, shown) in cases {
            assert_eq!(share(x, n), shown);
        }
        assert_eq!(share(1234.0, 5000.0), "24.68% (1,234/5,000)");
        assert_eq!(expected_share(2.0, 114.3), "1.75% (2/114.3)");
    }

    #[test]
    fn a_change_that_is_not_zero_is_not_shown_as_zero() {
        let shown = [0.135, -0.000_1, 0.0, -1.0].map(signed_relative_change);
        assert_eq!(shown, ["+13.5%", "-<0.1%", "0.0%", "-100.0%"]);
    }

    #[test]
    fn a_level_has_the_digits_that_it_needs() {
        assert_eq!([0.95, 0.999, 0.8, 1.0 - 0.05].map(level), ["95%", "99.9%", "80%", "95%"]);
    }
}
