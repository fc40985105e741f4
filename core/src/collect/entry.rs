//! A file of a run with its first bytes, unpacked. Knows no formats.

use std::fs::File;
use std::io::{Read, Seek as _};
use std::path::Path;
use std::sync::Arc;

use super::archive::MAGIC;
use super::content::{decoded, open, past_limit};
use super::packing::{Compression, Packing, unpacked_name, unreadable};
use super::spreadsheet::{self, FirstSheet, NoSheet};
use super::{FileEntry, bounded, shown};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::Limits;

pub(super) const HEAD: usize = 64 << 10;
/// Most white space that is passed over before the first bytes.
const MOST_BLANK: usize = 16 << 20;
/// Names of sheets, or tables, that a finding shows.
pub(super) const NAMED_SHEETS: usize = 8;

/// The name of a file in lower case, as it is called when it is not compressed.
pub(super) fn name_to_read(name: &str) -> String {
    unpacked_name(&name.to_lowercase()).to_owned()
}

/// A file that is the run itself; nothing where it cannot be opened.
pub(super) fn single_file(path: &Path, limits: Limits) -> Option<FileEntry> {
    let about = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let head = read_head(path, limits).ok()?;
    let relative = path.file_name()?.to_string_lossy().into_owned();
    Some(entry_of(path, relative, (about.len(), head), true, limits))
}

/// The name of a file of which a table is read.
pub(super) fn as_csv(name: &str) -> String {
    format!("{}.csv", name.rsplit_once('.').map_or(name, |(stem, _)| stem))
}

pub(super) fn entry_of(
    path: &Path,
    relative: String,
    (bytes, head): (u64, Head),
    is_run: bool,
    limits: Limits,
) -> FileEntry {
    let Head { bytes: head, is_whole, packing, noticed } = head;
    let name = name_to_read(relative.rsplit('/').next().unwrap_or(&relative));
    let name = match name.rsplit_once('.') {
        _ if packing == Packing::Workbook => as_csv(&name),
        Some((stem, "json")) if are_lines(&head) => format!("{stem}.jsonl"),
        _ => name,
    };
    FileEntry {
        path: path.to_path_buf(),
        display: Arc::from(shown(path)),
        relative,
        name,
        bytes,
        head,
        head_is_whole: is_whole,
        packing,
        noticed,
        is_run,
        limits,
    }
}

/// The first bytes behind white space, unpacked, and how they were packed. A compressed file that breaks off
/// gives what could be decompressed.
pub(super) fn read_head(path: &Path, limits: Limits) -> Result<Head, Box<Diagnostic>> {
    let fault = |error: std::io::Error| Box::new(unreadable(&shown(path), error));
    let (mut file, mut start) = (File::open(path).map_err(fault)?, Vec::new());
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start).map_err(fault)?;
    if start == MAGIC && spreadsheet::is_workbook(path) {
        return workbook_head(path, limits);
    }
    file.rewind().map_err(fault)?;
    let compression = Compression::of_start(&start);
    let packing = Packing::Bytes(compression);
    let read =
        decoded(file, compression, limits).and_then(|mut content| head_of(&mut *content, HEAD));
    let (bytes, is_whole) = read.map_err(fault)?;
    Ok(Head { bytes, is_whole, packing, noticed: Vec::new() })
}

/// The head of the first sheet of a workbook, with what is to be said of the workbook.
fn workbook_head(path: &Path, limits: Limits) -> Result<Head, Box<Diagnostic>> {
    let shown = shown(path);
    let read = spreadsheet::first_sheet(path, limits.document_bytes());
    let FirstSheet { csv, errors, others } = read.map_err(|reason| match reason {
        NoSheet::TooLarge => Box::new(past_limit("document_mib", limits.document_mib, &shown)),
        NoSheet::Damaged(cause) => Box::new(unreadable(&shown, cause)),
    })?;
    let named = Diagnostic::new;
    let errors = errors.map(|(count, row)| {
        named(Code::CellErrors)
            .with("count", count)
            .with("line", row)
            .at(Location::line(shown.as_str(), row))
    });
    let others = (!others.is_empty()).then(|| {
        let (count, names) = (others.len(), bounded(others, NAMED_SHEETS));
        let finding = named(Code::OtherSheets).with("count", count).with("names", names);
        finding.at(Location::file(shown.as_str()))
    });
    let (bytes, is_whole) =
        head_of(&mut csv.as_bytes(), HEAD).map_err(|error| Box::new(unreadable(&shown, error)))?;
    let noticed = errors.into_iter().chain(others).collect();
    Ok(Head { bytes, is_whole, packing: Packing::Workbook, noticed })
}

pub(super) struct Head {
    bytes: Vec<u8>,
    is_whole: bool,
    packing: Packing,
    noticed: Vec<Diagnostic>,
}

/// Whether a text that is called JSON is one object a line, as Ray writes its `result.json`: in a document no
/// object begins behind the end of another.
fn are_lines(head: &[u8]) -> bool {
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.next().unwrap_or_default();
    let second = lines.find(|line| !line.is_empty()).unwrap_or_default();
    first.starts_with(b"{") && first.ends_with(b"}") && second.starts_with(b"{")
}

/// As many first bytes behind white space, and whether they are all.
pub(super) fn longer_head(file: &FileEntry, most: usize) -> std::io::Result<(Vec<u8>, bool)> {
    head_of(&mut *open(&file.path, file.packing, file.limits)?, most)
}

/// Most files of results are no larger, and are read at once.
const SMALL_FILE: usize = 1 << 13;

pub(super) fn head_of(content: &mut dyn Read, most: usize) -> std::io::Result<(Vec<u8>, bool)> {
    let (mut head, mut blank) = (Vec::new(), 0);
    loop {
        let room = if head.is_empty() { HEAD } else { most + 1 - head.len() }.min(HEAD);
        let mut new = Vec::with_capacity(room.min(SMALL_FILE));
        let read = Read::take(&mut *content, room as u64).read_to_end(&mut new);
        let is_end = new.len() < room;
        let solid = if head.is_empty() { new.trim_ascii_start() } else { &new };
        blank += new.len() - solid.len();
        if head.is_empty() && solid.len() == new.len() {
            head = new;
        } else {
            head.extend_from_slice(solid);
        }
        match read {
            Err(error) if head.is_empty() && blank == 0 => return Err(error),
            Err(_) => return Ok((head, true)),
            Ok(_) if is_end || head.len() > most || blank > MOST_BLANK => {
                head.truncate(most);
                return Ok((head, is_end));
            }
            Ok(_) => {}
        }
    }
}
