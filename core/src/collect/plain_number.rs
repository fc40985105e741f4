//! Numbers as programs mostly write them, digits with a point among them, read without a look at what else a
//! text could be.

/// Powers of ten that a double holds as they are.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];
/// Whole numbers up to this are doubles.
const LARGEST: u64 = 1 << f64::MANTISSA_DIGITS;
/// So many digits fit into 64 bits.
const MOST_DIGITS: usize = 19;

/// The number that the bytes begin with, as [`str::parse`] has it, and its length: digits, perhaps with a sign
/// before, a point among and an exponent behind them.
pub(super) fn leading(bytes: &[u8]) -> Option<(f64, usize)> {
    let digits_from = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let (mut whole, mut at, mut point) = (0_u64, sign, None);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' => whole = whole.wrapping_mul(10).wrapping_add(u64::from(byte - b'0')),
            b'.' if point.is_none() => point = Some(at),
            _ => break,
        }
        at += 1;
    }
    let digits = at - sign - usize::from(point.is_some());
    if digits == 0 {
        return None;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at += 1 + sign + Some(digits_from(at + 1 + sign)).filter(|digits| *digits > 0)?;
    } else {
        // One division of two exact numbers is rounded once, as it should be.
        let power = POWERS.get(point.map_or(0, |point| at - point - 1));
        if let Some(power) = power.filter(|_| digits <= MOST_DIGITS && whole <= LARGEST) {
            let number = whole as f64 / power;
            return Some((if sign == 1 { -number } else { number }, at));
        }
    }
    let number = std::str::from_utf8(bytes.get(..at)?).ok()?.parse().ok()?;
    Some((number, at))
}

/// The numbers that the bytes are, with commas between them; `None` where they are anything else.
pub(super) fn separated<const N: usize>(bytes: &[u8]) -> Option<[f64; N]> {
    let (mut numbers, mut rest) = ([0.0; N], bytes);
    for (at, number) in numbers.iter_mut().enumerate() {
        rest = if at > 0 { rest.strip_prefix(b",")? } else { rest };
        let (found, length) = leading(rest)?;
        (*number, rest) = (found, rest.get(length..)?);
    }
    rest.is_empty().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str) {
        let found = leading(text.as_bytes());
        let (number, length) = found.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(length, text.len(), "{text}");
        assert_eq!(number.to_bits(), text.parse::<f64>().expect("a number").to_bits(), "{text}");
    }

    proptest! {
        #[test]
        fn numbers_are_those_of_the_standard_library(
            any in any::<f64>().prop_filter("finite", |any| any.is_finite()),
            text in r"-?[0-9]{1,21}(\.[0-9]{0,24})?([eE][+-]?[0-9]{1,3})?",
        ) {
            check(&any.to_string());
            check(&format!("{any:e}"));
            check(&text);
        }
    }

    #[test]
    fn what_ends_a_number_and_what_is_none() {
        for (text, expected) in [
            ("1.5,2", Some((1.5, 3))),
            ("-0", Some((-0.0, 2))),
            (".5 ", Some((0.5, 2))),
            ("5.", Some((5.0, 2))),
            ("1.2.3", Some((1.2, 3))),
            ("9007199254740993", Some((9_007_199_254_740_992.0, 16))),
            ("", None),
            ("-", None),
            (".", None),
            ("1e", None),
            ("+1", None),
            ("nan", None),
        ] {
            assert_eq!(leading(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(separated(b"1,-2.5"), Some([1.0, -2.5]));
        for other in [&b"1"[..], b"1,2,3", b"1, 2", b"1,2 ", b"1,x"] {
            assert_eq!(separated::<2>(other), None);
        }
    }
}
