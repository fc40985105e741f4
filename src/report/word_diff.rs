//! Which words of two texts differ.
//!
//! Lines are compared first, then the words of lines that differ, so that a long text costs no more
//! than its changes. Where little is equal nothing is marked: two answers of other words are read one
//! after the other. What is found depends on the texts alone, never on how fast it was found.

use std::ops::Range;

use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation as _;

/// Most lines, and most words of lines that follow each other, that are compared.
const MOST_LINES: usize = 5_000;
const MOST_WORDS: usize = 3_000;
/// Share of two texts that has to be equal for the rest to be marked.
const LEAST_EQUAL: f64 = 0.5;

/// A part of a text, and whether the other text has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiffPart {
    pub text: String,
    pub is_own: bool,
}

impl DiffPart {
    /// A text of which nothing is marked.
    pub fn whole(text: &str) -> Vec<Self> {
        vec![Self { text: text.to_owned(), is_own: false }]
    }
}

/// The parts of two texts, in order; `None` where too little is equal, or they are too long.
pub fn word_diff(first: &str, second: &str) -> Option<[Vec<DiffPart>; 2]> {
    let lines = [lines(first), lines(second)];
    if lines.iter().any(|lines| lines.len() > MOST_LINES) {
        return None;
    }
    let mut sides = [Side::default(), Side::default()];
    for op in capture_diff_slices(Algorithm::Myers, &lines[0], &lines[1]) {
        let ranges = [op.old_range(), op.new_range()];
        let taken = [0, 1].map(|side| joined(&lines[side], &ranges[side]));
        match op {
            DiffOp::Replace { .. } => words_apart(&taken, &mut sides),
            _ => push_each(&mut sides, &taken, matches!(op, DiffOp::Equal { .. })),
        }
    }
    let parts = sides.map(Side::into_parts);
    let equal = parts.iter().flatten().filter(|part| !part.is_own);
    let equal: usize = equal.map(|part| part.text.len()).sum();
    let is_alike = equal as f64 >= LEAST_EQUAL * (first.len() + second.len()) as f64;
    is_alike.then_some(parts)
}

/// Marks the words of lines that differ.
fn words_apart(taken: &[String; 2], sides: &mut [Side; 2]) {
    let words = taken.each_ref().map(|text| words(text));
    if words.iter().any(|words| words.len() > MOST_WORDS) {
        push_each(sides, taken, false);
        return;
    }
    for op in capture_diff_slices(Algorithm::Myers, &words[0], &words[1]) {
        let ranges = [op.old_range(), op.new_range()];
        let texts = [0, 1].map(|side| joined(&words[side], &ranges[side]));
        push_each(sides, &texts, matches!(op, DiffOp::Equal { .. }));
    }
}

fn push_each(sides: &mut [Side; 2], texts: &[String; 2], is_equal: bool) {
    for (side, text) in sides.iter_mut().zip(texts) {
        side.push(text, !is_equal);
    }
}

fn joined(pieces: &[&str], range: &Range<usize>) -> String {
    pieces.get(range.clone()).unwrap_or_default().concat()
}

/// The parts of one text while they are found.
#[derive(Default)]
struct Side {
    parts: Vec<DiffPart>,
}

impl Side {
    fn push(&mut self, text: &str, is_own: bool) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.is_own == is_own => last.text.push_str(text),
            _ => self.parts.push(DiffPart { text: text.to_owned(), is_own }),
        }
    }

    /// The parts, with spaces between two marked words marked as well.
    fn into_parts(self) -> Vec<DiffPart> {
        let mut joined = Self::default();
        for (at, part) in self.parts.iter().enumerate() {
            let is_gap = at > 0
                && at + 1 < self.parts.len()
                && !part.text.contains('\n')
                && part.text.trim().is_empty();
            joined.push(&part.text, part.is_own || is_gap);
        }
        joined.parts
    }
}

/// Lines with their ends.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Words by UAX 29, what stands between them, the parts of identifiers, and each character of scripts
/// that write no spaces.
fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for word in text.split_word_bounds() {
        if word.chars().any(is_unspaced) {
            found.extend(word.graphemes(true));
        } else if word.starts_with(|c: char| c.is_ascii_digit()) {
            found.push(word);
        } else {
            push_identifier(word, &mut found);
        }
    }
    found
}

/// Han, kana and Hangul.
fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{3040}'..='\u{30FF}'
            | '\u{31F0}'..='\u{31FF}'
            | '\u{3400}'..='\u{9FFF}'
            | '\u{AC00}'..='\u{D7AF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF66}'..='\u{FF9D}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

/// Cuts `maxSum`, `max_sum` and `np.max` where their parts begin.
fn push_identifier<'t>(word: &'t str, found: &mut Vec<&'t str>) {
    let mut start = 0;
    let mut before = None;
    for (at, c) in word.char_indices() {
        let begins = before.is_some_and(|before: char| {
            let is_sign = |c| matches!(c, '_' | '.');
            is_sign(c) != is_sign(before) || before.is_lowercase() && c.is_uppercase()
        });
        if begins {
            found.extend(word.get(start..at));
            start = at;
        }
        before = Some(c);
    }
    found.extend(word.get(start..));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A side with its marked parts in brackets.
    fn shown(parts: &[DiffPart]) -> String {
        let part = |part: &DiffPart| {
            if part.is_own { format!("[{}]", part.text) } else { part.text.clone() }
        };
        parts.iter().map(part).collect()
    }

    #[test]
    fn words_identifiers_and_characters_are_marked_where_they_differ() {
        for (first, second, expected) in [
            ("the red cat sat", "the blue cat sat", ["the [red] cat sat", "the [blue] cat sat"]),
            (
                "the red cat sat here",
                "the blue dog sat here",
                ["the [red cat] sat here", "the [blue dog] sat here"],
            ),
            (
                "return max_sum(a)",
                "return max_len(a)",
                ["return max_[sum](a)", "return max_[len](a)"],
            ),
            (
                "call getUserName()",
                "call getUserMail()",
                ["call getUser[Name]()", "call getUser[Mail]()"],
            ),
            ("pi is 3.14 or so", "pi is 3.15 or so", ["pi is [3.14] or so", "pi is [3.15] or so"]),
            ("答案是北京市", "答案是南京市", ["答案是[北]京市", "答案是[南]京市"]),
            ("カタカナです", "カタコナです", ["カタ[カ]ナです", "カタ[コ]ナです"]),
            ("a\nb\nc\nd\n", "a\nb\nx\nd\n", ["a\nb\n[c]\nd\n", "a\nb\n[x]\nd\n"]),
            ("same", "same", ["same", "same"]),
            ("", "", ["", ""]),
        ] {
            let parts = word_diff(first, second).expect(first);
            assert_eq!(parts.each_ref().map(|parts| shown(parts)), expected, "{first}");
        }
    }

    #[test]
    fn texts_of_other_words_are_not_marked() {
        assert_eq!(word_diff("one two three", "four five six"), None);
        assert_eq!(word_diff("", "something"), None);
    }

    #[test]
    fn long_texts_are_compared_by_lines_and_not_for_ever() {
        let line = |at: usize| format!("value {at} of {}\n", at * at % 977);
        let first: String = (0..4_000).map(line).collect();
        let second: String = (0..4_000).map(|at| line(at + usize::from(at % 40 == 0))).collect();
        assert!(word_diff(&first, &second).is_some());
        let words = |shift: usize| {
            let words = (0..30_000).map(|at| format!("w{}", at * shift % 7919));
            words.collect::<Vec<String>>().join(" ")
        };
        let [first, second] = [words(3), words(5)];
        assert_eq!(word_diff(&first, &second), None);
    }

    proptest! {
        #[test]
        fn the_parts_of_a_side_are_its_text(
            first in "[a-cA-C_. \n北京カ\u{301}é😀]{0,60}",
            second in "[a-cA-C_. \n北京カ\u{301}é😀]{0,60}",
        ) {
            if let Some(parts) = word_diff(&first, &second) {
                let texts = parts.map(|side| {
                    side.iter().map(|part| part.text.as_str()).collect::<String>()
                });
                prop_assert_eq!(texts, [first, second]);
            }
        }

        #[test]
        fn whatever_is_equal_is_equal_on_both_sides(first in "[a-c ]{0,30}", second in "[a-c ]{0,30}") {
            let Some(parts) = word_diff(&first, &second) else { return Ok(()) };
            let equal = parts.map(|side| {
                let equal = side.iter().filter(|part| !part.is_own);
                equal.flat_map(|part| part.text.chars()).filter(|c| *c != ' ').collect::<String>()
            });
            prop_assert_eq!(&equal[0], &equal[1]);
        }
    }
}
