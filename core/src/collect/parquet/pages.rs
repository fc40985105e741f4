//! The pages of a column, which are held against the file, and against what may be read as one piece,
//! before room is made for them.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::ParquetError;

use super::codecs::unpacked;
use super::delta::written_out;
use super::footer::{Chunk, Leaf};
use super::kind::FIXED_LENGTH;
use super::thrift::Thrift;

/// Bytes of a header that are read at first, and at most: statistics may hold long texts.
const HEADER: u64 = 1 << 10;
const LONGEST_HEADER: u64 = 16 << 20;

const DATA_PAGE: i64 = 0;
const INDEX_PAGE: i64 = 1;
const DICTIONARY_PAGE: i64 = 2;
const DATA_PAGE_V2: i64 = 3;

const TEXTS_AS_LENGTHS: i64 = 6;
const TEXTS_WITH_PREFIXES: i64 = 7;

/// The pages of a chunk, of which none may be larger than `most` bytes.
#[derive(Debug)]
pub(super) struct Pages {
    file: Arc<Mutex<File>>,
    most: u64,
    physical: i64,
    length: i64,
    /// Whether there are repetition levels, and definition levels.
    has_levels: [bool; 2],
    chunk: Chunk,
    /// Where the next page begins, and how many values are left for it.
    at: u64,
    left: i64,
    next: Option<Header>,
}

#[derive(Debug)]
struct Header {
    kind: i64,
    content: Range<u64>,
    plain_bytes: u64,
    values: u32,
    encoding: i64,
    /// Of the second version.
    second: Option<SecondVersion>,
    /// How definition and repetition levels are written.
    levels: [i64; 2],
}

/// Levels are not compressed there, and the rest may not be.
#[derive(Debug)]
struct SecondVersion {
    nulls: u32,
    rows: u32,
    /// Bytes of definition and repetition levels.
    levels: [u32; 2],
    is_compressed: bool,
}

type Damage = &'static str;

impl Pages {
    pub(super) fn new(file: Arc<Mutex<File>>, leaf: &Leaf, chunk: &Chunk, most: u64) -> Self {
        Self {
            file,
            most,
            physical: leaf.physical,
            length: leaf.length,
            has_levels: [leaf.repetition > 0, leaf.definition > 0],
            chunk: chunk.clone(),
            at: chunk.start,
            left: chunk.values,
            next: None,
        }
    }

    /// Goes through all headers.
    pub(super) fn check(mut self) -> Result<(), Damage> {
        while self.take_header()?.is_some() {}
        Ok(())
    }

    fn take_header(&mut self) -> Result<Option<Header>, Damage> {
        self.look_ahead()?;
        Ok(self.next.take())
    }

    /// Reads the next header, unless that was done.
    fn look_ahead(&mut self) -> Result<(), Damage> {
        while self.next.is_none() && self.at < self.chunk.end && self.left > 0 {
            let header = self.header().ok_or("damaged: a page without a header")?;
            let bytes = header.content.end - header.content.start;
            if header.content.end > self.chunk.end {
                return Err("damaged: a page that is larger than its column");
            }
            if bytes > self.most || header.plain_bytes > self.most {
                return Err("a page of more bytes than the limit `document-mib`");
            }
            self.at = header.content.end;
            if header.kind == INDEX_PAGE {
                continue;
            }
            if header.kind != DICTIONARY_PAGE {
                self.left -= i64::from(header.values);
            } else if u64::from(header.values) > header.plain_bytes / self.least_bytes() {
                return Err("damaged: a dictionary of more values than bytes");
            }
            if self.left < 0 {
                return Err("damaged: pages of more values than their column");
            }
            self.next = Some(header);
        }
        Ok(())
    }

    /// The fewest bytes that a value in a dictionary can have; a text has its length before it.
    fn least_bytes(&self) -> u64 {
        match self.physical {
            1 | 4 | 6 => 4,
            2 | 5 => 8,
            3 => 12,
            FIXED_LENGTH => self.length.unsigned_abs(),
            _ => 1,
        }
    }

    fn header(&self) -> Option<Header> {
        let left = self.chunk.end - self.at;
        let mut window = HEADER;
        loop {
            let bytes = self.bytes(self.at, window.min(left))?;
            if let Some((read, taken)) = Thrift::read(&bytes) {
                return header(&read, self.at + taken as u64);
            }
            if window >= left || window >= LONGEST_HEADER {
                return None;
            }
            window *= 16;
        }
    }

    fn bytes(&self, at: u64, count: u64) -> Option<Vec<u8>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = vec![0; usize::try_from(count).ok()?];
        file.seek(SeekFrom::Start(at)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    /// The page as it was before it was compressed, its levels included.
    fn content(&self, header: &Header) -> Option<Vec<u8>> {
        let (start, end) = (header.content.start, header.content.end);
        let read = self.bytes(start, end - start)?;
        let bytes = usize::try_from(header.plain_bytes).ok()?;
        let Some(second) = &header.second else {
            return unpacked(self.chunk.codec, &read, bytes);
        };
        let [definition, repetition] = second.levels.map(u64::from);
        let levels = usize::try_from(definition + repetition).ok()?;
        if !second.is_compressed {
            return (levels <= read.len()).then_some(read);
        }
        let (levels, packed) = read.split_at_checked(levels)?;
        // A page of nulls has nothing behind its levels, not even what codecs write for nothing.
        let rest = match bytes.checked_sub(levels.len())? {
            0 => Vec::new(),
            rest => unpacked(self.chunk.codec, packed, rest)?,
        };
        Some([levels, &rest].concat())
    }

    /// The page with texts as they are, and how it is encoded then.
    fn plain(&self, header: &Header) -> Option<(Vec<u8>, Encoding)> {
        let content = self.content(header)?;
        if !matches!(header.encoding, TEXTS_AS_LENGTHS | TEXTS_WITH_PREFIXES) {
            return Some((content, encoding(header.encoding)?));
        }
        let mut rest = content.as_slice();
        if let Some(second) = &header.second {
            let [definition, repetition] = second.levels.map(u64::from);
            rest = rest.get(usize::try_from(definition + repetition).ok()?..)?;
        } else {
            for _ in self.has_levels.iter().filter(|has| **has) {
                let (length, behind) = rest.split_first_chunk()?;
                rest = behind.get(usize::try_from(u32::from_le_bytes(*length)).ok()?..)?;
            }
        }
        let levels = &content[..content.len() - rest.len()];
        let fixed = (self.physical == FIXED_LENGTH).then_some(usize::try_from(self.length).ok()?);
        let has_prefixes = header.encoding == TEXTS_WITH_PREFIXES;
        let limits = (u64::from(header.values), self.most);
        let texts = written_out(rest, has_prefixes, fixed, limits)?;
        Some(([levels, &texts].concat(), Encoding::PLAIN))
    }

    fn page(&self, header: &Header) -> Option<Page> {
        let (content, value_encoding) = self.plain(header)?;
        let (buf, num_values) = (Bytes::from(content), header.values);
        Some(match (header.kind, &header.second) {
            (DICTIONARY_PAGE, _) => {
                Page::DictionaryPage { buf, num_values, encoding: value_encoding, is_sorted: false }
            }
            (_, Some(second)) => Page::DataPageV2 {
                buf,
                num_values,
                encoding: value_encoding,
                num_nulls: second.nulls,
                num_rows: second.rows,
                def_levels_byte_len: second.levels[0],
                rep_levels_byte_len: second.levels[1],
                is_compressed: false,
                statistics: None,
            },
            _ => Page::DataPage {
                buf,
                num_values,
                encoding: value_encoding,
                def_level_encoding: encoding(header.levels[0])?,
                rep_level_encoding: encoding(header.levels[1])?,
                statistics: None,
            },
        })
    }
}

impl Iterator for Pages {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        let Some(header) = self.take_header().map_err(error)? else { return Ok(None) };
        self.page(&header).map(Some).ok_or_else(|| error("damaged: a page that cannot be unpacked"))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        self.look_ahead().map_err(error)?;
        Ok(self.next.as_ref().map(|header| PageMetadata {
            num_rows: header.second.as_ref().map(|second| second.rows as usize),
            num_levels: (header.kind != DICTIONARY_PAGE).then_some(header.values as usize),
            is_dict: header.kind == DICTIONARY_PAGE,
        }))
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        self.take_header().map(|_| ()).map_err(error)
    }
}

fn error(damage: Damage) -> ParquetError {
    ParquetError::External(damage.into())
}

/// A header whose content begins at a place.
fn header(read: &Thrift<'_>, content: u64) -> Option<Header> {
    let kind = read.integer(1)?;
    let size = |id| read.integer(id).and_then(|bytes| u64::try_from(bytes).ok());
    let (plain_bytes, bytes) = (size(2)?, size(3)?);
    let content = content..content.checked_add(bytes)?;
    if kind == INDEX_PAGE {
        let (levels, second) = ([0; 2], None);
        return Some(Header { kind, content, plain_bytes, values: 0, encoding: 0, second, levels });
    }
    let of_kind = match kind {
        DATA_PAGE => read.field(5)?,
        DICTIONARY_PAGE => read.field(7)?,
        DATA_PAGE_V2 => read.field(8)?,
        _ => return None,
    };
    let number = |id| of_kind.integer(id).and_then(|number| u32::try_from(number).ok());
    let second = match kind {
        DATA_PAGE_V2 => Some(SecondVersion {
            nulls: number(2)?,
            rows: number(3)?,
            levels: [number(5)?, number(6)?],
            is_compressed: of_kind.flag(7).unwrap_or(true),
        }),
        _ => None,
    };
    let levels = second.as_ref().map_or([0; 2], |second| second.levels.map(u64::from));
    if levels.iter().sum::<u64>() > plain_bytes.min(bytes) {
        return None;
    }
    Some(Header {
        kind,
        content,
        plain_bytes,
        values: number(1)?,
        encoding: of_kind.integer(if kind == DATA_PAGE_V2 { 4 } else { 2 })?,
        second,
        levels: [of_kind.integer(3).unwrap_or(0), of_kind.integer(4).unwrap_or(0)],
    })
}

fn encoding(number: i64) -> Option<Encoding> {
    Some(match number {
        0 => Encoding::PLAIN,
        2 => Encoding::PLAIN_DICTIONARY,
        3 => Encoding::RLE,
        #[expect(deprecated, reason = "levels of old files are written so")]
        4 => Encoding::BIT_PACKED,
        5 => Encoding::DELTA_BINARY_PACKED,
        8 => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        _ => return None,
    })
}
