//! Per-sample records as Parquet: an id column and at least one score column.
//!
//! Knows columns and row groups; what the columns mean is the business of `samples`. The schema is
//! read first and then only the columns that mean something, some thousand rows at a time.

use std::collections::BTreeSet;

use polars::prelude::{
    AnyValue, BooleanChunked, DataFrame, DataType, Float64Chunked, PolarsResult, Schema, Series,
    StringChunked,
};

use serde_json::Value as Json;

use crate::collect::content::{Packing, document_bytes, past_limit, unreadable};
use crate::collect::lines::Limits;
use crate::collect::parquet::{MAGIC, Parquet, as_json};
use crate::collect::{FileEntry, ReadOptions, ReadResult, Reader};

use super::samples::value::RecordValue;
use super::samples::{Field, FieldMeaning, Harvest};

pub const READER: Reader = Reader { name: "samples-parquet", recognises, read };

const PACKED: &str = "Parquet in gzip is read by no program; unpack it with gunzip";
/// Rows decoded at once: with texts of some kilobytes, some tens of megabytes.
const ROWS_AT_ONCE: usize = 16_384;
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
    if file.packing == Packing::Gzip {
        return file.has_extension("parquet");
    }
    let Ok((schema, _)) = open(file).and_then(|parquet| parquet.extent()) else {
        // Damaged, so that `read` says why; another reader could do no better.
        return true;
    };
    let columns = wanted(&schema, &mut Harvest::choosing(options));
    let has = |is: &dyn Fn(&WantedColumn) -> bool| columns.iter().any(is);
    let has_id = has(&|column| matches!(column.meaning.field, Field::Id(_)));
    let has_strong_id = has(&|column| column.meaning.field.is_strong_id());
    let has_step = has(&|column| column.meaning.field == Field::Step);
    let has_score =
        has(&|column| matches!(column.meaning.field, Field::Score(_) | Field::ErrorType));
    has_id && has_score && (has_strong_id || !has_step)
}

fn open(file: &FileEntry) -> Result<Parquet<'_>, String> {
    Parquet::open(&file.path, document_bytes(file))
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let unreadable = |reason: String| unreadable(&file.display, reason);
    if file.packing == Packing::Gzip {
        return Err(Box::new(unreadable(PACKED.to_owned())));
    }
    let parquet = open(file).map_err(unreadable)?;
    let (schema, count) = parquet.extent().map_err(unreadable)?;
    let mut harvest = Harvest::of_file(file, options);
    let columns = wanted(&schema, &mut harvest);
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let table = parquet.columns(Some(names)).map_err(unreadable)?;
    let most = usize::try_from(file.limits.records).unwrap_or(usize::MAX);
    let mut stopped = (count > most).then(|| past_limit("records", most, &file.display));
    let count = count.min(most);
    let mut left = document_bytes(file).saturating_mul(DOCUMENTS_OF_TEXT);
    for start in (0..count).step_by(ROWS_AT_ONCE) {
        let taken = table.rows(start, ROWS_AT_ONCE, |frame| {
            take_rows(&mut harvest, &columns, frame, start as u64, &mut left)
        });
        let end = match taken {
            Ok(true) => continue,
            Ok(false) => past_limit("document-mib", file.limits.document_mib, &file.display),
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

fn wanted(schema: &Schema, harvest: &mut Harvest) -> Vec<WantedColumn> {
    let mut columns = Vec::new();
    for (position, (name, data_type)) in schema.iter().enumerate() {
        let meaning = harvest.field(position, name);
        let is_numeric =
            data_type.is_primitive_numeric() || data_type.is_bool() || data_type.is_decimal();
        let is_text = data_type.is_string() || data_type.is_categorical() || data_type.is_enum();
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
            columns.push(WantedColumn { name: name.to_string(), meaning });
        }
    }
    columns
}

enum Cells {
    Flags(BooleanChunked),
    Reals(Float64Chunked),
    Texts(StringChunked),
    /// Texts of a dictionary, which stays one: written out for each row, a few kilobytes could be
    /// any number of bytes.
    Shared(Series),
    /// Lists and the like: something stands there, but nothing that can be used.
    Other(Series),
}

impl Cells {
    fn typed(series: &Series, field: Field) -> PolarsResult<Self> {
        let data_type = series.dtype();
        let is_number = data_type.is_primitive_numeric() || data_type.is_decimal();
        Ok(match data_type {
            DataType::Boolean => Self::Flags(series.bool()?.clone()),
            DataType::String => Self::Texts(series.str()?.clone()),
            // As scores and coordinates numbers count, as ids and contents the way they look.
            _ if is_number
                && matches!(field, Field::Score(_) | Field::Step | Field::Epoch | Field::Seed) =>
            {
                Self::Reals(series.cast(&DataType::Float64)?.f64()?.clone())
            }
            _ if data_type.is_categorical() || data_type.is_enum() => Self::Shared(series.clone()),
            _ if is_number => Self::Texts(series.cast(&DataType::String)?.str()?.clone()),
            _ => Self::Other(series.clone()),
        })
    }

    fn get(&self, row: usize) -> RecordValue<'_> {
        match self {
            Self::Flags(cells) => cells.get(row).map_or(RecordValue::Null, RecordValue::Bool),
            Self::Reals(cells) => cells
                .get(row)
                .map_or(RecordValue::Null, |value| RecordValue::Number { value, text: "" }),
            Self::Texts(cells) => cells.get(row).map_or(RecordValue::Null, RecordValue::Text),
            Self::Shared(cells) => match cells.get(row) {
                Ok(AnyValue::Categorical(text, known) | AnyValue::Enum(text, known)) => {
                    known.cat_to_str(text).map_or(RecordValue::Null, RecordValue::Text)
                }
                _ => RecordValue::Null,
            },
            Self::Other(cells) if cells.get(row).is_ok_and(|cell| !cell.is_null()) => {
                RecordValue::Composite("")
            }
            Self::Other(_) => RecordValue::Null,
        }
    }
}

/// Hands on these rows, as JSON.
pub(in crate::collect) fn records(
    file: &FileEntry,
    wanted: &BTreeSet<u64>,
    take: &mut dyn FnMut(u64, &str),
) -> Result<(), String> {
    let table = open(file)?.columns(None)?;
    let mut left = wanted.iter().filter_map(|row| usize::try_from(*row).ok()?.checked_sub(1));
    let mut next = left.next();
    while let Some(start) = next {
        let mut rows = vec![start];
        next = left.next();
        while let Some(row) = next.filter(|row| row - start < ROWS_AT_ONCE) {
            rows.push(row);
            next = left.next();
        }
        let count = rows.last().map_or(0, |last| last - start + 1);
        table.rows(start, count, |frame| {
            for row in rows {
                let cells = frame.columns().iter().map(|column| {
                    let cell = column.get(row - start).map_or(Json::Null, as_json);
                    (column.name().to_string(), cell)
                });
                take(row as u64 + 1, &Json::Object(cells.collect()).to_string());
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Takes the rows of a frame as far as their texts leave bytes; `false` where they end before.
fn take_rows(
    harvest: &mut Harvest,
    columns: &[WantedColumn],
    frame: &DataFrame,
    before: u64,
    left: &mut u64,
) -> PolarsResult<bool> {
    let mut cells = Vec::with_capacity(columns.len());
    for column in columns {
        let series = frame.column(&column.name)?.as_materialized_series();
        let meaning @ FieldMeaning { field, cluster, shared, counts, declared, run, .. } =
            column.meaning;
        let score = declared.filter(|_| series.dtype().is_primitive_numeric()).map(Field::Score);
        if let Some(score) = score {
            cells.push((FieldMeaning::new(score), Cells::typed(series, score)?));
        }
        if score.is_none() || matches!(field, Field::Id(_)) {
            let own =
                FieldMeaning { cluster: None, shared: None, counts: false, run: None, ..meaning };
            cells.push((own, Cells::typed(series, field)?));
        }
        if cluster.is_some() || shared.is_some() || run.is_some() {
            // As a cluster or a run a number counts the way it looks, whatever else it is.
            let meaning =
                FieldMeaning { cluster, shared, counts, run, ..FieldMeaning::new(Field::Ignored) };
            cells.push((meaning, Cells::typed(series, meaning.field)?));
        }
    }
    for row in 0..frame.height() {
        if *left == 0 {
            return Ok(false);
        }
        harvest.begin();
        for (meaning, cells) in &cells {
            let value = cells.get(row);
            *left = left.saturating_sub(value.text().map_or(0, str::len) as u64);
            harvest.take_field(*meaning, value);
        }
        harvest.end(before + row as u64 + 1);
    }
    Ok(true)
}
