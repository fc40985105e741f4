//! Means of two curves over equal intervals of their axis, for logs whose points lie at other places:
//! episodes end when they end.

use super::curves::{Curve, CurvePair};
use crate::model::Point;
use crate::pairing::{PairArm, PerArm};
use crate::stats::Moments;

/// How many intervals the part is cut into that both curves cover.
const INTERVALS: usize = 10;
/// Fewer points of a curve give intervals that hold one or none.
const FEWEST_POINTS: usize = 2 * INTERVALS;

/// An interval of the axis with the mean of either curve over its points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveInterval {
    /// Its ends; the upper one belongs to the next interval, but for the last.
    pub from: f64,
    pub to: f64,
    pub means: PerArm<f64>,
    /// Points that the means are over.
    pub points: PerArm<u64>,
}

impl CurvePair<'_> {
    /// Whether the places that both leads have are those where two logs meet by chance: what the curves are
    /// there says no more than what they are anywhere else.
    pub fn meets_by_chance(&self) -> bool {
        !self.over_intervals().is_empty()
    }

    /// The means of both leads over equal intervals of the part that both cover, without intervals that a
    /// curve has no point in; empty where the curves have few points, or enough of them at common places.
    pub fn over_intervals(&self) -> Vec<CurveInterval> {
        let leads = PairArm::BOTH.map(|which| self.lead(which));
        let is_short = leads.iter().any(|lead| lead.finite.len() < FEWEST_POINTS);
        if is_short || self.common.len() >= INTERVALS {
            return Vec::new();
        }
        let ends = leads.map(|lead| lead.finite.first().zip(lead.finite.last()));
        let [Some(baseline), Some(candidate)] = ends else { return Vec::new() };
        let from = baseline.0.at.max(candidate.0.at);
        let to = baseline.1.at.min(candidate.1.at);
        if from >= to {
            return Vec::new();
        }
        let width = (to - from) / INTERVALS as f64;
        let edge = |at: usize| if at == INTERVALS { to } else { from + width * at as f64 };
        let interval = |at: usize| {
            let (from, to) = (edge(at), edge(at + 1));
            let is_last = at + 1 == INTERVALS;
            let is_inside =
                |point: &&Point| point.at >= from && (point.at < to || is_last && point.at == to);
            let moments = leads.map(|lead: &Curve<'_>| -> Moments {
                lead.finite.iter().filter(is_inside).map(|point| point.value).collect()
            });
            let points = moments.map(|moments| moments.n);
            let means = moments.map(|moments| moments.mean);
            points.iter().all(|count| *count > 0).then_some(CurveInterval {
                from,
                to,
                means,
                points,
            })
        };
        (0..INTERVALS).filter_map(interval).collect()
    }
}
