//! Dates with the name of a month: `31 April 2025`, `February 30, 2025`.

use std::ops::Range;

const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// How many letters a name may be cut to.
const SHORT: usize = 3;

/// The dates of a line, and each as year, month and day.
pub(super) fn dates(line: &str) -> Vec<(Range<usize>, String)> {
    let lower = line.to_ascii_lowercase();
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let (mut dates, mut at) = (Vec::new(), 0);
    while let Some(next) = lower.get(at..).and_then(|rest| rest.find(is_letter)) {
        let start = at + next;
        let rest = lower.get(start..).unwrap_or_default();
        let end = start + rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        let month = lower.get(start..end).and_then(month);
        dates.extend(month.and_then(|month| date(&lower, start..end, month)));
        at = end;
    }
    dates
}

fn month(word: &str) -> Option<usize> {
    let is = |name: &str| word == name || name.get(..SHORT) == Some(word);
    MONTHS.iter().position(|name| is(name)).map(|at| at + 1)
}

/// The date around the name of a month: with the day before it, or behind it.
fn date(line: &str, name: Range<usize>, month: usize) -> Option<(Range<usize>, String)> {
    let before = line.get(..name.start)?.strip_suffix(' ')?;
    let day = before.len() - before.bytes().rev().take_while(u8::is_ascii_digit).count();
    let after = line.get(name.end..)?;
    let after = after.strip_prefix('.').unwrap_or(after).strip_prefix(' ')?;
    let (first, rest) = number(after);
    let (start, day, year, rest) = match first.len() {
        // `31 April 2025`
        4 if (1..=2).contains(&before.get(day..)?.len()) => (day, before.get(day..)?, first, rest),
        // `February 30, 2025`
        1 | 2 => {
            let (year, rest) = number(rest.strip_prefix(", ")?);
            (name.start, first, year, rest)
        }
        _ => return None,
    };
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '.' | '_');
    let is_whole = !line.get(..start)?.ends_with(is_part)
        && !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '_'));
    let is_year = year.len() == 4 && (year.starts_with("19") || year.starts_with("20"));
    (is_whole && is_year)
        .then(|| (start..line.len() - rest.len(), format!("{year}-{month:02}-{day:0>2}")))
}

/// The digits that a text begins with, and what follows.
fn number(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}
