//! Single figures, and the four kinds of absence.

use serde::{Deserialize, Serialize};

use super::{Dims, Source, packed};
use crate::quantity::Unit;

/// Why there is no figure. A true zero is a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Absence {
    /// Nobody has run it yet, or nobody wrote it down.
    NotRun,
    /// It cannot exist here.
    NotApplicable,
    /// It was run and gave no usable number.
    Failed,
}

/// A figure or the reason why there is none. A mean over an infinite score is infinite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measured {
    Value(#[serde(with = "packed::number")] f64),
    Absent(Absence),
}

impl Measured {
    /// A figure; NaN becomes [`Absence::Failed`].
    pub fn new(value: f64) -> Self {
        if value.is_nan() { Self::Absent(Absence::Failed) } else { Self::Value(value) }
    }

    pub fn value(self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent(_) => None,
        }
    }
}

/// Names of the number of answers to each problem.
pub const ANSWERS_EACH: &[&str] = &[
    "repeats",
    "num_repeats",
    "n_repeats",
    "num_generations",
    "n_generations",
    "num_samples_per_problem",
    "n_samples_per_problem",
    "samples_per_problem",
    "num_samples_per_question",
    "n_samples_per_question",
    "samples_per_question",
    "num_samples_per_task",
    "n_samples_per_task",
    "samples_per_task",
    "num_samples_per_prompt",
    "n_samples_per_prompt",
    "samples_per_prompt",
    "answers_per_problem",
    "answers_per_question",
    "responses_per_prompt",
    "rollouts",
    "num_rollouts",
    "n_rollouts",
    "rollouts_per_problem",
    "rollouts_per_prompt",
    "num_return_sequences",
    "n_sampling",
    "num_trials",
    "n_trials",
];

/// One aggregate figure of a run as some file stated it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scalar {
    /// Canonical metric name.
    pub metric: String,
    /// Dataset, task or benchmark.
    pub dataset: Option<String>,
    pub dims: Dims,
    /// The figure as its file writes it.
    pub value: Measured,
    /// The unit in which this figure is written, where its file says so or shows it; `None` means
    /// the metric's own.
    pub unit: Option<Unit>,
    /// Whether the unit only shows in the size of the figures, because the file does not state it, or
    /// states it of others in the same column.
    pub unit_inferred: bool,
    /// Decimals with which the file writes the number, trailing zeros included, where its text is
    /// known.
    pub decimals: Option<u8>,
    /// Decimals to which the producer rounds its shares, where the file shows that it rounds.
    pub rounded_to: Option<u8>,
    /// Number of samples behind it, when stated.
    pub n: Option<u64>,
    /// Number of answers to each problem that n may count, as the file states beside it; 1 where n
    /// counts problems.
    pub answers: Option<u64>,
    /// Standard error as stated by the producer, made from a standard deviation and n, or as wide as a
    /// stated interval, in the unit of the value; the largest of them.
    pub stderr: Option<f64>,
    /// The standard deviation that the standard error was made from or, where it is that of an interval,
    /// stands for.
    pub deviation: Option<f64>,
    /// Number of clusters that the samples behind it are in, or of independent samples that would say as
    /// much, when stated.
    pub clusters: Option<u64>,
    /// Whether another row of the same table has another figure for the same point.
    #[serde(default)]
    pub disputed: bool,
    /// Head and text of each column of its row that has no known meaning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<(String, String)>,
    pub source: Source,
}
