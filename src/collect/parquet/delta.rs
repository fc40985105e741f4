//! Values written as differences: how many they say they are, and how long the texts that are put
//! together of them. polars makes room for what is said before it looks whether it is there.
//!
//! <https://github.com/apache/parquet-format/blob/master/Encodings.md>

use super::thrift::{varint, zigzag};

const NUMBERS: i64 = 5;
const TEXTS: i64 = 6;
const TEXTS_WITH_PREFIXES: i64 = 7;

pub(super) const ENCODINGS: [i64; 3] = [NUMBERS, TEXTS, TEXTS_WITH_PREFIXES];

/// Differences in one block; writers have 128 or 256.
const MOST_IN_BLOCK: u64 = 1 << 16;

/// Whether the content of a page holds no more values than the page says, and texts of at most so
/// many bytes together.
pub(super) fn is_sound(encoding: i64, content: &[u8], values: u64, most: u64) -> bool {
    let mut rest = content;
    let Some(first) = numbers(&mut rest, values) else { return false };
    match encoding {
        TEXTS => {
            let lengths = first.iter().map(|length| u64::try_from(*length).ok());
            let sum = lengths.into_iter().try_fold(0_u64, |sum, length| sum.checked_add(length?));
            sum.is_some_and(|sum| sum <= rest.len() as u64)
        }
        TEXTS_WITH_PREFIXES => {
            let suffixes = numbers(&mut rest, values);
            suffixes.is_some_and(|suffixes| fits(&first, &suffixes, rest.len() as u64, most))
        }
        _ => true,
    }
}

/// Whether every text begins with no more than the one before has, and ends within the bytes.
fn fits(prefixes: &[i64], suffixes: &[i64], bytes: u64, most: u64) -> bool {
    let (mut before, mut taken, mut total) = (0_u64, 0_u64, 0_u64);
    prefixes.len() == suffixes.len()
        && prefixes.iter().zip(suffixes).all(|(prefix, suffix)| {
            let (Ok(prefix), Ok(suffix)) = (u64::try_from(*prefix), u64::try_from(*suffix)) else {
                return false;
            };
            if prefix > before || suffix > bytes - taken {
                return false;
            }
            taken += suffix;
            before = prefix + suffix;
            total += before;
            total <= most
        })
}

/// The numbers at the beginning of some bytes, at most so many.
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

/// So many bits from a place on, the lowest first.
fn bits(packed: &[u8], from: u64, width: u8) -> Option<i64> {
    let mut value = 0_u64;
    for at in 0..u64::from(width) {
        let byte = packed.get(usize::try_from((from + at) / 8).ok()?)?;
        value |= u64::from(byte >> ((from + at) % 8) & 1) << at;
    }
    Some(value.cast_signed())
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
    fn texts_of_another_writer_are_sound() {
        for content in [WHOLE, WITH_PREFIX] {
            assert!(is_sound(TEXTS_WITH_PREFIXES, content, 2, 1000));
            // Of one value fewer, and of fewer bytes together.
            assert!(!is_sound(TEXTS_WITH_PREFIXES, content, 1, 1000));
            assert!(!is_sound(TEXTS_WITH_PREFIXES, content, 2, 9));
            assert!(!is_sound(TEXTS_WITH_PREFIXES, &content[..content.len() - 1], 2, 1000));
        }
    }

    #[test]
    fn numbers_are_those_that_were_written() {
        // 7, 5, 3, 1, 2, 3, 4, 5 of the format's description: the least difference is -2.
        let mut bytes = vec![128, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0b1100_0000, 0b0011_1111];
        bytes.extend([0; 6]);
        assert_eq!(numbers(&mut bytes.as_slice(), 8), Some(vec![7, 5, 3, 1, 2, 3, 4, 5]));
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
            assert!(!is_sound(NUMBERS, content, 1000, 1000), "{what}");
        }
    }
}
