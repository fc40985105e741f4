//! How errors are distributed: shares that add up, and bars of both arms to one printed scale.

use std::ptr;

use super::{PhaseMaterial, expected_cell, notes, outcome_cell, phrases};
use crate::compare::Comparison;
use crate::kinds::phase::analysis::{Expected, Phase, PhaseDistribution, PhaseShare, PhaseSum};
use crate::pairing::{ArmPair, PairArm};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Icon, Table, Text};
use crate::report::chart::{Bar, BarGroup, Chart, Marks};
use crate::text::Catalogue;

pub(super) fn blocks(PhaseMaterial { phases, arms: material }: &PhaseMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = Vec::new();
    for phase in phases.iter().filter(|phase| !phase.distributions.is_empty()) {
        blocks.extend(phrases::candidate_heading(material, phase.pair));
        for distribution in &phase.distributions {
            blocks.extend(place(distribution, words));
            blocks.push(table(phase, distribution, material));
            blocks.extend(left_out(phase.pair, distribution, words));
            let shares = distribution.shares.iter();
            let expected: Vec<_> = shares.flat_map(|share| expected_of(phase, share)).collect();
            blocks.extend(notes(&expected, words));
            blocks.push(bars(phase.pair, distribution, words));
        }
    }
    blocks
}

/// A heading with dataset and coordinates.
pub(super) fn place(distribution: &PhaseDistribution<'_>, words: &Catalogue) -> Option<Block> {
    let dims =
        (!distribution.dims.is_empty()).then(|| phrases::place_phrase(distribution.dims, words));
    let parts: Vec<String> =
        distribution.dataset.map(str::to_owned).into_iter().chain(dims).collect();
    (!parts.is_empty()).then(|| Block::heading(parts.join(" · ")))
}

/// The expectations of a kind of ending; those of right answers stand with quality.
fn expected_of<'p, 'a>(phase: &'p Phase<'a>, share: &PhaseShare<'_>) -> Vec<&'p Expected<'a>> {
    let Some(comparison) = share.comparison.filter(|_| share.name != "success") else {
        return Vec::new();
    };
    let is_about = |expected: &&Expected<'_>| {
        expected.comparison.is_some_and(|other| ptr::eq(other, comparison))
    };
    phase.expectations.iter().filter(is_about).collect()
}

/// A row for each kind of ending, and one for their sum.
fn table(
    phase: &Phase<'_>,
    distribution: &PhaseDistribution<'_>,
    material: &ReportMaterial<'_>,
) -> Block {
    let words = material.words;
    let level = quantity::level(1.0 - material.options.alpha);
    let rows: Vec<_> = distribution.shares.iter().map(Some).chain([None]).collect();
    let figure = |row: Option<&PhaseShare<'_>>, cell: &dyn Fn(&Comparison<'_>) -> Cell| match row {
        Some(PhaseShare { comparison: Some(comparison), .. }) => cell(comparison),
        Some(_) => Cell::missing(),
        None => Cell::default(),
    };
    let side = |row: Option<&PhaseShare<'_>>, which: PairArm| match row {
        Some(_) => figure(row, &|comparison| phrases::figure_cell(comparison, which, words)),
        None => distribution.sums[which].map_or_else(Cell::missing, sum_cell),
    };
    let is_explained = distribution.conversion.is_some();
    Table::of_rows(&rows)
        .left(words.get("phase.kind"), |row| match row {
            Some(share) => Text::code(share.name.as_str()),
            None => Text::strong(words.get("phase.total")),
        })
        .right(phase.pair.name(PairArm::Baseline), |row| side(*row, PairArm::Baseline))
        .right(phase.pair.name(PairArm::Candidate), |row| side(*row, PairArm::Candidate))
        .right(words.get("phase.change"), |row| {
            figure(*row, &|comparison| phrases::delta_cell(comparison, words))
        })
        .right(words.get("phase.relative"), |row| figure(*row, &relative_cell))
        .right(words.fill("results.interval", &[("level", &level)]), |row| {
            figure(*row, &phrases::interval_cell)
        })
        .left(words.get("phase.expected"), |row| match row {
            Some(share) if share.comparison.is_some() => expected_cell(&expected_of(phase, share)),
            _ => Cell::default(),
        })
        .left(words.get("results.judgement"), |row| match row {
            Some(share @ PhaseShare { comparison: Some(comparison), .. }) => {
                match expected_of(phase, share).as_slice() {
                    [] => judgement(comparison, is_explained, words),
                    expected => outcome_cell(expected, words),
                }
            }
            _ => Cell::default(),
        })
        .block()
}

fn relative_cell(comparison: &Comparison<'_>) -> Cell {
    match comparison.relative() {
        _ if comparison.delta.is_none() => Cell::missing(),
        Some(relative) => Cell::number(quantity::signed_relative_change(relative), relative),
        None => Cell::dash(),
    }
}

fn sum_cell(sum: PhaseSum) -> Cell {
    let text = Text::plain(quantity::figure(sum.total, Unit::Percent));
    let text = if sum.is_whole() { text } else { text.and_plain(" ").and_icon(Icon::Caution) };
    Cell::number(text, sum.total)
}

/// A kind of ending without a good side is told by what errors turned into.
fn judgement(comparison: &Comparison<'_>, explained: bool, words: &Catalogue) -> Cell {
    match (comparison.delta, comparison.cell.spec.direction.sign()) {
        (Some(delta), None) => {
            let icon = phrases::direction_icon(quantity::settled(delta));
            let key = if explained { "phase.neutral" } else { "phase.neutral-alone" };
            Text::marked(icon, words.get(key)).into()
        }
        _ => phrases::judgement(comparison, words),
    }
}

/// What is missing from a sum.
fn left_out(
    pair: &ArmPair<'_>,
    distribution: &PhaseDistribution<'_>,
    words: &Catalogue,
) -> Option<Block> {
    let mut items = Vec::new();
    for (which, sum) in PairArm::BOTH.into_iter().zip(distribution.sums) {
        let missing: Vec<&str> = distribution
            .shares
            .iter()
            .filter(|share| share.percent(which).is_none())
            .map(|share| share.name.as_str())
            .collect();
        if missing.is_empty() {
            continue;
        }
        let kinds = missing.join(&words.get("punctuation.comma"));
        let arm = pair.name(which);
        let text = match sum {
            Some(sum) if sum.is_whole() => {
                words.fill("phase.left-out-whole", &[("arm", arm), ("kinds", &kinds)])
            }
            Some(sum) => {
                let rest = quantity::fixed((100.0 - sum.total).abs(), 1);
                let total = quantity::figure(sum.total, Unit::Percent);
                let args =
                    [("arm", arm), ("kinds", &kinds), ("total", &total), ("rest", rest.as_str())];
                words.fill("phase.left-out", &args)
            }
            None => words.fill("phase.no-sum", &[("arm", arm), ("kinds", &kinds)]),
        };
        items.push(Text::plain(text));
    }
    (!items.is_empty()).then(|| Block::bullets(items))
}

/// As parts of one bar for each arm where they add up, else as bars of their own.
fn bars(pair: &ArmPair<'_>, distribution: &PhaseDistribution<'_>, words: &Catalogue) -> Block {
    let group = |which: PairArm| {
        let bars = distribution.shares.iter().map(|share| {
            let value = share.percent(which);
            let shown = value
                .map_or_else(|| "?".to_owned(), |value| quantity::figure(value, Unit::Percent));
            Bar { name: share.name.clone(), value, shown }
        });
        let name = pair.name(which);
        let ran = distribution.ran.and_then(|one| Some((one, one.own_figure(which)?)));
        let name = match ran {
            Some((one, value)) => {
                let shown = quantity::figure(value, one.cell.spec.unit);
                format!("{name}  exec_success_rate = {shown}")
            }
            None => name.to_owned(),
        };
        BarGroup { name, bars: bars.collect() }
    };
    let groups = PairArm::BOTH.map(group).into();
    let mut chart = Chart::of_bars("endings", words.get("phase.endings"), "%", groups, words);
    let adds_up = distribution.sums.iter().flatten().filter(|sum| sum.is_whole()).count() == 2;
    if let Marks::Bars { is_whole, .. } = &mut chart.marks {
        *is_whole = adds_up;
    }
    Block::chart(chart)
}
