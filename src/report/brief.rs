//! A comparison in short, for a terminal: what was accepted, a row for each figure, counts.

use super::block::{Align, Block, Cell, Table, Tone};
use super::data::ComparisonData;
use super::data::{ArmView, ComparisonView, SuiteView};
use crate::model::Dims;
use crate::quantity;
use crate::text::Catalogue;

/// The most rows shown; the report has them all.
const MOST_ROWS: usize = 20;

/// Verdicts, from the one a reader must see first.
const VERDICTS: [&str; 6] =
    ["worse", "better", "inconclusive", "equivalent", "identical", "not-assessable"];

pub(super) fn blocks(data: &ComparisonData, words: &Catalogue) -> Vec<Block> {
    let mut blocks: Vec<Block> = accepted(data, words).map(Block::paragraph).into_iter().collect();
    if data.comparisons.is_empty() {
        return blocks;
    }
    let rows = most_urgent(&data.comparisons);
    blocks.push(Block::Table { table: table(&rows, data, words) });
    let left_out = data.comparisons.len() - rows.len();
    if left_out > 0 {
        blocks.push(Block::paragraph(words.fill("terminal.more", &[("count", left_out)])));
    }
    blocks.push(Block::paragraph(counts(data, words)));
    blocks.extend(noise(data, words).map(Block::paragraph));
    blocks
}

/// All rows in order, or the most urgent ones, each verdict in order.
fn most_urgent(comparisons: &[ComparisonView]) -> Vec<&ComparisonView> {
    let mut rows: Vec<&ComparisonView> = comparisons.iter().collect();
    if rows.len() > MOST_ROWS {
        rows.sort_by_key(|row| VERDICTS.iter().position(|verdict| *verdict == row.verdict));
        rows.truncate(MOST_ROWS);
    }
    rows
}

/// The rules that were accepted, and the grade without them.
fn accepted(data: &ComparisonData, words: &Catalogue) -> Option<String> {
    let comparability = &data.comparability;
    let rules: Vec<&str> = comparability.accepted.iter().map(|one| one.rule.as_str()).collect();
    let count: usize = comparability.accepted.iter().map(|one| one.findings).sum();
    let (grade, unaccepted) = (comparability.grade, comparability.grade_unaccepted);
    let args = [
        ("count", count.to_string()),
        ("rules", rules.join(&words.get("punctuation.comma"))),
        ("grade", words.get(&format!("grade.{}.title", unaccepted.replace(' ', "-")))),
    ];
    let key = if unaccepted == grade { "terminal.accepted-same" } else { "terminal.accepted" };
    (count > 0).then(|| words.fill(key, &args))
}

/// One row for each comparison, then one for each average over datasets.
fn table(rows: &[&ComparisonView], data: &ComparisonData, words: &Catalogue) -> Table {
    let mut candidates = data.comparisons.iter().map(|row| &row.candidate_run);
    let first = candidates.next();
    let is_several = candidates.any(|name| Some(name) != first);
    let level = rows.iter().find_map(|row| row.delta.as_ref()?.level);
    let level = level.map_or_else(String::new, |level| format!("{} ", quantity::level(level)));
    let word = |key: &str| words.get(&format!("terminal.{key}"));
    let mut heads = vec![(word("metric"), Align::Left, false)];
    if is_several {
        heads.push((word("run"), Align::Left, false));
    }
    heads.extend([
        (word("baseline"), Align::Right, false),
        (word("candidate"), Align::Right, false),
        (word("delta"), Align::Right, false),
        (words.fill("terminal.interval", &[("level", &level)]), Align::Right, true),
        (word("p"), Align::Right, true),
        (word("verdict_head"), Align::Left, false),
    ]);
    let mut table = Table::with_optional_heads(heads);
    for row in rows {
        table.push(comparison(row, is_several, words));
    }
    for suite in &data.suites {
        table.push(average(suite, is_several, words));
    }
    table
}

fn comparison(row: &ComparisonView, is_several: bool, words: &Catalogue) -> Vec<Cell> {
    let figures = row.compared();
    let places = figures.iter().flatten().map(|value| quantity::decimals(*value, row.unit));
    let places = places.max().unwrap_or(0);
    let shown = |value: Option<f64>, arm: &ArmView| {
        value.map_or_else(Cell::missing, |value| {
            Cell::number(
                quantity::with_coverage(quantity::figure(value, row.unit), arm.part),
                value,
            )
        })
    };
    let delta = row.delta.as_ref();
    let unknown = || if delta.is_some() { Cell::text("—") } else { Cell::missing() };
    let mut cells = vec![Cell::text(name(&row.metric, row.dataset.as_deref(), &row.dims))];
    if is_several {
        cells.push(Cell::text(row.candidate_run.as_str()));
    }
    cells.extend([
        shown(figures[0], &row.baseline),
        shown(figures[1], &row.candidate),
        delta.map_or_else(Cell::missing, |delta| {
            Cell::text(quantity::difference_with_decimals(delta.absolute, places, row.unit))
        }),
        delta
            .and_then(|delta| delta.ci)
            .map_or_else(unknown, |[lo, hi]| Cell::text(quantity::interval(lo, hi, places))),
        row.test
            .as_ref()
            .and_then(|test| test.p_adjusted.filter(|_| delta.is_some()))
            .map_or_else(unknown, |p| Cell::text(quantity::p_value(p))),
        verdict(row.verdict, &row.accepted, words),
    ]);
    cells
}

/// A mean of differences stands beside no figures of the arms: datasets have no common scale.
fn average(suite: &SuiteView, is_several: bool, words: &Catalogue) -> Vec<Cell> {
    let mean = suite.macro_mean;
    let [lo, hi] = mean.ci;
    let places = quantity::decimals_for_interval(lo, hi);
    let datasets = words.fill("terminal.suite", &[("datasets", suite.datasets)]);
    let mut cells = vec![Cell::text(name(&suite.metric, Some(&datasets), &suite.dims))];
    if is_several {
        cells.push(Cell::text(suite.candidate_run.as_str()));
    }
    cells.extend([
        Cell::text("—"),
        Cell::text("—"),
        Cell::text(quantity::difference_with_decimals(mean.delta, places, suite.metric_unit)),
        Cell::text(quantity::interval(lo, hi, places)),
        Cell::text(quantity::p_value(suite.p_adjusted)),
        verdict(suite.verdict, &suite.accepted, words),
    ]);
    cells
}

/// `accuracy (okvqa, shots=1)`.
fn name(metric: &str, place: Option<&str>, dims: &Dims) -> String {
    let dims = dims.iter().map(|(name, value)| format!("{name}={value}"));
    let place: Vec<String> = place.map(str::to_owned).into_iter().chain(dims).collect();
    if place.is_empty() { metric.to_owned() } else { format!("{metric} ({})", place.join(", ")) }
}

/// The verdict, with the codes that it stands in spite of.
fn verdict(verdict: &str, accepted: &[&str], words: &Catalogue) -> Cell {
    let mut text = words.get(&format!("terminal.verdict.{verdict}"));
    if !accepted.is_empty() {
        let codes = accepted.join(&words.get("punctuation.comma"));
        let detail = words.fill("accepted.beside", &[("codes", &codes)]);
        text.push_str(&words.fill("phrase.detail", &[("detail", &detail)]));
    }
    let tone = match verdict {
        "better" => Some(Tone::Good),
        "worse" => Some(Tone::Danger),
        "inconclusive" => Some(Tone::Warning),
        "not-assessable" => Some(Tone::Note),
        _ => None,
    };
    Cell { tone, ..Cell::text(text) }
}

fn counts(data: &ComparisonData, words: &Catalogue) -> String {
    let verdicts = data.verdicts;
    let number = |verdict: &str| match verdict {
        "worse" => verdicts.worse,
        "better" => verdicts.better,
        "inconclusive" => verdicts.inconclusive,
        "equivalent" => verdicts.equivalent,
        "identical" => verdicts.identical,
        _ => verdicts.not_assessable,
    };
    let counted: Vec<String> = VERDICTS
        .iter()
        .filter(|verdict| number(verdict) > 0)
        .map(|name| format!("{} {}", number(name), words.get(&format!("terminal.count.{name}"))))
        .collect();
    counted.join(&words.get("punctuation.comma"))
}

/// How many differences another run of the baseline could make, where runs tell its noise.
fn noise(data: &ComparisonData, words: &Catalogue) -> Option<String> {
    let measured = data.comparisons.iter().filter_map(|row| row.noise.as_ref());
    let runs = measured.clone().map(|noise| noise.runs).max()? as usize;
    let within = measured.clone().filter(|noise| noise.within).count();
    let args = [("runs", runs), ("within", within), ("count", measured.count())];
    Some(words.fill("terminal.noise", &args))
}
