//! The samples that the arms share, before any score.

use super::phrases;
use crate::group::{ArmPair, Which};
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Table};
use crate::text::Catalogue;

/// How many samples of each dataset either arm has, and how many of them are the same.
pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    per_pair(material, |pair| {
        (!pair.tables.is_empty()).then(|| paired_samples(pair, material.words))
    })
}

fn per_pair<'a>(
    material: &Material<'a>,
    table: impl Fn(&'a ArmPair<'a>) -> Option<Table>,
) -> Vec<Block> {
    let pairs = material.pairs().filter_map(|(pair, _, _)| Some((pair, table(pair)?)));
    let blocks = pairs.flat_map(|(pair, table)| {
        let heading = phrases::candidate_heading(material, pair);
        heading.into_iter().chain([Block::Table { table }])
    });
    blocks.collect()
}

fn paired_samples(pair: &ArmPair<'_>, words: &Catalogue) -> Table {
    let mut table = Table::with_heads(vec![
        (words.get("paired.dataset"), Align::Left),
        (phrases::arm_label(pair, Which::Baseline, words), Align::Right),
        (phrases::arm_label(pair, Which::Candidate, words), Align::Right),
        (words.get("paired.both"), Align::Right),
        (words.get("paired.proof"), Align::Left),
    ]);
    for tables in &pair.tables {
        let join = &tables.join;
        let name = phrases::table_name(tables.baseline, &tables.dims, words);
        let count = |count: usize| Cell::number(quantity::count(count as u64), count as f64);
        table.push(vec![
            Cell::text(name),
            count(join.baseline.rows().len()),
            count(join.candidate.rows().len()),
            count(join.pairs.len()),
            Cell::text(match join.content_differs.len() {
                0 => words.get(&format!("proof.{}", join.proof.name())),
                differing => {
                    words.fill("paired.differing", &[("count", &quantity::count(differing as u64))])
                }
            }),
        ]);
    }
    table
}
