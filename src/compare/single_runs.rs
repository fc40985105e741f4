//! Arms of one run each: the difference, and the best design that their data allow.
//!
//! Owns the choice between paired samples, their order and stated figures; arms of several runs are
//! in `seeds.rs`.

use super::bounds::DifferenceReadings;
use super::evidence::{self, ComparisonEvidence};
use super::joined::Joined;
use super::{CompareOptions, VerdictReason, Weighed};
use crate::pairing::{ArmPair, CellPair};
use crate::stats::{Design, Moments, Note};

/// What one run of each arm says.
pub(super) fn weigh<'a>(
    pair: &'a ArmPair<'a>,
    cell: &'a CellPair<'a>,
    options: &CompareOptions,
) -> Weighed<'a> {
    let scale = cell.spec.unit.shown_scale();
    let mut delta = cell.figures().map(|(baseline, candidate)| (candidate - baseline) * scale);
    let evidence = match delta {
        Some(delta) if delta.is_nan() => Err(VerdictReason::InfiniteScores),
        Some(delta) if delta.is_infinite() => infinite_evidence(pair, cell, delta),
        Some(_) => best_evidence(pair, cell),
        None => Err(VerdictReason::MissingValue),
    };
    delta = delta.filter(|delta| !delta.is_nan());
    let mut analysis = evidence.as_ref().ok().and_then(|evidence| evidence.analysis(options));
    let is_paired = evidence.as_ref().is_ok_and(|evidence| evidence.pairs.is_some());
    if let Some(analysis) = &mut analysis {
        if delta.is_some_and(f64::is_infinite) {
            // Only the order was tested; the difference of the means is what it is.
        } else if is_paired {
            delta = Some(analysis.delta);
        } else if !analysis.notes.contains(&Note::TreatedAsIndependent) {
            analysis.notes.push(Note::TreatedAsIndependent);
        }
    }
    let readings = delta.filter(|_| evidence.is_ok());
    let readings = readings.and_then(|delta| DifferenceReadings::over_pairs(pair, cell, delta));
    Weighed { delta, evidence, analysis, readings, seeds: None }
}

/// The order of paired samples whose mean is infinite in one arm: no other test holds there, and
/// this one only where it shows the difference that the means have.
fn infinite_evidence(
    pair: &ArmPair<'_>,
    cell: &CellPair<'_>,
    delta: f64,
) -> Result<ComparisonEvidence, VerdictReason> {
    let joined = Joined::new(pair, cell).ok_or(VerdictReason::InfiniteScores)?;
    let evidence = joined.by_order(None).ok_or(VerdictReason::InfiniteScores)?;
    let shown = match &evidence.design {
        Design::PairedRanks(ranks) => ranks.plus() - ranks.minus(),
        _ => 0.0,
    };
    if shown * delta.signum() > 0.0 { Ok(evidence) } else { Err(VerdictReason::InfiniteScores) }
}

/// The best design that the data of a cell allows: paired samples before all else.
pub(super) fn best_evidence(
    pair: &ArmPair<'_>,
    cell: &CellPair<'_>,
) -> Result<ComparisonEvidence, VerdictReason> {
    match Joined::new(pair, cell) {
        Some(joined) => joined.evidence(joined.complete()).ok_or(VerdictReason::TooFew),
        None => evidence::unpaired(pair, cell),
    }
}

/// Means of both arms over the pairs with a score in both.
pub(super) fn means_over_pairs(pair: &ArmPair<'_>, cell: &CellPair<'_>) -> Option<[f64; 2]> {
    let join = &pair.tables.get(cell.table?)?.join;
    let (mine, theirs) = (cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?);
    let mut arms = [Moments::default(); 2];
    for &(a, b) in &join.pairs {
        if let Some((before, after)) = mine.score(a as usize).zip(theirs.score(b as usize)) {
            let [baseline, candidate] = &mut arms;
            baseline.add(before);
            candidate.add(after);
        }
    }
    let [baseline, candidate] = arms;
    (baseline.n > 0).then_some([baseline.mean, candidate.mean])
}
