//! Arms of several runs over several datasets: robust aggregates and the probability of improvement.

use super::phrases;
use crate::compare::RunsOverDatasets;
use crate::group::Which;
use crate::quantity::{self, Unit};
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::stats::Interval;
use crate::text::Catalogue;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks: Vec<Block> =
        material.tasks.iter().flat_map(|one| of_metric(one, material)).collect();
    if !blocks.is_empty() {
        blocks.push(Block::Paragraph { text: Text::plain(words.get("tasks.explanation")) });
    }
    blocks
}

fn of_metric(one: &RunsOverDatasets<'_>, material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let level = quantity::level(1.0 - material.options.alpha);
    let datasets = one.datasets.len().to_string();
    let [baseline, candidate] = Which::BOTH.map(|which| one.pair.name(which));
    let probability = quantity::percent(one.improvement);
    let args = [
        ("datasets", datasets.as_str()),
        ("baseline", baseline),
        ("candidate", candidate),
        ("probability", &probability),
    ];
    let mut text = words.fill("tasks.improvement", &args);
    if let Some(Interval { lo, hi, .. }) = one.improvement_interval {
        let interval = quantity::range(lo, hi, Unit::Fraction);
        let args = [("level", level.as_str()), ("interval", &interval)];
        text.push_str(&words.fill("tasks.improvement-interval", &args));
    }
    text.push_str(&words.get("punctuation.full-stop"));
    vec![
        Block::Heading { text: phrases::metric_name(one.metric, None, one.dims, words) },
        Block::Table { table: arms(one, &level, words) },
        Block::Paragraph { text: Text::plain(text) },
    ]
}

fn arms(one: &RunsOverDatasets<'_>, level: &str, words: &Catalogue) -> Table {
    let mut table = Table::with_heads(vec![
        (words.get("setup.arm"), Align::Left),
        (words.get("seeds.runs"), Align::Right),
        (words.get("tasks.iqm"), Align::Right),
        (words.fill("suite.interval", &[("level", level)]), Align::Right),
        (words.get("tasks.mean"), Align::Right),
        (words.get("tasks.median"), Align::Right),
        (words.get("tasks.gap"), Align::Right),
    ]);
    let figure = |value: f64| Cell::number(quantity::figure(value, one.spec.unit), value);
    for (which, arm) in Which::BOTH.into_iter().zip(one.arms) {
        let interval = arm.iqm_interval.map_or_else(
            || Cell::text("—"),
            |Interval { lo, hi, .. }| {
                let shown = [lo, hi].map(|limit| quantity::figure(limit, one.spec.unit));
                Cell::number(shown.join(" … "), lo)
            },
        );
        table.push(vec![
            Cell::text(Text::strong(one.pair.name(which))),
            Cell::number(arm.runs.to_string(), arm.runs as f64),
            figure(arm.iqm),
            interval,
            figure(arm.mean),
            figure(arm.median),
            arm.optimality_gap.map_or_else(|| Cell::text("—"), figure),
        ]);
    }
    table
}
