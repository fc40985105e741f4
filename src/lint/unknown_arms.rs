//! A value of a setting beside one that names a run, which no run of the document has: `KL_BETA=0.12 and
//! 0.18` where the runs are 0.12 and 0.15.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{POSITIONS, has_word};
use super::metric::{direction_in, direction_of};
use super::printed::{Number, number_at};
use super::{Found, Page};
use crate::marked::{Cell, outside_of_fences};
use crate::text::Refusal;

/// What stands between two values of one setting.
const LINKS: &[&str] = &[" and ", " vs ", " vs. ", " versus ", "和", " 和", "与", " 与", "、"];
/// What may follow two runs.
const VERBS: &[&str] = &[
    "are", "were", "have", "had", "both", "is", "was", "models", "runs", "show", "perform", "give",
    "reach", "differ", "agree", "behave", "the", "keep", "stay", "lead", "yield", "produce",
];
/// How many characters behind a value may say of what it is one.
const NEAR: usize = 8;
/// Words of runs that there are not yet, or of other reports.
const OPEN: &[&str] = &[
    "recommend",
    "earlier",
    "previous",
    "prior",
    "before",
    "planned",
    "never",
    "paper",
    "之前",
    "早期",
    "上次",
    "论文",
    "suggest",
    "try",
    "next",
    "future",
    "will",
    "should",
    "plan",
    "retrain",
    "建议",
    "尝试",
    "计划",
    "下一步",
    "重新",
    "后续",
    "将",
    "未来",
];

/// The values of each setting, by its name in lower case, in heads, names of rows and columns of tables, as
/// they are written.
type Arms<'t> = BTreeMap<String, BTreeSet<&'t str>>;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let mut arms = Arms::new();
    let content = |cell: &Cell| page.text.get(cell.content.clone());
    let heads = page.document.tables.iter().flat_map(|table| &table.header.cells);
    let names = page.tables.iter().flat_map(|columns| &columns.rows);
    let names = names.filter_map(|row| row.cells.first());
    for (key, value, _) in heads.chain(names).filter_map(content).flat_map(settings) {
        arms.entry(key.to_lowercase()).or_default().insert(value);
    }
    for columns in &page.tables {
        for (at, head) in columns.heads.iter().enumerate().filter(|(_, head)| names_setting(head)) {
            let cells = columns.rows.iter().filter_map(|row| row.cells.get(at));
            let values = cells.filter_map(content).map(|value| value.trim_matches(['*', '`', ' ']));
            arms.entry(head.clone()).or_default().extend(values.filter(|value| is_number(value)));
        }
    }
    arms.retain(|_, values| values.len() > 1);
    if arms.is_empty() {
        return Vec::new();
    }
    let lines = outside_of_fences(page.text);
    lines.flat_map(|(start, line)| in_line(start, line, (&arms, page.text))).collect()
}

fn in_line(start: usize, line: &str, (arms, text): (&Arms<'_>, &str)) -> Vec<Found> {
    let lower = line.to_lowercase();
    if OPEN.iter().any(|word| has_word(&lower, word)) {
        return Vec::new();
    }
    let found = settings(line).into_iter().filter_map(|(key, value, end)| {
        let values = arms.get(&key.to_lowercase()).filter(|values| values.contains(value))?;
        let number = listed_with(line, end)?;
        let other = line.get(number.place.clone())?;
        let decimals = |value: &str| value.split_once('.').map_or(0, |(_, after)| after.len());
        let is_alike = values.iter().any(|value| decimals(value) == decimals(other));
        let is_known = values.contains(other) || text.contains(&format!("{key}={other}"));
        let known = values.iter().copied().collect::<Vec<_>>().join(", ");
        let message = Refusal::new("lint.unknown-arm")
            .with("name", format!("{key}={other}"))
            .with("known", known);
        let place = start + number.place.start..start + number.place.end;
        (is_alike && !is_known).then(|| Found::at(place, message))
    });
    found.collect()
}

/// The number that is listed with the value that ends there, as another of its kind: without a unit and
/// with nothing behind it but what runs do.
fn listed_with(line: &str, end: usize) -> Option<Number> {
    let rest = line.get(end..)?.trim_start_matches(['*', '`']);
    let inner = LINKS.iter().find_map(|word| rest.strip_prefix(word))?;
    let inner = inner.trim_start_matches([' ', '*', '`']);
    let number = number_at(line, line.len() - inner.len()).filter(|number| !number.has_sign)?;
    let behind = line.get(number.place.end..)?;
    let word = behind.trim_start().split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    let is_unit = behind.trim_start().starts_with(['%', '=', '.', '/', '-', '×', '+']);
    // `与 0.62 的准确率`
    let near: String = behind.chars().take(NEAR).collect();
    (!is_unit && direction_in(&near).is_none() && (word.is_empty() || VERBS.contains(&word)))
        .then_some(number)
}

/// Whether a head is one word that names a setting and is longer than the letter of a count.
fn names_setting(head: &str) -> bool {
    let is_word = head.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_word && head.len() > 2 && !POSITIONS.contains(&head) && direction_of(head).is_none()
}

fn is_number(text: &str) -> bool {
    number_at(text, 0).is_some_and(|number| number.place.end == text.len())
}

/// What stands in a text as `KEY=0.12`: the key, the value, and where that ends.
fn settings(text: &str) -> Vec<(&str, &str, usize)> {
    let found = text.match_indices('=').filter_map(|(at, _)| {
        let before = text.get(..at)?;
        let key = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
        let key = before.get(key..)?;
        let number = number_at(text, at + 1)?;
        let value = text.get(number.place.clone())?;
        (!key.is_empty()).then_some((key, value, number.place.end))
    });
    found.collect()
}
