//! `tasks` of `report.json`: arms of several runs over several datasets.

use serde::Serialize;

use crate::compare::{Aggregates, RunsOverDatasets};
use crate::model::Dims;
use crate::pairing::PairArm;

#[derive(Debug, Clone, Serialize)]
pub struct RunsOverDatasetsView {
    pub metric: String,
    pub dims: Dims,
    pub candidate_arm: String,
    /// Datasets on which every run has a figure.
    pub datasets: Vec<String>,
    pub baseline: AggregatesView,
    pub candidate: AggregatesView,
    /// Probability that a run of the candidate is better than one of the baseline.
    pub probability_of_improvement: f64,
    /// Its interval; `null` with fewer than five runs in an arm.
    pub probability_of_improvement_ci: Option<[f64; 2]>,
}

/// All scores of one arm, in the metric's unit.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct AggregatesView {
    pub runs: usize,
    pub iqm: f64,
    /// Its interval; `null` with fewer than five runs.
    pub iqm_ci: Option<[f64; 2]>,
    pub mean: f64,
    /// Median over the datasets.
    pub median: f64,
    /// Distance to the best possible figure; `null` without one.
    pub optimality_gap: Option<f64>,
}

pub(super) fn view(found: &RunsOverDatasets<'_>) -> RunsOverDatasetsView {
    let [baseline, candidate] = found.arms.map(aggregates);
    RunsOverDatasetsView {
        metric: found.metric.to_owned(),
        dims: found.dims.clone(),
        candidate_arm: found.pair.name(PairArm::Candidate).to_owned(),
        datasets: found.datasets.iter().map(|&name| name.to_owned()).collect(),
        baseline,
        candidate,
        probability_of_improvement: found.improvement,
        probability_of_improvement_ci: found.improvement_interval.map(|ci| [ci.lo, ci.hi]),
    }
}

fn aggregates(arm: Aggregates) -> AggregatesView {
    AggregatesView {
        runs: arm.runs,
        iqm: arm.iqm,
        iqm_ci: arm.iqm_interval.map(|ci| [ci.lo, ci.hi]),
        mean: arm.mean,
        median: arm.median,
        optimality_gap: arm.optimality_gap,
    }
}
