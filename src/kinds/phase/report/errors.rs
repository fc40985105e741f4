//! How errors are distributed: shares that add up, and bars of both arms to one printed scale.

use std::ptr;

use super::{PhaseMaterial, expected_cell, notes, outcome_cell, phrases};
use crate::compare::Comparison;
use crate::group::{ArmPair, Which};
use crate::kinds::phase::analysis::{Distribution, Expected, Phase, Share};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::report::chart::{self, Bar};
use crate::text::Catalogue;

pub(super) fn blocks(PhaseMaterial { phases, arms: material }: &PhaseMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = Vec::new();
    for phase in *phases {
        if phase.distributions.is_empty() {
            continue;
        }
        blocks.extend(phrases::candidate_heading(material, phase.pair));
        for one in &phase.distributions {
            blocks.extend(place(one, words));
            blocks.push(Block::Table { table: table(phase, one, material) });
            blocks.extend(left_out(phase.pair, one, words));
            let expected: Vec<&Expected<'_>> =
                one.shares.iter().flat_map(|share| expected_of(phase, share)).collect();
            blocks.extend(notes(&expected, words));
            blocks.extend(bars(phase.pair, one, words));
        }
    }
    blocks
}

/// A heading with dataset and coordinates.
pub(super) fn place(one: &Distribution<'_>, words: &Catalogue) -> Option<Block> {
    let mut parts: Vec<String> = one.dataset.map(str::to_owned).into_iter().collect();
    if !one.dims.is_empty() {
        parts.push(phrases::place(one.dims, words));
    }
    (!parts.is_empty()).then(|| Block::heading(parts.join(" · ")))
}

/// The expectations of a kind of ending; those of right answers stand with quality.
fn expected_of<'p, 'a>(phase: &'p Phase<'a>, share: &Share<'_>) -> Vec<&'p Expected<'a>> {
    let Some(one) = share.comparison.filter(|_| share.name != "success") else {
        return Vec::new();
    };
    let own = phase.expectations.iter();
    own.filter(|expected| expected.comparison.is_some_and(|other| ptr::eq(other, one))).collect()
}

fn table(phase: &Phase<'_>, own: &Distribution<'_>, material: &Material<'_>) -> Table {
    let words = material.words;
    let level = quantity::level(1.0 - material.options.alpha);
    let mut table = Table::with_heads(vec![
        (words.get("phase.kind"), Align::Left),
        (phase.pair.name(Which::Baseline).to_owned(), Align::Right),
        (phase.pair.name(Which::Candidate).to_owned(), Align::Right),
        (words.get("phase.change"), Align::Right),
        (words.get("phase.relative"), Align::Right),
        (words.fill("results.interval", &[("level", &level)]), Align::Right),
        (words.get("phase.expected"), Align::Left),
        (words.get("results.judgement"), Align::Left),
    ]);
    for share in &own.shares {
        let mut cells = vec![Cell::text(Text::code(share.name.clone()))];
        let Some(one) = share.comparison else {
            cells.extend(vec![Cell::missing(); 5]);
            table.push(cells);
            continue;
        };
        let relative = one.relative().map_or_else(
            || Cell::text("—"),
            |relative| Cell::number(quantity::signed_relative_change(relative), relative),
        );
        cells.extend([
            phrases::figure_cell(one, Which::Baseline, words),
            phrases::figure_cell(one, Which::Candidate, words),
            phrases::delta_cell(one, words),
            if one.delta.is_some() { relative } else { Cell::missing() },
            phrases::interval_cell(one),
        ]);
        let expected = expected_of(phase, share);
        cells.push(expected_cell(&expected));
        cells.push(if expected.is_empty() {
            judgement(one, own.conversion.is_some(), words)
        } else {
            outcome_cell(&expected, words)
        });
        table.push(cells);
    }
    let mut total = vec![Cell::text(Text::strong(words.get("phase.total")))];
    total.extend(own.sums.map(|sum| match sum {
        None => Cell::missing(),
        Some(sum) => {
            let shown = quantity::figure(sum.total, Unit::Percent);
            let text = Text::plain(shown);
            let text =
                if sum.is_whole() { text } else { text.and_plain(" ").and_icon(Icon::Caution) };
            Cell::number(text, sum.total)
        }
    }));
    table.push(total);
    table
}

/// A kind of ending without a good side is told by what errors turned into.
fn judgement(one: &Comparison<'_>, explained: bool, words: &Catalogue) -> Cell {
    match (one.delta, one.cell.spec.direction.sign()) {
        (Some(delta), None) => {
            let icon = phrases::direction_icon(phrases::settled(delta));
            let key = if explained { "phase.neutral" } else { "phase.neutral-alone" };
            Cell::text(Text::icon(icon).and_plain(format!(" {}", words.get(key))))
        }
        _ => phrases::judgement(one, words),
    }
}

/// What is missing from a sum.
fn left_out(pair: &ArmPair<'_>, own: &Distribution<'_>, words: &Catalogue) -> Option<Block> {
    let mut items = Vec::new();
    for (which, sum) in Which::BOTH.into_iter().zip(own.sums) {
        let missing: Vec<&str> = own
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

/// Bars of both arms, one scale.
fn bars(pair: &ArmPair<'_>, own: &Distribution<'_>, words: &Catalogue) -> Vec<Block> {
    let of = |which: Which| {
        own.shares.iter().map(move |share| {
            let value = share.percent(which);
            let shown = value
                .map_or_else(|| "?".to_owned(), |value| quantity::figure(value, Unit::Percent));
            Bar { name: share.name.clone(), value, shown }
        })
    };
    let all: Vec<Bar> = Which::BOTH.into_iter().flat_map(of).collect();
    let scale = chart::scale(all.iter().filter_map(|bar| bar.value));
    let drawn = chart::bars(&all, scale);
    let lines: Vec<&str> = drawn.split('\n').collect();
    let mut text: Vec<String> = Vec::new();
    for (which, lines) in Which::BOTH.into_iter().zip(lines.chunks(own.shares.len())) {
        if which == Which::Candidate {
            text.push(String::new());
        }
        let name = pair.name(which);
        let ran = own.ran.and_then(|one| Some((one, one.figure(which)?)));
        text.push(match ran {
            Some((one, value)) => {
                let shown = quantity::figure(value, one.cell.spec.unit);
                format!("{name}  exec_success_rate = {shown}")
            }
            None => name.to_owned(),
        });
        text.extend(lines.iter().map(|line| format!("  {line}")));
    }
    let sign = quantity::figure(scale, Unit::Percent);
    vec![
        Block::paragraph(words.fill("phase.scale", &[("scale", &sign)])),
        Block::Code { lang: "text".to_owned(), text: text.join("\n") },
    ]
}
