//! Missing and cut answers: how far they could move a difference.

use super::phrases;
use crate::compare::{Bounds, Comparison, Truncation};
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

/// Most comparisons listed in either table.
const MOST_LISTED: usize = 20;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let judged = || material.all().filter(|one| one.cell.spec.direction.sign().is_some());
    let missing: Vec<_> = judged()
        .filter_map(|one| Some((one, one.bounds.filter(|bounds| bounds.lost > 0)?)))
        .collect();
    let cut: Vec<_> = judged().filter_map(|one| Some((one, one.bounds?.truncation?))).collect();
    let mut blocks = Vec::new();
    for (key, table, count) in [
        ("missing", missing_scores(&missing, words), missing.len()),
        ("cut", cut_answers(&cut, words), cut.len()),
    ] {
        if table.is_empty() {
            continue;
        }
        let text = Text::plain(words.get(&format!("bounds.{key}")));
        let lead = Text::plain(words.get(&format!("bounds.{key}-lead")));
        blocks.extend([
            Block::Heading { text },
            Block::Paragraph { text: lead },
            Block::Table { table },
        ]);
        if count > MOST_LISTED {
            let more = (count - MOST_LISTED).to_string();
            let text = Text::plain(words.fill("limits.more", &[("count", &more)]));
            blocks.push(Block::Paragraph { text });
        }
    }
    blocks
}

fn missing_scores(missing: &[(&Comparison<'_>, Bounds)], words: &Catalogue) -> Table {
    let mut heads = vec![(words.get("results.metric"), Align::Left)];
    let figures = ["lost", "completed", "all-wrong", "all-right", "worst", "best"];
    heads.extend(figures.map(|head| (words.get(&format!("bounds.{head}")), Align::Right)));
    heads.push((words.get("bounds.holds"), Align::Left));
    let mut table = Table::with_heads(heads);
    for (one, bounds) in missing.iter().take(MOST_LISTED) {
        let lost = format!("{}/{}", quantity::count(bounds.lost), quantity::count(bounds.asked));
        let mut cells = vec![
            Cell::text(phrases::cell_name(one, words)),
            Cell::number(lost, bounds.lost as f64),
        ];
        let Bounds { completed_only, all_wrong, all_right, worst, best, .. } = *bounds;
        cells.extend(
            [completed_only, all_wrong, all_right, worst, best].map(|delta| figure(one, delta)),
        );
        cells.push(holds(bounds.survives, words));
        table.push(cells);
    }
    table
}

fn cut_answers(cut: &[(&Comparison<'_>, Truncation)], words: &Catalogue) -> Table {
    let mut heads = vec![(words.get("results.metric"), Align::Left)];
    let figures = ["answers", "as-scored", "counted-wrong"];
    heads.extend(figures.map(|head| (words.get(&format!("bounds.{head}")), Align::Right)));
    heads.push((words.get("bounds.holds"), Align::Left));
    let mut table = Table::with_heads(heads);
    for (one, cut) in cut.iter().take(MOST_LISTED) {
        table.push(vec![
            Cell::text(phrases::cell_name(one, words)),
            Cell::number(quantity::count(cut.samples), cut.samples as f64),
            one.delta.map_or_else(Cell::missing, |delta| figure(one, delta)),
            figure(one, cut.counted_wrong),
            holds(cut.survives, words),
        ]);
    }
    table
}

fn figure(one: &Comparison<'_>, delta: f64) -> Cell {
    Cell::number(phrases::delta_text(one, delta), delta)
}

fn holds(survives: Option<bool>, words: &Catalogue) -> Cell {
    let (icon, key) = match survives {
        None => return Cell::text(words.get("bounds.nothing")),
        Some(true) => (Icon::Good, "bounds.yes"),
        Some(false) => (Icon::Caution, "bounds.no"),
    };
    Cell::text(Text::icon(icon).and_plain(format!(" {}", words.get(key))))
}
