//! Records of a Parquet data file, some thousand rows at a time.

use std::fmt::Write as _;
use std::path::Path;

use super::{DOCUMENT_BYTES, RecordReading};
use crate::collect::parquet::{Cell, Cells, Parquet, Table};
use crate::collect::readers::samples::value::RecordValue;

/// Rows decoded at once: with texts of some kilobytes, some tens of megabytes.
const ROWS_AT_ONCE: usize = 8_192;

/// Reads every row that there is room for.
pub(super) fn read(place: &Path, reading: &mut RecordReading) -> Result<(), String> {
    let parquet = Parquet::open(place, DOCUMENT_BYTES)?;
    let mut rows = parquet.rows(None)?;
    let mut before = 0;
    while let Some(table) = rows.next(ROWS_AT_ONCE)? {
        if !take(&table, before, reading)? {
            break;
        }
        before += table.height();
    }
    Ok(())
}

fn take(table: &Table<'_>, before: usize, reading: &mut RecordReading) -> Result<bool, String> {
    let columns: Vec<Cells<'_>> = table.columns().collect();
    for row in 0..table.height() {
        let mut text = String::new();
        if !reading.has_room(0) {
            return Ok(false);
        }
        let mut bytes = 0;
        for (position, column) in columns.iter().enumerate() {
            let cell = column.get(row)?;
            text.clear();
            let value = value(&cell, &mut text);
            bytes += value.text().map_or(0, str::len) as u64;
            reading.scan.field(position, &column.column().name, value);
        }
        reading.scan.end((before + row) as u64 + 1);
        if !reading.has_room(bytes) && row + 1 < table.height() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A cell as the other formats would write it; lists and records as JSON, written to `text`.
fn value<'a>(cell: &'a Cell<'_>, text: &'a mut String) -> RecordValue<'a> {
    match cell {
        Cell::Null => RecordValue::Null,
        Cell::Flag(flag) => RecordValue::Bool(*flag),
        Cell::Text(text) => RecordValue::Text(text),
        Cell::Other(text) => RecordValue::Text(text),
        Cell::List(_) | Cell::Record(_) => {
            write_json(cell, text);
            RecordValue::Composite(text)
        }
        Cell::Uuid(_) => {
            cell.write(text);
            RecordValue::Text(text)
        }
        number => number.number().map_or(RecordValue::Null, |value| {
            let _infallible = write!(text, "{value}");
            RecordValue::Number { value, text }
        }),
    }
}

fn write_json(cell: &Cell<'_>, out: &mut String) {
    match cell {
        Cell::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_json(item, out);
            }
            out.push(']');
        }
        Cell::Record(fields) => {
            out.push('{');
            for (at, (name, value)) in fields.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_text(name, out);
                out.push(':');
                write_json(value, out);
            }
            out.push('}');
        }
        Cell::Null => out.push_str("null"),
        Cell::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Cell::Text(text) => write_text(text, out),
        Cell::Other(text) => write_text(text, out),
        number => {
            if let Some(number) = number.number().filter(|number| number.is_finite()) {
                let _infallible = write!(out, "{number}");
            } else {
                let mut text = String::new();
                number.write(&mut text);
                write_text(&text, out);
            }
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}
