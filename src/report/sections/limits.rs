//! What could not be concluded, and what would be needed.

use std::collections::{BTreeMap, BTreeSet};

use super::{lists, phrases};
use crate::compare::{Comparison, PairedP, Pairing, Verdict, VerdictReason};
use crate::pairing::PairArm;
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table, Text};
use crate::text::Catalogue;

/// Most undecided comparisons listed one by one.
const MOST_LISTED: usize = 20;

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = Vec::new();
    let open: Vec<&Comparison<'_>> =
        material.all().filter(|comparison| is_open(comparison)).collect();
    if !open.is_empty() {
        let power = quantity::level(material.options.power);
        let in_family = open.iter().any(|comparison| comparison.shares_level());
        let key = if in_family { "limits.lead-family" } else { "limits.lead" };
        blocks.push(Block::paragraph(words.fill(key, &[("power", &power)])));
        blocks.push(needed(&open[..open.len().min(MOST_LISTED)], words));
        let more = lists::more("limits.more", open.len(), MOST_LISTED, words);
        blocks.extend(more.map(Block::paragraph));
    }
    let unbounded = [beyond_the_pairs(material, words), rare_losses(material, words)].concat();
    for items in [unassessed(material, words), pairings(material, words), unbounded] {
        if !items.is_empty() {
            blocks.push(Block::bullets(items));
        }
    }
    blocks
}

/// Whether the comparison is undecided. A guard that is not worse counts as decided.
fn is_open(comparison: &Comparison<'_>) -> bool {
    comparison.verdict == Verdict::Inconclusive
        && comparison.reason != Some(VerdictReason::GuardHeld)
        && !is_limited_by_noise(comparison)
}

/// What a paired test could give where only figures are stated and nothing is concluded from them.
fn pairings(material: &ReportMaterial<'_>, words: &Catalogue) -> Vec<Text> {
    let judged = material.all().filter(|comparison| {
        comparison.cell.is_judged()
            && matches!(comparison.verdict, Verdict::Inconclusive | Verdict::NotAssessable)
    });
    let stated: Vec<_> = judged
        .filter_map(|comparison| Some((comparison, comparison.paired_p?, comparison.pairing()?)))
        .collect();
    let sentence = |(comparison, p, pairing): &(&Comparison<'_>, PairedP, Pairing)| {
        let key = match pairing {
            Pairing::Significant => "limits.however-paired",
            Pairing::Undetermined => "limits.pairing-would-tell",
        };
        let args = [
            ("lowest", quantity::p_value_text(p.lowest)),
            ("highest", quantity::p_value_text(p.highest)),
        ];
        phrases::cell_name(comparison, words).and_plain(words.fill(key, &args))
    };
    let more = lists::more("limits.more", stated.len(), MOST_LISTED, words);
    stated.iter().take(MOST_LISTED).map(sentence).chain(more.map(Text::plain)).collect()
}

/// Differences that the order of the scores shows with the missing ones as the worst, and the mean only
/// if these do not go far the other way.
fn beyond_the_pairs(material: &ReportMaterial<'_>, words: &Catalogue) -> Vec<Text> {
    let differing = material.all().filter(|comparison| differs(comparison));
    let open: Vec<_> = differing
        .filter_map(|comparison| Some((comparison, comparison.lost_without_bounds()?)))
        .collect();
    let sentence = |&(comparison, (lost, each)): &(&Comparison<'_>, (u64, f64))| {
        let suffix = comparison.cell.spec.unit.difference_suffix();
        let each = quantity::signed(each, phrases::interval_decimals(comparison));
        let args = [("count", quantity::count(lost)), ("each", format!("{each}{suffix}"))];
        let said = words.fill("limits.missing-without-bounds", &args);
        phrases::cell_name(comparison, words).and_plain(said)
    };
    let more = lists::more("limits.more", open.len(), MOST_LISTED, words);
    open.iter().take(MOST_LISTED).map(sentence).chain(more.map(Text::plain)).collect()
}

/// Differences of scores without bounds, of which rare large losses may be in none of the pairs: of n
/// samples without any, a share of up to 3/n may have one (the rule of three, Hanley and Lippman-Hand 1983,
/// *JAMA* 249).
fn rare_losses(material: &ReportMaterial<'_>, words: &Catalogue) -> Vec<Text> {
    let Some(fewest) = material.fewest_open_pairs() else { return Vec::new() };
    let open = material.open_differences().map(|(comparison, _)| &comparison.cell.key.metric);
    let names: BTreeSet<String> = open.cloned().collect();
    let args = [
        ("names", lists::first(names, MOST_NAMES, words)),
        ("pairs", quantity::count(fewest)),
        ("share", quantity::percent(3.0 / fewest as f64)),
    ];
    vec![Text::plain(words.fill("limits.rare-losses", &args))]
}

fn differs(comparison: &Comparison<'_>) -> bool {
    comparison.verdict.is_decided()
}

fn needed(open: &[&Comparison<'_>], words: &Catalogue) -> Block {
    let mde = |open: &&Comparison<'_>| {
        let mde = open.mde;
        mde.map_or_else(Cell::dash, |mde| {
            let suffix = open.cell.spec.unit.difference_suffix();
            let shown = quantity::fixed(mde, phrases::interval_decimals(open));
            Cell::number(format!("{shown}{suffix}"), mde)
        })
    };
    let needed = |open: &&Comparison<'_>| {
        further(open).map_or_else(Cell::dash, |[_, needed]| {
            Cell::number(with_unit(open, needed, words), needed as f64)
        })
    };
    Table::of_rows(open)
        .left(words.get("results.metric"), |open| phrases::cell_name(open, words))
        .right(words.get("results.difference"), |open| phrases::delta_cell(open, words))
        .right(words.get("results.n"), |open| phrases::n_cell(open, words))
        .right(words.get("limits.mde"), mde)
        .right(words.get("limits.needed"), needed)
        .block()
}

/// The units that a comparison has and those that its difference would need; `None` where it has
/// enough of them or where others would not settle it.
pub(super) fn further(open: &Comparison<'_>) -> Option<[u64; 2]> {
    if is_limited_by_noise(open) || open.reason == Some(VerdictReason::HiddenClusters) {
        return None;
    }
    let runs = open.seeds.as_ref().map(|seeds| {
        let [baseline, candidate] = PairArm::BOTH.map(|which| seeds.arm(which).len() as u64);
        seeds.paired.unwrap_or(baseline.min(candidate))
    });
    let sizes = [runs.or_else(|| open.units())?, open.needed?];
    (sizes[0] < sizes[1]).then_some(sizes)
}

/// Whether runs of the baseline differ as much, which no number of samples changes.
pub(super) fn is_limited_by_noise(comparison: &Comparison<'_>) -> bool {
    matches!(comparison.reason, Some(VerdictReason::WithinNoise | VerdictReason::NoiseBeyondMargin))
}

/// `155 clusters`: so many of what the comparison counts.
pub(crate) fn with_unit(comparison: &Comparison<'_>, count: u64, words: &Catalogue) -> String {
    let seed_pairs = comparison.seeds.as_ref().map(|seeds| seeds.paired.is_some());
    let key = match (seed_pairs, comparison.clusters(), comparison.paired()) {
        _ if comparison.own_clusters().is_some() => "limits.clusters-per-arm",
        (Some(true), ..) => "limits.seed-pairs",
        (Some(false), ..) => "limits.seeds-per-arm",
        (None, Some(_), _) => "limits.clusters",
        (None, None, Some(_)) => "limits.pairs",
        (None, None, None) => "limits.per-arm",
    };
    words.fill(key, &[("count", &quantity::count(count))])
}

/// The fields that hide clusters from a comparison, with its metric.
fn hidden_in(comparison: &Comparison<'_>) -> String {
    let mut fields: Vec<&str> = comparison.hidden.iter().map(|one| one.key.as_str()).collect();
    fields.dedup();
    format!("{}: {}", comparison.cell.key.metric, fields.join(", "))
}

/// Comparisons without a verdict, counted by reason.
fn unassessed(material: &ReportMaterial<'_>, words: &Catalogue) -> Vec<Text> {
    let mut reasons: BTreeMap<&'static str, (u64, Vec<String>)> = BTreeMap::new();
    let explained = |comparison: &&Comparison<'_>| {
        comparison.verdict == Verdict::NotAssessable
            || matches!(
                comparison.reason,
                Some(
                    VerdictReason::MissingCouldUndo
                        | VerdictReason::AfterPrimary
                        | VerdictReason::LostToFamily
                        | VerdictReason::HiddenClusters
                        | VerdictReason::OutOfReach
                        | VerdictReason::WithinNoise
                        | VerdictReason::NoiseBeyondMargin
                        | VerdictReason::TooSkewed(_)
                )
            )
    };
    let all = material.pairs().flat_map(|(pair, _, comparisons)| {
        let elsewhere = pair.lies_elsewhere();
        comparisons.iter().map(move |comparison| (pair, elsewhere, comparison))
    });
    for (pair, elsewhere, comparison) in all.filter(|(_, _, comparison)| explained(comparison)) {
        let can_be = |&which: &PairArm| pair.can_be_in(comparison.cell, which);
        let key = match comparison.reason {
            // Nothing can be run that would give the figure.
            Some(VerdictReason::MissingValue) if elsewhere || !PairArm::BOTH.iter().all(can_be) => {
                continue;
            }
            None | Some(VerdictReason::Neutral | VerdictReason::DirectionUnknown) => continue,
            Some(reason) if reason.is_by_role() => continue,
            Some(VerdictReason::TooSkewed(_)) if comparison.cell.spec.range().is_some() => {
                "too-skewed-bounded"
            }
            Some(reason) => reason.key(),
        };
        let entry = reasons.entry(key).or_default();
        entry.0 += 1;
        let code = match comparison.reason {
            Some(VerdictReason::Blocked(code)) => code.id().to_owned(),
            Some(VerdictReason::TotalOfParts) => comparison.cell.total_name().to_owned(),
            Some(VerdictReason::HiddenClusters) => hidden_in(comparison),
            Some(VerdictReason::TooSkewed(pairs)) => {
                format!("{}: n ≥ {}", comparison.cell.key.metric, quantity::count(pairs))
            }
            _ => comparison.cell.key.metric.clone(),
        };
        if !entry.1.contains(&code) {
            entry.1.push(code);
        }
    }
    reasons
        .into_iter()
        .map(|(key, (count, names))| {
            let args =
                [("count", count.to_string()), ("names", lists::first(names, MOST_NAMES, words))];
            Text::plain(words.fill(&format!("reason.{key}"), &args))
        })
        .collect()
}

/// Most metric names in one sentence.
const MOST_NAMES: usize = 6;
