//! Quality: what was expected of each metric and what came out, and the other good figures beside.

use std::ptr;

use super::{PhaseMaterial, expected_cell, notes, outcome_cell, phrases};
use crate::check::Grade;
use crate::compare::Comparison;
use crate::kinds::phase::analysis::{ExpectationClass, Expected, Fulfilment, Phase};
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
pub(super) fn is_of_errors(phase: &Phase<'_>, expected: &Expected<'_>) -> bool {
    let shares = phase.distributions.iter().flat_map(|distribution| &distribution.shares);
    let mut errors = shares.filter(|share| share.name != "success");
    expected.comparison.is_some_and(|comparison| {
        errors.any(|share| share.comparison.is_some_and(|other| ptr::eq(other, comparison)))
    })
}

/// What is counted first.
const ORDER: [&str; 5] = ["met", "exceeded", "missed", "violated", "open"];

/// How many expectations came out how: in the classes of the headline, and where their figures
/// stand of those that are inconclusive.
fn summary(phase: &Phase<'_>, words: &Catalogue) -> Text {
    if phase.expectations.is_empty() {
        return Text::plain(words.get("phase.no-expectations"));
    }
    let outcomes = || phase.expectations.iter().map(|expected| &expected.outcome);
    let open = outcomes().filter(|outcome| outcome.class() == ExpectationClass::Open);
    let by_value = counted(open.map(|outcome| match outcome {
        Fulfilment::Judged(judged) => judged.standing.name(),
        Fulfilment::Ambiguous(_) => "ambiguous",
        Fulfilment::Open(why) => why.name(),
    }));
    let part = |(name, count): &(&'static str, usize), key: &str, values: &str| {
        let name = words.get(&format!("phase.count.{name}"));
        let count = count.to_string();
        words.fill(key, &[("name", name.as_str()), ("count", &count), ("values", values)])
    };
    let comma = words.get("punctuation.comma");
    let values: Vec<String> = by_value.iter().map(|one| part(one, "phase.counted", "")).collect();
    let values = values.join(&comma);
    let all = counted(outcomes().map(|outcome| outcome.class().name()));
    let parts: Vec<String> = all
        .iter()
        .map(|one| {
            let key = if one.0 == "open" { "phase.counted-by-value" } else { "phase.counted" };
            part(one, key, &values)
        })
        .collect();
    let total = phase.expectations.len().to_string();
    let args = [("total", total), ("parts", parts.join(&comma))];
    Text::plain(words.fill("phase.summary", &args))
}

/// How often each name comes up, in the order of [`ORDER`].
fn counted(names: impl Iterator<Item = &'static str>) -> Vec<(&'static str, usize)> {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for name in names {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let place = |name: &str| ORDER.iter().position(|first| *first == name).unwrap_or(ORDER.len());
    counts.sort_by_key(|(name, _)| place(name));
    counts
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
