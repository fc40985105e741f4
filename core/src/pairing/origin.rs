//! Which file speaks for a run whose files state a setting differently: the one behind the figures
//! that are compared.

use std::collections::BTreeSet;

use super::{CellPair, PairArm};
use crate::model::{Config, Run};

/// The configuration of a run as the compared figures were made under it. Where results files state
/// a key differently, the first one that a shared cell takes its figure from counts; where none does,
/// the run's own value.
pub(super) fn config_behind_figures(run: &Run, which: PairArm, cells: &[CellPair<'_>]) -> Config {
    let mut config = run.content.config.clone();
    let shared = cells.iter().filter(|cell| cell.figures().is_some());
    let figures: BTreeSet<&str> = shared
        .filter_map(|cell| cell.side(which).stated.as_ref())
        .map(|stated| stated.scalar.source.path.as_ref())
        .collect();
    let results: BTreeSet<&str> =
        run.content.scalars.iter().map(|scalar| scalar.source.path.as_ref()).collect();
    for (key, entry) in run.content.config.iter() {
        let Some((_, plain)) = key.split_once('#') else { continue };
        let kept = config.get(plain).map(|kept| kept.source.path.clone());
        // A configuration file speaks for all results.
        let is_replaced =
            kept.is_some_and(|kept| results.contains(&*kept) && !figures.contains(&*kept));
        if is_replaced && figures.contains(entry.source.path.as_ref()) {
            config.replace(plain, entry.clone());
        }
    }
    // What other results were made under says nothing of the compared ones.
    let is_of_others = |key: &str, path: &str| {
        key.contains('#') && results.contains(path) && !figures.contains(path)
    };
    let mut own = Config::default();
    for (key, entry) in config.iter() {
        if !is_of_others(key, entry.source.path.as_ref()) {
            own.insert(key.to_owned(), entry.clone());
        }
    }
    own
}
