//! A log in blocks of whole lines, made UTF-8 and searched on several threads, handed on in order.
//!
//! One batch is read while the one before it is searched and the one before that is handed on, so
//! memory is three batches however long the log is, and the number of threads cannot be seen.

use std::io::{self, Read};

use encoding_rs::GBK;
use memchr::{memchr, memchr_iter, memrchr};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::super::occurrences::Occurrences;
use super::patterns::Patterns;

/// Sizes, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    pub(super) block: usize,
    /// Of the longest line; of a longer one the end is kept, as redrawn progress is read by its end.
    pub(super) line: usize,
    /// Blocks of a batch.
    pub(super) batch: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { block: 1 << 20, line: 1 << 20, batch: 8 }
    }
}

/// What was done to lines so that they can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Oddities {
    /// Bytes that are no text were replaced.
    pub(super) replaced: Occurrences,
    /// Read as GBK.
    pub(super) gbk: Occurrences,
    /// With NUL bytes.
    pub(super) binary: Occurrences,
    /// Only the end was kept.
    pub(super) long: Occurrences,
}

/// What there was in all.
#[derive(Debug, Default)]
pub(super) struct Ending {
    pub(super) lines: u64,
    pub(super) bytes: u64,
    pub(super) oddities: Oddities,
    pub(super) error: Option<io::Error>,
}

impl Ending {
    /// Hands a block on and adds it.
    fn take(&mut self, block: &Block, each: &mut impl FnMut(&Block, u64)) {
        each(block, self.lines);
        let Oddities { replaced, gbk, binary, long } = block.oddities;
        self.oddities.replaced.append(replaced, self.lines);
        self.oddities.gbk.append(gbk, self.lines);
        self.oddities.binary.append(binary, self.lines);
        self.oddities.long.append(long, self.lines);
        self.lines += block.lines;
    }
}

/// One block: text, and the starts of the lines to look at.
pub(super) struct Block {
    pub(super) text: String,
    pub(super) hits: Vec<usize>,
    lines: u64,
    oddities: Oddities,
}

/// Reads a log; `each` takes every block in order, with the number of lines before it.
pub(super) fn read(
    content: impl Read + Send,
    sizes: Sizes,
    patterns: &Patterns,
    mut each: impl FnMut(&Block, u64) + Send,
) -> Ending {
    let mut source =
        Source { content, sizes, carry: Vec::new(), long: false, at_end: false, error: None };
    let mut ending = Ending::default();
    let mut batch = source.batch();
    let mut ready: Vec<Block> = Vec::new();
    while !batch.is_empty() || !ready.is_empty() {
        let bytes = batch.iter().map(|raw| raw.read).sum::<u64>();
        let ((), (blocks, next)) = rayon::join(
            || ready.iter().for_each(|block| ending.take(block, &mut each)),
            || {
                rayon::join(
                    || batch.into_par_iter().map(|raw| searched(raw, patterns)).collect(),
                    || source.batch(),
                )
            },
        );
        ending.bytes += bytes;
        (ready, batch) = (blocks, next);
    }
    ending.error = source.error;
    ending
}

/// Whole lines as they were read.
struct Raw {
    bytes: Vec<u8>,
    /// Bytes read for it, those that were dropped included.
    read: u64,
    /// The first line is the end of a longer one.
    long: bool,
}

struct Source<R> {
    content: R,
    sizes: Sizes,
    /// The start of a line whose end has not been read.
    carry: Vec<u8>,
    /// The carried line has lost its start.
    long: bool,
    at_end: bool,
    error: Option<io::Error>,
}

impl<R: Read> Source<R> {
    fn batch(&mut self) -> Vec<Raw> {
        let mut batch = Vec::new();
        while batch.len() < self.sizes.batch
            && let Some(raw) = self.next()
        {
            batch.push(raw);
        }
        batch
    }

    fn next(&mut self) -> Option<Raw> {
        let mut bytes = std::mem::take(&mut self.carry);
        let mut long = std::mem::take(&mut self.long);
        let mut read = 0;
        while !self.at_end {
            let start = bytes.len();
            bytes.reserve(self.sizes.block);
            let wanted = self.sizes.block as u64;
            match self.content.by_ref().take(wanted).read_to_end(&mut bytes) {
                Ok(got) => {
                    read += got as u64;
                    self.at_end = got < self.sizes.block;
                }
                Err(error) => {
                    read += (bytes.len() - start) as u64;
                    self.at_end = true;
                    self.error = Some(error);
                }
            }
            let fresh = bytes.get(start..).unwrap_or_default();
            if let Some(end) = memrchr(b'\n', fresh).map(|end| start + end + 1)
                && !self.at_end
            {
                self.carry = bytes.split_off(end);
                break;
            }
            if bytes.len() > self.sizes.line && !self.at_end {
                let cut = bytes.len() - self.sizes.line / 2;
                bytes.drain(..cut);
                long = true;
            }
        }
        (!bytes.is_empty()).then_some(Raw { bytes, read, long })
    }
}

fn searched(raw: Raw, patterns: &Patterns) -> Block {
    let Raw { bytes, long, .. } = raw;
    let mut oddities = Oddities::default();
    if long {
        oddities.long.note(1);
    }
    if memchr(0, &bytes).is_some() {
        let lines = bytes.split(|b| *b == b'\n').zip(1..);
        lines
            .filter(|(line, _)| line.contains(&0))
            .for_each(|(_, line)| oddities.binary.note(line));
    }
    let text = match simdutf8::basic::from_utf8(&bytes) {
        Ok(_) => String::from_utf8(bytes).unwrap_or_default(),
        Err(_) => decoded(&bytes, &mut oddities),
    };
    let hits = patterns.interesting(text.as_bytes());
    let ends = memchr_iter(b'\n', text.as_bytes()).count() as u64;
    let lines = ends + u64::from(!text.is_empty() && !text.ends_with('\n'));
    Block { text, hits, lines, oddities }
}

/// Line by line, because one log may hold several encodings.
fn decoded(bytes: &[u8], oddities: &mut Oddities) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 2);
    for (line, number) in bytes.split_inclusive(|b| *b == b'\n').zip(1..) {
        if let Ok(line) = simdutf8::basic::from_utf8(line) {
            text.push_str(line);
        } else if let Some(line) = gbk(line) {
            oddities.gbk.note(number);
            text.push_str(&line);
        } else {
            oddities.replaced.note(number);
            text.push_str(&String::from_utf8_lossy(line));
        }
    }
    text
}

/// A line as GBK, where that is the better reading: every byte makes sense in it, the result is
/// text, and less than half of its bytes beyond ASCII make sense as UTF-8.
fn gbk(line: &[u8]) -> Option<String> {
    if line.contains(&0) {
        return None;
    }
    let (mut as_utf8, mut beyond) = (0, 0);
    for chunk in line.utf8_chunks() {
        let valid = chunk.valid().bytes().filter(|b| !b.is_ascii()).count();
        as_utf8 += valid;
        beyond += valid + chunk.invalid().len();
    }
    if 2 * as_utf8 >= beyond || beyond < 4 {
        return None;
    }
    let text = GBK.decode_without_bom_handling_and_without_replacement(line)?;
    let is_text = |c: char| {
        c.is_ascii()
            || matches!(c, '\u{3000}'..='\u{303f}' | '\u{4e00}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
            || matches!(c, '\u{2010}'..='\u{2027}' | '\u{2190}'..='\u{21ff}' | '\u{b7}' | '\u{d7}')
    };
    text.chars().all(is_text).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(content: &[u8], sizes: Sizes) -> (String, Ending) {
        let patterns = Patterns::with_files(&[]).expect("shipped");
        let mut all = String::new();
        let ending = read(content, sizes, &patterns, |block, _| all.push_str(&block.text));
        (all, ending)
    }

    const SMALL: Sizes = Sizes { block: 8, line: 32, batch: 2 };

    #[test]
    fn lines_are_whole_whatever_the_size_of_blocks() {
        for sizes in [SMALL, Sizes::default()] {
            let (text, ending) = read_all("一\nsecond line\n\nlast".as_bytes(), sizes);
            assert_eq!((text.as_str(), ending.lines), ("一\nsecond line\n\nlast", 4));
            assert_eq!(ending.oddities, Oddities::default());
        }
    }

    #[test]
    fn of_a_line_that_never_ends_the_end_is_kept() {
        let content = format!("a\n{}end\nb\n", "x".repeat(300));
        let (text, ending) = read_all(content.as_bytes(), SMALL);
        assert!(text.len() < 80 && text.ends_with("end\nb\n"), "{text}");
        assert_eq!((ending.lines, ending.bytes), (3, content.len() as u64));
        assert_eq!(ending.oddities.long, Occurrences { count: 1, first: 2 });
    }

    #[test]
    fn encodings_are_told_apart_line_by_line() {
        let (gbk, _, _) = GBK.encode("错误：模型输出不是数字");
        let mut content = "训练开始\n".as_bytes().to_vec();
        content.extend_from_slice(&gbk);
        content.extend_from_slice("\n好的文本但是坏了\u{fffd}".as_bytes());
        content.extend_from_slice(b"\xff\xfe\nnul\0nul\n");
        let (text, ending) = read_all(&content, Sizes::default());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.first().copied(), Some("训练开始"));
        assert_eq!(lines.get(1).copied(), Some("错误：模型输出不是数字"));
        let Oddities { replaced, gbk, binary, long } = ending.oddities;
        assert_eq!(gbk, Occurrences { count: 1, first: 2 });
        assert_eq!(replaced, Occurrences { count: 1, first: 3 });
        assert_eq!(binary, Occurrences { count: 1, first: 4 });
        assert_eq!(long, Occurrences::default());
    }
}
