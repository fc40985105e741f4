//! Scores by another number of the samples, as `report.json` holds them.

use crate::compare::{ArmBins, ScoreBin, ScoreBins};
use crate::pairing::PairArm;
use crate::report::ReportMaterial;
use crate::report::data::{ArmBinsView, ScoreBinView, ScoreBinsView};

pub(in crate::report) fn score_bins(material: &ReportMaterial<'_>) -> Vec<ScoreBinsView> {
    material.score_bins.iter().flatten().map(view).collect()
}

fn view(found: &ScoreBins<'_>) -> ScoreBinsView {
    let key = &found.comparison.cell.key;
    let [baseline, candidate] = found.arms.each_ref().map(arm);
    ScoreBinsView {
        by: found.by.name(),
        column: found.column,
        metric: key.metric.clone(),
        dataset: key.dataset.clone(),
        dims: key.dims.clone(),
        candidate_run: found.comparison.pair.name(PairArm::Candidate).to_owned(),
        is_share: found.is_share,
        baseline,
        candidate,
    }
}

fn arm(arm: &ArmBins) -> ArmBinsView {
    let bins = arm.bins.iter().map(|ScoreBin { bin, interval }| ScoreBinView {
        n: bin.scores.n,
        limits: bin.limits,
        center: bin.center,
        score: bin.scores.mean,
        ci: interval.map(|ends| [ends.lo, ends.hi]),
    });
    ArmBinsView { calibration_error: arm.calibration_error, bins: bins.collect() }
}
