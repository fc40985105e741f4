//! Metrics over steps or epochs.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::packed::{self, Row};
use super::{Dims, MetricNames};
use crate::quantity::{Unit, spelled_decimals};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Position on the axis.
    pub at: f64,
    /// The figure; NaN and infinities are kept, because divergence is a result.
    pub value: f64,
    /// Line it was read from, counted from 1; 0 when the file has no lines.
    pub line: u64,
}

impl Row<3> for Point {
    fn numbers(&self) -> [u64; 3] {
        [self.at.to_bits(), self.value.to_bits(), self.line]
    }

    fn from_numbers([at, value, line]: [u64; 3]) -> Option<Self> {
        Some(Self { at: f64::from_bits(at), value: f64::from_bits(value), line })
    }
}

/// One metric over one axis, points ordered by position, one point per position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Metric name as the producer wrote it.
    pub metric: String,
    /// Axis name: `epoch`, `step`.
    pub axis: String,
    /// Grid coordinates other than the axis.
    pub dims: Dims,
    #[serde(with = "packed::rows")]
    pub points: Vec<Point>,
    pub path: Arc<str>,
    /// Earlier files of a training that was resumed, each with the number of points up to its end. The
    /// points behind them are of `path`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<(usize, Arc<str>)>,
    /// Positions at which the file goes back to one that it had passed, in its order: restarts
    /// from a checkpoint.
    #[serde(with = "packed")]
    pub rewinds: Vec<f64>,
}

/// First words of names under which a training logs what it measures on other data than it trains on.
const EVALUATED: &[&str] =
    &["eval", "evaluation", "val", "valid", "validation", "test", "dev", "metrics"];
/// What stands behind such a word.
const SEPARATORS: [char; 4] = ['_', '/', '.', '-'];

/// The first word of a name where it says that the figure is of an evaluation: `eval` of `eval_loss`.
/// What Ultralytics logs below `metrics/` is one.
pub fn evaluation_word(metric: &str) -> Option<&str> {
    let (word, rest) = metric.split_once(SEPARATORS)?;
    let separator = metric.get(word.len()..)?.chars().next()?;
    let is_word = EVALUATED.iter().any(|known| known.eq_ignore_ascii_case(word));
    let is_folder = !word.eq_ignore_ascii_case("metrics") || separator == '/';
    (is_word && is_folder && !rest.to_ascii_lowercase().contains("train")).then_some(word)
}

/// Whether a metric is a reward by its name, which nobody has to declare good where a training follows it.
pub fn is_reward(metric: &str) -> bool {
    let lower = metric.to_ascii_lowercase();
    let mut words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| matches!(word, "reward" | "rewards" | "return" | "returns"))
}

/// What was written again at positions that a series had already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// Points that were replaced: those of a resumed training, else those of other figures.
    pub points: usize,
    /// Whether the file goes back to its first position, or half of all have another figure, as where two
    /// runs, and no restart from a checkpoint, wrote one after the other or at once.
    pub is_from_start: bool,
}

/// Whether points, in the order in which they were written, go back to where they began, or before it.
fn begins_again(points: &[Point]) -> bool {
    let Some(first) = points.first() else { return false };
    let (mut start, mut last, mut count) = (first.at, first.at, 1);
    for point in points.iter().skip(1) {
        if point.at > last {
            count += 1;
        } else if point.at <= start {
            if count > 1 {
                return true;
            }
            (start, count) = (point.at, 1);
        }
        last = point.at;
    }
    false
}

impl Series {
    /// Orders points, which come as they were written, by position and lets the last one win where a position
    /// repeats, unless it is the same figure with fewer digits. Returns the series and what was replaced.
    pub fn new(
        metric: String,
        axis: String,
        dims: Dims,
        mut points: Vec<Point>,
        path: Arc<str>,
    ) -> (Self, Rewritten) {
        if points.is_sorted_by(|a, b| a.at < b.at) {
            let (earlier, rewinds) = (Vec::new(), Vec::new());
            let series = Self { metric, axis, dims, points, path, earlier, rewinds };
            return (series, Rewritten::default());
        }
        let begins_again = begins_again(&points);
        let rewinds = rewinds(&points);
        points.sort_by(|a, b| a.at.total_cmp(&b.at));
        points.reverse();
        let (mut replaced, is_resumed) = (0, !rewinds.is_empty());
        let mut others = Vec::new();
        points.dedup_by(|earlier, kept| {
            if earlier.at == kept.at {
                let decimals = [earlier.value, kept.value].map(spelled_decimals);
                let is_exact = earlier.value.total_cmp(&kept.value).is_eq();
                let digits = kept.value.abs() * 10_f64.powf(decimals[0].min(decimals[1]) as f64);
                let is_rounded = digits >= TWO_DIGITS && is_same_figure(earlier.value, kept.value);
                let is_other = !(is_exact || is_rounded);
                replaced += usize::from(is_resumed || is_other);
                if is_other && others.last() != Some(&kept.at) {
                    others.push(kept.at);
                }
                if is_rounded && decimals[0] > decimals[1] {
                    kept.value = earlier.value;
                }
            }
            earlier.at == kept.at
        });
        points.reverse();
        let first = points.first().map(|point| point.at);
        let is_half = || others.last().copied() == first && others.len() * 2 >= points.len();
        let is_from_start = !others.is_empty() && (begins_again || is_half());
        let rewritten = Rewritten { points: replaced, is_from_start };
        (Self { metric, axis, dims, points, path, earlier: Vec::new(), rewinds }, rewritten)
    }
}

impl Series {
    /// Goes on with what a later file has, which counts from its first position on. Returns how many
    /// points that replaces.
    pub fn resume(&mut self, later: Self) -> usize {
        let Some(start) = later.points.first().map(|point| point.at) else { return 0 };
        let kept = self.points.partition_point(|point| point.at < start);
        let replaced = self.points.len() - kept;
        self.points.truncate(kept);
        self.earlier.push((kept, std::mem::replace(&mut self.path, later.path)));
        self.earlier.iter_mut().for_each(|(end, _)| *end = kept.min(*end));
        self.rewinds.retain(|at| *at < start);
        self.rewinds.extend((replaced > 0).then_some(start));
        self.rewinds.extend(later.rewinds);
        self.points.extend(later.points);
        replaced
    }

    /// The file of the point at that place.
    pub fn path_of(&self, place: usize) -> &Arc<str> {
        let part = self.earlier.iter().find(|(end, _)| place < *end);
        part.map_or(&self.path, |(_, path)| path)
    }

    /// Decimals that the finite figures need: of one format, the longest of several shows how many it has. `None`
    /// where there are too few different ones: each may be exact.
    pub fn decimals(&self) -> Option<usize> {
        let values = self.points.iter().map(|point| point.value).filter(|value| value.is_finite());
        let distinct: BTreeSet<u64> = values.clone().map(f64::to_bits).collect();
        values.map(spelled_decimals).max().filter(|_| distinct.len() >= FEWEST_ROUNDED)
    }

    /// Whether a metric that is a share is written as a percentage here, as its size shows.
    pub fn is_percentage(&self, names: &MetricNames) -> bool {
        let finite = self.points.iter().map(|point| point.value).filter(|value| value.is_finite());
        let largest = finite.fold(0.0, f64::max);
        largest > 1.0 && largest <= 100.0 && is_share(&self.metric, names)
    }
}

/// Whether a metric is known as a share between 0 and 1.
pub fn is_share(metric: &str, names: &MetricNames) -> bool {
    let spec = names.get(metric);
    spec.is_some_and(|spec| spec.unit == Unit::Fraction && spec.bounds == Some((0.0, 1.0)))
}

/// Fewer different figures do not show whether they are rounded.
const FEWEST_ROUNDED: usize = 3;
/// A figure of two digits or more can be another one rounded; one of fewer is a figure of its own.
const TWO_DIGITS: f64 = 10.0;
/// Relative distance of a figure from itself in single precision, at most.
const SINGLE_PRECISION: f64 = 1e-6;

/// Whether two figures are one, which a file may round or hold in single precision.
pub fn is_same_figure(a: f64, b: f64) -> bool {
    if !a.is_finite() || !b.is_finite() {
        return a == b || a.is_nan() && b.is_nan();
    }
    let apart = (a - b).abs();
    let rounding = || 0.5 / 10_f64.powf(spelled_decimals(a).min(spelled_decimals(b)) as f64);
    apart <= SINGLE_PRECISION * a.abs().max(b.abs()) || apart <= rounding()
}

/// Positions lower than the one before them that had been written already, and from which the log goes on
/// below that one: a single point that is written again is no restart.
fn rewinds(points: &[Point]) -> Vec<f64> {
    let mut written: Vec<f64> = Vec::new();
    let mut found = Vec::new();
    let mut before = f64::NEG_INFINITY;
    for (place, point) in points.iter().enumerate() {
        let goes_on =
            points.get(place + 1).is_some_and(|next| next.at > point.at && next.at <= before);
        let at = written.binary_search_by(|known| known.total_cmp(&point.at));
        if let (true, Ok(_)) = (point.at < before && goes_on, at) {
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
    fn an_evaluation_is_told_by_the_first_word_of_a_name() {
        for (name, word) in [
            ("eval_loss", Some("eval")),
            ("val/acc", Some("val")),
            ("val-core/gsm8k/reward", Some("val")),
            ("metrics/mAP50(B)", Some("metrics")),
            ("Eval.acc", Some("Eval")),
            ("value_loss", None),
            ("train/val_loss", None),
            ("metrics_loss", None),
            ("loss", None),
        ] {
            assert_eq!(evaluation_word(name), word, "{name}");
        }
    }

    #[test]
    fn going_back_to_a_written_step_is_a_restart_and_writing_it_twice_is_not() {
        for (steps, restarts) in [
            (&[1.0, 2.0, 3.0, 4.0, 3.0, 4.0, 5.0][..], &[3.0][..]),
            (&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0], &[1.0, 1.0]),
            (&[1.0, 1.0, 2.0, 2.0], &[]),
            (&[3.0, 2.0, 1.0], &[]),
            (&[0.0, 1.0, 2.0, 0.0], &[]),
            (&[0.0, 1.0, 2.0, 0.0, 3.0], &[]),
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
