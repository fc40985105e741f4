//! Metrics over steps in whole JSON documents: a list of records with a step or epoch each, and
//! sacred's `{"<metric>": {"steps": […], "values": […]}}`.

use super::super::document::{Node, Table, Value, parse_json_line, read_document};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::read_figures;
use super::points::{Points, is_point, series_of};
use crate::diag::Warned;
use crate::model::{Point, Series};

pub(super) const READER: Reader = Reader { name: "series-json", recognises, read };

fn recognises(file: &FileEntry) -> bool {
    let starts_list = file.head.trim_ascii_start().starts_with(b"[");
    let sacred = file.head_has("\"steps\"") && file.head_has("\"values\"");
    file.has_extension("json")
        && if starts_list { first_is_point(file) } else { sacred && file.stem() == "metrics" }
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, findings| {
        let series = match &root.value {
            Value::List(rows) => series_of(&rows.iter().collect::<Vec<_>>(), file, &options.names),
            Value::Table(metrics) => sacred_series(metrics, file),
            _ => Warned::clean(Vec::new()),
        };
        fragment.series = series.drain_into(findings);
    })
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
        .and_then(|record| parse_json_line(record, 1).ok())
        .is_some_and(|parsed| is_point(&parsed.root))
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
