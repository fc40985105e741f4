//! Infers the scale of metrics without declared bounds that some programs write from 0 to 1 and
//! others from 0 to 100, as far as the size of the figures shows it.

use std::collections::BTreeSet;

use super::PairArm;
use super::cells::CellPair;
use crate::quantity::Unit;

/// What is in the names of such metrics.
const PARTS: [&str; 4] = ["bleu", "chrf", "rouge", "meteor"];
/// What is a whole word of them.
const WORDS: [&str; 4] = ["wer", "cer", "mer", "ter"];
/// A name that only begins like one of them.
const OTHER: &str = "bleurt";

/// How many times as large percentages may be as shares of what another model did: up to three times
/// as good or bad.
const FACTOR: std::ops::RangeInclusive<f64> = 30.0..=300.0;

/// Marks the cells of such metrics whose figures are shares in both arms, and those where one arm
/// writes shares throughout and the other, by what its figures are many times larger, percentages.
pub(super) fn settle_scales(cells: &mut [CellPair<'_>]) {
    let metrics = cells.iter().filter(|cell| is_written_either_way(cell));
    let metrics: BTreeSet<String> = metrics.map(|cell| cell.key.metric.clone()).collect();
    for metric in metrics {
        let own = |cell: &&CellPair<'_>| cell.key.metric == metric && cell.figures().is_some();
        let own: Vec<&CellPair<'_>> = cells.iter().filter(own).collect();
        let [mine, theirs] = PairArm::BOTH.map(|which| {
            let mut figures = own.iter().filter_map(|cell| cell.figure(which));
            figures.all(|figure| figure.abs() <= 1.0)
        });
        let is_apart = own.iter().any(|cell| {
            let (low, high) = cell.figures().map_or((0.0, 0.0), |(a, b)| (a.min(b), a.max(b)));
            low > 0.0 && high > 1.0 && FACTOR.contains(&(high / low))
        });
        let (shares, mixed) = (mine && theirs && !own.is_empty(), mine != theirs && is_apart);
        for cell in cells.iter_mut().filter(|cell| cell.key.metric == metric) {
            cell.written_as_shares = shares;
            cell.mixed_units |= mixed;
        }
    }
}

fn is_written_either_way(cell: &CellPair<'_>) -> bool {
    if cell.spec.unit != Unit::Plain || cell.spec.range().is_some() {
        return false;
    }
    let name = cell.key.metric.to_ascii_lowercase();
    let is_named = PARTS.iter().any(|part| name.contains(part)) && !name.contains(OTHER);
    is_named || name.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}
