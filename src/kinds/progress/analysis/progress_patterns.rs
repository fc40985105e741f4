//! What the last generations are made of.

use indexmap::IndexMap;

use crate::diag::Location;
use crate::model::Generations;
use crate::stats::Counts;

#[derive(Debug, Clone, PartialEq)]
pub struct Patterns {
    /// Field that says them.
    pub field: String,
    pub asked: u64,
    pub looked_at: u64,
    /// First and last of them.
    pub places: Option<[Location; 2]>,
    /// Whether they are the last up to the later step; without steps they are the last written.
    pub by_step: bool,
    /// Generations with each name, the most frequent first.
    pub names: Vec<(String, Counts)>,
    /// Generations with each set of names, the most frequent first.
    pub sets: Vec<(Vec<String>, Counts)>,
}

/// Counts the patterns of the last `last` generations up to a step.
pub(super) fn patterns(generations: &Generations, to: f64, last: u64) -> Patterns {
    let by_step = generations.records.iter().all(|one| one.at.is_some());
    let mut records: Vec<_> = generations
        .records
        .iter()
        .filter(|one| !by_step || one.at.is_some_and(|at| at <= to))
        .collect();
    if by_step {
        records.sort_by(|a, b| a.at.unwrap_or(0.0).total_cmp(&b.at.unwrap_or(0.0)));
    }
    let skipped = records.len().saturating_sub(usize::try_from(last).unwrap_or(usize::MAX));
    let records = records.get(skipped..).unwrap_or_default();
    let n = records.len() as u64;
    let mut names: IndexMap<String, u64> = IndexMap::new();
    let mut sets: IndexMap<Vec<String>, u64> = IndexMap::new();
    for record in records {
        let mut set = record.names.clone();
        set.sort();
        set.dedup();
        for name in &set {
            *names.entry(name.clone()).or_default() += 1;
        }
        *sets.entry(set).or_default() += 1;
    }
    let place = |one: &crate::model::Generation| one.source.location();
    Patterns {
        field: generations.field.clone(),
        asked: last,
        looked_at: n,
        places: records.first().zip(records.last()).map(|(a, b)| [place(a), place(b)]),
        by_step,
        names: ranked(names, n),
        sets: ranked(sets, n),
    }
}

/// Most frequent first, then by name.
fn ranked<K: Ord>(counts: IndexMap<K, u64>, n: u64) -> Vec<(K, Counts)> {
    let mut ranked: Vec<(K, Counts)> =
        counts.into_iter().filter_map(|(key, x)| Some((key, Counts::new(x, n)?))).collect();
    ranked.sort_by(|(a, x), (b, y)| y.x.cmp(&x.x).then_with(|| a.cmp(b)));
    ranked
}
