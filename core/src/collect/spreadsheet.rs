//! The first sheet of a workbook (`.xlsx`) as the text of a CSV file, so that whatever reads tables reads it.
//!
//! Knows no readers. Every row of the sheet is a record of the text, also an empty one.

use std::error::Error;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use calamine::{DataRef, ExcelDateTime, Reader as _, SheetType, Xlsx, XlsxError, open_workbook};
use memchr::memmem;
use zip::result::ZipError;

use super::archive::{self, Archive};

const WORKBOOK: &str = "xl/workbook.xml";
/// The part of a workbook that says how many texts it has, for which room is made before they are read.
const TEXTS: &str = "xl/sharedStrings.xml";
/// Within how many first bytes of that part the number stands.
const PROLOGUE: u64 = 1 << 12;
/// Parts that are no XML: pictures and the like, which nobody opens.
const READ: [&str; 2] = [".xml", ".rels"];
/// Milliseconds of a day, which is the unit of dates in a sheet.
const DAY: f64 = 86_400_000.0;

/// What a workbook holds beside its parts for programs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FirstSheet {
    pub(super) csv: String,
    /// How many cells hold an error such as `#DIV/0!`, and the row of the first, from 1.
    pub(super) errors: Option<(u64, u64)>,
    /// The names of the other sheets.
    pub(super) others: Vec<String>,
}

/// Why a sheet is not read.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoSheet {
    #[error("its first sheet is larger than --limit document-mib allows")]
    TooLarge,
    #[error("{0}")]
    Damaged(String),
}

impl From<NoSheet> for io::Error {
    fn from(reason: NoSheet) -> Self {
        Self::other(reason)
    }
}

fn damaged(cause: impl Into<Box<dyn Error>>) -> NoSheet {
    NoSheet::Damaged(cause.into().to_string())
}

/// Whether a file that begins as an archive does is a workbook.
pub(super) fn is_workbook(path: &Path) -> bool {
    archive::open(path).is_ok_and(|archive| archive.index_for_name(WORKBOOK).is_some())
}

/// Reads the first sheet of a workbook. Neither its parts nor its text may have more bytes than `most`.
///
/// # Errors
/// When it is too large, or no workbook that every program would see the same in.
pub(super) fn first_sheet(path: &Path, most: u64) -> Result<FirstSheet, NoSheet> {
    let mut archive = archive::open(path).map_err(damaged)?;
    refuse_large(&mut archive, most)?;
    let mut workbook: Xlsx<_> = open_workbook(path).map_err(|error: XlsxError| damaged(error))?;
    let sheets = workbook.sheets_metadata().iter();
    let mut names =
        sheets.filter(|sheet| sheet.typ == SheetType::WorkSheet).map(|sheet| sheet.name.clone());
    let first = names.next().ok_or_else(|| damaged("the workbook has no sheet"))?;
    let others = names.collect();
    let mut cells = workbook.worksheet_cells_reader(&first).map_err(damaged)?;
    let (mut sheet, mut errors) = (Cells::default(), None);
    while let Some(cell) = cells.next_cell().map_err(damaged)? {
        let (row, column) = cell.get_position();
        if matches!(cell.get_value(), DataRef::Error(_)) {
            let (count, _) = errors.get_or_insert((0, u64::from(row) + 1));
            *count += 1;
        }
        sheet.push(row, column, cell.get_value(), most)?;
    }
    Ok(FirstSheet { csv: sheet.into_csv(most)?, errors, others })
}

/// Holds the parts that are read against the limit, by what is in them and not by what they say.
fn refuse_large(archive: &mut Archive, most: u64) -> Result<(), NoSheet> {
    let names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    let mut left = most;
    for name in names.iter().filter(|name| READ.iter().any(|end| name.ends_with(end))) {
        let length = archive::length(archive, name, left).map_err(damaged)?;
        left = left.checked_sub(length).ok_or(NoSheet::TooLarge)?;
        if name.eq_ignore_ascii_case(TEXTS)
            && !states_texts(archive, name, length).map_err(damaged)?
        {
            return Err(damaged("it says that it has more texts than it can hold"));
        }
    }
    Ok(())
}

/// Whether the part of that many bytes may have as many texts as it says.
fn states_texts(archive: &mut Archive, name: &str, length: u64) -> Result<bool, ZipError> {
    let head = archive::head(archive, name, PROLOGUE)?;
    let end = memmem::find(&head, b"<si").or_else(|| memmem::find(&head, b":si"));
    let prologue = head.get(..end.unwrap_or(head.len())).unwrap_or_default();
    let is_whole = end.is_some() || length <= PROLOGUE;
    let has_remark = memmem::find(prologue, b"<!--").is_some();
    let mut stated = memmem::find_iter(prologue, b"uniqueCount").map(|at| {
        let behind = prologue.get(at..).unwrap_or_default();
        let digits = behind.iter().skip_while(|byte| !byte.is_ascii_digit());
        digits.take_while(|byte| byte.is_ascii_digit()).fold(0_u64, |number, digit| {
            number.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
        })
    });
    Ok(is_whole && !has_remark && stated.all(|count| count <= length))
}

/// The cells of a sheet that hold something, in order.
#[derive(Default)]
struct Cells {
    text: String,
    /// Row, column and where the text of each cell ends.
    places: Vec<(u32, u32, usize)>,
}

impl Cells {
    fn push(
        &mut self,
        row: u32,
        column: u32,
        value: &DataRef<'_>,
        most: u64,
    ) -> Result<(), NoSheet> {
        let start = self.text.len();
        write_value(&mut self.text, value);
        if self.text.len() == start {
            return Ok(());
        }
        let last = self.places.last();
        if last.is_some_and(|(before, beside, _)| (*before, *beside) >= (row, column)) {
            return Err(damaged(format!("the cells of row {} stand in no order", row + 1)));
        }
        self.places.push((row, column, self.text.len()));
        let held = self.text.len() + self.places.len() * size_of::<(u32, u32, usize)>();
        if held as u64 > most { Err(NoSheet::TooLarge) } else { Ok(()) }
    }

    /// A record for each row, from the first column that holds something to the last.
    fn into_csv(self, most: u64) -> Result<String, NoSheet> {
        let columns = || self.places.iter().map(|(_, column, _)| *column);
        let (first, last) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
        let mut csv = String::with_capacity(self.text.len() + self.places.len());
        let (mut row, mut column, mut start) = (0, first, 0);
        for (in_row, in_column, end) in &self.places {
            let behind = if *in_row > row { last - column } else { 0 };
            let rows = u64::from(in_row - row);
            if csv.len() as u64 + rows + u64::from(last - first) > most {
                return Err(NoSheet::TooLarge);
            }
            if *in_row > row {
                // Nothing stands in the rows before the first that holds something.
                let commas = if csv.trim_ascii().is_empty() { 0 } else { behind as usize };
                csv.extend(std::iter::repeat_n(',', commas));
                csv.extend(std::iter::repeat_n('\n', (in_row - row) as usize));
                (row, column) = (*in_row, first);
            }
            csv.extend(std::iter::repeat_n(',', (in_column - column) as usize));
            column = *in_column;
            quote(&mut csv, self.text.get(start..*end).unwrap_or_default());
            start = *end;
        }
        if !csv.is_empty() {
            csv.extend(std::iter::repeat_n(',', (last - column) as usize));
            csv.push('\n');
        }
        Ok(csv)
    }
}

/// A cell by the rules of RFC 4180.
pub(super) fn quote(csv: &mut String, cell: &str) {
    if cell.contains(['"', ',', '\n', '\r']) || cell.trim() != cell {
        csv.push('"');
        cell.split('"').enumerate().for_each(|(at, piece)| {
            csv.push_str(if at > 0 { "\"\"" } else { "" });
            csv.push_str(piece);
        });
        csv.push('"');
    } else {
        csv.push_str(cell);
    }
}

/// The text of a cell; an error has none.
fn write_value(text: &mut String, value: &DataRef<'_>) {
    let _infallible = match value {
        DataRef::Empty | DataRef::Error(_) => Ok(()),
        DataRef::Int(number) => write!(text, "{number}"),
        DataRef::Float(number) => write_number(text, *number),
        DataRef::Bool(is_so) => write!(text, "{is_so}"),
        DataRef::DateTime(time) => write_time(text, *time),
        DataRef::SharedString(written) => text.write_str(written),
        DataRef::String(written)
        | DataRef::DateTimeIso(written)
        | DataRef::DurationIso(written) => text.write_str(written),
    };
}

/// The fewest digits that give the number again, with an exponent where there would be many zeros.
pub(super) fn write_number(text: &mut String, number: f64) -> std::fmt::Result {
    match serde_json::Number::from_f64(number).map(|number| number.to_string()) {
        Some(written) => text.write_str(written.strip_suffix(".0").unwrap_or(&written)),
        None => write!(text, "{number}"),
    }
}

/// A date, a time or both by ISO 8601.
fn write_time(text: &mut String, time: ExcelDateTime) -> std::fmt::Result {
    if time.is_duration() {
        return write!(text, "PT{}S", (time.as_f64() * DAY).round() / 1000.0);
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let is_midnight = (hour, minute, second, milli) == (0, 0, 0, 0);
    let has_date = time.as_f64() >= 1.0;
    if has_date {
        write!(text, "{year:04}-{month:02}-{day:02}")?;
    }
    if !(has_date && is_midnight) {
        let between = if has_date { "T" } else { "" };
        write!(text, "{between}{hour:02}:{minute:02}:{second:02}")?;
        if milli > 0 {
            write!(text, ".{milli:03}")?;
        }
    }
    Ok(())
}

/// Where the records of such a text end, in bytes: a line that ends in quotes ends no row.
pub(super) fn row_ends(text: &[u8], mut in_quotes: bool) -> (Vec<usize>, bool) {
    let mut ends = Vec::new();
    for at in memchr::memchr2_iter(b'"', b'\n', text) {
        if text.get(at) == Some(&b'"') {
            in_quotes = !in_quotes;
        } else if !in_quotes {
            ends.push(at);
        }
    }
    (ends, in_quotes)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use serde_json::Value;

    use super::*;

    /// By `fixtures/make_spreadsheets.py`.
    const CELLS: &str = "../fixtures/spreadsheets/cells.xlsx";
    const JUDGED: &str = "../fixtures/runs/spreadsheet/vlmevalkit/small/T20261101-120000/\
                          small_MMBench_DEV_EN_judge_result.xlsx";
    const ALL: u64 = 1 << 20;

    fn rows(csv: &str) -> Vec<Vec<String>> {
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv.as_bytes());
        let rows = reader.records().map(|row| row.expect("a record"));
        rows.map(|row| row.iter().map(str::to_owned).collect()).collect()
    }

    /// A workbook with one part replaced.
    fn with_part(
        book: &str,
        name: &str,
        change: impl Fn(String) -> String,
    ) -> tempfile::NamedTempFile {
        let mut from = archive::open(Path::new(book)).expect("an archive");
        let mut to = zip::ZipWriter::new(tempfile::NamedTempFile::new().expect("a file"));
        let names: Vec<String> = from.file_names().map(str::to_owned).collect();
        for part in names {
            let bytes = archive::head(&mut from, &part, ALL).expect("a part");
            let text = String::from_utf8(bytes).expect("text");
            let text = if part == name { change(text) } else { text };
            to.start_file(part, zip::write::SimpleFileOptions::default()).expect("begun");
            to.write_all(text.as_bytes()).expect("written");
        }
        to.finish().expect("finished")
    }

    #[test]
    fn cells_are_what_openpyxl_reads() {
        let FirstSheet { csv, errors, others } =
            first_sheet(Path::new(CELLS), ALL).expect("a sheet");
        let expected = fs::read_to_string("../fixtures/spreadsheets/cells.json").expect("values");
        let expected: Vec<Vec<Value>> = serde_json::from_str(&expected).expect("JSON");
        // Readers of CSV pass over empty lines.
        let is_empty = |row: &&Vec<Value>| row.iter().all(|value| value == "");
        let kept: Vec<&Vec<Value>> = expected.iter().filter(|row| !is_empty(row)).collect();
        let read = rows(&csv);
        assert_eq!(read.len(), kept.len());
        for (cells, values) in read.iter().zip(kept) {
            assert_eq!(cells.len(), values.len(), "{cells:?}");
            for (cell, value) in cells.iter().zip(values) {
                match value {
                    Value::Number(number) => assert_eq!(cell.parse().ok(), number.as_f64()),
                    Value::String(text) => assert_eq!(cell, text),
                    other => assert_eq!(cell, &other.to_string()),
                }
            }
        }
        assert_eq!((errors, others), (Some((1, 14)), Vec::new()));
        assert_eq!(row_ends(csv.as_bytes(), false).0.len(), expected.len());
    }

    #[test]
    fn a_number_has_the_fewest_digits_that_give_it_again() {
        for (number, expected) in [
            (f64::NAN, "NaN"),
            (0.1 + 0.2, "0.30000000000000004"),
            (12.0, "12"),
            (-0.0, "-0"),
            (1e15, "1000000000000000"),
            (1.5e300, "1.5e+300"),
            (-2.5e-12, "-2.5e-12"),
        ] {
            let mut text = String::new();
            write_value(&mut text, &DataRef::Float(number));
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn a_sheet_larger_than_the_limit_is_not_read() {
        let needed = (0..ALL)
            .step_by(1 << 8)
            .find(|most| !matches!(first_sheet(Path::new(CELLS), *most), Err(NoSheet::TooLarge)));
        let needed = needed.expect("it is read at last");
        assert!(needed > 1 << 12 && first_sheet(Path::new(CELLS), needed).is_ok(), "{needed}");
        let far = with_part(CELLS, "xl/worksheets/sheet1.xml", |sheet| {
            sheet.replace("r=\"16\"", "r=\"1000000000\"").replace("A16\"", "A1000000000\"")
        });
        assert!(first_sheet(far.path(), ALL).is_err());
    }

    #[test]
    fn a_workbook_that_says_it_has_more_texts_than_bytes_is_refused() {
        let changed = |change: fn(&str) -> String| {
            let book = with_part(JUDGED, TEXTS, |texts| {
                let (before, behind) = texts.split_once("uniqueCount=\"").expect("a count");
                let (_, behind) = behind.split_once('"').expect("its end");
                before.to_owned() + &change(behind)
            });
            first_sheet(book.path(), ALL).is_ok()
        };
        assert!(changed(|rest| format!("uniqueCount=\"19\"{rest}")));
        assert!(!changed(|rest| format!("uniqueCount=\"99999999999999999999\"{rest}")));
        assert!(!changed(|rest| format!("uniqueCount = '4000000000'{rest}")));
    }

    #[test]
    fn damaged_workbooks_are_refused_without_a_panic() {
        let whole = fs::read(CELLS).expect("bytes");
        let directory = tempfile::tempdir().expect("a directory");
        let place = directory.path().join("cells.xlsx");
        let mut read = 0;
        for at in (0..whole.len()).step_by(7) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            fs::write(&place, bytes).expect("written");
            read += usize::from(is_workbook(&place) && first_sheet(&place, ALL).is_ok());
            fs::write(&place, &whole[..at]).expect("written");
            assert!(!is_workbook(&place), "{at}");
        }
        // Names, times and attributes of parts may change without a consequence.
        assert!(read > 0 && read < whole.len() / 7, "{read}");
        for (part, from, to) in [
            ("xl/worksheets/sheet1.xml", "t=\"s\"", "t=\"q\""),
            ("xl/worksheets/sheet1.xml", "<v>0</v>", "<v>999</v>"),
            ("xl/worksheets/sheet1.xml", "r=\"B2\"", "r=\"A1\""),
            ("xl/worksheets/sheet1.xml", "</sheetData>", ""),
            ("xl/workbook.xml", "r:id", "r:no"),
        ] {
            let changed = with_part(JUDGED, part, |text| {
                assert!(text.contains(from), "{from}");
                text.replace(from, to)
            });
            assert!(first_sheet(changed.path(), ALL).is_err(), "{from} {to}");
        }
    }
}
