//! Several candidates over several datasets: the difference of each from the baseline.

use std::collections::BTreeSet;

use super::Drawn;
use super::grids::cell;
use crate::compare::Comparison;
use crate::model::{Dims, without_evident_secrets};
use crate::pairing::PairArm;
use crate::report::ReportMaterial;
use crate::report::chart::{Chart, GridCell, GridPanel, GridRow};
use crate::report::data::ComparisonData;
use crate::report::sections::phrases;
use crate::report::sections::urgency::most_urgent_first;

/// Larger ones are left to the tables.
const MOST_CANDIDATES: usize = 12;
const MOST_DATASETS: usize = 40;
/// Longer names of candidates are shortened.
const LONGEST: usize = 14;
/// The first metrics are the ones that matter most.
const MOST_METRICS: usize = 3;

pub(super) fn charts(material: &ReportMaterial<'_>, _: &ComparisonData) -> Drawn {
    let candidates = material.paired_arms.pairs.len();
    if !(2..=MOST_CANDIDATES).contains(&candidates) {
        return None.into();
    }
    let mut figures: Vec<(&str, &Dims)> = Vec::new();
    for one in most_urgent_first(material.all()) {
        let figure = (one.cell.key.metric.as_str(), &one.cell.key.dims);
        if !figures.contains(&figure) {
            figures.push(figure);
        }
    }
    Drawn::first(figures, MOST_METRICS, |figure| chart(figure, material))
}

/// A row for each dataset and a column for each candidate.
fn chart((metric, dims): (&str, &Dims), material: &ReportMaterial<'_>) -> Option<Chart> {
    let words = material.words;
    let is_its =
        |one: &&Comparison<'_>| one.cell.key.metric == metric && one.cell.key.dims == *dims;
    let own = || material.all().filter(is_its);
    let datasets: BTreeSet<&str> =
        own().filter_map(|one| one.cell.key.dataset.as_deref()).collect();
    let changes = |one: &Comparison<'_>| one.delta.is_some_and(|delta| delta != 0.0);
    if !(2..=MOST_DATASETS).contains(&datasets.len()) || !own().any(changes) {
        return None;
    }
    let name_of = |candidate: &str, cell: GridCell| GridCell {
        said: words.fill("chart.of-arm", &[("arm", candidate), ("said", cell.said.as_str())]),
        ..cell
    };
    let row = |dataset: &str| {
        let cells = material.pairs().map(|(pair, _, comparisons)| {
            let is_of_dataset = |one: &&Comparison<'_>| {
                is_its(one) && one.cell.key.dataset.as_deref() == Some(dataset)
            };
            let found = comparisons.iter().find(is_of_dataset);
            name_of(pair.name(PairArm::Candidate), cell(found, words))
        });
        GridRow { name: dataset.to_owned(), cells: cells.collect() }
    };
    let rows: Vec<GridRow> = datasets.into_iter().map(row).collect();
    let unit = own().next()?.cell.spec.unit;
    let baseline = material.pairs().next()?.0.name(PairArm::Baseline);
    let unit = phrases::unit_detail(unit, words);
    let args = [("metric", metric), ("name", baseline), ("unit", unit.as_str())];
    let title = words.fill("chart.arms", &args);
    let columns = short_names(material.pairs().map(|(pair, _, _)| pair.name(PairArm::Candidate)));
    let panel = GridPanel {
        title: String::new(),
        corner: words.get("chart.datasets-by-arms"),
        columns,
        rows,
    };
    Some(Chart::of_grid("arms", title, vec![panel], words))
}

/// Long names without what all of them begin and end with.
fn short_names<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    // What is left of a credential is no longer known as one.
    let names: Vec<Vec<char>> =
        names.map(|name| without_evident_secrets(name).chars().collect()).collect();
    let Some(first) = names.first().filter(|_| names.iter().any(|name| name.len() > LONGEST))
    else {
        return names.iter().map(|name| name.iter().collect()).collect();
    };
    let shortest = names.iter().map(Vec::len).min().unwrap_or_default();
    let is_shared = |at: &usize| names.iter().all(|name| name.get(*at) == first.get(*at));
    let start = (0..shortest).take_while(is_shared).count();
    let is_shared_end = |back: &usize| {
        let end = |name: &Vec<char>| name.iter().rev().nth(*back).copied();
        names.iter().all(|name| end(name) == end(first))
    };
    let end = (0..shortest - start).take_while(is_shared_end).count();
    let short = |name: &Vec<char>| {
        let own: String = name.iter().skip(start).take(name.len() - start - end).collect();
        let marks = [start, end].map(|cut| if cut > 0 { "…" } else { "" });
        format!("{}{own}{}", marks[0], marks[1])
    };
    names.iter().map(short).collect()
}
