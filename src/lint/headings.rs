//! A heading that stands twice, once below one that says another number: `Epoch 2` below `Epoch 1`.

use std::collections::BTreeMap;

use super::columns::has_word;
use super::{Found, Page};
use crate::marked::Heading;
use crate::text::Refusal;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let mut path: Vec<&Heading> = Vec::new();
    // Each heading with the one above it that says another number.
    let mut placed: Vec<(&Heading, Option<&Heading>)> = Vec::new();
    for heading in &page.document.headings {
        path.retain(|above| above.level < heading.level);
        placed.push((heading, contradicted(heading, &path)));
        path.push(heading);
    }
    let mut well_placed = BTreeMap::new();
    for (heading, _) in placed.iter().filter(|(_, contradicted)| contradicted.is_none()) {
        well_placed.entry((heading.text.as_str(), heading.level)).or_insert(heading.line);
    }
    let found = placed.iter().filter_map(|(heading, above)| {
        let message = Refusal::new("lint.misplaced-heading")
            .with("heading", heading.text.as_str())
            .with("above", (*above)?.text.as_str())
            .with("line", *well_placed.get(&(heading.text.as_str(), heading.level))?);
        let at = page.lines.start_of(heading.line);
        Some(Found::at(at..at, message))
    });
    found.collect()
}

/// Words of a heading that may well stand below another number.
const OF_TWO: &[&str] =
    &["from", "to", "vs", "versus", "since", "preview", "next", "towards", "预告", "下一"];

/// The nearest heading above that has another number behind a word of this one, and none that agrees.
fn contradicted<'h>(heading: &Heading, above: &[&'h Heading]) -> Option<&'h Heading> {
    let text = heading.text.to_lowercase();
    if OF_TWO.iter().any(|word| has_word(&text, word)) {
        return None;
    }
    let numbers = numbered(&heading.text);
    let contradicts = |over: &&&Heading| {
        let theirs = numbered(&over.text);
        let same_word = |(word, number): &(String, &str), equal: bool| {
            theirs.iter().any(|(other, said)| other == word && (said == number) == equal)
        };
        numbers.iter().any(|pair| same_word(pair, false))
            && !numbers.iter().any(|pair| same_word(pair, true))
    };
    above.iter().rev().find(contradicts).copied()
}

/// The words of a text that a whole number follows, with that number.
fn numbered(text: &str) -> Vec<(String, &str)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pairs = words.windows(2).filter_map(|pair| {
        let [word, number] = pair else { return None };
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let is_word = word.chars().all(char::is_alphabetic);
        (is_number && is_word).then(|| (word.to_lowercase(), *number))
    });
    pairs.collect()
}
