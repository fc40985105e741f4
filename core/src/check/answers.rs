//! Samples that are too equal: the same text, or the same score, for every sample, where another
//! model is said to have answered.
//!
//! Equal figures are the business of `identical`; what is compared here are single samples.

use std::collections::BTreeMap;

use super::samples::about;
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{CHECKPOINT_DIMS, ContentHash, Run, SampleTable};
use crate::pairing::{ArmPair, PairArm, TablePair};
use crate::quantity::Quantity;

/// Fewer texts than this may be equal because the questions are easy.
const FEWEST_RESPONSES: usize = 20;
/// Share of samples on which arms disagree that hardly differ.
const SMALL_DISAGREEMENT: f64 = 0.02;
/// Chance of no disagreement at all from which on it is remarkable.
const REMARKABLE: f64 = 0.01;
/// Share of the rarer outcome below which scores are too alike to tell models apart.
const MIXED: f64 = 0.05;

/// Last components of keys that may leave every answer of greedy decoding as it is.
const HARMLESS: [&str; 12] = [
    "seed",
    "eval_seed",
    "random_seed",
    "batch_size",
    "eval_batch_size",
    "per_device_eval_batch_size",
    "num_workers",
    "device",
    "tensor_parallel_size",
    "gpu_memory_utilization",
    "max_num_seqs",
    "limit",
];

/// Most differing keys that are named.
const MOST_KEYS: usize = 5;

pub(super) fn check_answers(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let differing = differing(pair);
    if !differing.is_empty() {
        for tables in &pair.tables {
            let rows = tables.join.pairs.iter().map(|&(a, b)| (a as usize, b as usize));
            if let Some(equal) = equal(tables.baseline, tables.candidate, rows) {
                found.push(
                    equal
                        .finding(about_arms(tables))
                        .with("first", pair.baseline.id.as_str())
                        .with("second", pair.candidate.id.as_str())
                        .with("differing", differing.clone()),
                );
            }
        }
    }
    for which in PairArm::BOTH {
        found.extend(checkpoints(pair.run(which)));
    }
    found
}

/// What the arms are said to differ in, as far as it could change an answer.
fn differing(pair: &ArmPair<'_>) -> Vec<String> {
    let leaf = |key: &str| crate::model::leaf(key).to_ascii_lowercase();
    let mut keys: Vec<String> = pair
        .differences
        .iter()
        .filter(|one| !one.environment && !one.one_sided())
        .filter(|one| !HARMLESS.contains(&leaf(&one.key).as_str()))
        .map(|one| one.key.clone())
        .collect();
    if keys.len() > MOST_KEYS {
        keys.truncate(MOST_KEYS);
        keys.push("…".to_owned());
    }
    keys
}

fn about_arms(tables: &TablePair<'_>) -> impl Fn(Code) -> Diagnostic {
    move |code| about(code, tables).at(tables.candidate.source(0, "").location())
}

/// Neighbouring checkpoints of one run whose samples are too equal.
fn checkpoints(run: &Run) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for &dim in CHECKPOINT_DIMS {
        let mut lines: BTreeMap<_, BTreeMap<_, &SampleTable>> = BTreeMap::new();
        for table in &run.content.samples {
            if let Some(at) = table.dims.get(dim) {
                let rest = (table.dataset.clone(), table.dims.without(dim));
                lines.entry(rest).or_default().insert(at.clone(), table);
            }
        }
        for ((dataset, dims), tables) in lines {
            let tables: Vec<_> = tables.into_iter().collect();
            for neighbours in tables.windows(2) {
                let [(from, first), (to, second)] = neighbours else { continue };
                let Some(equal) = equal(first, second, by_id(first, second).into_iter()) else {
                    continue;
                };
                let about = |code| {
                    Diagnostic::new(code)
                        .run(&run.id)
                        .about_dataset(dataset.as_deref())
                        .dims(&dims)
                        .at(Location::file(second.path.as_ref()))
                };
                found.push(
                    equal
                        .finding(about)
                        .with("first", format!("{dim} {from}"))
                        .with("second", format!("{dim} {to}"))
                        .with("differing", dim),
                );
            }
        }
    }
    found
}

/// Rows of equal ids, each id once.
fn by_id(first: &SampleTable, second: &SampleTable) -> Vec<(usize, usize)> {
    if first.same_ids(second) {
        return (0..first.len()).map(|row| (row, row)).collect();
    }
    let places: BTreeMap<&str, usize> =
        (0..second.len()).map(|row| (second.id(row), row)).collect();
    let own: BTreeMap<&str, usize> = (0..first.len()).map(|row| (first.id(row), row)).collect();
    own.into_iter().filter_map(|(id, row)| Some((row, *places.get(id)?))).collect()
}

/// How equal two tables are.
enum Equal {
    /// Every text is.
    Responses { count: usize, distinct: usize },
    /// Every score is.
    Scores { count: usize, metrics: Vec<String>, chance: f64 },
}

impl Equal {
    fn finding(self, about: impl Fn(Code) -> Diagnostic) -> Diagnostic {
        match self {
            Self::Responses { count, distinct } => {
                about(Code::ResponsesIdentical).with("count", count).with("distinct", distinct)
            }
            Self::Scores { count, metrics, chance } => about(Code::ScoresIdentical)
                .with("count", count)
                .with("metrics", metrics)
                .with("chance", Quantity::Magnitude(chance)),
        }
    }
}

fn equal(
    first: &SampleTable,
    second: &SampleTable,
    rows: impl Iterator<Item = (usize, usize)> + Clone,
) -> Option<Equal> {
    if first.has_responses() && second.has_responses() {
        return equal_responses(first, second, rows);
    }
    equal_scores(first, second, &rows)
}

/// Whether all texts are equal. The first that differs ends the search, so that it costs nothing
/// where all is well.
fn equal_responses(
    first: &SampleTable,
    second: &SampleTable,
    rows: impl Iterator<Item = (usize, usize)>,
) -> Option<Equal> {
    let mut seen = Vec::new();
    for (a, b) in rows {
        let response = first.response(a)?;
        if second.response(b) != Some(response) {
            return None;
        }
        seen.push(response);
    }
    let count = seen.len();
    distinct_answer_texts(seen).map(|distinct| Equal::Responses { count, distinct })
}

/// How many different texts there are, where they are enough of them, and different enough, to be
/// more than labels.
pub(super) fn distinct_answer_texts(mut texts: Vec<ContentHash>) -> Option<usize> {
    let count = texts.len();
    texts.sort_unstable();
    texts.dedup();
    let distinct = texts.len();
    (count >= FEWEST_RESPONSES && 2 * distinct >= count).then_some(distinct)
}

fn equal_scores(
    first: &SampleTable,
    second: &SampleTable,
    rows: &(impl Iterator<Item = (usize, usize)> + Clone),
) -> Option<Equal> {
    let mut metrics = Vec::new();
    let mut largest = 0;
    for (metric, mine) in first.columns() {
        let Some(theirs) = second.column(metric) else { continue };
        if first.is_derived(metric) || !(mine.is_binary() && theirs.is_binary()) {
            continue;
        }
        let (mut count, mut right) = (0_usize, 0_usize);
        for (a, b) in rows.clone() {
            let (mine, theirs) = (mine.get(a), theirs.get(b));
            if mine != theirs {
                return None;
            }
            count += usize::from(mine.is_some());
            right += usize::from(mine == Some(1.0));
        }
        let rarer = right.min(count - right);
        if rarer as f64 >= MIXED * count as f64 && count > 0 {
            metrics.push(metric.clone());
            largest = largest.max(count);
        }
    }
    let chance = (1.0 - SMALL_DISAGREEMENT).powi(i32::try_from(largest).unwrap_or(i32::MAX));
    (!metrics.is_empty() && chance < REMARKABLE).then_some(Equal::Scores {
        count: largest,
        metrics,
        chance,
    })
}
