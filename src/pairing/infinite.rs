//! Means over scores of which some are infinite.

/// The mean over so many scores of −∞ and +∞, at least one: NaN where there are both.
pub(super) fn mean_of_infinite(below: u64, above: u64) -> f64 {
    match (below, above) {
        (0, _) => f64::INFINITY,
        (_, 0) => f64::NEG_INFINITY,
        _ => f64::NAN,
    }
}
