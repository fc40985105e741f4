//! One series of figures over time: trend, change point, and what autocorrelation leaves of n.
//!
//! Points of a training curve are not independent samples, so nothing here may be read as a test
//! of two runs. Smoothed figures (moving averages) are no data for any of it: smoothing makes
//! neighbours agree, and every test below takes agreement for evidence.

mod autocorrelation;
mod change_point;
mod mann_kendall;
mod parabola;
mod sen;

pub use autocorrelation::autocorrelations;
pub use change_point::{ChangePoint, pettitt};
pub use mann_kendall::{
    MannKendall, effective_degrees, first_order_variance_ratio, floored_variance_ratio,
    mann_kendall, variance_ratio,
};
pub use parabola::{order_correlation, without_parabola};
pub use sen::{MOST_POINTS, Slopes};

/// −1, 0 or 1: where the second of two values lies.
fn rise(from: f64, to: f64) -> i64 {
    i64::from(to > from) - i64::from(to < from)
}
