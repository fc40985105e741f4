//! Noise between runs of the baseline, comparison by comparison.

use super::{lists, phrases};
use crate::compare::{Comparison, Noise, VerdictReason};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

/// More figures of runs are left to `report.json`.
const MOST_FIGURES: usize = 12;

/// Most comparisons named in one sentence.
const MOST_NAMED: usize = 6;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    phrases::by_candidate(material, |_, _, comparisons| {
        let measured = comparisons.iter();
        let measured: Vec<_> = measured
            .filter_map(|comparison| Some((comparison, comparison.noise.as_ref()?)))
            .collect();
        let Some((_, first)) = measured.first() else { return Vec::new() };
        let level = quantity::level(first.level);
        let mut text = words.fill("noise.claim", &[("level", &level)]);
        let any = |holds: fn(&Noise<'_>) -> bool| measured.iter().any(|(_, noise)| holds(noise));
        for (key, holds) in [
            ("noise.two-runs", any(|noise| noise.runs() == 2)),
            ("noise.deterministic", any(|noise| noise.deterministic)),
            ("noise.equal-by-chance", any(|noise| noise.sd == 0.0 && !noise.deterministic)),
        ] {
            if holds {
                text.push_str(&words.get(key));
            }
        }
        vec![Block::paragraph(text), figures(&measured, &level, words)]
    })
}

fn figures(measured: &[(&Comparison<'_>, &Noise<'_>)], level: &str, words: &Catalogue) -> Block {
    let each = |(comparison, noise): &(&Comparison<'_>, &Noise<'_>)| {
        let figures = noise.figures.iter().map(|figure| {
            let value = quantity::figure(figure.value, comparison.cell.spec.unit);
            words.fill("seeds.of-run", &[("run", &figure.run.id), ("value", &value)])
        });
        lists::first(figures, MOST_FIGURES, words)
    };
    Table::of_rows(measured)
        .left(words.get("results.metric"), |(comparison, _)| phrases::cell_name(comparison, words))
        .right(words.get("noise.runs"), |(_, noise)| Cell::count(noise.runs() as u64))
        .right(words.get("seeds.sd"), |(comparison, noise)| {
            let unit = comparison.cell.spec.unit;
            Cell::number(quantity::spread_text(noise.sd / unit.shown_scale(), unit), noise.sd)
        })
        .right(words.get("seeds.range"), |(comparison, noise)| {
            phrases::range_cell(noise.range(), comparison.cell.spec.unit)
        })
        .right(words.fill("results.noise", &[("level", level)]), |(comparison, _)| {
            floor_cell(comparison)
        })
        .right(words.get("results.difference"), |(comparison, _)| {
            phrases::delta_cell(comparison, words)
        })
        .right(words.get("noise.p"), |(comparison, noise)| {
            let adjusted = comparison.adjusted.and_then(|test| test.noise_p);
            phrases::p_cell(Some(adjusted.unwrap_or(noise.p)))
        })
        .left(words.get("noise.reading"), |(_, noise)| {
            words.get(if noise.covers() { "noise.within" } else { "noise.beyond" })
        })
        .left(words.get("seeds.figures"), each)
        .block()
}

/// How far two runs of the baseline's configuration lie apart.
pub(super) fn floor_cell(comparison: &Comparison<'_>) -> Cell {
    comparison.noise.as_ref().map_or_else(Cell::dash, |noise| {
        let shown = quantity::fixed(noise.floor, phrases::interval_decimals(comparison));
        let suffix = comparison.cell.spec.unit.difference_suffix();
        Cell::number(format!("±{shown}{suffix}"), noise.floor)
    })
}

/// Differences that the samples alone would establish and another run of the baseline could make.
pub(super) fn key_finding(comparisons: &[Comparison<'_>], words: &Catalogue) -> Option<Text> {
    let is_drowned =
        |comparison: &&Comparison<'_>| comparison.reason == Some(VerdictReason::WithinNoise);
    let drowned: Vec<_> = comparisons.iter().filter(is_drowned).collect();
    let runs = drowned.first()?.noise.as_ref().map_or(0, Noise::runs);
    let names = drowned.iter().map(|comparison| {
        let delta = phrases::delta_text(comparison, comparison.delta.unwrap_or_default());
        let name = comparison.cell.key.to_string();
        words.fill("phrase.name-with-detail", &[("name", &name), ("detail", &delta)])
    });
    let args = [
        ("count", drowned.len().to_string()),
        ("runs", runs.to_string()),
        ("names", lists::first(names, MOST_NAMED, words)),
    ];
    Some(Text::marked(Icon::Open, words.fill("findings.within-noise", &args)))
}
