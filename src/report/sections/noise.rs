//! Noise between runs of the baseline, comparison by comparison.

use super::phrases;
use crate::compare::{Comparison, Noise, Reason};
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

/// More figures of runs are left to `report.json`.
const MOST_FIGURES: usize = 12;

/// Most comparisons named in one sentence.
const MOST_NAMED: usize = 6;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    material
        .pairs()
        .flat_map(|(pair, _, comparisons)| {
            let measured: Vec<_> =
                comparisons.iter().filter_map(|one| Some((one, one.noise.as_ref()?))).collect();
            let Some((_, first)) = measured.first() else { return Vec::new() };
            let level = quantity::level(first.level);
            let claim = words.fill("noise.claim", &[("level", &level)]);
            let mut text = Text::plain(claim);
            if measured.iter().any(|(_, noise)| noise.runs() == 2) {
                text = text.and_plain(words.get("noise.two-runs"));
            }
            if measured.iter().any(|(_, noise)| noise.deterministic) {
                text = text.and_plain(words.get("noise.deterministic"));
            }
            if measured.iter().any(|(_, noise)| noise.sd == 0.0 && !noise.deterministic) {
                text = text.and_plain(words.get("noise.equal-by-chance"));
            }
            let table = Block::Table { table: figures(&measured, &level, words) };
            let heading = phrases::candidate_heading(material, pair);
            heading.into_iter().chain([Block::Paragraph { text }, table]).collect()
        })
        .collect()
}

/// One row for each comparison with a noise floor.
fn figures(measured: &[(&Comparison<'_>, &Noise<'_>)], level: &str, words: &Catalogue) -> Table {
    let mut table = Table::with_heads(vec![
        (words.get("results.metric"), Align::Left),
        (words.get("noise.runs"), Align::Right),
        (words.get("seeds.sd"), Align::Right),
        (words.get("seeds.range"), Align::Right),
        (words.fill("results.noise", &[("level", level)]), Align::Right),
        (words.get("results.difference"), Align::Right),
        (words.get("noise.p"), Align::Right),
        (words.get("noise.reading"), Align::Left),
        (words.get("seeds.figures"), Align::Left),
    ]);
    for (one, noise) in measured {
        table.push(row(one, noise, words));
    }
    table
}

fn row(one: &Comparison<'_>, noise: &Noise<'_>, words: &Catalogue) -> Vec<Cell> {
    let unit = one.cell.spec.unit;
    let runs = noise.runs() as u64;
    let range = noise.range().map_or_else(Cell::missing, |(lowest, highest)| {
        let shown = [lowest, highest].map(|value| quantity::figure(value, unit));
        Cell::text(shown.join(" … "))
    });
    let shown = noise.figures.iter().take(MOST_FIGURES);
    let shown = shown.map(|figure| {
        let value = quantity::figure(figure.value, unit);
        words.fill("seeds.of-run", &[("run", &figure.run.id), ("value", &value)])
    });
    let mut list = shown.collect::<Vec<_>>().join(&words.get("punctuation.comma"));
    if noise.figures.len() > MOST_FIGURES {
        list.push('…');
    }
    let p = one.adjusted.and_then(|test| test.noise_p).unwrap_or(noise.p);
    let reading = if noise.covers() { "noise.within" } else { "noise.beyond" };
    vec![
        Cell::text(phrases::cell_name(one, words)),
        Cell::number(quantity::count(runs), runs as f64),
        Cell::number(quantity::spread(noise.sd / unit.shown_scale(), unit), noise.sd),
        range,
        floor_cell(one),
        phrases::delta_cell(one, words),
        Cell::number(quantity::p_value(p), p),
        Cell::text(words.get(reading)),
        Cell::text(list),
    ]
}

/// How far two runs of the baseline's configuration lie apart.
pub(super) fn floor_cell(one: &Comparison<'_>) -> Cell {
    one.noise.as_ref().map_or_else(
        || Cell::text("—"),
        |noise| {
            let shown = quantity::fixed(noise.floor, phrases::interval_decimals(one));
            let suffix = one.cell.spec.unit.difference_suffix();
            Cell::number(format!("±{shown}{suffix}"), noise.floor)
        },
    )
}

/// Differences that the samples alone would establish and another run of the baseline could make.
pub(super) fn finding(comparisons: &[Comparison<'_>], words: &Catalogue) -> Option<Text> {
    let drowned: Vec<_> =
        comparisons.iter().filter(|one| one.reason == Some(Reason::WithinNoise)).collect();
    let first = drowned.first()?;
    let shown = |one: &&&Comparison<'_>| {
        let delta = phrases::delta_text(one, one.delta.unwrap_or_default());
        let name = one.cell.key.to_string();
        words.fill("phrase.name-with-detail", &[("name", &name), ("detail", &delta)])
    };
    let mut list = drowned.iter().take(MOST_NAMED).map(|one| shown(&one)).collect::<Vec<_>>();
    if drowned.len() > MOST_NAMED {
        list.push("…".to_owned());
    }
    let runs = first.noise.as_ref().map_or(0, Noise::runs).to_string();
    let args = [
        ("count", drowned.len().to_string()),
        ("runs", runs),
        ("names", list.join(&words.get("punctuation.comma"))),
    ];
    let text = words.fill("findings.within-noise", &args);
    Some(Text::icon(Icon::Open).and_plain(format!(" {text}")))
}
