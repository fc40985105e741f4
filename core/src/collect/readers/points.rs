//! Points of series: which names of a record are its axis, which are metrics, and how the points of a
//! file become series.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::{Equivalent, IndexMap};

use super::super::content::past_limit;
use super::super::document::{Node, Table, Value};
use super::super::{FileEntry, ReadOptions, path_dims};
use super::curve_columns::{CurveColumn, CurveColumns, may_be_of_models};
use super::{sample_ids, step_parts};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{DimValue, Dims, MetricNames, Point, Series, axis_of_curve, is_share};

/// Columns that count or time the record itself.
const NOT_METRICS: &[&str] = &["_timestamp", "_runtime", "timestamp", "time", "wall_time"];
/// Keys of records that describe single samples, beside their ids.
const SAMPLE_KEYS: &[&str] = &["prompt", "question", "response", "input", "output"];

/// The position of a record on its axis, where it has one.
pub(in crate::collect) fn axis_of_record(record: &Node) -> Option<f64> {
    place_of_record(record).map(|(_, at)| at)
}

/// The axis of a record, and its position on it.
pub(super) fn place_of_record(record: &Node) -> Option<(&'static str, f64)> {
    let table = record.table()?;
    let (written, axis) = axis_of_curve(|name| table.contains_key(name))?;
    Some((axis, table.get(written).and_then(position)?))
}

/// A step or epoch: a number, or a text that spells one.
fn position(node: &Node) -> Option<f64> {
    let spelled = |text: &str| text.trim().parse::<f64>().ok();
    node.number().or_else(|| node.text().and_then(spelled)).filter(|at| at.is_finite())
}

/// Whether a column of records is neither an axis nor a clock that the user does not declare.
pub(super) fn is_metric(name: &str, names: &MetricNames) -> bool {
    axis_of_curve(|written| written == name).is_none()
        && (!NOT_METRICS.contains(&name) || names.is_declared(name))
        && !sample_ids::is_unnamed(name)
}

/// Whether a record looks like one point of series: it has an axis and a number beside it, and
/// does not describe a sample.
pub(super) fn is_point(record: &Node) -> bool {
    let Some(table) = record.table() else { return false };
    let none = MetricNames::default();
    axis_of_curve(|name| table.contains_key(name)).is_some()
        && !table.keys().any(|key| SAMPLE_KEYS.contains(&key.as_str()) || sample_ids::is_name(key))
        && table.iter().any(|(name, node)| is_metric(name, &none) && has_number(node))
}

fn has_number(node: &Node) -> bool {
    match &node.value {
        Value::Table(table) => table.values().any(has_number),
        Value::Text(text) => percentage(text).is_some(),
        _ => node.number().is_some(),
    }
}

/// Which columns are looked at, by their names.
pub(super) type IsWanted = fn(&str) -> bool;

/// A metric as it is written, and the name of its axis.
type MetricAxis = (String, &'static str);

/// The same, to be looked for without a copy.
#[derive(Hash)]
struct AxisOfMetric<'a> {
    metric: &'a str,
    axis: &'static str,
}

impl Equivalent<MetricAxis> for AxisOfMetric<'_> {
    fn equivalent(&self, (metric, axis): &MetricAxis) -> bool {
        self.metric == metric && self.axis == *axis
    }
}

/// The points of a metric, and the numbers of the records that they are of: several records may stand on one
/// line, and one record on several.
#[derive(Default)]
struct MetricPoints {
    points: Vec<Point>,
    /// Nothing where each record is the line of its point.
    records: Vec<u64>,
}

impl MetricPoints {
    fn push(&mut self, record: u64, point: Point) {
        if self.records.is_empty() && record != point.line {
            self.records.extend(self.points.iter().map(|point| point.line));
        }
        if record != point.line || !self.records.is_empty() {
            self.records.push(record);
        }
        self.points.push(point);
    }

    /// Adds those of records that stand so many lines further down.
    fn append(&mut self, others: &Self, before: u64) {
        for (record, point) in others.with_records() {
            self.push(record + before, Point { line: point.line + before, ..point });
        }
    }

    fn with_records(&self) -> impl Iterator<Item = (u64, Point)> {
        let record = |(at, point): (usize, &Point)| {
            (self.records.get(at).copied().unwrap_or(point.line), *point)
        };
        self.points.iter().enumerate().map(record)
    }
}

/// Collects points by metric and makes series of them.
#[derive(Default)]
pub(super) struct Points {
    /// Which names the user declares.
    names: MetricNames,
    by_metric: IndexMap<MetricAxis, MetricPoints>,
    /// The place of the metric of the last point.
    last: usize,
    /// Whether several points at one position are those of parts of it.
    are_parts: bool,
}

impl Points {
    /// No points yet, of a run in which the user declares these names.
    pub(super) fn of(names: &MetricNames) -> Self {
        Self { names: names.clone(), ..Self::default() }
    }

    pub(super) fn names(&self) -> &MetricNames {
        &self.names
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_metric.is_empty()
    }

    /// Adds a point of which the line is the record.
    pub(super) fn add(&mut self, metric: &str, axis: &'static str, point: Point) {
        self.add_of(point.line, metric, axis, point);
    }

    /// Adds points in the order of the times at which they were written: of several at one position the latest
    /// counts, of one time the one that is written last.
    pub(super) fn add_by_time(
        &mut self,
        metric: &str,
        axis: &'static str,
        mut timed: Vec<(i64, Point)>,
    ) {
        timed.sort_by_key(|(time, _)| *time);
        for (_, point) in timed {
            self.add(metric, axis, point);
        }
    }

    fn add_of(&mut self, record: u64, metric: &str, axis: &'static str, point: Point) {
        let place = self.place(metric, axis);
        if let Some((_, points)) = self.by_metric.get_index_mut(place) {
            points.push(record, point);
        }
    }

    /// Adds the points of records that stand so many lines further down, behind those that it has.
    pub(super) fn append(&mut self, others: &Self, before: u64) {
        for ((metric, axis), points) in &others.by_metric {
            let place = self.place(metric, axis);
            if let Some((_, known)) = self.by_metric.get_index_mut(place) {
                known.append(points, before);
            }
        }
    }

    /// The place of a metric that has points.
    pub(super) fn known(&mut self, metric: &str, axis: &'static str) -> Option<usize> {
        let known = || self.by_metric.get_index_of(&AxisOfMetric { metric, axis });
        let place = self.expected(metric, axis).or_else(known)?;
        self.last = place;
        Some(place)
    }

    /// Adds a point of the metric of a place, of which the line is the record.
    pub(super) fn add_at(&mut self, place: usize, point: Point) {
        if let Some((_, points)) = self.by_metric.get_index_mut(place) {
            points.push(point.line, point);
        }
    }

    /// Where the points of a metric are held.
    pub(super) fn place(&mut self, metric: &str, axis: &'static str) -> usize {
        self.known(metric, axis).unwrap_or_else(|| {
            let new = (metric.to_owned(), axis);
            self.last = self.by_metric.insert_full(new, MetricPoints::default()).0;
            self.last
        })
    }

    /// The place of a metric, where it comes when it mostly does: behind that of the last point, at the beginning
    /// of the next record, or again.
    fn expected(&self, metric: &str, axis: &'static str) -> Option<usize> {
        let wanted = AxisOfMetric { metric, axis };
        let is_at = |place: &usize| {
            self.by_metric.get_index(*place).is_some_and(|(known, _)| wanted.equivalent(known))
        };
        [self.last + 1, 0, self.last].into_iter().find(is_at)
    }

    /// The series in the order of first appearance. Positions written twice are reported once
    /// for the file, values that are no numbers likewise.
    pub(super) fn finish(self, file: &FileEntry) -> Warned<Vec<Series>> {
        self.finish_beside(file, |_| CurveColumns::default())
    }

    /// As [`Points::finish`], with the columns beside the metrics: one that tells repeated positions
    /// apart is a coordinate.
    pub(super) fn finish_beside(
        mut self,
        file: &FileEntry,
        columns: impl Fn(IsWanted) -> CurveColumns,
    ) -> Warned<Vec<Series>> {
        let dims = path_dims::directory_dims(&file.relative);
        let most = file.limits.metrics;
        let further = self.by_metric.len() > most;
        self.by_metric.truncate(most);
        let (mut replaced, mut repeated_metrics) = (0, Vec::new());
        let mut code = Code::RepeatedPositions;
        let (mut not_finite, mut broken_metrics) = (0, Vec::new());
        let (mut parts, mut averaged_metrics) = (0, Vec::new());
        let are_parts = self.are_parts;
        let mut all = Vec::new();
        for ((metric, axis), told, mut points) in self.apart(columns) {
            let written = points.len();
            if are_parts {
                points = averaged(&points);
            }
            if points.len() < written {
                parts = parts.max(written);
                averaged_metrics.push(metric.clone());
            }
            let broken = points.iter().filter(|point| !point.value.is_finite()).count();
            if broken > 0 {
                not_finite += broken;
                broken_metrics.push(metric.clone());
            }
            let own = told
                .iter()
                .fold(dims.without(axis), |dims, (name, value)| dims.with(name, value.clone()));
            let (series, again) = Series::new(
                metric.clone(),
                axis.to_owned(),
                own,
                points,
                Arc::clone(&file.display),
            );
            if again.is_from_start {
                code = Code::WrittenTwice;
            }
            if again.points > 0 {
                replaced += again.points;
                repeated_metrics.push(metric);
            }
            all.push(series);
        }
        let mut findings = Vec::new();
        let mut report = |code, count: usize, metrics: Vec<String>| {
            if count > 0 {
                findings.push(
                    Diagnostic::new(code)
                        .with("count", count)
                        .with("metrics", metrics)
                        .at(Location::file(&*file.display)),
                );
            }
        };
        report(code, replaced, repeated_metrics);
        report(Code::RecordsAveraged, parts, averaged_metrics);
        report(Code::NotFinite, not_finite, broken_metrics);
        findings.extend(further.then(|| past_limit("metrics", most, &file.display)));
        Warned::new(all, findings)
    }

    /// The points of each metric, taken apart by the columns that tell repeated positions apart.
    fn apart(
        mut self,
        columns: impl Fn(IsWanted) -> CurveColumns,
    ) -> Vec<(MetricAxis, Dims, Vec<Point>)> {
        let ascends = |one: &MetricPoints| one.points.is_sorted_by(|a, b| a.at < b.at);
        let names_models = || columns(may_be_of_models).name_models();
        let is_one = self.by_metric.values().all(ascends) && !names_models();
        let separators: Vec<CurveColumn> = if is_one {
            Vec::new()
        } else {
            let of_metric = |(number, points): (usize, &MetricPoints)| {
                let placed =
                    points.with_records().map(|(record, point)| (number, record, point.at));
                placed.collect::<Vec<_>>()
            };
            let points: Vec<_> = self.by_metric.values().enumerate().flat_map(of_metric).collect();
            columns(|_| true).separators(&points)
        };
        self.by_metric.retain(|(metric, _), _| separators.iter().all(|one| one.name != *metric));
        let mut found = Vec::new();
        for (metric, points) in self.by_metric {
            if separators.is_empty() {
                found.push((metric, Dims::none(), points.points));
                continue;
            }
            let mut curves: BTreeMap<Dims, Vec<Point>> = BTreeMap::new();
            for (record, point) in points.with_records() {
                let of_point = separators.iter().fold(Dims::none(), |dims, column| {
                    dims.with(&column.name, DimValue::parse(column.value(record)))
                });
                curves.entry(of_point).or_default().push(point);
            }
            let is_one = curves.len() == 1;
            found.extend(curves.into_iter().map(|(dims, points)| {
                (metric.clone(), if is_one { Dims::none() } else { dims }, points)
            }));
        }
        found
    }
}

/// Series of records with an axis each. Tables in a record are flattened with `/`.
pub(super) fn series_of(
    rows: &[&Node],
    file: &FileEntry,
    options: &ReadOptions,
) -> Warned<Vec<Series>> {
    let places: Vec<_> = rows.iter().map(|row| place_of_record(row)).collect();
    let placed: Vec<(f64, &Node)> =
        places.iter().zip(rows).filter_map(|(place, row)| Some(((*place)?.1, *row))).collect();
    let numbers = step_parts::numbers_of_parts(&placed);
    let are_parts = numbers.is_some();
    let mut points = Points { are_parts, ..Points::of(&options.names) };
    let numbers = numbers.unwrap_or_default();
    let mut above = String::new();
    for (record, (row, place)) in (0..).zip(rows.iter().zip(places)) {
        if let (Some(table), Some(place)) = (row.table(), place) {
            add_row((record, table), &mut above, place, &mut points);
        }
    }
    points.by_metric.retain(|(metric, _), _| !numbers.contains(metric.as_str()));
    points.finish_beside(file, |is_wanted| columns_of(rows, is_wanted, options))
}

fn columns_of(rows: &[&Node], is_wanted: IsWanted, options: &ReadOptions) -> CurveColumns {
    let mut columns = CurveColumns::asking(options);
    let mut asked = Vec::new();
    for (record, row) in (0..).zip(rows) {
        add_columns((record, row), is_wanted, &mut asked, &mut columns);
    }
    columns
}

/// Adds the columns of a record that are wanted. Records have the same names in the same order, nearly always,
/// so `asked` keeps the names of the last one with what was said of them.
pub(super) fn add_columns(
    (record, row): (u64, &Node),
    is_wanted: IsWanted,
    asked: &mut Vec<(String, bool)>,
    columns: &mut CurveColumns,
) {
    for (place, (name, node)) in row.entries().enumerate() {
        if asked.get(place).is_none_or(|(known, _)| known != name) {
            asked.truncate(place);
            asked.push((name.clone(), is_wanted(name)));
        }
        if asked.get(place).is_some_and(|(_, is_wanted)| *is_wanted) {
            columns.add(name, record, node.written().unwrap_or_default().trim());
        }
    }
}

/// The number of a node, which a truth value is where records are of parts of a step.
fn value_of(node: &Node, metric: &str, points: &Points) -> Option<f64> {
    match &node.value {
        Value::Bool(truth) if points.are_parts => Some(f64::from(u8::from(*truth))),
        Value::Text(text) => Some(as_share(percentage(text)?, metric, &points.names)),
        _ => node.number(),
    }
}

/// The number of a percentage.
fn percentage(text: &str) -> Option<f64> {
    text.trim().strip_suffix('%')?.trim_end().parse().ok()
}

/// A percentage as the share that it is, where the metric is one; else as it is written.
pub(super) fn as_share(percentage: f64, metric: &str, names: &MetricNames) -> f64 {
    if is_share(metric, names) { percentage / 100.0 } else { percentage }
}

/// The number in a cell of a table, which may be a percentage.
pub(super) fn number_in(cell: &str, metric: &str, names: &MetricNames) -> Option<f64> {
    let share = || Some(as_share(percentage(cell)?, metric, names));
    cell.parse().ok().or_else(share)
}

/// The mean at each position over the points that stand there one after another.
fn averaged(points: &[Point]) -> Vec<Point> {
    let mean = |points: &[Point]| {
        let sum: f64 = points.iter().map(|point| point.value).sum();
        let first = points.first().copied()?;
        Some(Point { value: sum / points.len() as f64, ..first })
    };
    points.chunk_by(|a, b| a.at == b.at).filter_map(mean).collect()
}

/// verl wraps its metrics in it, and it names nothing.
pub(super) const WRAPPER: &str = "data";

/// Adds the numbers of a table, whose names stand below the name `above`.
pub(super) fn add_row(
    (record, table): (u64, &Table),
    above: &mut String,
    (axis, at): (&'static str, f64),
    points: &mut Points,
) {
    let wrapper = (above == WRAPPER).then(|| std::mem::take(above));
    let length = above.len();
    for (name, node) in table {
        if length > 0 {
            above.push('/');
        }
        above.push_str(name);
        if let Some(inner) = node.table() {
            add_row((record, inner), above, (axis, at), points);
        } else if (points.expected(above, axis).is_some() || is_metric(above, &points.names))
            && let Some(value) = value_of(node, above, points)
        {
            points.add_of(record, above, axis, Point { at, value, line: node.line });
        }
        above.truncate(length);
    }
    above.extend(wrapper);
}
