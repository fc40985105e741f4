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
    /// A count.
    Count,
    /// Seconds.
    Seconds,
    /// Tokens.
    Tokens,
    /// Money, United States dollars.
    Dollars,
    /// A plain number.
    #[default]
    Plain,
}

impl Unit {
    /// The unit of that name in `report.json`; an unknown name is a plain number.
    pub fn of_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|unit| unit.name() == name).unwrap_or_default()
    }

    /// The name in `report.json`.
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

    /// Every unit.
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
}
