//! What was compared: shared setting and the arms.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::folded;
use super::layout;
use super::{lists, phrases};
use crate::compare::Comparison;
use crate::model::{ConfigValue, CountedArm, DimValue, Run};
use crate::pairing::{ArmPair, PairArm};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Table, Text};
use crate::text::Catalogue;

/// Keys worth naming when both arms share them, by last component, most telling first.
const SHARED: &[&str] = &["dataset", "task", "model", "model_name", "sampler"];

/// Most datasets named one by one.
const MOST_NAMED: usize = 8;

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let colon = words.get("punctuation.colon");
    let mut items: Vec<Text> = shared_setting(material)
        .into_iter()
        .map(|(key, value)| Text::code(key).and_plain(format!("{colon}{value}")))
        .collect();
    let datasets = material.datasets();
    if !datasets.is_empty() {
        let named: Vec<&str> = datasets.iter().take(MOST_NAMED).copied().collect();
        let mut list = named.join(&words.get("punctuation.comma"));
        if datasets.len() > MOST_NAMED {
            let count = datasets.len().to_string();
            list = words.fill("setup.and-more", &[("list", &list), ("count", &count)]);
        }
        items.push(Text::plain(words.fill("setup.datasets", &[("datasets", &list)])));
    }
    items.extend(planned(material));
    let list = (!items.is_empty()).then(|| Block::bullets(items));
    let names: Vec<&str> = material.arms().map(|(pair, which)| pair.name(which)).collect();
    let summary = names.join(&words.get("punctuation.comma"));
    folded(summary, list.into_iter().chain([arms(material)]).collect())
}

/// Where on the axis of the pages each arm has results, and where it has only planned some: of a
/// grid that was asked for.
fn planned(material: &ReportMaterial<'_>) -> Vec<Text> {
    let words = material.words;
    let mut axes: IndexMap<String, Vec<String>> = IndexMap::new();
    for (position, (pair, _, comparisons)) in material.pairs().enumerate() {
        let mut cells: IndexMap<String, Vec<&Comparison<'_>>> = IndexMap::new();
        for group in
            layout::groups(comparisons, material.layout).into_iter().filter(|group| group.asked)
        {
            if let Some(axis) = group.page {
                cells.entry(axis).or_default().extend(group.comparisons);
            }
        }
        for (axis, cells) in cells {
            let arms = PairArm::BOTH.into_iter().skip(usize::from(position > 0));
            let arms = arms.filter_map(|which| arm_on(&axis, &cells, pair, which, words));
            axes.entry(axis.clone()).or_default().extend(arms);
        }
    }
    let line = |(axis, arms): (String, Vec<String>)| {
        let axis = phrases::dim_name(&axis, words);
        let arms = arms.join(&words.get("punctuation.semicolon"));
        Text::plain(words.fill("setup.on-axis", &[("axis", &axis), ("arms", &arms)]))
    };
    axes.into_iter().map(line).collect()
}

fn arm_on(
    axis: &str,
    cells: &[&Comparison<'_>],
    pair: &ArmPair<'_>,
    which: PairArm,
    words: &Catalogue,
) -> Option<String> {
    let mut counts: BTreeMap<DimValue, [usize; 2]> = BTreeMap::new();
    for comparison in cells.iter().filter(|comparison| layout::can_be_there(comparison, which)) {
        if let Some(value) = layout::coordinate(comparison, axis) {
            let [known, planned] = counts.entry(value).or_default();
            *known += usize::from(comparison.figure(which).is_some());
            *planned += 1;
        }
    }
    let is_nowhere = counts.is_empty();
    let places = counts.into_iter().map(|(value, [known, planned])| {
        let (name, share) = (value.to_string(), format!("{known}/{planned}"));
        if known == planned {
            return name;
        }
        words.fill("phrase.name-with-detail", &[("name", &name), ("detail", &share)])
    });
    let places = lists::shortened(places.collect(), words);
    let args = [("arm", pair.name(which)), ("places", places.as_str())];
    (!is_nowhere).then(|| words.fill("setup.arm-on-axis", &args))
}

fn shared_setting(material: &ReportMaterial<'_>) -> Vec<(String, String)> {
    let baseline = &material.paired_arms.baseline.content.config;
    let shared = |key: &str, value: &ConfigValue| {
        material.runs().all(|(run, _, _)| {
            let entry = run.content.config.get(key);
            entry.is_some_and(|entry| entry.value.same_as(value))
        })
    };
    SHARED
        .iter()
        .filter_map(|leaf| {
            let (key, entry) = baseline
                .iter()
                .find(|(key, _)| !key.starts_with("task.") && crate::model::leaf(key) == *leaf)?;
            shared(key, &entry.value).then(|| (key.to_owned(), entry.value.to_string()))
        })
        .collect()
}

fn arms(material: &ReportMaterial<'_>) -> Block {
    let words = material.words;
    let runs = material.runs().map(|(run, pair, which)| {
        let role = words.get(&format!("role.{}", which.name()));
        let args = [("role", role.as_str()), ("arm", pair.name(which))];
        let in_arm = (pair.size(which) > 1).then(|| words.fill("setup.role-in-arm", &args));
        (run, pair, in_arm.unwrap_or(role))
    });
    let noise = material.noise_runs().map(|(run, pair)| (run, pair, words.get("role.noise")));
    let runs: Vec<_> = runs.chain(noise).collect();
    Table::of_rows(&runs)
        .left(words.get("setup.arm"), |(run, pair, _)| {
            Text::strong(phrases::with_factors(&run.id, run, pair, words))
        })
        .left(words.get("setup.role"), |(.., role)| role.as_str())
        .left(words.get("setup.found"), |(run, ..)| contents_of(run, material))
        .left(words.get("setup.path"), |(run, ..)| Text::code(run.path.as_str()))
        .block()
}

fn contents_of(run: &Run, material: &ReportMaterial<'_>) -> String {
    let words = material.words;
    let content = &run.content;
    let counted = content.counted.as_ref().map_or(0, CountedArm::samples);
    let samples = content.samples.iter().map(|table| table.len() as u64).sum::<u64>() + counted;
    let known = content.scalars.iter().filter(|scalar| scalar.value.value().is_some()).count();
    let parts: Vec<String> = [
        (samples, "setup.samples"),
        (known as u64, "setup.figures"),
        (content.series.len() as u64, "setup.series"),
        (content.config.len() as u64, "setup.keys"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, key)| words.fill(key, &[("count", &quantity::count(count))]))
    .collect();
    if parts.is_empty() {
        return words.get("setup.nothing");
    }
    parts.join(&words.get("punctuation.comma"))
}
