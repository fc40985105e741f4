//! Training curves of both arms, as `report.json` holds them.

use super::comparison::finite;
use crate::compare::{Curve, CurveFigure, CurvePair, CurvePoint};
use crate::model::MetricRole;
use crate::pairing::{ArmPair, PairArm};
use crate::report::ReportMaterial;
use crate::report::data::{CurveFigureView, CurvePointView, CurveRunView, CurveView};

pub(in crate::report) fn curves(material: &ReportMaterial<'_>) -> Vec<CurveView> {
    let of_pair = material.curves.iter().flat_map(|all| {
        let pair = all.pair;
        all.curves.iter().map(move |curve| view(pair, curve))
    });
    of_pair.collect()
}

fn view(pair: &ArmPair<'_>, curve: &CurvePair<'_>) -> CurveView {
    CurveView {
        candidate: pair.name(PairArm::Candidate).to_owned(),
        metric: curve.metric().to_owned(),
        axis: curve.axis().to_owned(),
        dims: curve.lead(PairArm::Baseline).series.dims.clone(),
        direction: curve.spec.direction.name(),
        role: curve.role.map(MetricRole::name),
        unit: curve.spec.unit.name(),
        common_points: curve.common.len(),
        first_difference: curve.parting().map(point),
        last_common: curve.last_common().map(point),
        averaged: curve.averaged,
        figures: curve.figures.iter().map(figure).collect(),
        runs: PairArm::BOTH
            .into_iter()
            .flat_map(|which| curve.arms[which].iter().map(move |one| run(which, one)))
            .collect(),
    }
}

fn point(point: CurvePoint) -> CurvePointView {
    let [baseline, candidate] = point.values.map(finite);
    CurvePointView { at: point.at, baseline, candidate }
}

fn figure(figure: &CurveFigure) -> CurveFigureView {
    let [baseline, candidate] = figure.values;
    CurveFigureView {
        figure: figure.summary.name(),
        baseline,
        candidate,
        delta: figure.delta,
        ci: figure.interval.map(|interval| [interval.lo, interval.hi]),
        level: figure.interval.map(|interval| interval.level),
        p: figure.p,
    }
}

fn run(which: PairArm, curve: &Curve<'_>) -> CurveRunView {
    let not_finite = curve.not_finite();
    CurveRunView {
        run: curve.run.id.clone(),
        arm: which.name(),
        points: curve.finite.len(),
        not_finite: not_finite.map_or(0, |(_, count)| count),
        first_not_finite: not_finite.map(|(first, _)| first.at),
        last_at: curve.series.points.last().map(|point| point.at),
        last: curve.last().map(|point| point.value),
        best_at: curve.best.map(|best| best.at),
        best: curve.best.map(|best| best.value),
        as_good: curve.ties,
        restarts: curve.series.rewinds.clone(),
    }
}
