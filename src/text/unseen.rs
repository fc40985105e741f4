//! Characters that cannot be seen but change what is seen or done.

/// Controls, separators that some programs take for the end of a line, and the format characters that
/// hide, reorder or tag text. Joiners (U+200C, U+200D) stay: scripts and emoji need them.
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}')
}
