//! Health scores by declared rules.

use super::progress_wording::ProgressWording;
use crate::kinds::progress::analysis::{Scored, mean};
use crate::quantity;
use crate::report::block::{Block, Cell, Icon, Table, Text};

/// Words for a mean of stars, best first, with the least mean that each asks for.
const GRADES: [(&str, f64, Icon); 4] = [
    ("excellent", 4.5, Icon::Good),
    ("good", 3.5, Icon::Good),
    ("fair", 2.5, Icon::Caution),
    ("poor", 0.0, Icon::Bad),
];

/// The word for a mean of stars. The mean is compared as it is, not as it is rounded.
pub(super) fn grade(mean: f64) -> (&'static str, Icon) {
    let grade = GRADES.iter().find(|(_, least, _)| mean >= *least);
    grade.map_or(("poor", Icon::Bad), |(name, _, icon)| (*name, *icon))
}

/// The word and its sign. What the intervals leave open, or what stands on counters that contradict
/// themselves, is no plain success.
pub(super) fn status(scores: &[Scored<'_>], mean: f64, range: [f64; 2]) -> (&'static str, Icon) {
    let (word, icon) = grade(mean);
    let is_sure = range.iter().all(|end| grade(*end).0 == word)
        && scores.iter().all(|score| !score.is_doubtful);
    (word, if is_sure { icon } else { Icon::Caution })
}

pub(super) fn section(wording: &ProgressWording<'_>) -> Vec<Block> {
    let scores = &wording.progress.scores;
    if scores.is_empty() {
        return Vec::new();
    }
    let table = Table::of_rows(scores)
        .left(wording.get("head.dimension"), |score| {
            Text::strong(wording.label(&score.declared.name))
        })
        .left(wording.get("head.stars"), |score| stars(wording, score))
        .left(wording.get("head.reason"), |score| reason(wording, score));
    let notes = [overall(wording), wording.get("stars-note").into()];
    std::iter::once(table.block()).chain(notes.map(Block::paragraph)).collect()
}

fn stars(wording: &ProgressWording<'_>, score: &Scored<'_>) -> Cell {
    let Some(stars) = score.stars else { return Cell::missing() };
    let mut text = (0..stars).fold(Text::empty(), |text, _| text.and_icon(Icon::Star));
    if let Some([lo, hi]) = score.range.filter(|[lo, hi]| lo != hi) {
        text = text.and_plain(wording.fill("stars-range", &[("lo", lo), ("hi", hi)]));
    }
    Cell::number(text, f64::from(stars))
}

fn reason(wording: &ProgressWording<'_>, score: &Scored<'_>) -> Text {
    let reason = match &score.reading {
        Some((condition, judgement)) => wording.judged(condition, judgement),
        None => Text::plain(wording.get("no-rule-holds")),
    };
    wording.doubted(reason, score.is_doubtful)
}

/// The mean of all dimensions as a formula, or why there is none.
fn overall(wording: &ProgressWording<'_>) -> Text {
    let scores = &wording.progress.scores;
    let Some((mean, range)) = mean(scores) else {
        let known = scores.iter().filter(|score| score.stars.is_some()).count().to_string();
        let all = scores.len().to_string();
        return Text::plain(wording.fill("no-mean", &[("known", &known), ("all", &all)]));
    };
    let stars: Vec<u8> = scores.iter().filter_map(|score| score.stars).collect();
    let (word, icon) = status(scores, mean, range);
    let [lo, hi] = range.map(quantity::stars);
    let facts = [
        ("sum", &stars.iter().map(|stars| u32::from(*stars)).sum::<u32>().to_string()),
        ("n", &stars.len().to_string()),
        ("mean", &quantity::stars(mean)),
        ("lo", &lo),
        ("hi", &hi),
    ];
    let key = if lo == hi { "mean" } else { "mean-range" };
    Text::strong(wording.fill(key, &facts))
        .and_plain(" ")
        .and_icon(icon)
        .and_plain(format!(" {}", wording.get(&format!("grade.{word}"))))
}
