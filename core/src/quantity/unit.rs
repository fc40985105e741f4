//! Units of figures.

use serde::{Deserialize, Serialize};

/// The unit of a metric's values as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A share between 0 and 1, shown as a percentage; differences in percentage points.
    Fraction,
    /// A share between 0 and 100 as the producer wrote it; differences in percentage points.
    Percent,
    Count,
    Seconds,
    Tokens,
    /// Money, United States dollars.
    Dollars,
    #[default]
    Plain,
}

impl Unit {
    /// The name of the unit of differences in `report.json`: `pp` for rates.
    pub fn name_of_differences(self) -> &'static str {
        match self {
            Self::Fraction | Self::Percent => "pp",
            Self::Count => "count",
            Self::Seconds => "s",
            Self::Tokens => "tokens",
            Self::Dollars => "USD",
            Self::Plain => "",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Fraction => "fraction",
            Self::Percent => "percent",
            Self::Count => "count",
            Self::Seconds => "seconds",
            Self::Tokens => "tokens",
            Self::Dollars => "dollars",
            Self::Plain => "plain",
        }
    }

    /// The unit of that [`Self::name`].
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }

    pub const ALL: [Self; 7] = [
        Self::Fraction,
        Self::Percent,
        Self::Count,
        Self::Seconds,
        Self::Tokens,
        Self::Dollars,
        Self::Plain,
    ];

    /// Whether values are shares, so that differences are percentage points.
    pub fn is_rate(self) -> bool {
        matches!(self, Self::Fraction | Self::Percent)
    }

    /// The factor that turns a stored value into the number shown.
    pub fn shown_scale(self) -> f64 {
        if self == Self::Fraction { 100.0 } else { 1.0 }
    }

    /// The value of a full share as stored: 1 or 100; `None` for units that are not shares.
    pub fn whole(self) -> Option<f64> {
        match self {
            Self::Fraction => Some(1.0),
            Self::Percent => Some(100.0),
            _ => None,
        }
    }

    /// What follows a figure: `%`, ` s`. Money has its sign in front of the digits instead.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Fraction | Self::Percent => "%",
            Self::Seconds => " s",
            _ => "",
        }
    }

    /// What follows a difference: ` pp` for rates.
    pub fn difference_suffix(self) -> &'static str {
        if self.is_rate() { " pp" } else { self.suffix() }
    }

    /// A number that is already text as a figure of this unit: `57.0%`, `$12.50`.
    pub(super) fn attached_to(self, number: &str) -> String {
        self.with_sign(number, self.suffix())
    }

    /// A number that is already text as a difference in this unit: `-1.8 pp`, `+$0.002326`.
    pub(super) fn attached_to_difference(self, number: &str) -> String {
        self.with_sign(number, self.difference_suffix())
    }

    /// The sign of money behind the sign of the number: `+$0.002326`.
    fn with_sign(self, number: &str, suffix: &str) -> String {
        let digits = number.trim_start_matches(['+', '-']);
        let sign = &number[..number.len() - digits.len()];
        let currency = if self == Self::Dollars { "$" } else { "" };
        format!("{sign}{currency}{digits}{suffix}")
    }
}
