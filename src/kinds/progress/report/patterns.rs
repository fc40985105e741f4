//! What the last generations are made of.

use super::words::{Telling, grounds, share};
use crate::kinds::progress::analysis::interval;
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::stats::Counts;

/// Rows of each part of the table.
const MOST_ROWS: usize = 20;

pub(super) fn section(telling: &Telling<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(patterns) = telling.progress.patterns.as_ref().filter(|one| one.looked_at > 0) {
        let (n, asked) = (quantity::count(patterns.looked_at), quantity::count(patterns.asked));
        let facts = [("n", n.as_str()), ("asked", asked.as_str())];
        let key = if patterns.by_step { "patterns-by-step" } else { "patterns-by-line" };
        let text = Text::plain(telling.fill(key, &facts));
        let places = grounds(patterns.places.iter().flatten(), " … ");
        let ground = telling.get("ground");
        let gap = telling.words.get("punctuation.sentence-gap");
        let text = places.0.into_iter().fold(text.and_plain(gap).and_plain(ground), Text::and);
        blocks.push(Block::Paragraph { text });
        let level = telling.level();
        let heads = vec![
            (telling.get("head.pattern"), Align::Left),
            (telling.get("head.share"), Align::Right),
            (telling.fill("head.interval", &[("level", &level)]), Align::Right),
        ];
        let mut table = Table::with_heads(heads);
        let mut push = |name: String, counts: Counts| {
            let ci = interval(counts, telling.progress.alpha);
            table.push(vec![
                Cell::text(Text::code(name)),
                Cell::number(share(counts), counts.share()),
                Cell::text(quantity::range(ci.lo, ci.hi, Unit::Fraction)),
            ]);
        };
        for (name, counts) in patterns.names.iter().take(MOST_ROWS) {
            push(name.clone(), *counts);
        }
        for (set, counts) in patterns.sets.iter().filter(|(set, _)| set.len() != 1).take(MOST_ROWS)
        {
            let none = telling.get("no-pattern");
            push(if set.is_empty() { none } else { set.join(" + ") }, *counts);
        }
        blocks.push(Block::Table { table });
        let sets = quantity::count(patterns.sets.len() as u64);
        blocks.push(Block::paragraph(telling.fill("patterns-note", &[("n", &n), ("sets", &sets)])));
    }
    blocks
}
