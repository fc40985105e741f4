//! Where differences come from: answers, or failures before there was an answer to judge.

use super::phrases;
use crate::compare::{Comparison, Contribution, Decomposition};
use crate::group::Which;
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::text::Catalogue;

/// Most differences taken apart for one candidate.
const MOST_METRICS: usize = 4;
/// Most ways from one class to another.
const MOST_TRANSITIONS: usize = 8;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = Vec::new();
    for (pair, _, comparisons) in material.pairs() {
        let mut found: Vec<(&Comparison<'_>, &Decomposition)> =
            comparisons.iter().filter_map(|one| Some((one, one.decomposition.as_ref()?))).collect();
        found.sort_by(|(_, a), (_, b)| moved_by_failures(b).total_cmp(&moved_by_failures(a)));
        if found.is_empty() {
            continue;
        }
        blocks.extend(phrases::candidate_heading(material, pair));
        for (one, parts) in found.iter().take(MOST_METRICS) {
            blocks.extend(taken_apart(one, parts, material.options.alpha, words));
        }
        if found.len() > MOST_METRICS {
            let more = (found.len() - MOST_METRICS).to_string();
            let text = Text::plain(words.fill("decomposition.more", &[("count", &more)]));
            blocks.push(Block::Paragraph { text });
        }
    }
    if !blocks.is_empty() {
        let text = Text::plain(words.get("decomposition.lead"));
        blocks.insert(0, Block::Paragraph { text });
    }
    blocks
}

/// How much all failures together moved, whatever the sign.
fn moved_by_failures(parts: &Decomposition) -> f64 {
    let failures = parts.parts.iter().filter(|part| part.class.is_some());
    failures.map(|part| part.contribution.abs()).sum()
}

fn taken_apart(
    one: &Comparison<'_>,
    found: &Decomposition,
    alpha: f64,
    words: &Catalogue,
) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph { text: sentence(one, found, words) }];
    blocks.push(Block::Table { table: contributions(one, found, alpha, words) });
    let unscored = found.pairs - found.scored;
    if unscored > 0 {
        let args = [("count", quantity::count(unscored)), ("pairs", quantity::count(found.pairs))];
        let text = Text::plain(words.fill("decomposition.unscored", &args));
        blocks.push(Block::Paragraph { text });
    }
    let moved = transitions(found, words);
    if !moved.is_empty() {
        blocks.push(Block::Details {
            summary: Text::plain(words.get("decomposition.transitions")),
            blocks: vec![Block::Table { table: moved }],
        });
    }
    blocks
}

/// `+17.1 pp = +12.0 pp (answers) + …`: everything that moved, the largest first.
fn sentence(one: &Comparison<'_>, found: &Decomposition, words: &Catalogue) -> Text {
    let mut moved: Vec<&Contribution> =
        found.parts.iter().filter(|part| phrases::settled(part.contribution) != 0.0).collect();
    moved.sort_by(|a, b| b.contribution.abs().total_cmp(&a.contribution.abs()));
    let parts: Vec<String> = moved
        .iter()
        .map(|part| {
            let contribution = phrases::delta_text(one, part.contribution);
            let class = class_name(part, words);
            words.fill("decomposition.part", &[("contribution", &contribution), ("class", &class)])
        })
        .collect();
    let delta = phrases::delta_text(one, one.delta.unwrap_or_default());
    let key = if parts.is_empty() { "decomposition.nothing" } else { "decomposition.sum" };
    let parts = parts.join(&words.get("punctuation.comma"));
    let text = words.fill(key, &[("delta", &delta), ("parts", &parts)]);
    phrases::cell_name(one, words).and_plain(text)
}

fn contributions(
    one: &Comparison<'_>,
    found: &Decomposition,
    alpha: f64,
    words: &Catalogue,
) -> Table {
    let level = quantity::level(1.0 - alpha);
    let mut table = Table::with_heads(vec![
        (words.get("decomposition.class"), Align::Left),
        (one.pair.name(Which::Baseline).to_owned(), Align::Right),
        (one.pair.name(Which::Candidate).to_owned(), Align::Right),
        (words.get("decomposition.contribution"), Align::Right),
        (words.fill("decomposition.interval", &[("level", &level)]), Align::Right),
    ]);
    let number = |count: u64| Cell::number(quantity::count(count), count as f64);
    for part in &found.parts {
        let decimals = phrases::interval_decimals(one);
        let interval = part.interval.map_or_else(
            || Cell::text("—"),
            |interval| {
                Cell::number(quantity::interval(interval.lo, interval.hi, decimals), interval.lo)
            },
        );
        table.push(vec![
            Cell::text(class_name(part, words)),
            number(part.baseline),
            number(part.candidate),
            Cell::number(phrases::delta_text(one, part.contribution), part.contribution),
            interval,
        ]);
    }
    table
}

fn transitions(found: &Decomposition, words: &Catalogue) -> Table {
    let mut table = Table::with_heads(vec![
        (words.get("decomposition.before"), Align::Left),
        (words.get("decomposition.after"), Align::Left),
        (words.get("decomposition.pairs"), Align::Right),
    ]);
    let changed = found.transitions.iter().filter(|one| one.baseline != one.candidate);
    for one in changed.take(MOST_TRANSITIONS) {
        let class = |name: &str| Cell::text(words.get(&format!("class.{name}")));
        table.push(vec![
            class(one.baseline.name()),
            class(one.candidate.name()),
            Cell::number(quantity::count(one.pairs), one.pairs as f64),
        ]);
    }
    table
}

fn class_name(part: &Contribution, words: &Catalogue) -> String {
    let name = part.class.map_or("answers", crate::compare::Class::name);
    words.get(&format!("class.{name}"))
}
