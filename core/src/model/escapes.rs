//! Escape sequences of terminals (ECMA-48), which logs and answers keep as they were printed.

use std::borrow::Cow;
use std::str::Chars;

const ESCAPE: char = '\u{1b}';
/// One sign for `ESC [` and for `ESC ]`.
const CSI: char = '\u{9b}';
const OSC: char = '\u{9d}';

/// A text without the sequences that change colours, titles and places.
pub(super) fn without_escapes(text: &str) -> Cow<'_, str> {
    // The signs of two bytes begin with 0xc2.
    if memchr::memchr2(ESCAPE as u8, 0xc2, text.as_bytes()).is_none()
        || !text.contains([ESCAPE, CSI, OSC])
    {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if !skip_escape(c, &mut rest) {
            plain.push(c);
        }
    }
    Cow::Owned(plain)
}

/// Takes what is left of a sequence that `first` begins; whether it begins one.
pub fn skip_escape(first: char, rest: &mut Chars<'_>) -> bool {
    match first {
        CSI => skip_parameters(rest),
        OSC => skip_string(rest),
        ESCAPE => match rest.next() {
            Some('[') => skip_parameters(rest),
            Some(']' | 'P' | 'X' | '^' | '_') => skip_string(rest),
            // `ESC ( B` chooses a set of signs.
            Some('\u{20}'..='\u{2f}') => {
                let _last = rest.find(|c| !('\u{20}'..='\u{2f}').contains(c));
            }
            _ => {}
        },
        _ => return false,
    }
    true
}

fn skip_parameters(rest: &mut Chars<'_>) {
    let _last = rest.find(|c| ('\u{40}'..='\u{7e}').contains(c));
}

/// Ends with BEL, or with ESC and a backslash.
fn skip_string(rest: &mut Chars<'_>) {
    let mut before = ' ';
    for c in rest.by_ref() {
        if c == '\u{7}' || c == '\u{9c}' || (before == ESCAPE && c == '\\') {
            break;
        }
        before = c;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_the_text_is_left() {
        for (text, expected) in [
            ("plain", "plain"),
            ("\u{1b}[31mred\u{1b}[0m text", "red text"),
            ("\u{1b}]0;title\u{7}body", "body"),
            ("\u{1b}]8;;https://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("a\u{1b}(B\u{1b}[mb", "ab"),
            ("\u{9b}31mred\u{9b}0m", "red"),
            ("\u{1b}", ""),
            ("a\u{1b}[", "a"),
        ] {
            assert_eq!(without_escapes(text), expected, "{text:?}");
        }
    }
}
