//! Configuration side by side, differing rows marked.

use std::collections::BTreeMap;

use super::{folded, lists, phrases};
use crate::model::{ConfigEntry, Run};
use crate::pairing::{ArmPair, ConfigDifference, PairArm};
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

/// Most values of one arm that are shown.
const MOST_VALUES: usize = 12;

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    phrases::by_candidate(material, |pair, _, _| tables(pair, material.words))
}

fn tables(pair: &ArmPair<'_>, words: &Catalogue) -> Vec<Block> {
    let rows = rows(pair);
    if rows.is_empty() {
        return Vec::new();
    }
    let count = rows.len();
    let (differing, equal): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.differs);
    let is_one_sided = |row: &&Row<'_>| row.baseline.is_none() || row.candidate.is_none();
    let one_sided = differing.iter().filter(is_one_sided).count();
    let differ = differing.len() - one_sided;
    let args = [("count", count), ("differing", differ), ("one_sided", one_sided)];
    let key = match (differ, one_sided) {
        (0, 0) => "config.equal-rows",
        (_, 0) => "config.differing-rows",
        (0, _) => "config.one-sided-rows",
        _ => "config.differing-and-one-sided",
    };
    let rows: Vec<Row<'_>> = differing.into_iter().chain(equal).collect();
    folded(words.fill(key, &args), vec![table(pair, &rows, words)])
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
    let configs = [pair.baseline, pair.candidate].map(|run| &run.content.config);
    let shared = configs[0]
        .iter()
        .map(|(key, entry)| (key, Some(entry), pair.entry(PairArm::Candidate, key)));
    let added = configs[1]
        .iter()
        .filter(|(key, _)| pair.entry(PairArm::Baseline, key).is_none())
        .map(|(key, entry)| (key, None, Some(entry)));
    let of = |difference: &'a ConfigDifference| (difference.key.as_str(), difference);
    let differences: BTreeMap<&str, &ConfigDifference> = pair.differences.iter().map(of).collect();
    shared
        .chain(added)
        .map(|(key, baseline, candidate)| {
            let difference = differences.get(key).copied();
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

fn table(pair: &ArmPair<'_>, rows: &[Row<'_>], words: &Catalogue) -> Block {
    let mut columns = Table::of_rows(rows).left(words.get("config.key"), |row| {
        if row.factor { Text::strong(row.key) } else { Text::plain(row.key) }
    });
    for which in PairArm::BOTH {
        let label = phrases::arm_label(pair, which, words);
        columns = columns.left(label, |row| value(row, pair, which, words));
    }
    columns.left(words.get("config.mark"), |row| mark(row, pair, words)).block()
}

/// The value of the run that leads an arm; where its runs differ in the key, those of all of them.
fn value(row: &Row<'_>, pair: &ArmPair<'_>, which: PairArm, words: &Catalogue) -> Cell {
    let entry = [row.baseline, row.candidate][which];
    let of_run = |run: &Run| run.content.config.get(row.key).map(|entry| entry.value.to_string());
    let all: Vec<Option<String>> = pair.runs(which).map(of_run).collect();
    if varies_within(row.key, pair) || all.windows(2).any(|two| two[0] != two[1]) {
        let all = all.into_iter().map(|value| value.unwrap_or_else(|| "?".to_owned()));
        return Cell::text(lists::first(all, MOST_VALUES, words));
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
    let differs =
        members.any(|member| member.within.iter().any(|difference| difference.key == key));
    differs || is_repetition(key, pair)
}

fn is_repetition(key: &str, pair: &ArmPair<'_>) -> bool {
    pair.repetition_keys.iter().any(|seed_key| seed_key == key)
}

fn mark(row: &Row<'_>, pair: &ArmPair<'_>, words: &Catalogue) -> Text {
    if is_repetition(row.key, pair) {
        return Text::plain(words.get("config.seed"));
    }
    if varies_within(row.key, pair) {
        return Text::marked(Icon::Caution, words.get("config.within"));
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
    Text::marked(Icon::Caution, words.get("config.differs"))
}
