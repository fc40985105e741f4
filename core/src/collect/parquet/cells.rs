//! Cells of tables, and how they look: as text, as a number, as JSON.

use std::fmt::Write as _;

use serde_json::Value as Json;

#[derive(Debug, Clone, PartialEq)]
pub(in crate::collect) enum Cell<'a> {
    Null,
    Flag(bool),
    Whole(i128),
    Single(f32),
    Real(f64),
    /// A number, and how many of its digits stand behind the point.
    Decimal(i128, u32),
    Text(&'a str),
    Uuid(u128),
    /// Dates, times and bytes, as text.
    Other(String),
    List(Vec<Self>),
    Record(Vec<(&'a str, Self)>),
}

impl Cell<'_> {
    pub(in crate::collect) fn number(&self) -> Option<f64> {
        Some(match self {
            Self::Whole(number) => *number as f64,
            Self::Single(number) => f64::from(*number),
            Self::Real(number) => *number,
            Self::Decimal(number, scale) => *number as f64 / 10_f64.powi(scale.cast_signed()),
            _ => return None,
        })
    }

    /// Adds what a person would write for it; of lists and records nothing.
    pub(in crate::collect) fn write(&self, out: &mut String) {
        let _infallible = match self {
            Self::Null | Self::List(_) | Self::Record(_) => Ok(()),
            Self::Flag(flag) => write!(out, "{flag}"),
            Self::Whole(number) => write!(out, "{number}"),
            // With a point or an exponent, as JSON has it; as short as reads back the same.
            Self::Single(number) if number.is_finite() => {
                write!(out, "{}", serde_json::to_string(number).unwrap_or_default())
            }
            Self::Single(number) => write!(out, "{number}"),
            Self::Real(number) if number.is_finite() => write!(out, "{}", Json::from(*number)),
            Self::Real(number) => write!(out, "{number}"),
            Self::Decimal(number, scale) => write!(out, "{}", decimal(*number, *scale)),
            Self::Text(text) => write!(out, "{text}"),
            Self::Uuid(bits) => write!(out, "{}", uuid(*bits)),
            Self::Other(text) => write!(out, "{text}"),
        };
    }
}

/// As RFC 9562 writes it.
fn uuid(bits: u128) -> String {
    let mut digits = format!("{bits:032x}");
    for at in [20, 16, 12, 8] {
        digits.insert(at, '-');
    }
    digits
}

fn decimal(number: i128, scale: u32) -> String {
    let scale = scale as usize;
    let mut digits = format!("{:0width$}", number.unsigned_abs(), width = scale + 1);
    if scale > 0 {
        digits.insert(digits.len() - scale, '.');
    }
    if number < 0 {
        digits.insert(0, '-');
    }
    digits
}

pub(in crate::collect) fn as_json(cell: &Cell<'_>) -> Json {
    match cell {
        Cell::Null => Json::Null,
        Cell::Flag(flag) => (*flag).into(),
        Cell::Text(text) => (*text).into(),
        Cell::List(items) => items.iter().map(as_json).collect(),
        Cell::Record(fields) => {
            let fields = fields.iter().map(|(name, cell)| ((*name).to_owned(), as_json(cell)));
            Json::Object(fields.collect())
        }
        Cell::Whole(number) => {
            i64::try_from(*number).map_or_else(|_| (*number as f64).into(), Json::from)
        }
        Cell::Single(number) => f64::from(*number).into(),
        Cell::Real(number) => (*number).into(),
        Cell::Decimal(number, scale) => decimal(*number, *scale).into(),
        Cell::Uuid(bits) => uuid(*bits).into(),
        Cell::Other(text) => text.as_str().into(),
    }
}
