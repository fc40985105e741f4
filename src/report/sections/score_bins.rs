//! Scores by the confidence that records state, and by the length of the answers.

use std::collections::BTreeSet;

use super::phrases;
use crate::compare::{ArmBins, BinnedBy, ScoreBin, ScoreBins};
use crate::pairing::PairArm;
use crate::quantity::{self, Unit};
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table};
use crate::report::chart::{Axis, Chart, ChartLine, LineChart, LineWeight, Marks};
use crate::stats::Moments;
use crate::text::Catalogue;

/// Digits of the mean of a bin along the axis.
const CENTER_DIGITS: usize = 3;

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let level = 1.0 - material.options.alpha;
    let mut blocks = Vec::new();
    for ((pair, ..), found) in material.pairs().zip(material.score_bins) {
        if found.is_empty() {
            continue;
        }
        blocks.extend(phrases::candidate_heading(material, pair));
        blocks.extend(found.iter().map(|one| Block::chart(chart(one, words))));
        let tables = found.iter().map(|one| table(one, words)).collect();
        blocks.push(Block::folded(words.get("score-bins.figures"), tables));
    }
    let all = material.score_bins.iter().flatten();
    let kinds: BTreeSet<BinnedBy> = all.map(|one| one.by).collect();
    if let Some(first) = kinds.first() {
        let order = if kinds.len() > 1 { "both" } else { first.name() };
        let order = words.get(&format!("score-bins.order-{order}"));
        let facts = [("level", quantity::level(level)), ("order", order)];
        blocks.insert(0, Block::paragraph(words.fill("score-bins.lead", &facts)));
    }
    blocks
}

/// The unit of the numbers that samples are put in order by, and of their scores.
fn units(found: &ScoreBins<'_>) -> [Unit; 2] {
    let number = match found.by {
        BinnedBy::Confidence => Unit::Fraction,
        BinnedBy::Length => Unit::Tokens,
    };
    [number, if found.is_share { Unit::Fraction } else { found.comparison.cell.spec.unit }]
}

fn names(found: &ScoreBins<'_>) -> [String; 2] {
    PairArm::BOTH.map(|which| found.comparison.pair.name(which).to_owned())
}

fn chart(found: &ScoreBins<'_>, words: &Catalogue) -> Chart {
    let [by_unit, unit] = units(found);
    let [baseline, candidate] = names(found);
    let key = &found.comparison.cell.key;
    let place = phrases::dataset_and_place(key.dataset.as_deref(), &key.dims, words);
    let place = (!place.is_empty()).then(|| words.fill("phrase.detail", &[("detail", place)]));
    let metric = format!("{}{}", key.metric, place.unwrap_or_default());
    let mut facts = vec![("metric", metric)];
    let errors = ["error", "other-error"].into_iter().zip(["bins", "other-bins"]);
    for (arm, (error, bins)) in found.arms.iter().zip(errors) {
        let share = arm.calibration_error.unwrap_or_default();
        facts.push((error, quantity::fixed(share * 100.0, 1)));
        facts.push((bins, quantity::count(arm.bins.len() as u64)));
    }
    facts.extend([("baseline", baseline.clone()), ("candidate", candidate.clone())]);
    let by = found.by.name();
    let title = words.fill(&format!("score-bins.by-{by}"), &facts);
    let arms = found.arms.iter().zip([&baseline, &candidate]).enumerate();
    let lines = arms.map(|(series, (arm, name))| line(arm, name, series, [by_unit, unit], words));
    let mut lines: Vec<ChartLine> = lines.collect();
    let said: Vec<&str> = lines.iter().map(|line| line.said.as_str()).collect();
    let description = said.join(&words.get("punctuation.semicolon"));
    if found.by == BinnedBy::Confidence {
        let name = words.get("score-bins.calibrated");
        lines.push(ChartLine {
            said: name.clone(),
            name,
            series: 2,
            weight: LineWeight::Guide,
            parts: vec![vec![[0.0, 0.0], [100.0, 100.0]]],
            intervals: Vec::new(),
            broken: Vec::new(),
        });
    }
    let x = Axis {
        title: words.get(&format!("score-bins.{by}-axis")),
        unit: by_unit.suffix(),
        is_difference: false,
    };
    let y = Axis { title: key.metric.clone(), unit: unit.suffix(), is_difference: false };
    let marks = Marks::Lines(LineChart { x, y, scale: String::new(), lines, events: Vec::new() });
    Chart { name: "score-bins", title, description, marks }
}

fn line(
    arm: &ArmBins,
    name: &str,
    series: usize,
    [by_unit, unit]: [Unit; 2],
    words: &Catalogue,
) -> ChartLine {
    let scale = unit.shown_scale();
    let point = |one: &ScoreBin| {
        let center = one.bin.center * by_unit.shown_scale();
        [quantity::round_to_digits(center, CENTER_DIGITS), one.bin.scores.mean * scale]
    };
    let interval = |one: &ScoreBin| one.interval.map(|ends| [ends.lo * scale, ends.hi * scale]);
    let bins = arm.bins.iter().map(|one| {
        let facts = [
            ("by", quantity::figure(one.bin.center, by_unit)),
            ("score", score(one, unit)),
            ("count", quantity::count(one.bin.scores.n)),
        ];
        words.fill("score-bins.bin", &facts)
    });
    let bins = bins.collect::<Vec<_>>().join(&words.get("punctuation.comma"));
    ChartLine {
        name: name.to_owned(),
        said: format!("{name}{}{bins}", words.get("punctuation.colon")),
        series,
        weight: LineWeight::Dots,
        parts: vec![arm.bins.iter().map(point).collect()],
        intervals: arm.bins.iter().map(interval).collect(),
        broken: Vec::new(),
    }
}

/// The mean score of a bin: shares of few samples with the decimals of their intervals.
fn score(one: &ScoreBin, unit: Unit) -> String {
    let Moments { n, mean, .. } = one.bin.scores;
    match unit {
        Unit::Fraction => quantity::percent_of_cases(mean, n as f64),
        _ => quantity::figure(mean, unit),
    }
}

fn table(found: &ScoreBins<'_>, words: &Catalogue) -> Block {
    let [by_unit, unit] = units(found);
    let names = names(found);
    let rows = found.arms.iter().zip(&names);
    let rows = rows.flat_map(|(arm, name)| arm.bins.iter().map(move |one| (name, one)));
    let rows: Vec<(&String, &ScoreBin)> = rows.collect();
    let by = words.get(&format!("score-bins.{}-axis", found.by.name()));
    Table::of_rows(&rows)
        .left(words.get("score-bins.arm"), |(name, _)| name.as_str())
        .right(by, |(_, one)| {
            Cell::number(quantity::figure(one.bin.center, by_unit), one.bin.center)
        })
        .right(words.get("score-bins.limits"), |(_, one)| {
            let [from, to] = one.bin.limits;
            quantity::range(from, to, by_unit)
        })
        .right(words.get("score-bins.samples"), |(_, one)| Cell::count(one.bin.scores.n))
        .right(phrases::cell_name(found.comparison, words), |(_, one)| {
            Cell::number(score(one, unit), one.bin.scores.mean)
        })
        .right(words.get("score-bins.interval"), |(_, one)| {
            one.interval
                .map_or_else(Cell::missing, |ends| quantity::range(ends.lo, ends.hi, unit).into())
        })
        .block()
}
