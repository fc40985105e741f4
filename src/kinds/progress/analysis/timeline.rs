//! The metrics of one run over one axis, each value with its place, and the two steps to look at.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::diag::{Code, Diagnostic, Fact, Location, Warned};
use crate::model::{Dims, Generations, MetricNames, Point, Run, Series};
use crate::quantity::Unit;

/// Axes in the order in which one is chosen.
const AXES: [&str; 3] = ["step", "iteration", "epoch"];

/// At most so many positions are listed in a finding or an error.
const LISTED: usize = 8;

/// One value with the place where it stood.
#[derive(Debug, Clone, PartialEq)]
pub struct TimelineValue {
    pub at: f64,
    /// The value; NaN and infinities are kept.
    pub value: f64,
    path: Arc<str>,
    /// Line, counted from 1; 0 where the file has none.
    line: u64,
}

impl TimelineValue {
    /// The value as a count.
    pub(super) fn whole(&self) -> Option<u64> {
        let value = self.value;
        (value >= 0.0 && value.fract() == 0.0 && value < 9e15).then_some(value as u64)
    }

    pub fn location(&self) -> Location {
        match self.line {
            0 => Location::file(&*self.path),
            line => Location::line(&*self.path, line),
        }
    }
}

/// One metric, ordered by position, one value a position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Curve {
    pub(super) readings: Vec<TimelineValue>,
    /// Positions at which a file goes back to one that it had passed.
    pub(super) rewinds: Vec<f64>,
}

impl Curve {
    /// The value at exactly that position.
    pub(super) fn at(&self, at: f64) -> Option<&TimelineValue> {
        self.readings.get(self.place(at)?)
    }

    /// The value at exactly that position, and the one before it.
    pub(super) fn step_to(&self, at: f64) -> Option<[&TimelineValue; 2]> {
        let place = self.place(at)?;
        Some([self.readings.get(place.checked_sub(1)?)?, self.readings.get(place)?])
    }

    fn place(&self, at: f64) -> Option<usize> {
        self.readings.binary_search_by(|reading| reading.at.total_cmp(&at)).ok()
    }

    /// Whether the first position is 0, so that it counts among the steps.
    pub(super) fn starts_at_0(&self) -> bool {
        self.readings.first().is_some_and(|reading| reading.at == 0.0)
    }

    /// Values from one position to another, both included.
    pub(super) fn between(
        &self,
        from: f64,
        to: f64,
    ) -> impl DoubleEndedIterator<Item = &TimelineValue> {
        self.readings.iter().filter(move |reading| (from..=to).contains(&reading.at))
    }

    /// The last value at or before a position.
    pub(super) fn until(&self, at: f64) -> Option<&TimelineValue> {
        let later = self.readings.partition_point(|reading| reading.at <= at);
        self.readings.get(later.checked_sub(1)?)
    }
}

/// All metrics of a run over one axis.
#[derive(Debug, Clone)]
pub struct Timeline {
    pub(super) path: String,
    /// `step`, `iteration`, `epoch`.
    pub(super) axis: String,
    /// The metrics by canonical name, with their coordinates, in the order of their files.
    pub(super) curves: IndexMap<String, Curve>,
    /// Names and meanings of metrics.
    pub(super) names: MetricNames,
}

/// Why there is nothing to tell of a run.
#[derive(Debug)]
pub enum NoProgress {
    NoSeries { path: String },
    NoAxis { axis: String, known: String },
    NotRecorded { axis: String, asked: f64, near: String },
    Reversed { from: f64, to: f64 },
}

impl Timeline {
    /// The metrics of a run over the axis asked for, else over the first of step, iteration and
    /// epoch that it has. Of a metric in several files, under whichever of its names, the last file
    /// in path order counts where they share a position. What one file writes under two names of a
    /// metric stays two metrics.
    ///
    /// # Errors
    /// When there are none.
    pub fn new(
        run: &Run,
        generations: Option<&Generations>,
        axis: Option<&str>,
        names: &MetricNames,
    ) -> Result<Warned<Self>, NoProgress> {
        let is_metric =
            |series: &&Series| generations.is_none_or(|found| !found.are_in(&series.path));
        let stated = if run.content.series.is_empty() { of_figures(run) } else { Vec::new() };
        let all: Vec<&Series> =
            run.content.series.iter().filter(is_metric).chain(&stated).collect();
        let has = |axis: &str| all.iter().any(|series| series.axis == axis);
        let known = || AXES.into_iter().filter(|axis| has(axis)).collect::<Vec<_>>();
        let chosen = match axis {
            Some(axis) if has(axis) => axis,
            Some(axis) if !known().is_empty() => {
                let known = known().join(", ");
                return Err(NoProgress::NoAxis { axis: axis.to_owned(), known });
            }
            _ => *known().first().ok_or_else(|| NoProgress::NoSeries { path: run.path.clone() })?,
        };
        let mut curves: IndexMap<String, Curve> = IndexMap::new();
        let mut joined: IndexMap<String, usize> = IndexMap::new();
        for series in all.iter().filter(|series| series.axis == chosen) {
            let name = told_name(series, &all, names);
            let scale = if series.is_percentage(names) { 0.01 } else { 1.0 };
            let readings = series.points.iter().enumerate().map(|(place, point)| TimelineValue {
                // Negative zero is zero.
                at: point.at + 0.0,
                value: point.value * scale,
                path: Arc::clone(series.path_of(place)),
                line: point.line,
            });
            let curve = curves
                .entry(name.clone())
                .or_insert(Curve { readings: Vec::new(), rewinds: Vec::new() });
            curve.rewinds.extend(&series.rewinds);
            let before = curve.readings.len();
            curve.readings.extend(readings);
            if before > 0 {
                *joined.entry(name).or_default() += keep_last(&mut curve.readings);
            }
        }
        let finding = several_files(&joined, &curves);
        let (path, axis) = (run.path.clone(), chosen.to_owned());
        let timeline = Self { path, axis, curves, names: names.clone() };
        Ok(Warned::new(timeline, finding.into_iter().collect()))
    }

    /// The metric that is meant by any of its names, in any case, with its coordinates or without;
    /// the name as it is where nothing is recorded under it.
    pub(super) fn metric<'n>(&'n self, name: &'n str) -> &'n str {
        let (metric, dims) = name.split_at(without_coordinates(name).len());
        let canonical = format!("{}{dims}", self.names.canonical(metric));
        let exact = [name, &canonical].into_iter().find_map(|name| self.curves.get_key_value(name));
        let folded = || self.curves.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        exact.or_else(folded).map_or(name, |(known, _)| known)
    }

    /// The positions up to one at which a log goes back, of the metric that has the most of them:
    /// metrics that are logged at other steps go back at other positions in the same restart.
    pub(super) fn rewinds(&self, to: f64) -> Vec<f64> {
        let of = |curve: &Curve| -> Vec<f64> {
            curve.rewinds.iter().copied().filter(|at| *at <= to).collect()
        };
        self.curves.values().map(of).max_by_key(Vec::len).unwrap_or_default()
    }

    /// Every position at which one of the metrics has a value, ascending. Names that are no metric
    /// count for nothing; without any that is one, all metrics count.
    pub(super) fn positions<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<f64> {
        let mut named: Vec<&Curve> = names.filter_map(|name| self.curves.get(name)).collect();
        if named.is_empty() {
            named = self.curves.values().collect();
        }
        let mut found: Vec<f64> = named
            .iter()
            .flat_map(|curve| curve.readings.iter().map(|reading| reading.at))
            .collect();
        found.sort_by(f64::total_cmp);
        found.dedup();
        found
    }
}

/// The metric of the name of a curve: `accuracy` of `accuracy [seed=0]`.
pub(super) fn without_coordinates(name: &str) -> &str {
    name.split_once(" [").map_or(name, |(metric, _)| metric)
}

/// Coordinates, file and points of a curve.
type StatedCurve = (Dims, Arc<str>, Vec<Point>);

/// The figures of a run that stand at positions, as in a table with a column for each step: a curve of
/// each metric. Percentages become the shares that they are.
fn of_figures(run: &Run) -> Vec<Series> {
    let mut curves: IndexMap<(String, &str, String), StatedCurve> = IndexMap::new();
    for scalar in &run.content.scalars {
        let at = |axis: &&'static str| Some((*axis, scalar.dims.get(axis)?.number()?));
        let (Some((axis, at)), Some(value)) = (AXES.iter().find_map(at), scalar.value.value())
        else {
            continue;
        };
        let value = if scalar.unit == Some(Unit::Percent) { value * 0.01 } else { value };
        let name = match &scalar.dataset {
            Some(dataset) => format!("{dataset}/{}", scalar.metric),
            None => scalar.metric.clone(),
        };
        let dims = scalar.dims.without(axis);
        let curve = curves.entry((name, axis, dims.to_string()));
        let path = || Arc::from(scalar.source.path.as_ref());
        let (.., points) = curve.or_insert_with(|| (dims, path(), Vec::new()));
        points.push(Point { at, value, line: scalar.source.line.unwrap_or_default() });
    }
    let series = curves.into_iter().map(|((metric, axis, _), (dims, path, points))| {
        Series::new(metric, axis.to_owned(), dims, points, path).0
    });
    series.collect()
}

/// The name of a series in reports, with its coordinates: the canonical one. Where its file has the
/// metric under several names, the canonical one or else the first has it, and the others stay.
fn told_name(series: &Series, all: &[&Series], names: &MetricNames) -> String {
    let canonical = names.canonical(&series.metric);
    let is_beside = |other: &&&Series| {
        (&other.path, &other.axis, &other.dims) == (&series.path, &series.axis, &series.dims)
            && names.canonical(&other.metric) == canonical
    };
    let first = all.iter().filter(is_beside).min_by_key(|other| other.metric != canonical);
    let is_first = first.is_none_or(|first| first.metric == series.metric);
    let metric = if is_first { canonical } else { &series.metric };
    if series.dims.is_empty() { metric.to_owned() } else { format!("{metric} [{}]", series.dims) }
}

/// Orders readings by position and keeps the last of each; returns how many were replaced by
/// another value.
fn keep_last(readings: &mut Vec<TimelineValue>) -> usize {
    readings.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut replaced = 0;
    let mut kept: Vec<TimelineValue> = Vec::with_capacity(readings.len());
    for reading in readings.drain(..) {
        match kept.last_mut() {
            Some(last) if last.at == reading.at => {
                replaced += usize::from(last.value.to_bits() != reading.value.to_bits());
                *last = reading;
            }
            _ => kept.push(reading),
        }
    }
    *readings = kept;
    replaced
}

fn several_files(
    joined: &IndexMap<String, usize>,
    curves: &IndexMap<String, Curve>,
) -> Option<Diagnostic> {
    let (first, _) = joined.first()?;
    let place = curves.get(first)?.readings.last()?.location();
    let metrics: Vec<String> = joined.keys().take(LISTED).cloned().collect();
    Some(
        Diagnostic::new(Code::SeveralLogs)
            .with("metrics", metrics)
            .with("replaced", joined.values().sum::<usize>())
            .at(Location::file(place.path)),
    )
}

/// The two steps of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct TimelineSpan {
    /// The earlier; equal to the later where only one was recorded.
    pub from: f64,
    pub to: f64,
    /// Whether the earlier and the later were asked for.
    pub asked: [bool; 2],
    /// Every recorded position.
    pub recorded: Vec<f64>,
}

impl TimelineSpan {
    /// The steps asked for, else the first and the last at which one of `anchors` has a value; any
    /// metric where none of them is one.
    ///
    /// # Errors
    /// When a step is asked for at which nothing is recorded, or they are in the wrong order.
    pub(super) fn new<'n>(
        timeline: &Timeline,
        anchors: impl Iterator<Item = &'n str>,
        from: Option<f64>,
        to: Option<f64>,
    ) -> Result<Self, NoProgress> {
        let mut recorded = timeline.positions(anchors);
        for asked in [from, to].into_iter().flatten().filter(|asked| !recorded.contains(asked)) {
            let all = timeline.positions(std::iter::empty());
            if !all.contains(&asked) {
                let (axis, near) = (timeline.axis.clone(), nearest(&all, asked));
                return Err(NoProgress::NotRecorded { axis, asked, near });
            }
        }
        recorded.extend([from, to].into_iter().flatten());
        recorded.sort_by(f64::total_cmp);
        recorded.dedup();
        let none = || NoProgress::NoSeries { path: timeline.path.clone() };
        let last = to.or(recorded.last().copied()).ok_or_else(none)?;
        let first = from.or(recorded.first().copied()).unwrap_or(last);
        match from {
            Some(from) if from >= last => Err(NoProgress::Reversed { from, to: last }),
            _ => Ok(Self {
                from: first.min(last),
                to: last,
                asked: [from.is_some(), to.is_some()],
                recorded,
            }),
        }
    }

    /// Whether there is no earlier step.
    pub fn is_single(&self) -> bool {
        self.from == self.to
    }

    /// The positions up to the later step that a regular log would have and this one has not; the
    /// distance that more than half of the neighbours have, at least two of them, is the regular
    /// one. `None` without such a distance: nobody can say then what is missing.
    pub fn missing(&self) -> Option<Vec<f64>> {
        let until: Vec<f64> = self.recorded.iter().copied().filter(|at| *at <= self.to).collect();
        let gaps: Vec<f64> = until.windows(2).map(|two| two[1] - two[0]).collect();
        let mut sorted = gaps.clone();
        sorted.sort_by(f64::total_cmp);
        let regular = *sorted.get(sorted.len() / 2)?;
        let alike = gaps.iter().filter(|gap| **gap == regular).count();
        if alike < 2 || alike * 2 <= gaps.len() {
            return None;
        }
        let mut missing = Vec::new();
        for (two, gap) in until.windows(2).zip(&gaps) {
            let steps = gap / regular;
            if steps > 1.5 && steps.fract() == 0.0 && steps < 1e6 {
                missing.extend((1..steps as u32).map(|one| two[0] + f64::from(one) * regular));
            }
        }
        Some(missing)
    }
}

/// The finding for steps that are not there.
pub(super) fn steps_missing(timeline: &Timeline, span: &TimelineSpan) -> Option<Diagnostic> {
    let missing = span.missing()?;
    let place = timeline.curves.values().find_map(|curve| curve.readings.first())?.location();
    (!missing.is_empty()).then(|| {
        let listed = missing.iter().take(LISTED).map(|step| Fact::from(*step));
        let more = (missing.len() > LISTED).then(|| Fact::from("…"));
        Diagnostic::new(Code::StepsMissing)
            .with("count", missing.len())
            .with("steps", listed.chain(more).collect::<Vec<Fact>>())
            .with("axis", timeline.axis.as_str())
            .at(Location::file(place.path))
    })
}

/// The positions around one, in order.
fn nearest(recorded: &[f64], asked: f64) -> String {
    let mut near = recorded.to_vec();
    near.sort_by(|a, b| (a - asked).abs().total_cmp(&(b - asked).abs()));
    let more = if near.len() > LISTED { ", …" } else { "" };
    near.truncate(LISTED);
    near.sort_by(f64::total_cmp);
    near.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ") + more
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A timeline of one metric at these steps.
    fn at(recorded: &[f64]) -> Timeline {
        let path: Arc<str> = Arc::from("log.csv");
        let reading =
            |at: &f64| TimelineValue { at: *at, value: 0.0, path: Arc::clone(&path), line: 1 };
        let curve = Curve { readings: recorded.iter().map(reading).collect(), rewinds: Vec::new() };
        Timeline {
            path: "run".to_owned(),
            axis: "step".to_owned(),
            curves: [("loss".to_owned(), curve)].into(),
            names: MetricNames::default(),
        }
    }

    fn span(recorded: &[f64]) -> TimelineSpan {
        TimelineSpan::new(&at(recorded), std::iter::empty(), None, None).expect("a span")
    }

    #[test]
    fn gaps_in_a_regular_log_are_missing_and_of_an_irregular_one_nobody_knows() {
        for (recorded, missing) in [
            (&[1.0, 2.0, 3.0, 5.0, 6.0][..], Some(&[4.0][..])),
            (&[10.0, 20.0, 50.0, 60.0, 70.0], Some(&[30.0, 40.0])),
            (&[1.0, 2.0, 3.0], Some(&[])),
            (&[1.0, 2.0, 4.0, 8.0, 16.0], None),
            (&[3.0, 5.0], None),
            (&[5.0], None),
        ] {
            assert_eq!(span(recorded).missing().as_deref(), missing, "{recorded:?}");
        }
    }

    #[test]
    fn steps_that_are_not_recorded_are_refused_with_their_neighbours() {
        let timeline = at(&[1.0, 3.0, 5.0]);
        let asked = |from, to| TimelineSpan::new(&timeline, std::iter::empty(), from, to);
        let unrecorded = asked(Some(2.0), None).expect_err("not recorded");
        assert!(matches!(unrecorded, NoProgress::NotRecorded { near, .. } if near == "1, 3, 5"));
        let reversed = asked(Some(5.0), Some(3.0)).expect_err("reversed");
        assert!(matches!(reversed, NoProgress::Reversed { from: 5.0, to: 3.0 }));
        assert!(asked(Some(3.0), Some(3.0)).is_err());
        let found = asked(None, Some(3.0)).expect("a span");
        assert_eq!((found.from, found.to, found.asked), (1.0, 3.0, [false, true]));
    }
}
