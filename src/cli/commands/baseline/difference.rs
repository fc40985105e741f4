//! What differs between two baselines: settings, figures and samples, before any statistic.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::model::{Config, Run, SampleTable, Scalar, without_evident_secrets};
use crate::quantity;
use crate::render::clean;
use crate::text::Catalogue;

/// The differences of the first runs of both inputs, line by line.
pub(super) fn text(runs: &[Run], words: &Catalogue) -> String {
    let first = |input: usize| runs.iter().find(|run| run.input == input);
    let (Some(before), Some(after)) = (first(0), first(1)) else { return String::new() };
    let parts = [
        ("config", settings(&before.content.config, &after.content.config)),
        ("metrics", figures(before, after)),
        ("samples", samples(before, after, words)),
    ];
    let mut text = String::new();
    for (part, lines) in parts.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        push(&mut text, &words.get(&format!("inspect.{part}")));
        for line in lines {
            push(&mut text, &format!("  {line}"));
        }
    }
    if text.is_empty() {
        push(&mut text, &words.get("baseline.same"));
    }
    text
}

fn push(text: &mut String, line: &str) {
    text.push_str(&clean(line));
    text.push('\n');
}

const NONE: &str = "—";

fn change(name: &str, before: Option<String>, after: Option<String>) -> Option<String> {
    let or_none = |side: Option<String>| side.unwrap_or_else(|| NONE.to_owned());
    let (before, after) = (or_none(before), or_none(after));
    (before != after).then(|| format!("{name}: {before} → {after}"))
}

fn settings(before: &Config, after: &Config) -> Vec<String> {
    let new = after.iter().filter(|(key, _)| before.get(key).is_none());
    let keys = before.iter().chain(new).map(|(key, _)| key);
    let changed = keys.filter_map(|key| {
        let sides = [before, after].map(|config| config.get(key).map(|entry| &entry.value));
        if let [Some(before), Some(after)] = sides
            && before.same_as(after)
        {
            return None;
        }
        let [before, after] = sides.map(|value| {
            value.map(|value| without_evident_secrets(&value.to_string()).into_owned())
        });
        change(key, before, after)
    });
    changed.collect()
}

fn figures(before: &Run, after: &Run) -> Vec<String> {
    let all = |run: &Run| -> BTreeMap<String, String> {
        let figures = run
            .content
            .scalars
            .iter()
            .filter_map(|scalar| Some((place(scalar), quantity::exact(scalar.value.value()?))));
        figures.collect()
    };
    let (before, after) = (all(before), all(after));
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let of = |figures: &BTreeMap<String, String>, name: &String| figures.get(name).cloned();
    names.into_iter().filter_map(|name| change(name, of(&before, name), of(&after, name))).collect()
}

/// Dataset, metric and coordinates of a figure.
fn place(scalar: &Scalar) -> String {
    let mut name = scalar.dataset.as_ref().map_or_else(String::new, |name| format!("{name}/"));
    name.push_str(&scalar.metric);
    if !scalar.dims.is_empty() {
        let _infallible = write!(name, " [{}]", scalar.dims);
    }
    name
}

fn samples(before: &Run, after: &Run, words: &Catalogue) -> Vec<String> {
    let key = |table: &SampleTable| (table.dataset.clone(), table.dims.clone());
    let [mine, theirs] = [before, after].map(|run| &run.content.samples);
    let mut lines = Vec::new();
    for table in mine {
        let partner = theirs.iter().find(|other| key(other) == key(table));
        lines.extend(changes(table, partner, words));
    }
    let is_new = |table: &&SampleTable| !mine.iter().any(|other| key(other) == key(table));
    for table in theirs.iter().filter(is_new) {
        let count = Some(quantity::count(table.len() as u64));
        lines.extend(change(&name(table), None, count));
    }
    lines
}

fn name(table: &SampleTable) -> String {
    let dataset = table.dataset.clone().unwrap_or_else(|| NONE.to_owned());
    if table.dims.is_empty() { dataset } else { format!("{dataset} [{}]", table.dims) }
}

/// How many samples came and went, and how many scores changed of those that stayed.
fn changes(before: &SampleTable, after: Option<&SampleTable>, words: &Catalogue) -> Vec<String> {
    let name = name(before);
    let size = |table: &SampleTable| quantity::count(table.len() as u64);
    let Some(after) = after else {
        return change(&name, Some(size(before)), None).into_iter().collect();
    };
    let rows: BTreeMap<&str, usize> = (0..after.len()).map(|row| (after.id(row), row)).collect();
    let pairs = (0..before.len()).map(|row| (row, rows.get(before.id(row)).copied()));
    let pairs: Vec<(usize, usize)> = pairs.filter_map(|(row, other)| Some((row, other?))).collect();
    let mut lines = Vec::new();
    let gone = before.len() - pairs.len();
    let new = after.len().saturating_sub(pairs.len());
    if gone + new > 0 {
        let args = [
            ("name", name.clone()),
            ("gone", quantity::count(gone as u64)),
            ("new", quantity::count(new as u64)),
        ];
        lines.push(words.fill("baseline.samples", &args));
    }
    for (metric, mine) in before.columns() {
        let Some(theirs) = after.column(metric) else { continue };
        let moved = pairs.iter().filter_map(|&(a, b)| Some(theirs.get(b)? - mine.get(a)?));
        let moved: Vec<f64> = moved.filter(|by| *by != 0.0).collect();
        let rose = moved.iter().filter(|by| **by > 0.0).count();
        if !moved.is_empty() {
            let args = [
                ("name", name.clone()),
                ("metric", metric.clone()),
                ("rose", quantity::count(rose as u64)),
                ("fell", quantity::count((moved.len() - rose) as u64)),
                ("paired", quantity::count(pairs.len() as u64)),
            ];
            lines.push(words.fill("baseline.scores", &args));
        }
    }
    lines
}
