//! Records of a data file, format by format.
//!
//! JSON lines and CSV are streamed and Parquet is read some thousand rows at a time; a JSON document
//! is held as a whole and therefore limited in size. What columns mean is the business of `scan`.

mod parquet;

use std::io::{BufRead as _, BufReader, Error, Read, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::content::{self, Packing, unreadable, without_bom};
use super::super::lines::LineCounter;
use super::super::packing::Compression;
use super::super::readers::samples::json;
use super::super::readers::samples::value::RecordValue;
use super::hash::{combined, size_and_sha256};
use super::scan::{RecordScan, ScannedRecords};
use crate::diag::Diagnostic;
use crate::model::{DataContent, Limits, RowKeys};

/// Largest JSON document that is read as a table, after decompression.
const DOCUMENT_BYTES: u64 = 256 << 20;

/// How much of one data file is read record by record. All bytes are hashed in any case.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProfileLimits {
    pub(super) rows: u64,
    /// Bytes after decompression.
    pub(super) bytes: u64,
}

impl Default for ProfileLimits {
    fn default() -> Self {
        Self { rows: 1_000_000, bytes: 1 << 30 }
    }
}

/// Size, hash, records and columns of the files that one name stands for, taken together.
pub(super) fn profile_data_file(
    shown: String,
    files: &[PathBuf],
    limits: ProfileLimits,
) -> std::result::Result<DataContent, Box<Diagnostic>> {
    let mut hashes = Vec::with_capacity(files.len());
    let mut bytes = 0;
    for file in files {
        let (size, hash) =
            size_and_sha256(file).map_err(|error| unreadable(&super::shown(file), error))?;
        bytes += size;
        hashes.push((hash, file.file_name().unwrap_or_default().to_string_lossy().into_owned()));
    }
    let mut reading = RecordReading::new(limits);
    for file in files {
        reading.read(file).map_err(|error| unreadable(&super::shown(file), error))?;
    }
    let RecordReading { scan, is_table, partial, malformed, .. } = reading;
    let rows_read = scan.rows();
    let ScannedRecords { columns, queries, duplicates, keys } = scan.finish();
    Ok(DataContent {
        path: shown,
        files: files.len() as u64,
        bytes,
        sha256: combined(hashes),
        rows: (is_table && !partial).then_some(rows_read),
        rows_read,
        partial,
        malformed,
        columns,
        queries,
        duplicates,
        keys,
    })
}

/// What identifies the records of files that samples were read from.
pub(super) fn read_row_keys(files: &[(PathBuf, Arc<str>)]) -> RowKeys {
    let mut reading = RecordReading::new(ProfileLimits::default());
    for (file, display) in files {
        // That a file cannot be read was said when its samples were.
        let _said = reading.read_shown_as(file, display);
    }
    reading.scan.finish().keys
}

pub(super) struct RecordReading {
    limits: ProfileLimits,
    pub(super) scan: RecordScan,
    bytes: u64,
    is_table: bool,
    partial: bool,
    malformed: Option<(u64, u64)>,
}

impl RecordReading {
    fn new(limits: ProfileLimits) -> Self {
        let scan = RecordScan::default();
        Self { limits, scan, bytes: 0, is_table: true, partial: false, malformed: None }
    }

    fn read(&mut self, place: &Path) -> Result<()> {
        self.read_shown_as(place, &Arc::from(super::shown(place)))
    }

    fn read_shown_as(&mut self, place: &Path, display: &Arc<str>) -> Result<()> {
        self.scan.begin_file(display);
        let name = place.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let (name, compression) = Compression::in_name(&name);
        let source = content::open(place, Packing::Bytes(compression), Limits::default())?;
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "json" => self.json(source),
            "jsonl" | "ndjson" => self.json_lines(source),
            "csv" => self.delimited(source, b','),
            "tsv" => self.delimited(source, b'\t'),
            "parquet" => parquet::read(place, self).map_err(Error::other),
            _ => {
                self.is_table = false;
                Ok(())
            }
        }
    }

    /// Whether another record may be read; remembers that one was refused.
    pub(super) fn has_room(&mut self, bytes: u64) -> bool {
        self.bytes += bytes;
        self.partial |= self.scan.rows() >= self.limits.rows || self.bytes > self.limits.bytes;
        !self.partial
    }

    /// A list of objects is a table of records, also below a single key such as `data`.
    fn json(&mut self, source: Box<dyn Read>) -> Result<()> {
        let mut bytes = Vec::new();
        source.take(DOCUMENT_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > DOCUMENT_BYTES {
            (self.partial, self.is_table) = (true, false);
            return Ok(());
        }
        let text = String::from_utf8_lossy(&bytes);
        let whole = text.trim();
        let mut lists = Vec::new();
        if whole.starts_with('[') {
            lists.push(whole);
        } else if json::for_each_field(whole, |_, value| lists.push(value.text)).is_err() {
            // Files named .json often hold JSON lines.
            return self.json_lines(Box::new(text.as_bytes()));
        }
        let is_list_of_objects = |list: &&str| {
            let inside = list.strip_prefix('[').map(str::trim_start);
            inside.is_some_and(|inside| inside.starts_with('{'))
        };
        let Some(list) = lists.into_iter().find(is_list_of_objects) else {
            self.is_table = false;
            return Ok(());
        };
        let mut lines = LineCounter::new(&text);
        let read = json::for_each_element(list, |element| {
            if self.has_room(element.len() as u64) {
                let line = lines.line_of_part(element);
                self.object(element, line);
            }
        });
        if read.is_err() {
            let last = text.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1;
            self.count_malformed(last);
        }
        Ok(())
    }

    fn json_lines(&mut self, source: Box<dyn Read + '_>) -> Result<()> {
        let mut source = BufReader::with_capacity(1 << 20, source);
        let mut bytes = Vec::new();
        let mut records = 0_u64;
        for line in 1.. {
            bytes.clear();
            // One byte more than there is room for shows that the limit is passed.
            let rest = (self.limits.bytes + 1).saturating_sub(self.bytes);
            let length = (&mut source).take(rest).read_until(b'\n', &mut bytes)? as u64;
            if length == 0 {
                break;
            }
            let text = String::from_utf8_lossy(without_bom(&bytes));
            if text.trim().is_empty() {
                self.bytes += length;
                continue;
            }
            if !self.has_room(length) {
                break;
            }
            records += u64::from(self.object(text.trim(), line));
        }
        self.is_table &= records > 0 || self.malformed.is_none();
        Ok(())
    }

    /// One record written as a JSON object. Anything else is no record.
    fn object(&mut self, text: &str, line: u64) -> bool {
        // A record that breaks off in the middle must leave nothing behind.
        if json::for_each_field(text, |_, _| ()).is_err() {
            self.count_malformed(line);
            return false;
        }
        let (mut name, mut scratch) = (String::new(), String::new());
        let mut position = 0;
        let scan = &mut self.scan;
        let _checked = json::for_each_field(text, |key, value| {
            scan.field(position, key.name(&mut name), value.value(&mut scratch));
            position += 1;
        });
        scan.end(line);
        true
    }

    fn delimited(&mut self, source: Box<dyn Read>, delimiter: u8) -> Result<()> {
        let mut reader =
            csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(source);
        let header = reader.byte_headers().map_err(Error::other)?.clone();
        let names: Vec<String> =
            header.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
        let mut record = csv::ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(Error::other)? {
            let line = record.position().map_or(0, csv::Position::line);
            if record.len() != names.len() {
                self.count_malformed(line);
            }
            if !self.has_room(record.as_slice().len() as u64) {
                break;
            }
            for (position, (name, cell)) in names.iter().zip(&record).enumerate() {
                let cell = String::from_utf8_lossy(cell);
                self.scan.field(position, name, cell_value(&cell));
            }
            self.scan.end(line);
        }
        Ok(())
    }

    fn count_malformed(&mut self, line: u64) {
        let (count, first) = self.malformed.unwrap_or((0, line));
        self.malformed = Some((count + 1, first));
    }
}

/// A cell that holds a list or an object as JSON is one.
fn cell_value(cell: &str) -> RecordValue<'_> {
    match RecordValue::from_cell(cell) {
        RecordValue::Text(text)
            if (text.starts_with('{') && json::for_each_field(text, |_, _| ()).is_ok())
                || (text.starts_with('[') && json::for_each_element(text, |_| ()).is_ok()) =>
        {
            RecordValue::Composite(text)
        }
        value => value,
    }
}

#[cfg(test)]
mod tests;
