//! Coordinates that a label names with their numbers: `Shot 1`, `1-shot`, `Epoch 1-3`.

use std::ops::Range;

use super::readings::{Facet, Reading, Subject};
use super::scan::{list_end, number_at, number_before, skip, string};
use crate::model::DimValue;

/// Words before a number or a coordinate that make several of it, or another one.
const COUNTING: &[&str] = &[
    "over",
    "all",
    "final",
    "last",
    "first",
    "across",
    "vs",
    "versus",
    "below",
    "above",
    "from",
    "before",
    "until",
    "to",
    "than",
    "without",
    "except",
    "excluding",
    "least",
    "most",
    "averaged",
    "average",
    "mean",
    "every",
    "each",
    "between",
    "含",
    "共",
    "前",
    "除",
    "过",
    "比",
];

/// Whether such a word stands right before a place.
fn is_counted(text: &[char], start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let before: String = before.iter().collect();
    let before = before.trim_end_matches([' ', '.', '-', '(']);
    COUNTING.iter().any(|word| {
        before.strip_suffix(word).is_some_and(|rest| {
            !word.is_ascii() || !rest.ends_with(|c: char| c.is_ascii_alphanumeric())
        })
    })
}

/// A coordinate with the number behind or before it.
pub(super) fn take_coordinate(
    axis: &str,
    text: &[char],
    range: Range<usize>,
    reading: &mut Reading,
) -> Range<usize> {
    let behind = number_at(text, skip(text, range.end, &[' ', '-', '=', ':', '#']));
    let (value, whole) = if let Some(value) = behind {
        let end = list_end(text, value.end);
        if end > value.end {
            reading.several = true;
            reading.add(Facet::Open(Subject::Axis(axis.to_owned())));
        }
        ((end == value.end).then_some(value), range.start..end)
    } else if let Some(value) = number_before(text, range.start) {
        (Some(value.clone()), value.start..range.end)
    } else {
        reading.several |= reading.axis.as_deref().is_some_and(|other| other != axis);
        reading.axis = Some(axis.to_owned());
        return range;
    };
    if is_counted(text, whole.start) {
        reading.add(Facet::Open(Subject::Axis(axis.to_owned())));
    } else if let Some(value) = value {
        reading.add(Facet::At(axis.to_owned(), DimValue::parse(&string(text, value))));
    }
    whole
}
