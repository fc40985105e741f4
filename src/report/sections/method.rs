//! How the numbers were made: methods in use, families, level, notes, and what each method does.

use std::collections::{BTreeMap, BTreeSet};

use super::{folded, roles, seeds, systems};
use crate::compare::{Comparison, VerdictReason};
use crate::report::block::{Block, Text};
use crate::report::{ReportMaterial, TREND_METHOD, report_tags};
use crate::stats::{LARGE_SAMPLE, Note};
use crate::text::Catalogue;

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let used = used(material);
    if used.is_empty() {
        return Vec::new();
    }
    let mut items = families(material);
    for ((interval, test), count) in &used {
        let args = [
            ("interval", name_of("method.interval", interval, words)),
            ("test", name_of("method.test", test, words)),
            ("count", count.to_string()),
        ];
        items.push(Text::plain(words.fill("method.used", &args)));
    }
    items.extend(seeds::method_items(material));
    items.extend(notes(material));
    let version = env!("CARGO_PKG_VERSION");
    let made_by = if has_random(material) { "method.made-by-random" } else { "method.made-by" };
    items.push(Text::plain(words.fill(made_by, &[("version", version)])));
    items.extend(explained(material, &used));
    folded(words.get("method.explained"), vec![Block::bullets(items)])
}

/// Interval that is made from resamples.
const BOOTSTRAP: &str = "bootstrap-t";

fn has_random(material: &ReportMaterial<'_>) -> bool {
    material.all().any(is_random)
        || material.systems.on_samples.iter().any(|metric| metric.drawn_patterns.is_some())
        || material.tasks.iter().any(|metric| {
            metric.improvement_interval.is_some()
                || metric.arms.iter().any(|arm| arm.iqm_interval.is_some())
        })
}

fn is_random(comparison: &Comparison<'_>) -> bool {
    comparison.analysis.as_ref().is_some_and(|analysis| {
        analysis.notes.contains(&Note::MonteCarlo)
            || (analysis.interval.is_some() && analysis.interval_method == BOOTSTRAP)
    })
}

/// The number of comparisons that use each combination of interval and test.
type Used = BTreeMap<(&'static str, &'static str), usize>;

/// Tag for comparisons without a test.
const NO_TEST: &str = "—";

fn used(material: &ReportMaterial<'_>) -> Used {
    let mut used = Used::new();
    let is_used = |comparison: &&Comparison<'_>| {
        comparison.adjusted.is_some()
            || comparison.noninferiority.is_some()
            || comparison.reason.is_some_and(VerdictReason::is_by_role)
    };
    for comparison in material.all().filter(is_used) {
        let Some(analysis) = &comparison.analysis else { continue };
        let test = analysis.test.map_or(NO_TEST, |test| test.method);
        *used.entry((analysis.interval_method, test)).or_default() += 1;
    }
    used
}

/// The short name of a method, or its tag.
pub(in crate::report) fn name_of(group: &str, tag: &str, words: &Catalogue) -> String {
    words.find(&format!("{group}.{tag}")).unwrap_or(tag).to_owned()
}

/// Families, level and unit; what changes where verdicts hold at any time.
fn families(material: &ReportMaterial<'_>) -> Vec<Text> {
    let words = material.words;
    let mut items = roles::method_items(material);
    for (key, holds) in [
        ("method.noise", material.all().any(|comparison| comparison.noise.is_some())),
        ("method.joint", material.all().any(|comparison| comparison.ci_simultaneous.is_some())),
        ("method.margin", material.all().any(|comparison| comparison.noninferiority.is_some())),
        ("method.anytime", material.all().any(|comparison| comparison.is_anytime())),
    ] {
        if holds {
            items.push(Text::plain(words.get(key)));
        }
    }
    items
}

/// Notes that matter whether or not a cell is tested.
const ABOUT_FIGURES: &[&str] = &["pairs-only", "size-inferred"];

/// What a reader should know about the numbers, counted.
fn notes(material: &ReportMaterial<'_>) -> Vec<Text> {
    let mut notes: BTreeMap<&str, usize> = BTreeMap::new();
    for comparison in material.all() {
        // What is only about the test does not matter where the cell is not tested.
        let tested = comparison.adjusted.is_some();
        for tag in report_tags(comparison).filter(|tag| tested || ABOUT_FIGURES.contains(tag)) {
            *notes.entry(detailed(tag, comparison)).or_default() += 1;
        }
    }
    let words = material.words;
    notes
        .into_iter()
        .map(|(tag, count)| Text::plain(words.fill(&format!("note.{tag}"), &[("count", count)])))
        .collect()
}

/// The note in words that fit the comparison: why normality was assumed.
fn detailed(tag: &'static str, comparison: &Comparison<'_>) -> &'static str {
    let enough = comparison.seeds.is_none()
        && comparison.paired().is_some_and(|pairs| pairs >= LARGE_SAMPLE);
    match tag {
        "normality-assumed" if enough => "normality-assumed-shape",
        "normality-assumed" => "normality-assumed-small",
        other => other,
    }
}

/// One sentence for every method in use, and its source.
fn explained(material: &ReportMaterial<'_>, used: &Used) -> Vec<Text> {
    let words = material.words;
    let mut tags: BTreeSet<&str> =
        used.keys().flat_map(|&(interval, test)| [interval, test]).collect();
    tags.remove(NO_TEST);
    tags.extend(material.suites.iter().map(|suite| suite.macro_mean.method));
    tags.extend(systems::methods(material.systems));
    if material.trends.iter().any(|trend| trend.finding.is_ok()) {
        tags.insert(TREND_METHOD);
    }
    if !material.tasks.is_empty() {
        tags.extend(["iqm", "improvement"]);
    }
    for (tag, holds) in [
        ("holm", material.all().any(|comparison| comparison.family_size() > 1)),
        ("bonferroni", material.all().any(|comparison| comparison.family_size() > 1)),
        ("tost", material.all().any(|comparison| comparison.noninferiority.is_some())),
        ("noise-floor", material.all().any(|comparison| comparison.noise.is_some())),
        ("pairing-bounds", material.all().any(|comparison| comparison.pairing().is_some())),
    ] {
        tags.extend(holds.then_some(tag));
    }
    tags.into_iter()
        .map(|tag| {
            let text = words.get(&format!("explain.{tag}"));
            Text::code(tag).and_plain(words.get("punctuation.colon")).and_plain(text)
        })
        .collect()
}
