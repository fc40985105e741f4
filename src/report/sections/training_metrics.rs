//! What training wrote down: metrics over epochs or steps, and how far they moved.

use std::collections::BTreeSet;

use super::training_changes::{self, arrow, column_decimals};
use super::{phrases, training_trends};
use crate::compare::Trend;
use crate::model::{Run, Series};
use crate::pairing::{ArmPair, PairArm};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table, Text};
use crate::text::Catalogue;

/// Longer series are thinned to this many rows, the first and last among them.
const MOST_ROWS: usize = 12;
/// More metrics than this make a table nobody reads; the rest is named.
const MOST_METRICS: usize = 8;
/// Step-by-step changes are listed for series up to this length.
const LISTED_POINTS: usize = 5;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    if material.runs().all(|(run, _, _)| run.content.series.is_empty()) {
        return Vec::new();
    }
    let arms = material.arms().flat_map(|(pair, which)| one_arm(pair, which, material));
    arms.chain(training_trends::method(material)).collect()
}

/// The run that leads the arm, and its further runs folded.
fn one_arm(pair: &ArmPair<'_>, which: PairArm, material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let lead = pair.run(which);
    let name = if pair.size(which) == 1 { pair.name(which) } else { &lead.id };
    let mut blocks = vec![Block::heading(phrases::with_factors(name, lead, pair, words))];
    blocks.extend(one_run(lead, material));
    for member in pair.members(which) {
        let summary = phrases::with_factors(&member.run.id, member.run, pair, words);
        blocks.push(Block::folded(summary, one_run(member.run, material)));
    }
    blocks
}

fn one_run(run: &Run, material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let series = &run.content.series;
    let axes: BTreeSet<&str> = series.iter().map(|series| series.axis.as_str()).collect();
    if axes.is_empty() {
        return vec![Block::paragraph(words.get("training.none"))];
    }
    axes.into_iter()
        .flat_map(|axis| {
            let own: Vec<&Series> = series.iter().filter(|series| series.axis == axis).collect();
            let of_run = material.trends.iter().filter(|trend| trend.run.id == run.id);
            let trends: Vec<&Trend<'_>> =
                of_run.filter(|trend| trend.series.axis == axis).collect();
            let mut blocks = one_axis(axis, &own, material);
            blocks.extend(training_trends::blocks(axis, &trends, material));
            blocks
        })
        .collect()
}

fn one_axis(axis: &str, series: &[&Series], material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let (shown, more) = series.split_at(series.len().min(MOST_METRICS));
    let mut blocks = table(axis, shown, words);
    if !more.is_empty() {
        let names: Vec<&str> = more.iter().map(|series| series.metric.as_str()).collect();
        let names = names.join(&words.get("punctuation.comma"));
        blocks.push(Block::paragraph(words.fill("training.more", &[("names", &names)])));
    }
    let (in_rows, in_lines): (Vec<&Series>, Vec<&Series>) = shown
        .iter()
        .partition(|series| material.layout.is_asked() && series.points.len() <= MOST_ROWS);
    blocks.extend(training_changes::table(axis, &in_rows, words));
    let items: Vec<Text> = in_lines.iter().filter_map(|series| trend(series, words)).collect();
    if !items.is_empty() {
        blocks.push(Block::bullets(items));
    }
    blocks
}

fn table(axis: &str, series: &[&Series], words: &Catalogue) -> Vec<Block> {
    let count = places(series.iter().map(|series| positions(series))).len();
    let positions = kept(series);
    let mut table = Table::of_rows(&positions).right(phrases::dim_name(axis, words), |at| {
        Cell::number(Text::strong(format!("{at}")), *at)
    });
    for series in series {
        let decimals = column_decimals(series);
        let title = Text::code(series.metric.as_str());
        table = table.right(title, |at| point_cell(series, *at, decimals));
    }
    let args = [("shown", positions.len()), ("count", count)];
    let note =
        (positions.len() < count).then(|| Block::paragraph(words.fill("training.thinned", &args)));
    std::iter::once(table.block()).chain(note).collect()
}

fn positions(series: &Series) -> Vec<f64> {
    series.points.iter().map(|point| point.at).collect()
}

/// All of these positions in their order, each once.
fn places(positions: impl Iterator<Item = Vec<f64>>) -> Vec<f64> {
    let mut positions: Vec<f64> = positions.flatten().collect();
    positions.sort_by(f64::total_cmp);
    positions.dedup();
    positions
}

/// Rows of which every series fills several, however seldom it was logged: behind both ends the seldom
/// ones choose first, and who finds enough of its own among theirs adds none.
fn kept(series: &[&Series]) -> Vec<f64> {
    let mut own: Vec<Vec<f64>> = series.iter().map(|series| positions(series)).collect();
    own.sort_by_key(Vec::len);
    let all = || own.iter().flatten().copied();
    let ends = all().reduce(f64::min).into_iter().chain(all().reduce(f64::max));
    let mut rows = places(std::iter::once(ends.collect()));
    for positions in own {
        let filled = positions.iter().filter(|at| rows.contains(at)).count();
        if filled < positions.len().min(MOST_ROWS / 2) {
            rows = places([rows, thinned(&positions)].into_iter());
        }
    }
    rows
}

/// Evenly spread positions, ends included.
pub(super) fn thinned(positions: &[f64]) -> Vec<f64> {
    if positions.len() <= MOST_ROWS {
        return positions.to_vec();
    }
    let last = positions.len() - 1;
    (0..MOST_ROWS).filter_map(|row| positions.get(row * last / (MOST_ROWS - 1)).copied()).collect()
}

fn point_cell(series: &Series, at: f64, decimals: usize) -> Cell {
    match series.points.iter().find(|point| point.at == at) {
        None => Cell::missing(),
        Some(point) if point.value.is_finite() => {
            Cell::number(quantity::fixed(point.value, decimals), point.value)
        }
        Some(point) => Cell::text(format!("{}", point.value)),
    }
}

/// First to last; step by step as well when there are few points.
fn trend(series: &Series, words: &Catalogue) -> Option<Text> {
    let values: Vec<f64> =
        series.points.iter().map(|point| point.value).filter(|value| value.is_finite()).collect();
    let (&first, &last) = (values.first()?, values.last()?);
    if values.len() < 2 || first == last {
        return None;
    }
    let decimals = column_decimals(series);
    let steps: Vec<String> = values
        .windows(2)
        .filter_map(|pair| if let &[from, to] = pair { Some((from, to)) } else { None })
        .map(|(from, to)| arrow(from, to, decimals))
        .collect();
    let steps = if (3..=LISTED_POINTS).contains(&values.len()) {
        let steps = steps.join(&words.get("punctuation.comma"));
        let axis = phrases::dim_name(&series.axis, words);
        words.fill("training.steps", &[("axis", &axis), ("steps", &steps)])
    } else {
        String::new()
    };
    let text = words.fill(
        "training.trend",
        &[
            ("from", &quantity::fixed(first, decimals)),
            ("to", &quantity::fixed(last, decimals)),
            ("change", &arrow(first, last, decimals)),
            ("steps", &steps),
        ],
    );
    Some(Text::code(series.metric.clone()).and_plain(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dims, Point};
    use std::sync::Arc;

    fn every(step: u32, to: u32) -> Series {
        let points = (step..=to).step_by(step as usize).map(f64::from);
        let points = points.map(|at| Point { at, value: at, line: 0 }).collect();
        let text = |text: &str| text.to_owned();
        Series::new(text("loss"), text("step"), Dims::none(), points, Arc::from("log.csv")).0
    }

    #[test]
    fn what_is_logged_seldom_is_in_the_thinned_table() {
        let (often, seldom) = (every(1, 1000), every(100, 1000));
        let rows = kept(&[&often, &seldom]);
        let filled =
            |series: &Series| series.points.iter().filter(|point| rows.contains(&point.at)).count();
        assert_eq!((filled(&seldom), filled(&often), rows.len()), (10, 11, 11));
        assert_eq!(kept(&[&often]).len(), MOST_ROWS);
    }
}
