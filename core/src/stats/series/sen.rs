//! Sen's slope: the median of the slopes between every two points.

use crate::stats::Interval;
use crate::stats::distribution::{normal_two_sided, t_upper_quantile};

/// Most points whose pairs are held; average blocks of neighbours before.
pub const MOST_POINTS: usize = 8192;

/// The slopes between every two points of a series, n(n − 1)/2 of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Slopes(Vec<f64>);

impl Slopes {
    /// Slopes of finite values `y` over their positions `at`, in units of y for one unit of the
    /// position. `None` without two different positions, for lists of different lengths, and above
    /// [`MOST_POINTS`].
    pub fn new(at: &[f64], y: &[f64]) -> Option<Self> {
        if at.len() != y.len() || at.len() > MOST_POINTS {
            return None;
        }
        let points: Vec<(f64, f64)> = at.iter().copied().zip(y.iter().copied()).collect();
        let mut slopes = Vec::with_capacity(points.len() * points.len().saturating_sub(1) / 2);
        for (i, (at, y)) in points.iter().enumerate() {
            let later = points.iter().skip(i + 1).filter(|(other, _)| other != at);
            slopes.extend(later.map(|(later, to)| (to - y) / (later - at)));
        }
        (!slopes.is_empty()).then_some(Self(slopes))
    }

    /// Sen's slope (Sen 1968, *JASA* 63): the median.
    pub fn median(&mut self) -> f64 {
        let half = self.0.len() / 2;
        let upper = self.ranked(half);
        if self.0.len() % 2 == 1 { upper } else { 0.5 * (self.ranked(half - 1) + upper) }
    }

    /// The interval of that slope (Sen 1968): between the slopes whose ranks lie
    /// ½·t·√`variance` from the middle, with the variance of Mann and Kendall's S and Student's t
    /// with so many degrees of freedom, so that interval and test agree up to rounding and
    /// continuity; infinitely many are the normal distribution of the paper. `None` when so few
    /// points have no interval of that level.
    pub fn interval(&mut self, level: f64, variance: f64, degrees: f64) -> Option<Interval> {
        let count = self.0.len() as f64;
        let quantile = if degrees.is_finite() {
            t_upper_quantile(0.5 * (1.0 - level), degrees)
        } else {
            normal_two_sided(level)
        };
        let reach = quantile * variance.sqrt();
        let lower = (0.5 * (count - reach)).round_ties_even();
        let upper = (0.5 * (count + reach)).round_ties_even();
        if !(lower >= 1.0 && upper < count) {
            return None;
        }
        let (lo, hi) = (self.ranked(lower as usize - 1), self.ranked(upper as usize));
        Some(Interval { lo, hi, level })
    }

    /// The slope with so many below it; in range.
    fn ranked(&mut self, below: usize) -> f64 {
        *self.0.select_nth_unstable_by(below, f64::total_cmp).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_own_slope_wherever_its_points_lie() {
        let at = [0.0, 1.0, 5.0, 7.0, 20.0, 21.0];
        let y = at.map(|at| 3.0 - 0.25 * at);
        let mut slopes = Slopes::new(&at, &y).unwrap();
        assert_eq!(slopes.median(), -0.25);
    }

    #[test]
    fn one_wild_point_hardly_moves_it() {
        let at: Vec<f64> = (0..11).map(f64::from).collect();
        let mut y = at.clone();
        y[5] = 1e9;
        assert_eq!(Slopes::new(&at, &y).unwrap().median(), 1.0);
    }

    #[test]
    fn too_few_points_have_no_interval_and_none_no_slope() {
        let mut slopes = Slopes::new(&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.5]).unwrap();
        assert_eq!(slopes.interval(0.95, 11.0 / 3.0, f64::INFINITY), None);
        assert_eq!(Slopes::new(&[1.0], &[1.0]), None);
        assert_eq!(Slopes::new(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(Slopes::new(&[], &[]), None);
    }
}
