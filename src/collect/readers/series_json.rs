//! Metrics over steps in whole JSON documents: a list of records with a step or epoch each, and
//! sacred's `{"<metric>": {"steps": […], "values": […]}}`.

use std::sync::Arc;

use indexmap::IndexMap;

use super::super::document::{Node, Table, Value, read};
use super::super::{Choices, FileEntry, Reader, path_dims};
use super::figures::review;
use super::sample_ids;
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{Fragment, Point, Series};

/// Names of an axis, the preferred first, with the name of the axis.
const AXES: &[(&str, &str)] = &[
    ("global_step", "step"),
    ("step", "step"),
    ("_step", "step"),
    ("current_steps", "step"),
    ("iteration", "iteration"),
    ("iter", "iteration"),
    ("epoch", "epoch"),
];
/// Columns that count or time the record itself.
const NOT_METRICS: &[&str] = &["_timestamp", "_runtime", "timestamp", "time", "wall_time"];
/// Keys of records that describe single samples, beside their ids.
const SAMPLE_KEYS: &[&str] = &["prompt", "question", "response", "input", "output"];

/// The preferred axis of which `has` knows the written name: as written, and its name.
pub(super) fn axis_where(has: impl Fn(&str) -> bool) -> Option<(&'static str, &'static str)> {
    AXES.iter().find(|(written, _)| has(written)).copied()
}

/// The position of a record on its axis, where it has one.
pub(in crate::collect) fn axis_of_record(record: &Node) -> Option<f64> {
    let table = record.table()?;
    let (written, _) = axis_where(|name| table.contains_key(name))?;
    table.get(written).and_then(position)
}

/// A step or epoch: a number, or a text that spells one.
fn position(node: &Node) -> Option<f64> {
    let spelled = |text: &str| text.trim().parse::<f64>().ok();
    node.number().or_else(|| node.text().and_then(spelled)).filter(|at| at.is_finite())
}

/// Whether a column of records is neither an axis nor a clock.
pub(super) fn is_metric(name: &str) -> bool {
    AXES.iter().all(|(written, _)| *written != name)
        && !NOT_METRICS.contains(&name)
        && !sample_ids::is_unnamed(name)
}

/// Whether a record looks like one point of series: it has an axis and a number beside it, and
/// does not describe a sample.
pub(super) fn is_point(record: &Node) -> bool {
    let Some(table) = record.table() else { return false };
    axis_where(|name| table.contains_key(name)).is_some()
        && !table.keys().any(|key| SAMPLE_KEYS.contains(&key.as_str()) || sample_ids::is_name(key))
        && table.iter().any(|(name, node)| is_metric(name) && has_number(node))
}

fn has_number(node: &Node) -> bool {
    match &node.value {
        Value::Table(table) => table.values().any(has_number),
        _ => node.number().is_some(),
    }
}

/// See the module.
pub(super) struct SeriesJson;

impl Reader for SeriesJson {
    fn name(&self) -> &'static str {
        "series-json"
    }

    fn recognises(&self, file: &FileEntry) -> bool {
        let starts_list = file.head.trim_ascii_start().starts_with(b"[");
        let sacred = file.head_has("\"steps\"") && file.head_has("\"values\"");
        file.has_extension("json")
            && if starts_list { first_is_point(file) } else { sacred && file.stem() == "metrics" }
    }

    fn read(&self, file: &FileEntry, _: &Choices) -> Result<Warned<Fragment>, Box<Diagnostic>> {
        let mut findings = Vec::new();
        let root = read(file)?.drain_into(&mut findings);
        let series = match &root.value {
            Value::List(rows) => series_of(&rows.iter().collect::<Vec<_>>(), file),
            Value::Table(metrics) => sacred_series(metrics, file),
            _ => Warned::clean(Vec::new()),
        };
        let series = series.drain_into(&mut findings);
        let fragment = Fragment { series, ..Fragment::default() };
        findings.extend(review(&fragment, file));
        Ok(Warned::new(fragment, findings))
    }
}

/// Whether the first record of a list, as far as the first bytes show it, is a point.
fn first_is_point(file: &FileEntry) -> bool {
    let head = String::from_utf8_lossy(&file.head);
    let Some(start) = head.find('{') else { return false };
    let mut depth = 0_usize;
    let end = head.get(start..).unwrap_or_default().char_indices().find(|(_, c)| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let record = end.and_then(|(length, _)| head.get(start..=start + length));
    record
        .and_then(|record| super::super::document::parse_json_line(record, 1).ok())
        .is_some_and(|parsed| is_point(&parsed.root))
}

/// Collects points by metric and makes series of them.
#[derive(Default)]
pub(super) struct Points {
    by_metric: IndexMap<(String, &'static str), Vec<Point>>,
}

impl Points {
    /// Adds a point.
    pub(super) fn add(&mut self, metric: &str, axis: &'static str, point: Point) {
        match self.by_metric.get_mut(&(metric.to_owned(), axis)) {
            Some(points) => points.push(point),
            None => {
                self.by_metric.insert((metric.to_owned(), axis), vec![point]);
            }
        }
    }

    /// The series in the order of first appearance. Positions written twice are reported once
    /// for the file, values that are no numbers likewise.
    pub(super) fn finish(self, file: &FileEntry) -> Warned<Vec<Series>> {
        let dims = path_dims::of_directories(&file.relative);
        let (mut replaced, mut repeated_metrics) = (0, Vec::new());
        let (mut not_finite, mut broken_metrics) = (0, Vec::new());
        let mut all = Vec::new();
        for ((metric, axis), points) in self.by_metric {
            let broken = points.iter().filter(|point| !point.value.is_finite()).count();
            if broken > 0 {
                not_finite += broken;
                broken_metrics.push(metric.clone());
            }
            let (series, again) = Series::new(
                metric.clone(),
                axis.to_owned(),
                dims.without(axis),
                points,
                Arc::clone(&file.display),
            );
            if again > 0 {
                replaced += again;
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
        report(Code::RepeatedPositions, replaced, repeated_metrics);
        report(Code::NotFinite, not_finite, broken_metrics);
        Warned::new(all, findings)
    }
}

/// Series of records with an axis each. Tables in a record are flattened with `/`.
pub(super) fn series_of(rows: &[&Node], file: &FileEntry) -> Warned<Vec<Series>> {
    let mut points = Points::default();
    for row in rows {
        let Some(table) = row.table() else { continue };
        let Some((written, axis)) = axis_where(|name| table.contains_key(name)) else { continue };
        let Some(at) = table.get(written).and_then(position) else { continue };
        add_row(table, "", axis, at, &mut points);
    }
    points.finish(file)
}

fn add_row(table: &Table, above: &str, axis: &'static str, at: f64, points: &mut Points) {
    for (name, node) in table {
        // verl wraps its metrics in `data`, which names nothing.
        let metric = match above {
            "" | "data" => name.clone(),
            above => format!("{above}/{name}"),
        };
        if let Some(inner) = node.table() {
            add_row(inner, &metric, axis, at, points);
        } else if let (true, Some(value)) = (is_metric(&metric), node.number()) {
            points.add(&metric, axis, Point { at, value, line: node.line });
        }
    }
}

fn sacred_series(metrics: &Table, file: &FileEntry) -> Warned<Vec<Series>> {
    let mut points = Points::default();
    for (metric, node) in metrics {
        let list = |key| node.get(key).and_then(Node::list).unwrap_or_default();
        for (at, value) in list("steps").iter().zip(list("values")) {
            if let (Some(at), Some(number)) = (at.number(), value.number()) {
                points.add(metric, "step", Point { at, value: number, line: value.line });
            }
        }
    }
    points.finish(file)
}
