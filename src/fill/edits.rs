//! Changes of a text by byte range.

use std::ops::Range;

use unicode_width::UnicodeWidthStr as _;

use crate::marked::Cell;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// The text with the edits made; they are in order and apart from each other.
pub(super) fn applied(text: &str, edits: &[&Edit]) -> String {
    let (mut changed, mut from) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        changed.push_str(text.get(from..edit.range.start).unwrap_or_default());
        changed.push_str(&edit.text);
        from = edit.range.end;
    }
    changed.push_str(text.get(from..).unwrap_or_default());
    changed
}

/// Puts words in place of a part of a cell. What the cell grows by is taken from the space behind it,
/// then from that before it, so that a column that was set out stays so.
pub(super) fn replaced(cell: &Cell, part: Range<usize>, words: &str, text: &str) -> Edit {
    let piece = |range: Range<usize>| text.get(range).unwrap_or_default();
    let growth = words.width().saturating_sub(piece(part.clone()).width());
    let behind = piece(cell.content.end..cell.space.end);
    let (behind, growth) = narrowed(behind, growth);
    let (before, _) = narrowed(piece(cell.space.start..cell.content.start), growth);
    let head = piece(cell.content.start..part.start);
    let rest = piece(part.end..cell.content.end);
    Edit { range: cell.space.clone(), text: format!("{before}{head}{words}{rest}{behind}") }
}

/// Space that gives up to so many columns but the last one, and how many are still wanted.
fn narrowed(space: &str, growth: usize) -> (&str, usize) {
    if space.bytes().any(|byte| byte != b' ') {
        return (space, growth);
    }
    let spare = space.len().saturating_sub(1).min(growth);
    (space.get(spare..).unwrap_or(space), growth - spare)
}
