//! The bytes of the file of a night, as far as they are asked for: each block is read once, and counts
//! only where it has the digest that the manifest lists.

use std::fs::{self, File};
use std::io::{Cursor, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use polars::prelude::{DataFrame, ParquetReader, PolarsResult, SerReader as _};
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
    /// The rows of each group, in their order, and where its bytes are.
    groups: Vec<(usize, Range<usize>)>,
}

impl<'f> NightContent<'f> {
    /// # Errors
    /// When the file is not there, was cut, or is another than the one that was written.
    pub(super) fn open(place: &Path, written: WrittenBytes<'f>) -> Result<Self, String> {
        let there = fs::metadata(place).map_err(|error| error.to_string())?;
        let WrittenBytes { length, digest, blocks } = written;
        if there.len() != length {
            let lengths = format!("{} bytes of {length}", there.len());
            return Err(format!("{lengths}: cut, or not the file that was written"));
        }
        let length = usize::try_from(length).map_err(|error| error.to_string())?;
        let file = File::open(place).map_err(|error| error.to_string())?;
        let count = length.div_ceil(BLOCK);
        let mut content = Self {
            file,
            bytes: vec![0; length],
            digests: blocks,
            is_read: vec![false; count],
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
        content.groups = guarded(|| {
            let mut reader = ParquetReader::new(Cursor::new(content.bytes.as_slice()));
            let groups = reader.get_metadata()?.row_groups.iter().map(|group| {
                let Range { start, end } = group.full_byte_range();
                (group.num_rows(), start as usize..end as usize)
            });
            Ok(groups.collect())
        })?;
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

    /// So many rows from that one on; of these columns, or of all.
    pub(super) fn rows(
        &mut self,
        start: usize,
        count: usize,
        columns: Option<&[&str]>,
    ) -> Result<DataFrame, String> {
        let (mut first, mut wanted) = (0, Vec::new());
        for (rows, bytes) in &self.groups {
            let end = first + rows;
            if first < start.saturating_add(count) && end > start {
                wanted.push(bytes.clone());
            }
            first = end;
        }
        wanted.into_iter().try_for_each(|bytes| self.load(bytes))?;
        let columns = columns.map(|names| names.iter().map(|&name| name.to_owned()).collect());
        guarded(|| {
            let reader = ParquetReader::new(Cursor::new(self.bytes.as_slice()));
            let reader = reader.with_slice(Some((start, count))).with_columns(columns);
            reader.set_rechunk(true).finish()
        })
    }
}

fn other_file() -> String {
    "its SHA-256 is another: not the file that was written".to_owned()
}
