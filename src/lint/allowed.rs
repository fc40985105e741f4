//! Comments that suppress rules, `<!-- reportgen:allow RULE -->`, and those that name no rule.

use std::ops::Range;

use super::{Found, Page, RULES};
use crate::marked::{lines_of, outside_of_fences};
use crate::text::Refusal;

const OPENING: &str = "<!--";
const WORD: &str = "reportgen:allow";

/// Lines for which a comment suppresses a rule.
pub(super) struct Allowed<'t> {
    pub(super) rule: &'t str,
    /// Counted from 1.
    pub(super) lines: Range<usize>,
}

/// The rules that comments suppress: one with a line of its own to the end of the block that follows,
/// one behind a line for this line.
pub(super) fn allowed(text: &str) -> Vec<Allowed<'_>> {
    let mut allowed: Vec<Allowed<'_>> = Vec::new();
    if !text.contains(WORD) {
        return allowed;
    }
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut is_in_block = false;
    let mut last = 1;
    for (line, text) in (1..).zip(lines_of(text)) {
        last = line + 1;
        let comment = comment(text);
        if let Some((_, rules)) = comment.filter(|(before, _)| before.trim().is_empty()) {
            open.extend(names(rules).map(|name| (name, line)));
            is_in_block = false;
            continue;
        }
        if let Some((_, rules)) = comment {
            allowed.extend(names(rules).map(|rule| Allowed { rule, lines: line..line + 1 }));
        }
        if !text.trim().is_empty() {
            is_in_block = true;
        } else if is_in_block {
            allowed.extend(open.drain(..).map(|(rule, from)| Allowed { rule, lines: from..line }));
        }
    }
    allowed.extend(open.into_iter().map(|(rule, from)| Allowed { rule, lines: from..last }));
    allowed
}

/// Comments that name no rule, or one that there is not.
pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    if !page.text.contains(WORD) {
        return Vec::new();
    }
    let lines = outside_of_fences(page.text);
    let comments = lines.filter_map(|(start, line)| Some((start, line, comment(line)?)));
    comments.flat_map(|(start, line, (_, rules))| unknown(start, line, rules)).collect()
}

fn unknown(start: usize, line: &str, rules: &str) -> Vec<Found> {
    let known = || RULES.iter().map(|rule| rule.name);
    if names(rules).next().is_none() {
        let at = start + line.rfind(WORD).unwrap_or_default();
        let message = Refusal::new("lint.allow-nothing").with("known", known().collect::<Vec<_>>());
        return vec![Found::at(at..at + WORD.len(), message)];
    }
    let unknown = names(rules).filter(|name| known().all(|rule| rule != *name));
    let found = unknown.map(|name| {
        let at = start + line.rfind(name).unwrap_or_default();
        let message = Refusal::new("lint.unknown-rule").with("name", name).among(name, known());
        Found::at(at..at + name.len(), message)
    });
    found.collect()
}

/// The text before the comment that ends a line, and what it names.
fn comment(line: &str) -> Option<(&str, &str)> {
    let (before, inner) = line.trim_end().strip_suffix("-->")?.rsplit_once(OPENING)?;
    let rules = inner.trim_start().strip_prefix(WORD)?;
    let is_word = rules.is_empty() || rules.starts_with(|c: char| !c.is_alphanumeric() && c != '-');
    is_word.then_some((before, rules))
}

/// The names up to a dash or a colon, behind which the reason stands.
fn names(rules: &str) -> impl Iterator<Item = &str> {
    let is_dash = |word: &&str| word.chars().all(|c| matches!(c, '-' | '–' | '—'));
    let end = rules.find([':', '：', '–', '—']).unwrap_or(rules.len());
    let rules = rules.get(..end).unwrap_or_default();
    let words = rules.split([' ', ',', '、']).filter(|name| !name.is_empty());
    words.take_while(move |word| !is_dash(word))
}
