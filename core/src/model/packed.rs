//! Columns of numbers as text that compresses well, for files that hold a run whole.
//!
//! Owns one form for all columns: the digits of each value to base 64, all highest digits first, then
//! all second ones. What is constant, or changes slowly, stands side by side there, and random bits
//! cost hardly more than their number.

use std::num::NonZeroU64;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The digits, in the order of their values.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BITS: u32 = 6;

/// A value of a column.
pub(super) trait Packable: Sized {
    fn bits(&self) -> u64;

    /// `None` where no value has these bits.
    fn from_bits(bits: u64) -> Option<Self>;
}

macro_rules! packable_numbers {
    ($($number:ty),+) => {
        $(impl Packable for $number {
            fn bits(&self) -> u64 {
                u64::from(*self)
            }

            fn from_bits(bits: u64) -> Option<Self> {
                bits.try_into().ok()
            }
        })+
    };
}
packable_numbers!(u8, u16, u32, u64);

impl Packable for bool {
    fn bits(&self) -> u64 {
        u64::from(*self)
    }

    fn from_bits(bits: u64) -> Option<Self> {
        (bits < 2).then_some(bits == 1)
    }
}

impl Packable for f64 {
    fn bits(&self) -> u64 {
        self.to_bits()
    }

    fn from_bits(bits: u64) -> Option<Self> {
        Some(Self::from_bits(bits))
    }
}

impl Packable for Option<NonZeroU64> {
    fn bits(&self) -> u64 {
        self.map_or(0, NonZeroU64::get)
    }

    fn from_bits(bits: u64) -> Option<Self> {
        Some(NonZeroU64::new(bits))
    }
}

/// A row of several numbers.
pub(super) trait Row<const N: usize>: Sized {
    fn numbers(&self) -> [u64; N];

    fn from_numbers(numbers: [u64; N]) -> Option<Self>;
}

/// A column as it is written.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Packed {
    rows: usize,
    /// What the digits count.
    of: Counted,
    digits: String,
    /// The values that occur, in the order of first appearance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    values: Option<Box<Self>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Counted {
    /// The values themselves.
    Values,
    /// What each adds to the one before it; the lowest digit says whether it is taken away.
    Steps,
    /// Places among the values that occur.
    Places,
}

impl Packed {
    pub(super) fn new<T: Packable>(column: &[T]) -> Self {
        let values: Vec<u64> = column.iter().map(Packable::bits).collect();
        let distinct: indexmap::IndexSet<u64> = values.iter().copied().collect();
        if values.len() > 2 && distinct.len() <= values.len() / 2 && width(&values) > 1 {
            let place = |value: &u64| distinct.get_index_of(value).unwrap_or_default() as u64;
            let places: Vec<u64> = values.iter().map(place).collect();
            let occurring: Vec<u64> = distinct.iter().copied().collect();
            let values = Some(Box::new(Self::new(&occurring)));
            return Self { values, ..Self::written(Counted::Places, &places) };
        }
        let steps = steps(&values);
        if width(&steps) < width(&values) {
            return Self::written(Counted::Steps, &steps);
        }
        Self::written(Counted::Values, &values)
    }

    fn written(of: Counted, numbers: &[u64]) -> Self {
        let mut digits = String::with_capacity(numbers.len() * width(numbers) as usize);
        for plane in (0..width(numbers)).rev() {
            let digit = |number: &u64| DIGITS[(number >> (plane * BITS)) as usize % DIGITS.len()];
            digits.extend(numbers.iter().map(digit).map(char::from));
        }
        Self { rows: numbers.len(), of, digits, values: None }
    }

    /// The column again; `None` where this is none.
    pub(super) fn unpacked<T: Packable>(&self) -> Option<Vec<T>> {
        self.numbers()?.into_iter().map(T::from_bits).collect()
    }

    fn numbers(&self) -> Option<Vec<u64>> {
        // No more rows than digits: what a stranger writes must not ask for memory by a number alone.
        if self.rows > self.digits.len() || !self.digits.len().is_multiple_of(self.rows.max(1)) {
            return None;
        }
        let mut numbers = vec![0_u64; self.rows];
        for plane in self.digits.as_bytes().chunks(self.rows.max(1)) {
            for (number, digit) in numbers.iter_mut().zip(plane) {
                *number = *number << BITS | value_of(*digit)?;
            }
        }
        match (self.of, &self.values) {
            (Counted::Values, _) => Some(numbers),
            (Counted::Steps, _) => Some(from_steps(&numbers)),
            (Counted::Places, Some(values)) => {
                let values = values.numbers()?;
                numbers.into_iter().map(|place| values.get(place as usize).copied()).collect()
            }
            (Counted::Places, None) => None,
        }
    }
}

/// What a digit counts.
fn value_of(digit: u8) -> Option<u64> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(u64::from(value))
}

/// Digits of the largest number, at least one.
fn width(numbers: &[u64]) -> u32 {
    let largest = numbers.iter().copied().max().unwrap_or(0);
    (u64::BITS - largest.leading_zeros()).div_ceil(BITS).max(1)
}

fn steps(values: &[u64]) -> Vec<u64> {
    let mut before = 0_u64;
    let step = |&value: &u64| {
        let step = value.wrapping_sub(before).cast_signed();
        before = value;
        (step << 1 ^ step >> (u64::BITS - 1)).cast_unsigned()
    };
    values.iter().map(step).collect()
}

fn from_steps(steps: &[u64]) -> Vec<u64> {
    let mut value = 0_u64;
    let next = |&step: &u64| {
        value = value.wrapping_add(step >> 1 ^ (step & 1).wrapping_neg());
        value
    };
    steps.iter().map(next).collect()
}

/// For `#[serde(with = "packed")]`.
pub(super) fn serialize<S: Serializer, T: Packable>(
    column: &[T],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Packed::new(column).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>, T: Packable>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let packed = Packed::deserialize(deserializer)?;
    packed.unpacked().ok_or_else(|| D::Error::custom("a column that is none"))
}

/// Columns behind their names, for `#[serde(with = "packed::named")]`.
pub(super) mod named {
    use super::{Deserialize, Deserializer, Packable, Packed, Serialize, Serializer};
    use serde::de::Error as _;

    pub(in super::super) fn serialize<S: Serializer, N: Serialize, T: Packable>(
        columns: &[(N, Vec<T>)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(columns.iter().map(|(name, column)| (name, Packed::new(column))))
    }

    pub(in super::super) fn deserialize<'de, D, N, T>(
        deserializer: D,
    ) -> Result<Vec<(N, Vec<T>)>, D::Error>
    where
        D: Deserializer<'de>,
        N: Deserialize<'de>,
        T: Packable,
    {
        let columns = Vec::<(N, Packed)>::deserialize(deserializer)?.into_iter();
        let columns = columns.map(|(name, packed)| Some((name, packed.unpacked()?)));
        columns.collect::<Option<_>>().ok_or_else(|| D::Error::custom("a column that is none"))
    }
}

/// Rows of several numbers, a column for each, for `#[serde(with = "packed::rows")]`.
pub(super) mod rows {
    use super::{Deserializer, Packed, Row, Serializer};
    use serde::de::Error as _;
    use serde::{Deserialize as _, Serialize as _};

    pub(in super::super) fn serialize<S: Serializer, T: Row<N>, const N: usize>(
        rows: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let numbers: Vec<[u64; N]> = rows.iter().map(Row::numbers).collect();
        let column = |at: usize| numbers.iter().map(|row| row[at]).collect::<Vec<u64>>();
        (0..N).map(|at| Packed::new(&column(at))).collect::<Vec<_>>().serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>, T: Row<N>, const N: usize>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let packed = Vec::<Packed>::deserialize(deserializer)?;
        let columns: Option<Vec<Vec<u64>>> = packed.iter().map(Packed::numbers).collect();
        let columns = columns.and_then(|columns| <[Vec<u64>; N]>::try_from(columns).ok());
        let is_whole =
            |columns: &[Vec<u64>; N]| columns.iter().all(|one| one.len() == columns[0].len());
        let columns =
            columns.filter(is_whole).ok_or_else(|| D::Error::custom("columns that are none"))?;
        let row = |at: usize| T::from_numbers(std::array::from_fn(|column| columns[column][at]));
        let rows: Option<Vec<T>> = (0..columns[0].len()).map(row).collect();
        rows.ok_or_else(|| D::Error::custom("a row that is none"))
    }
}

/// A number that may be infinite or none, which JSON has no word for, for
/// `#[serde(with = "packed::number")]`.
pub(super) mod number {
    use super::{Deserialize, Deserializer, Serialize, Serializer};
    use serde::de::Error as _;

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Written {
        Finite(f64),
        Other(String),
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields on by reference")]
    pub(in super::super) fn serialize<S: Serializer>(
        number: &f64,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let other = || Written::Other(number.to_string());
        if number.is_finite() { Written::Finite(*number) } else { other() }.serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<f64, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Finite(number) => Ok(number),
            Written::Other(text) => text.parse().map_err(D::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(column: &[u64], of: Counted) {
        let packed = Packed::new(column);
        assert_eq!(packed.of, of, "{column:?}");
        assert_eq!(packed.unpacked::<u64>().as_deref(), Some(column));
    }

    #[test]
    fn every_column_comes_back_as_it_was() {
        check(&[], Counted::Values);
        check(&[0, 0, 0], Counted::Values);
        check(&[u64::MAX, 0, 1 << 63, 5], Counted::Values);
        check(&[1000, 1001, 1000, 1001, 1000, 1001], Counted::Places);
        check(&[1_000_000, 1_000_001, 1_000_004, 1_000_002], Counted::Values);
        check(&(7..700).collect::<Vec<_>>(), Counted::Steps);
        check(&[9_999, u64::MAX, 9_999, u64::MAX], Counted::Places);
        let reals = [0.1, -0.0, f64::INFINITY, f64::MIN_POSITIVE];
        let unpacked = Packed::new(&reals).unpacked::<f64>().expect("reals");
        assert_eq!(unpacked.map_bits(), reals.to_vec().map_bits());
    }

    trait MapBits {
        fn map_bits(&self) -> Vec<u64>;
    }

    impl MapBits for Vec<f64> {
        fn map_bits(&self) -> Vec<u64> {
            self.iter().map(|real| real.to_bits()).collect()
        }
    }

    #[test]
    fn what_is_no_column_is_refused() {
        let column = |json: &str| serde_json::from_str::<Packed>(json).expect("fields");
        for json in [
            r#"{"rows":2,"of":"values","digits":"ABC"}"#,
            r#"{"rows":2,"of":"values","digits":""}"#,
            r#"{"rows":18446744073709551615,"of":"values","digits":""}"#,
            r#"{"rows":1,"of":"values","digits":"?"}"#,
            r#"{"rows":1,"of":"places","digits":"A"}"#,
            r#"{"rows":1,"of":"places","digits":"B","values":{"rows":1,"of":"values","digits":"A"}}"#,
        ] {
            assert_eq!(column(json).unpacked::<u64>(), None, "{json}");
        }
        let flags = column(r#"{"rows":1,"of":"values","digits":"C"}"#);
        assert_eq!(flags.unpacked::<bool>(), None);
    }
}
