//! Words and quotes, as shells and the languages that borrow theirs write them.

use std::ops::Range;

use super::names::{is_secret_flag, of_name};

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Where a value without quotes ends of which the last part names another credential, whose value
/// stands in quotes: the name is masked, so nobody would find what it names.
pub(super) fn past_quotes(text: &str, end: usize) -> usize {
    let (Some(own), Some(rest)) = (text.get(..end), text.get(end..)) else { return end };
    let own = own.trim_end_matches([' ', '$', '\\']);
    let assigned = own.trim_end_matches(['=', ':']);
    let last = |is_end: fn(char) -> bool| assigned.trim_end().rsplit(is_end).next();
    let is_named = if assigned.len() < own.len() {
        last(|c| !is_word(c)).is_some_and(|name| of_name(name).is_some())
    } else {
        last(char::is_whitespace).is_some_and(is_secret_flag)
    };
    let behind = rest.trim_start_matches([' ', '$', '\\']);
    let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let Some(quote) = quote.filter(|_| is_named) else { return end };
    let is_escaped = rest.get(..rest.len() - behind.len()).is_some_and(|gap| gap.ends_with('\\'));
    let inside = behind.get(1..).unwrap_or_default();
    let closed = quoted_end(inside, quote, is_escaped).map_or(inside.len(), |closing| closing + 1);
    text.len() - inside.len() + closed.min(inside.len())
}

/// Where the quotes are closed; without an end, that of the line.
pub(super) fn quoted_end(text: &str, quote: char, is_escaped: bool) -> Option<usize> {
    let mut backslashes = 0;
    let closing = text.char_indices().find(|(_, c)| {
        let closes = *c == quote && (is_escaped || backslashes % 2 == 0);
        backslashes = if *c == '\\' { backslashes + 1 } else { 0 };
        closes
    });
    closing.map(|(at, _)| at).or_else(|| text.find('\n'))
}

/// Where the word of a shell ends whose first quotes are closed there: `'a'\''b'` and `"a"'b'c` are one
/// word. The last closing quote is no part of it.
pub(super) fn end_of_shell_word(text: &str, closing: usize) -> usize {
    let (mut end, mut at) = (closing, closing + 1);
    while let Some(next) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let behind = text.get(at + next.len_utf8()..).unwrap_or_default();
        if matches!(next, '"' | '\'') {
            let inside = quoted_end(behind, next, false).unwrap_or(behind.len());
            end = at + 1 + inside;
            at = end + 1;
        } else if next == '\\' && behind.starts_with(['"', '\'']) {
            at += 2;
            end = at;
        } else if is_word(next) {
            at += next.len_utf8();
            end = at;
        } else {
            break;
        }
    }
    end.min(text.len())
}

/// Where a value ends that begins without quotes and goes on in some, as `a'b c'` does; quotes that
/// are open before it end there instead.
pub(super) fn end_of_pieces(past: &str, text: &str, end: usize) -> usize {
    let quote = text.get(end..).and_then(|rest| rest.chars().next());
    let Some(quote) = quote.filter(|c| end > 0 && matches!(c, '"' | '\'')) else { return end };
    let line = last_of(past, LONGEST_LINE).rsplit('\n').next().unwrap_or_default();
    if line.matches(quote).count() % 2 == 1 {
        return end;
    }
    let inside = text.get(end + 1..).unwrap_or_default();
    let closing = quoted_end(inside, quote, false).map(|closing| end + 1 + closing);
    closing.map_or(end, |closing| (end_of_shell_word(text, closing) + 1).min(text.len()))
}

/// The word of a shell that a text begins with, pieces in quotes included, without quotes that enclose it
/// whole; quotes that are open before it end it.
pub(super) fn raw_word(past: &str, text: &str) -> Range<usize> {
    let line = last_of(past, LONGEST_LINE).rsplit('\n').next().unwrap_or_default();
    let is_open = |quote: &char| line.matches(*quote).count() % 2 == 1;
    let outer = ['"', '\''].into_iter().find(is_open);
    // A quote within others is escaped.
    let opening = |at: usize| {
        let mut chars = text.get(at..)?.chars();
        match (chars.next()?, chars.next()) {
            (quote @ ('"' | '\''), _) if Some(quote) != outer => Some((quote, 1)),
            ('\\', Some(quote)) if Some(quote) == outer => Some((quote, 2)),
            _ => None,
        }
    };
    let behind_quotes = |at: usize| {
        let (quote, width) = opening(at)?;
        let inside = text.get(at + width..)?;
        let closing = quoted_end(inside, quote, width > 1).unwrap_or(inside.len());
        Some((at + width + closing + 1).min(text.len()))
    };
    let (mut end, mut is_behind_quotes) = (0, false);
    while let Some(next) = text.get(end..).and_then(|rest| rest.chars().next()) {
        let is_end = next.is_whitespace()
            || matches!(next, ';' | '|' | '&' | ')' | '`' | '<' | '>')
            || is_behind_quotes && matches!(next, ',' | ']' | '}');
        let quoted = behind_quotes(end);
        if is_end || Some(next) == outer {
            break;
        }
        let escaped = text.get(end + 1..).and_then(|behind| behind.chars().next());
        let escaped = escaped.filter(|_| next == '\\').map_or(0, char::len_utf8);
        is_behind_quotes = quoted.is_some();
        end = quoted.unwrap_or(end + next.len_utf8() + escaped);
    }
    let width = opening(0).filter(|_| behind_quotes(0) == Some(end)).map_or(0, |(_, width)| width);
    let inside = width..end.saturating_sub(width);
    if text.get(inside.clone()).is_some() { inside } else { 0..end }
}

/// How much of a line is looked at for quotes that are open.
const LONGEST_LINE: usize = 2 << 10;

/// How much of a command before a flag is looked at.
pub(super) const NEAR: usize = 120;

/// What stands right before a word, so that the time for all words of a long text grows with its length.
pub(super) fn last_of(past: &str, most: usize) -> &str {
    let near = past.len().saturating_sub(most);
    (near..=past.len()).find_map(|at| past.get(at..)).unwrap_or_default()
}

/// The beginning of a text, so that the time for all words of a long line grows with its length.
pub(super) fn first_of(text: &str, most: usize) -> &str {
    (text.len().min(most)..=text.len()).find_map(|end| text.get(..end)).unwrap_or(text)
}
