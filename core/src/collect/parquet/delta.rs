//! Texts written as differences, written out: the crate that decodes pages makes room for as many as
//! their content says there are, and of texts that each begin with the one before, a few bytes make
//! any number of them.
//!
//! <https://github.com/apache/parquet-format/blob/master/Encodings.md>

use super::thrift::{varint, zigzag};

/// Differences in one block; writers have 128 or 256.
const MOST_IN_BLOCK: u64 = 1 << 16;
/// Bytes of the length that stands before a text.
const LENGTH: usize = 4;

/// The texts of a page of at most `values` values, one after the other, each after its length unless
/// all have the fixed one; `None` where they are damaged or take more than `most` bytes.
pub(super) fn written_out(
    content: &[u8],
    has_prefixes: bool,
    fixed: Option<usize>,
    (values, most): (u64, u64),
) -> Option<Vec<u8>> {
    // Before room is made for them: the numbers of a block take two bytes where all are equal.
    let values = values.min(most / fixed.unwrap_or(LENGTH).max(1) as u64);
    let mut rest = content;
    let mut prefixes = if has_prefixes { numbers(&mut rest, values)? } else { Vec::new() };
    let suffixes = numbers(&mut rest, values)?;
    prefixes.resize(suffixes.len().max(prefixes.len()), 0);
    if prefixes.len() != suffixes.len() {
        return None;
    }
    let (mut out, mut before) = (Vec::new(), 0..0);
    for (prefix, suffix) in prefixes.iter().zip(&suffixes) {
        let (prefix, suffix) = (usize::try_from(*prefix).ok()?, usize::try_from(*suffix).ok()?);
        let (own, behind) = rest.split_at_checked(suffix)?;
        rest = behind;
        let length = prefix + suffix;
        if prefix > before.len()
            || fixed.is_some_and(|fixed| fixed != length)
            || (out.len() + length) as u64 > most
        {
            return None;
        }
        if fixed.is_none() {
            out.extend(u32::try_from(length).ok()?.to_le_bytes());
        }
        let start = out.len();
        out.extend_from_within(before.start..before.start + prefix);
        out.extend_from_slice(own);
        before = start..out.len();
    }
    Some(out)
}

/// The numbers that bytes begin with, at most `most` of them.
fn numbers(rest: &mut &[u8], most: u64) -> Option<Vec<i64>> {
    let in_block = varint(rest)?;
    let parts = varint(rest)?;
    let count = varint(rest)?;
    let mut last = zigzag(varint(rest)?);
    let in_part = in_block.checked_div(parts)?;
    let is_sound = count <= most
        && (1..=MOST_IN_BLOCK).contains(&in_block)
        && in_block.is_multiple_of(128)
        && in_block.is_multiple_of(parts)
        && in_part.is_multiple_of(32);
    if !is_sound {
        return None;
    }
    let mut numbers = Vec::new();
    numbers.extend((count > 0).then_some(last));
    while (numbers.len() as u64) < count {
        let least = zigzag(varint(rest)?);
        let (widths, behind) = rest.split_at_checked(usize::try_from(parts).ok()?)?;
        *rest = behind;
        for width in widths {
            let missing = count - numbers.len() as u64;
            if missing == 0 {
                break;
            }
            let bytes = usize::try_from(u64::from(*width) * in_part / 8).ok()?;
            let (packed, behind) = rest.split_at_checked(bytes)?;
            *rest = behind;
            if *width > 64 {
                return None;
            }
            for at in 0..in_part.min(missing) {
                let difference = bits(packed, at * u64::from(*width), *width)?;
                last = last.wrapping_add(difference).wrapping_add(least);
                numbers.push(last);
            }
        }
    }
    Some(numbers)
}

/// `width` bits from the bit `from` on, the lowest first.
fn bits(packed: &[u8], from: u64, width: u8) -> Option<i64> {
    let within = from % 8;
    let bytes = packed.get(usize::try_from(from / 8).ok()?..)?;
    let bytes = bytes.get(..usize::try_from((within + u64::from(width)).div_ceil(8)).ok()?)?;
    let value = bytes.iter().rev().fold(0_u128, |value, byte| value << 8 | u128::from(*byte));
    let mask = (1_u128 << width) - 1;
    u64::try_from(value >> within & mask).ok().map(u64::cast_signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Hello`, `World` and `Hello`, `Helicopter` of Spark 3.1.1, from the tests of polars.
    const WHOLE: &[u8] = &[
        128, 1, 4, 2, 0, 0, 0, 0, 0, 0, 128, 1, 4, 2, 10, 0, 0, 0, 0, 0, b'H', b'e', b'l', b'l',
        b'o', b'W', b'o', b'r', b'l', b'd',
    ];
    const WITH_PREFIX: &[u8] = &[
        128, 1, 4, 2, 0, 6, 0, 0, 0, 0, 128, 1, 4, 2, 10, 4, 0, 0, 0, 0, b'H', b'e', b'l', b'l',
        b'o', b'i', b'c', b'o', b'p', b't', b'e', b'r',
    ];

    #[test]
    fn texts_of_another_writer_are_those_that_were_written() {
        let of = |texts: [&str; 2]| {
            let length = |text: &str| u32::try_from(text.len()).expect("short").to_le_bytes();
            let one = |text: &str| [&length(text)[..], text.as_bytes()].concat();
            Some(texts.map(one).concat())
        };
        for (content, texts) in
            [(WHOLE, ["Hello", "World"]), (WITH_PREFIX, ["Hello", "Helicopter"])]
        {
            let read = |content, values, most| written_out(content, true, None, (values, most));
            assert_eq!(read(content, 2, 1000), of(texts));
            // Of one value fewer, of fewer bytes together, and of fewer bytes.
            assert_eq!(read(content, 1, 1000), None);
            assert_eq!(read(content, 2, 9), None);
            assert_eq!(read(&content[..content.len() - 1], 2, 1000), None);
        }
        assert_eq!(written_out(WHOLE, true, Some(5), (2, 1000)), Some(b"HelloWorld".to_vec()));
        assert_eq!(written_out(WITH_PREFIX, true, Some(5), (2, 1000)), None);
    }

    #[test]
    fn numbers_are_those_that_were_written() {
        // 7, 5, 3, 1, 2, 3, 4, 5 of the format's description: the least difference is -2.
        let mut bytes = vec![128, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0b1100_0000, 0b0011_1111];
        bytes.extend([0; 6]);
        assert_eq!(numbers(&mut bytes.as_slice(), 8), Some(vec![7, 5, 3, 1, 2, 3, 4, 5]));
    }

    #[test]
    fn a_few_bytes_do_not_make_more_texts_than_the_limit_of_a_page_allows() {
        let values = u64::from(u32::MAX);
        let mut content = vec![0x80, 0x80, 4, 1, 0xff, 0xff, 0xff, 0xff, 15, 0];
        // Blocks of 65,536 empty texts, two bytes each.
        content.extend([0, 0].repeat(1 << 16));
        for fixed in [None, Some(0), Some(1)] {
            let written = written_out(&content, false, fixed, (values, 1 << 20));
            assert_eq!(written, None, "{fixed:?}");
        }
    }

    #[test]
    fn more_than_the_bytes_can_hold_is_not_sound() {
        for (content, what) in [
            (
                &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 1, 2, 0, 0, 0][..],
                "a block of 2^55",
            ),
            (&[128, 1, 0, 2, 0], "a block of no parts"),
            (&[128, 1, 4, 0xff, 0xff, 0xff, 0x7f, 0], "2^28 values"),
            (&[128, 1, 4, 2, 0, 0, 200, 0, 0, 0], "differences of 200 bits"),
            (&[], "nothing"),
        ] {
            assert_eq!(numbers(&mut &*content, 1000), None, "{what}");
        }
    }
}
