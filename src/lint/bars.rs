//! Bars of blocks whose lengths no scale gives: `██████ 10%` beside `██████ 25%`.

use super::printed::{Number, number_at, number_before};
use super::{Found, Page};
use crate::text::Refusal;

const BLOCKS: &[char] = &['█', '■', '▇', '▓'];
/// What fills the rest of a bar.
const EMPTY: &[char] = &['░', '▒', '□', '·', ' ', '|'];

/// A bar and the percentage behind it.
struct Bar {
    /// The byte at which it begins.
    at: usize,
    blocks: usize,
    percent: Number,
}

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    if !BLOCKS.iter().any(|block| page.text.contains(*block)) {
        return Vec::new();
    }
    let mut groups: Vec<Vec<Bar>> = vec![Vec::new()];
    for (start, line) in page.lines.each() {
        match (bar(line, start), groups.last_mut()) {
            (Some(bar), Some(group)) => group.push(bar),
            _ => groups.push(Vec::new()),
        }
    }
    groups.iter().filter_map(|group| not_to_scale(group)).collect()
}

/// The first run of blocks in a line, with the percentage right behind it. Another figure in front of the
/// blocks may be what they show.
fn bar(line: &str, start: usize) -> Option<Bar> {
    let at = line.find(BLOCKS)?;
    let rest = line.get(at..)?;
    let after = rest.trim_start_matches(BLOCKS);
    let blocks = rest.chars().count() - after.chars().count();
    let inner = after.trim_start_matches(EMPTY);
    let percent = number_at(line, line.len() - inner.len())?;
    let is_percent = line.get(percent.place.end..)?.starts_with('%');
    let before = line.get(..at)?.trim_end_matches(['[', '|', '│', ' ', '%']);
    let other = number_before(line, before.len());
    let is_shown = other.is_none_or(|other| other.printed.value == percent.printed.value);
    (is_percent && is_shown).then_some(Bar { at: start + at, blocks, percent })
}

/// Each bar allows the scales at which it is a block too long, too short, or right; that none is left says
/// that two bars contradict each other.
fn not_to_scale(bars: &[Bar]) -> Option<Found> {
    let least = |bar: &Bar| bar.percent.printed.value / (bar.blocks as f64 + 1.0);
    let most = |bar: &Bar| bar.percent.printed.value / (bar.blocks as f64 - 1.0);
    let long = bars.iter().max_by(|a, b| least(a).total_cmp(&least(b)))?;
    let bounded = bars.iter().filter(|bar| bar.blocks > 1);
    let short = bounded.min_by(|a, b| most(a).total_cmp(&most(b)))?;
    let text = |bar: &Bar| bar.percent.printed.like(bar.percent.printed.value);
    let message = Refusal::new("lint.bars")
        .with("blocks", long.blocks)
        .with("percent", text(long))
        .with("other-blocks", short.blocks)
        .with("other-percent", text(short));
    let at = long.at.min(short.at);
    (least(long) > most(short)).then(|| Found::at(at..at, message))
}
