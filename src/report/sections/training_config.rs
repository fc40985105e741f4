//! Configuration side by side, differing rows marked.

use super::phrases;
use crate::group::{ArmPair, is_environment};
use crate::model::ConfigEntry;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

/// Longer configurations show equal rows folded.
const SHOWN_WHOLE: usize = 24;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    material
        .pairs()
        .flat_map(|(pair, _, _)| {
            let tables = tables(pair, material.words);
            let heading = phrases::candidate_heading(material, pair).filter(|_| !tables.is_empty());
            heading.into_iter().chain(tables)
        })
        .collect()
}

fn tables(pair: &ArmPair<'_>, words: &Catalogue) -> Vec<Block> {
    let rows = rows(pair);
    if rows.is_empty() {
        return Vec::new();
    }
    if rows.len() <= SHOWN_WHOLE {
        return vec![Block::Table { table: table(pair, &rows, words) }];
    }
    let (differing, equal): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.differs);
    let first = if differing.is_empty() {
        Block::Paragraph { text: Text::plain(words.get("config.all-equal")) }
    } else {
        Block::Table { table: table(pair, &differing, words) }
    };
    if equal.is_empty() {
        return vec![first];
    }
    let count = equal.len().to_string();
    let folded = Block::Details {
        summary: Text::plain(words.fill("config.equal-rows", &[("count", &count)])),
        blocks: vec![Block::Table { table: table(pair, &equal, words) }],
    };
    vec![first, folded]
}

struct Row<'a> {
    key: &'a str,
    baseline: Option<&'a ConfigEntry>,
    candidate: Option<&'a ConfigEntry>,
    differs: bool,
    factor: bool,
}

fn rows<'a>(pair: &'a ArmPair<'_>) -> Vec<Row<'a>> {
    let (mine, theirs) = (&pair.baseline.content.config, &pair.candidate.content.config);
    let shared = mine.iter().map(|(key, entry)| (key, Some(entry), theirs.get(key)));
    let added = theirs
        .iter()
        .filter(|(key, _)| mine.get(key).is_none())
        .map(|(key, entry)| (key, None, Some(entry)));
    shared
        .chain(added)
        .map(|(key, baseline, candidate)| Row {
            key,
            baseline,
            candidate,
            differs: pair.differences.iter().any(|difference| difference.key == key),
            factor: pair.factors.contains(key),
        })
        .collect()
}

fn table(pair: &ArmPair<'_>, rows: &[Row<'_>], words: &Catalogue) -> Table {
    let mut table = Table::with_heads(vec![
        (words.get("config.key"), Align::Left),
        (phrases::arm_label(pair.baseline, pair, words), Align::Left),
        (phrases::arm_label(pair.candidate, pair, words), Align::Left),
        (words.get("config.mark"), Align::Left),
    ]);
    for row in rows {
        let key = if row.factor { Text::strong(row.key) } else { Text::plain(row.key) };
        table.push(vec![
            Cell::text(key),
            value(row.baseline, row.factor),
            value(row.candidate, row.factor),
            Cell::text(mark(row, pair.factors.inferred, words)),
        ]);
    }
    table
}

fn value(entry: Option<&ConfigEntry>, strong: bool) -> Cell {
    match entry {
        None => Cell::missing(),
        Some(entry) if strong => Cell::text(Text::strong(entry.value.to_string())),
        Some(entry) => Cell::text(entry.value.to_string()),
    }
}

fn mark(row: &Row<'_>, inferred: bool, words: &Catalogue) -> Text {
    if row.factor {
        let key = if inferred { "config.factor-inferred" } else { "config.factor" };
        return Text::plain(words.get(key));
    }
    if !row.differs {
        return Text::empty();
    }
    if is_environment(row.key) {
        return Text::plain(words.get("config.environment"));
    }
    if row.baseline.is_none() || row.candidate.is_none() {
        return Text::plain(words.get("config.not-recorded"));
    }
    Text::icon(Icon::Caution).and_plain(format!(" {}", words.get("config.differs")))
}
