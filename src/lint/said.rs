//! Words that say of a figure how it moved, or whether that is good.

use super::columns::has_word;
use crate::model::Direction;
use crate::text::Refusal;

/// What a word says of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Rises,
    Falls,
    Better,
    Worse,
}

const SAID: &[(&[&str], Said)] = &[
    (
        &[
            "increased",
            "increases",
            "increase",
            "rose",
            "rises",
            "grew",
            "climbed",
            "climbs",
            "jumped",
            "jumps",
            "went up",
            "raised",
            "raises",
            "boosted",
            "boosts",
            "上升",
            "增加",
            "增长",
            "升高",
            "升",
        ],
        Said::Rises,
    ),
    (
        &[
            "decreased",
            "decreases",
            "decrease",
            "dropped",
            "drops",
            "drop",
            "fell",
            "falls",
            "declined",
            "declines",
            "reduced",
            "reduces",
            "reduction",
            "lowered",
            "lowers",
            "cut",
            "cuts",
            "went down",
            "shrank",
            "下降",
            "降低",
            "减少",
            "降",
            "跌",
        ],
        Said::Falls,
    ),
    (&["improved", "improves", "improvement", "提升", "提高", "改善", "优化"], Said::Better),
    (
        &[
            "degraded",
            "degrades",
            "worsened",
            "worsens",
            "regressed",
            "regresses",
            "deteriorated",
            "恶化",
            "退化",
            "变差",
        ],
        Said::Worse,
    ),
];

/// What the words of a text say of a figure, where they say one thing.
pub(super) fn said_in(text: &str) -> Option<Said> {
    let found: Vec<(&str, Said)> = words().filter(|(word, _)| has_word(text, word)).collect();
    // 升 is a part of 提升.
    let is_part =
        |word: &str| found.iter().any(|(other, _)| *other != word && other.contains(word));
    let mut said = found.iter().filter(|(word, _)| !is_part(word)).map(|(_, said)| *said);
    let first = said.next()?;
    said.all(|other| other == first).then_some(first)
}

/// What the Chinese word says that a text ends with.
pub(super) fn said_at_end(text: &str) -> Option<Said> {
    let ended = words().filter(|(word, _)| !word.is_ascii() && text.ends_with(word));
    ended.max_by_key(|(word, _)| word.len()).map(|(_, said)| said)
}

/// The words that say it.
pub(super) fn words_of(meant: Said) -> impl Iterator<Item = &'static str> {
    words().filter(move |(_, said)| *said == meant).map(|(word, _)| word)
}

/// What a text says that is one of these words.
pub(super) fn said_alone(text: &str) -> Option<Said> {
    words().find(|(word, _)| *word == text).map(|(_, said)| said)
}

fn words() -> impl Iterator<Item = (&'static str, Said)> {
    SAID.iter().flat_map(|(words, said)| words.iter().map(|word| (*word, *said)))
}

/// Why two figures are not what is said of them; `None` where they are, or where nobody knows.
pub(super) fn contradiction(
    said: Said,
    (from, to): (f64, f64),
    direction: Option<Direction>,
) -> Option<Refusal> {
    let is_higher_better = || Some(direction? == Direction::Higher);
    let rises = to > from;
    let key = match (said, rises) {
        (Said::Rises, false) => "lint.claim-rises",
        (Said::Falls, true) => "lint.claim-falls",
        (Said::Better, false) if is_higher_better()? => "lint.claim-better-falls",
        (Said::Better, true) if !is_higher_better()? => "lint.claim-better-rises",
        (Said::Worse, true) if is_higher_better()? => "lint.claim-worse-rises",
        (Said::Worse, false) if !is_higher_better()? => "lint.claim-worse-falls",
        _ => return None,
    };
    (from != to).then(|| Refusal::new(key))
}
