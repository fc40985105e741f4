//! What a metric means: direction, unit, bounds, and who said so.

use serde::{Deserialize, Deserializer, Serialize};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MetricRole {
    /// Decides whether a run is better: tested first, at the full level.
    Primary,
    /// Must not get worse, and need not get better.
    Guard,
    /// Of interest once the primary metrics have shown a difference.
    Secondary,
    /// The rate of one way in which an answer ended, or another part of a primary metric.
    Breakdown,
    /// Time, tokens, throughput, memory, money.
    Cost,
    /// When and how something was measured: no result.
    Bookkeeping,
}

impl MetricRole {
    /// Where a metric stands in reports: what decides first, what is only described last.
    pub fn rank(role: Option<Self>) -> (u8, Option<Self>) {
        match role {
            Some(role) if role.is_judged() => (0, Some(role)),
            None => (1, None),
            Some(role) => (2, Some(role)),
        }
    }

    /// Whether a metric with this role can have a verdict; the others are described.
    pub fn is_judged(self) -> bool {
        matches!(self, Self::Primary | Self::Guard | Self::Secondary)
    }

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

/// Who gave a metric its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoleOrigin {
    /// The user: a flag, or `reportgen.toml`.
    User,
    /// The shipped catalogue.
    Catalogue,
    /// Nobody: it follows from the roles of the other metrics.
    Default,
}

impl RoleOrigin {
    /// The name in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Catalogue => "catalogue",
            Self::Default => "default",
        }
    }
}

/// A role, and who gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GivenRole {
    pub role: MetricRole,
    pub origin: RoleOrigin,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts of a metric that do not depend on each other"
)]
pub struct MetricSpec {
    /// Canonical name, for example `accepted_at_1`.
    pub name: String,
    pub direction: Direction,
    /// Unit of the stored values.
    pub unit: Unit,
    /// Smallest and largest possible stored value, where known.
    #[serde(deserialize_with = "bounds")]
    pub bounds: Option<(f64, f64)>,
    /// Whether every sample counts as right or wrong and the metric is the share of right ones.
    pub outcomes: bool,
    /// Whether a figure without samples is of all of them together and no mean of a score that each
    /// has, as the F1 of a classifier is.
    pub pooled: bool,
    /// The role that the user or the shipped catalogue gives it.
    pub role: Option<GivenRole>,
    pub origin: SpecOrigin,
    /// Whether it follows from the answers of another metric of the same samples.
    pub derived: bool,
    /// Whether the user says the unit, so that nothing has to be guessed from how large values are.
    #[serde(default)]
    pub unit_declared: bool,
}

/// Rounding may lift a full share this much above its bound, relative to the range.
const ROUNDING: f64 = 1e-6;

/// Bounds with what rounding may add to a score.
pub fn with_rounding((lo, hi): (f64, f64)) -> (f64, f64) {
    let slack = if (hi - lo).is_finite() { ROUNDING * (hi - lo) } else { 0.0 };
    (lo - slack, hi + slack)
}

impl MetricSpec {
    /// Largest possible score minus the smallest; `None` where scores have no bounds.
    pub fn range(&self) -> Option<f64> {
        let (lo, hi) = self.bounds.or_else(|| self.unit.whole().map(|whole| (0.0, whole)))?;
        Some(hi - lo).filter(|range| range.is_finite())
    }

    /// Whether one way of it is better than the other.
    pub fn has_good_side(&self) -> bool {
        self.direction.sign().is_some()
    }

    pub fn undeclared(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            direction: Direction::Unknown,
            unit: Unit::Plain,
            bounds: None,
            outcomes: false,
            pooled: false,
            role: None,
            origin: SpecOrigin::Nobody,
            derived: false,
            unit_declared: false,
        }
    }
}

/// Bounds as they are written: an open one has no number.
fn bounds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<(f64, f64)>, D::Error> {
    let written = Option::<(Option<f64>, Option<f64>)>::deserialize(deserializer)?;
    Ok(written.map(|(lo, hi)| (lo.unwrap_or(f64::NEG_INFINITY), hi.unwrap_or(f64::INFINITY))))
}
