//! What values without further ones inside are, as the logical types of the format say it, and how they
//! look.
//!
//! <https://github.com/apache/parquet-format/blob/master/LogicalTypes.md>

use std::fmt::Write as _;

use super::cells::Cell;
use super::thrift::Thrift;
use crate::quantity::Night;

/// Numbers of physical types.
pub(super) const TEXTS: i64 = 6;
pub(super) const FIXED_LENGTH: i64 = 7;

const DAY: i64 = 86_400;
/// The Julian day of 1970-01-01, from which the oldest timestamps count.
const JULIAN_EPOCH: i64 = 2_440_588;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Flag,
    Whole,
    Unsigned,
    Real,
    Half,
    /// With so many digits behind the point.
    Decimal(u32),
    Text,
    Date,
    /// Of the day, in units of so many digits behind the second.
    Time(u32),
    Moment {
        digits: u32,
        is_utc: bool,
    },
    /// An identity of 16 bytes.
    Uuid,
    Bytes,
    /// Nothing but nulls.
    Nothing,
}

impl Kind {
    pub(super) fn of(physical: i64, element: &Thrift<'_>) -> Self {
        let logical = |id| element.field(10).and_then(|logical| logical.field(id));
        let converted = element.integer(6).unwrap_or(-1);
        let is = |id, old| logical(id).is_some() || converted == old;
        if let Some(decimal) = logical(5).or_else(|| is(5, 5).then_some(element)) {
            let scale = decimal.integer(1).filter(|_| logical(5).is_some());
            let scale = scale.or_else(|| element.integer(7)).unwrap_or(0);
            return Self::Decimal(u32::try_from(scale).unwrap_or(0));
        }
        let is_signed = logical(10).and_then(|integer| integer.flag(2));
        match physical {
            0 => Self::Flag,
            1 if logical(11).is_some() => Self::Nothing,
            1 if is(6, 6) => Self::Date,
            1 | 2 if is(7, 7) || converted == 8 => {
                Self::Time(digits(logical(7), if converted == 7 { 3 } else { 6 }))
            }
            2 if is(8, 9) || converted == 10 => Self::Moment {
                digits: digits(logical(8), if converted == 9 { 3 } else { 6 }),
                is_utc: logical(8).is_some_and(|moment| moment.flag(1) == Some(true)),
            },
            1 | 2 if is_signed == Some(false) || (11..=14).contains(&converted) => Self::Unsigned,
            1 | 2 => Self::Whole,
            3 => Self::Moment { digits: 9, is_utc: false },
            4 | 5 => Self::Real,
            TEXTS if is(1, 0) || is(4, 4) || is(12, 19) => Self::Text,
            FIXED_LENGTH if logical(14).is_some() => Self::Uuid,
            FIXED_LENGTH if logical(15).is_some() => Self::Half,
            _ => Self::Bytes,
        }
    }

    /// What a number that is stored stands for.
    pub(super) fn whole(self, stored: i64, is_short: bool) -> Cell<'static> {
        match self {
            // An unsigned number of 32 bits is stored as the signed one of the same bits.
            Self::Unsigned if is_short => Cell::Whole(i128::from(stored as u32)),
            Self::Unsigned => Cell::Whole(i128::from(stored.cast_unsigned())),
            Self::Decimal(scale) => Cell::Decimal(i128::from(stored), scale),
            Self::Date => Cell::Other(date(stored)),
            Self::Time(digits) => {
                let unit = 10_i64.pow(digits);
                Cell::Other(time(stored.div_euclid(unit), stored.rem_euclid(unit), digits))
            }
            Self::Moment { digits, is_utc } => Cell::Other(moment(stored, digits, is_utc)),
            Self::Nothing => Cell::Null,
            _ => Cell::Whole(i128::from(stored)),
        }
    }

    /// What bytes that are stored stand for; `None` where they are no text and have to be.
    pub(super) fn bytes(self, stored: &[u8]) -> Option<Cell<'_>> {
        Some(match self {
            Self::Text => Cell::Text(simdutf8::basic::from_utf8(stored).ok()?),
            Self::Half => {
                let bits = stored.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes));
                Cell::Single(half::f16::from_bits(bits).to_f32())
            }
            Self::Uuid => Cell::Uuid(u128::from_be_bytes(*stored.first_chunk()?)),
            Self::Decimal(scale) => big_endian(stored)
                .map_or_else(|| Cell::Other(blob(stored)), |number| Cell::Decimal(number, scale)),
            _ => Cell::Other(blob(stored)),
        })
    }
}

/// A timestamp as Hive, Impala and old Spark write it: nanoseconds of the day, and the day.
pub(super) fn old_moment(nanoseconds: i64, day: u32) -> Cell<'static> {
    const NANOSECONDS: i64 = 1_000_000_000;
    let seconds = (i64::from(day) - JULIAN_EPOCH) * DAY + nanoseconds.div_euclid(NANOSECONDS);
    Cell::Other(moment_of(seconds, nanoseconds.rem_euclid(NANOSECONDS), 9, false))
}

fn digits(logical: Option<&Thrift<'_>>, old: u32) -> u32 {
    let unit = logical.and_then(|logical| logical.field(2));
    let found = [(1, 3), (2, 6), (3, 9)];
    let found = unit.and_then(|unit| found.into_iter().find(|(id, _)| unit.field(*id).is_some()));
    found.map_or(old, |(_, digits)| digits)
}

/// A signed number, the highest byte first; `None` where it has more than 128 bits.
fn big_endian(bytes: &[u8]) -> Option<i128> {
    let fill = if bytes.first().is_some_and(|first| first & 0x80 != 0) { 0xff } else { 0 };
    let (more, rest) = bytes.split_at(bytes.len().saturating_sub(16));
    let mut number = [fill; 16];
    number[16 - rest.len()..].copy_from_slice(rest);
    let number = i128::from_be_bytes(number);
    let fits = more.iter().all(|byte| *byte == fill) && (number < 0) == (fill != 0);
    fits.then_some(number)
}

fn date(days: i64) -> String {
    i32::try_from(days).map_or_else(|_| days.to_string(), |days| Night(days).to_string())
}

/// `06:30:00`, with as many digits behind the point as there are units below a second.
fn time(seconds: i64, fraction: i64, digits: u32) -> String {
    let mut text = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if fraction != 0 {
        // In thousandths, millionths or billionths, whichever is the first to hold it.
        let mut behind = format!("{fraction:0digits$}", digits = digits as usize);
        while behind.ends_with("000") {
            behind.truncate(behind.len() - 3);
        }
        let _infallible = write!(text, ".{behind}");
    }
    text
}

fn moment(stored: i64, digits: u32, is_utc: bool) -> String {
    let unit = 10_i64.pow(digits);
    moment_of(stored.div_euclid(unit), stored.rem_euclid(unit), digits, is_utc)
}

fn moment_of(seconds: i64, fraction: i64, digits: u32, is_utc: bool) -> String {
    let day = date(seconds.div_euclid(DAY));
    let zone = if is_utc { "+00:00" } else { "" };
    format!("{day} {}{zone}", time(seconds.rem_euclid(DAY), fraction, digits))
}

/// The first bytes of a value that is no text, as `b"ab\x00"`.
fn blob(bytes: &[u8]) -> String {
    /// Bytes that are shown.
    const SHOWN: usize = 60;
    let mut text = "b\"".to_owned();
    for byte in bytes.iter().take(SHOWN) {
        let _infallible = if byte.is_ascii_alphanumeric() || byte.is_ascii_punctuation() {
            write!(text, "{}", char::from(*byte))
        } else {
            write!(text, "\\x{byte:02x}")
        };
    }
    text.push_str(if bytes.len() > SHOWN { "\"…" } else { "\"" });
    text
}
