//! Per-sample records as a table of text: a header with an id and at least one score.
//!
//! Knows delimiters, quotes and headers; what the columns mean is the business of `samples`.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Read};

use csv::ByteRecord;
use indexmap::IndexSet;
use memchr::{memchr, memchr_iter};

use crate::collect::content::{self, Packing, past_limit, unreadable};
use crate::collect::entry::HEAD;
use crate::collect::lines::{self, BlockPiece, Limits, LongLines};
use crate::collect::records::{Quotes, delimiter};
use crate::collect::spreadsheet::row_ends;
use crate::collect::strict_rows::for_each_row;
use crate::collect::{FileEntry, ReadOptions, ReadResult, Reader};

use super::sample_ids;
use super::samples::value::RecordValue;
use super::samples::{BadRecord, Harvest};

pub const READER: Reader = Reader { name: "samples-csv", recognises, read };

/// Files below this are read in one piece.
const LEAST_BYTES: u64 = 4 << 20;
/// Columns beyond which a table may have fewer rows than its limit says, as each takes longer.
const WIDTH: u64 = 32;
/// Rows of the head that are looked at before a file is refused.
const HEAD_ROWS: usize = 20;

fn recognises(file: &FileEntry) -> bool {
    holds_samples(file, &ReadOptions::default())
}

/// Whether the file holds samples, fields that the user declares as metrics included.
pub(super) fn holds_samples(file: &FileEntry, options: &ReadOptions) -> bool {
    if !["csv", "tsv", "tab"].iter().any(|end| file.has_extension(end)) {
        return false;
    }
    let mut reader = reader(file, file.head.as_slice());
    let Ok(header) = reader.byte_headers().map(names) else { return false };
    let mut harvest = Harvest::choosing(options);
    reader.byte_records().take(HEAD_ROWS).any(|row| {
        row.is_ok_and(|row| {
            harvest.begin();
            let _replaced = take_row(&mut harvest, &header, &row);
            harvest.holds_sample()
        })
    })
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let limits = Limits::from(file.limits);
    if file.packing == Packing::PLAIN
        && file.bytes >= LEAST_BYTES
        && let Some(whole) = in_blocks(file, limits, options)
    {
        return Ok(whole.into_fragment(file, limits.line_bytes));
    }
    row_by_row(file, options)
}

/// The records of a file whose rows are all whole, read in blocks side by side. `None` for any other file.
fn in_blocks(file: &FileEntry, limits: Limits, options: &ReadOptions) -> Option<Harvest> {
    let mut content = content::open(&file.path, file.packing, file.limits).ok()?;
    let mut start = Vec::new();
    content.by_ref().take(HEAD as u64).read_to_end(&mut start).ok()?;
    let (header, length) = {
        let mut reader = reader(file, start.as_slice());
        let header = reader.byte_headers().map(names).ok()?;
        (header, usize::try_from(reader.position().byte()).ok()?)
    };
    let rest = start.get(length..).filter(|rest| !rest.is_empty())?;
    let lines_of_header = memchr_iter(b'\n', start.get(..length)?).count() as u64;
    let most_rows = most_rows(&header, file);
    let (mut whole, mut rows, mut is_whole) = (Harvest::default(), 0, true);
    let delimiter = delimiter(file);
    let mut quotes = Quotes::of(delimiter);
    let last_end = |bytes: &[u8]| quotes.last_row_end(bytes);
    let read = |_: BlockPiece, block: &mut Vec<u8>| {
        let (mut harvest, mut rows) = (Harvest::of_file(file, options), 0);
        let lines = for_each_row(block, delimiter, |line, row| {
            rows += 1;
            let is_sound = row.len() == header.names.len() && !swallows_rows(row, delimiter);
            if is_sound {
                harvest.begin();
                if take_row(&mut harvest, &header, row) {
                    harvest.findings.replaced.note(line);
                }
                harvest.end(line);
            }
            is_sound
        });
        let whole = lines.is_some() && !harvest.findings.lost_some();
        (whole.then_some((harvest, rows)), lines.unwrap_or_default())
    };
    let merge = |of_block: Option<(Harvest, u64)>, before| {
        let Some((harvest, of_block)) = of_block else {
            is_whole = false;
            return;
        };
        rows += of_block;
        is_whole &= rows <= most_rows;
        if is_whole {
            whole.append(harvest, lines_of_header + before, file.limits.metrics);
        }
    };
    // Lines are no rows, and more than bytes there are none.
    let limits = Limits { lines: file.bytes + 1, ..limits };
    let ended =
        lines::in_blocks_of(rest.chain(content), limits, (LongLines::Stop, last_end), read, merge);
    (is_whole && ended.error.is_none()).then_some(whole)
}

fn most_rows(header: &Header, file: &FileEntry) -> u64 {
    let most = file.limits.records;
    (most.saturating_mul(WIDTH) / header.names.len().max(1) as u64).min(most)
}

fn row_by_row(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let content = content::open(&file.path, file.packing, file.limits)
        .map_err(|error| unreadable(&file.display, error))?;
    let most_bytes = Limits::from(file.limits).line_bytes;
    let mut reader = reader(file, Tracked::of(file, content, most_bytes as u64));
    let header = reader
        .byte_headers()
        .map(names)
        .map_err(|error| unreadable(&file.display, io_error(error)))?;
    let mut harvest = Harvest::of_file(file, options);
    let mut rows = 0;
    let most = most_rows(&header, file);
    let failed = take_rows(&mut harvest, &header, &mut reader, &mut rows, most).err();
    let mut warned = harvest.into_fragment(file, most_bytes);
    let full = rows > most;
    warned.diagnostics.extend(full.then(|| past_limit("records", most, &file.display)));
    warned.diagnostics.extend(failed.map(|error| unreadable(&file.display, error)));
    Ok(warned)
}

/// Takes every row; compressed data that stops in the middle is a torn tail, not an error.
fn take_rows<R: Read>(
    harvest: &mut Harvest,
    header: &Header,
    reader: &mut csv::Reader<Tracked<R>>,
    rows: &mut u64,
    most: u64,
) -> io::Result<()> {
    let mut row = ByteRecord::new();
    let mut ragged: Option<BadRecord> = None;
    let (mut swallowing, delimiter) = (None, reader.get_ref().quotes.delimiter);
    loop {
        let start = reader.position().byte();
        reader.get_mut().row_start = start;
        let found = reader.read_byte_record(&mut row).map_err(io_error);
        let line = reader.get_mut().line_at(start);
        match found {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                let expected = "more compressed data";
                harvest.findings.torn = Some(BadRecord { line, column: None, expected });
                return Ok(());
            }
            Err(error) => return Err(error),
            Ok(false) => break,
            Ok(true) => {}
        }
        if reader.get_ref().has_ended && reader.get_ref().quotes.is_open {
            let expected = "the quote that ends the cell";
            harvest.findings.torn = Some(BadRecord { line, column: None, expected });
            return Ok(());
        }
        *rows += 1;
        if *rows > most {
            return Ok(());
        }
        if swallowing.is_none() && swallows_rows(&row, delimiter) {
            swallowing = Some(line);
        }
        if let Some(before) = ragged.take() {
            harvest.findings.bad(before);
        }
        if row.len() != header.names.len() {
            let expected = "as many fields as in the header";
            ragged = Some(BadRecord { line, column: None, expected });
            continue;
        }
        harvest.begin();
        if take_row(harvest, header, &row) {
            harvest.findings.replaced.note(line);
        }
        harvest.end(line);
    }
    if let Some(line) = reader.get_ref().quotes.malformed {
        let expected = "a delimiter behind the quote that closes a cell";
        harvest.findings.bad(BadRecord { line, column: None, expected });
    }
    if let Some(line) = swallowing {
        let expected = "the quote that ends a cell before rows that look like its own";
        harvest.findings.bad(BadRecord { line, column: None, expected });
    }
    match ragged {
        Some(record) if reader.get_ref().last == b'\n' => harvest.findings.bad(record),
        Some(record) => harvest.findings.torn = Some(record),
        None => {}
    }
    Ok(())
}

/// Lines of a cell with as many separators as the row, and numbers in the places of its numbers, from which
/// they were rows before a quote opened that nobody meant.
const FEWEST_SWALLOWED: usize = 3;

/// Whether a cell holds lines that are rows of the table.
fn swallows_rows(row: &ByteRecord, delimiter: u8) -> bool {
    let is_number =
        |cell: &[u8]| std::str::from_utf8(cell).is_ok_and(|text| text.parse::<f64>().is_ok());
    let is_row = |line: &&[u8]| {
        if memchr_iter(delimiter, line).count() + 1 != row.len() {
            return false;
        }
        let cells = line.split(|byte| *byte == delimiter);
        let mut numbers = row.iter().zip(cells).filter(|(own, _)| is_number(own)).peekable();
        numbers.peek().is_some() && numbers.all(|(_, cell)| is_number(cell))
    };
    let fewest = FEWEST_SWALLOWED * row.len().saturating_sub(1);
    let holds = |cell: &[u8]| {
        if memchr_iter(delimiter, cell).count() < fewest {
            return false;
        }
        let lines = cell.split(|byte| *byte == b'\n').skip(1);
        lines.filter(is_row).take(FEWEST_SWALLOWED).count() == FEWEST_SWALLOWED
    };
    row.len() > 1 && row.iter().any(|cell| memchr(b'\n', cell).is_some() && holds(cell))
}

/// Hands on the rows of these lines, as JSON.
pub(in crate::collect) fn records(
    file: &FileEntry,
    wanted: &BTreeSet<u64>,
    take: &mut dyn FnMut(u64, &str),
) -> io::Result<()> {
    let content = content::open(&file.path, file.packing, file.limits)?;
    let most = Limits::from(file.limits).line_bytes as u64;
    let mut reader = reader(file, Tracked::of(file, content, most));
    let header = reader.byte_headers().map(names).map_err(io_error)?;
    let mut row = ByteRecord::new();
    let last = wanted.last().copied().unwrap_or_default();
    loop {
        let start = reader.position().byte();
        reader.get_mut().row_start = start;
        if !reader.read_byte_record(&mut row).map_err(io_error)? {
            return Ok(());
        }
        let line = reader.get_mut().line_at(start);
        if line > last {
            return Ok(());
        }
        if wanted.contains(&line) {
            take(line, &as_json(&header, &row));
        }
    }
}

/// A row as a JSON object, numbers in the form that they have as ids. Columns without a name are left
/// out, but for an index.
fn as_json(header: &Header, row: &ByteRecord) -> String {
    let mut record = serde_json::Map::new();
    for (position, name, cell) in header.cells(row) {
        let is_index = position == 0 && sample_ids::is_unnamed(name);
        if sample_ids::is_unnamed(name) && !is_index {
            continue;
        }
        let text = String::from_utf8_lossy(cell);
        let value = match RecordValue::from_cell(&text) {
            RecordValue::Null => serde_json::Value::Null,
            value => value.text().unwrap_or_default().into(),
        };
        record.insert(if is_index { sample_ids::WEAKEST } else { name }.to_owned(), value);
    }
    serde_json::Value::from(record).to_string()
}

/// Hands the cells of a row over and returns whether bytes had to be replaced.
fn take_row(harvest: &mut Harvest, header: &Header, row: &ByteRecord) -> bool {
    let mut replaced = false;
    for (position, name, cell) in header.cells(row) {
        let lossy;
        let text = if let Ok(text) = simdutf8::basic::from_utf8(cell) {
            text
        } else {
            replaced = true;
            lossy = String::from_utf8_lossy(cell);
            &*lossy
        };
        if !sample_ids::is_unnamed(name) {
            harvest.take(position, name, RecordValue::from_cell(text));
        } else if position == 0 {
            harvest.take_index(RecordValue::from_cell(text));
        }
    }
    replaced
}

/// The columns. Of those with equal names the first is taken last, so that it counts and what the others
/// say beside it is noticed.
struct Header {
    names: Vec<String>,
    order: Vec<usize>,
}

impl Header {
    fn cells<'h>(
        &'h self,
        row: &'h ByteRecord,
    ) -> impl Iterator<Item = (usize, &'h str, &'h [u8])> {
        self.order.iter().filter_map(|&at| Some((at, self.names.get(at)?.as_str(), row.get(at)?)))
    }
}

fn names(header: &ByteRecord) -> Header {
    let name = |name: &[u8]| String::from_utf8_lossy(name).trim().to_owned();
    let names: Vec<String> = header.iter().map(name).collect();
    let mut seen = IndexSet::new();
    let (first, repeated): (Vec<usize>, Vec<usize>) =
        (0..names.len()).partition(|&at| seen.insert(names[at].as_str()));
    Header { order: [repeated, first].concat(), names }
}

fn reader<R: Read>(file: &FileEntry, content: R) -> csv::Reader<R> {
    builder(file).from_reader(content)
}

fn builder(file: &FileEntry) -> csv::ReaderBuilder {
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(delimiter(file)).flexible(true).buffer_capacity(1 << 18);
    builder
}

fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A stream that remembers its last byte, whether quotes are open, and where its lines end.
///
/// `csv` counts lines too, but takes the second half of a CR LF for the start of the next record.
struct Tracked<R> {
    content: R,
    last: u8,
    bytes: u64,
    has_ended: bool,
    quotes: Quotes,
    /// Where the row that is read begins, and how long it may be.
    row_start: u64,
    most_bytes: u64,
    /// Whether a cell is open, where rows count and not lines, as in a spreadsheet.
    in_cell: Option<bool>,
    /// Line ends that were read but not yet counted.
    ends: VecDeque<u64>,
    counted: u64,
}

impl<R> Tracked<R> {
    fn of(file: &FileEntry, content: R, most_bytes: u64) -> Self {
        Self {
            content,
            last: b'\n',
            bytes: 0,
            has_ended: false,
            quotes: Quotes::of(delimiter(file)),
            row_start: 0,
            most_bytes,
            in_cell: file.packing.is_sheet().then_some(false),
            ends: VecDeque::new(),
            counted: 0,
        }
    }

    /// The line of the record that starts at that offset or behind line ends that stand there.
    fn line_at(&mut self, offset: u64) -> u64 {
        let mut start = offset;
        while let Some(&end) = self.ends.front()
            && end <= start
        {
            start = start.max(end + 1);
            self.counted += 1;
            self.ends.pop_front();
        }
        self.counted + 1
    }
}

impl<R: Read> Read for Tracked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.saturating_sub(self.row_start) > self.most_bytes {
            let limit = self.most_bytes >> 20;
            let cause = format!("a row is longer than --limit line-mib={limit} allows");
            return Err(io::Error::other(cause));
        }
        let read = self.content.read(buffer)?;
        let fresh = buffer.get(..read).unwrap_or_default();
        if let Some(in_cell) = &mut self.in_cell {
            let ends;
            (ends, *in_cell) = row_ends(fresh, *in_cell);
            self.ends.extend(ends.into_iter().map(|at| self.bytes + at as u64));
        } else {
            self.ends.extend(memchr_iter(b'\n', fresh).map(|at| self.bytes + at as u64));
        }
        self.quotes.follow(fresh);
        self.has_ended |= read == 0 && !buffer.is_empty();
        self.bytes += read as u64;
        self.last = fresh.last().copied().unwrap_or(self.last);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of these bytes, what is read of it in blocks of so many bytes, if it is, and what row by row.
    fn both_ways(content: &str, block_bytes: usize) -> (Option<String>, String) {
        let directory = tempfile::tempdir().expect("directory");
        let path = directory.path().join("out.csv");
        std::fs::write(&path, content).expect("writes");
        let file = FileEntry { path, ..FileEntry::holding("out.csv", content.as_bytes()) };
        let options = ReadOptions::default();
        let limits = Limits { block_bytes, ..Limits::from(file.limits) };
        let in_blocks = in_blocks(&file, limits, &options);
        let shown = |harvest: Harvest| format!("{:?}", harvest.into_fragment(&file, 1));
        let by_row = row_by_row(&file, &options).expect("is read");
        (in_blocks.map(shown), format!("{by_row:?}"))
    }

    #[test]
    fn whole_rows_are_read_in_blocks_as_they_are_one_by_one_and_others_are_not() {
        let head = "id,prompt,correct,\"a \"\"note\"\"\"\n";
        let prompts = ["plain", "\"of\nlines, and\n\"", "\"a \"\"quote\"\"\n\"", "", "中文"];
        let row = |(id, prompt): (usize, &&str)| format!("q{id},{prompt},{},x\n", id % 2);
        let rows: String = (0..60).zip(prompts.iter().cycle()).map(row).collect();
        let whole = format!("{head}{rows}");
        for (content, is_whole) in [
            (whole.clone(), true),
            (whole.replace('\n', "\r\n"), true),
            (whole.trim_end().to_owned(), true),
            (format!("{whole}q99,two\n"), false),
            (format!("{whole}q99,\"open,1,x\n"), false),
            (format!("{whole}q99,\"a\"b,1,x\n"), false),
            (format!("{whole},no id,1,x\n"), false),
            (head.to_owned(), false),
        ] {
            for block_bytes in [16, 64, 1 << 20] {
                let (in_blocks, by_row) = both_ways(&content, block_bytes);
                assert_eq!(in_blocks.is_some(), is_whole, "{block_bytes} {content}");
                assert!(in_blocks.is_none_or(|found| found == by_row), "{block_bytes} {content}");
            }
        }
    }

    #[test]
    fn a_cell_swallows_rows_where_its_lines_have_their_numbers_in_the_same_places() {
        let text = [
            "a\nq2,0,b\nq3,1,c\nq4,0,d",
            "a\nq2,0\nq3,1\nq4,0",
            "a\nf(1, 2, 3)\ng(4, 5, 6)\nh(7, 8, 9)",
        ];
        for (cell, expected) in text.into_iter().zip([true, false, false]) {
            assert_eq!(
                swallows_rows(&ByteRecord::from(vec!["q1", "1", cell]), b','),
                expected,
                "{cell}"
            );
        }
    }
}
