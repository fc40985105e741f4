//! Small files of records, one a line, held as a whole: delimited tables and JSON lines.

use std::sync::atomic::{AtomicBool, Ordering};

use super::FileEntry;
use super::content::{
    bad_records, read_lines, read_text, stops_behind_point, torn_tail, unreadable,
};
use super::document::{Node, Parsed, Syntax, parse_json_line};
use super::lines::Line;
use super::occurrences::FewFaults;
use super::spreadsheet::row_ends;
use crate::diag::{Diagnostic, Location, Warned};

/// Most values of a file that is held as a whole; each takes up to some hundred bytes of memory.
const MOST_VALUES: usize = 20_000_000;

#[derive(Debug)]
pub(super) struct FileSheet {
    /// Column names, without surrounding space.
    pub(super) header: Vec<String>,
    /// Rows with the line each begins on, counted from 1.
    pub(super) rows: Vec<(u64, Vec<String>)>,
}

impl FileSheet {
    /// The cell of a row, without surrounding space; empty past the end of the row.
    pub(super) fn cell(row: &[String], column: usize) -> &str {
        row.get(column).map_or("", |cell| cell.trim())
    }
}

/// What is wrong where a quote in a table was meant for itself, so that it took rows into its cell.
pub(super) const BEHIND_QUOTE: &str = "text behind a quote that closes a cell";

/// Pieces of a table in which the end of its last row is looked for, and in how many lines of each.
const PIECE: usize = 16 << 10;
const MOST_ENDS: usize = 256;

/// Follows the quotes of a delimited table, by the rules of RFC 4180: one opens at the start of a cell, and
/// two in quotes are one.
#[derive(Debug, Clone)]
pub(super) struct Quotes {
    pub(super) delimiter: u8,
    pub(super) is_open: bool,
    /// How many bytes were followed, the last of them, and where quotes were closed last.
    bytes: u64,
    last: u8,
    closed: Option<u64>,
    /// How many lines ended, and the first line on which something stands behind a quote that was closed.
    lines: u64,
    pub(super) malformed: Option<u64>,
}

impl Quotes {
    pub(super) fn of(delimiter: u8) -> Self {
        Self {
            delimiter,
            is_open: false,
            bytes: 0,
            last: b'\n',
            closed: None,
            lines: 0,
            malformed: None,
        }
    }

    /// Whether a cell may end before that byte, or go on with a quote that stands for itself.
    fn may_follow(&self, byte: u8) -> bool {
        matches!(byte, b'\n' | b'\r' | b'"') || byte == self.delimiter
    }

    /// Follows bytes, and says where in them the last line ends that does so outside of cells in quotes. In long ones
    /// it may be one before the last.
    pub(super) fn last_row_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut starts = Vec::new();
        for (number, piece) in bytes.chunks(PIECE).enumerate() {
            starts.push((number * PIECE, self.clone()));
            self.follow(piece);
        }
        starts.into_iter().rev().find_map(|(start, before)| {
            let piece = bytes.get(start..)?;
            let piece = piece.get(..PIECE).unwrap_or(piece);
            let ends_row = |end: &usize| {
                let mut quotes = before.clone();
                quotes.follow(piece.get(..*end).unwrap_or_default());
                !quotes.is_open
            };
            let mut ends = memchr::memrchr_iter(b'\n', piece).take(MOST_ENDS);
            ends.find(ends_row).map(|end| start + end)
        })
    }

    pub(super) fn follow(&mut self, bytes: &[u8]) {
        let line = |place: usize| {
            let before = bytes.get(..place).unwrap_or_default();
            1 + memchr::memchr_iter(b'\n', before).count() as u64
        };
        let is_behind = self.closed.is_some_and(|closed| closed + 1 == self.bytes);
        if let Some(first) = bytes.first().filter(|_| is_behind && !self.is_open)
            && !self.may_follow(*first)
        {
            self.malformed.get_or_insert(self.lines + 1);
        }
        for place in memchr::memchr_iter(b'"', bytes) {
            let at = self.bytes + place as u64;
            let before = place.checked_sub(1).and_then(|before| bytes.get(before));
            let before = before.copied().unwrap_or(self.last);
            // A mark of the byte order may stand before the first cell.
            let is_first = at == 3 && before == 0xbf;
            let is_start = is_first || matches!(before, b'\n' | b'\r') || before == self.delimiter;
            let is_second = at.checked_sub(1).is_some_and(|before| self.closed == Some(before));
            if self.is_open {
                (self.is_open, self.closed) = (false, Some(at));
                let next = bytes.get(place + 1);
                if self.malformed.is_none() && next.is_some_and(|next| !self.may_follow(*next)) {
                    self.malformed = Some(self.lines + line(place));
                }
            } else if is_start || is_second {
                self.is_open = true;
            }
        }
        self.lines += memchr::memchr_iter(b'\n', bytes).count() as u64;
        self.bytes += bytes.len() as u64;
        self.last = bytes.last().copied().unwrap_or(self.last);
    }
}

/// The delimiter of a table file: a tab by its name, else whatever separates most names of the header.
pub(super) fn delimiter(file: &FileEntry) -> u8 {
    if file.packing.is_sheet() {
        return b',';
    }
    if file.has_extension("tsv") || file.has_extension("tab") {
        return b'\t';
    }
    let header = file.head.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let count = |delimiter: u8| memchr::memchr_iter(delimiter, header).count();
    // Of equals `max_by_key` takes the last: the comma.
    [b';', b'\t', b','].into_iter().max_by_key(|delimiter| count(*delimiter)).unwrap_or(b',')
}

/// A cell as it stands where commas separate cells: behind semicolons a comma is that of decimals.
fn with_point(cell: &str, delimiter: u8) -> String {
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    let pointed = || cell.replacen(',', ".", 1);
    let is_decimal = delimiter == b';'
        && cell.contains(',')
        && is_number(pointed().trim().trim_end_matches('%').trim_end());
    if is_decimal { pointed() } else { cell.to_owned() }
}

/// The column names of a table file as far as its first bytes show them.
pub(super) fn header(file: &FileEntry) -> Vec<String> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter(file)).from_reader(file.head.as_slice());
    reader.headers().map(names).unwrap_or_default()
}

fn names(header: &csv::StringRecord) -> Vec<String> {
    header.iter().map(|name| name.trim().to_owned()).collect()
}

/// Refuses a file of more values than should be held at once, by what separates them.
fn refuse_many_values(file: &FileEntry, separators: usize) -> Result<(), Box<Diagnostic>> {
    if separators <= MOST_VALUES {
        return Ok(());
    }
    let cause = format!("a file of more than {MOST_VALUES} values that is held as a whole");
    Err(Box::new(unreadable(&file.display, cause)))
}

/// Reads a table. Rows with more or fewer cells than the header are left out and reported.
pub(super) fn read_sheet(file: &FileEntry) -> Result<Warned<FileSheet>, Box<Diagnostic>> {
    let mut findings = Vec::new();
    let text = read_text(file)?.drain_into(&mut findings);
    let separators = memchr::memchr3_iter(b',', b'\t', b'\n', text.as_bytes()).count();
    refuse_many_values(file, separators)?;
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(file))
        .flexible(true)
        .from_reader(text.as_bytes());
    let header = reader.headers().map(names).unwrap_or_default();
    let rows = file.packing.is_sheet().then(|| row_ends(text.as_bytes(), false).0);
    let line = |at: &csv::Position| line_of(text.as_bytes(), rows.as_deref(), at);
    let delimiter = delimiter(file);
    let mut quotes = Quotes::of(delimiter);
    quotes.follow(text.as_bytes());
    let mut rows: Vec<(u64, Vec<String>)> = Vec::new();
    let (mut bad, mut ragged) = (FewFaults::default(), None::<(u64, String)>);
    for record in reader.records() {
        if let Some(before) = ragged.take() {
            bad.note(|| before);
        }
        let (at, fault) = match &record {
            Ok(record) if record.len() == header.len() => (record.position(), None),
            Ok(record) => {
                let cause = format!("{} cells under {} columns", record.len(), header.len());
                (record.position(), Some(cause))
            }
            Err(error) => (error.position(), Some(error.to_string())),
        };
        let line = at.map_or(0, line);
        match (record, fault) {
            (Ok(record), None) => {
                let cells = record.iter().map(|cell| with_point(cell, delimiter));
                rows.push((line, cells.collect()));
            }
            (_, fault) => ragged = Some((line, fault.unwrap_or_default())),
        }
    }
    match ragged {
        Some((line, _)) if quotes.is_open => findings.push(torn_tail(file, line)),
        Some(last) => bad.note(|| last),
        None if quotes.is_open || !text.ends_with(['\n', '\r']) && ends_torn(&rows) => {
            findings.extend(rows.pop().map(|(line, _)| torn_tail(file, line)));
        }
        None => {}
    }
    if let Some(line) = quotes.malformed {
        bad.note(|| (line, BEHIND_QUOTE.to_owned()));
    }
    findings.extend(bad.findings(|(line, cause): (u64, String), count| {
        bad_records(count, cause, Location::line(&*file.display, line))
    }));
    Ok(Warned::new(FileSheet { header, rows }, findings))
}

/// The line of a record, or the row where those of a sheet end there.
fn line_of(text: &[u8], rows: Option<&[usize]>, at: &csv::Position) -> u64 {
    let start = usize::try_from(at.byte()).unwrap_or(usize::MAX);
    // A position stands before the rest of the line end (`\r` is one by itself) and empty lines.
    let rest = text.get(start..).unwrap_or_default();
    let ends = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    let passed = ends.filter(|byte| **byte == b'\n').count() as u64;
    let before = rows.map(|ends| ends.partition_point(|end| *end < start) as u64 + 1);
    before.unwrap_or(at.line()) + passed
}

/// Whether the last row, behind which no line ends, stops in its last cell: that is empty as no other is, or a
/// number stops behind its point.
fn ends_torn(rows: &[(u64, Vec<String>)]) -> bool {
    let last_cell = |(_, row): &(u64, Vec<String>)| row.last().cloned().unwrap_or_default();
    let Some((last, others)) = rows.split_last() else { return false };
    let last = last_cell(last);
    let is_blank = |cell: &str| cell.trim().is_empty();
    stops_behind_point(&last)
        || is_blank(&last)
            && !others.is_empty()
            && !others.iter().any(|row| is_blank(&last_cell(row)))
}

/// JSON lines and whether the last one stops in the middle.
#[derive(Debug)]
pub(super) struct JsonLines {
    /// The records that are tables; [`Node::line`] is the line in the file.
    pub(super) records: Vec<Node>,
    /// Whether the producer died or is still writing.
    pub(super) torn: bool,
}

/// Reads JSON lines. Lines that do not parse are left out and reported.
pub(super) fn read_json_lines(file: &FileEntry) -> Result<Warned<JsonLines>, Box<Diagnostic>> {
    let mut records = Vec::new();
    let each = |records: &mut Vec<Node>, line, text: &str| {
        let Parsed { root, .. } = parse_json_line(text, line)?;
        records.extend(root.table().is_some().then_some(root));
        Ok(())
    };
    let read = json_lines_in_blocks(file, Vec::new, each, |block, before| {
        records.extend(block.into_iter().map(|mut record| {
            record.move_down(before);
            record
        }));
        true
    })?;
    Ok(Warned::new(JsonLines { records, torn: read.value }, read.diagnostics))
}

/// What was read of the lines of a block.
struct JsonBlock<T> {
    value: T,
    /// Lines that do not parse, and whether each of them ends.
    bad: Vec<(Syntax, bool)>,
    /// How many values the lines may have.
    values: usize,
}

/// Reads JSON lines in blocks, side by side: `new` makes the value of a block, `each` adds a line that is not blank
/// by its number in the block, and `take` has the blocks in the order of the file, each with the number of lines
/// before it, until it wants no further one. Says whether the last line stops in the middle.
pub(super) fn json_lines_in_blocks<T: Send>(
    file: &FileEntry,
    new: impl Fn() -> T + Sync,
    each: impl Fn(&mut T, u64, &str) -> Result<(), Syntax> + Sync,
    mut take: impl FnMut(T, u64) -> bool + Send,
) -> Result<Warned<bool>, Box<Diagnostic>> {
    let is_enough = AtomicBool::new(false);
    let (mut values, mut torn) = (0, None);
    let mut bad: FewFaults<Syntax> = FewFaults::default();
    let new = || JsonBlock { value: new(), bad: Vec::new(), values: 0 };
    let each = |block: &mut JsonBlock<T>, number, line: Line<'_>| {
        let Line::Text { text, ended, .. } = line else { return };
        let text = text.trim();
        block.values += 1 + memchr::memchr2_iter(b',', b'\t', text.as_bytes()).count();
        if text.is_empty() || is_enough.load(Ordering::Relaxed) {
            return;
        }
        if let Err(syntax) = each(&mut block.value, number, text) {
            block.bad.push((syntax, ended));
        }
    };
    let merge = |block: JsonBlock<T>, before| {
        values += block.values;
        for (syntax, ended) in block.bad {
            let syntax = Syntax { line: syntax.line + before, ..syntax };
            if ended {
                bad.note(|| syntax);
            } else {
                torn = Some(syntax.line);
            }
        }
        let stops = values > MOST_VALUES || !take(block.value, before);
        is_enough.fetch_or(stops, Ordering::Relaxed);
    };
    let mut findings = read_lines(file, new, each, merge)?;
    refuse_many_values(file, values)?;
    findings.extend(torn.map(|line| torn_tail(file, line)));
    findings.extend(bad.findings(|syntax, count| {
        bad_records(count, syntax.cause.as_str(), syntax.location(file))
    }));
    Ok(Warned::new(torn.is_some(), findings))
}

/// The first records of a JSON lines file, as far as its first bytes show them.
pub(super) fn first_records(file: &FileEntry) -> Vec<Node> {
    let head = String::from_utf8_lossy(&file.head);
    head.lines()
        .filter(|line| !line.trim().is_empty())
        .take(5)
        .filter_map(|line| parse_json_line(line.trim(), 1).ok())
        .map(|parsed| parsed.root)
        .filter(|root| root.table().is_some())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_row_ends_outside_of_quotes_whatever_came_before() {
        let mut quotes = Quotes::of(b',');
        assert_eq!(quotes.last_row_end(b"a\nb,\"c\n"), Some(1));
        assert_eq!(quotes.last_row_end(b"d\ne\n"), None);
        assert_eq!(quotes.last_row_end(b"f\",1\"2\ng\n"), Some(8));
    }
}
