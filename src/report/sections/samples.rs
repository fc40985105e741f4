//! Sample by sample: what was paired, and what changed sides.

use super::urgency::most_urgent_first;
use super::{bounds, lists, phrases};
use crate::compare::{Comparison, Sampling};
use crate::model::Run;
use crate::pairing::{ArmPair, PairArm, PairCounts};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table, Text};
use crate::stats::PairedCounts;
use crate::text::Catalogue;

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let blocks = phrases::by_candidate(material, |pair, _, comparisons| {
        let mut blocks = Vec::new();
        if !pair.tables.is_empty() || !pair.counted.is_empty() {
            blocks.push(pairing(pair, words));
        }
        let flips = flips(comparisons, words);
        if !flips.is_empty() {
            blocks.push(Block::heading(words.get("samples.flips")));
            blocks.push(Block::Table { table: flips });
            blocks.extend(changed_ids(comparisons, words));
        }
        blocks.extend(answers(comparisons, words));
        blocks
    });
    blocks.into_iter().chain(bounds::blocks(material)).collect()
}

/// How much of each difference's variance is drawing answers, and what more of them would help.
fn answers(comparisons: &[Comparison<'_>], words: &Catalogue) -> Vec<Block> {
    let judged =
        comparisons.iter().filter(|comparison| comparison.cell.spec.direction.sign().is_some());
    let items: Vec<Text> = judged
        .filter_map(|comparison| {
            let Sampling { answers, share, with_more_answers, with_more_problems } =
                comparison.sampling?;
            // Whole numbers unless problems have uneven ones.
            let [baseline, candidate] = answers.map(|k| {
                let decimals = usize::from((k - k.round()).abs() > 1e-9);
                quantity::fixed(k, decimals)
            });
            let facts = [
                ("baseline", baseline),
                ("candidate", candidate),
                ("share", quantity::whole_percent(share)),
                ("answers", quantity::whole_percent(1.0 - with_more_answers)),
                ("problems", quantity::whole_percent(1.0 - with_more_problems)),
            ];
            let told = words.fill("samples.sampling", &facts);
            Some(phrases::cell_name(comparison, words).and_plain(told))
        })
        .collect();
    if items.is_empty() {
        return Vec::new();
    }
    vec![
        Block::heading(words.get("samples.answers")),
        Block::paragraph(words.get("samples.answers-lead")),
        Block::bullets(items),
    ]
}

/// One row for each pair of tables; for arms of several runs one for each run but the baseline's
/// lead, which all are matched with.
fn pairing(pair: &ArmPair<'_>, words: &Catalogue) -> Block {
    let only = |arm: &str| words.fill("samples.only", &[("arm", arm)]);
    let several = pair.is_repeated();
    let candidate =
        if several { words.get("samples.only-there") } else { only(&pair.candidate.id) };
    let tables: Vec<_> = laid_out(pair, words).collect();
    Table::of_rows(&tables)
        .left(words.get("samples.dataset"), |row| row.dataset.as_str())
        .when(several, |table| table.left(words.get("samples.run"), |row| row.run.id.as_str()))
        .right(words.get("samples.paired"), |row| Cell::count(row.counts.pairs))
        .right(only(&pair.baseline.id), |row| Cell::count(row.counts.baseline_only))
        .right(candidate, |row| Cell::count(row.counts.candidate_only))
        .left(words.get("samples.proof"), |row| {
            let is_other = row.counts.has_other_content();
            let proof = if is_other { "other-content" } else { row.counts.proof.name() };
            words.get(&format!("proof.{proof}"))
        })
        .block()
}

/// How the samples of a dataset fit together.
struct Fit<'a> {
    dataset: String,
    run: &'a Run,
    counts: PairCounts,
}

/// The tables of every run that are joined to those of the baseline's lead.
fn laid_out<'p, 'a>(
    pair: &'p ArmPair<'a>,
    words: &'p Catalogue,
) -> impl Iterator<Item = Fit<'a>> + use<'p, 'a> {
    let members = PairArm::BOTH.into_iter().flat_map(|which| pair.members(which));
    let pairs = std::iter::once(&**pair).chain(members.map(|member| &member.pair));
    pairs.flat_map(move |pair| {
        let run = pair.candidate;
        let read = pair.tables.iter().map(move |tables| Fit {
            dataset: phrases::table_name(tables.baseline, &tables.dims, words),
            run,
            counts: tables.join.counts(),
        });
        let counted = pair.counted.iter().map(move |table| Fit {
            dataset: table.counted.dataset.clone().unwrap_or_else(|| "—".to_owned()),
            run,
            counts: table.counts,
        });
        read.chain(counted)
    })
}

/// What changed sides between samples that are the same.
fn flips_of(comparison: &Comparison<'_>) -> Option<PairedCounts> {
    let is_same = comparison.pair_counts().is_none_or(|counts| !counts.has_other_content());
    comparison.flips().filter(|_| is_same)
}

fn flips(comparisons: &[Comparison<'_>], words: &Catalogue) -> Table {
    let flips = most_urgent_first(comparisons);
    let flips =
        flips.into_iter().filter_map(|comparison| Some((comparison, flips_of(comparison)?)));
    let flips: Vec<_> = flips.collect();
    Table::of_rows(&flips)
        .left(words.get("results.metric"), |(comparison, _)| phrases::cell_name(comparison, words))
        .right(words.get("samples.gained"), |(_, flips)| Cell::count(flips.gained))
        .right(words.get("samples.lost"), |(_, flips)| Cell::count(flips.lost))
        .right(words.get("samples.both-1"), |(_, flips)| Cell::count(flips.both_right))
        .right(words.get("samples.both-0"), |(_, flips)| Cell::count(flips.both_wrong))
        .left(words.get("results.judgement"), |(comparison, _)| {
            phrases::judgement(comparison, words)
        })
        .table()
}

/// Most ids named on each side, and most metrics they are named for.
const MOST_IDS: usize = 12;
const MOST_METRICS: usize = 6;

/// Which samples changed sides, by id, folded.
fn changed_ids(comparisons: &[Comparison<'_>], words: &Catalogue) -> Option<Block> {
    let changed: Vec<&Comparison<'_>> = most_urgent_first(comparisons)
        .into_iter()
        .filter(|comparison| {
            flips_of(comparison).is_some_and(|flips| flips.gained + flips.lost > 0)
        })
        .filter(|comparison| comparison.cell.spec.direction.sign().is_some())
        .collect();
    let items: Vec<Text> = changed
        .iter()
        .take(MOST_METRICS)
        .filter_map(|comparison| {
            let gained = named(comparison, true, words)?;
            let lost = named(comparison, false, words)?;
            let text = words.fill("samples.changed", &[("gained", &gained), ("lost", &lost)]);
            Some(phrases::cell_name(comparison, words).and_plain(text))
        })
        .collect();
    if items.is_empty() {
        return None;
    }
    let more = lists::more("samples.changed-more", changed.len(), MOST_METRICS, words);
    let blocks = std::iter::once(Block::bullets(items)).chain(more.map(Block::paragraph));
    Some(Block::folded(words.get("samples.changed-ids"), blocks.collect()))
}

fn named(comparison: &Comparison<'_>, gained: bool, words: &Catalogue) -> Option<String> {
    let baseline = comparison.cell.baseline.samples.as_ref()?;
    let candidate = comparison.cell.candidate.samples.as_ref()?;
    let changed = comparison.join()?.pairs.iter().filter(|&&(a, b)| {
        let outcomes = baseline.outcome(a as usize).zip(candidate.outcome(b as usize));
        outcomes == Some((!gained, gained))
    });
    let ids = changed.map(|&(a, _)| baseline.table.id(a as usize).to_owned());
    let list = lists::first(ids, MOST_IDS, words);
    Some(if list.is_empty() { "—".to_owned() } else { list })
}
