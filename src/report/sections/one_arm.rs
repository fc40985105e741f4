//! Parts of a grid that only one arm has, and has planned: no missing partners, but results of its
//! own.

use super::layout::{self, Group, Page};
use super::{phrases, results};
use crate::group::{ArmPair, Which};
use crate::report::Material;
use crate::report::block::{Block, Text};
use crate::text::Catalogue;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    material
        .pairs()
        .flat_map(|(pair, _, comparisons)| {
            let groups = layout::groups(comparisons, material.layout);
            let blocks: Vec<Block> = groups
                .iter()
                .filter(|group| group.is_grid())
                .flat_map(|group| group_blocks(group, pair, words))
                .collect();
            let heading = phrases::candidate_heading(material, pair).filter(|_| !blocks.is_empty());
            heading.into_iter().chain(blocks)
        })
        .collect()
}

fn group_blocks(group: &Group<'_>, pair: &ArmPair<'_>, words: &Catalogue) -> Vec<Block> {
    let pages = group.all_pages();
    let own = pages.iter().filter_map(|page| Some((page, page.only_in?)));
    own.flat_map(|(page, which)| page_blocks(group, page, which, pair, words)).collect()
}

fn page_blocks(
    group: &Group<'_>,
    page: &Page<'_>,
    which: Which,
    pair: &ArmPair<'_>,
    words: &Catalogue,
) -> [Block; 3] {
    let title = results::page_title(group, page, words)
        .and_plain(words.fill("one-arm.only", &[("arm", pair.name(which))]));
    let known = page.comparisons.iter().filter(|one| one.figure(which).is_some()).count();
    let place = group.page.as_deref().zip(page.value.as_ref());
    let place = place.map_or_else(String::new, |(name, at)| phrases::dim_value(name, at, words));
    let args = [
        ("arm", pair.name(which)),
        ("other", pair.name(which.other())),
        ("place", place.as_str()),
        ("known", &known.to_string()),
        ("total", &page.comparisons.len().to_string()),
    ];
    [
        Block::Heading { text: title },
        Block::Table { table: results::grid(group, &page.comparisons, which, words) },
        Block::Paragraph { text: Text::plain(words.fill("one-arm.note", &args)) },
    ]
}
