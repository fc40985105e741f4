//! Rows that call what came after better or worse than what stood there before, where the direction of
//! their metric says the opposite.

use super::columns::{Columns, figure_in, has_word, name_of};
use super::metric::direction_of;
use super::said::{Said, contradiction};
use super::{Found, Page};
use crate::marked::{Figure, Row, Written};

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
    "优化后",
    "改进后",
];
const VERDICTS: &[(&[&str], Said)] = &[
    (
        &["improved", "better", "improvement", "improves", "改善", "变好", "改进", "更好"],
        Said::Better,
    ),
    (
        &[
            "worse",
            "regressed",
            "regression",
            "degraded",
            "degradation",
            "worsened",
            "变差",
            "恶化",
            "退化",
            "更差",
        ],
        Said::Worse,
    ),
];
/// Words that take back what stands beside them.
const HEDGES: &[&str] = &["not", "no", "but", "n't", "无", "未", "没", "不", "但"];
/// The longest cell that is a verdict, in characters.
const LONGEST: usize = 40;

pub(super) fn in_table(columns: &Columns<'_>, page: &Page<'_>) -> Vec<Found> {
    let only = |words: &[&str]| {
        let is_named = |head: &String| words.iter().any(|word| has_word(head, word));
        let mut named = columns.heads.iter().enumerate().filter(|(_, head)| is_named(head));
        named.next().map(|(at, _)| at).filter(|_| named.next().is_none())
    };
    let (Some(before), Some(after)) = (only(BEFORE), only(AFTER)) else { return Vec::new() };
    let rows = columns.rows.iter().filter(|_| before != after);
    rows.filter_map(|row| in_row(row, [before, after], page.text)).collect()
}

fn in_row(row: &Row, pair: [usize; 2], text: &str) -> Option<Found> {
    let [from, to] = pair.map(|column| figure_in(row, column));
    let (from, to) = (from?, to?);
    let direction = direction_of(&name_of(row, text))?;
    let verdicts = row.cells.iter().skip(1).filter_map(|cell| match &cell.written {
        Written::Text(words) => Some((cell, verdict(words)?)),
        _ => None,
    });
    let [(cell, said)] = <[_; 1]>::try_from(verdicts.collect::<Vec<_>>()).ok()?;
    let [before, after] = [from, to].map(Figure::written);
    let message = contradiction(said, (from.value, to.value), Some(direction))?;
    let message = message.with("before", before).with("after", after);
    (from.suffix.trim() == to.suffix.trim()).then(|| Found::at(cell.content.clone(), message))
}

/// What a cell says that is no more than a verdict.
fn verdict(words: &str) -> Option<Said> {
    let words = words.to_lowercase();
    if words.chars().count() > LONGEST || HEDGES.iter().any(|word| has_word(&words, word)) {
        return None;
    }
    let said = VERDICTS.iter().filter(|(all, _)| all.iter().any(|word| has_word(&words, word)));
    let [said] = <[_; 1]>::try_from(said.map(|(_, said)| *said).collect::<Vec<_>>()).ok()?;
    Some(said)
}
