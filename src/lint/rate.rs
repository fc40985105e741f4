//! A percentage and its counts as they are written, and whether those of a column belong together: of a table
//! in Markdown, or one drawn with lines.

use std::collections::BTreeMap;

use super::printed::{Number, Span};

/// A share as it is written: counts and percentage.
pub(super) struct Rate {
    pub(super) successes: Number,
    pub(super) trials: Number,
    pub(super) percent: Number,
}

impl Rate {
    /// Whether the percentage is that of the counts.
    pub(super) fn fits(&self) -> bool {
        let [k, n] = [&self.successes, &self.trials].map(|count| count.printed.value);
        self.percent.printed.can_be(Span::exactly(100.0 * k / n))
    }
}

const BARS: &[char] = &['|', '│', '┃', '║'];
/// What a line between two rows begins with.
const RULES: &[&str] = &["├", "┝", "┠", "╞", "┡", "╟", "┌", "┍", "┏", "╒", "╔", "+-", "+="];

/// The lines of one table, as far as they were read.
#[derive(Default)]
pub(super) struct Block<'t> {
    head: Option<&'t str>,
    /// Each with the column that it stands in, and the byte at which its line begins.
    rates: Vec<(usize, usize, Rate)>,
}

/// Whether a line is one of a table.
pub(super) fn is_row(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(BARS) || RULES.iter().any(|rule| line.starts_with(rule))
}

impl<'t> Block<'t> {
    /// Adds a line with its shares, in their order, and the byte at which it begins.
    pub(super) fn add(&mut self, line: &'t str, rates: Vec<Rate>, start: usize) {
        if self.head.is_none() && line.contains(BARS) {
            self.head = Some(line);
        }
        let (mut column, mut from) = (0, 0);
        for rate in rates {
            let at = rate.successes.place.start;
            column += line.get(from..at).unwrap_or_default().matches(BARS).count();
            from = at;
            self.rates.push((column, start, rate));
        }
    }

    /// Its shares, but for those of columns that hold something else: of which none is that of its counts,
    /// and which have several rows, or a head that says so.
    pub(super) fn shares(self) -> impl Iterator<Item = (usize, Rate)> {
        let names_two = |column: usize| {
            self.head.and_then(|head| head.split(BARS).nth(column)).is_some_and(is_of_two)
        };
        let mut columns: BTreeMap<usize, (usize, bool)> = BTreeMap::new();
        for (column, _, rate) in &self.rates {
            let (rows, fits) = columns.entry(*column).or_default();
            *rows += 1;
            *fits |= rate.fits();
        }
        columns.retain(|column, (rows, fits)| *fits || (*rows == 1 && !names_two(*column)));
        let judged =
            self.rates.into_iter().filter(move |(column, _, _)| columns.contains_key(column));
        judged.map(|(_, start, rate)| (start, rate))
    }
}

/// Whether a head names two quantities, `% parameters (layers)`: a percentage of one, and counts of another.
fn is_of_two(head: &str) -> bool {
    let head = head.trim().trim_matches('*');
    let rest = head.strip_prefix('%').and_then(|rest| rest.split_once('('));
    rest.is_some_and(|(name, count)| {
        name.contains(char::is_alphabetic) && count.contains(char::is_alphabetic)
    })
}
