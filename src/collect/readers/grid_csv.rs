//! A grid of results as CSV or TSV, see [`grid_sheet`], or as the same table in JSON: a list of flat
//! records, `[{"task": "gsm8k", "acc": 0.6, "n": 1319}]`, or one of them a line.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::super::document::{Node, Table, Value, parse_json_line, read_document};
use super::super::records::{FileSheet, header, read_json_lines, read_sheet};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::coordinates::is_size_column;
use super::figure::read_cell;
use super::points::is_point;
use super::row_runs::read_table;
use super::samples::json;
use super::{grid_sheet, wide};
use crate::diag::{Diagnostic, Warned};

pub(super) const READER: Reader = Reader { name: "grid-csv", recognises, read };

fn recognises(file: &FileEntry) -> bool {
    if !file.has_extension("csv") && !file.has_extension("tsv") {
        return false;
    }
    let header = wide::plain_heads(&header(file));
    // Figures with a spread are of no single sample and no position of a series.
    let has_spread = || ["±", "+/-"].iter().any(|sign| file.head_has(sign));
    let is_matrix = wide::is_matrix(&header) && (has_spread() || title(file) == RUNTIMES);
    let is_by_dataset = || wide::is_by_dataset(&header) && holds_scores(file);
    is_matrix || wide::has_axis(&header) || is_of_figures(&header) || is_by_dataset()
}

/// What openrlbenchmark calls the table of how long each run took, beside that of its results.
const RUNTIMES: &str = "runtimes";

/// What the name of a file may say of figures that nobody names.
fn title(file: &FileEntry) -> &str {
    let end = file.stem().rsplit('_').next().filter(|end| *end == RUNTIMES);
    end.unwrap_or(file.stem())
}

/// Whether some figure behind the first column is more than a mark of 0 or 1, as far as the first
/// bytes show.
fn holds_scores(file: &FileEntry) -> bool {
    let head = String::from_utf8_lossy(&file.head);
    let cells = head.lines().skip(1).flat_map(|line| line.split([',', '\t']).skip(1));
    let mut figures = cells.filter_map(|cell| read_cell(cell.trim())?.value.value());
    figures.any(is_score)
}

fn is_score(value: f64) -> bool {
    value != 0.0 && value != 1.0
}

/// Whether columns with these heads hold figures at places of a grid or of models.
fn is_of_figures(header: &[String]) -> bool {
    grid_sheet::is_grid(header) || wide::is_leaderboard(header)
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_table(file, options, title(file), read_sheet)
}

/// Lists of records of figures. Records of samples are read before.
pub(super) const RECORDS: Reader =
    Reader { name: "grid-records", recognises: lists_figures, read: read_records };

fn lists_figures(file: &FileEntry) -> bool {
    let head = String::from_utf8_lossy(file.head.trim_ascii_start());
    let mut records = Vec::new();
    let mut take = |record: &str| records.extend(parse_json_line(record, 1).ok());
    if file.has_extension("json") && head.starts_with('[') {
        // The head may end in the middle of a record: those before its end tell enough.
        let _ended = json::for_each_element(&head, &mut take);
    } else if is_lines(file) && head.starts_with('{') {
        head.lines().for_each(&mut take);
    }
    let records: Vec<&Node> = records.iter().map(|parsed| &parsed.root).collect();
    let tables = || records.iter().filter_map(|record| record.table());
    let header: IndexSet<&String> = tables().flat_map(Table::keys).collect();
    let header: Vec<String> = header.into_iter().cloned().collect();
    let has_metric = wide::has_metric(&header) || wide::names_metric(&header);
    let has_score = || tables().flat_map(Table::values).filter_map(Node::number).any(is_score);
    let has_figures =
        has_metric && is_of_figures(&header) || wide::is_by_dataset(&header) && has_score();
    has_figures && !(is_lines(file) && are_of_samples_or_points(&records))
}

fn is_lines(file: &FileEntry) -> bool {
    ["jsonl", "ndjson", "jsonlines"].iter().any(|end| file.has_extension(end))
}

/// Longest text of a record of figures.
const LONGEST_TEXT: usize = 100;

/// Whether records one a line are what programs mostly write so: points of a training, or samples, which
/// hold texts, or stand at no place of their own.
fn are_of_samples_or_points(records: &[&Node]) -> bool {
    let mut places = BTreeSet::new();
    records.iter().any(|record| {
        let table = record.table();
        let place: Vec<String> = table
            .into_iter()
            .flatten()
            .filter(|(key, node)| {
                let is_coordinate = grid_sheet::is_beside(key) && !is_size_column(key);
                is_coordinate || node.text().is_some()
            })
            .map(|(key, node)| format!("{key} {}", cell(node)))
            .collect();
        let is_flat = |node: &Node| !matches!(node.value, Value::List(_) | Value::Table(_));
        let is_short = |node: &Node| node.text().is_none_or(|text| text.len() <= LONGEST_TEXT);
        let is_row =
            table.is_some_and(|table| table.values().all(|one| is_flat(one) && is_short(one)));
        is_point(record) || !is_row || place.is_empty() || !places.insert(place)
    })
}

fn read_records(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_table(file, options, file.stem(), open_records)
}

fn open_records(file: &FileEntry) -> Result<Warned<FileSheet>, Box<Diagnostic>> {
    let mut findings = Vec::new();
    let nodes = if is_lines(file) {
        read_json_lines(file)?.drain_into(&mut findings).records
    } else {
        match read_document(file)?.drain_into(&mut findings).value {
            Value::List(nodes) => nodes,
            _ => Vec::new(),
        }
    };
    let records: Vec<(u64, &Table)> =
        nodes.iter().filter_map(|record| Some((record.line, record.table()?))).collect();
    let keys = records.iter().flat_map(|(_, record)| record.keys().cloned());
    let header: IndexSet<String> = keys.collect();
    let row = |(line, record): &(u64, &Table)| {
        (*line, header.iter().map(|key| record.get(key).map_or_else(String::new, cell)).collect())
    };
    let rows = records.iter().map(row).collect();
    Ok(Warned::new(FileSheet { header: header.into_iter().collect(), rows }, findings))
}

/// What stands under a key, as a cell of a table would hold it.
fn cell(node: &Node) -> String {
    match &node.value {
        Value::Number(_, text) => text.to_string(),
        Value::Text(text) => text.clone(),
        Value::Bool(truth) => truth.to_string(),
        Value::Null | Value::List(_) | Value::Table(_) => String::new(),
    }
}
