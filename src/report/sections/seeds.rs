//! Training by training: the figure of each run of an arm and how far they spread.

use std::collections::BTreeMap;

use super::phrases;
use crate::compare::{Comparison, Seeds};
use crate::group::Which;
use crate::quantity;
use crate::quantity::Unit;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::stats::seed_permutation_floor;
use crate::text::Catalogue;

/// More figures of one arm are left to `report.json`.
const MOST_FIGURES: usize = 12;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    material
        .pairs()
        .filter(|(pair, ..)| pair.is_repeated())
        .flat_map(|(pair, _, comparisons)| {
            let words = material.words;
            let heading = phrases::candidate_heading(material, pair);
            let claim = Block::Paragraph { text: Text::plain(words.get("seeds.claim")) };
            let table = Block::Table { table: figures(comparisons, words) };
            heading.into_iter().chain([claim, table])
        })
        .collect()
}

/// One row for each arm of each comparison.
fn figures(comparisons: &[Comparison<'_>], words: &Catalogue) -> Table {
    let mut table = Table::with_heads(vec![
        (words.get("results.metric"), Align::Left),
        (words.get("setup.arm"), Align::Left),
        (words.get("seeds.runs"), Align::Right),
        (words.get("seeds.mean"), Align::Right),
        (words.get("seeds.sd"), Align::Right),
        (words.get("seeds.range"), Align::Right),
        (words.get("seeds.figures"), Align::Left),
    ]);
    for one in comparisons {
        let Some(seeds) = &one.seeds else { continue };
        for which in Which::BOTH {
            table.push(row(one, seeds, which, words));
        }
    }
    table
}

fn row(one: &Comparison<'_>, seeds: &Seeds<'_>, which: Which, words: &Catalogue) -> Vec<Cell> {
    let unit = one.cell.spec.unit;
    let moments = seeds.moments(which);
    let of_all = seeds.arm(which).len() as u64;
    let runs = if moments.n == of_all {
        quantity::count(of_all)
    } else {
        format!("{}/{}", quantity::count(moments.n), quantity::count(of_all))
    };
    let sd = moments.variance().map(f64::sqrt).filter(|_| moments.n >= 2);
    let range = seeds.range(which).map_or_else(Cell::missing, |(lowest, highest)| {
        let shown = [lowest, highest].map(|value| quantity::figure(value, unit));
        Cell::text(shown.join(" … "))
    });
    vec![
        Cell::text(phrases::cell_name(one, words)),
        Cell::text(one.pair.name(which)),
        Cell::number(runs, moments.n as f64),
        phrases::figure_cell(one, which, words),
        sd.map_or_else(|| Cell::text("—"), |sd| Cell::number(quantity::spread(sd, unit), sd)),
        range,
        Cell::text(each(seeds, which, unit, words)),
    ]
}

/// Each run's figure behind its seed, or behind its id where it records none.
fn each(seeds: &Seeds<'_>, which: Which, unit: Unit, words: &Catalogue) -> String {
    let arm = seeds.arm(which);
    let shown = |value: Option<f64>| {
        value.map_or_else(|| "?".to_owned(), |value| quantity::figure(value, unit))
    };
    let figures = arm.iter().take(MOST_FIGURES).map(|one| {
        let value = shown(one.value);
        match &one.seed {
            Some(seed) => words.fill("seeds.of-seed", &[("seed", seed), ("value", &value)]),
            None => words.fill("seeds.of-run", &[("run", &one.run.id), ("value", &value)]),
        }
    });
    let mut list = figures.collect::<Vec<_>>().join(&words.get("punctuation.comma"));
    if arm.len() > MOST_FIGURES {
        list.push('…');
    }
    list
}

/// What was done with several trainings, for the section on methods: which design, and how small a
/// p the arrangement alone could give.
pub(super) fn method_items(material: &Material<'_>) -> Vec<Text> {
    let words = material.words;
    let mut designs: BTreeMap<(&str, u64, u64), usize> = BTreeMap::new();
    for one in material.all().filter(|one| one.adjusted.is_some()) {
        let Some(seeds) = &one.seeds else { continue };
        let design = match (seeds.items, seeds.paired) {
            (Some(_), _) => "seeds.crossed",
            (None, Some(_)) => "seeds.paired",
            (None, None) => "seeds.independent",
        };
        let [baseline, candidate] = Which::BOTH.map(|which| seeds.moments(which).n);
        *designs.entry((design, baseline, candidate)).or_default() += 1;
    }
    designs
        .into_iter()
        .map(|((key, baseline, candidate), count)| {
            let floor = quantity::p_value(seed_permutation_floor(baseline, candidate));
            let args = [
                ("count", count.to_string()),
                ("baseline", quantity::count(baseline)),
                ("candidate", quantity::count(candidate)),
                ("floor", floor),
            ];
            Text::plain(words.fill(key, &args))
        })
        .collect()
}
