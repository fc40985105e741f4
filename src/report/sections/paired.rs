//! The samples that the arms share, before any score.

use super::phrases;
use crate::pairing::{ArmPair, PairArm};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table};
use crate::text::Catalogue;

/// How many samples of each dataset either arm has, and how many of them are the same.
pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    phrases::by_candidate(material, |pair, _, _| {
        let table = (!pair.tables.is_empty()).then(|| paired_samples(pair, material.words));
        table.into_iter().collect()
    })
}

fn paired_samples(pair: &ArmPair<'_>, words: &Catalogue) -> Block {
    let [baseline, candidate] = PairArm::BOTH.map(|which| phrases::arm_label(pair, which, words));
    let count = |count: usize| Cell::count(count as u64);
    Table::of_rows(&pair.tables)
        .left(words.get("paired.dataset"), |tables| {
            phrases::table_name(tables.baseline, &tables.dims, words)
        })
        .right(baseline, |tables| count(tables.join.baseline.rows().len()))
        .right(candidate, |tables| count(tables.join.candidate.rows().len()))
        .right(words.get("paired.both"), |tables| count(tables.join.pairs.len()))
        .left(words.get("paired.proof"), |tables| match tables.join.content_differs.len() {
            0 => words.get(&format!("proof.{}", tables.join.proof.name())),
            differing => {
                words.fill("paired.differing", &[("count", &quantity::count(differing as u64))])
            }
        })
        .block()
}
