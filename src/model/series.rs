//! Metrics over steps or epochs.

use std::sync::Arc;

use super::Dims;

/// One point of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Position on the axis.
    pub at: f64,
    /// The figure; NaN and infinities are kept, because divergence is a result.
    pub value: f64,
    /// Line it was read from, counted from 1; 0 when the file has no lines.
    pub line: u64,
}

/// One metric over one axis, points ordered by position, one point per position.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Metric name as the producer wrote it.
    pub metric: String,
    /// Axis name: `epoch`, `step`.
    pub axis: String,
    /// Grid coordinates other than the axis.
    pub dims: Dims,
    /// The points.
    pub points: Vec<Point>,
    /// File it was read from.
    pub path: Arc<str>,
}

impl Series {
    /// Orders points by position and lets the last one read win where a position repeats.
    /// Returns the series and how many points were replaced.
    pub fn new(
        metric: String,
        axis: String,
        dims: Dims,
        mut points: Vec<Point>,
        path: Arc<str>,
    ) -> (Self, usize) {
        let read = points.len();
        points.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.line.cmp(&b.line)));
        points.reverse();
        points.dedup_by(|later, kept| later.at == kept.at);
        points.reverse();
        let replaced = read - points.len();
        (Self { metric, axis, dims, points, path }, replaced)
    }
}
