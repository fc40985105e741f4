//! Arms of several runs over several datasets: robust aggregates and the probability of improvement.

use super::phrases;
use crate::compare::RunsOverDatasets;
use crate::pairing::PairArm;
use crate::quantity::{self, Unit};
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table, Text};
use crate::stats::Interval;
use crate::text::Catalogue;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks: Vec<Block> =
        material.tasks.iter().flat_map(|metric| metric_blocks(metric, material)).collect();
    if !blocks.is_empty() {
        blocks.push(Block::paragraph(words.get("tasks.explanation")));
    }
    blocks
}

fn metric_blocks(metric: &RunsOverDatasets<'_>, material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let level = quantity::level(1.0 - material.options.alpha);
    let datasets = metric.datasets.len().to_string();
    let [baseline, candidate] = PairArm::BOTH.map(|which| metric.pair.name(which));
    let probability = quantity::percent(metric.improvement);
    let args = [
        ("datasets", datasets.as_str()),
        ("baseline", baseline),
        ("candidate", candidate),
        ("probability", &probability),
    ];
    let mut text = words.fill("tasks.improvement", &args);
    if let Some(Interval { lo, hi, .. }) = metric.improvement_interval {
        let interval = quantity::range(lo, hi, Unit::Fraction);
        let args = [("level", level.as_str()), ("interval", &interval)];
        text.push_str(&words.fill("tasks.improvement-interval", &args));
    }
    text.push_str(&words.get("punctuation.full-stop"));
    vec![
        Block::heading(phrases::metric_name(metric.metric, None, metric.dims, words)),
        arms(metric, &level, words),
        Block::paragraph(text),
    ]
}

fn arms(metric: &RunsOverDatasets<'_>, level: &str, words: &Catalogue) -> Block {
    let unit = metric.spec.unit;
    let figure = |value: f64| Cell::number(quantity::figure(value, unit), value);
    let interval = |Interval { lo, hi, .. }| {
        let shown = [lo, hi].map(|limit| quantity::figure(limit, unit));
        Cell::number(shown.join(" … "), lo)
    };
    let arms: Vec<_> = PairArm::BOTH.into_iter().zip(metric.arms).collect();
    Table::of_rows(&arms)
        .left(words.get("setup.arm"), |(which, _)| Text::strong(metric.pair.name(*which)))
        .right(words.get("seeds.runs"), |(_, arm)| {
            Cell::number(arm.runs.to_string(), arm.runs as f64)
        })
        .right(words.get("tasks.iqm"), |(_, arm)| figure(arm.iqm))
        .right(words.fill("suite.interval", &[("level", level)]), |(_, arm)| {
            arm.iqm_interval.map_or_else(Cell::dash, interval)
        })
        .right(words.get("tasks.mean"), |(_, arm)| figure(arm.mean))
        .right(words.get("tasks.median"), |(_, arm)| figure(arm.median))
        .right(words.get("tasks.gap"), |(_, arm)| {
            arm.optimality_gap.map_or_else(Cell::dash, figure)
        })
        .block()
}
