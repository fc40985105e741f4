//! Weights of samples, which no comparison uses, and what they would make of the figures.

use super::cells::once_per_place;
use crate::diag::{Code, Diagnostic};
use crate::pairing::{CellPair, PairArm, RunPair, SampledSide};
use crate::quantity::Quantity;

/// The canonical name of the weight of a sample.
const WEIGHT: &str = "weight";

/// One finding for each dataset at each grid point whose samples have unlike weights, about its
/// first judged metric.
pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    once_per_place(pair.cells.iter().filter(|cell| cell.is_judged()), finding)
}

fn finding(cell: &CellPair<'_>) -> Option<Diagnostic> {
    let sides = PairArm::BOTH.map(|which| cell.side(which).samples.as_ref());
    let [Some(baseline), Some(candidate)] = sides else { return None };
    let side = [baseline, candidate].into_iter().find(|side| has_unlike_weights(side))?;
    let shown = |mean: f64| Quantity::figure(mean, cell.spec.unit);
    let weighted = |side| shown(weighted_mean(side));
    Some(
        Diagnostic::new(Code::WeightsUnused)
            .about_dataset(cell.key.dataset.as_deref())
            .dims(&cell.key.dims)
            .about_metric(&cell.key.metric)
            .about_key(WEIGHT)
            .with("baseline", shown(baseline.mean))
            .with("candidate", shown(candidate.mean))
            .with("weighted_baseline", weighted(baseline))
            .with("weighted_candidate", weighted(candidate))
            .at(side.rows().next().map(|first| side.table.source(first, WEIGHT).location())),
    )
}

/// Whether the samples of an arm have weights that are not all the same.
fn has_unlike_weights(side: &SampledSide<'_>) -> bool {
    let weights = side.table.column(WEIGHT);
    let mut known = side.rows().filter_map(|row| weights?.get(row));
    let first = known.next();
    known.any(|weight| Some(weight) != first)
}

/// The mean with the weights of the arm; that without them where they are unknown or add up to 0.
fn weighted_mean(side: &SampledSide<'_>) -> f64 {
    let Some(weights) = side.table.column(WEIGHT) else { return side.mean };
    let scored = side.rows().filter_map(|row| Some((weights.get(row)?, side.score(row)?)));
    let (sum, total) = scored
        .fold((0.0, 0.0), |(sum, total), (weight, score)| (sum + weight * score, total + weight));
    if total > 0.0 { sum / total } else { side.mean }
}
