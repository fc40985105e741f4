//! Configuration side by side, differing rows marked.

use super::phrases;
use crate::group::{ArmPair, ConfigDifference, Which};
use crate::model::{ConfigEntry, Run};
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

/// Longer configurations show equal rows folded.
const SHOWN_WHOLE: usize = 24;

pub(crate) fn blocks(material: &Material<'_>) -> Vec<Block> {
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
    difference: Option<&'a ConfigDifference>,
    factor: bool,
}

fn rows<'a>(pair: &'a ArmPair<'_>) -> Vec<Row<'a>> {
    let (mine, theirs) = (&pair.baseline.content.config, &pair.candidate.content.config);
    let shared =
        mine.iter().map(|(key, entry)| (key, Some(entry), pair.entry(Which::Candidate, key)));
    let added = theirs
        .iter()
        .filter(|(key, _)| pair.entry(Which::Baseline, key).is_none())
        .map(|(key, entry)| (key, None, Some(entry)));
    shared
        .chain(added)
        .map(|(key, baseline, candidate)| {
            let difference = pair.differences.iter().find(|difference| difference.key == key);
            Row {
                key,
                baseline,
                candidate,
                differs: varies_within(key, pair) || difference.is_some(),
                difference,
                factor: pair.factors.contains(key),
            }
        })
        .collect()
}

fn table(pair: &ArmPair<'_>, rows: &[Row<'_>], words: &Catalogue) -> Table {
    let mut table = Table::with_heads(vec![
        (words.get("config.key"), Align::Left),
        (phrases::arm_label(pair, Which::Baseline, words), Align::Left),
        (phrases::arm_label(pair, Which::Candidate, words), Align::Left),
        (words.get("config.mark"), Align::Left),
    ]);
    for row in rows {
        let key = if row.factor { Text::strong(row.key) } else { Text::plain(row.key) };
        table.push(vec![
            Cell::text(key),
            value(row, pair, Which::Baseline, words),
            value(row, pair, Which::Candidate, words),
            Cell::text(mark(row, pair, words)),
        ]);
    }
    table
}

/// The value of the run that leads an arm; where its runs differ in the key, those of all of them.
fn value(row: &Row<'_>, pair: &ArmPair<'_>, which: Which, words: &Catalogue) -> Cell {
    let entry = [row.baseline, row.candidate][which];
    if varies_within(row.key, pair) {
        let of_run = |run: &Run| run.content.config.get(row.key).map(|one| one.value.to_string());
        let all = pair.runs(which).map(|run| of_run(run).unwrap_or_else(|| "?".to_owned()));
        return Cell::text(all.collect::<Vec<_>>().join(&words.get("punctuation.comma")));
    }
    match entry {
        None => Cell::missing(),
        Some(entry) if row.factor => Cell::text(Text::strong(entry.value.to_string())),
        Some(entry) => Cell::text(entry.value.to_string()),
    }
}

/// Whether the key is a seed of arms of several runs, or one that runs of an arm should share and do
/// not.
fn varies_within(key: &str, pair: &ArmPair<'_>) -> bool {
    let mut members = pair.members.iter().flatten();
    let differs = members.any(|member| member.within.iter().any(|one| one.key == key));
    differs || is_repetition(key, pair)
}

fn is_repetition(key: &str, pair: &ArmPair<'_>) -> bool {
    pair.repetition_keys.iter().any(|one| one == key)
}

fn mark(row: &Row<'_>, pair: &ArmPair<'_>, words: &Catalogue) -> Text {
    if is_repetition(row.key, pair) {
        return Text::plain(words.get("config.seed"));
    }
    if varies_within(row.key, pair) {
        let text = format!(" {}", words.get("config.within"));
        return Text::icon(Icon::Caution).and_plain(text);
    }
    if row.factor {
        let key = if pair.factors.inferred { "config.factor-inferred" } else { "config.factor" };
        return Text::plain(words.get(key));
    }
    if !row.differs {
        return Text::empty();
    }
    if row.difference.is_some_and(|difference| difference.environment) {
        return Text::plain(words.get("config.environment"));
    }
    if row.baseline.is_none() || row.candidate.is_none() {
        return Text::plain(words.get("config.not-recorded"));
    }
    Text::icon(Icon::Caution).and_plain(format!(" {}", words.get("config.differs")))
}
