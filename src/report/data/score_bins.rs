//! Scores by another number of the samples, on the wire.

use serde::Serialize;

use crate::model::Dims;

/// The scores of both arms of a comparison by confidence or by length.
#[derive(Debug, Serialize)]
pub struct ScoreBinsView {
    /// `confidence` or `length`.
    pub by: &'static str,
    /// The column of the samples that holds it.
    pub column: &'static str,
    pub metric: String,
    pub dataset: Option<String>,
    pub dims: Dims,
    pub candidate_run: String,
    /// Whether scores are shares of right answers, else means in the unit of the metric.
    pub is_share: bool,
    pub baseline: ArmBinsView,
    pub candidate: ArmBinsView,
}

#[derive(Debug, Serialize)]
pub struct ArmBinsView {
    /// As a share; `null` by length.
    pub calibration_error: Option<f64>,
    pub bins: Vec<ScoreBinView>,
}

/// Samples whose numbers lie next to each other.
#[derive(Debug, Serialize)]
pub struct ScoreBinView {
    pub n: u64,
    /// The lowest and the highest number, and their mean.
    pub limits: [f64; 2],
    pub center: f64,
    /// Mean of the scores.
    pub score: f64,
    /// Of that mean; `null` where all scores are equal.
    pub ci: Option<[f64; 2]>,
}
