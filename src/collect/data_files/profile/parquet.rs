//! Records of a Parquet data file, some thousand rows at a time. The only part of `data_files` that
//! knows polars.

use std::fmt::Write as _;
use std::path::Path;

use polars::prelude::{AnyValue, DataFrame, PolarsResult, Series};

use super::{DOCUMENT_BYTES, RecordReading};
use crate::collect::parquet::Parquet;
use crate::collect::readers::samples::value::RecordValue;

/// Rows decoded at once: with texts of some kilobytes, some tens of megabytes.
const ROWS_AT_ONCE: usize = 8_192;

/// Reads every row that there is room for.
pub(super) fn read(place: &Path, reading: &mut RecordReading) -> Result<(), String> {
    let parquet = Parquet::open(place, DOCUMENT_BYTES)?;
    let (schema, count) = parquet.extent()?;
    let table = parquet.columns(None)?;
    let names: Vec<String> = schema.iter().map(|(name, _)| name.to_string()).collect();
    for start in (0..count).step_by(ROWS_AT_ONCE) {
        let more = table.rows(start, ROWS_AT_ONCE, |frame| take(frame, &names, start, reading))?;
        if !more {
            break;
        }
    }
    Ok(())
}

fn take(
    frame: &DataFrame,
    names: &[String],
    start: usize,
    reading: &mut RecordReading,
) -> PolarsResult<bool> {
    let mut columns: Vec<&Series> = Vec::with_capacity(names.len());
    for name in names {
        columns.push(frame.column(name)?.as_materialized_series());
    }
    for row in 0..frame.height() {
        let mut text = String::new();
        if !reading.has_room(0) {
            return Ok(false);
        }
        let mut bytes = 0;
        for (position, (name, column)) in names.iter().zip(&columns).enumerate() {
            let cell = column.get(row)?;
            text.clear();
            let value = value(&cell, &mut text);
            bytes += value.text().map_or(0, str::len) as u64;
            reading.scan.field(position, name, value);
        }
        reading.scan.end((start + row) as u64 + 1);
        if !reading.has_room(bytes) && start + row + 1 < start + frame.height() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A cell as the other formats would write it; lists and structs as JSON, written to `text`.
fn value<'a>(cell: &'a AnyValue<'_>, text: &'a mut String) -> RecordValue<'a> {
    match cell {
        AnyValue::Null => RecordValue::Null,
        AnyValue::Boolean(flag) => RecordValue::Bool(*flag),
        AnyValue::String(text) => RecordValue::Text(text),
        AnyValue::StringOwned(text) => RecordValue::Text(text),
        AnyValue::List(_) | AnyValue::Struct(..) | AnyValue::StructOwned(_) => {
            write_json(cell, text);
            RecordValue::Composite(text)
        }
        other => {
            if let Some(value) = number(other) {
                let _infallible = write!(text, "{value}");
                RecordValue::Number { value, text }
            } else {
                let _infallible = write!(text, "{other}");
                RecordValue::Text(text)
            }
        }
    }
}

fn number(cell: &AnyValue<'_>) -> Option<f64> {
    (cell.is_primitive_numeric() || matches!(cell, AnyValue::Decimal(..)))
        .then(|| cell.extract::<f64>())
        .flatten()
}

fn write_json(cell: &AnyValue<'_>, out: &mut String) {
    match cell {
        AnyValue::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_json(&item, out);
            }
            out.push(']');
        }
        AnyValue::Struct(_, _, fields) => {
            let mut values = Vec::new();
            cell._materialize_struct_av(&mut values);
            let names = fields.iter().map(|field| field.name().as_str());
            write_object(names.zip(&values), out);
        }
        AnyValue::StructOwned(owned) => {
            let names = owned.1.iter().map(|field| field.name().as_str());
            write_object(names.zip(&owned.0), out);
        }
        AnyValue::Null => out.push_str("null"),
        AnyValue::Boolean(flag) => out.push_str(if *flag { "true" } else { "false" }),
        AnyValue::String(text) => write_text(text, out),
        AnyValue::StringOwned(text) => write_text(text, out),
        other => match number(other).filter(|number| number.is_finite()) {
            Some(number) => {
                let _infallible = write!(out, "{number}");
            }
            None => write_text(&other.to_string(), out),
        },
    }
}

fn write_object<'v>(fields: impl Iterator<Item = (&'v str, &'v AnyValue<'v>)>, out: &mut String) {
    out.push('{');
    for (at, (name, value)) in fields.enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_text(name, out);
        out.push(':');
        write_json(value, out);
    }
    out.push('}');
}

fn write_text(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}
