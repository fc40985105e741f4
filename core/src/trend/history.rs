//! What the history knows of a metric.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::conditions::Conditions;
use crate::model::Direction;
use crate::quantity::{Night, Unit};
use crate::stats::nights::{self, flip_variance};

/// Which figure is watched.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MetricKey {
    pub job: String,
    pub dataset: Option<String>,
    pub metric: String,
}

/// One night of a metric.
#[derive(Debug, Clone, PartialEq)]
pub struct NightRecord {
    pub night: Night,
    /// `None` of a night that was partial, late or dead.
    pub value: Option<f64>,
    pub n: Option<u64>,
    pub sampling: Option<Sampling>,
    pub conditions: Conditions,
}

/// How much of the figure is chance, were the same samples answered once more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sampling {
    /// Outcomes 0 or 1 that changed since the last night with the same samples.
    Flips { gained: u64, lost: u64, paired: u64 },
    /// The variance of the figure.
    Variance(f64),
}

impl NightRecord {
    /// The figure, where it is one.
    pub(super) fn figure(&self) -> Option<nights::Night> {
        let value = self.value.filter(|value| value.is_finite())?;
        let variance = self.sampling.and_then(|sampling| match sampling {
            Sampling::Flips { gained, lost, paired } => {
                let all = self.n.filter(|n| *n > 0).unwrap_or(paired);
                let of_paired = flip_variance(gained, lost, paired)?;
                Some(of_paired * paired as f64 / all as f64)
            }
            Sampling::Variance(variance) => Some(variance),
        });
        let sampling_variance =
            variance.filter(|variance| variance.is_finite() && *variance >= 0.0);
        Some(nights::Night { value, n: self.n, sampling_variance })
    }
}

/// All nights of a metric: in order, each once.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricNights {
    pub key: MetricKey,
    pub unit: Unit,
    pub direction: Direction,
    records: Vec<NightRecord>,
}

impl MetricNights {
    /// Puts the nights in order; of one night the last record stands.
    pub fn new(
        key: MetricKey,
        unit: Unit,
        direction: Direction,
        records: impl IntoIterator<Item = NightRecord>,
    ) -> Self {
        let by_night: BTreeMap<Night, NightRecord> =
            records.into_iter().map(|record| (record.night, record)).collect();
        Self { key, unit, direction, records: by_night.into_values().collect() }
    }

    pub fn records(&self) -> &[NightRecord] {
        &self.records
    }
}
