//! One table or view of a database as the text of a CSV file, so that whatever reads tables reads it.
//!
//! Every row of it is a record of the text. Knows no readers.

use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use rusqlite::types::ValueRef;
use rusqlite::{Error, Row};

use super::{Database, all_of};
use crate::collect::packing::Compression;
use crate::collect::spreadsheet::{quote, write_number};
use crate::model::Limits;

/// Bytes of a block of the text, and how many blocks may wait for whoever reads it.
const BLOCK: usize = 1 << 18;
const WAITING: usize = 2;
/// What `SQLite` does where rows are kept aside until all are there: to sort, group or compare them.
const KEEPS_ROWS: [&str; 4] = ["SorterOpen", "OpenEphemeral", "AggStep", "RowSetAdd"];
/// Steps of a query that are looked at for these: one that reads a table takes a few, and some for each column.
const MOST_STEPS: u64 = 50_000;
/// Rows of which the text is whole, as nobody asks for more of the first.
const FIRST_ROWS: u64 = 1000;

/// The first rows of a table or view.
#[derive(Debug)]
pub(in crate::collect) struct TableHead {
    /// Its place among the tables and views of the database.
    pub(in crate::collect) place: u16,
    pub(in crate::collect) name: String,
    pub(in crate::collect) csv: Vec<u8>,
    pub(in crate::collect) is_whole: bool,
    pub(in crate::collect) has_rows: bool,
}

/// Cells that hold bytes and no value that a table could show.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::collect) struct CellsOfBytes {
    pub(in crate::collect) count: u64,
    /// The column of the first, and its row, the names of the columns being 1.
    pub(in crate::collect) column: String,
    pub(in crate::collect) row: u64,
}

/// The first rows of every table and view that can be read, as so many bytes hold.
pub(in crate::collect) fn heads(
    path: &Path,
    compression: Compression,
    most: usize,
    limits: Limits,
) -> io::Result<Vec<TableHead>> {
    let database = opened(path, compression, limits)?;
    let names = database.relations().map_err(|cause| fault(&cause))?;
    let head = |(place, name): (u16, String)| {
        let (mut csv, mut left) = (database.header(&name).ok()?, FIRST_ROWS);
        let mut is_full = false;
        let is_all = database.each_row(&name, &mut left, |row| {
            write_row(&mut csv, row);
            is_full = csv.len() > most;
            !is_full
        });
        is_full |= !is_all.ok()?;
        csv.truncate(most);
        let has_rows = is_full || left < FIRST_ROWS;
        Some(TableHead { place, name, csv, is_whole: !is_full, has_rows })
    };
    Ok((0..).zip(names).filter_map(head).collect())
}

/// Counts the cells that hold bytes, which stay empty in the text.
pub(in crate::collect) fn cells_of_bytes(
    path: &Path,
    compression: Compression,
    place: u16,
    limits: Limits,
) -> io::Result<Option<CellsOfBytes>> {
    let database = opened(path, compression, limits)?;
    let name = database.name_at(place)?;
    let (mut found, mut at, mut left) = (None::<CellsOfBytes>, 1, limits.records);
    let read = database.each_row(&name, &mut left, |row| {
        at += 1;
        let statement = row.as_ref();
        for column in 0..statement.column_count() {
            if !matches!(row.get_ref(column), Ok(ValueRef::Blob(_))) {
                continue;
            }
            let name = || statement.column_name(column).unwrap_or_default().to_owned();
            let first = || CellsOfBytes { count: 0, column: name(), row: at };
            found.get_or_insert_with(first).count += 1;
        }
        true
    });
    read.map_err(|cause| fault(&cause))?;
    Ok(found)
}

/// The text of a table or view, made while it is read.
pub(in crate::collect) fn open(
    path: &Path,
    place: u16,
    compression: Compression,
    limits: Limits,
) -> io::Result<Box<dyn Read + Send>> {
    let database = opened(path, compression, limits)?;
    let name = database.name_at(place)?;
    let (sender, blocks) = sync_channel(WAITING);
    thread::spawn(move || send(&database, &name, limits.records.saturating_add(2), &sender));
    Ok(Box::new(Blocks { blocks, block: io::Cursor::new(Vec::new()) }))
}

/// Writes rows to whoever reads them, until nobody does.
fn send(database: &Database, name: &str, mut most: u64, to: &SyncSender<io::Result<Vec<u8>>>) {
    let is_awaited = |block| to.send(block).is_ok();
    let mut block = Vec::new();
    let read = database.header(name).and_then(|header| {
        block = header;
        database.each_row(name, &mut most, |row| {
            write_row(&mut block, row);
            block.len() < BLOCK || is_awaited(Ok(std::mem::take(&mut block)))
        })
    });
    if let (true, Err(cause)) = (is_awaited(Ok(block)), read) {
        is_awaited(Err(fault(&cause)));
    }
}

/// A text that another thread makes, block by block.
struct Blocks {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: io::Cursor<Vec<u8>>,
}

impl Read for Blocks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.block.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match self.blocks.recv() {
                Ok(block) => self.block = io::Cursor::new(block?),
                Err(_) => return Ok(0),
            }
        }
    }
}

fn opened(path: &Path, compression: Compression, limits: Limits) -> io::Result<Database> {
    super::open(path, compression, limits).map_err(|finding| {
        io::Error::other(
            finding.evidence.get("cause").map_or_else(String::new, ToString::to_string),
        )
    })
}

fn fault(cause: &Error) -> io::Error {
    let is_long = cause.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted);
    io::Error::other(if is_long {
        "its rows take more steps than --limit records=NUMBER allows".to_owned()
    } else {
        cause.to_string()
    })
}

impl Database {
    fn name_at(&self, place: u16) -> io::Result<String> {
        let mut names = self.relations().map_err(|cause| fault(&cause))?.into_iter();
        names.nth(place.into()).ok_or_else(|| io::Error::other("its tables have changed"))
    }

    /// The names of the columns, as a line.
    fn header(&self, name: &str) -> rusqlite::Result<Vec<u8>> {
        let mut line = String::new();
        for (at, column) in self.columns(name)?.iter().enumerate() {
            line.push_str(if at > 0 { "," } else { "" });
            quote(&mut line, column);
        }
        line.push('\n');
        Ok(line.into_bytes())
    }

    /// Hands on the rows of a table or view until `take` wants no more; says whether these were all.
    fn each_row(
        &self,
        name: &str,
        left: &mut u64,
        take: impl FnMut(&Row<'_>) -> bool,
    ) -> rusqlite::Result<bool> {
        let query = all_of(name);
        let (mut keeps_rows, mut steps) = (false, MOST_STEPS);
        let are_all = self.for_each_row(&format!("EXPLAIN {query}"), &mut steps, |row| {
            keeps_rows |= super::word(row, 1).is_some_and(|step| KEEPS_ROWS.contains(&step));
        })?;
        if keeps_rows || !are_all {
            return Err(Error::InvalidQuery);
        }
        self.while_wanted(&query, left, take)
    }
}

/// A row as a line. Bytes and what is not there leave a cell empty.
fn write_row(csv: &mut Vec<u8>, row: &Row<'_>) {
    let mut cell = String::new();
    for column in 0..row.as_ref().column_count() {
        if column > 0 {
            csv.push(b',');
        }
        cell.clear();
        match row.get_ref(column) {
            Ok(ValueRef::Integer(number)) => cell = number.to_string(),
            Ok(ValueRef::Real(number)) => {
                // A text takes everything.
                let _ = write_number(&mut cell, number);
            }
            Ok(ValueRef::Text(text)) => quote(&mut cell, &String::from_utf8_lossy(text)),
            Ok(ValueRef::Null | ValueRef::Blob(_)) | Err(_) => {}
        }
        csv.extend_from_slice(cell.as_bytes());
    }
    csv.push(b'\n');
}
