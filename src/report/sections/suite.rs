//! Several datasets of one metric, averaged.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::{accepted, phrases};
use crate::compare::{Suite, SuiteMean, Verdict};
use crate::group::Which;
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::stats::Interval;
use crate::text::Catalogue;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    if material.suites.is_empty() {
        return Vec::new();
    }
    let words = material.words;
    let several = material.grouping.pairs.len() > 1;
    let level = quantity::level(1.0 - material.options.alpha);
    let mut heads = Vec::new();
    if several {
        heads.push((words.get("samples.arm"), Align::Left));
    }
    heads.push((words.get("results.metric"), Align::Left));
    for (key, align) in [
        ("suite.datasets", Align::Right),
        ("suite.macro", Align::Right),
        ("suite.interval", Align::Right),
        ("results.p", Align::Right),
        ("suite.micro", Align::Right),
        ("results.judgement", Align::Left),
    ] {
        heads.push((words.fill(key, &[("level", &level)]), align));
    }
    let mut table = Table::with_heads(heads);
    for suite in material.suites {
        let mut cells = Vec::new();
        if several {
            cells.push(Cell::text(suite.pair.name(Which::Candidate)));
        }
        cells.extend(row(suite, material));
        table.push(cells);
    }
    let of_runs = |suite: &&Suite<'_>| suite.pair.is_repeated();
    let mut blocks = vec![Block::Table { table }];
    for (key, holds) in [
        ("suite.explanation", !material.suites.iter().all(|suite| of_runs(&suite))),
        ("suite.explanation-runs", material.suites.iter().any(|suite| of_runs(&suite))),
    ] {
        if holds {
            blocks.push(Block::Paragraph { text: Text::plain(words.get(key)) });
        }
    }
    let items = reasons(material);
    if !items.is_empty() {
        blocks.push(Block::List { ordered: false, items });
    }
    blocks
}

/// Why averages have no verdict, or no firmer one: a sentence for each reason.
fn reasons(material: &Material<'_>) -> Vec<Text> {
    let words = material.words;
    let mut averages: BTreeMap<&str, IndexSet<String>> = BTreeMap::new();
    for suite in material.suites {
        if let Some(reason) = suite.reason {
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

/// What the mean over the datasets says, for the key findings; `None` where it is undecided.
pub(super) fn finding(suite: &Suite<'_>, words: &Catalogue) -> Option<Text> {
    let icon = match suite.verdict {
        Verdict::Better | Verdict::Equivalent => Icon::Good,
        Verdict::Worse => Icon::Bad,
        Verdict::Inconclusive | Verdict::Identical | Verdict::NotAssessable => return None,
    };
    let mean = suite.macro_mean;
    let Interval { lo, hi, level } = mean.interval;
    let args = [
        ("metric", suite_name(suite, words)),
        ("datasets", suite.datasets.to_string()),
        ("delta", delta(suite, mean)),
        ("level", quantity::level(level)),
        ("interval", quantity::interval(lo, hi, decimals(suite))),
        ("p", quantity::p_in_sentence(suite.adjusted.p)),
        ("verdict", words.get(&format!("verdict.{}", suite.verdict.name()))),
    ];
    let text = words.fill("findings.suite", &args);
    let accepted = accepted::beside(&suite.accepted, words);
    Some(Text::icon(icon).and_plain(format!(" {text}{accepted}")))
}

fn suite_name(suite: &Suite<'_>, words: &Catalogue) -> String {
    let place = phrases::place(suite.dims, words);
    if place.is_empty() {
        return suite.metric.to_owned();
    }
    words.fill("phrase.name-with-detail", &[("name", suite.metric), ("detail", &place)])
}

fn row(suite: &Suite<'_>, material: &Material<'_>) -> Vec<Cell> {
    let words = material.words;
    let datasets = match suite.left_out {
        0 => suite.datasets.to_string(),
        left_out => {
            let args =
                [("datasets", suite.datasets.to_string()), ("left_out", left_out.to_string())];
            words.fill("suite.with-left-out", &args)
        }
    };
    let mean = suite.macro_mean;
    let decimals = decimals(suite);
    let Interval { lo, hi, .. } = mean.interval;
    let micro = suite.micro_mean.map_or_else(
        || Cell::text("—"),
        |micro| {
            let interval = quantity::interval(micro.interval.lo, micro.interval.hi, decimals);
            let args = [("name", delta(suite, micro)), ("detail", interval)];
            Cell::number(words.fill("phrase.name-with-detail", &args), micro.delta)
        },
    );
    vec![
        Cell::text(phrases::metric_name(suite.metric, None, suite.dims, words)),
        Cell::number(datasets, suite.datasets as f64),
        Cell::number(delta(suite, mean), mean.delta),
        Cell::number(quantity::interval(lo, hi, decimals), lo),
        Cell::number(quantity::p_value(suite.adjusted.p), suite.adjusted.p),
        micro,
        phrases::judged(mean.delta, suite.verdict, &suite.accepted, words),
    ]
}

fn delta(suite: &Suite<'_>, mean: SuiteMean) -> String {
    let unit = suite.spec.unit;
    quantity::difference_with_decimals(phrases::settled(mean.delta), decimals(suite), unit)
}

/// As many as the interval of the mean deserves: two digits of its width.
fn decimals(suite: &Suite<'_>) -> usize {
    let Interval { lo, hi, .. } = suite.macro_mean.interval;
    quantity::decimals_for_interval(lo, hi)
}
