//! What a terminal can show, and text in colours where it can show them.

use anstyle::Style;

/// What the terminal can show; the caller knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TerminalOptions {
    /// Colours are wanted and understood.
    pub color: bool,
    /// Columns of the terminal; `None` leaves tables as wide as they are.
    pub width: Option<u16>,
}

pub(super) fn paint(text: &str, style: Style, options: TerminalOptions) -> String {
    if options.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
