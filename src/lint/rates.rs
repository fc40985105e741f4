//! Counts against the percentage beside them: `97.7% (43/44)`, `43/44 (97.7%)`, `43/44 = 97.7%`.

use super::printed::{Number, Span, number_at, number_before};
use super::{Found, Page};
use crate::text::Refusal;

/// Words and signs before a percentage that is not meant to be exact.
const ABOUT: &[&str] =
    &["~", "≈", "<", ">", "≤", "≥", "约", "近", "about ", "around ", "nearly ", "almost ", "over "];

/// A share as it is written: counts and percentage.
pub(super) struct Rate {
    pub(super) successes: Number,
    pub(super) trials: Number,
    pub(super) percent: Number,
}

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let lines = page.lines.each();
    lines
        .flat_map(|(start, line)| {
            rates(line).into_iter().filter_map(move |rate| wrong(&rate, start))
        })
        .collect()
}

fn wrong(rate: &Rate, start: usize) -> Option<Found> {
    let (k, n) = (rate.successes.printed.value, rate.trials.printed.value);
    let percent = rate.percent.printed;
    let share = 100.0 * k / n;
    if percent.can_be(Span::exactly(share)) {
        return None;
    }
    let message = Refusal::new("lint.rate")
        .with("found", percent.like(percent.value))
        .with("expected", percent.like(share))
        .with("successes", rate.successes.printed.like(k))
        .with("trials", rate.trials.printed.like(n));
    Some(Found { at: start + rate.percent.place.start, message })
}

/// The shares of a line.
pub(super) fn rates(line: &str) -> Vec<Rate> {
    line.match_indices('/').filter_map(|(bar, _)| rate(line, bar)).collect()
}

/// The share whose counts stand on both sides of a bar.
fn rate(line: &str, bar: usize) -> Option<Rate> {
    let left = line.get(..bar)?.trim_end_matches(' ').len();
    let successes = number_before(line, left)?;
    let right = line.len() - line.get(bar + 1..)?.trim_start_matches(' ').len();
    let trials = number_at(line, right)?;
    let is_count = |number: &Number| number.printed.decimals == 0 && !number.has_sign;
    let before = line.get(..successes.place.start)?;
    let after = line.get(trials.place.end..)?;
    let is_bare = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_'))
        && !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '%' | '_' | '-'));
    let counts = is_count(&successes) && is_count(&trials) && is_bare;
    if !counts || trials.printed.value < 1.0 || successes.printed.value > trials.printed.value {
        return None;
    }
    let percent = percent_before(line, before).or_else(|| percent_after(line, trials.place.end))?;
    Some(Rate { successes, trials, percent })
}

/// `97.7% (` in front of counts.
fn percent_before(line: &str, before: &str) -> Option<Number> {
    let inner = before.strip_suffix(['(', '（'])?;
    let inner = inner.trim_end_matches([' ', '*']).strip_suffix('%')?;
    exact(line, number_before(line, inner.trim_end().len())?)
}

/// `(97.7%)` or `= 97.7%` behind counts.
fn percent_after(line: &str, end: usize) -> Option<Number> {
    let rest = line.get(end..)?;
    let inner = rest.trim_start_matches([' ', '*']);
    let inner = inner.strip_prefix(['(', '（', '='])?.trim_start_matches([' ', '*']);
    let percent = number_at(line, line.len() - inner.len())?;
    let is_percent = line.get(percent.place.end..)?.trim_start().starts_with('%');
    exact(line, percent).filter(|_| is_percent)
}

/// A percentage that is neither signed nor said to be about right.
fn exact(line: &str, percent: Number) -> Option<Number> {
    let before = line.get(..percent.place.start)?.trim_end_matches('*');
    let is_about =
        ABOUT.iter().any(|word| before.ends_with(word) || before.trim_end().ends_with(word));
    (!percent.has_sign && !is_about).then_some(percent)
}
