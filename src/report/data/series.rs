//! Training series, their trends, and those of two arms side by side.

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

/// One metric over one axis in both arms.
#[derive(Debug, Clone, Serialize)]
pub struct CurveView {
    pub candidate: String,
    /// Metric name as the baseline wrote it.
    pub metric: String,
    pub axis: String,
    pub dims: Dims,
    pub direction: &'static str,
    pub role: Option<&'static str>,
    pub unit: &'static str,
    /// Positions at which the first run of either arm has a point.
    pub common_points: usize,
    /// The first of them at which the figures differ by more than rounding.
    pub first_difference: Option<CurvePointView>,
    /// The last of them with a finite figure of both.
    pub last_common: Option<CurvePointView>,
    /// How many points the figure `end` averages at the end of each curve.
    pub averaged: usize,
    /// `last`, `best` and `end`, as means over the runs of an arm.
    pub figures: Vec<CurveFigureView>,
    pub runs: Vec<CurveRunView>,
}

/// A position and the figure of the first run of either arm.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CurvePointView {
    pub at: f64,
    pub baseline: Option<f64>,
    pub candidate: Option<f64>,
}

#[derive(Debug, Clone, Serialize)]
pub struct CurveFigureView {
    pub figure: &'static str,
    pub baseline: Option<f64>,
    pub candidate: Option<f64>,
    /// Candidate − baseline, in pp for rates.
    pub delta: Option<f64>,
    pub ci: Option<[f64; 2]>,
    pub level: Option<f64>,
    /// Unadjusted, in no family.
    pub p: Option<f64>,
}

/// What the curve of one run comes to.
#[derive(Debug, Clone, Serialize)]
pub struct CurveRunView {
    pub run: String,
    pub arm: &'static str,
    /// Points with a finite figure.
    pub points: usize,
    pub not_finite: usize,
    pub first_not_finite: Option<f64>,
    pub last_at: Option<f64>,
    /// `null` where the last point is NaN or infinite.
    pub last: Option<f64>,
    pub best_at: Option<f64>,
    pub best: Option<f64>,
    /// Other points that are as good as the best.
    pub as_good: usize,
    /// Positions at which the log goes back.
    pub restarts: Vec<f64>,
}
