//! What the head of a column of differences says of the way in which they are taken.

use std::ops::Range;

use super::labels::Labels;
use super::readings::{About, Facet, Subject};
use super::scan::{folded, places, string};

/// Words after which a head names what is subtracted.
const BEFORE_SUBTRACTED: &[&str] = &[
    "vs",
    "vs.",
    "versus",
    "to",
    "over",
    "from",
    "against",
    "relative to",
    "compared to",
    "compared with",
    "相对",
    "相比",
    "较",
    "比",
];

/// What a head says of the differences below it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Direction {
    pub(super) subtracted: Option<usize>,
    pub(super) from: Option<usize>,
    /// Whether more is better, whatever the metric.
    pub(super) is_gain: bool,
}

/// The direction of a head of differences that names runs: `Δ (tuned − base)`, `gain over base`.
/// `None` for other heads.
pub(super) fn direction(head: &str, labels: &Labels<'_>) -> Option<Direction> {
    let text = folded(head);
    let arms = labels.arms_in(&text);
    let blank =
        |from: usize, to: usize| [string(&text, 0..from), string(&text, to..text.len())].join(" ");
    let (direction, rest) = match arms.as_slice() {
        [(first, one), (second, other)] => {
            let between = string(&text, first.end..second.start);
            let rest = blank(first.start, second.end);
            match between.trim() {
                "-" | "−" | "–" => {
                    (Direction { from: Some(*one), subtracted: Some(*other), is_gain: false }, rest)
                }
                "→" | "->" => {
                    (Direction { from: Some(*other), subtracted: Some(*one), is_gain: false }, rest)
                }
                _ => return None,
            }
        }
        [(range, arm)] => {
            let before = string(&text, 0..range.start);
            let before = before.trim_end();
            let mut ended = BEFORE_SUBTRACTED.iter().filter_map(|word| before.strip_suffix(word));
            let before = ended.next()?;
            let direction = Direction { subtracted: Some(*arm), ..Direction::default() };
            (direction, format!("{before} {}", string(&text, range.end..text.len())))
        }
        _ => return None,
    };
    let reading = labels.read(&rest);
    let is_difference = reading.about.is_some_and(About::is_difference);
    let is_bare = direction.from.is_some() && !rest.contains(char::is_alphanumeric);
    let is_other =
        !reading.is_understood() || !reading.facets.is_empty() || head.contains(['%', '％']);
    let is_gain = reading.about == Some(About::Gain);
    (!is_other && (is_difference || is_bare)).then_some(Direction { is_gain, ..direction })
}

/// What may stand between the word for a difference and what it is to, in a sentence.
const JOINING: &[&str] = &[
    "is", "are", "was", "were", "all", "computed", "measured", "shown", "=", ":", "means",
    "equals", "均", "都", "为", "是", "指",
];
/// Words for the row above, in sentences about differences.
const ROW_ABOVE: &[&str] = &[
    "row above",
    "one above",
    "line above",
    "previous row",
    "each step",
    "step by step",
    "上一行",
    "前一行",
    "逐行",
];
/// What begins what it is to, beside the words of heads.
const BEFORE_REFERENCE: &[&str] = &["with respect to", "w.r.t.", "相对于"];

/// Whether a sentence says that differences are to something other than the first run:
/// `Δ is to GPT-4 (92.0).`
pub(super) fn has_other_reference(prose: &str, labels: &Labels<'_>) -> bool {
    let text = folded(prose);
    let arms = labels.arms_in(&text);
    let subtracts = |pair: &[(Range<usize>, usize)]| match pair {
        [(first, _), (second, subtracted)] => {
            let between = string(&text, first.end..second.start);
            matches!(between.trim(), "-" | "−" | "–" | "minus" | "减" | "减去") && *subtracted != 0
        }
        _ => false,
    };
    let says_above = ROW_ABOVE.iter().any(|words| !places(&text, &folded(words)).is_empty());
    if says_above || arms.windows(2).any(subtracts) {
        return true;
    }
    let mut relations: Vec<&str> = BEFORE_REFERENCE
        .iter()
        .chain(BEFORE_SUBTRACTED)
        .copied()
        .filter(|w| *w != "from")
        .collect();
    relations.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let is_to_other = |end: usize| {
        let rest = string(&text, end..text.len());
        let mut rest = rest.trim_start();
        while let Some(behind) = JOINING.iter().find_map(|word| without_word(rest, word)) {
            rest = behind;
        }
        let behind = relations.iter().find_map(|word| without_word(rest, word));
        let Some(behind) = behind else { return false };
        let words = up_to_its_end(behind).trim();
        let reading = labels.read_around(words);
        let is_first = |facet: &Facet| facet.subject() != Subject::Run || *facet == Facet::Arm(0);
        let is_named = words.contains("baseline")
            || words.contains("基线")
            || reading.facets.contains(&Facet::Arm(0));
        let is_baseline =
            is_named && reading.is_understood() && reading.facets.iter().all(is_first);
        !words.is_empty() && !is_baseline
    };
    labels.differences_in(&text).into_iter().any(is_to_other)
}

/// A text behind a word that it begins with.
fn without_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(word)?;
    let ends = !word.is_ascii() || !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    ends.then(|| rest.trim_start())
}

/// A part of a sentence up to a sign that ends it; points in numbers end nothing.
fn up_to_its_end(text: &str) -> &str {
    let ends = |(at, c): &(usize, char)| {
        let next = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
        match c {
            '.' | ',' => next.is_none_or(char::is_whitespace),
            _ => matches!(c, ';' | '(' | '。' | '、' | '的' | '\n'),
        }
    };
    let end = text.char_indices().find(ends).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}
