//! Averages over datasets.

use serde::Serialize;

use super::comparison::NoiseView;
use crate::compare::NonInferiority;
use crate::model::Dims;
use crate::quantity::Unit;

#[derive(Debug, Clone, Serialize)]
pub struct SuiteView {
    pub metric: String,
    /// The role of the metric, as in `comparisons`.
    pub role: Option<&'static str>,
    pub dims: Dims,
    pub candidate_run: String,
    pub datasets: usize,
    /// Datasets that are not, because a side or an interval is missing or a finding blocks them.
    pub left_out: usize,
    pub unit: &'static str,
    /// Every dataset counts the same.
    pub macro_mean: SuiteMeanView,
    /// Every sample counts the same; `null` where samples were not paired, and of several runs.
    pub micro_mean: Option<SuiteMeanView>,
    /// p of the macro mean, adjusted with all tests of its family; `null` where it is in none.
    pub p_adjusted: Option<f64>,
    pub noninferiority: Option<NonInferiority>,
    /// Codes of the findings that a dataset is averaged in spite of, because they were accepted.
    pub accepted: Vec<&'static str>,
    /// Codes of the findings that confound a dataset of the average and not the pair as a whole.
    pub confounded: Vec<&'static str>,
    /// How far the macro means of runs of the baseline's configuration lie apart.
    pub noise: Option<NoiseView>,
    pub verdict: &'static str,
    pub reason: Option<String>,
    /// What people read in place of the verdict.
    #[serde(skip)]
    pub word: Option<&'static str>,
    #[serde(skip)]
    pub metric_unit: Unit,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct SuiteMeanView {
    /// Tag of the interval: `mover`, or the method that compares the means of runs.
    pub method: &'static str,
    pub delta: f64,
    pub ci: [f64; 2],
    pub level: f64,
    /// p-value; 1e-12 stands for that or less.
    pub p: f64,
}
