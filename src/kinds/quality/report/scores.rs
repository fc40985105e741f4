//! Scores, penalties and the outcomes of samples.

use super::parts::{range_cell, rate_cell, share_cell, table};
use super::shown;
use crate::kinds::quality::analysis::{Distribution, MetricOutcome, Quality, SampleOutcomes};
use crate::model::logs::RolloutOutcome;
use crate::quantity;
use crate::report::block::{Block, Cell, Table, Text, Tone};
use crate::report::chart::{self, Bar};
use crate::text::Catalogue;

/// Bars of a histogram.
const BARS: usize = 10;

fn name(outcome: RolloutOutcome) -> &'static str {
    match outcome {
        RolloutOutcome::Success => "right",
        RolloutOutcome::Failure => "wrong",
        RolloutOutcome::Unjudged => "unjudged",
        RolloutOutcome::Unscored => "unscored",
    }
}

/// Scores by outcome and over all, and how they lie.
pub(super) fn scores(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let Some(all) = &run.scores else {
        let differ = run.tally.scales_differ;
        let note = differ.then(|| Block::paragraph(words.get("quality.scales-differ")));
        return note.into_iter().collect();
    };
    let heads = ["outcome", "n", "mean", "min", "q1", "median", "q3", "max", "sum"];
    let mut rows = table(&heads, words);
    for (outcome, scores) in &run.by_outcome {
        let label = words.get(&format!("quality.link-{}", name(*outcome)));
        push(&mut rows, &label, scores, all);
    }
    push(&mut rows, &words.get("quality.all"), all, all);
    let scale = run.tally.scale.filter(|_| !run.tally.scales_differ);
    let note = match scale {
        Some(max) => words.fill("quality.scale", &[("max", &shown(max, all))]),
        None => words.get("quality.no-scale"),
    };
    let mut blocks = vec![
        Block::Table { table: rows },
        Block::paragraph(note),
        Block::paragraph(words.get("quality.mean-note")),
        Block::Code { lang: "text".to_owned(), text: histogram(all, words) },
    ];
    if all.rounded {
        blocks.push(Block::paragraph(words.get("quality.scores-rounded")));
    }
    if let Some((count, first)) = &run.tally.beyond_scale {
        let (count, first) = (quantity::count(*count), first.to_string());
        blocks.push(Block::Callout {
            tone: Tone::Warning,
            title: words.fill("quality.beyond-scale", &[("count", &count)]).into(),
            body: vec![Text::plain(words.get("quality.first-place")).and_code(first)],
        });
    }
    blocks
}

fn push(rows: &mut Table, label: &str, scores: &Distribution, all: &Distribution) {
    let number = |value: f64| Cell::number(shown(value, all), value);
    let [min, q1, median, q3, max] = scores.five;
    let figures = [scores.mean, min, q1, median, q3, max, scores.sum].map(number);
    let lead = [Cell::text(Text::strong(label)), Cell::count(scores.n)];
    rows.push(lead.into_iter().chain(figures).collect());
}

fn histogram(scores: &Distribution, words: &Catalogue) -> String {
    let classes = scores.classes(BARS);
    let bar = |(lo, hi, count): &(f64, f64, u64)| {
        let [from, to] = [lo, hi].map(|limit| shown(*limit, scores));
        let name = if lo == hi { from } else { format!("{from} … {to}") };
        Bar { name, value: Some(*count as f64), shown: quantity::count(*count) }
    };
    let bars: Vec<Bar> = classes.iter().map(bar).collect();
    let scale = chart::scale(bars.iter().filter_map(|bar| bar.value)).max(1.0);
    let one = words
        .fill("quality.bar-scale", &[("count", &quantity::figure(scale, quantity::Unit::Plain))]);
    format!("{}\n\n{one}", chart::bars(&bars, scale))
}

/// What the penalty terms add up to.
pub(super) fn penalties(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let terms = run.tally.penalties.iter();
    let terms: Vec<_> = terms
        .filter_map(|(term, one)| Some((term, one, Distribution::new(&one.values)?)))
        .collect();
    if terms.is_empty() {
        return Vec::new();
    }
    let mut rows = table(&["term", "count", "mean", "sum", "per-rollout", "first"], words);
    let per_rollout = |sum: f64| match run.rollouts {
        0 => Cell::missing(),
        n => {
            let each = sum / n as f64;
            Cell::number(quantity::fixed(each, 2), each)
        }
    };
    let number = |value: f64| Cell::number(quantity::fixed(value, 2), value);
    for (term, one, values) in &terms {
        rows.push(vec![
            Cell::text(Text::strong(term.as_str())),
            Cell::count(values.n),
            number(values.mean),
            number(values.sum),
            per_rollout(values.sum),
            Cell::text(Text::code(one.said.first.to_string())),
        ]);
    }
    if terms.len() > 1 {
        let sum: f64 = terms.iter().map(|(.., values)| values.sum).sum();
        let n: u64 = terms.iter().map(|(.., values)| values.n).sum();
        rows.push(vec![
            Cell::text(Text::strong(words.get("quality.all"))),
            Cell::count(n),
            number(sum / n as f64),
            number(sum),
            per_rollout(sum),
        ]);
    }
    vec![Block::Table { table: rows }, Block::paragraph(words.get("quality.penalty-note"))]
}

/// Outcomes of samples.
pub(super) fn samples(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    if run.samples.is_empty() {
        return Vec::new();
    }
    let mut rows = table(&["samples", "metric", "n", "value", "interval"], words);
    for table in &run.samples {
        for (metric, outcome) in &table.metrics {
            let [n, value, interval] = figures(outcome);
            let lead = [label(table), Cell::text(Text::code(metric.as_str()))];
            rows.push(lead.into_iter().chain([n, value, interval]).collect());
        }
    }
    let mut blocks = Vec::new();
    if !rows.is_empty() {
        blocks.push(Block::Table { table: rows });
    }
    let endings = run.samples.iter().flat_map(|table| ended(table, words));
    let mut rows = table(&["samples", "ending", "share", "first"], words);
    endings.for_each(|row| rows.push(row));
    if !rows.is_empty() {
        blocks.push(Block::Table { table: rows });
    }
    blocks
}

fn label(table: &SampleOutcomes) -> Cell {
    let name = if table.name.is_empty() { &table.path } else { &table.name };
    Cell::text(Text::code(name.as_str()))
}

fn figures(outcome: &MetricOutcome) -> [Cell; 3] {
    match outcome {
        MetricOutcome::Right(rate) => {
            [Cell::count(rate.n), rate_cell(Some(*rate)), range_cell(Some(*rate))]
        }
        MetricOutcome::Scores(scores) => {
            let interval = scores.interval.map_or_else(Cell::missing, |[lo, hi]| {
                Cell::text(format!("{} … {}", shown(lo, scores), shown(hi, scores)))
            });
            [Cell::count(scores.n), Cell::number(shown(scores.mean, scores), scores.mean), interval]
        }
    }
}

/// How answers failed, with the place of the first.
fn ended(table: &SampleOutcomes, words: &Catalogue) -> Vec<Vec<Cell>> {
    let row = |name: &str, count: u64, place: String| {
        vec![
            label(table),
            Cell::text(words.get(&format!("class.{name}"))),
            share_cell(count, table.n),
            Cell::text(Text::code(place)),
        ]
    };
    let of_endings = table.endings.iter();
    let mut rows: Vec<_> = of_endings
        .map(|(name, count, line)| row(name, *count, format!("{}:{line}", table.path)))
        .collect();
    for (name, count) in [("no-score", table.unscored), ("cut", table.truncated)] {
        if count > 0 {
            rows.push(row(name, count, table.path.clone()));
        }
    }
    rows
}
