//! The one table of a database that holds results, which is read as a table of a file of its own is.

use super::content::Packing;
use super::database::{self, table, table::TableHead};
use super::entry::{HEAD, NAMED_SHEETS, as_csv};
use super::foreign::are_of_promptfoo;
use super::readers::READERS;
use super::{FileEntry, bounded};
use crate::diag::{Code, Diagnostic, Location};

/// The file as the table that holds its results. A file that is no database, is one that a reader takes
/// whole, or has no such table or several, stays what it is.
pub(super) fn as_table(file: FileEntry) -> FileEntry {
    if !file.head.starts_with(database::MAGIC) || is_recognised(&file) {
        return file;
    }
    let heads = heads(&file);
    if are_of_promptfoo(&heads.iter().map(|head| head.name.as_str())) {
        return file;
    }
    let mut of_results = heads.iter().filter_map(|head| table_of(&file, head));
    let (Some(mut found), None) = (of_results.next(), of_results.next()) else { return file };
    found.noticed = noticed(&found, &heads);
    found
}

/// The names of the tables and views of a database that hold results.
pub(super) fn names_of_results(file: &FileEntry) -> Vec<String> {
    let is_of_results = |head: &TableHead| table_of(file, head).is_some();
    heads(file).into_iter().filter(is_of_results).map(|head| head.name).collect()
}

fn heads(file: &FileEntry) -> Vec<TableHead> {
    table::heads(&file.path, file.packing.compression(), HEAD, file.limits).unwrap_or_default()
}

fn is_recognised(file: &FileEntry) -> bool {
    READERS.iter().any(|reader| (reader.recognises)(file))
}

/// A table of a file, where a reader takes it.
fn table_of(file: &FileEntry, head: &TableHead) -> Option<FileEntry> {
    let packing = Packing::Table { place: head.place, compression: file.packing.compression() };
    let (name, bytes) = (as_csv(&file.name), head.csv.clone());
    let table =
        FileEntry { name, head: bytes, head_is_whole: head.is_whole, packing, ..file.clone() };
    (head.has_rows && is_recognised(&table)).then_some(table)
}

/// What is to be said of a table that is read: cells that hold bytes, and tables beside it.
fn noticed(file: &FileEntry, heads: &[TableHead]) -> Vec<Diagnostic> {
    let Packing::Table { place, compression } = file.packing else { return Vec::new() };
    let display = &*file.display;
    let bytes = table::cells_of_bytes(&file.path, compression, place, file.limits).ok().flatten();
    let bytes = bytes.map(|bytes| {
        Diagnostic::new(Code::CellsOfBytes)
            .with("count", bytes.count)
            .with("column", bytes.column)
            .at(Location::line(display, bytes.row))
    });
    let others = heads.iter().filter(|head| head.place != place && head.has_rows);
    let others: Vec<String> = others.map(|head| head.name.clone()).collect();
    let others = (!others.is_empty()).then(|| {
        let (count, names) = (others.len(), bounded(others, NAMED_SHEETS));
        let finding = Diagnostic::new(Code::OtherSheets).with("count", count).with("names", names);
        finding.at(Location::file(display))
    });
    bytes.into_iter().chain(others).collect()
}
