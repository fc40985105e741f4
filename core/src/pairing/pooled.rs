//! Which figures are of all samples together, as the F1 of a classifier is, and which are means of a
//! score that each sample has, as the F1 of an answer is. Knows no statistics.

use super::cells::CellPair;

/// The metric of both kinds.
const F1: &str = "f1";
/// What stands beside the F1 of an answer, which has one by the words that it shares with the right one.
const OF_ANSWERS: [&str; 4] =
    ["exact_match", "quasi_exact_match", "prefix_exact_match", "extractive_match"];
/// What stands beside the F1 of a classifier.
const OF_CLASSES: [&str; 2] = ["precision", "recall"];

/// Takes an F1 that stands beside matches of answers for a mean.
pub(super) fn settle_pooled(cells: &mut [CellPair<'_>]) {
    let means: Vec<usize> = (0..cells.len()).filter(|&place| is_mean(cells, place)).collect();
    for place in means {
        if let Some(cell) = cells.get_mut(place) {
            cell.spec.pooled = false;
        }
    }
}

fn is_mean(cells: &[CellPair<'_>], place: usize) -> bool {
    let Some(cell) = cells.get(place).filter(|cell| cell.spec.pooled) else { return false };
    let beside = |names: &[&str]| {
        cells.iter().any(|other| {
            names.contains(&other.key.metric.as_str())
                && other.key.dataset == cell.key.dataset
                && other.key.dims == cell.key.dims
        })
    };
    cell.key.metric == F1 && beside(&OF_ANSWERS) && !beside(&OF_CLASSES)
}
