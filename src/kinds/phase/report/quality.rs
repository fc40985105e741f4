//! Quality: what was expected of each metric and what came out, and the other good figures beside.

use std::ptr;

use super::{PhaseMaterial, expected_cell, notes, outcome_cell, phrases};
use crate::check::Grade;
use crate::compare::Comparison;
use crate::kinds::phase::analysis::{Expected, Fulfilment, Phase};
use crate::model::Direction;
use crate::pairing::{ArmPair, PairArm};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

pub(super) fn blocks(PhaseMaterial { phases, arms: material }: &PhaseMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = Vec::new();
    for (phase, (_, findings, comparisons)) in phases.iter().zip(material.pairs()) {
        blocks.extend(phrases::candidate_heading(material, phase.pair));
        blocks.push(Block::paragraph(summary(phase, words)));
        if findings.grade == Grade::Confounded {
            let text = Text::marked(Icon::Caution, words.get("phase.confounded"));
            blocks.push(Block::paragraph(text));
        }
        let expected: Vec<&Expected<'_>> =
            phase.expectations.iter().filter(|expected| !is_of_errors(phase, expected)).collect();
        let table = table(phase.pair, &expected, comparisons, material);
        if !table.is_empty() {
            blocks.push(Block::Table { table });
        }
        blocks.extend(notes(&expected, words));
    }
    blocks
}

/// Whether an expectation stands beside the kinds of error instead.
fn is_of_errors(phase: &Phase<'_>, expected: &Expected<'_>) -> bool {
    let shares = phase.distributions.iter().flat_map(|distribution| &distribution.shares);
    let mut errors = shares.filter(|share| share.name != "success");
    expected.comparison.is_some_and(|comparison| {
        errors.any(|share| share.comparison.is_some_and(|other| ptr::eq(other, comparison)))
    })
}

/// What is counted first.
const ORDER: [&str; 4] = ["met", "exceeded", "missed", "violated"];

/// How many expectations came out how.
fn summary(phase: &Phase<'_>, words: &Catalogue) -> Text {
    if phase.expectations.is_empty() {
        return Text::plain(words.get("phase.no-expectations"));
    }
    let mut counts: Vec<(&'static str, usize, usize)> = Vec::new();
    for expected in &phase.expectations {
        let (name, open) = match &expected.outcome {
            Fulfilment::Judged(judged) => (judged.standing.name(), !judged.is_sure()),
            Fulfilment::Ambiguous(_) => ("ambiguous", false),
            Fulfilment::Open(why) => (why.name(), false),
        };
        match counts.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, count, unsure)) => {
                (*count, *unsure) = (*count + 1, *unsure + usize::from(open));
            }
            None => counts.push((name, 1, usize::from(open))),
        }
    }
    let place = |name: &str| ORDER.iter().position(|first| *first == name).unwrap_or(ORDER.len());
    counts.sort_by_key(|(name, ..)| place(name));
    let parts: Vec<String> = counts
        .iter()
        .map(|(name, count, open)| {
            let name = words.get(&format!("phase.count.{name}"));
            let key = if *open == 0 { "phase.counted" } else { "phase.counted-open" };
            words.fill(
                key,
                &[("name", name), ("count", count.to_string()), ("open", open.to_string())],
            )
        })
        .collect();
    let parts = parts.join(&words.get("punctuation.comma"));
    let total = phase.expectations.len().to_string();
    Text::plain(words.fill("phase.summary", &[("total", &total), ("parts", &parts)]))
}

/// What was expected first, each metric once, then other metrics of which more is better.
fn table(
    pair: &ArmPair<'_>,
    expected: &[&Expected<'_>],
    comparisons: &[Comparison<'_>],
    material: &ReportMaterial<'_>,
) -> Table {
    let words = material.words;
    let level = quantity::level(1.0 - material.options.alpha);
    let mut rows: Vec<(Option<&Comparison<'_>>, Vec<&Expected<'_>>)> = Vec::new();
    let is_same = |known: Option<&Comparison<'_>>, other: Option<&Comparison<'_>>| {
        known.zip(other).is_some_and(|(known, other)| ptr::eq(known, other))
    };
    for expected in expected {
        match rows.iter_mut().find(|(known, _)| is_same(*known, expected.comparison)) {
            Some((_, list)) => list.push(expected),
            None => rows.push((expected.comparison, vec![expected])),
        }
    }
    for comparison in comparisons {
        let is_shown = rows.iter().any(|(known, _)| is_same(*known, Some(comparison)));
        if comparison.cell.spec.direction == Direction::Higher && !is_shown {
            rows.push((Some(comparison), Vec::new()));
        }
    }
    let figure = |comparison: Option<&Comparison<'_>>, cell: &dyn Fn(&Comparison<'_>) -> Cell| {
        comparison.map_or_else(Cell::missing, cell)
    };
    Table::of_rows(&rows)
        .left(words.get("results.metric"), |(comparison, expected)| match comparison {
            Some(comparison) => phrases::cell_name(comparison, words),
            None => expected.iter().fold(Text::empty(), |text, expected| {
                text.and_code(expected.declared.name.as_str())
            }),
        })
        .right(pair.name(PairArm::Baseline), |(comparison, _)| {
            figure(*comparison, &|found| phrases::figure_cell(found, PairArm::Baseline, words))
        })
        .right(pair.name(PairArm::Candidate), |(comparison, _)| {
            figure(*comparison, &|found| phrases::figure_cell(found, PairArm::Candidate, words))
        })
        .right(words.get("phase.change"), |(comparison, _)| {
            figure(*comparison, &|found| phrases::delta_cell(found, words))
        })
        .right(words.fill("results.interval", &[("level", &level)]), |(comparison, _)| {
            figure(*comparison, &phrases::interval_cell)
        })
        .right(words.get("results.n"), |(comparison, _)| {
            figure(*comparison, &|found| phrases::n_cell(found, words))
        })
        .left(words.get("phase.expected"), |(_, expected)| expected_cell(expected))
        .left(words.get("results.judgement"), |(comparison, expected)| match expected.as_slice() {
            [] => figure(*comparison, &|found| phrases::judgement(found, words)),
            expected => outcome_cell(expected, words),
        })
        .table()
}
