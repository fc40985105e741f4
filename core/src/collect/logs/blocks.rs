//! A log in blocks of whole lines, made UTF-8 and searched on several threads, handed on in order.

use std::io::Read;

use encoding_rs::GBK;
use memchr::{memchr, memchr_iter};

use super::super::lines::{BlockPiece, Limits, LongLines, ReadEnd, in_blocks};
use super::super::occurrences::LineOccurrences;
use super::patterns::Patterns;
use crate::model;

/// How much of a log is held at once, and how much is read.
pub(super) fn limits(most: model::Limits) -> Limits {
    Limits { block_bytes: 1 << 20, line_bytes: 1 << 20, lines: most.lines }
}

/// What was done to lines so that they can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Oddities {
    pub(super) replaced: LineOccurrences,
    pub(super) gbk: LineOccurrences,
    pub(super) binary: LineOccurrences,
    pub(super) long: LineOccurrences,
}

impl Oddities {
    /// Adds those of the next block, before which there are so many lines.
    fn append(&mut self, next: Self, lines: u64) {
        self.replaced.append(next.replaced, lines);
        self.gbk.append(next.gbk, lines);
        self.binary.append(next.binary, lines);
        self.long.append(next.long, lines);
    }
}

/// One block: text, and the starts of the lines to look at.
pub(super) struct Block {
    pub(super) text: String,
    pub(super) hits: Vec<usize>,
    oddities: Oddities,
}

/// Reads a log; `each` takes every block in order, with the number of lines before it.
pub(super) fn read_log_blocks(
    content: impl Read + Send,
    limits: Limits,
    patterns: &Patterns,
    mut each: impl FnMut(&Block, u64) + Send,
) -> (ReadEnd, Oddities) {
    let mut oddities = Oddities::default();
    let search = |piece, buffer: &mut Vec<u8>| {
        let is_cut = matches!(piece, BlockPiece::Lines { is_cut: true });
        let block = searched(std::mem::take(buffer), is_cut, patterns);
        let ends = memchr_iter(b'\n', block.text.as_bytes()).count() as u64;
        let is_open = !block.text.is_empty() && !block.text.ends_with('\n');
        (block, ends + u64::from(is_open))
    };
    let merge = |block: Block, before| {
        each(&block, before);
        oddities.append(block.oddities, before);
    };
    let ending = in_blocks(content, limits, LongLines::KeepEnd, search, merge);
    (ending, oddities)
}

fn searched(bytes: Vec<u8>, is_cut: bool, patterns: &Patterns) -> Block {
    let mut oddities = Oddities::default();
    if is_cut {
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
    Block { text, hits, oddities }
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

    fn read_all(content: &[u8], limits: Limits) -> (String, ReadEnd, Oddities) {
        let patterns = Patterns::with_files(&[]).expect("shipped");
        let mut all = String::new();
        let (ending, oddities) =
            read_log_blocks(content, limits, &patterns, |block, _| all.push_str(&block.text));
        (all, ending, oddities)
    }

    const SMALL: Limits = Limits { block_bytes: 8, line_bytes: 32, lines: 1000 };

    #[test]
    fn lines_are_whole_whatever_the_size_of_blocks() {
        for limits in [SMALL, limits(model::Limits::default())] {
            let (text, ending, oddities) = read_all("一\nsecond line\n\nlast".as_bytes(), limits);
            assert_eq!((text.as_str(), ending.lines), ("一\nsecond line\n\nlast", 4));
            assert_eq!(oddities, Oddities::default());
        }
    }

    #[test]
    fn of_a_line_that_never_ends_the_end_is_kept() {
        let content = format!("a\n{}end\nb\n", "x".repeat(20_000));
        let (text, ending, oddities) = read_all(content.as_bytes(), SMALL);
        assert!(text.len() < 80 && text.ends_with("end\nb\n"), "{text}");
        assert_eq!((ending.lines, ending.bytes), (3, content.len() as u64));
        assert_eq!(oddities.long, LineOccurrences { count: 1, first: 2 });
    }

    #[test]
    fn encodings_are_told_apart_line_by_line() {
        let (gbk, _, _) = GBK.encode("错误：模型输出不是数字");
        let mut content = "训练开始\n".as_bytes().to_vec();
        content.extend_from_slice(&gbk);
        content.extend_from_slice("\n好的文本但是坏了\u{fffd}".as_bytes());
        content.extend_from_slice(b"\xff\xfe\nnul\0nul\n");
        let (text, _, oddities) = read_all(&content, limits(model::Limits::default()));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.first().copied(), Some("训练开始"));
        assert_eq!(lines.get(1).copied(), Some("错误：模型输出不是数字"));
        let Oddities { replaced, gbk, binary, long } = oddities;
        assert_eq!(gbk, LineOccurrences { count: 1, first: 2 });
        assert_eq!(replaced, LineOccurrences { count: 1, first: 3 });
        assert_eq!(binary, LineOccurrences { count: 1, first: 4 });
        assert_eq!(long, LineOccurrences::default());
    }
}
