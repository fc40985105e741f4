//! Printed numbers, and what they can stand for.

use std::ops::Range;

use crate::marked::Figure;
use crate::quantity;

/// Room for the rounding of binary numbers, relative to their size.
const BINARY: f64 = 1e-9;

/// A number with the decimals that it is printed with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Printed {
    pub(super) value: f64,
    pub(super) decimals: usize,
}

/// The smallest and the largest that something can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) lo: f64,
    pub(super) hi: f64,
}

impl Printed {
    /// A unit of the last decimal.
    pub(super) fn unit(self) -> f64 {
        10f64.powi(-i32::try_from(self.decimals).unwrap_or(i32::MAX))
    }

    /// What it can stand for, if it was rounded.
    pub(super) fn span(self) -> Span {
        let half = self.unit() / 2.0;
        Span { lo: self.value - half, hi: self.value + half }
    }

    /// Whether something of that span can be printed so, rounded or cut.
    pub(super) fn can_be(self, span: Span) -> bool {
        let room = self.unit() + BINARY * self.value.abs().max(1.0);
        self.value >= span.lo - room && self.value <= span.hi + room
    }

    pub(super) fn turned(self) -> Self {
        Self { value: -self.value, ..self }
    }

    /// Another value with as many decimals.
    pub(super) fn like(self, value: f64) -> String {
        quantity::fixed(value, self.decimals)
    }

    /// As it is written.
    pub(super) fn text(self) -> String {
        self.like(self.value)
    }
}

impl From<&Figure> for Printed {
    fn from(figure: &Figure) -> Self {
        Self { value: figure.value, decimals: figure.decimals() }
    }
}

impl Span {
    pub(super) fn exactly(value: f64) -> Self {
        Self { lo: value, hi: value }
    }

    pub(super) fn middle(self) -> f64 {
        f64::midpoint(self.lo, self.hi)
    }

    pub(super) fn scaled(self, factor: f64) -> Self {
        Self { lo: self.lo * factor, hi: self.hi * factor }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { lo: self.lo + other.lo, hi: self.hi + other.hi }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self { lo: self.lo - other.hi, hi: self.hi - other.lo }
    }

    /// The change from `before` to this in per cent of `before`, where both are above zero.
    pub(super) fn relative_to(self, before: Self) -> Option<Self> {
        let percent = |after: f64, before: f64| 100.0 * (after / before - 1.0);
        let is_positive = before.lo > 0.0 && self.lo >= 0.0;
        is_positive
            .then(|| Self { lo: percent(self.lo, before.hi), hi: percent(self.hi, before.lo) })
    }
}

/// How a difference is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Absolute,
    /// Of shares, in points of a hundred.
    Points,
    /// In per cent of the first.
    Relative,
}

impl Way {
    /// The difference of two values.
    pub(super) fn of(self, [before, after]: [f64; 2]) -> Option<f64> {
        self.span(Span::exactly(before), Span::exactly(after)).map(Span::middle)
    }

    /// What the difference can be.
    pub(super) fn span(self, before: Span, after: Span) -> Option<Span> {
        match self {
            Self::Absolute => Some(after.minus(before)),
            Self::Points => Some(after.minus(before).scaled(100.0)),
            Self::Relative => after.relative_to(before),
        }
    }

    /// What stands behind a difference of figures that are shares, or are not.
    pub(super) fn unit(self, of_shares: bool) -> &'static str {
        match self {
            Self::Absolute if !of_shares => "",
            Self::Absolute | Self::Points => " pp",
            Self::Relative => "%",
        }
    }

    pub(super) fn formula(self, before: &str, after: &str) -> String {
        match self {
            Self::Absolute => format!("{after} − {before}"),
            Self::Points => format!("100 × ({after} − {before})"),
            Self::Relative => format!("100 × ({after} ÷ {before} − 1)"),
        }
    }
}

/// A number in running text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    pub(super) printed: Printed,
    /// The bytes of sign and digits.
    pub(super) place: Range<usize>,
    pub(super) has_sign: bool,
}

/// The number that begins at that byte of a text, with or without a sign.
pub(super) fn number_at(text: &str, at: usize) -> Option<Number> {
    let rest = text.get(at..)?;
    let unsigned = rest.strip_prefix(['+', '-', '\u{2212}']).unwrap_or(rest);
    let sign = rest.len() - unsigned.len();
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let digits = unsigned.get(..unsigned.find(|c| !is_digit(c)).unwrap_or(unsigned.len()))?;
    let digits = digits.trim_end_matches(['.', ',']);
    let plain = digits.replace(',', "");
    let value: f64 = plain.parse().ok()?;
    let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let value = if sign > 0 && !rest.starts_with('+') { -value } else { value };
    Some(Number {
        printed: Printed { value, decimals },
        place: at..at + sign + digits.len(),
        has_sign: sign > 0,
    })
}

pub(super) const EMPHASIS: [char; 4] = ['*', '`', ' ', '_'];
/// In bytes.
const LONGEST_UNIT: usize = 16;

/// The number of a text that has nothing besides but a unit, and that.
pub(super) fn measured(text: &str) -> Option<(Printed, &str)> {
    let text = text.trim_matches(EMPHASIS);
    let number = number_at(text, 0)?;
    let unit = text.get(number.place.end..)?.trim_matches(EMPHASIS);
    is_unit(unit).then_some((number.printed, unit))
}

pub(super) fn is_unit(text: &str) -> bool {
    text.len() <= LONGEST_UNIT
        && text.chars().all(|c| c.is_alphabetic() || matches!(c, '%' | '/' | ' '))
}

/// The number that ends before that byte.
pub(super) fn number_before(text: &str, end: usize) -> Option<Number> {
    let before = text.get(..end)?;
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let start = before.trim_end_matches(is_digit).len();
    let sign = before.get(..start)?.chars().next_back();
    let sign = sign.filter(|sign| matches!(sign, '+' | '-' | '\u{2212}'));
    let start = start - sign.map_or(0, char::len_utf8);
    number_at(text, start).filter(|number| number.place.end == end)
}
