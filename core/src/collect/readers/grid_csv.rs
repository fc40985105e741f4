//! A grid of results as CSV or TSV, see [`grid_sheet`], or as the same table in JSON: a list of flat
//! records, `[{"task": "gsm8k", "acc": 0.6, "n": 1319}]`, or one of them a line.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::super::content::bad_records;
use super::super::document::{Node, Table, Value, read_document};
use super::super::records::{FileSheet, header, read_json_lines, read_sheet};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::coordinates::{dim_of_column, is_size_column};
use super::figure::{read_cell, share_of_counts};
use super::points::is_point;
use super::record_places::{
    LISTS, are_of_grid, first_listed, is_lines, is_row, keys_of, names_listed, states_counts,
};
use super::row_runs::read_table;
use super::{column_roles, grid_sheet, wide};
use crate::diag::{Diagnostic, Location, Warned};

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
    let is_counted = || {
        header.iter().any(|head| dim_of_column(head).is_some())
            && cells_behind_first(file).iter().any(|cell| states_counts(cell))
    };
    is_matrix
        || wide::has_axis(&header)
        || is_of_figures(&header)
        || is_by_dataset()
        || is_counted()
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
    let cells = cells_behind_first(file);
    let figure = |cell: &String| read_cell(cell).or_else(|| share_of_counts(cell))?.value.value();
    cells.iter().filter_map(figure).any(is_score)
}

/// The cells of a table without its heads and its first column, as far as the first bytes show.
fn cells_behind_first(file: &FileEntry) -> Vec<String> {
    let head = String::from_utf8_lossy(&file.head);
    let cells = head.lines().skip(1).flat_map(|line| line.split([',', '\t']).skip(1));
    cells.map(|cell| cell.trim().trim_matches('"').to_owned()).collect()
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
    let has_metric = |names: &[String]| wide::has_metric(names) || wide::names_metric(names);
    let names = names_listed(file);
    let may_be_figures = has_metric(&names) || wide::is_by_dataset(&names);
    // Counts stand in brackets behind their figure.
    if !may_be_figures && !file.head_has(")\"") {
        return false;
    }
    let records = first_listed(file);
    let header = keys_of(&records);
    let mut numbers =
        records.iter().filter_map(Node::table).flat_map(Table::values).filter_map(Node::number);
    let has_figures = has_metric(&header) && is_of_figures(&header)
        || wide::is_by_dataset(&header) && numbers.any(is_score);
    are_of_grid(&records, &header) || has_figures && (!is_lines(file) || are_rows(&records))
}

/// Whether records one a line are rows of a table, and not what programs mostly write so: points of a
/// training, or samples, which hold texts, or stand at no place of their own.
fn are_rows(records: &[Node]) -> bool {
    let mut places = BTreeSet::new();
    records.iter().all(|record| {
        let place: Vec<String> = record
            .table()
            .into_iter()
            .flatten()
            .filter(|(key, node)| {
                let is_coordinate = column_roles::is_beside(key) && !is_size_column(key);
                is_coordinate || node.text().is_some()
            })
            .map(|(key, node)| format!("{key} {}", cell(node)))
            .collect();
        !is_point(record) && is_row(record) && !place.is_empty() && places.insert(place)
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
            Value::Table(table) => {
                let mut lists = LISTS.iter().filter_map(|name| table.get(*name)?.list());
                lists.next().unwrap_or_default().to_vec()
            }
            _ => Vec::new(),
        }
    };
    let records: Vec<(u64, &Table)> =
        nodes.iter().filter_map(|record| Some((record.line, record.table()?))).collect();
    let others = nodes.iter().filter(|record| record.table().is_none());
    let mut others = others.map(|other| other.line).peekable();
    if let Some(line) = others.peek().copied() {
        let cause = "no record of figures".to_owned();
        let place = Location::line(&*file.display, line);
        findings.push(bad_records(others.count() as u64, cause, place));
    }
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
        Value::Null => String::new(),
        Value::List(_) => "[…]".to_owned(),
        Value::Table(_) => "{…}".to_owned(),
    }
}
