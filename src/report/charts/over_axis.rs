//! Figures of both arms over an axis whose values are numbers: samples, shots, steps.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::Drawn;
use crate::model::{DimValue, Dims};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::chart::{Axis, Chart, ChartLine, LineChart, LineWeight, Marks};
use crate::report::data::{ArmView, ComparisonData, ComparisonView};
use crate::report::sections::phrases;
use crate::text::Catalogue;

/// Fewer places make no line.
const FEWEST_PLACES: usize = 3;
/// Places beside the axis: more plots than that are left to the maps of differences.
const MOST_PLOTS: usize = 4;
const MOST_CHARTS: usize = 6;

/// The results of a candidate by one metric on one dataset.
type Key<'d> = (&'d str, &'d str, Option<&'d str>);

pub(super) fn charts(material: &ReportMaterial<'_>, data: &ComparisonData) -> Drawn {
    let judged =
        data.comparisons.iter().filter(|one| matches!(one.role, Some("primary" | "guard")));
    let mut results: IndexMap<Key<'_>, Vec<&ComparisonView>> = IndexMap::new();
    for one in judged.filter(|one| one.compared().iter().any(Option::is_some)) {
        let key = (one.candidate_run.as_str(), one.metric.as_str(), one.dataset.as_deref());
        results.entry(key).or_default().push(one);
    }
    let is_one = material.paired_arms.pairs.len() == 1;
    // Those with something established come first: more than a few are not drawn.
    let mut results: Vec<_> = results.into_values().collect();
    results.sort_by_key(|all| !all.iter().any(|one| matches!(one.verdict, "better" | "worse")));
    let all = results.iter().flat_map(|all| plots(all, is_one, material.words));
    Drawn::first(all, MOST_CHARTS, Some)
}

/// One arm of a result.
type Side = fn(&ComparisonView) -> &ArmView;

/// The results at one place beside the axis.
#[derive(Default)]
struct PlaceRow<'d> {
    place: Dims,
    figures: Vec<(f64, &'d ComparisonView)>,
}

/// A plot for each place beside the axis, where there is one that leaves few places.
fn plots(all: &[&ComparisonView], is_one: bool, words: &Catalogue) -> Vec<Chart> {
    let axes: BTreeSet<&str> = all.iter().flat_map(|one| one.dims.names()).collect();
    let parted = axes.into_iter().map(|axis| {
        let mut rows: IndexMap<String, PlaceRow<'_>> = IndexMap::new();
        for one in all {
            let place = one.dims.without(axis);
            let row = rows.entry(place.to_string()).or_default();
            row.figures.extend(one.dims.get(axis).and_then(DimValue::number).map(|at| (at, *one)));
            row.place = place;
        }
        (axis, rows.into_values().collect::<Vec<_>>())
    });
    let fits = |(_, rows): &(&str, Vec<PlaceRow<'_>>)| {
        rows.len() <= MOST_PLOTS && rows.iter().all(|row| row.figures.len() >= FEWEST_PLACES)
    };
    let fewest = parted.filter(fits).min_by_key(|(_, rows)| rows.len());
    let Some((axis, rows)) = fewest else { return Vec::new() };
    let chart = |mut row: PlaceRow<'_>| {
        row.figures.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        plot(axis, &row.place, &row.figures, is_one, words)
    };
    rows.into_iter().filter_map(chart).collect()
}

fn plot(
    axis: &str,
    place: &Dims,
    row: &[(f64, &ComparisonView)],
    is_one: bool,
    words: &Catalogue,
) -> Option<Chart> {
    let (_, first) = row.first()?;
    let mut place = phrases::dataset_and_place(first.dataset.as_deref(), place, words);
    if !is_one {
        place = [first.candidate_run.as_str(), &place].join(&words.get("punctuation.comma"));
    }
    let detail = (!place.is_empty()).then(|| words.fill("phrase.detail", &[("detail", place)]));
    let metric = format!("{}{}", first.metric, detail.unwrap_or_default());
    let x = phrases::dim_name(axis, words);
    let sides: [(&str, Side); 2] =
        [(&first.baseline_run, |one| &one.baseline), (&first.candidate_run, |one| &one.candidate)];
    let lines = sides.into_iter().enumerate();
    let lines = lines.map(|(series, (name, side))| {
        let arm = row.iter().map(|(at, one)| (*at, side(one), one.unit));
        line(name, series, &arm.collect::<Vec<_>>(), words)
    });
    let lines: Vec<ChartLine> = lines.collect();
    let has_intervals = lines.iter().any(|line| line.intervals.iter().any(Option::is_some));
    let key = if has_intervals { "chart.over-axis-intervals" } else { "chart.over-axis" };
    let title = words.fill(key, &[("metric", metric.as_str()), ("axis", &x)]);
    let said: Vec<&str> = lines.iter().map(|line| line.said.as_str()).collect();
    let description = said.join(&words.get("punctuation.semicolon"));
    let axis = |title: String, unit| Axis { title, unit, is_difference: false };
    let (x, y) = (axis(x, ""), axis(first.metric.clone(), first.unit.suffix()));
    let chart = LineChart { x, y, scale: String::new(), lines, events: Vec::new() };
    let chart = chart.with_scales_named(words);
    Some(Chart { name: "over-axis", title, description, marks: Marks::Lines(chart) })
}

fn line(
    name: &str,
    series: usize,
    arm: &[(f64, &ArmView, quantity::Unit)],
    words: &Catalogue,
) -> ChartLine {
    let known = arm.iter().filter_map(|(at, view, unit)| Some((*at, view.value?, view.ci, *unit)));
    let known: Vec<_> = known.collect();
    let interval = |(_, _, ci, unit): &(f64, f64, Option<[f64; 2]>, quantity::Unit)| {
        ci.map(|ends| ends.map(|end| end * unit.shown_scale()))
    };
    // A line over a place without a figure would be made up.
    let stretches = arm.chunk_by(|(_, a, _), (_, b, _)| a.value.is_some() == b.value.is_some());
    let stretch = |part: &[(f64, &ArmView, quantity::Unit)]| -> Vec<[f64; 2]> {
        let value = |(at, view, unit): &(f64, &ArmView, quantity::Unit)| {
            Some([*at, view.value? * unit.shown_scale()])
        };
        part.iter().filter_map(value).collect()
    };
    let parts = stretches.map(stretch).filter(|part| !part.is_empty()).collect();
    // Signs show intervals; where there are none, the tables say as much.
    let has_intervals = known.iter().any(|(_, _, ci, _)| ci.is_some());
    let intervals = known.iter().filter(|_| has_intervals).map(interval).collect();
    let figures = known.iter().map(|(at, value, _, unit)| {
        format!("{} ({})", quantity::figure(*value, *unit), quantity::exact(*at))
    });
    let figures = figures.collect::<Vec<_>>().join(&words.get("punctuation.comma"));
    ChartLine {
        name: name.to_owned(),
        said: format!("{name}{}{figures}", words.get("punctuation.colon")),
        series,
        weight: LineWeight::Dots,
        parts,
        intervals,
        broken: Vec::new(),
    }
}
