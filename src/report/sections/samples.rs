//! Sample by sample: what was paired, and what changed sides.

use super::{bounds, phrases};
use crate::compare::{Comparison, Sampling};
use crate::group::{ArmPair, TablePair, Which};
use crate::model::Run;
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::text::Catalogue;

pub(crate) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    material
        .pairs()
        .flat_map(|(pair, _, comparisons)| {
            let mut blocks = Vec::new();
            if !pair.tables.is_empty() {
                blocks.extend(phrases::candidate_heading(material, pair));
                blocks.push(Block::Table { table: pairing(pair, words) });
            }
            let flips = flips(comparisons, words);
            if !flips.is_empty() {
                let text = Text::plain(words.get("samples.flips"));
                blocks.extend([Block::Heading { text }, Block::Table { table: flips }]);
                blocks.extend(changed_ids(comparisons, words));
            }
            blocks.extend(answers(comparisons, words));
            blocks
        })
        .chain(bounds::blocks(material))
        .collect()
}

/// How much of each difference's variance is drawing answers, and what more of them would help.
fn answers(comparisons: &[Comparison<'_>], words: &Catalogue) -> Vec<Block> {
    let judged = comparisons.iter().filter(|one| one.cell.spec.direction.sign().is_some());
    let items: Vec<Text> = judged
        .filter_map(|one| {
            let Sampling { answers, share, with_more_answers, with_more_problems } = one.sampling?;
            // Whole numbers unless problems have uneven ones.
            let [mine, theirs] = answers.map(|k| {
                let decimals = usize::from((k - k.round()).abs() > 1e-9);
                quantity::fixed(k, decimals)
            });
            let facts = [
                ("baseline", mine),
                ("candidate", theirs),
                ("share", quantity::whole_percent(share)),
                ("answers", quantity::whole_percent(1.0 - with_more_answers)),
                ("problems", quantity::whole_percent(1.0 - with_more_problems)),
            ];
            let told = words.fill("samples.sampling", &facts);
            Some(phrases::cell_name(one, words).and_plain(told))
        })
        .collect();
    if items.is_empty() {
        return Vec::new();
    }
    let [text, lead] =
        ["answers", "answers-lead"].map(|key| Text::plain(words.get(&format!("samples.{key}"))));
    vec![
        Block::Heading { text },
        Block::Paragraph { text: lead },
        Block::List { ordered: false, items },
    ]
}

/// One row for each pair of tables; for arms of several runs one for each run but the baseline's
/// lead, which all are matched with.
fn pairing(pair: &ArmPair<'_>, words: &Catalogue) -> Table {
    let only = |arm: &str| words.fill("samples.only", &[("arm", arm)]);
    let theirs =
        if pair.is_repeated() { words.get("samples.only-there") } else { only(&pair.candidate.id) };
    let mut heads = vec![(words.get("samples.dataset"), Align::Left)];
    if pair.is_repeated() {
        heads.push((words.get("samples.run"), Align::Left));
    }
    heads.extend([
        (words.get("samples.paired"), Align::Right),
        (only(&pair.baseline.id), Align::Right),
        (theirs, Align::Right),
        (words.get("samples.proof"), Align::Left),
    ]);
    let mut table = Table::with_heads(heads);
    for (run, tables) in laid_out(pair) {
        let join = &tables.join;
        let number = |count: u64| Cell::number(quantity::count(count), count as f64);
        let mut cells = vec![Cell::text(phrases::table_name(tables.baseline, &tables.dims, words))];
        if pair.is_repeated() {
            cells.push(Cell::text(run.id.clone()));
        }
        cells.extend([
            number(join.pairs.len() as u64),
            number(join.baseline_only),
            number(join.candidate_only),
            Cell::text(words.get(&format!("proof.{}", join.proof.name()))),
        ]);
        table.push(cells);
    }
    table
}

/// The tables of every run that are joined to those of the baseline's lead.
fn laid_out<'p, 'a>(pair: &'p ArmPair<'a>) -> impl Iterator<Item = (&'a Run, &'p TablePair<'a>)> {
    let members = Which::BOTH.into_iter().flat_map(|which| pair.members(which));
    let pairs = std::iter::once(&**pair).chain(members.map(|member| &member.pair));
    pairs.flat_map(|pair| pair.tables.iter().map(|tables| (pair.candidate, tables)))
}

fn flips(comparisons: &[Comparison<'_>], words: &Catalogue) -> Table {
    let mut table = Table::with_heads(vec![
        (words.get("results.metric"), Align::Left),
        (words.get("samples.gained"), Align::Right),
        (words.get("samples.lost"), Align::Right),
        (words.get("samples.both-1"), Align::Right),
        (words.get("samples.both-0"), Align::Right),
        (words.get("results.judgement"), Align::Left),
    ]);
    for one in comparisons {
        let Some(flips) = one.flips() else { continue };
        let number = |count: u64| Cell::number(quantity::count(count), count as f64);
        table.push(vec![
            Cell::text(phrases::cell_name(one, words)),
            number(flips.gained),
            number(flips.lost),
            number(flips.both_right),
            number(flips.both_wrong),
            phrases::judgement(one, words),
        ]);
    }
    table
}

/// Most ids named on each side, and most metrics they are named for.
const MOST_IDS: usize = 12;
const MOST_METRICS: usize = 6;

/// Which samples changed sides, by id, folded.
fn changed_ids(comparisons: &[Comparison<'_>], words: &Catalogue) -> Option<Block> {
    let items: Vec<Text> = comparisons
        .iter()
        .filter(|one| one.flips().is_some_and(|flips| flips.gained + flips.lost > 0))
        .filter(|one| one.cell.spec.direction.sign().is_some())
        .take(MOST_METRICS)
        .filter_map(|one| {
            let gained = named(one, true, words)?;
            let lost = named(one, false, words)?;
            let text = words.fill("samples.changed", &[("gained", &gained), ("lost", &lost)]);
            Some(phrases::cell_name(one, words).and_plain(text))
        })
        .collect();
    (!items.is_empty()).then(|| Block::Details {
        summary: Text::plain(words.get("samples.changed-ids")),
        blocks: vec![Block::List { ordered: false, items }],
    })
}

fn named(one: &Comparison<'_>, gained: bool, words: &Catalogue) -> Option<String> {
    let (mine, theirs) =
        (one.cell.baseline.samples.as_ref()?, one.cell.candidate.samples.as_ref()?);
    let changed = one.join()?.pairs.iter().filter(|&&(a, b)| {
        let outcomes = mine.outcome(a as usize).zip(theirs.outcome(b as usize));
        outcomes == Some((!gained, gained))
    });
    let mut ids: Vec<&str> =
        changed.map(|&(a, _)| mine.table.id(a as usize)).take(MOST_IDS + 1).collect();
    let more = ids.len() > MOST_IDS;
    ids.truncate(MOST_IDS);
    let mut list = ids.join(&words.get("punctuation.comma"));
    if more {
        list.push('…');
    }
    Some(if list.is_empty() { "—".to_owned() } else { list })
}
