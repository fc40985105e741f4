//! Training by training: the figure of each run of an arm and how far they spread.

use std::collections::BTreeMap;

use super::{lists, phrases};
use crate::check::Claim;
use crate::compare::{Comparison, Seeds};
use crate::pairing::PairArm;
use crate::quantity;
use crate::quantity::Unit;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table, Text};
use crate::stats::seed_permutation_floor;
use crate::text::Catalogue;

/// More figures of one arm are left to `report.json`.
const MOST_FIGURES: usize = 12;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    phrases::by_candidate(material, |pair, findings, comparisons| {
        if !pair.is_repeated() {
            return Vec::new();
        }
        let claim = match findings.claim {
            Claim::Unknown if pair.has_repetitions() => "seeds.claim-unknown",
            Claim::Checkpoints | Claim::Evaluation if pair.has_repetitions() => {
                "seeds.claim-one-training"
            }
            _ => "seeds.claim",
        };
        vec![Block::paragraph(words.get(claim)), figures(comparisons, words)]
    })
}

/// One row for each arm of each comparison.
fn figures(comparisons: &[Comparison<'_>], words: &Catalogue) -> Block {
    let repeated =
        comparisons.iter().filter_map(|comparison| Some((comparison, comparison.seeds.as_ref()?)));
    let arms: Vec<_> = repeated
        .flat_map(|(comparison, seeds)| PairArm::BOTH.map(|which| (comparison, seeds, which)))
        .collect();
    let runs = |(_, seeds, which): &(&Comparison<'_>, &Seeds<'_>, PairArm)| {
        let (known, all) = (seeds.moments(*which).n, seeds.arm(*which).len() as u64);
        if known == all {
            return Cell::count(all);
        }
        let share = format!("{}/{}", quantity::count(known), quantity::count(all));
        Cell::number(share, known as f64)
    };
    Table::of_rows(&arms)
        .left(words.get("results.metric"), |(comparison, ..)| phrases::cell_name(comparison, words))
        .left(words.get("setup.arm"), |(comparison, _, which)| comparison.pair.name(*which))
        .right(words.get("seeds.runs"), runs)
        .right(words.get("seeds.mean"), |(comparison, _, which)| {
            phrases::figure_cell(comparison, *which, words)
        })
        .right(words.get("seeds.sd"), |(comparison, seeds, which)| {
            let moments = seeds.moments(*which);
            let sd = moments.variance().map(f64::sqrt).filter(|_| moments.n >= 2);
            sd.map_or_else(Cell::dash, |sd| {
                Cell::number(quantity::spread_text(sd, comparison.cell.spec.unit), sd)
            })
        })
        .right(words.get("seeds.range"), |(comparison, seeds, which)| {
            phrases::range_cell(seeds.range(*which), comparison.cell.spec.unit)
        })
        .left(words.get("seeds.figures"), |(comparison, seeds, which)| {
            figures_by_seed(seeds, *which, comparison.cell.spec.unit, words)
        })
        .block()
}

/// Each run's figure behind its seed, or behind its id where it records none.
fn figures_by_seed(seeds: &Seeds<'_>, which: PairArm, unit: Unit, words: &Catalogue) -> String {
    let shown = |value: Option<f64>| {
        value.map_or_else(|| "?".to_owned(), |value| quantity::figure(value, unit))
    };
    let figures = seeds.arm(which).iter().map(|figure| {
        let value = shown(figure.value);
        match &figure.seed {
            Some(seed) => words.fill("seeds.of-seed", &[("seed", seed), ("value", &value)]),
            None => words.fill("seeds.of-run", &[("run", &figure.run.id), ("value", &value)]),
        }
    });
    lists::first(figures, MOST_FIGURES, words)
}

/// What was done with several trainings, for the section on methods: which design, and how small a
/// p the arrangement alone could give.
pub(super) fn method_items(material: &ReportMaterial<'_>) -> Vec<Text> {
    let words = material.words;
    let mut designs: BTreeMap<(&str, u64, u64), usize> = BTreeMap::new();
    for comparison in material.all().filter(|comparison| comparison.adjusted.is_some()) {
        let Some(seeds) = &comparison.seeds else { continue };
        let design = match (seeds.items, seeds.paired) {
            (Some(_), _) => "seeds.crossed",
            (None, Some(_)) => "seeds.paired",
            (None, None) => "seeds.independent",
        };
        let [baseline, candidate] = PairArm::BOTH.map(|which| seeds.moments(which).n);
        *designs.entry((design, baseline, candidate)).or_default() += 1;
    }
    designs
        .into_iter()
        .map(|((key, baseline, candidate), count)| {
            let floor = quantity::p_value_text(seed_permutation_floor(baseline, candidate));
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
