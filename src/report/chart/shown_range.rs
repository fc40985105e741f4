//! Which values the scale of a line chart shows: powers of ten for what spans decades, and nearly all values
//! where few lie far from the others.

use super::{ChartLine, LineChart, LineWeight};
use crate::text::Catalogue;

/// From this ratio of the largest to the smallest on a scale of powers of ten.
const DECADES: f64 = 1000.0;
/// A range that is so many times that of nearly all points hides them.
const FAR: f64 = 4.0;
/// Half of all points within one part of so many of the range cannot be told apart.
const CROWDED: f64 = 10.0;

impl LineChart {
    /// Whether figures stand on a scale of powers of ten: all are positive and span three decades or more.
    pub fn is_logarithmic(&self) -> bool {
        !self.y.is_difference && spans_decades(ends(&self.values()))
    }

    /// Whether positions stand on a scale of powers of ten: all are positive, and most points would stand
    /// within the first tenth of a straight one.
    pub fn is_x_logarithmic(&self) -> bool {
        let is_seen = |line: &&ChartLine| line.weight == LineWeight::Dots;
        let seen = self.lines.iter().filter(is_seen).flat_map(|line| line.parts.iter().flatten());
        let mut places: Vec<f64> = seen.map(|[at, _]| *at).collect();
        places.sort_by(f64::total_cmp);
        let [Some(&first), Some(&middle), Some(&last)] =
            [places.first(), places.get(places.len() / 2), places.last()]
        else {
            return false;
        };
        first > 0.0 && middle - first < (last - first) / CROWDED
    }

    /// The chart with what its scales are, where these are by powers of ten.
    #[must_use]
    pub fn with_scales_named(mut self, words: &Catalogue) -> Self {
        let log = words.get("chart.log-scale");
        if self.is_x_logarithmic() {
            self.x.title =
                words.fill("chart.log-axis", &[("axis", &self.x.title), ("scale", &log)]);
        }
        if self.is_logarithmic() {
            self.scale = log;
        }
        self
    }

    /// The limits of a straight scale on which some values run along an edge; `None` where all have room.
    pub fn cut(&self) -> Option<[f64; 2]> {
        if self.is_logarithmic() {
            return None;
        }
        let mut values = self.values();
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((values.len().saturating_sub(1) as f64 * share) as usize);
        let (&low, &high) = (at(0.02)?, at(0.98)?);
        let [lowest, highest] = ends(&values);
        let air = (high - low) / 4.0;
        (high > low && highest - lowest > FAR * (high - low))
            .then(|| [lowest.max(low - air), highest.min(high + air)])
    }

    /// The point of a line, beyond the limits of [`Self::cut`], that lies farthest out; smoothed lines are
    /// none that was logged.
    pub fn farthest_cut(&self) -> Option<[f64; 2]> {
        let [low, high] = self.cut()?;
        let logged = self.lines.iter().filter(|line| line.weight != LineWeight::Strong);
        let points = logged.flat_map(|line| line.parts.iter().flatten());
        let beyond = |value: f64| (low - value).max(value - high);
        let cut = points.filter(|[_, value]| beyond(*value) > 0.0);
        cut.max_by(|a, b| beyond(a[1]).total_cmp(&beyond(b[1]))).copied()
    }

    /// Figures and the ends of their intervals.
    pub fn values(&self) -> Vec<f64> {
        let points = self.lines.iter().flat_map(|line| line.parts.iter().flatten());
        let intervals = self.lines.iter().flat_map(|line| line.intervals.iter().flatten());
        points.map(|[_, value]| *value).chain(intervals.flatten().copied()).collect()
    }
}

/// Whether positive values span three decades or more.
pub fn spans_decades([lowest, highest]: [f64; 2]) -> bool {
    lowest > 0.0 && highest / lowest >= DECADES
}

/// The lowest and the highest value; 0 and 1 without any.
pub fn ends(values: &[f64]) -> [f64; 2] {
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if lowest <= highest { [lowest, highest] } else { [0.0, 1.0] }
}
