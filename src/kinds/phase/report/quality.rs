//! Quality: what was expected of each metric and what came out, and the other good figures beside.

use std::ptr;

use super::{PhaseMaterial, expected_cell, notes, outcome_cell, phrases};
use crate::check::Grade;
use crate::compare::Comparison;
use crate::group::{ArmPair, Which};
use crate::kinds::phase::analysis::{Expected, Fulfilment, Phase};
use crate::model::Direction;
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

pub(super) fn blocks(PhaseMaterial { phases, arms: material }: &PhaseMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = Vec::new();
    for (phase, (_, findings, comparisons)) in phases.iter().zip(material.pairs()) {
        blocks.extend(phrases::candidate_heading(material, phase.pair));
        blocks.push(Block::paragraph(summary(phase, words)));
        if findings.grade == Grade::Confounded {
            let text = Text::icon(Icon::Caution).and_plain(" ");
            blocks.push(Block::paragraph(text.and_plain(words.get("phase.confounded"))));
        }
        let own: Vec<&Expected<'_>> =
            phase.expectations.iter().filter(|one| !is_of_errors(phase, one)).collect();
        let table = table(phase.pair, &own, comparisons, material);
        if !table.is_empty() {
            blocks.push(Block::Table { table });
        }
        blocks.extend(notes(&own, words));
    }
    blocks
}

/// Whether an expectation stands beside the kinds of error instead.
fn is_of_errors(phase: &Phase<'_>, one: &Expected<'_>) -> bool {
    let mut shares = phase.distributions.iter().flat_map(|one| &one.shares);
    one.comparison.is_some_and(|comparison| {
        shares.any(|share| {
            share.name != "success" && share.comparison.is_some_and(|own| ptr::eq(own, comparison))
        })
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
    for one in &phase.expectations {
        let (name, open) = match &one.outcome {
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
    let place = |name: &str| ORDER.iter().position(|one| *one == name).unwrap_or(ORDER.len());
    counts.sort_by_key(|(name, ..)| place(name));
    let parts: Vec<String> = counts
        .iter()
        .map(|(name, count, open)| {
            let name = words.get(&format!("phase.count.{name}"));
            let (count, open) = (count.to_string(), open.to_string());
            let key = if open == "0" { "phase.counted" } else { "phase.counted-open" };
            words.fill(key, &[("name", &name), ("count", &count), ("open", &open)])
        })
        .collect();
    let parts = parts.join(&words.get("punctuation.comma"));
    let total = phase.expectations.len().to_string();
    Text::plain(words.fill("phase.summary", &[("total", &total), ("parts", &parts)]))
}

fn table(
    pair: &ArmPair<'_>,
    own: &[&Expected<'_>],
    comparisons: &[Comparison<'_>],
    material: &Material<'_>,
) -> Table {
    let words = material.words;
    let level = quantity::level(1.0 - material.options.alpha);
    let mut table = Table::with_heads(vec![
        (words.get("results.metric"), Align::Left),
        (pair.name(Which::Baseline).to_owned(), Align::Right),
        (pair.name(Which::Candidate).to_owned(), Align::Right),
        (words.get("phase.change"), Align::Right),
        (words.fill("results.interval", &[("level", &level)]), Align::Right),
        (words.get("results.n"), Align::Right),
        (words.get("phase.expected"), Align::Left),
        (words.get("results.judgement"), Align::Left),
    ]);
    let mut told: Vec<&Comparison<'_>> = Vec::new();
    for expected in own {
        let Some(one) = expected.comparison else {
            let mut cells = vec![Cell::text(Text::code(expected.declared.name.clone()))];
            cells.extend(vec![Cell::missing(); 5]);
            cells.extend([expected_cell(&[expected]), outcome_cell(&[expected], words)]);
            table.push(cells);
            continue;
        };
        if told.iter().any(|known| ptr::eq(*known, one)) {
            continue;
        }
        told.push(one);
        let of_it: Vec<&Expected<'_>> = own
            .iter()
            .copied()
            .filter(|other| other.comparison.is_some_and(|known| ptr::eq(known, one)))
            .collect();
        let mut cells = figures(one, words);
        cells.extend([expected_cell(&of_it), outcome_cell(&of_it, words)]);
        table.push(cells);
    }
    let is_told = |one: &Comparison<'_>| told.iter().any(|known| ptr::eq(*known, one));
    for one in comparisons {
        if one.cell.spec.direction == Direction::Higher && !is_told(one) {
            let mut cells = figures(one, words);
            cells.extend([Cell::text("—"), phrases::judgement(one, words)]);
            table.push(cells);
        }
    }
    table
}

/// Metric, both figures, change, interval and n.
fn figures(one: &Comparison<'_>, words: &Catalogue) -> Vec<Cell> {
    vec![
        Cell::text(phrases::cell_name(one, words)),
        phrases::figure_cell(one, Which::Baseline, words),
        phrases::figure_cell(one, Which::Candidate, words),
        phrases::delta_cell(one, words),
        phrases::interval_cell(one),
        phrases::n_cell(one, words),
    ]
}
