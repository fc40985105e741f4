//! Several datasets of one metric, averaged.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::phrases;
use crate::compare::{Suite, SuiteMean};
use crate::pairing::PairArm;
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table, Text};
use crate::stats::Interval;
use crate::text::Catalogue;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    if material.suites.is_empty() {
        return Vec::new();
    }
    let words = material.words;
    let is_of_runs = |suite: &Suite<'_>| suite.pair.is_repeated();
    let mut blocks = vec![table(material)];
    for (key, holds) in [
        ("suite.explanation", !material.suites.iter().all(is_of_runs)),
        ("suite.explanation-runs", material.suites.iter().any(is_of_runs)),
    ] {
        blocks.extend(holds.then(|| Block::paragraph(words.get(key))));
    }
    let mut items = reasons(material);
    items.extend(opposed(material));
    blocks.extend((!items.is_empty()).then(|| Block::bullets(items)));
    blocks
}

fn table(material: &ReportMaterial<'_>) -> Block {
    let words = material.words;
    let level = [("level", quantity::level(1.0 - material.options.alpha))];
    let interval = |suite: &Suite<'_>, Interval { lo, hi, .. }| {
        quantity::interval_text(lo, hi, decimals(suite))
    };
    Table::of_rows(material.suites)
        .when(material.paired_arms.pairs.len() > 1, |table| {
            table.left(words.get("samples.arm"), |suite| suite.pair.name(PairArm::Candidate))
        })
        .left(words.get("results.metric"), |suite| {
            phrases::metric_name(suite.metric, None, suite.dims, words)
        })
        .right(words.get("suite.datasets"), |suite| {
            let args = [("datasets", suite.datasets), ("left_out", suite.left_out)];
            let datasets = match suite.left_out {
                0 => suite.datasets.to_string(),
                _ => words.fill("suite.with-left-out", &args),
            };
            Cell::number(datasets, suite.datasets as f64)
        })
        .right(words.get("suite.macro"), |suite| {
            Cell::number(delta(suite, suite.macro_mean), suite.macro_mean.delta)
        })
        .right(words.fill("suite.interval", &level), |suite| {
            let limits = suite.macro_mean.interval;
            Cell::number(interval(suite, limits), limits.lo)
        })
        .right(words.get("results.p"), |suite| phrases::p_cell(suite.adjusted.map(|test| test.p)))
        .when(material.suites.iter().any(|suite| suite.micro_mean.is_some()), |table| {
            table.right(words.get("suite.micro"), |suite| {
                suite.micro_mean.map_or_else(Cell::dash, |micro| {
                    let detail = interval(suite, micro.interval);
                    let args = [("name", delta(suite, micro)), ("detail", detail)];
                    Cell::number(words.fill("phrase.name-with-detail", &args), micro.delta)
                })
            })
        })
        .left(words.get("results.judgement"), |suite| {
            let delta = suite.macro_mean.delta;
            let said = (suite.verdict, suite.reason);
            phrases::judged(delta, said, [&suite.accepted, &suite.confounded], words)
        })
        .block()
}

/// Why averages have no verdict, or no firmer one: a sentence for each reason.
fn reasons(material: &ReportMaterial<'_>) -> Vec<Text> {
    let words = material.words;
    let mut averages: BTreeMap<&str, IndexSet<String>> = BTreeMap::new();
    for suite in material.suites {
        if let Some(reason) = suite.reason.filter(|reason| !reason.is_by_role()) {
            averages.entry(reason.key()).or_default().insert(suite_name(suite, words));
        }
    }
    let sentence = |(reason, names): (&str, IndexSet<String>)| {
        let names: Vec<String> = names.into_iter().collect();
        let names = names.join(&words.get("punctuation.comma"));
        Text::plain(words.fill(&format!("suite.why-{reason}"), &[("names", &names)]))
    };
    averages.into_iter().map(sentence).collect()
}

/// The judged averages whose mean over samples points the other way.
fn opposed(material: &ReportMaterial<'_>) -> Option<Text> {
    let words = material.words;
    let is_opposed = |suite: &&Suite<'_>| {
        let judged = suite.verdict.is_decided();
        let opposite = |micro: SuiteMean| micro.delta * suite.macro_mean.delta < 0.0;
        judged && suite.micro_mean.is_some_and(opposite)
    };
    let named = material.suites.iter().filter(is_opposed);
    let names: IndexSet<String> = named.map(|suite| suite_name(suite, words)).collect();
    let names: Vec<String> = names.into_iter().collect();
    let names = names.join(&words.get("punctuation.comma"));
    (!names.is_empty())
        .then(|| Text::plain(words.fill("suite.macro-against-micro", &[("names", &names)])))
}

/// `mean of accuracy over 6 datasets`.
pub(super) fn name(suite: &Suite<'_>, words: &Catalogue) -> Text {
    let args = [("metric", suite_name(suite, words)), ("datasets", suite.datasets.to_string())];
    Text::plain(words.fill("answer.suite", &args))
}

/// `+1.2 pp (95% CI +0.3 … +2.1)`.
pub(super) fn difference(suite: &Suite<'_>, words: &Catalogue) -> String {
    let Interval { lo, hi, level } = suite.macro_mean.interval;
    let args = [
        ("delta", delta(suite, suite.macro_mean)),
        ("level", quantity::level(level)),
        ("interval", quantity::interval_text(lo, hi, decimals(suite))),
    ];
    words.fill("answer.difference", &args)
}

fn suite_name(suite: &Suite<'_>, words: &Catalogue) -> String {
    let place = phrases::place_phrase(suite.dims, words);
    if place.is_empty() {
        return suite.metric.to_owned();
    }
    words.fill("phrase.name-with-detail", &[("name", suite.metric), ("detail", &place)])
}

fn delta(suite: &Suite<'_>, mean: SuiteMean) -> String {
    let unit = suite.spec.unit;
    quantity::difference_with_decimals(quantity::settled(mean.delta), decimals(suite), unit)
}

/// As many as the interval of the mean deserves: two digits of its width.
fn decimals(suite: &Suite<'_>) -> usize {
    let Interval { lo, hi, .. } = suite.macro_mean.interval;
    quantity::decimals_for_interval(lo, hi)
}
