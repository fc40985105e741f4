//! What a metric means: direction, unit, bounds, and who said so.

use serde::{Deserialize, Serialize};

use crate::quantity::Unit;

/// Which way is good. Declared by someone, never guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

    /// The good side of the negative.
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Higher => Self::Lower,
            Self::Lower => Self::Higher,
            Self::Neutral | Self::Unknown => self,
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
    /// The shipped catalogue, which may let a name borrow the meaning of another.
    Catalogue,
    /// Nobody; everything is unknown.
    Nobody,
}

/// What a metric is for in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MetricRole {
    /// Decides whether a run is better: tested first, at the full level.
    Primary,
    /// Must not get worse, and need not get better.
    Guard,
    /// Of interest once the primary metrics have shown a difference.
    Secondary,
    /// Time, tokens, throughput, memory, money.
    Cost,
    /// The rate of one way in which an answer ended, or another part of a primary metric.
    Breakdown,
    /// When and how something was measured: no result.
    Bookkeeping,
}

impl MetricRole {
    /// The name in `report.json` and in `reportgen.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Guard => "guard",
            Self::Secondary => "secondary",
            Self::Cost => "cost",
            Self::Breakdown => "breakdown",
            Self::Bookkeeping => "bookkeeping",
        }
    }
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
    /// The role that the user or the shipped catalogue gives it.
    pub role: Option<MetricRole>,
    pub origin: SpecOrigin,
    /// Whether it follows from the answers of another metric of the same samples.
    pub derived: bool,
}

impl MetricSpec {
    /// Largest possible score minus the smallest; `None` where scores have no bounds.
    pub fn range(&self) -> Option<f64> {
        let (lo, hi) = self.bounds.or_else(|| self.unit.whole().map(|whole| (0.0, whole)))?;
        Some(hi - lo).filter(|range| range.is_finite())
    }

    pub fn undeclared(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            direction: Direction::Unknown,
            unit: Unit::Plain,
            bounds: None,
            outcomes: false,
            role: None,
            origin: SpecOrigin::Nobody,
            derived: false,
        }
    }
}
