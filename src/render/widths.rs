//! How wide texts are, in columns of a terminal or in parts of a font's size, and texts that lose
//! their middle where there is no room for it.

use crate::model::without_evident_secrets;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Columns of a terminal, or of a fixed-width font.
pub(super) fn columns(c: char) -> f64 {
    c.width().unwrap_or(0) as f64
}

/// Parts of the size of a sans-serif font, without asking the font: measured on Liberation Sans and
/// Noto Sans CJK, up to a tenth too wide and hardly ever too narrow.
pub(super) fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '|' | '\'' | '.' | ',' | ':' | ';' | '!' | ' ' | 'f' | 't'
        | 'r' | '(' | ')' | '[' | ']' | '/' | '\\' | '-' => 0.31,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.87,
        '0'..='9' => 0.556,
        'A'..='Z' => 0.70,
        ' '..='~' => 0.54,
        _ => match c.width_cjk().unwrap_or(0) {
            0 => 0.0,
            1 => 0.62,
            _ => 1.0,
        },
    }
}

/// The width of a text in a measure of its characters.
pub(super) fn width(text: &str, of: fn(char) -> f64) -> f64 {
    text.chars().map(of).sum()
}

/// A text no wider than that: beginning and end tell names apart, so the middle goes.
pub(super) fn without_middle(text: &str, most: f64, of: fn(char) -> f64) -> String {
    if width(text, of) <= most {
        return text.to_owned();
    }
    // What is left of a credential is no longer known as one.
    let text = &*without_evident_secrets(text);
    let room = (most - of('…')).max(0.0);
    let fitting = |chars: &mut dyn Iterator<Item = char>, room: f64| {
        let mut used = 0.0;
        let fits = |c: &char| {
            used += of(*c);
            used <= room
        };
        chars.take_while(fits).collect::<Vec<char>>()
    };
    let mut end = fitting(&mut text.chars().rev(), room / 2.0);
    // A mark without the letter below it says nothing.
    while end.last().is_some_and(|c| of(*c) == 0.0) {
        end.pop();
    }
    end.reverse();
    let taken: f64 = end.iter().copied().map(of).sum();
    let start = fitting(&mut text.chars(), room - taken);
    start.into_iter().chain(['…']).chain(end).collect()
}

/// The columns that a text takes.
pub(super) fn text_columns(text: &str) -> usize {
    text.width()
}
