//! What could not be concluded, and what would be needed.

use std::collections::BTreeMap;

use super::phrases;
use crate::compare::{Comparison, PairedP, Pairing, Reason, Verdict};
use crate::group::Which;
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::text::Catalogue;

/// Most undecided comparisons listed one by one.
const MOST_LISTED: usize = 20;

pub(crate) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = Vec::new();
    let open: Vec<&Comparison<'_>> =
        material.all().filter(|one| one.verdict == Verdict::Inconclusive).collect();
    if !open.is_empty() {
        let power = quantity::level(material.options.power);
        let in_family = open.iter().any(|one| one.family_size() > 1);
        let key = if in_family { "limits.lead-family" } else { "limits.lead" };
        let text = Text::plain(words.fill(key, &[("power", &power)]));
        blocks.push(Block::Paragraph { text });
        blocks.push(Block::Table { table: needed(&open, words) });
        if open.len() > MOST_LISTED {
            let more = (open.len() - MOST_LISTED).to_string();
            let text = Text::plain(words.fill("limits.more", &[("count", &more)]));
            blocks.push(Block::Paragraph { text });
        }
    }
    let items = unassessed(material, words);
    if !items.is_empty() {
        blocks.push(Block::List { ordered: false, items });
    }
    let items = pairings(material, words);
    if !items.is_empty() {
        blocks.push(Block::List { ordered: false, items });
    }
    blocks
}

/// What a paired test could give where only figures are stated and nothing is concluded from them.
fn pairings(material: &Material<'_>, words: &Catalogue) -> Vec<Text> {
    let judged = material.all().filter(|one| {
        one.cell.spec.direction.sign().is_some()
            && matches!(one.verdict, Verdict::Inconclusive | Verdict::NotAssessable)
    });
    let stated: Vec<_> =
        judged.filter_map(|one| Some((one, one.paired_p?, one.pairing()?))).collect();
    let sentence = |(one, p, pairing): &(&Comparison<'_>, PairedP, Pairing)| {
        let key = match pairing {
            Pairing::Significant => "limits.however-paired",
            Pairing::Undetermined => "limits.pairing-would-tell",
        };
        let args =
            [("lowest", quantity::p_value(p.lowest)), ("highest", quantity::p_value(p.highest))];
        phrases::cell_name(one, words).and_plain(words.fill(key, &args))
    };
    let mut items: Vec<Text> = stated.iter().take(MOST_LISTED).map(sentence).collect();
    if stated.len() > MOST_LISTED {
        let more = (stated.len() - MOST_LISTED).to_string();
        items.push(Text::plain(words.fill("limits.more", &[("count", &more)])));
    }
    items
}

fn needed(open: &[&Comparison<'_>], words: &Catalogue) -> Table {
    let mut table = Table::with_heads(vec![
        (words.get("results.metric"), Align::Left),
        (words.get("results.difference"), Align::Right),
        (words.get("results.n"), Align::Right),
        (words.get("limits.mde"), Align::Right),
        (words.get("limits.needed"), Align::Right),
    ]);
    for one in open.iter().take(MOST_LISTED) {
        let mde = one.mde.map_or_else(
            || Cell::text("—"),
            |mde| {
                let suffix = one.cell.spec.unit.difference_suffix();
                let shown = quantity::fixed(mde, phrases::interval_decimals(one));
                Cell::number(format!("{shown}{suffix}"), mde)
            },
        );
        let needed = one.needed.map_or_else(
            || Cell::text("—"),
            |n| {
                let seed_pairs = one.seeds.as_ref().map(|seeds| seeds.paired.is_some());
                let key = match (seed_pairs, one.clusters(), one.paired()) {
                    _ if one.own_clusters().is_some() => "limits.clusters-per-arm",
                    (Some(true), ..) => "limits.seed-pairs",
                    (Some(false), ..) => "limits.seeds-per-arm",
                    (None, Some(_), _) => "limits.clusters",
                    (None, None, Some(_)) => "limits.pairs",
                    (None, None, None) => "limits.per-arm",
                };
                Cell::number(words.fill(key, &[("count", &quantity::count(n))]), n as f64)
            },
        );
        table.push(vec![
            Cell::text(phrases::cell_name(one, words)),
            phrases::delta_cell(one, words),
            phrases::n_cell(one, words),
            mde,
            needed,
        ]);
    }
    table
}

/// Comparisons without a verdict, counted by reason.
fn unassessed(material: &Material<'_>, words: &Catalogue) -> Vec<Text> {
    let mut reasons: BTreeMap<&'static str, (u64, Vec<String>)> = BTreeMap::new();
    let explained = |one: &&Comparison<'_>| {
        one.verdict == Verdict::NotAssessable
            || matches!(
                one.reason,
                Some(
                    Reason::MissingCouldUndo
                        | Reason::LostToFamily
                        | Reason::OutOfReach
                        | Reason::WithinNoise
                        | Reason::NoiseBeyondMargin
                )
            )
    };
    let all = material.pairs().flat_map(|(pair, _, comparisons)| {
        let elsewhere = pair.lies_elsewhere();
        comparisons.iter().map(move |one| (pair, elsewhere, one))
    });
    for (pair, elsewhere, one) in all.filter(|(_, _, one)| explained(one)) {
        let can_be = |&which: &Which| pair.can_be_in(one.cell, which);
        let key = match one.reason {
            // Nothing can be run that would give the figure.
            Some(Reason::MissingValue) if elsewhere || !Which::BOTH.iter().all(can_be) => continue,
            None | Some(Reason::Neutral | Reason::DirectionUnknown) => continue,
            Some(reason) => reason.key(),
        };
        let entry = reasons.entry(key).or_default();
        entry.0 += 1;
        let code = match one.reason {
            Some(Reason::Blocked(code)) => code.id().to_owned(),
            _ => one.cell.key.metric.clone(),
        };
        if !entry.1.contains(&code) {
            entry.1.push(code);
        }
    }
    reasons
        .into_iter()
        .map(|(key, (count, mut names))| {
            let more = names.len() > MOST_NAMES;
            names.truncate(MOST_NAMES);
            let mut list = names.join(&words.get("punctuation.comma"));
            if more {
                list.push('…');
            }
            let key = format!("reason.{key}");
            Text::plain(words.fill(&key, &[("count", &count.to_string()), ("names", &list)]))
        })
        .collect()
}

/// Most metric names in one sentence.
const MOST_NAMES: usize = 6;
