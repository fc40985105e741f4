//! A grid of results as CSV or TSV, see [`grid_sheet`], or as the same table in JSON: a list of flat
//! records, `[{"task": "gsm8k", "acc": 0.6, "n": 1319}]`.

use indexmap::IndexSet;

use super::super::document::{Node, Table, Value, parse_json_line, read_document};
use super::super::records::{FileSheet, header, read_sheet};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::figure::read_cell;
use super::file_figures::read_figures;
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
    let is_matrix = wide::is_matrix(&header) && ["±", "+/-"].iter().any(|sign| file.head_has(sign));
    let is_by_dataset = || wide::is_by_dataset(&header) && holds_scores(file);
    is_matrix || wide::has_axis(&header) || is_of_figures(&header) || is_by_dataset()
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
    read_with(file, options, read_sheet)
}

/// Reads a file of one table, whatever it is written in.
fn read_with(
    file: &FileEntry,
    options: &ReadOptions,
    open: fn(&FileEntry) -> Result<Warned<FileSheet>, Box<Diagnostic>>,
) -> ReadResult {
    let mut columns = options.columns.clone();
    let mut read = read_figures(file, &options.names, open, |sheet, fragment, findings| {
        let long = wide::to_long(sheet, file.stem(), &options.names, &mut columns);
        let options = ReadOptions { columns: columns.clone(), ..options.clone() };
        grid_sheet::read_sheet_figures(&long, file, &options, fragment, findings);
        fragment.sample_fields = long.header.into_iter().collect();
    })?;
    grid_sheet::part_runs(&mut read.value, &columns, file);
    Ok(read)
}

/// Lists of records of figures. Records of samples are read before.
pub(super) const RECORDS: Reader =
    Reader { name: "grid-records", recognises: lists_figures, read: read_records };

fn lists_figures(file: &FileEntry) -> bool {
    let head = String::from_utf8_lossy(file.head.trim_ascii_start());
    if !file.has_extension("json") || !head.starts_with('[') {
        return false;
    }
    let mut header: IndexSet<String> = IndexSet::new();
    let mut has_score = false;
    // The head may end in the middle of a record: those before its end tell enough.
    let _ended = json::for_each_element(&head, |record| {
        let record = parse_json_line(record, 1).ok();
        let keys = record.as_ref().and_then(|record| record.root.table());
        let mut numbers = keys.into_iter().flat_map(Table::values).filter_map(Node::number);
        has_score |= numbers.any(is_score);
        header.extend(keys.into_iter().flat_map(Table::keys).cloned());
    });
    let header: Vec<String> = header.into_iter().collect();
    let has_metric = wide::has_metric(&header) || wide::names_metric(&header);
    has_metric && is_of_figures(&header) || has_score && wide::is_by_dataset(&header)
}

fn read_records(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_with(file, options, open_records)
}

fn open_records(file: &FileEntry) -> Result<Warned<FileSheet>, Box<Diagnostic>> {
    let mut findings = Vec::new();
    let root = read_document(file)?.drain_into(&mut findings);
    let records: Vec<(u64, &Table)> = root
        .list()
        .into_iter()
        .flatten()
        .filter_map(|record| Some((record.line, record.table()?)))
        .collect();
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
