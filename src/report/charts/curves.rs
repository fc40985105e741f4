//! Training curves of both arms on one plot for each metric: what was logged faint, the smoothed strong.

use super::Drawn;
use crate::compare::{Curve, CurvePair};
use crate::model::Point;
use crate::pairing::PairArm;
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::chart::thinned::{smoothed, thinned};
use crate::report::chart::{
    Axis, Chart, ChartEvent, ChartLine, LineChart, LineWeight, Marks, ends, spans_decades,
};
use crate::report::data::ComparisonData;
use crate::report::sections::phrases;
use crate::text::Catalogue;

/// More plots than this nobody looks at; the table has the others.
const MOST_DRAWN: usize = 6;
/// Columns of a plot that points are thinned to.
const COLUMNS: usize = 300;
/// Up to so many points each is seen and none is smoothed away.
const FEW: usize = 40;
/// Weights of the point before, for so many points or less.
const WEIGHTS: [(usize, f64); 2] = [(200, 0.6), (2000, 0.9)];
const LARGEST_WEIGHT: f64 = 0.98;
/// Most stretches of figures that are not finite.
const MOST_BROKEN: usize = 40;

pub(super) fn charts(material: &ReportMaterial<'_>, _: &ComparisonData) -> Drawn {
    let (mut charts, mut left_out) = (Vec::new(), 0);
    for curves in material.curves {
        let names = PairArm::BOTH.map(|which| curves.pair.name(which).to_owned());
        let mut drawable = curves.curves.iter().filter(|curve| curve.common.len() > 1);
        let drawn = drawable.by_ref().take(MOST_DRAWN);
        charts.extend(drawn.map(|curve| chart(curve, &names, material.words)));
        left_out += drawable.count();
    }
    Drawn { charts, left_out }
}

fn chart(curve: &CurvePair<'_>, names: &[String; 2], words: &Catalogue) -> Chart {
    let unit = curve.spec.unit;
    let smoothing = smoothing(curve);
    let lines = PairArm::BOTH
        .into_iter()
        .zip(names)
        .flat_map(|(which, name)| arm_lines(curve, which, name, smoothing));
    let mut lines: Vec<ChartLine> = lines.collect();
    // What is faint lies below, so that it hides nothing.
    lines.sort_by_key(|line| line.weight != LineWeight::Faint);
    let is_broken = lines.iter().any(|line| !line.broken.is_empty());
    let mut title = curve.metric().to_owned();
    if let Some(Smoothing { weight, step, is_log }) = smoothing {
        let args = [("weight", quantity::exact(weight)), ("step", quantity::exact(step))];
        let key = if is_log { "chart.smoothed-log" } else { "chart.smoothed" };
        title.push_str(&words.fill(key, &args));
    }
    let mut said: Vec<&str> = lines.iter().map(|line| line.said.as_str()).collect();
    said.sort_unstable();
    said.dedup();
    let description = said.join(&words.get("punctuation.semicolon"));
    let x = phrases::dim_name(curve.axis(), words);
    if is_broken {
        title.push_str(&words.get("chart.broken"));
    }
    let axis = |title: String, unit: &'static str| Axis { title, unit, is_difference: false };
    let chart = LineChart {
        x: axis(x.clone(), ""),
        y: axis(curve.metric().to_owned(), unit.suffix()),
        scale: String::new(),
        lines,
        events: events(curve, words),
    }
    .with_scales_named(words);
    if let Some([at, value]) = chart.farthest_cut() {
        let value = quantity::figure(value / unit.shown_scale(), unit);
        let args = [("axis", x), ("at", quantity::exact(at)), ("value", value)];
        title.push_str(&words.fill("chart.cut", &args));
    }
    Chart { name: "curve", title, description, marks: Marks::Lines(chart) }
}

/// How figures are smoothed.
#[derive(Debug, Clone, Copy)]
struct Smoothing {
    /// How much of a figure is kept over a step.
    weight: f64,
    step: f64,
    /// Whether logarithms are, as they are drawn: the mean of figures lies above most of them there.
    is_log: bool,
}

impl Smoothing {
    fn applied(&self, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
        if !self.is_log {
            return smoothed(points, self.weight, self.step);
        }
        let logs: Vec<[f64; 2]> = points.iter().map(|[at, value]| [*at, value.ln()]).collect();
        let means = smoothed(&logs, self.weight, self.step);
        means.into_iter().map(|[at, value]| [at, value.exp()]).collect()
    }
}

/// The smoothing of both arms; `None` where each point is seen.
fn smoothing(curve: &CurvePair<'_>) -> Option<Smoothing> {
    let curves = || curve.arms.iter().flatten();
    let most = curves().map(|one| one.finite.len()).max()?;
    let step = curves().filter_map(Curve::spacing).fold(0.0, f64::max);
    let weight = WEIGHTS.iter().find(|(points, _)| most <= *points).map(|(_, weight)| *weight);
    let values: Vec<f64> =
        curves().flat_map(|one| one.finite.iter().map(|point| point.value)).collect();
    let is_log = spans_decades(ends(&values));
    let weight = weight.unwrap_or(LARGEST_WEIGHT);
    (most > FEW && step > 0.0).then_some(Smoothing { weight, step, is_log })
}

/// The runs of an arm as they were logged, and what they come to: their mean where there are several,
/// smoothed where there are many points.
fn arm_lines(
    curve: &CurvePair<'_>,
    which: PairArm,
    name: &str,
    smoothing: Option<Smoothing>,
) -> Vec<ChartLine> {
    let scale = curve.spec.unit.shown_scale();
    let shown = |points: &[Point]| -> Vec<[f64; 2]> {
        points.iter().map(|point| [point.at, point.value * scale]).collect()
    };
    let series = usize::from(which == PairArm::Candidate);
    let line = |name: &str, said: String, weight, parts| ChartLine {
        name: name.to_owned(),
        said,
        series,
        weight,
        parts,
        intervals: Vec::new(),
        broken: Vec::new(),
    };
    let runs = &curve.arms[which];
    let is_alone = runs.len() == 1 && smoothing.is_none();
    let mut lines: Vec<ChartLine> = Vec::new();
    for run in runs {
        let parts = finite_parts(run).map(|part| thinned(&shown(part), COLUMNS)).collect();
        let broken =
            parts_of(run, false).filter_map(|part| Some([part.first()?.at, part.last()?.at]));
        let weight = if is_alone { LineWeight::Dots } else { LineWeight::Faint };
        let own = line(if is_alone { name } else { "" }, said(curve, run, name), weight, parts);
        let broken = broken.take(MOST_BROKEN).collect();
        lines.push(ChartLine { broken, ..own });
    }
    if !is_alone && let Some(lead) = runs.first() {
        let mean =
            if runs.len() == 1 { shown(&lead.finite) } else { shown(&curve.mean_curve(which)) };
        let mean = match smoothing {
            Some(smoothing) => smoothing.applied(&mean),
            None => mean,
        };
        let mut rest = mean.as_slice();
        let mut parts = Vec::new();
        for part in finite_parts(lead).filter(|_| runs.len() == 1) {
            let (own, behind) = rest.split_at(part.len().min(rest.len()));
            parts.push(thinned(own, COLUMNS / 4));
            rest = behind;
        }
        parts.push(thinned(rest, COLUMNS / 4));
        parts.retain(|part| !part.is_empty());
        lines.push(line(name, said(curve, lead, name), LineWeight::Strong, parts));
    }
    lines
}

/// The points of a run, parted where a figure is NaN or infinite.
fn finite_parts<'c>(run: &Curve<'c>) -> impl Iterator<Item = &'c [Point]> {
    parts_of(run, true)
}

/// Neighbours that are all finite, or all not.
fn parts_of<'c>(run: &Curve<'c>, are_finite: bool) -> impl Iterator<Item = &'c [Point]> {
    let is_finite = |point: &Point| point.value.is_finite() && point.at.is_finite();
    let parts = run.series.points.chunk_by(move |a, b| is_finite(a) == is_finite(b));
    parts.filter(move |part| part.iter().all(|point| is_finite(point) == are_finite))
}

/// `phase1: 1.2 → 0.3`.
fn said(curve: &CurvePair<'_>, run: &Curve<'_>, name: &str) -> String {
    let figure = |point: Option<&Point>| {
        point.map_or_else(|| "?".to_owned(), |at| quantity::figure(at.value, curve.spec.unit))
    };
    let points = &run.series.points;
    format!("{name}: {} → {}", figure(points.first()), figure(points.last()))
}

/// Where the arms differ first, and where logs go back.
fn events(curve: &CurvePair<'_>, words: &Catalogue) -> Vec<ChartEvent> {
    let axis = phrases::dim_name(curve.axis(), words);
    let event = |key: &str, at: f64, run: &str| {
        let args = [("axis", axis.as_str()), ("at", &quantity::exact(at)), ("run", run)];
        ChartEvent { at, label: words.fill(key, &args), is_marked: true }
    };
    let parting = curve.parting().filter(|first| curve.common.first() != Some(first));
    let parting = parting.map(|first| event("chart.parting", first.at, ""));
    let runs = curve.arms.iter().flatten();
    let restarts = runs.flat_map(|one| {
        one.series.rewinds.iter().map(|at| event("chart.restart", *at, &one.run.id))
    });
    parting.into_iter().chain(restarts.take(MOST_BROKEN)).collect()
}
