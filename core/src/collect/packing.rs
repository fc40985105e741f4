//! What has to be undone before the bytes of a file are its content.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;

use super::watch::Counted;
use crate::diag::{Code, Diagnostic, Location};
use crate::model;

pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// How the bytes of a file are compressed, with the first bytes and the end of the name of such a file.
const COMPRESSED: [(Compression, &[u8], &str); 2] = [
    (Compression::Gzip, b"\x1f\x8b", ".gz"),
    (Compression::Zstandard, b"\x28\xb5\x2f\xfd", ".zst"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    None,
    Gzip,
    Zstandard,
}

impl Compression {
    pub(super) fn of_start(start: &[u8]) -> Self {
        // A frame that says something of the next ones, as `pzstd` begins with (RFC 8878, 3.1.2).
        if matches!(start, [0x50..=0x5f, b'\x2a', b'\x4d', b'\x18', ..]) {
            return Self::Zstandard;
        }
        let found = COMPRESSED.iter().find(|(_, magic, _)| start.starts_with(magic));
        found.map_or(Self::None, |found| found.0)
    }

    /// The name of a file without that of its compression, which it tells.
    pub(super) fn in_name(name: &str) -> (&str, Self) {
        let inner = |&(way, _, end): &(Self, _, &str)| Some((name.strip_suffix(end)?, way));
        COMPRESSED.iter().find_map(inner).unwrap_or((name, Self::None))
    }
}

/// The name of a file without `.gz` or `.zst`.
pub(super) fn unpacked_name(name: &str) -> &str {
    Compression::in_name(name).0
}

/// The names that a file may have, compressed or not.
pub(super) fn packed_names(name: &str) -> impl Iterator<Item = String> {
    let ends = std::iter::once("").chain(COMPRESSED.iter().map(|(.., end)| *end));
    ends.map(move |end| format!("{name}{end}"))
}

/// What has to be undone before the content of a file can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    Bytes(Compression),
    /// A workbook of spreadsheets, of which the first is read.
    Workbook,
    /// A database, of which one table or view is read, by its place among them.
    Table {
        place: u16,
        compression: Compression,
    },
}

impl Packing {
    pub const PLAIN: Self = Self::Bytes(Compression::None);

    /// How the file itself is compressed.
    pub(super) fn compression(self) -> Compression {
        match self {
            Self::Bytes(compression) | Self::Table { compression, .. } => compression,
            Self::Workbook => Compression::None,
        }
    }

    /// Whether what is read is written by this program as a table with commas, whose rows are counted
    /// instead of lines.
    pub(super) fn is_sheet(self) -> bool {
        matches!(self, Self::Workbook | Self::Table { .. })
    }
}

/// The content of a file that is open already, without a byte order mark.
pub(super) fn decoded(
    raw: File,
    compression: Compression,
    limits: model::Limits,
) -> io::Result<Box<dyn Read + Send>> {
    let mut content: Box<dyn Read + Send> = match compression {
        Compression::None => Box::new(Counted(raw)),
        Compression::Gzip => inflated(raw, limits, |packed| Ok(MultiGzDecoder::new(packed)))?,
        Compression::Zstandard => inflated(raw, limits, |packed| {
            let mut decoder = ZstdDecoder::with_buffer(packed)?;
            decoder.window_log_max(LARGEST_WINDOW)?;
            Ok(decoder)
        })?,
    };
    let mut start = Vec::with_capacity(BOM.len());
    content.by_ref().take(BOM.len() as u64).read_to_end(&mut start)?;
    if start == BOM {
        start.clear();
    }
    Ok(Box::new(io::Cursor::new(start).chain(content)))
}

/// How far back a frame of Zstandard may point, as a power of two: `zstd --long=31`. Of a window only what is
/// unpacked into it takes memory.
const LARGEST_WINDOW: u32 = 31;

fn inflated<D: Read + Send + 'static>(
    raw: File,
    limits: model::Limits,
    decoder: impl FnOnce(io::BufReader<Counted>) -> io::Result<D>,
) -> io::Result<Box<dyn Read + Send>> {
    let times = limits.inflation;
    let left = raw.metadata()?.len().saturating_mul(times).max(LEAST_INFLATED);
    let content = decoder(io::BufReader::with_capacity(1 << 16, Counted(raw)))?;
    Ok(Box::new(Inflated { content, left, times }))
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
        let left = self.left.checked_sub(read as u64);
        // What was read is lost, so that nothing may follow it.
        self.left = left.unwrap_or(0);
        if left.is_none() {
            let cause = format!("it unpacks to more than {} times its size", self.times);
            let cause = format!("{cause}; --limit inflation=NUMBER allows more");
            return Err(io::Error::other(cause));
        }
        Ok(read)
    }
}

pub(super) fn unreadable(display: &str, cause: impl Display) -> Diagnostic {
    Diagnostic::new(Code::Unreadable)
        .with("path", display)
        .with("cause", cause.to_string())
        .at(Location::file(display))
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, Write as _};

    use super::*;

    fn unpacked(bytes: &[u8], limits: model::Limits) -> Result<String, String> {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("written");
        file.rewind().expect("a file");
        let mut text = String::new();
        let content = decoded(file, Compression::of_start(bytes), limits);
        let read = content.and_then(|mut content| content.read_to_string(&mut text));
        read.map(|_| text).map_err(|cause| cause.to_string())
    }

    #[test]
    fn frames_of_zstandard_follow_one_another_and_what_is_skippable_is_skipped() {
        let frame = |text: &str| zstd::encode_all(text.as_bytes(), 3).expect("packed");
        let skippable = b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec();
        let [one, two] = [frame("\u{feff}one\n"), frame("two\n")];
        let read = Ok("one\ntwo\n".to_owned());
        let between = [&one[..], &skippable, &two].concat();
        assert_eq!(unpacked(&between, model::Limits::default()), read);
        let before = [&skippable[..], &one, &skippable, &two, &skippable].concat();
        assert_eq!(unpacked(&before, model::Limits::default()), read);
    }

    #[test]
    fn zstandard_that_breaks_off_or_is_damaged_is_an_error() {
        let numbers: Vec<String> = (0..9000).map(|number: u32| number.to_string()).collect();
        let text = numbers.join("\n");
        let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("an encoder");
        encoder.include_checksum(true).expect("a checksum");
        encoder.write_all(text.as_bytes()).expect("packed");
        let whole = encoder.finish().expect("packed");
        let limits = model::Limits::default();
        assert_eq!(unpacked(&whole, limits).as_ref(), Ok(&text));
        for kept in [5, whole.len() / 2, whole.len() - 1] {
            assert!(unpacked(&whole[..kept], limits).is_err(), "{kept}");
        }
        let mut damaged = whole;
        *damaged.last_mut().expect("a byte") ^= 1;
        assert!(unpacked(&damaged, limits).is_err());
    }

    #[test]
    fn zstandard_of_the_largest_window_is_read() {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
        encoder.window_log(LARGEST_WINDOW).expect("a window");
        encoder.write_all(b"far back\n").expect("packed");
        let bytes = encoder.finish().expect("packed");
        assert_eq!(unpacked(&bytes, model::Limits::default()), Ok("far back\n".to_owned()));
    }

    #[test]
    fn zstandard_unpacks_to_a_multiple_of_its_size_and_no_more() {
        let bytes = zstd::encode_all(&*vec![b'a'; 1 << 20], 3).expect("packed");
        let within =
            |inflation| unpacked(&bytes, model::Limits { inflation, ..model::Limits::default() });
        let refused = within(10).expect_err("too much");
        assert!(refused.contains("it unpacks to more than 10 times its size"), "{refused}");
        assert_eq!(within(1 << 20).map(|text| text.len()), Ok(1 << 20));
    }
}
