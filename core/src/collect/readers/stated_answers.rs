//! How many answers to each problem a table of figures states beside them.

use super::super::document::Table;
use super::figure::SIZE_KEYS;
use crate::model::{ANSWERS_EACH, MetricNames};

/// What names begin with beside which `k` is how many of a ranking are looked at.
const RANKING: [&str; 8] = ["recall", "precision", "ndcg", "mrr", "map", "hit", "top", "knn"];

/// Names of the number of answers to each problem that mean something else in a configuration. Epochs are
/// those of a training, and of votes and of the best answer each problem has one outcome.
const PERHAPS_ANSWERS_EACH: &[&str] = &[
    "attempts",
    "num_attempts",
    "n_attempts",
    "trials",
    "num_runs",
    "n_runs",
    "num_seeds",
    "n_seeds",
    "generations_per_prompt",
    "generations_per_problem",
];
/// How many these may be: more are something else.
const MAY_BE_EACH: std::ops::RangeInclusive<u64> = 2..=64;
/// Words beside which they are numbers of a training.
const TRAINING: [&str; 9] =
    ["loss", "lr", "learning", "train", "training", "optimizer", "batch", "step", "steps"];

/// The number of answers to each problem that a table states, and its name.
pub(super) fn answers_each(table: &Table, metrics: &MetricNames) -> Option<(String, u64)> {
    let is_ranking = || {
        let is_of_ranks = |key: &String| RANKING.iter().any(|start| key.starts_with(start));
        table.keys().any(is_of_ranks)
    };
    let mut stated = table.iter().filter(|(key, _)| {
        let is_each = ANSWERS_EACH.contains(&key.as_str()) || *key == "k" && !is_ranking();
        is_each && !metrics.is_declared(key)
    });
    let sure = stated.find_map(|(key, node)| Some((key.clone(), node.count()?)));
    sure.or_else(|| perhaps_answers_each(table, metrics))
}

/// The same by a name that means something else in a configuration.
fn perhaps_answers_each(table: &Table, metrics: &MetricNames) -> Option<(String, u64)> {
    let trains = |key: &String| {
        let words = || key.split(|c: char| !c.is_alphanumeric());
        words().any(|word| TRAINING.contains(&word))
    };
    let is_of_training = table.keys().any(trains);
    let n = SIZE_KEYS.iter().find_map(|key| table.get(*key)?.count())?;
    PERHAPS_ANSWERS_EACH.iter().find_map(|name| {
        let count = table.get(*name)?.count().filter(|count| MAY_BE_EACH.contains(count))?;
        let is_it = !is_of_training && !metrics.is_declared(name) && n > count;
        is_it.then(|| ((*name).to_owned(), count))
    })
}
