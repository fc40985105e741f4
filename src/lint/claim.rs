//! What a sentence says of two figures, and these do not: `improved from 75.3% to 70.1%`.

use std::ops::Range;

use super::change::SETTINGS;
use super::columns::{POSITIONS, has_word};
use super::metric::direction_in;
use super::said::{Said, contradiction, said_alone, said_at_end, said_in};
use super::told::{Value, before_opening, links, pair, places_of};
use super::{Found, Page, claim_rows};
use crate::marked::outside_of_fences;

/// Words behind which something else is said, and words of what is not so.
const ENDS: &[&str] =
    &["from", "when", "as", "while", "with", "for", "by", "and", "but", "than", "versus", "vs"];
const DENIED: &[&str] = &[
    "not",
    "no",
    "without",
    "if",
    "would",
    "could",
    "should",
    "prevent",
    "avoid",
    "instead",
    "expected",
    "target",
    "goal",
    "不",
    "未",
    "没",
    "无",
    "避免",
    "防止",
    "恢复",
    "缓解",
    "recovers",
    "recovered",
    "如果",
    "预期",
    "目标",
    "计划",
];
const TURNED: &str = " from ";
/// How many words may stand between the one that says something and the figures.
const NEAR: usize = 5;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let lines = outside_of_fences(page.text);
    let rows = page.tables.iter().flat_map(|columns| claim_rows::in_table(columns, page));
    lines.flat_map(|(start, line)| in_line(line, start)).chain(rows).collect()
}

fn in_line(line: &str, start: usize) -> Vec<Found> {
    if !line.contains(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let links = links(line).chain(places_of(&[TURNED], line).map(|link| (link, true)));
    links.filter_map(|(link, is_arrow)| claim(line, link, is_arrow, start)).collect()
}

fn claim(line: &str, link: Range<usize>, is_arrow: bool, start: usize) -> Option<Found> {
    let [before, after] = pair(line, link.clone(), is_arrow)?;
    if is_part(line, &before, &after) {
        return None;
    }
    let ahead = line.get(..before.start())?;
    let (between, place) = (line.get(before.end..link.start)?, before.start()..after.end);
    let behind = line.get(after.end..)?;
    // `to 70.1% from 75.3%`
    let is_turned = line.get(link)? == TURNED;
    let ([before, after], ahead) = if is_turned {
        ([after, before], ahead.trim_end_matches([' ', '*', '`']).strip_suffix(" to")?)
    } else {
        ([before, after], ahead)
    };
    let [from, to] = [&before, &after].map(|value| value.number.printed.value);
    let clause = clause_before(ahead);
    let is_noun = |said: &Said| *said == Said::Worse && ahead.trim_end().ends_with(['(', '（']);
    let said = said_before(&clause).filter(|said| !is_noun(said));
    let said = said.or_else(|| said_between(between));
    let said = said.or_else(|| said_behind(behind))?;
    let is_denied = DENIED.iter().any(|word| has_word(&clause, word));
    let message = contradiction(said, (from, to), direction_in(&clause))?;
    let message = message.with("before", shown(&before)).with("after", shown(&after));
    let place = start + place.start..start + place.end;
    (!is_denied).then(|| Found::at(place, message))
}

/// Whether a figure is a part of what stands there: of a setting, a version, a power, a range, a ratio, or
/// of a number with spaces between its thousands.
fn is_part(line: &str, before: &Value<'_>, after: &Value<'_>) -> bool {
    let signs = ['^', '/', '-', '–', '~', '×', ':', '\\', '_', '='];
    let ahead = line.get(..before.start()).unwrap_or_default();
    let behind = line.get(after.end..).unwrap_or_default();
    let is_thousands = |word: &str| word.len() == 3 && word.bytes().all(|c| c.is_ascii_digit());
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|c| c.is_ascii_digit());
    let own = line.get(before.number.place.clone()).unwrap_or_default();
    let next = behind.split(|c: char| c != ' ' && !c.is_ascii_digit()).next().unwrap_or_default();
    let last = ahead.trim_end().rsplit(' ').next().unwrap_or_default();
    let goes_on = (is_thousands(own) && is_number(last)) || is_thousands(next.trim());
    ahead.ends_with(signs) || behind.starts_with(signs) || goes_on
}

/// What stands in front of a figure in its clause, in lower case.
fn clause_before(text: &str) -> String {
    let text = before_opening(text).unwrap_or(text);
    let text = text.trim_end_matches([':', '：', ' ', '*', '`', '(', '（']);
    let ends = ['.', ';', '!', '?', '。', '；', '，', ',', '(', '（', ')', '）', '|', ':', '：'];
    text.rsplit(ends).next().unwrap_or_default().to_lowercase()
}

/// What the words right in front of two figures say of them.
fn said_before(clause: &str) -> Option<Said> {
    let words = clause.split_whitespace().rev().take_while(|word| !ENDS.contains(word));
    let near: Vec<&str> = words.take(NEAR).collect();
    // A step or a setting that goes from one value to another is not what the word is about.
    if near.iter().any(|word| POSITIONS.contains(word) || SETTINGS.contains(word)) {
        return None;
    }
    let near: Vec<&str> = near.into_iter().rev().collect();
    let near = near.join(" ");
    let (words, _): (Vec<&str>, Vec<&str>) = near.split(' ').partition(|word| word.is_ascii());
    said_in(&words.join(" ")).or_else(|| said_at_end(&near))
}

/// What a bracket behind two figures says of them, and nothing else.
fn said_behind(behind: &str) -> Option<Said> {
    let inner = behind.trim_start_matches([' ', '*', '`']).strip_prefix(['(', '（'])?;
    let (word, _) = inner.split_once([')', '）'])?;
    said_alone(&word.trim_matches([' ', '*', '✅', '❌']).to_lowercase())
}

/// What the word between two figures says, as in 从 70% 提升到 75%.
fn said_between(between: &str) -> Option<Said> {
    said_alone(between.trim_matches([' ', '*', '`']))
}

fn shown(value: &Value<'_>) -> String {
    let Value { number, is_share, of: [currency, unit], .. } = value;
    let unit = if *is_share {
        "%".to_owned()
    } else if unit.is_empty() {
        String::new()
    } else {
        format!(" {unit}")
    };
    format!("{currency}{}{unit}", number.printed.text())
}
