//! What errors turned into: counted over the same samples, or bounded by the shares.

use super::{PhaseMaterial, errors, phrases};
use crate::compare::Class;
use crate::group::{ArmPair, Which};
use crate::kinds::phase::analysis::{Bound, Conversion, Distribution, Flow};
use crate::quantity;
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::text::Catalogue;

pub(super) fn blocks(PhaseMaterial { phases, arms: material }: &PhaseMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = Vec::new();
    for phase in *phases {
        let told: Vec<(&Distribution<'_>, &Conversion)> = phase
            .distributions
            .iter()
            .filter_map(|one| Some((one, one.conversion.as_ref()?)))
            .collect();
        if told.is_empty() {
            continue;
        }
        blocks.extend(phrases::candidate_heading(material, phase.pair));
        for (own, conversion) in told {
            blocks.extend(errors::place(own, words));
            blocks.extend(match conversion {
                Conversion::Counted(flow) => counted(phase.pair, own, flow, words),
                Conversion::Bounded(bounds) => bounded(bounds, words),
            });
        }
    }
    blocks
}

fn counted(
    pair: &ArmPair<'_>,
    own: &Distribution<'_>,
    flow: &Flow,
    words: &Catalogue,
) -> Vec<Block> {
    let pairs = quantity::count(flow.pairs);
    let lead = words.fill("phase.flow-lead", &[("pairs", &pairs), ("metric", &flow.metric)]);
    let mut items = vec![Text::plain(failures(flow, words)), Text::plain(wrong(flow, words))];
    if own.counts_cut() {
        items.push(Text::plain(words.get("phase.flow-cut")));
    }
    vec![
        Block::paragraph(lead),
        Block::Table { table: matrix(pair, flow, words) },
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
fn failures(flow: &Flow, words: &Catalogue) -> String {
    let is = |class: Class| class.is_failure();
    let counts = [
        ("failed", flow.count(|from, _| is(from))),
        ("wrong", flow.count(|from, to| is(from) && to == Class::WrongAnswer)),
        ("partly", flow.count(|from, to| is(from) && to == Class::Answered)),
        ("right", flow.count(|from, to| is(from) && to == Class::Right)),
        ("still", flow.count(|from, to| is(from) && is(to))),
        ("back", flow.count(|from, to| !is(from) && is(to))),
        ("after", flow.count(|_, to| is(to))),
    ];
    let partly = counts.iter().any(|(name, count)| *name == "partly" && *count > 0);
    filled(
        words,
        if partly { "phase.flow-failures-partly" } else { "phase.flow-failures" },
        &counts,
    )
}

/// Why the number of wrong answers moved as it did.
fn wrong(flow: &Flow, words: &Catalogue) -> String {
    let is = |class: Class| matches!(class, Class::WrongAnswer | Class::Answered);
    let counts = [
        ("before", flow.count(|from, _| is(from))),
        ("after", flow.count(|_, to| is(to))),
        ("in_failed", flow.count(|from, to| from.is_failure() && is(to))),
        ("in_right", flow.count(|from, to| from == Class::Right && is(to))),
        ("out_right", flow.count(|from, to| is(from) && to == Class::Right)),
        ("out_failed", flow.count(|from, to| is(from) && to.is_failure())),
    ];
    filled(words, "phase.flow-wrong", &counts)
}

/// Rows are classes of the baseline, columns those of the candidate.
fn matrix(pair: &ArmPair<'_>, flow: &Flow, words: &Catalogue) -> Table {
    let classes = flow.classes();
    let class = |class: &Class| words.get(&format!("class.{}", class.name()));
    let arms =
        [("baseline", pair.name(Which::Baseline)), ("candidate", pair.name(Which::Candidate))];
    let mut heads = vec![(words.fill("phase.flow-head", &arms), Align::Left)];
    heads.extend(classes.iter().map(|one| (class(one), Align::Right)));
    heads.push((words.get("phase.total"), Align::Right));
    let mut table = Table::with_heads(heads);
    let number = |count: u64| Cell::count(count);
    for row in &classes {
        let mut cells = vec![Cell::text(Text::strong(class(row)))];
        cells.extend(classes.iter().map(|column| {
            let count = flow.count(|from, to| from == *row && to == *column);
            if row == column && count > 0 {
                Cell::number(Text::strong(quantity::count(count)), count as f64)
            } else {
                number(count)
            }
        }));
        cells.push(number(flow.count(|from, _| from == *row)));
        table.push(cells);
    }
    let mut total = vec![Cell::text(Text::strong(words.get("phase.total")))];
    total.extend(classes.iter().map(|column| number(flow.count(|_, to| to == *column))));
    total.push(number(flow.pairs));
    table.push(total);
    table
}

fn bounded(bounds: &[Bound], words: &Catalogue) -> Vec<Block> {
    let heads = ["from", "to", "least", "most"].map(|head| {
        let align = if matches!(head, "least" | "most") { Align::Right } else { Align::Left };
        (words.get(&format!("phase.bound-{head}")), align)
    });
    let mut table = Table::with_heads(heads.into());
    for one in bounds {
        let group = |name: &str| Cell::text(words.get(&format!("phase.group.{name}")));
        let share = |percent: f64| {
            Cell::number(quantity::figure(percent, quantity::Unit::Percent), percent)
        };
        table.push(vec![group(one.from), group(one.to), share(one.least), share(one.most)]);
    }
    vec![
        Block::paragraph(words.get("phase.bound-lead")),
        Block::Table { table },
        Block::paragraph(words.get("phase.bound-hint")),
    ]
}
