//! Dates that no calendar has: `2025-02-30`, `2025/13/01`, `2025年2月30日`, `31 April 2025`.

use super::{Found, Page, months};
use crate::marked::outside_of_fences;
use crate::quantity::Night;
use crate::text::Refusal;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let lines = outside_of_fences(page.text);
    lines.flat_map(|(start, line)| in_line(start, line)).collect()
}

fn in_line(start: usize, line: &str) -> Vec<Found> {
    let pairs = line.as_bytes().windows(2).enumerate();
    let years = pairs.filter(|(_, digits)| matches!(**digits, [b'1', b'9'] | [b'2', b'0']));
    let dates = years.filter_map(|(at, _)| {
        let end = date_at(line, at)?;
        let text = line.get(at..end)?;
        let message = Refusal::new("lint.date").with("date", text);
        let is_date = !is_part(line.get(..at)?, line.get(end..)?) && !are_years(text);
        (is_date && !exists(text)).then(|| Found::at(start + at..start + end, message))
    });
    let named = months::dates(line).into_iter().filter_map(|(place, date)| {
        let message = Refusal::new("lint.date").with("date", line.get(place.clone())?);
        (!exists(&date)).then(|| Found::at(start + place.start..start + place.end, message))
    });
    dates.chain(named).collect()
}

/// Whether what looks like a date is part of a path, a version or a longer number.
fn is_part(before: &str, after: &str) -> bool {
    let goes_on = |c: char| c.is_ascii() && (c.is_alphanumeric() || "-/._=".contains(c));
    let ends_sentence = after.strip_prefix('.').is_some_and(|rest| !rest.starts_with(goes_on));
    before.ends_with(goes_on) || (after.starts_with(goes_on) && !ends_sentence)
}

/// Where a date ends that begins there: year, month and day with the same sign between them.
fn date_at(line: &str, at: usize) -> Option<usize> {
    let mut end = at + digits(line.get(at..)?).filter(|count| *count == 4)?;
    for signs in [["-", "/", "年"], ["-", "/", "月"]] {
        let rest = line.get(end..)?;
        let sign = signs.iter().find(|sign| rest.starts_with(**sign))?;
        let count = digits(rest.get(sign.len()..)?).filter(|count| (1..=2).contains(count))?;
        // `2024-5` is a version as often as a month.
        if *sign == "-" && count != 2 {
            return None;
        }
        end += sign.len() + count;
    }
    let rest = line.get(end..)?;
    let day = ["日", "号"].iter().find(|sign| rest.starts_with(**sign));
    Some(end + day.map_or(0, |sign| sign.len()))
}

fn digits(text: &str) -> Option<usize> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    (count > 0).then_some(count)
}

/// Whether it is three years that follow each other: `2023/24/25`.
fn are_years(date: &str) -> bool {
    let parts: Vec<u32> = date.split('/').filter_map(|part| part.parse().ok()).collect();
    let [year, second, third] = parts.as_slice() else { return false };
    [1, 2].map(|more| (year + more) % 100) == [*second, *third]
}

/// Whether the calendar has it, with whatever signs between its parts.
fn exists(date: &str) -> bool {
    let parts = date.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-").parse::<Night>().is_ok()
}
