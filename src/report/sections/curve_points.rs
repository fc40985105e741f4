//! The figures of two curves place by place: at common points, or where logs have these nowhere, as means
//! over intervals.

use super::phrases;
use super::training_metrics::thinned;
use crate::compare::{CurveInterval, CurvePair, CurvePoint};
use crate::pairing::{ArmPair, PairArm, PerArm};
use crate::quantity::{self, Unit};
use crate::report::block::{Block, Cell, Table, Text};
use crate::text::Catalogue;

/// Metrics whose figures are listed.
const MOST_LISTED: usize = 4;

pub(super) fn blocks(
    curves: &[CurvePair<'_>],
    pair: &ArmPair<'_>,
    words: &Catalogue,
) -> Vec<Block> {
    let listed = curves.iter().filter(|curve| curve.common.len() > 1).take(MOST_LISTED);
    let at_points: Vec<Block> =
        listed.flat_map(|curve| common_points(curve, pair, words)).collect();
    let means = curves.iter().map(|curve| (curve, curve.over_intervals()));
    let means = means.filter(|(_, intervals)| intervals.len() > 1).take(MOST_LISTED);
    let over_intervals: Vec<Block> =
        means.flat_map(|(curve, all)| interval_means(curve, &all, pair, words)).collect();
    let points = super::folded(words.get("curves.listed"), at_points);
    let intervals = super::folded(words.get("curves.over-intervals"), over_intervals);
    points.into_iter().chain(intervals).collect()
}

fn interval_means(
    curve: &CurvePair<'_>,
    intervals: &[CurveInterval],
    pair: &ArmPair<'_>,
    words: &Catalogue,
) -> [Block; 2] {
    let unit = curve.spec.unit;
    let counted = |mean: f64, points: u64| {
        let shown = quantity::figure(mean, unit);
        let args = [("name", shown), ("detail", quantity::count(points))];
        Cell::number(words.fill("phrase.name-with-detail", &args), mean)
    };
    let table = Table::of_rows(intervals)
        .right(phrases::dim_name(curve.axis(), words), |interval| {
            // Steps are whole; of epochs parts count.
            let scale = if interval.to - interval.from < 1.0 { 1000.0 } else { 1.0 };
            let rounded = |edge: f64| quantity::exact((edge * scale).round() / scale);
            let [from, to] = [interval.from, interval.to].map(rounded);
            Cell::number(Text::strong(format!("{from} … {to}")), interval.from)
        })
        .right(pair.name(PairArm::Baseline), |one| counted(one.means[0], one.points[0]))
        .right(pair.name(PairArm::Candidate), |one| counted(one.means[1], one.points[1]))
        .right(words.get("results.difference"), |one| difference(one.means, unit));
    [Block::Paragraph { text: Text::code(curve.metric()) }, table.block()]
}

fn value(value: f64, unit: Unit) -> Cell {
    if value.is_finite() {
        Cell::number(quantity::figure(value, unit), value)
    } else {
        Cell::text(value.to_string())
    }
}

fn difference([baseline, candidate]: PerArm<f64>, unit: Unit) -> Cell {
    let delta = (candidate - baseline) * unit.shown_scale();
    if delta.is_finite() {
        Cell::number(quantity::difference_text(delta, [baseline, candidate], unit), delta)
    } else {
        Cell::dash()
    }
}

/// The figures of both arms at common places, thinned, ends included.
fn common_points(curve: &CurvePair<'_>, pair: &ArmPair<'_>, words: &Catalogue) -> [Block; 2] {
    let places: Vec<f64> = curve.common.iter().map(|point| point.at).collect();
    let kept = thinned(&places);
    let points: Vec<CurvePoint> =
        curve.common.iter().filter(|point| kept.contains(&point.at)).copied().collect();
    let unit = curve.spec.unit;
    let table = Table::of_rows(&points)
        .right(phrases::dim_name(curve.axis(), words), |point| {
            Cell::number(Text::strong(quantity::exact(point.at)), point.at)
        })
        .right(pair.name(PairArm::Baseline), |point| value(point.values[0], unit))
        .right(pair.name(PairArm::Candidate), |point| value(point.values[1], unit))
        .right(words.get("results.difference"), |point| difference(point.values, unit));
    let args = [("shown", points.len()), ("count", places.len())];
    let title = Text::code(curve.metric());
    let title = title.and_plain(words.fill("curves.of-common", &args));
    [Block::Paragraph { text: title }, table.block()]
}
