//! Records and columns of a data file: how many, and what the columns hold.
//!
//! JSON lines and CSV are streamed, Parquet gives only its numeric and boolean columns; a JSON
//! document is held as a whole and therefore limited in size.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use indexmap::IndexMap;
use polars::prelude::{DataType, ParquetReader, PolarsError, SchemaExt as _, SerReader as _};

use super::super::content::{WHOLE_LIMIT, without_bom};
use super::super::document::{Node, Value, parse_json_line};
use super::super::parquet::guarded;
use super::hash::size_and_sha256;
use super::unreadable;
use crate::diag::Diagnostic;
use crate::model::{ColumnProfile, DataContent};

/// Size, hash, records and columns of a data file.
pub(super) fn content(place: &Path) -> Result<DataContent, Box<Diagnostic>> {
    let (bytes, sha256) = size_and_sha256(place).map_err(|error| unreadable(place, &error))?;
    let table = profile(place).map_err(|error| unreadable(place, &error))?;
    let (rows, columns) =
        table.map_or((None, Vec::new()), |table| (Some(table.rows), table.columns));
    Ok(DataContent { path: super::shown(place), bytes, sha256, rows, columns })
}

struct Profile {
    rows: u64,
    columns: Vec<ColumnProfile>,
}

fn profile(place: &Path) -> std::io::Result<Option<Profile>> {
    let name = place.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let (name, gzip) = match name.strip_suffix(".gz") {
        Some(inner) => (inner, true),
        None => (name.as_str(), false),
    };
    let source = File::open(place)?;
    let source: Box<dyn Read> =
        if gzip { Box::new(MultiGzDecoder::new(source)) } else { Box::new(source) };
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "json" => of_json(source),
        "jsonl" => of_json_lines(source).map(Some),
        "csv" => of_delimited(source, b',').map(Some),
        "tsv" => of_delimited(source, b'\t').map(Some),
        "parquet" => guarded(place, || of_parquet(place)).map(Some).map_err(std::io::Error::other),
        _ => Ok(None),
    }
}

/// A list of tables is a table of records, also below a single key such as `data`.
fn of_json(source: Box<dyn Read>) -> std::io::Result<Option<Profile>> {
    let mut bytes = Vec::new();
    source.take(WHOLE_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > WHOLE_LIMIT {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(without_bom(&bytes));
    let Ok(parsed) = parse_json_line(&text, 1) else {
        // Files named .json often hold JSON lines.
        return of_json_lines(Box::new(text.as_bytes()))
            .map(|lines| Some(lines).filter(|lines| lines.rows > 0));
    };
    let records = match &parsed.root.value {
        Value::List(items) => Some(items.as_slice()),
        Value::Table(table) => table.values().find_map(|node| match &node.value {
            Value::List(items) if items.iter().all(|item| item.table().is_some()) => {
                Some(items.as_slice())
            }
            _ => None,
        }),
        _ => None,
    };
    let Some(records) = records else { return Ok(None) };
    let mut tally = Tally::default();
    for record in records {
        tally.add_record(record);
    }
    Ok(Some(tally.finish()))
}

/// Lines that do not parse are no records.
fn of_json_lines(source: Box<dyn Read + '_>) -> std::io::Result<Profile> {
    let mut source = BufReader::with_capacity(1 << 20, source);
    let mut tally = Tally::default();
    let mut line = Vec::new();
    while source.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(without_bom(&line));
        if let Ok(parsed) = parse_json_line(text.trim(), 1) {
            tally.add_record(&parsed.root);
        }
        line.clear();
    }
    Ok(tally.finish())
}

fn of_delimited(source: Box<dyn Read>, delimiter: u8) -> std::io::Result<Profile> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(source);
    let header = reader.byte_headers().map_err(std::io::Error::other)?.clone();
    let names: Vec<String> = header
        .iter()
        .map(|name| String::from_utf8_lossy(without_bom(name)).trim().to_owned())
        .collect();
    let mut tally = Tally::default();
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(std::io::Error::other)? {
        tally.rows += 1;
        for (name, cell) in names.iter().zip(&record) {
            let column = tally.column(name);
            match str::from_utf8(cell).unwrap_or("?").trim() {
                "" => {}
                "true" | "True" | "TRUE" => column.add_flag(true),
                "false" | "False" | "FALSE" => column.add_flag(false),
                text => match text.parse() {
                    Ok(number) => column.add_number(number),
                    Err(_) => column.others += 1,
                },
            }
        }
    }
    Ok(tally.finish())
}

fn of_parquet(place: &Path) -> Result<Profile, PolarsError> {
    let schema = polars::prelude::Schema::from_arrow_schema(
        ParquetReader::new(File::open(place)?).schema()?.as_ref(),
    );
    let rows = ParquetReader::new(File::open(place)?).num_rows()? as u64;
    let is_read = |dtype: &DataType| dtype.is_bool() || dtype.is_primitive_numeric();
    let read: Vec<String> = schema
        .iter()
        .filter(|(_, dtype)| is_read(dtype))
        .map(|(name, _)| name.to_string())
        .collect();
    let frame = ParquetReader::new(File::open(place)?).with_columns(Some(read)).finish()?;
    let mut tally = Tally { rows, ..Tally::default() };
    for (name, dtype) in schema.iter() {
        let column = tally.column(name);
        if !is_read(dtype) {
            column.others = rows;
            continue;
        }
        let values = frame.column(name)?;
        if dtype.is_bool() {
            values.bool()?.iter().flatten().for_each(|flag| column.add_flag(flag));
        } else {
            let values = values.cast(&DataType::Float64)?;
            values.f64()?.iter().flatten().for_each(|number| column.add_number(number));
        }
    }
    Ok(tally.finish())
}

/// Records and columns as they are counted.
#[derive(Default)]
struct Tally {
    rows: u64,
    columns: IndexMap<String, ColumnTally>,
}

impl Tally {
    fn column(&mut self, name: &str) -> &mut ColumnTally {
        if !self.columns.contains_key(name) {
            self.columns.insert(name.to_owned(), ColumnTally::default());
        }
        self.columns.entry(name.to_owned()).or_default()
    }

    fn add_record(&mut self, record: &Node) {
        self.rows += 1;
        for (name, node) in record.table().into_iter().flatten() {
            let column = self.column(name);
            match &node.value {
                Value::Null => {}
                Value::Bool(flag) => column.add_flag(*flag),
                Value::Number(number, _) => column.add_number(*number),
                _ => column.others += 1,
            }
        }
    }

    fn finish(self) -> Profile {
        let columns = self.columns.into_iter().map(|(name, column)| column.finish(name)).collect();
        Profile { rows: self.rows, columns }
    }
}

#[derive(Default)]
struct ColumnTally {
    flags: u64,
    yes: u64,
    numbers: u64,
    not_finite: u64,
    sum: f64,
    range: Option<(f64, f64)>,
    others: u64,
}

impl ColumnTally {
    fn add_flag(&mut self, flag: bool) {
        self.flags += 1;
        self.yes += u64::from(flag);
    }

    fn add_number(&mut self, number: f64) {
        if !number.is_finite() {
            self.not_finite += 1;
            return;
        }
        self.numbers += 1;
        self.sum += number;
        let (min, max) = self.range.unwrap_or((number, number));
        self.range = Some((min.min(number), max.max(number)));
    }

    /// A column is what all of its written values are.
    fn finish(self, name: String) -> ColumnProfile {
        let Self { flags, yes, numbers, not_finite, sum, range, others } = self;
        match range {
            Some((min, max)) if flags == 0 && others == 0 => {
                ColumnProfile::Number { name, mean: sum / numbers as f64, min, max, n: numbers }
            }
            None if flags > 0 && others == 0 && not_finite == 0 => {
                ColumnProfile::Flag { name, yes, n: flags }
            }
            _ => ColumnProfile::Other { name, n: flags + numbers + not_finite + others },
        }
    }
}

#[cfg(test)]
mod tests {
    use polars::prelude::{Column, DataFrame, ParquetWriter};

    use super::*;

    fn check(name: &str, bytes: &[u8]) {
        let directory = tempfile::tempdir().expect("a directory");
        let place = directory.path().join(name);
        std::fs::write(&place, bytes).expect("written");
        assert_rows_and_columns(&place);
    }

    /// Every format says the same about the same two records.
    fn assert_rows_and_columns(place: &Path) {
        let content = content(place).expect("readable");
        assert_eq!(content.rows, Some(2));
        assert_eq!(
            content.columns,
            [
                ColumnProfile::Number {
                    name: "reward".into(),
                    mean: 0.25,
                    min: 0.0,
                    max: 0.5,
                    n: 2
                },
                ColumnProfile::Flag { name: "positive".into(), yes: 1, n: 2 },
                ColumnProfile::Other { name: "query".into(), n: 2 },
            ],
        );
    }

    #[test]
    fn json_json_lines_csv_and_parquet_are_profiled_alike() {
        let records = [
            r#"{"reward": 0.5, "positive": true, "query": "q1"}"#,
            r#"{"reward": 0, "positive": false, "query": ["q2"]}"#,
        ];
        check("a.json", format!("\u{feff}[{}]", records.join(",\n")).as_bytes());
        check(
            "wrapped.json",
            format!("{{\"v\": 1, \"data\": [{}]}}", records.join(",")).as_bytes(),
        );
        check("lines.json", records.join("\n").as_bytes());
        check("a.jsonl", records.join("\r\n").as_bytes());
        check("a.csv", "reward,positive,query\n0.5,True,\"q,1\"\n0,False,q2\n".as_bytes());
        check("a.tsv", "reward\tpositive\tquery\n0.5\ttrue\tq1\n0\tfalse\tq2\n".as_bytes());
    }

    #[test]
    fn parquet_is_profiled_from_its_numeric_and_boolean_columns() {
        let directory = tempfile::tempdir().expect("a directory");
        let place = directory.path().join("a.parquet");
        let columns = vec![
            Column::new("reward".into(), [0.5, 0.0]),
            Column::new("positive".into(), [true, false]),
            Column::new("query".into(), ["q1", "q2"]),
        ];
        let mut frame = DataFrame::new(2, columns).expect("a frame");
        let file = File::create(&place).expect("created");
        ParquetWriter::new(file).finish(&mut frame).expect("written");
        assert_rows_and_columns(&place);
    }

    #[test]
    fn a_document_that_is_no_table_has_a_hash_and_no_rows() {
        let directory = tempfile::tempdir().expect("a directory");
        let place = directory.path().join("a.json");
        std::fs::write(&place, "{\"a\": 1}").expect("written");
        let content = content(&place).expect("readable");
        assert_eq!((content.rows, content.bytes, content.columns.len()), (None, 8, 0));
    }
}
