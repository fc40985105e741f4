//! Hostile text made harmless for its place in GitHub-flavoured Markdown.
//!
//! Owns every rule about which characters mean something where. Knows neither reports nor
//! templates. Two steps that are kept apart: [`clean`] decides what a reader sees, the other
//! functions decide how it is spelled so that a Markdown reader shows exactly that.

use std::fmt::Write as _;

use crate::model::without_evident_secrets;
use crate::text::is_unseen;

/// Zero-width space: breaks `@name`, `#1`, `GH-1` and `:name:`, which GitHub turns into
/// notifications, links and emoji after Markdown is done, so that no backslash helps.
pub(super) const BREAKER: char = '\u{200B}';

/// Where a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextPlace {
    /// A paragraph or a list item.
    Prose,
    Heading,
    Cell,
}

impl TextPlace {
    /// The most characters of one text that are shown here. Our own sentences stay below;
    /// what runs bring may not.
    pub(super) fn limit(self) -> usize {
        match self {
            Self::Prose => 1000,
            Self::Heading => 160,
            Self::Cell => 200,
        }
    }
}

/// How a text stands in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stand {
    pub(super) first: bool,
    pub(super) alone: bool,
}

/// What a reader is shown of a text: line breaks and tabs are spaces, runs of spaces are one
/// (a line break in a name means nothing, and `<br>` would need raw HTML), and characters that
/// cannot be seen but change what is seen — controls, direction overrides, zero-width signs — are
/// written out as `⟨U+202E⟩`. Credentials are `•••`.
pub fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for c in without_evident_secrets(text).chars() {
        if is_line_space(c) {
            if !cleaned.ends_with(' ') {
                cleaned.push(' ');
            }
        } else {
            push_visible(&mut cleaned, c);
        }
    }
    cleaned
}

/// The same for literal lines: line breaks, tabs and spaces stay.
pub fn clean_lines(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for c in without_evident_secrets(text).replace("\r\n", "\n").chars() {
        match c {
            '\n' | '\t' => cleaned.push(c),
            '\r' => cleaned.push('\n'),
            _ => push_visible(&mut cleaned, c),
        }
    }
    cleaned
}

fn push_visible(out: &mut String, c: char) {
    if is_unseen(c) {
        let _infallible = write!(out, "⟨U+{:04X}⟩", u32::from(c));
    } else {
        out.push(c);
    }
}

/// At most `limit` characters; what is longer ends in `…`.
pub(super) fn bounded(text: &str, limit: usize) -> String {
    if text.chars().nth(limit).is_none() {
        return text.to_owned();
    }
    let kept: String = text.chars().take(limit.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Spells a clean text so that Markdown shows it as it is.
///
/// The edges of the text count as unknown neighbours, so that the result may stand next to any
/// other piece. Characters that mean nothing where they stand are left alone: `reward_mode` and
/// `-1.8` stay readable in the source.
pub(super) fn markdown(text: &str, place: TextPlace, stand: Stand) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len() + 8);
    for (position, &c) in chars.iter().enumerate() {
        let around = Around { chars: &chars, position };
        let escaped = match c {
            '`' | '*' | '[' | '~' => true,
            '<' => around.next().is_none_or(|next| !next.is_ascii_digit() && next != ' '),
            '|' => place == TextPlace::Cell,
            '$' => !stand.alone || around.may_close_math(stand.first),
            '\\' => around.next().is_none_or(|next| next.is_ascii_punctuation()),
            '_' => !around.is_inside_word(),
            '&' => around.next().is_some_and(|next| next == '#' || next.is_ascii_alphanumeric()),
            ':' => around.follows("//"),
            '.' => around.precedes("www"),
            '#' => place == TextPlace::Heading,
            _ => false,
        };
        let opens = stand.first && place != TextPlace::Cell && around.opens_block();
        if (escaped || opens) && !(c == '\\' && opens) {
            out.push('\\');
        }
        out.push(c);
        if around.needs_breaker() {
            out.push(BREAKER);
        }
    }
    out
}

struct Around<'a> {
    chars: &'a [char],
    position: usize,
}

impl Around<'_> {
    fn current(&self) -> char {
        self.chars.get(self.position).copied().unwrap_or(' ')
    }

    fn next(&self) -> Option<char> {
        self.chars.get(self.position + 1).copied()
    }

    fn before(&self) -> &[char] {
        self.chars.get(..self.position).unwrap_or_default()
    }

    fn after(&self) -> &[char] {
        self.chars.get(self.position + 1..).unwrap_or_default()
    }

    fn follows(&self, text: &str) -> bool {
        let mut after = self.after().iter();
        text.chars().all(|c| after.next() == Some(&c))
    }

    fn precedes(&self, text: &str) -> bool {
        let mut before = self.before().iter().rev();
        text.chars().rev().all(|c| before.next().is_some_and(|b| b.eq_ignore_ascii_case(&c)))
    }

    /// Whether a run of underscores stands between two letters, where it cannot be emphasis.
    fn is_inside_word(&self) -> bool {
        let left = self.before().iter().rev().find(|&&c| c != '_');
        let right = self.after().iter().find(|&&c| c != '_');
        left.is_some_and(|&c| is_wordy(c)) && right.is_some_and(|&c| is_wordy(c))
    }

    /// Whether this dollar sign could end a formula; without an end there is no beginning.
    fn may_close_math(&self, first: bool) -> bool {
        self.before().last().map_or(!first, |&c| c != ' ')
    }

    /// Whether this character, first in its line, would start a block of its own.
    fn opens_block(&self) -> bool {
        let ends = |c: Option<char>| c.is_none_or(|c| c == ' ');
        match self.current() {
            '#' | '>' => self.position == 0,
            sign @ ('-' | '+') => {
                self.position == 0 && (ends(self.next()) || self.next() == Some(sign))
            }
            '.' | ')' => {
                let before = self.before();
                !before.is_empty() && before.iter().all(char::is_ascii_digit) && ends(self.next())
            }
            _ => false,
        }
    }

    /// Whether a forge would make something of this sign and what follows.
    fn needs_breaker(&self) -> bool {
        let next = self.next();
        match self.current() {
            '@' => next.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-'),
            '#' => next.is_some_and(|c| c.is_ascii_digit()),
            '-' => self.precedes("gh") && next.is_some_and(|c| c.is_ascii_digit()),
            ':' => self.opens_emoji_name(),
            _ => false,
        }
    }

    fn opens_emoji_name(&self) -> bool {
        let is_name = |c: &&char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-');
        let name = self.after().iter().take_while(is_name).count();
        let (name, rest) = self.after().split_at(name);
        rest.first() == Some(&':') && name.iter().any(|c| !c.is_ascii_digit())
    }
}

/// A code span around a clean text: a fence longer than any run of backticks in it.
pub(super) fn code_span(text: &str, place: TextPlace) -> String {
    let fence = "`".repeat(longest_backtick_run(text) + 1);
    let touches = |c: char| c == '`' || c == ' ';
    let pad = if text.starts_with(touches) || text.ends_with(touches) { " " } else { "" };
    let text = match place {
        // A row is cut at its pipes before code spans are looked for, and `\|` is undone then.
        TextPlace::Cell => text.replace('|', "\\|"),
        TextPlace::Prose | TextPlace::Heading => text.to_owned(),
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// The fence of literal lines: longer than any run of backticks in them, at least three.
pub(super) fn fence(lines: &str) -> String {
    "`".repeat((longest_backtick_run(lines) + 1).max(3))
}

fn longest_backtick_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A text of a run between HTML tags or in an attribute of a page, which no forge reads: what is
/// copied from it is what stands there.
pub(super) fn html_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean_lines(text).chars() {
        push_html(&mut out, c);
    }
    out
}

/// A text of a run in an element or attribute of XML 1.0, which cannot hold every character.
pub(super) fn xml(text: &str) -> String {
    html_lines(text).replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}")
}

fn push_html(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        _ => out.push(c),
    }
}

/// A clean text between HTML tags or in an attribute, with the same breakers as in Markdown.
pub(super) fn html(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    for (position, &c) in chars.iter().enumerate() {
        push_html(&mut out, c);
        if (Around { chars: &chars, position }).needs_breaker() {
            out.push(BREAKER);
        }
    }
    out
}

/// Whether a character counts as a letter or digit under every reading of `CommonMark`, so that
/// an emphasis mark next to it works whatever stands on the other side.
pub(super) fn is_wordy(c: char) -> bool {
    // Circled and squared letters are alphabetic but of category So, which CommonMark 0.31 takes
    // for punctuation.
    let symbol = matches!(c, '\u{24B6}'..='\u{24E9}' | '\u{1F130}'..='\u{1F189}');
    c.is_alphanumeric() && !symbol
}

/// Whether a character counts as punctuation under every reading of `CommonMark`: cmark-gfm knows
/// ASCII and the P categories, `CommonMark` 0.31 also symbols. Only common signs are listed; for
/// others a superfluous space is set, which harms nothing.
pub(super) fn is_surely_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || "，。、：；！？（）《》【】「」『』“”‘’…—·".contains(c)
}

fn is_line_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
