//! Metrics over steps in whole JSON documents: a list of records with a step or epoch each, by itself or
//! beside a `config`, and sacred's `{"<metric>": {"steps": […], "values": […]}}`.

use super::super::document::{Node, Table, Value, flatten, parse_json_line, read_document};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::curve_columns::lay_runs_apart;
use super::file_figures::read_figures;
use super::points::{Points, is_point, series_of};
use super::record_places;
use crate::diag::Warned;
use crate::model::{Point, Series};

/// Names of the list of records in a document that holds more.
const LISTS: &[&str] = &["steps", "log_history", "history"];

pub(super) const READER: Reader = Reader { name: "series-json", recognises, read };

fn recognises(file: &FileEntry) -> bool {
    let starts_list = file.head.trim_ascii_start().starts_with(b"[");
    let sacred = || file.head_has("\"steps\"") && file.head_has("\"values\"");
    let head = || String::from_utf8_lossy(&file.head);
    file.has_extension("json")
        && if starts_list {
            first_is_point(&head()) && !record_places::lists_places(file)
        } else {
            (file.stem() == "metrics" && sacred()) || holds_points(&head())
        }
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, findings| {
        let series = match &root.value {
            Value::List(rows) => series_of(&rows.iter().collect::<Vec<_>>(), file, options),
            Value::Table(table) => match listed(table) {
                Some(rows) => {
                    if let Some(config) = table.get("config") {
                        flatten(config, "", &file.display, &mut fragment.config);
                        fragment.has_whole_config = true;
                    }
                    series_of(&rows.iter().collect::<Vec<_>>(), file, options)
                }
                None => sacred_series(table, file),
            },
            _ => Warned::clean(Vec::new()),
        };
        fragment.series = series.drain_into(findings);
        lay_runs_apart(fragment, options);
    })
}

fn listed(table: &Table) -> Option<&[Node]> {
    let mut lists = LISTS.iter().filter_map(|name| table.get(*name)?.list());
    lists.find(|rows| rows.first().is_some_and(is_point))
}

/// Whether a list of points stands under one of the names, as far as the first bytes show.
fn holds_points(head: &str) -> bool {
    LISTS.iter().any(|name| record_places::list_under(head, name).is_some_and(first_is_point))
}

/// Whether the first record of a list, as far as the first bytes show it, is a point.
fn first_is_point(head: &str) -> bool {
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
