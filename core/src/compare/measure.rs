//! What the data of one cell say by themselves: difference, evidence, analysis, and what missing
//! scores could make of them.

use super::bounds::DifferenceReadings;
use super::counted::CountedPairing;
use super::evidence::ComparisonEvidence;
use super::joined::Joined;
use super::{
    CellRestrictions, CompareOptions, MeasuredCell, Noise, VerdictReason, WeighedFigures, answers,
    anytime, decomposition, evidence, margins, reported, seeds,
};
use crate::pairing::{ArmPair, CellPair, PairArm};
use crate::stats::{Design, Moments, Note};

pub(super) fn measure_cell<'a>(
    pair: &'a ArmPair<'a>,
    cell: &'a CellPair<'a>,
    identical_arms: bool,
    ruled: &CellRestrictions,
    options: &CompareOptions,
) -> MeasuredCell<'a> {
    let WeighedFigures { delta, evidence, analysis, readings, seeds } = if pair.is_repeated() {
        seeds::weigh(pair, cell, options)
    } else {
        weigh(pair, cell, options)
    };
    let blocked = ruled.blocked.filter(|_| delta.is_some());
    let unsupported = || {
        let evidence = evidence.as_ref().ok().filter(|_| options.anytime)?;
        anytime::supports(&evidence.design).err()
    };
    let no_spread = || {
        let tested = analysis.as_ref().is_some_and(|found| found.test.is_some());
        let varies = seeds.as_ref().is_some_and(|seeds| !seeds.all_equal);
        (varies && !tested).then_some(VerdictReason::NoSpread)
    };
    let refused = blocked
        .map(VerdictReason::Blocked)
        .or_else(|| cell.total.as_ref().map(|_| VerdictReason::TotalOfParts))
        .or_else(|| evidence.as_ref().err().copied())
        .or_else(unsupported)
        .or_else(no_spread);
    let evidence = evidence.ok();
    let margin = margins::usable_margin(cell, options);
    let pairs = evidence.as_ref().and_then(|evidence| evidence.pairs);
    let is_sampled = evidence.as_ref().is_some_and(|evidence| evidence.clusters().is_none());
    let compares = delta.is_some() && blocked.is_none();
    MeasuredCell {
        pair,
        cell,
        delta,
        alpha: options.stats.alpha,
        margin,
        margin_interval: margin.and_then(|_| evidence.as_ref()?.interval(margins::level(options)?)),
        paired_p: evidence
            .as_ref()
            .filter(|_| cell.total.is_none())
            .and_then(|evidence| reported::paired_p(cell, evidence)),
        over_pairs: pairs
            .filter(|&pairs| covers_part(cell, pairs) && delta.is_some_and(f64::is_finite))
            .and_then(|_| means_over_pairs(pair, cell)),
        sampling: pairs
            .filter(|_| is_sampled)
            .and_then(|_| answers::sampling_of_difference(pair, cell)),
        decomposition: pairs
            .filter(|_| analysis.is_some())
            .and_then(|_| decomposition::decomposition(pair, cell, options)),
        noise: Noise::in_cell(pair, cell, delta, &ruled.noise, options),
        identical_arms,
        accepted: if compares { ruled.lifted.clone() } else { Vec::new() },
        confounded: if compares { ruled.confounded.clone() } else { Vec::new() },
        refused,
        hidden: Vec::new(),
        parts: Vec::new(),
        analysis,
        evidence,
        readings,
        seeds,
    }
}

/// What one run of each arm says.
pub(super) fn weigh<'a>(
    pair: &'a ArmPair<'a>,
    cell: &'a CellPair<'a>,
    options: &CompareOptions,
) -> WeighedFigures<'a> {
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
    let readings = readings.and_then(|delta| {
        let of_counts = || CountedPairing::new(pair, cell)?.readings(cell, delta);
        DifferenceReadings::over_pairs(pair, cell, delta).or_else(of_counts)
    });
    WeighedFigures { delta, evidence, analysis, readings, seeds: None }
}

/// The order of paired samples whose mean is infinite in one arm: no other test holds there, and
/// this one only where it shows the difference that the means have, and does not owe it to finite
/// scores whose mean shows the opposite.
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
    let agrees = shown * delta.signum() > 0.0 && !joined.finite_contradict(delta);
    if agrees { Ok(evidence) } else { Err(VerdictReason::InfiniteScores) }
}

/// The best design that the data of a cell allows: paired samples before all else.
pub(super) fn best_evidence(
    pair: &ArmPair<'_>,
    cell: &CellPair<'_>,
) -> Result<ComparisonEvidence, VerdictReason> {
    if let Some(counted) = CountedPairing::new(pair, cell) {
        return counted.evidence(None).ok_or(VerdictReason::TooFew);
    }
    match Joined::new(pair, cell) {
        Some(joined) => joined.evidence(joined.complete()).ok_or(VerdictReason::TooFew),
        None => evidence::unpaired(pair, cell),
    }
}

/// Whether so many pairs are only part of the samples of an arm.
pub(super) fn covers_part(cell: &CellPair<'_>, pairs: u64) -> bool {
    PairArm::BOTH.iter().any(|&which| cell.side(which).n().is_some_and(|n| n != pairs))
}

/// Means of both arms over the pairs with a score in both.
fn means_over_pairs(pair: &ArmPair<'_>, cell: &CellPair<'_>) -> Option<[f64; 2]> {
    if let Some(counted) = CountedPairing::new(pair, cell) {
        return counted.means_over_pairs();
    }
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
