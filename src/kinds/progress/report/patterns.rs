//! What the last generations are made of.

use super::progress_wording::{ProgressWording, grounds, share};
use crate::kinds::progress::analysis::share_interval;
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Block, Cell, Table, Text};
use crate::stats::Counts;

/// Rows of each part of the table.
const MOST_ROWS: usize = 20;

pub(super) fn progress_section(wording: &ProgressWording<'_>) -> Vec<Block> {
    let patterns = wording.progress.patterns.as_ref().filter(|patterns| patterns.looked_at > 0);
    let Some(patterns) = patterns else { return Vec::new() };
    let (n, asked) = (quantity::count(patterns.looked_at), quantity::count(patterns.asked));
    let key = if patterns.by_step { "patterns-by-step" } else { "patterns-by-line" };
    let lead = Text::plain(wording.fill(key, &[("n", &n), ("asked", &asked)]))
        .and_plain(wording.words.get("punctuation.sentence-gap"))
        .and_plain(wording.get("ground"));
    let places = grounds(patterns.places.iter().flatten(), " … ");
    let lead = places.0.into_iter().fold(lead, Text::and);
    let names = patterns.names.iter().map(|(name, counts)| (name.clone(), *counts));
    let sets = patterns.sets.iter().filter(|(set, _)| set.len() != 1).map(|(set, counts)| {
        (if set.is_empty() { wording.get("no-pattern") } else { set.join(" + ") }, *counts)
    });
    let rows: Vec<(String, Counts)> = names.take(MOST_ROWS).chain(sets.take(MOST_ROWS)).collect();
    let table = Table::of_rows(&rows)
        .left(wording.get("head.pattern"), |(name, _)| Text::code(name.as_str()))
        .right(wording.get("head.share"), |(_, counts)| {
            Cell::number(share(*counts), counts.share())
        })
        .right(wording.fill("head.interval", &[("level", &wording.level())]), |(_, counts)| {
            let ci = share_interval(*counts, wording.progress.alpha);
            quantity::range(ci.lo, ci.hi, Unit::Fraction)
        });
    let sets = quantity::count(patterns.sets.len() as u64);
    let note = wording.fill("patterns-note", &[("n", &n), ("sets", &sets)]);
    vec![Block::paragraph(lead), table.block(), Block::paragraph(note)]
}
