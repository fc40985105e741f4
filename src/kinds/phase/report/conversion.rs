//! What errors turned into: counted over the same samples, or bounded by the shares.

use super::{PhaseMaterial, errors, phrases};
use crate::compare::DecompositionClass;
use crate::kinds::phase::analysis::{Bound, Conversion, PhaseDistribution, PhaseFlow};
use crate::pairing::{ArmPair, PairArm};
use crate::quantity;
use crate::report::block::{Block, Cell, Table, Text};
use crate::text::Catalogue;

pub(super) fn blocks(PhaseMaterial { phases, arms: material }: &PhaseMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = Vec::new();
    for phase in *phases {
        let mut lines = phase.distributions.iter().filter_map(|distribution| {
            let conversion = distribution.conversion.as_ref()?;
            let content = match conversion {
                Conversion::Counted(flow) => counted(phase.pair, distribution, flow, words),
                Conversion::Bounded(bounds) => bounded(bounds, words),
            };
            Some(errors::place(distribution, words).into_iter().chain(content))
        });
        if let Some(first) = lines.next() {
            blocks.extend(phrases::candidate_heading(material, phase.pair));
            blocks.extend(first.chain(lines.flatten()));
        }
    }
    blocks
}

fn counted(
    pair: &ArmPair<'_>,
    distribution: &PhaseDistribution<'_>,
    flow: &PhaseFlow,
    words: &Catalogue,
) -> Vec<Block> {
    let pairs = quantity::count(flow.pairs);
    let lead = words.fill("phase.flow-lead", &[("pairs", &pairs), ("metric", &flow.metric)]);
    let mut items = vec![Text::plain(failures(flow, words)), Text::plain(wrong(flow, words))];
    if distribution.counts_cut() {
        items.push(Text::plain(words.get("phase.flow-cut")));
    }
    vec![
        Block::paragraph(lead),
        matrix(pair, flow, words),
        Block::bullets(items),
        Block::paragraph(words.get("phase.flow-limits")),
    ]
}

fn filled(words: &Catalogue, key: &str, counts: &[(&str, u64)]) -> String {
    let shown: Vec<(&str, String)> =
        counts.iter().map(|(name, count)| (*name, quantity::count(*count))).collect();
    words.fill(key, &shown)
}

/// What became of the answers that failed, and how many new failures there are.
fn failures(flow: &PhaseFlow, words: &Catalogue) -> String {
    let is = |class: DecompositionClass| class.is_failure();
    let counts = [
        ("failed", flow.count(|from, _| is(from))),
        ("wrong", flow.count(|from, to| is(from) && to == DecompositionClass::WrongAnswer)),
        ("partly", flow.count(|from, to| is(from) && to == DecompositionClass::Answered)),
        ("right", flow.count(|from, to| is(from) && to == DecompositionClass::Right)),
        ("still", flow.count(|from, to| is(from) && is(to))),
        ("back", flow.count(|from, to| !is(from) && is(to))),
        ("after", flow.count(|_, to| is(to))),
    ];
    let partly = counts.iter().any(|(name, count)| *name == "partly" && *count > 0);
    let key = if partly { "phase.flow-failures-partly" } else { "phase.flow-failures" };
    filled(words, key, &counts)
}

/// Why the number of wrong answers moved as it did.
fn wrong(flow: &PhaseFlow, words: &Catalogue) -> String {
    let is = |class: DecompositionClass| {
        matches!(class, DecompositionClass::WrongAnswer | DecompositionClass::Answered)
    };
    let counts = [
        ("before", flow.count(|from, _| is(from))),
        ("after", flow.count(|_, to| is(to))),
        ("in_failed", flow.count(|from, to| from.is_failure() && is(to))),
        ("in_right", flow.count(|from, to| from == DecompositionClass::Right && is(to))),
        ("out_right", flow.count(|from, to| is(from) && to == DecompositionClass::Right)),
        ("out_failed", flow.count(|from, to| is(from) && to.is_failure())),
    ];
    filled(words, "phase.flow-wrong", &counts)
}

/// Rows are classes of the baseline, columns those of the candidate; `None` is the sum of all.
fn matrix(pair: &ArmPair<'_>, flow: &PhaseFlow, words: &Catalogue) -> Block {
    let name = |class: Option<DecompositionClass>| match class {
        Some(class) => words.get(&format!("class.{}", class.name())),
        None => words.get("phase.total"),
    };
    let count = |row: Option<DecompositionClass>, column: Option<DecompositionClass>| {
        flow.count(|from, to| {
            row.is_none_or(|row| row == from) && column.is_none_or(|column| column == to)
        })
    };
    let classes = flow.classes();
    let classes: Vec<Option<DecompositionClass>> =
        classes.into_iter().map(Some).chain([None]).collect();
    let arms =
        [("baseline", pair.name(PairArm::Baseline)), ("candidate", pair.name(PairArm::Candidate))];
    let table = Table::of_rows(&classes)
        .left(words.fill("phase.flow-head", &arms), |row| Text::strong(name(*row)));
    let table = classes.iter().fold(table, |table, column| {
        table.right(name(*column), |row| match count(*row, *column) {
            same if row == column && row.is_some() && same > 0 => {
                Cell::number(Text::strong(quantity::count(same)), same as f64)
            }
            count => Cell::count(count),
        })
    });
    table.block()
}

fn bounded(bounds: &[Bound], words: &Catalogue) -> Vec<Block> {
    let head = |name: &str| words.get(&format!("phase.bound-{name}"));
    let group = |name: &str| words.get(&format!("phase.group.{name}"));
    let share =
        |percent: f64| Cell::number(quantity::figure(percent, quantity::Unit::Percent), percent);
    let table = Table::of_rows(bounds)
        .left(head("from"), |bound| group(bound.from))
        .left(head("to"), |bound| group(bound.to))
        .right(head("least"), |bound| share(bound.least))
        .right(head("most"), |bound| share(bound.most));
    vec![
        Block::paragraph(words.get("phase.bound-lead")),
        table.block(),
        Block::paragraph(words.get("phase.bound-hint")),
    ]
}
