//! The pages of a column, header by header: what they say of their sizes, held against the file and
//! against what may be read as one piece.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use polars_parquet::parquet::compression::{Compression, DecompressionContext, decompress};

use super::delta;
use super::footer::{Chunk, FIXED_LENGTH, Leaf};
use super::layouts::PAGE_HEADER;
use super::thrift::Thrift;

/// Bytes of a header that are read at first, and at most: statistics may hold long texts.
const HEADER: u64 = 1 << 10;
const LONGEST_HEADER: u64 = 16 << 20;

const DATA_PAGE: i64 = 0;
const DICTIONARY_PAGE: i64 = 2;
const DATA_PAGE_V2: i64 = 3;

/// Goes through the pages of a chunk, of which none may be larger than `most` bytes.
pub(super) fn check(
    file: &mut File,
    leaf: &Leaf,
    chunk: &Chunk,
    most: u64,
) -> Result<(), &'static str> {
    let (mut at, mut seen) = (chunk.start, 0);
    while at < chunk.end && seen < chunk.values {
        let (page, behind) =
            header(file, at, chunk.end).ok_or("damaged: a page without a header")?;
        if page.bytes > chunk.end - behind {
            return Err("damaged: a page that is larger than its column");
        }
        if page.bytes > most || page.plain_bytes > most {
            return Err("a page of more bytes than the limit `document-mib`");
        }
        if page.kind == DICTIONARY_PAGE {
            let least = if leaf.kind == FIXED_LENGTH { leaf.length.unsigned_abs() } else { 1 };
            if page.values.unsigned_abs().saturating_mul(least) > page.plain_bytes {
                return Err("damaged: a dictionary of more values than bytes");
            }
        } else {
            seen += page.values;
        }
        if seen > chunk.values {
            return Err("damaged: pages of more values than their column");
        }
        if delta::ENCODINGS.contains(&page.encoding) && page.kind != DICTIONARY_PAGE {
            let content = content(file, leaf, chunk, &page, behind);
            let is_sound = content.is_some_and(|content| {
                delta::is_sound(page.encoding, &content, page.values.unsigned_abs(), most)
            });
            if !is_sound {
                return Err("damaged: a page whose differences make no values");
            }
        }
        at = behind + page.bytes;
    }
    Ok(())
}

#[derive(Debug)]
struct Page {
    kind: i64,
    bytes: u64,
    plain_bytes: u64,
    values: i64,
    encoding: i64,
    /// Of the second version: bytes of levels, which are not compressed, and whether the rest is.
    levels: Option<u64>,
    is_compressed: bool,
}

/// The header at a place, and where it ends.
fn header(file: &mut File, at: u64, end: u64) -> Option<(Page, u64)> {
    let mut window = HEADER;
    loop {
        let bytes = read_at(file, at, window.min(end - at))?;
        if let Some((read, taken)) = Thrift::read(&bytes, &PAGE_HEADER) {
            return page(&read).map(|page| (page, at + taken as u64));
        }
        if window >= end - at || window >= LONGEST_HEADER {
            return None;
        }
        window *= 16;
    }
}

fn page(read: &Thrift<'_>) -> Option<Page> {
    let kind = read.integer(1)?;
    let (header, encoding) = match kind {
        DATA_PAGE => (read.field(5)?, 2),
        DICTIONARY_PAGE => (read.field(7)?, 2),
        DATA_PAGE_V2 => (read.field(8)?, 4),
        _ => return None,
    };
    let levels = match kind {
        DATA_PAGE_V2 => {
            let bytes = |id| header.integer(id).and_then(|bytes| u64::try_from(bytes).ok());
            Some(bytes(5)? + bytes(6)?)
        }
        _ => None,
    };
    let page = Page {
        kind,
        plain_bytes: u64::try_from(read.integer(2)?).ok()?,
        bytes: u64::try_from(read.integer(3)?).ok()?,
        values: header.integer(1).filter(|values| *values >= 0)?,
        encoding: header.integer(encoding)?,
        levels,
        is_compressed: header.flag(7).unwrap_or(true),
    };
    (levels.unwrap_or(0) <= page.bytes.min(page.plain_bytes)).then_some(page)
}

fn read_at(file: &mut File, at: u64, count: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(at)).ok()?;
    file.take(count).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == count).then_some(bytes)
}

/// What stands behind the levels of a page.
fn content(file: &mut File, leaf: &Leaf, chunk: &Chunk, page: &Page, at: u64) -> Option<Vec<u8>> {
    let read = read_at(file, at, page.bytes)?;
    let (levels, packed) =
        read.split_at_checked(usize::try_from(page.levels.unwrap_or(0)).ok()?)?;
    let plain = usize::try_from(page.plain_bytes).ok()? - levels.len();
    let plain = match codec(chunk.codec)? {
        Compression::Uncompressed => packed.to_vec(),
        _ if !page.is_compressed => packed.to_vec(),
        codec => {
            let mut bytes = vec![0; plain];
            decompress(codec, packed, &mut bytes, &mut DecompressionContext::Unset).ok()?;
            bytes
        }
    };
    let mut rest = plain.as_slice();
    if page.levels.is_none() {
        for _ in [leaf.is_repeated, leaf.is_optional].iter().filter(|has| **has) {
            let (length, behind) = rest.split_first_chunk()?;
            rest = behind.get(usize::try_from(u32::from_le_bytes(*length)).ok()?..)?;
        }
    }
    Some(rest.to_vec())
}

fn codec(number: i64) -> Option<Compression> {
    Some(match number {
        0 => Compression::Uncompressed,
        1 => Compression::Snappy,
        2 => Compression::Gzip,
        4 => Compression::Brotli,
        5 => Compression::Lz4,
        6 => Compression::Zstd,
        7 => Compression::Lz4Raw,
        _ => return None,
    })
}
