//! Where a JSON string ends, found 64 bytes at a time.
//!
//! Texts have an escape sequence every few dozen bytes. A search that stops at each of them spends
//! most of its time on stopping, so escapes are worked out for 64 bytes at once with bit arithmetic
//! and the only stop is the closing quote.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x16, u8x64};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StringEnd {
    pub(crate) quote: usize,
    pub(crate) escapes: Escapes,
}

/// What escape sequences a text holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Escapes {
    /// None: the text stands for itself.
    None,
    /// Only such as have no shorter form.
    Short,
    /// One that has a shorter form, or may have one.
    Long,
}

impl Escapes {
    fn seen(any: bool, long: bool) -> Self {
        match (any, long) {
            (_, true) => Self::Long,
            (true, false) => Self::Short,
            (false, false) => Self::None,
        }
    }
}

const SHORT: usize = 16;
const BLOCK: usize = 64;

/// The end of the string whose text starts where `bytes` start.
#[inline]
pub(crate) fn string_end(bytes: &[u8]) -> Option<StringEnd> {
    // Keys and short values end here, without a call.
    if let Some(first) = bytes.first_chunk::<SHORT>()
        && let Some(quote) = dispatch!(Level::baseline(), simd => plain_end(simd, first))
    {
        return Some(StringEnd { quote, escapes: Escapes::None });
    }
    long_string_end(bytes)
}

/// The closing quote, if it stands within the first bytes and no escape before it.
#[expect(clippy::inline_always, reason = "vector code must be compiled for its caller's features")]
#[inline(always)]
fn plain_end<S: Simd>(simd: S, first: &[u8; SHORT]) -> Option<usize> {
    let first = u8x16::load_array_ref(simd, first);
    let positions = |byte| first.simd_eq(u8x16::splat(simd, byte)).to_bitmask();
    let (quotes, backslashes) = (positions(b'"'), positions(b'\\'));
    let is_plain = quotes != 0 && backslashes.trailing_zeros() > quotes.trailing_zeros();
    is_plain.then_some(quotes.trailing_zeros() as usize)
}

fn long_string_end(bytes: &[u8]) -> Option<StringEnd> {
    // Built for every width of vectors; the processor's widest is taken.
    dispatch!(Level::new(), simd => end_by_blocks(simd, bytes))
}

#[expect(clippy::inline_always, reason = "vector code must be compiled for its caller's features")]
#[inline(always)]
fn end_by_blocks<S: Simd>(simd: S, bytes: &[u8]) -> Option<StringEnd> {
    let (mut any, mut long) = (0, 0);
    let mut carry = 0;
    let mut rest = bytes;
    // No branch but the one at the end: whether 64 bytes of a text hold an escape is a coin toss that
    // a processor cannot learn.
    while let Some((block, after)) = rest.split_first_chunk::<BLOCK>() {
        let block = u8x64::load_array_ref(simd, block);
        let masks = |byte| block.simd_eq(u8x64::splat(simd, byte)).to_bitmask();
        let escaped = escaped_by(masks(b'\\'), &mut carry);
        let escaped_long = escaped & (masks(b'u') | masks(b'/'));
        let closing = masks(b'"') & !escaped;
        if closing != 0 {
            let quote = bytes.len() - rest.len() + closing.trailing_zeros() as usize;
            // What is escaped behind the closing quote belongs to other strings.
            let inside = closing.wrapping_sub(1) & !closing;
            (any, long) = (any | (escaped & inside), long | (escaped_long & inside));
            return Some(StringEnd { quote, escapes: Escapes::seen(any != 0, long != 0) });
        }
        (any, long) = (any | escaped, long | escaped_long);
        rest = after;
    }
    end_by_bytes(rest, carry != 0).map(|end| StringEnd {
        quote: bytes.len() - rest.len() + end.quote,
        escapes: end.escapes.max(Escapes::seen(any != 0, long != 0)),
    })
}

/// The end of a string in less than a block; `is_escaped` says whether the first byte is.
fn end_by_bytes(bytes: &[u8], mut is_escaped: bool) -> Option<StringEnd> {
    let mut escapes = Escapes::None;
    for (quote, &byte) in bytes.iter().enumerate() {
        match byte {
            _ if is_escaped => {
                escapes = escapes.max(Escapes::seen(true, matches!(byte, b'u' | b'/')));
                is_escaped = false;
            }
            b'\\' => is_escaped = true,
            b'"' => return Some(StringEnd { quote, escapes }),
            _ => {}
        }
    }
    None
}

/// Which bytes of 64 are escaped, given which are backslashes. `carry` says whether the first byte
/// is escaped by the 64 before, and then the same for the 64 after.
///
/// Subtraction runs through each series of backslashes at once and leaves every other one (Langdale
/// and Lemire, "Parsing gigabytes of JSON per second", VLDB Journal 28, 2019, section 3.1.1).
#[inline]
fn escaped_by(backslashes: u64, carry: &mut u64) -> u64 {
    const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    let starting = backslashes & !*carry;
    let series = (starting << 1 | ODD).wrapping_sub(starting) ^ ODD;
    let escaped = series ^ (backslashes | *carry);
    *carry = (series & backslashes) >> (BLOCK - 1);
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, byte by byte.
    fn expected(bytes: &[u8]) -> Option<StringEnd> {
        let mut escapes = Escapes::None;
        let mut at = 0;
        loop {
            match bytes.get(at)? {
                b'"' => return Some(StringEnd { quote: at, escapes }),
                b'\\' => {
                    let long = matches!(bytes.get(at + 1)?, b'u' | b'/');
                    escapes = escapes.max(if long { Escapes::Long } else { Escapes::Short });
                    at += 2;
                }
                _ => at += 1,
            }
        }
    }

    #[test]
    fn a_quote_ends_a_string_unless_an_odd_number_of_backslashes_stands_before_it() {
        for length in 0..200 {
            for backslashes in 0..70 {
                let text = format!(
                    "{}{}\"/u\" {}",
                    "x".repeat(length),
                    "\\".repeat(backslashes),
                    "y".repeat(80)
                );
                assert_eq!(string_end(text.as_bytes()), expected(text.as_bytes()), "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn blocks_find_what_bytes_find(text in r#"[\\"u/a]{0,20}[a-z\\]{0,150}[\\"u/a]{0,80}"#) {
            prop_assert_eq!(string_end(text.as_bytes()), expected(text.as_bytes()));
        }
    }
}
