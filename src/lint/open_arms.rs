//! What is concluded of a run whose results are all open.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{has_word, plain_head};
use super::metric::direction_of;
use super::sentences::sentences;
use super::{Found, Page, differences};
use crate::marked::{Cell, Row, Written};
use crate::text::Refusal;

/// What concludes that one is better or worse than another.
const CLAIMS: &[&str] = &[
    "outperforms",
    "outperformed",
    "outperform",
    "better than",
    "worse than",
    "superior",
    "inferior",
    "beats",
    "best",
    "surpasses",
    "exceeds",
    "hurts",
    "diverges",
    "优于",
    "好于",
    "更好",
    "最好",
    "最佳",
    "最优",
    "胜过",
    "领先",
    "不如",
    "劣于",
    "更差",
    "高于",
    "低于",
];
/// Words of what is expected, asked or reported by others, and not concluded.
const OPEN: &[&str] = &[
    "if",
    "whether",
    "will",
    "would",
    "should",
    "could",
    "may",
    "might",
    "expect",
    "expected",
    "hypothesis",
    "hypothesize",
    "hypothesise",
    "hypothesized",
    "goal",
    "aim",
    "plan",
    "tbd",
    "todo",
    "pending",
    "previous",
    "earlier",
    "does",
    "paper",
    "according",
    "early",
    "unlike",
    "not",
    "reported",
    "reports",
    "预期",
    "预计",
    "期望",
    "假设",
    "计划",
    "待",
    "是否",
    "如果",
    "若",
    "目标",
    "可能",
    "之前",
    "应",
    "论文",
    "据",
    "不能",
    "尚",
    "未",
];
/// Comparisons that go on to say than what.
const COMPARED: &[&str] = &["higher ", "lower ", "faster ", "slower ", "more stable "];
/// Words of headings of what is to be shown.
const PLANS: &[&str] = &[
    "criteria",
    "hypotheses",
    "questions",
    "design",
    "plans",
    "next",
    "future",
    "interpretation",
    "判据",
    "标准",
    "设计",
    "问题",
];
/// Fewer open cells may well be one result that is late.
const LEAST: usize = 2;
/// The shortest name that is looked for.
const SHORTEST: usize = 3;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let names = open_names(page);
    if names.is_empty() {
        return Vec::new();
    }
    let said = sentences(page.text);
    let said = said.filter(|(start, sentence)| {
        !sentence.trim_start().starts_with(['|', '#', '>']) && !is_planned(page, *start)
    });
    said.filter_map(|(start, sentence)| in_sentence(start, sentence, &names)).collect()
}

/// Whether a byte stands under a heading of what is expected or asked.
fn is_planned(page: &Page<'_>, at: usize) -> bool {
    let mut above = page.document.headings.iter().rev();
    let heading = above.find(|heading| page.lines.start_of(heading.line) <= at);
    heading.is_some_and(|heading| {
        let text = heading.text.to_lowercase();
        OPEN.iter().chain(PLANS).any(|word| has_word(&text, word))
    })
}

fn in_sentence(start: usize, sentence: &str, names: &BTreeMap<String, usize>) -> Option<Found> {
    let lower = sentence.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| has_word(&lower, word));
    let is_compared = || {
        let mut parts = COMPARED.iter().filter_map(|word| lower.split_once(word));
        parts.any(|(_, behind)| behind.contains(" than "))
    };
    let is_open = says(OPEN) || lower.contains(['>', '<', '≥', '≤', '?', '？']);
    if is_open || !(says(CLAIMS) || is_compared()) || lower.len() != sentence.len() {
        return None;
    }
    let (name, cells) = names.iter().find(|(name, _)| has_word(&lower, name))?;
    let at = start + lower.find(name.as_str())?;
    let message = Refusal::new("lint.open-arm").with("name", name.as_str()).with("cells", *cells);
    Some(Found::at(at..at + name.len(), message))
}

/// Heads of columns and names of rows all of whose cells are open, in lower case, and how many these are.
fn open_names(page: &Page<'_>) -> BTreeMap<String, usize> {
    let (mut open, mut known) = (BTreeMap::<String, usize>::new(), BTreeSet::new());
    let mut add = |name: &str, cells: &mut dyn Iterator<Item = &Cell>| {
        let name = plain_head(name).to_lowercase();
        let (mut asked, mut told) = (0, 0);
        for cell in cells {
            match &cell.written {
                Written::Text(text) if text.is_empty() => {}
                Written::Text(_) | Written::Figure(_) => told += 1,
                _ => asked += 1,
            }
        }
        if told > 0 {
            known.insert(name);
        } else if asked > 0 {
            *open.entry(name).or_default() += asked;
        }
    };
    for columns in &page.tables {
        for (at, head) in columns.heads.iter().enumerate() {
            add(head, &mut columns.rows.iter().filter_map(|row| row.cells.get(at)));
        }
        for row in &columns.rows {
            add(name_of(row), &mut row.cells.iter().skip(1));
        }
    }
    open.retain(|name, asked| {
        let is_run = direction_of(name).is_none()
            && !differences::WORDS.iter().any(|word| has_word(name, word));
        is_run && *asked >= LEAST && name.chars().count() >= SHORTEST && !known.contains(name)
    });
    open
}

fn name_of(row: &Row) -> &str {
    match row.cells.first().map(|cell| &cell.written) {
        Some(Written::Text(name)) => name,
        _ => "",
    }
}
