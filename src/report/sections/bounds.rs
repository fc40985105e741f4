//! Missing and cut answers: how far they could move a difference.

use super::{lists, phrases};
use crate::compare::{Bounds, Comparison, Truncation};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

/// Most comparisons listed in either table.
const MOST_LISTED: usize = 20;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let judged = material.all().filter(|comparison| comparison.cell.is_judged());
    let bounded: Vec<(&Comparison<'_>, Bounds)> =
        judged.filter_map(|comparison| Some((comparison, comparison.bounds?))).collect();
    let missing: Vec<_> = bounded.iter().copied().filter(|(_, bounds)| bounds.lost > 0).collect();
    let cut =
        bounded.iter().filter_map(|(comparison, bounds)| Some((*comparison, bounds.truncation?)));
    let (cut, without_verdict): (Vec<_>, Vec<_>) = cut.partition(|(_, cut)| cut.survives.is_some());
    let [listed, cut_listed] = [missing.len(), cut.len()].map(|count| count.min(MOST_LISTED));
    let mut blocks = Vec::new();
    for (key, table, count) in [
        ("missing", missing_scores(&missing[..listed], words), missing.len()),
        ("cut", cut_answers(&cut[..cut_listed], words), cut.len()),
    ] {
        if table.is_empty() {
            continue;
        }
        blocks.extend([
            Block::heading(words.get(&format!("bounds.{key}"))),
            Block::paragraph(words.get(&format!("bounds.{key}-lead"))),
            Block::Table { table },
        ]);
        let more = lists::more("limits.more", count, MOST_LISTED, words);
        blocks.extend(more.map(Block::paragraph));
    }
    if cut.is_empty() && !without_verdict.is_empty() {
        blocks.push(Block::paragraph(words.get("bounds.cut-without-verdict")));
    }
    blocks
}

type Delta = fn(&Bounds) -> f64;

fn missing_scores(missing: &[(&Comparison<'_>, Bounds)], words: &Catalogue) -> Table {
    let deltas: [(&str, Delta); 5] = [
        ("bounds.completed", |bounds| bounds.completed_only),
        ("bounds.all-wrong", |bounds| bounds.all_wrong),
        ("bounds.all-right", |bounds| bounds.all_right),
        ("bounds.worst", |bounds| bounds.worst),
        ("bounds.best", |bounds| bounds.best),
    ];
    let lost = |(_, bounds): &(_, Bounds)| {
        let share = format!("{}/{}", quantity::count(bounds.lost), quantity::count(bounds.asked));
        Cell::number(share, bounds.lost as f64)
    };
    let mut columns = Table::of_rows(missing)
        .left(words.get("results.metric"), |(comparison, _)| phrases::cell_name(comparison, words))
        .right(words.get("bounds.lost"), lost);
    for (head, delta) in deltas {
        columns = columns
            .right(words.get(head), |(comparison, bounds)| figure(comparison, delta(bounds)));
    }
    columns.left(words.get("bounds.holds"), |(_, bounds)| holds(bounds.survives, words)).table()
}

fn cut_answers(cut: &[(&Comparison<'_>, Truncation)], words: &Catalogue) -> Table {
    Table::of_rows(cut)
        .left(words.get("results.metric"), |(comparison, _)| phrases::cell_name(comparison, words))
        .right(words.get("bounds.answers"), |(_, cut)| Cell::count(cut.samples))
        .right(words.get("bounds.as-scored"), |(comparison, _)| {
            comparison.delta.map_or_else(Cell::missing, |delta| figure(comparison, delta))
        })
        .right(words.get("bounds.counted-wrong"), |(comparison, cut)| {
            figure(comparison, cut.counted_wrong)
        })
        .left(words.get("bounds.holds"), |(_, cut)| holds(cut.survives, words))
        .table()
}

fn figure(comparison: &Comparison<'_>, delta: f64) -> Cell {
    Cell::number(phrases::delta_text(comparison, delta), delta)
}

fn holds(survives: Option<bool>, words: &Catalogue) -> Text {
    match survives {
        None => Text::plain(words.get("bounds.nothing")),
        Some(true) => Text::marked(Icon::Good, words.get("bounds.yes")),
        Some(false) => Text::marked(Icon::Caution, words.get("bounds.no")),
    }
}
