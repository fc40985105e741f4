//! Scores, penalties and the outcomes of samples.

use super::quality_parts::{head, mean_range_cell, range_cell, rate_cell, share_cell};
use super::shown;
use crate::kinds::quality::analysis::{
    MetricOutcome, Quality, QualityDistribution, SampleOutcomes,
};
use crate::model::logs::RolloutOutcome;
use crate::quantity;
use crate::report::block::{Block, Cell, Table, Text};
use crate::report::chart::{Bar, BarGroup, Chart};
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
pub(super) fn quality_scores(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let Some(all) = &run.scores else {
        let differ = run.tally.scales_differ;
        let note = differ.then(|| Block::paragraph(words.get("quality.scales-differ")));
        return note.into_iter().collect();
    };
    let by_outcome = run
        .by_outcome
        .iter()
        .map(|(outcome, scores)| (words.get(&format!("quality.link-{}", name(*outcome))), scores));
    let rows: Vec<_> = by_outcome.chain([(words.get("quality.all"), all)]).collect();
    let number = |value: f64| Cell::number(shown(value, all), value);
    let table = Table::of_rows(&rows)
        .left(head("outcome", words), |(label, _)| Text::strong(label.as_str()))
        .right(head("n", words), |(_, scores)| Cell::count(scores.n))
        .right(head("mean", words), |(_, scores)| number(scores.mean));
    let quantiles = ["min", "q1", "median", "q3", "max"].into_iter().enumerate();
    let table = quantiles
        .fold(table, |table, (position, name)| {
            table.right(head(name, words), move |(_, scores)| number(scores.five[position]))
        })
        .right(head("sum", words), |(_, scores)| number(scores.sum));
    let scale = run.tally.scale.filter(|_| !run.tally.scales_differ);
    let note = match scale {
        Some(max) => words.fill("quality.scale", &[("max", &shown(max, all))]),
        None => words.get("quality.no-scale"),
    };
    let mut blocks = vec![
        table.block(),
        Block::paragraph(note),
        Block::paragraph(words.get("quality.mean-note")),
        Block::chart(histogram(all, words)),
    ];
    if all.rounded {
        blocks.push(Block::paragraph(words.get("quality.scores-rounded")));
    }
    blocks
}

fn histogram(scores: &QualityDistribution, words: &Catalogue) -> Chart {
    let bar = |(lo, hi, count): &(f64, f64, u64)| {
        let [from, to] = [lo, hi].map(|limit| shown(*limit, scores));
        let name = if lo == hi { from } else { format!("{from} … {to}") };
        Bar { name, value: Some(*count as f64), shown: quantity::count(*count) }
    };
    let bars: Vec<Bar> = scores.classes(BARS).iter().map(bar).collect();
    let title = words.get("quality.histogram");
    Chart::of_bars("scores", title, "", vec![BarGroup { name: String::new(), bars }], words)
}

/// What the penalty terms add up to.
pub(super) fn quality_penalties(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let terms = run.tally.penalties.iter().filter_map(|(term, penalty)| {
        let values = QualityDistribution::new(&penalty.values)?;
        Some((term.clone(), values.n, values.sum, Some(penalty.said.first.to_string())))
    });
    let mut rows: Vec<(String, u64, f64, Option<String>)> = terms.collect();
    if rows.is_empty() {
        return Vec::new();
    }
    if rows.len() > 1 {
        let n = rows.iter().map(|(_, n, ..)| n).sum();
        let sum = rows.iter().map(|(_, _, sum, _)| sum).sum();
        rows.push((words.get("quality.all"), n, sum, None));
    }
    let number = |value: f64| Cell::number(quantity::fixed(value, 2), value);
    let table = Table::of_rows(&rows)
        .left(head("term", words), |(term, ..)| Text::strong(term.as_str()))
        .right(head("count", words), |(_, n, ..)| Cell::count(*n))
        .right(head("mean", words), |(_, n, sum, _)| number(sum / *n as f64))
        .right(head("sum", words), |(_, _, sum, _)| number(*sum))
        .right(head("per-rollout", words), |(_, _, sum, _)| match run.rollouts {
            0 => Cell::missing(),
            n => number(sum / n as f64),
        })
        .left(head("first", words), |(.., first)| {
            first.as_ref().map_or_else(Text::empty, |first| Text::code(first.as_str()))
        });
    vec![table.block(), Block::paragraph(words.get("quality.penalty-note"))]
}

pub(super) fn quality_samples(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let outcomes = run.samples.iter().flat_map(|samples| {
        samples.metrics.iter().map(move |(metric, outcome)| (samples, metric, figures(outcome)))
    });
    let outcomes: Vec<_> = outcomes.collect();
    let results = Table::of_rows(&outcomes)
        .left(head("samples", words), |(samples, ..)| label(samples))
        .left(head("metric", words), |(_, metric, _)| Text::code(metric.as_str()))
        .right(head("n", words), |(.., [n, _, _])| n.clone())
        .right(head("value", words), |(.., [_, value, _])| value.clone())
        .right(head("interval", words), |(.., [_, _, interval])| interval.clone())
        .table();
    let endings: Vec<_> = run.samples.iter().flat_map(endings).collect();
    let endings = Table::of_rows(&endings)
        .left(head("samples", words), |(samples, ..)| label(samples))
        .left(head("ending", words), |(_, name, ..)| words.get(&format!("class.{name}")))
        .right(head("share", words), |(samples, _, count, _)| share_cell(*count, samples.n))
        .left(head("first", words), |(.., place)| Text::code(place.as_str()))
        .table();
    let tables = [results, endings].into_iter().filter(|table| !table.is_empty());
    tables.map(|table| Block::Table { table }).collect()
}

fn label(samples: &SampleOutcomes) -> Text {
    let name = if samples.name.is_empty() { &samples.path } else { &samples.name };
    Text::code(name.as_str())
}

fn figures(outcome: &MetricOutcome) -> [Cell; 3] {
    match outcome {
        MetricOutcome::Right(rate) => {
            [Cell::count(rate.n), rate_cell(Some(*rate)), range_cell(Some(*rate))]
        }
        MetricOutcome::Scores(scores) => {
            let mean = Cell::number(shown(scores.mean, scores), scores.mean);
            [Cell::count(scores.n), mean, mean_range_cell(scores)]
        }
    }
}

/// How answers failed: name, count and the place of the first.
fn endings(samples: &SampleOutcomes) -> Vec<(&SampleOutcomes, &str, u64, String)> {
    let failed = samples
        .endings
        .iter()
        .map(|(name, count, line)| (samples, *name, *count, format!("{}:{line}", samples.path)));
    let others = [("no-score", samples.unscored), ("cut", samples.truncated)]
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| (samples, name, count, samples.path.clone()));
    failed.chain(others).collect()
}
