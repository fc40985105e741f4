//! Training series and their trends.

use serde::Serialize;

use crate::model::Dims;

#[derive(Debug, Clone, Serialize)]
pub struct SeriesView {
    pub run: String,
    /// Metric name as the producer wrote it.
    pub metric: String,
    /// Axis: `step`, `epoch`.
    pub axis: String,
    /// Grid coordinates other than the axis.
    pub dims: Dims,
    pub path: String,
    /// Points with a finite figure.
    pub points: usize,
    /// Points that are NaN or infinite, and left out.
    pub not_finite: usize,
    pub trend: Option<TrendView>,
    /// Why there is none: `smoothed`, `too-few`.
    pub no_trend: Option<&'static str>,
}

#[derive(Debug, Clone, Serialize)]
pub struct TrendView {
    pub method: &'static str,
    /// Sen's slope: change for one unit of the axis.
    pub slope: Option<f64>,
    pub ci: Option<[f64; 2]>,
    pub level: Option<f64>,
    pub z: f64,
    /// Factor by which autocorrelation enlarged the variance, at least 1.
    pub variance_ratio: f64,
    pub p: f64,
    pub p_adjusted: f64,
    pub family: String,
    /// Most points averaged into one value before testing; 1 when none were.
    pub averaged: usize,
    /// Most likely change of level; exploratory.
    pub change: Option<LevelChangeView>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct LevelChangeView {
    /// Position of the last value before it.
    pub after: f64,
    /// Pettitt's approximate p, corrected for first-order autocorrelation; in no family.
    pub p: f64,
    /// Always `true`.
    pub exploratory: bool,
}
