//! Metrics over steps or epochs.

use std::sync::Arc;

use super::Dims;

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
    pub points: Vec<Point>,
    pub path: Arc<str>,
    /// Positions at which the file goes back to one that it had passed, in its order: restarts
    /// from a checkpoint.
    pub rewinds: Vec<f64>,
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
        points.sort_by_key(|point| point.line);
        let rewinds = rewinds(&points);
        points.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.line.cmp(&b.line)));
        points.reverse();
        points.dedup_by(|later, kept| later.at == kept.at);
        points.reverse();
        let replaced = read - points.len();
        (Self { metric, axis, dims, points, path, rewinds }, replaced)
    }
}

/// Positions lower than the one before them that had been written already.
fn rewinds(points: &[Point]) -> Vec<f64> {
    let mut written: Vec<f64> = Vec::new();
    let mut found = Vec::new();
    let mut before = f64::NEG_INFINITY;
    for point in points {
        let at = written.binary_search_by(|known| known.total_cmp(&point.at));
        if let (true, Ok(_)) = (point.at < before, at) {
            found.push(point.at);
        }
        if let Err(place) = at {
            written.insert(place, point.at);
        }
        before = point.at;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_back_to_a_written_step_is_a_restart_and_writing_it_twice_is_not() {
        for (steps, restarts) in [
            (&[1.0, 2.0, 3.0, 4.0, 3.0, 4.0, 5.0][..], &[3.0][..]),
            (&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0], &[1.0, 1.0]),
            (&[1.0, 1.0, 2.0, 2.0], &[]),
            (&[3.0, 2.0, 1.0], &[]),
        ] {
            let points = (1..).zip(steps).map(|(line, at)| Point { at: *at, value: 0.0, line });
            let path = Arc::from("log.csv");
            let (series, _) = Series::new(
                "x".to_owned(),
                "step".to_owned(),
                Dims::none(),
                points.collect(),
                path,
            );
            assert_eq!(series.rewinds, restarts, "{steps:?}");
        }
    }
}
