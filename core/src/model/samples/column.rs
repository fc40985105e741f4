//! One score of every sample, as small as its values allow.

use serde::{Deserialize, Serialize};

use crate::model::packed;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Column {
    /// Only 0 and 1 were seen; 255 stands for "no score".
    Flags(#[serde(with = "packed")] Vec<u8>),
    /// Any numbers; NaN stands for "no score", and infinite ones are kept apart from scores, see
    /// [`Column::infinite`].
    Reals(#[serde(with = "packed")] Vec<f64>),
}

const NO_FLAG: u8 = u8::MAX;

impl Column {
    /// A column of outcomes; `None` is no score.
    pub fn flags(outcomes: impl Iterator<Item = Option<bool>>) -> Self {
        Self::Flags(outcomes.map(|outcome| outcome.map_or(NO_FLAG, u8::from)).collect())
    }

    /// A column of scores; `None` is no score.
    pub fn from_scores(scores: impl Iterator<Item = Option<f64>>) -> Self {
        let mut column = Self::empty(0);
        for score in scores {
            column.push_absent();
            if let Some(score) = score.filter(|score| !score.is_nan()) {
                column.set_last(score);
            }
        }
        column
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Flags(flags) => flags.len(),
            Self::Reals(reals) => reals.len(),
        }
    }

    pub(super) fn remove(&mut self, row: usize) {
        match self {
            Self::Flags(flags) => {
                if let Some(flag) = flags.get_mut(row) {
                    *flag = NO_FLAG;
                }
            }
            Self::Reals(reals) => {
                if let Some(real) = reals.get_mut(row) {
                    *real = f64::NAN;
                }
            }
        }
    }

    pub(super) fn empty(rows: usize) -> Self {
        Self::Flags(vec![NO_FLAG; rows])
    }

    /// The finite score of a row.
    pub fn get(&self, row: usize) -> Option<f64> {
        match self {
            Self::Flags(flags) => match flags.get(row) {
                None | Some(&NO_FLAG) => None,
                Some(&flag) => Some(f64::from(flag)),
            },
            Self::Reals(reals) => reals.get(row).copied().filter(|value| value.is_finite()),
        }
    }

    /// The infinite score of a row: a result where scores have no bounds, a mistake elsewhere.
    pub fn infinite(&self, row: usize) -> Option<f64> {
        match self {
            Self::Flags(_) => None,
            Self::Reals(reals) => reals.get(row).copied().filter(|value| value.is_infinite()),
        }
    }

    /// How many of the rows score 0 and how many 1; `None` where other scores were seen.
    pub fn outcome_counts(&self, rows: &[u32]) -> Option<[u64; 2]> {
        let Self::Flags(flags) = self else { return None };
        let mut counts = [0; 2];
        for row in rows {
            match flags.get(*row as usize) {
                Some(0) => counts[0] += 1,
                Some(1) => counts[1] += 1,
                _ => {}
            }
        }
        Some(counts)
    }

    /// Whether a row has a score, a finite one unless infinite ones count.
    pub fn is_scored(&self, row: usize, infinite_counts: bool) -> bool {
        match self {
            Self::Flags(flags) => flags.get(row).is_some_and(|flag| *flag != NO_FLAG),
            Self::Reals(reals) => {
                let counts = |value: &f64| value.is_finite() || infinite_counts && !value.is_nan();
                reals.get(row).is_some_and(counts)
            }
        }
    }

    pub fn is_binary(&self) -> bool {
        match self {
            Self::Flags(_) => true,
            Self::Reals(reals) => {
                reals.iter().all(|value| !value.is_finite() || *value == 0.0 || *value == 1.0)
            }
        }
    }

    pub(super) fn picked(&self, rows: impl Iterator<Item = usize>) -> Self {
        match self {
            Self::Flags(flags) => {
                Self::Flags(rows.map(|row| flags.get(row).copied().unwrap_or(NO_FLAG)).collect())
            }
            Self::Reals(reals) => {
                Self::Reals(rows.map(|row| reals.get(row).copied().unwrap_or(f64::NAN)).collect())
            }
        }
    }

    pub(super) fn push_absent(&mut self) {
        match self {
            Self::Flags(flags) => flags.push(NO_FLAG),
            Self::Reals(reals) => reals.push(f64::NAN),
        }
    }

    pub(super) fn set_last(&mut self, value: f64) {
        if let Self::Flags(flags) = self {
            if value == 0.0 || value == 1.0 {
                if let Some(last) = flags.last_mut() {
                    *last = u8::from(value == 1.0);
                }
                return;
            }
            *self = Self::Reals(as_reals(flags).collect());
        }
        if let Self::Reals(reals) = self
            && let Some(last) = reals.last_mut()
        {
            *last = value;
        }
    }

    pub(super) fn append(&mut self, other: Self) {
        match (&mut *self, other) {
            (Self::Flags(mine), Self::Flags(theirs)) => mine.extend(theirs),
            (Self::Reals(mine), Self::Reals(theirs)) => mine.extend(theirs),
            (Self::Reals(mine), Self::Flags(theirs)) => mine.extend(as_reals(&theirs)),
            (Self::Flags(mine), Self::Reals(theirs)) => {
                let mut reals: Vec<f64> = as_reals(mine).collect();
                reals.extend(theirs);
                *self = Self::Reals(reals);
            }
        }
    }
}

/// Outcomes as numbers, NaN where there is no score.
fn as_reals(flags: &[u8]) -> impl Iterator<Item = f64> {
    flags.iter().map(|&flag| if flag == NO_FLAG { f64::NAN } else { f64::from(flag) })
}

impl super::SampleTableBuilder {
    /// Takes away the columns of other metrics.
    pub fn retain_metrics(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.table.columns.retain(|(metric, _)| keep(metric));
    }
}
