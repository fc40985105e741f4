//! What the scores of one arm say as a whole, whether they were read here or counted by an engine.

/// The mean over so many scores of −∞ and +∞, at least one: NaN where there are both.
pub(super) fn mean_of_infinite(below: u64, above: u64) -> f64 {
    match (below, above) {
        (0, _) => f64::INFINITY,
        (_, 0) => f64::NEG_INFINITY,
        _ => f64::NAN,
    }
}

/// The score that stands for right where all are 0 or 1, or all 0 or 100.
pub(super) fn right_of(only_ones: bool, only_hundreds: bool) -> Option<f64> {
    match (only_ones, only_hundreds) {
        (true, _) => Some(1.0),
        (false, true) => Some(100.0),
        (false, false) => None,
    }
}
