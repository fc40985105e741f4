//! What a metric means: direction, unit, bounds, and who said so.

use serde::Serialize;

use crate::quantity::Unit;

/// Which way is good. Declared by someone, never guessed from a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Higher,
    Lower,
    /// Neither way is better; a change is only a change.
    Neutral,
    Unknown,
}

impl Direction {
    /// +1 when a rise is good, −1 when a fall is good, `None` when a sign alone cannot tell.
    pub fn sign(self) -> Option<f64> {
        match self {
            Self::Higher => Some(1.0),
            Self::Lower => Some(-1.0),
            Self::Neutral | Self::Unknown => None,
        }
    }

    /// The name in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Higher => "higher",
            Self::Lower => "lower",
            Self::Neutral => "neutral",
            Self::Unknown => "unknown",
        }
    }
}

/// Who declared the meaning of a metric, from strongest to weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SpecOrigin {
    /// The user's `reportgen.toml`.
    User,
    /// The file the metric came from.
    Producer,
    /// The shipped catalogue of exact names.
    Catalogue,
    /// Nobody; everything is unknown.
    Nobody,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricSpec {
    /// Canonical name, for example `accepted_at_1`.
    pub name: String,
    pub direction: Direction,
    /// Unit of the stored values.
    pub unit: Unit,
    /// Smallest and largest possible stored value, where known.
    pub bounds: Option<(f64, f64)>,
    /// Whether every sample counts as right or wrong and the metric is the share of right ones.
    pub outcomes: bool,
    pub origin: SpecOrigin,
    /// Whether it follows from the answers of another metric of the same samples.
    pub derived: bool,
}

impl MetricSpec {
    pub fn undeclared(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            direction: Direction::Unknown,
            unit: Unit::Plain,
            bounds: None,
            outcomes: false,
            origin: SpecOrigin::Nobody,
            derived: false,
        }
    }
}
