//! Where differences come from: answers, or failures before there was an answer to judge.

use super::{lists, phrases};
use crate::compare::{Comparison, Contribution, Decomposition};
use crate::pairing::PairArm;
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table, Text};
use crate::text::Catalogue;

/// Most differences taken apart for one candidate.
const MOST_METRICS: usize = 4;
/// Most ways from one class to another.
const MOST_TRANSITIONS: usize = 8;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = phrases::by_candidate(material, |_, _, comparisons| {
        let found = comparisons.iter();
        let mut found: Vec<(&Comparison<'_>, &Decomposition)> =
            found.filter_map(|found| Some((found, found.decomposition.as_ref()?))).collect();
        found.sort_by(|(_, a), (_, b)| moved_by_failures(b).total_cmp(&moved_by_failures(a)));
        let more = lists::more("decomposition.more", found.len(), MOST_METRICS, words);
        let shown = found.into_iter().take(MOST_METRICS);
        let shown = shown.flat_map(|(found, parts)| taken_apart(found, parts, words));
        shown.chain(more.map(Block::paragraph)).collect()
    });
    if !blocks.is_empty() {
        blocks.insert(0, Block::paragraph(words.get("decomposition.lead")));
    }
    blocks
}

/// How much all failures together moved, whatever the sign.
fn moved_by_failures(parts: &Decomposition) -> f64 {
    let failures = parts.parts.iter().filter(|part| part.class.is_some());
    failures.map(|part| part.contribution.abs()).sum()
}

fn taken_apart(
    comparison: &Comparison<'_>,
    found: &Decomposition,
    words: &Catalogue,
) -> Vec<Block> {
    let mut blocks = vec![
        Block::paragraph(sentence(comparison, found, words)),
        contributions(comparison, found, words),
    ];
    let unscored = found.pairs - found.scored;
    if unscored > 0 {
        let args = [("count", quantity::count(unscored)), ("pairs", quantity::count(found.pairs))];
        blocks.push(Block::paragraph(words.fill("decomposition.unscored", &args)));
    }
    let moved = transitions(found, words);
    if !moved.is_empty() {
        blocks.push(Block::folded(words.get("decomposition.transitions"), moved));
    }
    blocks
}

/// `+17.1 pp = +12.0 pp (answers) + …`: everything that moved, the largest first.
fn sentence(one: &Comparison<'_>, found: &Decomposition, words: &Catalogue) -> Text {
    let mut moved: Vec<&Contribution> =
        found.parts.iter().filter(|part| quantity::settled(part.contribution) != 0.0).collect();
    moved.sort_by(|a, b| b.contribution.abs().total_cmp(&a.contribution.abs()));
    let parts: Vec<String> = moved
        .iter()
        .map(|part| {
            let contribution = phrases::exact_delta_text(one, part.contribution);
            let class = class_name(part, words);
            words.fill("decomposition.part", &[("contribution", &contribution), ("class", &class)])
        })
        .collect();
    let delta = phrases::exact_delta_text(one, one.delta.unwrap_or_default());
    let key = if parts.is_empty() { "decomposition.nothing" } else { "decomposition.sum" };
    let parts = parts.join(&words.get("punctuation.comma"));
    let text = words.fill(key, &[("delta", &delta), ("parts", &parts)]);
    phrases::cell_name(one, words).and_plain(text)
}

fn contributions(comparison: &Comparison<'_>, found: &Decomposition, words: &Catalogue) -> Block {
    let level = quantity::level(1.0 - comparison.alpha);
    let decimals = phrases::interval_decimals(comparison);
    let has_intervals = found.parts.iter().any(|part| part.interval.is_some());
    let [baseline, candidate] = PairArm::BOTH.map(|which| comparison.pair.name(which));
    Table::of_rows(&found.parts)
        .left(words.get("decomposition.class"), |part| class_name(part, words))
        .right(baseline, |part| Cell::count(part.baseline))
        .right(candidate, |part| Cell::count(part.candidate))
        .right(words.get("decomposition.contribution"), |part| {
            let shown = phrases::exact_delta_text(comparison, part.contribution);
            Cell::number(shown, part.contribution)
        })
        .when(has_intervals, |table| {
            table.right(words.fill("decomposition.interval", &[("level", &level)]), |part| {
                phrases::limits_cell(part.interval, decimals)
            })
        })
        .block()
}

fn transitions(found: &Decomposition, words: &Catalogue) -> Vec<Block> {
    let changed = found.transitions.iter().filter(|moved| moved.baseline != moved.candidate);
    let changed: Vec<_> = changed.collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let shown = &changed[..changed.len().min(MOST_TRANSITIONS)];
    let class = |name: &str| words.get(&format!("class.{name}"));
    let key = "decomposition.more-transitions";
    let more = lists::more(key, changed.len(), MOST_TRANSITIONS, words);
    let table = Table::of_rows(shown)
        .left(words.get("decomposition.before"), |moved| class(moved.baseline.name()))
        .left(words.get("decomposition.after"), |moved| class(moved.candidate.name()))
        .right(words.get("decomposition.pairs"), |moved| Cell::count(moved.pairs));
    std::iter::once(table.block()).chain(more.map(Block::paragraph)).collect()
}

fn class_name(part: &Contribution, words: &Catalogue) -> String {
    let name = part.class.map_or("answers", crate::compare::DecompositionClass::name);
    words.get(&format!("class.{name}"))
}
