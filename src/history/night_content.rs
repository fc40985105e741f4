//! The bytes of the file of a night, as far as they are asked for: each block is read once, and counts
//! only where it has the digest that the manifest lists.

use std::fs::{self, File};
use std::io::{Cursor, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use polars::prelude::{DataFrame, FileMetadata, ParquetReader, PolarsResult, SerReader as _};
use sha2::{Digest as _, Sha256};

/// Bytes of a block; the last of a file may have fewer.
const BLOCK: usize = 256 * 1024;
/// What a Parquet file ends with: the length of its metadata before it, in four bytes, and a mark.
const END: usize = 8;

/// Digests of the blocks of a file.
pub(super) fn block_digests(bytes: &[u8]) -> Vec<String> {
    bytes.chunks(BLOCK).map(digest).collect()
}

/// SHA-256 in hexadecimal digits.
pub(super) fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// Runs code of polars, which panics on some damaged files where it should return an error.
pub(super) fn guarded<T>(work: impl FnOnce() -> PolarsResult<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(outcome) => outcome.map_err(|error| error.to_string()),
        Err(_panic) => Err("damaged".to_owned()),
    }
}

/// What a manifest says of the bytes of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct WrittenBytes<'f> {
    pub(super) length: u64,
    /// Of the whole; manifests of earlier versions list this alone, or none.
    pub(super) digest: Option<&'f str>,
    /// Of the blocks.
    pub(super) blocks: &'f [String],
}

pub(super) struct NightContent<'f> {
    file: File,
    /// As long as the file; zeros where nothing was read.
    bytes: Vec<u8>,
    digests: &'f [String],
    is_read: Vec<bool>,
    /// Until it is read, nothing.
    metadata: Option<Arc<FileMetadata>>,
    /// In the order of their rows.
    groups: Vec<RowGroup>,
}

/// Rows that are read as one piece.
struct RowGroup {
    rows: Range<usize>,
    bytes: Range<usize>,
    /// The first and the last run of it by name, where the file says so.
    runs: Option<(Vec<u8>, Vec<u8>)>,
}

impl<'f> NightContent<'f> {
    /// # Errors
    /// When the file is not there, was cut, or is another than the one that was written.
    pub(super) fn open(place: &Path, written: WrittenBytes<'f>) -> Result<Self, String> {
        let there = fs::metadata(place).map_err(|error| error.to_string())?;
        let WrittenBytes { length, digest, blocks } = written;
        if let Some(cause) = other_length(there.len(), length) {
            return Err(cause);
        }
        let length = usize::try_from(length).map_err(|error| error.to_string())?;
        let file = File::open(place).map_err(|error| error.to_string())?;
        let count = length.div_ceil(BLOCK);
        let mut content = Self {
            file,
            bytes: vec![0; length],
            digests: blocks,
            is_read: vec![false; count],
            metadata: None,
            groups: Vec::new(),
        };
        if blocks.len() != count {
            content.read_whole(digest)?;
        }
        let Some(start) = length.checked_sub(END) else { return Err("damaged".to_owned()) };
        content.load(start..length)?;
        let metadata = content.bytes.get(start..).and_then(|end| end.first_chunk::<4>());
        let metadata = metadata.map_or(0, |size| u32::from_le_bytes(*size) as usize);
        content.load(start.saturating_sub(metadata)..length)?;
        let metadata = guarded(|| {
            let mut reader = ParquetReader::new(Cursor::new(content.bytes.as_slice()));
            reader.get_metadata().cloned()
        })?;
        content.groups = guarded(|| Ok(row_groups(&metadata)))?;
        content.metadata = Some(metadata);
        Ok(content)
    }

    fn read_whole(&mut self, written: Option<&str>) -> Result<(), String> {
        self.file.read_exact(&mut self.bytes).map_err(|error| error.to_string())?;
        self.is_read.fill(true);
        match written {
            Some(written) if digest(&self.bytes) != *written => Err(other_file()),
            _ => Ok(()),
        }
    }

    #[cfg(test)]
    pub(super) fn blocks_read(&self) -> usize {
        self.is_read.iter().filter(|is_read| **is_read).count()
    }

    fn load(&mut self, range: Range<usize>) -> Result<(), String> {
        let last = range.end.min(self.bytes.len()).div_ceil(BLOCK);
        for block in range.start / BLOCK..last {
            let start = block * BLOCK;
            let end = (start + BLOCK).min(self.bytes.len());
            let (Some(is_read), Some(place)) =
                (self.is_read.get_mut(block), self.bytes.get_mut(start..end))
            else {
                return Err("damaged".to_owned());
            };
            if *is_read {
                continue;
            }
            let read = self.file.seek(SeekFrom::Start(start as u64));
            read.and_then(|_| self.file.read_exact(place)).map_err(|error| error.to_string())?;
            if self.digests.get(block).is_none_or(|written| digest(place) != *written) {
                return Err(other_file());
            }
            *is_read = true;
        }
        Ok(())
    }

    /// Of the rows from one on, as a start and a count, those pieces that may hold one of these runs.
    pub(super) fn pieces_with(
        &self,
        start: usize,
        count: usize,
        runs: &[String],
    ) -> Vec<(usize, usize)> {
        let may_hold = |group: &&RowGroup| {
            group.runs.as_ref().is_none_or(|(first, last)| {
                runs.iter().any(|run| (&**first..=&**last).contains(&run.as_bytes()))
            })
        };
        let piece = |group: &RowGroup| {
            let first = group.rows.start.max(start);
            let end = group.rows.end.min(start.saturating_add(count));
            (first < end).then(|| (first, end - first))
        };
        self.groups.iter().filter(may_hold).filter_map(piece).collect()
    }

    /// So many rows from that one on; of these columns, or of all.
    pub(super) fn rows(
        &mut self,
        start: usize,
        count: usize,
        columns: Option<&[&str]>,
    ) -> Result<DataFrame, String> {
        let end = start.saturating_add(count);
        let is_wanted = |group: &&RowGroup| group.rows.start < end && group.rows.end > start;
        let wanted: Vec<Range<usize>> =
            self.groups.iter().filter(is_wanted).map(|group| group.bytes.clone()).collect();
        wanted.into_iter().try_for_each(|bytes| self.load(bytes))?;
        let columns = columns.map(|names| names.iter().map(|&name| name.to_owned()).collect());
        guarded(|| {
            let mut reader = ParquetReader::new(Cursor::new(self.bytes.as_slice()));
            if let Some(metadata) = &self.metadata {
                reader.set_metadata(Arc::clone(metadata));
            }
            let reader = reader.with_slice(Some((start, count))).with_columns(columns);
            reader.set_rechunk(true).finish()
        })
    }
}

fn row_groups(metadata: &FileMetadata) -> Vec<RowGroup> {
    let mut first = 0;
    let groups = metadata.row_groups.iter().map(|group| {
        let start = first;
        first += group.num_rows();
        let Range { start: from, end: to } = group.full_byte_range();
        let mut columns = group.columns_under_root_iter("run").into_iter().flatten();
        let stated = columns.next().and_then(|column| column.statistics(&metadata.footer_buf));
        let names = stated.and_then(Result::ok);
        let names = names.as_ref().and_then(|names| names.as_binary());
        let runs = names.and_then(|names| names.min_value.clone().zip(names.max_value.clone()));
        RowGroup { rows: start..first, bytes: from as usize..to as usize, runs }
    });
    groups.collect()
}

/// What is wrong with a file that has another length than it was written with.
pub(super) fn other_length(there: u64, written: u64) -> Option<String> {
    let cause = format!("{there} bytes of {written}: cut, or not the file that was written");
    (there != written).then_some(cause)
}

fn other_file() -> String {
    "its SHA-256 is another: not the file that was written".to_owned()
}
