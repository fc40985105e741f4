//! Parts of a grid that only one arm has, and has planned: no missing partners, but results of its
//! own.

use super::layout::{self, ReportGrid, ReportGridPage};
use super::{phrases, results};
use crate::pairing::{ArmPair, PairArm};
use crate::report::ReportMaterial;
use crate::report::block::Block;
use crate::text::Catalogue;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    phrases::by_candidate(material, |pair, _, comparisons| {
        let mut blocks = Vec::new();
        for group in layout::groups(comparisons, material.layout) {
            for page in group.all_pages().into_iter().filter(|_| group.is_grid()) {
                let only_in = page.only_in.into_iter();
                blocks.extend(only_in.flat_map(|arm| page_blocks(&group, &page, arm, pair, words)));
            }
        }
        blocks
    })
}

fn page_blocks(
    group: &ReportGrid<'_>,
    page: &ReportGridPage<'_>,
    which: PairArm,
    pair: &ArmPair<'_>,
    words: &Catalogue,
) -> Vec<Block> {
    let title = results::page_title(group, page, words)
        .and_plain(words.fill("one-arm.only", &[("arm", pair.name(which))]));
    let known =
        page.comparisons.iter().filter(|comparison| comparison.figure(which).is_some()).count();
    let place = group.page.as_deref().zip(page.value.as_ref());
    let place = place.map_or_else(String::new, |(name, at)| phrases::dim_value(name, at, words));
    let args = [
        ("arm", pair.name(which)),
        ("other", pair.name(which.other())),
        ("place", place.as_str()),
        ("known", &known.to_string()),
        ("total", &page.comparisons.len().to_string()),
    ];
    if known == 0 {
        let text = title.and_plain(words.fill("one-arm.none", &args));
        return vec![Block::paragraph(text)];
    }
    vec![
        Block::heading(title),
        Block::Table { table: results::grid(group, &page.comparisons, which, words) },
        Block::paragraph(words.fill("one-arm.note", &args)),
    ]
}
