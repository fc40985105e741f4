//! Which way a metric gets better, by its name in a document.

use super::columns::{has_word, plain_head};
use crate::model::{Direction, MetricNames};

/// Signs behind a name that say which way is better: `WER ↓`.
const SIGNS: [(&[char], Direction); 2] =
    [(&['↑', '⬆', '▲'], Direction::Higher), (&['↓', '⬇', '▼'], Direction::Lower)];
/// The most words that a name has in running text.
const WORDS: usize = 3;

/// The direction of what a head or a row is called; `None` where nobody says it.
pub(super) fn direction_of(name: &str) -> Option<Direction> {
    let signs = SIGNS.iter().filter(|(signs, _)| name.contains(*signs));
    let mut signs = signs.map(|(_, direction)| *direction);
    if let Some(said) = signs.next() {
        return signs.next().is_none().then_some(said);
    }
    let name = plain_head(name);
    let bare = name.split(['(', '（', '[']).next().unwrap_or_default();
    known(bare.trim_matches(['*', '_', '`', ' ', ':', '：']))
}

/// Names of metrics that are other words of running text as well.
const WORDS_TOO: &[&str] =
    &["acc", "em", "hit", "pass", "passed", "right", "correct", "success", "dice"];

/// What is said of a metric and gets better the other way.
const TURNING: &[&str] = &[
    "degradation",
    "drop",
    "gap",
    "difference",
    "penalty",
    "overhead",
    "损失",
    "差距",
    "误差",
    "降幅",
    "loss",
    "error",
    "variance",
    "std",
    "bits",
    "cost",
    "with",
    "without",
    "judge",
    "波动",
    "排名",
    "方差",
    "标准误",
];

/// The one direction of all metrics that a text names.
pub(super) fn direction_in(text: &str) -> Option<Direction> {
    let is_end =
        |c: char| c.is_whitespace() || matches!(c, ',' | '，' | '(' | ')' | '*' | '`' | '的');
    let words = text.split(is_end).filter(|word| !word.is_empty() && !WORDS_TOO.contains(word));
    let words: Vec<&str> = words.collect();
    let spaced = (1..=WORDS).rev().flat_map(|count| words.windows(count));
    let spaced = spaced.filter_map(|name| known(&name.join(" ")));
    // Nothing stands between Chinese words.
    let han = MetricNames::shipped_names().filter(|name| !name.is_ascii() && text.contains(name));
    let mut found = spaced.chain(han.filter_map(known));
    let first = found.next()?;
    let turned = TURNING.iter().any(|word| has_word(text, word)) && first == Direction::Higher;
    (found.all(|other| other == first) && !turned).then_some(first)
}

fn known(name: &str) -> Option<Direction> {
    let name = name.to_lowercase();
    let names = MetricNames::default();
    let spec = names.get(&name).or_else(|| names.get(&name.replace([' ', '-'], "_")))?;
    matches!(spec.direction, Direction::Higher | Direction::Lower).then_some(spec.direction)
}
