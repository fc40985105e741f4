//! Rows that call what came after better or worse than what stood there before, where the direction of
//! their metric says the opposite.

use super::columns::{Columns, has_word, name_of};
use super::metric::{direction_in, direction_of};
use super::printed::{EMPHASIS, measured};
use super::said::{Said, contradiction, said_in};
use super::{Found, Page};
use crate::marked::{Row, Written};
use crate::model::Direction;

/// Heads of what stood there first, and of what came after it.
const BEFORE: &[&str] = &[
    "before",
    "baseline",
    "base",
    "old",
    "previous",
    "prev",
    "之前",
    "基线",
    "旧",
    "优化前",
    "改进前",
    "训练前",
    "微调前",
    "改前",
];
const AFTER: &[&str] = &[
    "after",
    "new",
    "current",
    "candidate",
    "tuned",
    "finetuned",
    "fine-tuned",
    "optimized",
    "之后",
    "新",
    "当前",
    "ours",
    "训练后",
    "微调后",
    "改后",
    "优化后",
    "改进后",
];
/// What a verdict says of the figures besides.
const VERDICTS: &[(&[&str], Said)] = &[
    (&["better", "更好", "变好", "改进"], Said::Better),
    (&["worse", "regression", "degradation", "更差"], Said::Worse),
];
/// Arrows, which stand for the good side as well: where higher is better that is the same.
const ARROWS: [(&[char], Said); 2] =
    [(&['↑', '⬆', '📈'], Said::Better), (&['↓', '⬇', '📉'], Said::Worse)];
/// Words that take back what stands beside them.
const HEDGES: &[&str] = &["not", "no", "but", "无", "未", "没", "不", "但"];
/// The longest cell that is a verdict, in characters.
const LONGEST: usize = 40;

pub(super) fn in_table(columns: &Columns<'_>, page: &Page<'_>) -> Vec<Found> {
    let pair = columns.only(BEFORE, None).zip(columns.only(AFTER, None));
    let Some((before, after)) = pair else { return Vec::new() };
    let rows = columns.rows.iter().filter(|_| before != after);
    rows.filter_map(|row| in_row(row, [before, after], page.text)).collect()
}

fn in_row(row: &Row, pair: [usize; 2], text: &str) -> Option<Found> {
    let content = |column: usize| text.get(row.cells.get(column)?.content.clone());
    let [from, to] = pair.map(content);
    let (from, to) = (from?, to?);
    let ((before, unit), (after, other)) = (measured(from)?, measured(to)?);
    let name = name_of(row, text);
    let direction = direction_of(&name).or_else(|| direction_in(&name));
    let verdicts = row.cells.iter().skip(1).filter_map(|cell| match &cell.written {
        Written::Text(words) => Some((cell, verdict(words).or_else(|| arrow(words, direction))?)),
        _ => None,
    });
    let [(cell, said)] = <[_; 1]>::try_from(verdicts.collect::<Vec<_>>()).ok()?;
    let message = contradiction(said, (before.value, after.value), direction)?;
    let [before, after] = [from, to].map(|figure| figure.trim_matches(EMPHASIS));
    let message = message.with("before", before).with("after", after);
    (unit == other).then(|| Found::at(cell.content.clone(), message))
}

/// What a cell says that is no more than a verdict.
fn verdict(words: &str) -> Option<Said> {
    let words = words.to_lowercase();
    if words.chars().count() > LONGEST || HEDGES.iter().any(|word| has_word(&words, word)) {
        return None;
    }
    let besides = VERDICTS.iter().find(|(all, _)| all.iter().any(|word| has_word(&words, word)));
    said_in(&words).or_else(|| besides.map(|(_, said)| *said))
}

/// What a cell says that is an arrow, of a metric of which higher is better.
fn arrow(words: &str, direction: Option<Direction>) -> Option<Said> {
    let words = words.trim_matches([' ', '*', '\u{fe0f}']);
    let said = ARROWS.iter().find(|(signs, _)| words.chars().all(|c| signs.contains(&c)));
    said.filter(|_| direction == Some(Direction::Higher) && !words.is_empty())
        .map(|(_, said)| *said)
}
