//! Files as what stands in them: unpacked, without a byte order mark, and as text with invalid
//! UTF-8 replaced. And the findings about files that cannot be read, or hold what is no record.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::database::table;
use super::lines::{self, Limits, Line, ReadEnd};
use super::packing::BOM;
pub(super) use super::packing::{Packing, decoded, unreadable};
use super::{FileEntry, spreadsheet, watch};
use crate::diag::{Code, Diagnostic, Fact, Location, Warned};
use crate::model;

/// Reads the whole file as text, see [`read_text_below`].
pub(super) fn read_text(file: &FileEntry) -> Result<Warned<String>, Box<Diagnostic>> {
    read_text_below(file, document_bytes(file))
}

/// Reads the whole file as text; a file of more bytes after decompression than `limit`, or than any
/// document may have, is refused.
pub(super) fn read_text_below(
    file: &FileEntry,
    limit: u64,
) -> Result<Warned<String>, Box<Diagnostic>> {
    let limit = limit.min(document_bytes(file));
    let expected = usize::try_from(file.bytes.min(limit).min(1 << 20)).unwrap_or_default();
    let mut bytes = Vec::with_capacity(expected + 1);
    open(&file.path, file.packing, file.limits)
        .and_then(|source| source.take(limit + 1).read_to_end(&mut bytes))
        .map_err(|error| unreadable(&file.display, error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(file, limit));
    }
    Ok(decode(bytes, &file.display))
}

/// Reads a file as [`read_text`] does, but holds no more than blocks of its lines; see [`lines::parse`].
pub(super) fn read_lines<T: Send>(
    file: &FileEntry,
    new: impl Fn() -> T + Sync,
    each: impl Fn(&mut T, u64, Line<'_>) + Sync,
    mut merge: impl FnMut(T, u64) + Send,
) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
    let limit = document_bytes(file);
    let limits = Limits::from(file.limits);
    // Whatever is longer, or has more lines, is larger than a document may be.
    let line_bytes = usize::try_from(limit).unwrap_or(limits.line_bytes);
    let limits = Limits { line_bytes, lines: limit, ..limits };
    let source = open(&file.path, file.packing, file.limits)
        .map_err(|error| unreadable(&file.display, error))?;
    let mut replaced = None;
    let look = |(value, replaced): &mut (T, Option<u64>), number, line: Line<'_>| {
        if matches!(line, Line::Text { replaced: true, .. }) {
            replaced.get_or_insert(number);
        }
        each(value, number, line);
    };
    let take = |(value, number): (T, Option<u64>), before| {
        replaced = replaced.or(number.map(|number| before + number));
        merge(value, before);
    };
    let end = lines::parse(source.take(limit + 1), limits, || (new(), None), look, take);
    match end.error {
        Some(error) => Err(Box::new(unreadable(&file.display, error))),
        None if end.bytes > limit => Err(too_large(file, limit)),
        None => Ok(replaced.map(|line| invalid_utf8(line, &file.display)).into_iter().collect()),
    }
}

fn too_large(file: &FileEntry, limit: u64) -> Box<Diagnostic> {
    let finding = Diagnostic::new(Code::TooLarge).with("limit_mib", limit >> 20);
    Box::new(finding.with("bytes", file.bytes).at(Location::file(&*file.display)))
}

fn invalid_utf8(line: u64, display: &str) -> Diagnostic {
    Diagnostic::new(Code::InvalidUtf8).with("line", line).at(Location::line(display, line))
}

/// Largest document that is read for a list of samples in it, in bytes after decompression.
pub(super) const LIST_BYTES: u64 = 200 << 20;

/// Reads a document that holds a list of samples.
pub(super) fn list_text(file: &FileEntry) -> Result<Warned<String>, Box<Diagnostic>> {
    read_text_below(file, LIST_BYTES)
}

/// The same for a second reading, of which only the code of a finding is told.
pub(super) fn list_text_again(file: &FileEntry) -> Result<String, String> {
    list_text(file).map(|read| read.value).map_err(|finding| finding.code.id().to_owned())
}

/// How much of a file may be read as one piece.
pub(super) fn document_bytes(file: &FileEntry) -> u64 {
    file.limits.document_bytes()
}

/// The content of a file: unpacked, without byte order mark.
pub(super) fn open(
    path: &Path,
    packing: Packing,
    limits: model::Limits,
) -> io::Result<Box<dyn Read + Send>> {
    match packing {
        Packing::Workbook => {
            let sheet = spreadsheet::first_sheet(path, limits.document_bytes())?;
            Ok(Box::new(io::Cursor::new(sheet.csv)))
        }
        Packing::Table { place, compression } => table::open(path, place, compression, limits),
        Packing::Bytes(compression) => {
            watch::note(path, 0);
            decoded(File::open(path)?, compression, limits)
        }
    }
}

/// Bytes of a stretch of a text, and of the end of the one before that it begins with.
const STRETCH: usize = 1 << 20;
const OVERLAP: usize = 1 << 12;

/// Hands on a text in stretches of whole lines until `is_enough` says so, as far as a document may be long.
/// Says whether it came to the end of the file. Lines longer than a stretch are cut.
pub(super) fn for_each_stretch(
    file: &mut FileEntry,
    mut is_enough: impl FnMut(&mut FileEntry, Vec<u8>) -> bool,
) -> io::Result<bool> {
    let mut source = open(&file.path, file.packing, file.limits)?.take(document_bytes(file));
    let (mut stretch, mut all) = (Vec::with_capacity(STRETCH), 0);
    loop {
        let room = STRETCH.saturating_sub(stretch.len()) as u64;
        let read = source.by_ref().take(room).read_to_end(&mut stretch)?;
        all += read as u64;
        let is_last = (read as u64) < room;
        let end =
            stretch.iter().rposition(|byte| *byte == b'\n').map_or(stretch.len(), |at| at + 1);
        // Behind an early end of a line goes a long one, which is cut.
        let end = if is_last || end < STRETCH / 2 { stretch.len() } else { end };
        let next = stretch.get(end.saturating_sub(OVERLAP)..).unwrap_or_default().to_vec();
        stretch.truncate(end);
        if is_enough(file, stretch) {
            return Ok(false);
        }
        if is_last {
            return Ok(all < document_bytes(file));
        }
        stretch = next;
    }
}

/// The finding for what does not parse and is left out.
pub(super) fn bad_record(cause: impl Into<Fact>, location: Location) -> Diagnostic {
    bad_records(1, cause, location)
}

/// The finding for several such records, the first of which stands there.
pub(super) fn bad_records(count: u64, cause: impl Into<Fact>, first: Location) -> Diagnostic {
    Diagnostic::new(Code::BadRecord).with("count", count).with("cause", cause).at(first)
}

/// The bytes after a byte order mark, if there is one.
pub(super) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes)
}

fn decode(bytes: Vec<u8>, display: &str) -> Warned<String> {
    match String::from_utf8(bytes) {
        Ok(text) => Warned::clean(text),
        Err(error) => {
            let good = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let before = bytes.get(..good).unwrap_or_default();
            let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Warned::new(text, vec![invalid_utf8(line, display)])
        }
    }
}

/// What ended the reading of a file of records before its end.
pub(super) fn end_findings(end: &ReadEnd, limits: Limits, path: &str) -> Vec<Diagnostic> {
    let full = end.is_full.then(|| past_limit("records", limits.lines, path));
    full.into_iter().chain(end.failure().map(|error| unreadable(path, error))).collect()
}

/// The finding about a file of which the last record, on that line, stops in the middle.
pub(super) fn torn_tail(file: &FileEntry, line: u64) -> Diagnostic {
    Diagnostic::new(Code::TornTail).with("line", line).at(Location::line(&*file.display, line))
}

/// Whether a text ends in a number that stops behind its decimal point.
pub(super) fn stops_behind_point(text: &str) -> bool {
    text.strip_suffix('.').is_some_and(|number| number.ends_with(|c: char| c.is_ascii_digit()))
}

/// The finding for what lies past a limit: its name, as `--limit` takes it.
pub(super) fn past_limit(limit: &'static str, most: impl Into<Fact>, path: &str) -> Diagnostic {
    let finding = Diagnostic::new(Code::LimitReached).with("limit", limit).with("most", most);
    finding.at(Location::file(path))
}
