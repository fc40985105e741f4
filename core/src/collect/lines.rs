//! Numbered lines of a file, read in blocks and parsed on several threads.
//!
//! Owns everything about lines as such: line ends, lines without end, lines longer than memory should
//! hold, bytes that are not UTF-8. Knows nothing of what a line says.
//!
//! Whoever is free takes the next block from the file and parses it; results are handed on in file
//! order, so that the number of threads cannot be seen. At most one block a thread is in memory.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};

use memchr::{memchr, memchr_iter, memrchr};

use super::in_file_order::InFileOrder;
use crate::model;

/// How much of a file is held at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) block_bytes: usize,
    /// Longest line that is handed on as a whole, in bytes without its end.
    pub(super) line_bytes: usize,
    /// Most lines that are handed on; the block that goes beyond is the first that is not.
    pub(super) lines: u64,
}

impl From<model::Limits> for Limits {
    /// With blocks small enough to stay in a core's cache.
    fn from(limits: model::Limits) -> Self {
        let line_bytes = limits.line_mib.saturating_mul(1 << 20);
        let line_bytes = usize::try_from(line_bytes).unwrap_or(usize::MAX);
        Self { block_bytes: 512 << 10, line_bytes, lines: limits.records }
    }
}

/// One line that is not blank, without its line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Text {
        /// The text; what was not UTF-8 is U+FFFD.
        text: &'a str,
        replaced: bool,
        /// Whether a line end was there; only the last line of a file can lack it.
        ended: bool,
    },
    /// A line longer than the limit, which was skipped.
    TooLong { bytes: u64 },
}

/// What becomes of a line that is longer than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LongLines {
    Skip,
    /// Half as much as the limit is kept of its end: redrawn progress is read by its end.
    KeepEnd,
    /// Nothing more is read, which is an error.
    Stop,
}

/// How the reading of a file ended.
#[derive(Debug, Default)]
pub(super) struct ReadEnd {
    /// Lines in the file, blank ones included.
    pub(super) lines: u64,
    /// Bytes that were read, after decompression.
    pub(super) bytes: u64,
    /// Whether there are more lines than may be handed on.
    pub(super) is_full: bool,
    /// Why reading stopped before the end; what came before was handed on.
    pub(super) error: Option<io::Error>,
}

impl ReadEnd {
    /// Whether compressed data stops in the middle.
    pub(super) fn is_cut(&self) -> bool {
        self.error.as_ref().is_some_and(|error| error.kind() == io::ErrorKind::UnexpectedEof)
    }

    /// Why the rest could not be read, unless compressed data just stops.
    pub(super) fn failure(&self) -> Option<&io::Error> {
        self.error.as_ref().filter(|_| !self.is_cut())
    }
}

/// Parses the lines of `content` block by block.
///
/// `new` makes the value of a block; `each` folds a line and its number within the block (from 1)
/// into it; `merge` takes the values in file order, each with the number of lines before its block.
pub(super) fn parse<T, N, E, M>(
    content: impl Read + Send,
    limits: Limits,
    new: N,
    each: E,
    merge: M,
) -> ReadEnd
where
    T: Send,
    N: Fn() -> T + Sync,
    E: Fn(&mut T, u64, Line<'_>) + Sync,
    M: FnMut(T, u64) + Send,
{
    let read = |piece, buffer: &mut Vec<u8>| {
        let mut value = new();
        let lines = match piece {
            BlockPiece::TooLong { bytes } => {
                each(&mut value, 1, Line::TooLong { bytes });
                1
            }
            BlockPiece::Lines { .. } => for_each_line(buffer, limits.line_bytes, |number, line| {
                each(&mut value, number, line);
            }),
        };
        (value, lines)
    };
    in_blocks(content, limits, LongLines::Skip, read, merge)
}

/// Cuts `content` into blocks of whole lines. `read` makes a value of a piece, whose lines stand in
/// the buffer, and says how many there are; `merge` takes the values in file order, each with the
/// number of lines before it.
pub(super) fn in_blocks<T: Send>(
    content: impl Read + Send,
    limits: Limits,
    long_lines: LongLines,
    read: impl Fn(BlockPiece, &mut Vec<u8>) -> (T, u64) + Sync,
    merge: impl FnMut(T, u64) + Send,
) -> ReadEnd {
    let last_end = |bytes: &[u8]| memrchr(b'\n', bytes);
    in_blocks_of(content, limits, (long_lines, last_end), read, merge)
}

/// The same of records that `last_end` tells apart: it is given all bytes, piece by piece, and says where in a piece
/// the last record ends.
pub(super) fn in_blocks_of<T: Send>(
    content: impl Read + Send,
    limits: Limits,
    (long_lines, last_end): (LongLines, impl FnMut(&[u8]) -> Option<usize> + Send),
    read: impl Fn(BlockPiece, &mut Vec<u8>) -> (T, u64) + Sync,
    merge: impl FnMut(T, u64) + Send,
) -> ReadEnd {
    let source = Mutex::new(BlockSource::new(content, limits, (long_lines, last_end)));
    let ordered = Mutex::new(InFileOrder::new(limits.lines, merge));
    // A function of its own: a guard in the condition of a loop would be held throughout its body,
    // and blocks would be read one after the other.
    let next_into = |buffer: &mut Vec<u8>| lock(&source).next_into(buffer);
    let work = || {
        let mut buffer = Vec::new();
        while let Some((position, piece)) = next_into(&mut buffer) {
            let (value, lines) = read(piece, &mut buffer);
            if !lock(&ordered).take(position, value, lines) {
                break;
            }
        }
    };
    rayon::scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| work());
        }
        work();
    });
    let InFileOrder { lines, is_full, .. } = *lock(&ordered);
    let mut ended = lock(&source);
    ReadEnd { lines, bytes: ended.bytes, is_full, error: ended.error.take() }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic on another thread ends the whole program's work anyway.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `each` for every line that is not blank, with nothing of those of more than `most` bytes,
/// and returns how many lines there are in all.
pub(super) fn for_each_line(block: &[u8], most: usize, mut each: impl FnMut(u64, Line<'_>)) -> u64 {
    let valid = simdutf8::basic::from_utf8(block).ok();
    let mut number = 0;
    let mut start = 0;
    while start < block.len() {
        let rest = block.get(start..).unwrap_or_default();
        let end = memchr(b'\n', rest);
        let length = end.unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        number += 1;
        if line.len() > most {
            each(number, Line::TooLong { bytes: line.len() as u64 });
        } else if !line.trim_ascii().is_empty() {
            let text = match valid.and_then(|text| text.get(start..start + line.len())) {
                Some(text) => Cow::Borrowed(text),
                None => String::from_utf8_lossy(line),
            };
            let replaced = matches!(text, Cow::Owned(_));
            each(number, Line::Text { text: &text, replaced, ended: end.is_some() });
        }
        start += length + 1;
    }
    number
}

pub(super) enum BlockPiece {
    /// Whole lines, but for the start of the first where that was too long.
    Lines {
        is_cut: bool,
    },
    TooLong {
        bytes: u64,
    },
}

struct BlockSource<R, E> {
    content: R,
    limits: Limits,
    long_lines: LongLines,
    last_end: E,
    bytes: u64,
    /// The start of a line whose end has not been read, and where lines end in it behind one that was skipped.
    carry: Vec<u8>,
    carried: Option<usize>,
    position: usize,
    at_end: bool,
    error: Option<io::Error>,
}

impl<R: Read, E: FnMut(&[u8]) -> Option<usize>> BlockSource<R, E> {
    fn new(content: R, limits: Limits, (long_lines, last_end): (LongLines, E)) -> Self {
        let (carry, carried, error) = (Vec::new(), None, None);
        let (bytes, position, at_end) = (0, 0, false);
        Self {
            content,
            limits,
            long_lines,
            last_end,
            bytes,
            carry,
            carried,
            position,
            at_end,
            error,
        }
    }

    fn next_into(&mut self, buffer: &mut Vec<u8>) -> Option<(usize, BlockPiece)> {
        buffer.clear();
        buffer.append(&mut self.carry);
        let mut carried = self.carried.take();
        let mut is_cut = false;
        loop {
            let searched = buffer.len();
            self.fill(buffer);
            // A line of many blocks must not be searched anew for each of them.
            let fresh = buffer.get(searched..).unwrap_or_default();
            let end = (self.last_end)(fresh).map(|found| searched + found);
            let end = end.or_else(|| carried.take());
            if self.at_end || end.is_some() {
                let keep = end.filter(|_| !self.at_end).map_or(buffer.len(), |found| found + 1);
                self.carry.extend(buffer.drain(keep..));
                return (!buffer.is_empty()).then(|| self.deliver(BlockPiece::Lines { is_cut }));
            }
            if buffer.len() > self.limits.line_bytes {
                match self.long_lines {
                    LongLines::Skip => {
                        let bytes = self.skip_line(buffer);
                        return Some(self.deliver(BlockPiece::TooLong { bytes }));
                    }
                    LongLines::KeepEnd => {
                        buffer.drain(..buffer.len() - self.limits.line_bytes / 2);
                        is_cut = true;
                    }
                    LongLines::Stop => {
                        self.error = Some(io::ErrorKind::FileTooLarge.into());
                        return None;
                    }
                }
            }
        }
    }

    fn deliver(&mut self, piece: BlockPiece) -> (usize, BlockPiece) {
        self.position += 1;
        (self.position - 1, piece)
    }

    /// Reads up to one block more behind what the buffer holds.
    fn fill(&mut self, buffer: &mut Vec<u8>) {
        if self.error.is_some() {
            self.at_end = true;
            return;
        }
        let block = self.limits.block_bytes;
        let wanted = match block.saturating_sub(buffer.len()) {
            0 => block,
            room => room.max(1 << 12),
        };
        buffer.reserve(wanted);
        let before = buffer.len();
        let read = self.content.by_ref().take(wanted as u64).read_to_end(buffer);
        self.bytes += (buffer.len() - before) as u64;
        match read {
            Ok(read) => self.at_end = read < wanted,
            Err(error) => {
                self.at_end = true;
                self.error = Some(error);
            }
        }
    }

    /// Drops the line in the buffer and what is left of it in the stream; returns its length.
    fn skip_line(&mut self, buffer: &mut Vec<u8>) -> u64 {
        let mut bytes = 0;
        loop {
            let end = memchr(b'\n', buffer);
            bytes += end.unwrap_or(buffer.len()) as u64;
            if let Some(end) = end {
                self.carry.extend(buffer.drain(end + 1..));
                self.carried = memrchr(b'\n', &self.carry);
            }
            buffer.clear();
            if end.is_some() || self.at_end {
                return bytes;
            }
            self.fill(buffer);
        }
    }
}

/// The lines on which parts of a text begin, asked for in their order.
pub(super) struct LineCounter<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> LineCounter<'a> {
    /// Stands on the first line.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The line of an offset behind every one asked for before, counted from 1.
    pub(super) fn line_of(&mut self, offset: usize) -> u64 {
        let passed = self.text.as_bytes().get(self.at..offset).unwrap_or_default();
        self.line += memchr_iter(b'\n', passed).count() as u64;
        self.at = self.at.max(offset);
        self.line
    }

    /// The line on which a part of the text begins.
    pub(super) fn line_of_part(&mut self, part: &str) -> u64 {
        self.line_of(part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr()))
    }
}

/// The line of a byte offset, counted from 1.
pub(super) fn line_of(content: &[u8], offset: usize) -> u64 {
    1 + memchr_iter(b'\n', content.get(..offset).unwrap_or(content)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Seen(Vec<(u64, String)>);

    /// Every line as `number`, `text` with marks: `~` replaced bytes, `…` no line end, `!n` skipped.
    fn read(content: &[u8], limits: Limits) -> (Vec<(u64, String)>, ReadEnd) {
        let mut all = Vec::new();
        let ending = parse(
            content,
            limits,
            Seen::default,
            |seen: &mut Seen, number, line| {
                let shown = match line {
                    Line::TooLong { bytes } => format!("!{bytes}"),
                    Line::Text { text, replaced, ended } => format!(
                        "{text}{}{}",
                        if replaced { "~" } else { "" },
                        if ended { "" } else { "…" }
                    ),
                };
                seen.0.push((number, shown));
            },
            |seen: Seen, before| {
                all.extend(seen.0.into_iter().map(|(number, text)| (before + number, text)));
            },
        );
        (all, ending)
    }

    fn check(content: &[u8], limits: Limits, expected: &[(u64, &str)]) {
        let (found, ending) = read(content, limits);
        let found: Vec<(u64, &str)> = found.iter().map(|(n, text)| (*n, text.as_str())).collect();
        assert_eq!(found, expected, "{limits:?}");
        assert!(ending.error.is_none());
    }

    fn usual() -> Limits {
        model::Limits::default().into()
    }

    const SMALL: Limits = Limits { block_bytes: 8, line_bytes: 20, lines: 1000 };

    #[test]
    fn lines_are_numbered_across_blocks_and_blank_ones_counted() {
        for limits in [SMALL, usual()] {
            check(
                b"one\r\n\n  \nfour\nfive and more",
                limits,
                &[(1, "one"), (4, "four"), (5, "five and more…")],
            );
            check(b"", limits, &[]);
            check(b"\n\n", limits, &[]);
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced_in_their_line_only() {
        check(b"a\n\xFF b\n\xE4\xB8\xAD\n", usual(), &[(1, "a"), (2, "\u{FFFD} b~"), (3, "中")]);
    }

    #[test]
    fn nul_bytes_are_bytes() {
        check(b"a\0b\n\0\n", usual(), &[(1, "a\0b"), (2, "\0")]);
    }

    #[test]
    fn a_line_over_the_limit_is_skipped_and_its_length_told() {
        let long = "x".repeat(10_000);
        let content = format!("a\n{long}\nb\n{}\nlast {long}", "y".repeat(21));
        check(
            content.as_bytes(),
            SMALL,
            &[(1, "a"), (2, "!10000"), (3, "b"), (4, "!21"), (5, "!10005")],
        );
    }

    #[test]
    fn neither_block_size_nor_threads_can_be_seen() {
        let lines: Vec<String> =
            (0..500).map(|row| format!("row {row} {}", "中文".repeat(row % 9))).collect();
        let content = lines.join("\n");
        let (expected, ending) = read(content.as_bytes(), usual());
        assert_eq!((expected.len(), ending.lines), (500, 500));
        for block_bytes in [1, 64, 5000] {
            let limits = Limits { block_bytes, ..usual() };
            for threads in [1, 4] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = pool.expect("a pool of threads");
                assert_eq!(pool.install(|| read(content.as_bytes(), limits).0), expected);
            }
        }
    }

    #[test]
    fn what_came_before_a_read_error_is_kept() {
        let broken = Read::chain(&b"a\nb\n"[..], Failing);
        let mut lines = 0;
        let ending = parse(
            broken,
            usual(),
            u64::default,
            |count: &mut u64, _, _| *count += 1,
            |count, _| lines += count,
        );
        assert_eq!(lines, 2);
        assert!(ending.is_cut());
    }

    #[test]
    fn nothing_is_read_behind_an_error() {
        let broken = Read::chain(&b"a\nb\n"[..], FailingOnce(false)).chain(&b"c\n"[..]);
        let mut lines = 0;
        let each = |count: &mut u64, _, _: Line<'_>| *count += 1;
        let ending = parse(broken, SMALL, u64::default, each, |count, _| lines += count);
        assert_eq!((lines, ending.lines), (2, 2));
        assert!(ending.is_cut());
    }

    struct FailingOnce(bool);

    impl Read for FailingOnce {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            let has_failed = std::mem::replace(&mut self.0, true);
            if has_failed { Ok(0) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
        }
    }

    struct Failing;

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    #[test]
    fn an_offset_has_a_line() {
        assert_eq!((line_of(b"a\nb\n", 0), line_of(b"a\nb\n", 2), line_of(b"a\n", 9)), (1, 2, 2));
    }
}
