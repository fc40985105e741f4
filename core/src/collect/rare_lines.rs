//! Lines that contain something rare, with the lines above them; all other lines are only counted.

use std::io::Read;

use memchr::{memchr, memchr_iter, memrchr};

use super::lines::{BlockPiece, Limits, Line, LongLines, ReadEnd, for_each_line, in_blocks};

/// Like [`parse`](super::lines::parse), but only for the lines at the byte offsets that `find` returns, in
/// ascending order, with the `above` lines before each. The last lines of a block are included, as they
/// may precede a hit in the next. Overlong lines are skipped.
pub(super) fn parse_rare<T: Send>(
    content: impl Read + Send,
    limits: Limits,
    (find, above): (impl Fn(&[u8]) -> Vec<usize> + Sync, usize),
    new: impl Fn() -> T + Sync,
    each: impl Fn(&mut T, u64, Line<'_>) + Sync,
    merge: impl FnMut(T, u64) + Send,
) -> ReadEnd {
    let read = |piece, buffer: &mut Vec<u8>| {
        let mut value = new();
        if matches!(piece, BlockPiece::TooLong { .. }) {
            return (value, 1);
        }
        let block = buffer.as_slice();
        let (mut at, mut lines) = (0, 0);
        for stretch in stretches(block, &find(block), above) {
            lines += line_ends(block.get(at..stretch.0).unwrap_or_default());
            at = stretch.1;
            let before = lines;
            let stretch = block.get(stretch.0..at).unwrap_or_default();
            lines += for_each_line(stretch, limits.line_bytes, |number, line| {
                each(&mut value, before + number, line);
            });
        }
        (value, lines + line_ends(block.get(at..).unwrap_or_default()))
    };
    in_blocks(content, limits, LongLines::Skip, read, merge)
}

/// The first hit in each line, ascending; `find` gives the next hit from a byte offset on.
pub(super) fn first_in_lines(
    block: &[u8],
    mut find: impl FnMut(usize) -> Option<usize>,
) -> Vec<usize> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(hit) = find(from) {
        found.push(hit);
        let rest = block.get(hit..).unwrap_or_default();
        let Some(end) = memchr(b'\n', rest) else { break };
        from = hit + end + 1;
    }
    found
}

/// The stretches of whole lines around the bytes `found`, each from the first of the lines above to
/// the end of the line, and that of the last lines of the block. None overlap.
fn stretches(block: &[u8], found: &[usize], above: usize) -> Vec<(usize, usize)> {
    let mut stretches = Vec::new();
    let mut passed = 0;
    for &hit in found.iter().chain(block.len().checked_sub(1).as_ref()) {
        if hit < passed {
            continue;
        }
        let rest = block.get(hit..).unwrap_or_default();
        let end = memchr(b'\n', rest).map_or(block.len(), |end| hit + end + 1);
        stretches.push((start_above(block, passed, hit, above), end));
        passed = end;
    }
    stretches
}

/// Where the line starts that stands `above` lines above the one with the byte `at`, or `from`.
fn start_above(block: &[u8], from: usize, at: usize, above: usize) -> usize {
    let mut start = at;
    for _ in 0..=above {
        let before = block.get(from..start).unwrap_or_default();
        let Some(end) = memrchr(b'\n', before) else { return from };
        start = from + end;
    }
    start + 1
}

fn line_ends(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::lines::parse;
    use super::*;

    type Numbered = Vec<(u64, String)>;

    fn note(value: &mut Numbered, number: u64, line: Line<'_>) {
        if let Line::Text { text, .. } = line {
            value.push((number, text.to_string()));
        }
    }

    proptest! {
        #[test]
        fn rare_lines_have_their_numbers_and_so_many_lines_above_them(
            lines in prop::collection::vec("[ab ]{0,6}x?(\r)?", 0..60),
            is_ended: bool,
            above in 0usize..4,
            block_bytes in 1usize..80,
        ) {
            let text = lines.join("\n") + if is_ended { "\n" } else { "" };
            let limits = Limits { block_bytes, line_bytes: 100, lines: 1000 };
            let (mut every, mut rare) = (Vec::new(), Vec::new());
            let ended = parse(text.as_bytes(), limits, Vec::new, note, |block: Numbered, before| {
                every.extend(block.into_iter().map(|(number, line)| (before + number, line)));
            });
            let counts = (ended.lines, ended.bytes);
            let find = |block: &[u8]| memchr_iter(b'x', block).collect();
            let merge = |block: Numbered, before| {
                rare.extend(block.into_iter().map(|(number, line)| (before + number, line)));
            };
            let ended = parse_rare(text.as_bytes(), limits, (find, above), Vec::new, note, merge);
            prop_assert_eq!((ended.lines, ended.bytes), counts);
            let holding = |number: u64| {
                every.iter().any(|(own, line)| {
                    line.contains('x') && number <= *own && own - number <= above as u64
                })
            };
            prop_assert!(rare.iter().all(|line| every.contains(line)));
            for line in every.iter().filter(|(number, _)| holding(*number)) {
                prop_assert!(rare.contains(line), "{line:?}");
            }
            prop_assert!(rare.is_sorted());
        }
    }
}
