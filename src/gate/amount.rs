//! Numbers as people write them in gates.

use crate::quantity::Unit;

/// A number as it is written, with or without a percent sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount {
    pub value: f64,
    pub is_percent: bool,
}

impl Amount {
    /// Reads `80%` or `1.5`; `None` for what is no finite number.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = text.strip_suffix('%');
        let value: f64 = number.unwrap_or(text).trim_end().parse().ok()?;
        value.is_finite().then_some(Self { value, is_percent: number.is_some() })
    }

    /// The share of a whole, which is written in percent or from 0 to 1; `None` for anything else.
    pub fn share(self) -> Option<f64> {
        let share = if self.is_percent { self.value / 100.0 } else { self.value };
        (0.0..=1.0).contains(&share).then_some(share)
    }

    /// The number in the unit of a metric: of a rate it has to be written in percent, because a plain
    /// one may be meant as either; of anything else it may not.
    pub(super) fn in_unit(self, unit: Unit) -> Option<f64> {
        (self.is_percent == unit.is_rate()).then(|| self.value / unit.shown_scale())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_a_number_with_or_without_a_percent_sign() {
        for (text, expected, share) in [
            ("80%", Some((80.0, true)), Some(0.8)),
            (" 0.5 % ", Some((0.5, true)), Some(0.005)),
            ("0.8", Some((0.8, false)), Some(0.8)),
            ("1.5", Some((1.5, false)), None),
            ("-3", Some((-3.0, false)), None),
            ("101%", Some((101.0, true)), None),
            ("5pp", None, None),
            ("nan", None, None),
            ("inf", None, None),
            ("", None, None),
        ] {
            let found = Amount::parse(text);
            assert_eq!(found.map(|one| (one.value, one.is_percent)), expected, "{text}");
            assert_eq!(found.and_then(Amount::share), share, "{text}");
        }
    }

    #[test]
    fn a_limit_of_a_rate_is_written_in_percent_and_no_other_is() {
        let eighty = Amount { value: 80.0, is_percent: true };
        let plain = Amount { value: 80.0, is_percent: false };
        for (amount, unit, expected) in [
            (eighty, Unit::Fraction, Some(0.8)),
            (eighty, Unit::Percent, Some(80.0)),
            (eighty, Unit::Seconds, None),
            (plain, Unit::Seconds, Some(80.0)),
            (plain, Unit::Fraction, None),
        ] {
            assert_eq!(amount.in_unit(unit), expected, "{amount:?} {unit:?}");
        }
    }
}
