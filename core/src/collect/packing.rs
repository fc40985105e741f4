//! What has to be undone before the bytes of a file are its content.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use super::watch::Counted;
use crate::diag::{Code, Diagnostic, Location};
use crate::model;

pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";
pub(super) const GZIP_MAGIC: &[u8] = b"\x1f\x8b";

/// What has to be undone before the content of a file can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    Plain,
    Gzip,
    /// A workbook of spreadsheets, of which the first is read.
    Workbook,
    /// A database, of which one table or view is read: its place among them, and whether the file is
    /// compressed.
    Table {
        place: u16,
        is_packed: bool,
    },
}

impl Packing {
    /// Whether what is read is written by this program as a table with commas, whose rows are counted
    /// instead of lines.
    pub(super) fn is_sheet(self) -> bool {
        matches!(self, Self::Workbook | Self::Table { .. })
    }
}

/// The content of a file that is open already, without a byte order mark: neither a workbook nor a table.
pub(super) fn decoded(
    raw: File,
    packing: Packing,
    limits: model::Limits,
) -> io::Result<Box<dyn Read + Send>> {
    let mut content: Box<dyn Read + Send> = if packing == Packing::Gzip {
        let times = limits.inflation;
        let most = raw.metadata()?.len().saturating_mul(times).max(LEAST_INFLATED);
        let content = MultiGzDecoder::new(io::BufReader::with_capacity(1 << 16, Counted(raw)));
        Box::new(Inflated { content, left: most, times })
    } else {
        Box::new(Counted(raw))
    };
    let mut start = Vec::with_capacity(BOM.len());
    content.by_ref().take(BOM.len() as u64).read_to_end(&mut start)?;
    if start == BOM {
        start.clear();
    }
    Ok(Box::new(io::Cursor::new(start).chain(content)))
}

/// As much of a compressed file is read whatever its size: twice what is looked at to recognise it.
const LEAST_INFLATED: u64 = 1 << 17;

/// Decompressed content up to a multiple of the size on disk: kilobytes cannot be made to take gigabytes.
struct Inflated<R> {
    content: R,
    /// Bytes that may still come.
    left: u64,
    times: u64,
}

impl<R: Read> Read for Inflated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            let cause = format!("it unpacks to more than {} times its size", self.times);
            io::Error::other(format!("{cause}; --limit inflation=NUMBER allows more"))
        })?;
        Ok(read)
    }
}

pub(super) fn unreadable(display: &str, cause: impl Display) -> Diagnostic {
    Diagnostic::new(Code::Unreadable)
        .with("path", display)
        .with("cause", cause.to_string())
        .at(Location::file(display))
}
