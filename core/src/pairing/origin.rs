//! Which file speaks for a run whose files state a setting differently: the one behind the figures
//! that are compared.

use std::collections::BTreeSet;

use super::{CellPair, PairArm};
use crate::model::{Config, Run};

/// The configuration of a run as the compared figures were made under it. Where results files state
/// a key differently, the first one that a shared cell takes its figure from counts; where none does,
/// the run's own value.
pub(super) fn config_behind_figures(run: &Run, which: PairArm, cells: &[CellPair<'_>]) -> Config {
    let shared = cells.iter().filter(|cell| cell.figures().is_some());
    let figures: BTreeSet<&str> = shared
        .filter_map(|cell| cell.side(which).stated.as_ref())
        .map(|stated| stated.scalar.source.path.as_ref())
        .collect();
    let results: BTreeSet<&str> =
        run.content.scalars.iter().map(|scalar| scalar.source.path.as_ref()).collect();
    // A configuration file speaks for all results.
    let mut config = run.content.config.preferring(|entry, kept| {
        let (path, kept) = (&*entry.source.path, &*kept.source.path);
        results.contains(kept) && !figures.contains(kept) && figures.contains(path)
    });
    // What other results were made under says nothing of the compared ones.
    config.retain(|key| {
        let stated = run.content.config.get(key).filter(|_| key.contains('#'));
        stated.is_none_or(|entry| {
            let path = &*entry.source.path;
            !results.contains(path) || figures.contains(path)
        })
    });
    config
}
