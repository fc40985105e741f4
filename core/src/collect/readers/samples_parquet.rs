//! Per-sample records as Parquet: an id column and at least one score column.
//!
//! Knows columns and row groups; what the columns mean is the business of `samples`. The schema is
//! read first and then only the columns that mean something, some thousand rows at a time.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::collect::content::{Packing, document_bytes, past_limit, unreadable};
use crate::collect::lines::Limits;
use crate::collect::parquet::{Cell, Cells, Column, MAGIC, Parquet, Table, as_json};
use crate::collect::{FileEntry, ReadOptions, ReadResult, Reader};

use super::samples::value::RecordValue;
use super::samples::{Field, FieldMeaning, Harvest};

pub const READER: Reader = Reader { name: "samples-parquet", recognises, read };

const PACKED: &str = "compressed Parquet is read by no program; unpack it with gunzip or zstd";
/// Rows decoded at once: with texts of some kilobytes, some megabytes.
const ROWS_AT_ONCE: usize = 4_096;
/// How many documents of the largest size the texts of all rows may be: rows may share one by a
/// dictionary, so that a small file holds any number of bytes.
const DOCUMENTS_OF_TEXT: u64 = 256;

fn recognises(file: &FileEntry) -> bool {
    holds_samples(file, &ReadOptions::default())
}

/// Whether the file holds samples, fields that the user declares as metrics included.
pub(super) fn holds_samples(file: &FileEntry, options: &ReadOptions) -> bool {
    if !file.head.starts_with(MAGIC) {
        return false;
    }
    if file.packing != Packing::PLAIN {
        return file.has_extension("parquet");
    }
    let Ok(parquet) = open(file) else {
        // Damaged, so that `read` says why; another reader could do no better.
        return true;
    };
    let columns = wanted(parquet.schema(), &mut Harvest::choosing(options));
    let has = |is: &dyn Fn(&WantedColumn) -> bool| columns.iter().any(is);
    let has_id = has(&|column| matches!(column.meaning.field, Field::Id(_)));
    let has_strong_id = has(&|column| column.meaning.field.is_strong_id());
    let has_step = has(&|column| column.meaning.field == Field::Step);
    let has_score =
        has(&|column| matches!(column.meaning.field, Field::Score(_) | Field::ErrorType));
    has_id && has_score && (has_strong_id || !has_step)
}

fn open(file: &FileEntry) -> Result<Parquet, String> {
    Parquet::open(&file.path, document_bytes(file))
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let unreadable = |reason: String| unreadable(&file.display, reason);
    if file.packing != Packing::PLAIN {
        return Err(Box::new(unreadable(PACKED.to_owned())));
    }
    let parquet = open(file).map_err(unreadable)?;
    let mut harvest = Harvest::of_file(file, options);
    let columns = wanted(parquet.schema(), &mut harvest);
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let mut rows = parquet.rows(Some(&names)).map_err(unreadable)?;
    let most = usize::try_from(file.limits.records).unwrap_or(usize::MAX);
    let mut stopped = (parquet.height() > most).then(|| past_limit("records", most, &file.display));
    let mut left = document_bytes(file).saturating_mul(DOCUMENTS_OF_TEXT);
    let mut before = 0;
    while before < most {
        let taken = rows.next(ROWS_AT_ONCE.min(most - before)).and_then(|table| {
            let Some(table) = table else { return Ok(None) };
            let is_whole = take_rows(&mut harvest, &columns, &table, before as u64, &mut left)?;
            before += table.height();
            Ok(Some(is_whole))
        });
        let end = match taken {
            Ok(Some(true)) => continue,
            Ok(None) => break,
            Ok(Some(false)) => past_limit("document-mib", file.limits.document_mib, &file.display),
            Err(reason) => unreadable(reason),
        };
        stopped = Some(end);
        break;
    }
    let mut warned = harvest.into_fragment(file, Limits::from(file.limits).line_bytes);
    warned.diagnostics.extend(stopped);
    Ok(warned)
}

struct WantedColumn {
    name: String,
    meaning: FieldMeaning,
}

fn wanted(schema: &[Column], harvest: &mut Harvest) -> Vec<WantedColumn> {
    let mut columns = Vec::new();
    for (position, column) in schema.iter().enumerate() {
        let name = &column.name;
        let meaning = harvest.field(position, name);
        let is_numeric = column.is_number() || column.is_flag();
        let is_text = column.is_text();
        let means_something = match meaning.field {
            // Answers are most of such a file, and only their equality would be looked at.
            Field::Response(_) => false,
            Field::Ignored => meaning.cluster.is_some() && (is_numeric || is_text),
            Field::Score(_) if Harvest::may_be_shared(name, meaning) => is_numeric || is_text,
            field @ Field::Score(_) => is_numeric || harvest.is_known_score(field),
            _ => is_numeric || is_text,
        };
        let means_something = means_something || meaning.run.is_some() && (is_numeric || is_text);
        if means_something {
            columns.push(WantedColumn { name: name.clone(), meaning });
        }
    }
    columns
}

/// A cell as it counts for a field; what is written for it goes to `text`.
fn value<'t>(cell: &Cell<'t>, field: Field, text: &'t mut String) -> RecordValue<'t> {
    match cell {
        Cell::Null => RecordValue::Null,
        Cell::Flag(flag) => RecordValue::Bool(*flag),
        Cell::Text(text) => RecordValue::Text(text),
        // Something stands there, but nothing that can be used.
        Cell::Other(_) | Cell::List(_) | Cell::Record(_) => RecordValue::Composite(""),
        // As scores and coordinates numbers count, as ids and contents the way they look.
        number => {
            let counts =
                matches!(field, Field::Score(_) | Field::Step | Field::Epoch | Field::Seed);
            if let Some(value) = number.number().filter(|_| counts) {
                return RecordValue::Number { value, text: "" };
            }
            text.clear();
            number.write(text);
            RecordValue::Text(text)
        }
    }
}

/// Hands on these rows, as JSON.
pub(in crate::collect) fn records(
    file: &FileEntry,
    wanted: &BTreeSet<u64>,
    take: &mut dyn FnMut(u64, &str),
) -> Result<(), String> {
    let parquet = open(file)?;
    let mut rows = parquet.rows(None)?;
    let mut at = 0;
    let mut left = wanted.iter().filter_map(|row| usize::try_from(*row).ok()?.checked_sub(1));
    let mut next = left.next();
    while let Some(first) = next {
        rows.skip(first - at)?;
        at = first;
        let Some(table) = rows.next(ROWS_AT_ONCE)? else { break };
        while let Some(row) = next.filter(|row| row - at < table.height()) {
            let cells = table
                .columns()
                .map(|cells| Ok((cells.column().name.clone(), as_json(&cells.get(row - at)?))));
            let record = cells.collect::<Result<_, String>>()?;
            take(row as u64 + 1, &Json::Object(record).to_string());
            next = left.next();
        }
        at += table.height();
    }
    Ok(())
}

/// Takes the rows of a table as far as their texts leave bytes; `false` where they end before.
fn take_rows(
    harvest: &mut Harvest,
    columns: &[WantedColumn],
    table: &Table<'_>,
    before: u64,
    left: &mut u64,
) -> Result<bool, String> {
    let mut taken: Vec<(FieldMeaning, Cells<'_>)> = Vec::with_capacity(columns.len());
    for column in columns {
        let Some(cells) = table.column(&column.name) else { continue };
        let meaning @ FieldMeaning { field, cluster, shared, counts, declared, run, .. } =
            column.meaning;
        let score = declared.filter(|_| cells.column().is_plain_number()).map(Field::Score);
        if let Some(score) = score {
            taken.push((FieldMeaning::new(score), cells));
        }
        if score.is_none() || matches!(field, Field::Id(_)) {
            let own =
                FieldMeaning { cluster: None, shared: None, counts: false, run: None, ..meaning };
            taken.push((own, cells));
        }
        if cluster.is_some() || shared.is_some() || run.is_some() {
            // As a cluster or a run a number counts the way it looks, whatever else it is.
            let meaning =
                FieldMeaning { cluster, shared, counts, run, ..FieldMeaning::new(Field::Ignored) };
            taken.push((meaning, cells));
        }
    }
    for row in 0..table.height() {
        if *left == 0 {
            return Ok(false);
        }
        harvest.begin();
        for (meaning, cells) in &taken {
            let cell = cells.get(row)?;
            let mut text = String::new();
            let value = value(&cell, meaning.field, &mut text);
            *left = left.saturating_sub(value.text().map_or(0, str::len) as u64);
            harvest.take_field(*meaning, value);
        }
        harvest.end(before + row as u64 + 1);
    }
    Ok(true)
}
