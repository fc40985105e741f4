//! How many samples a run set out to score, as far as its own files tell.
//!
//! Looks for a number that the run wrote down before it could know how far it would come: the size
//! beside its results, a key of its configuration, the rows of the data file that it evaluates on.
//! A number that may mean something else, such as answers to each problem, is not taken.

use crate::model::{Column, ConfigEntry, DataFile, DataRole, Planned, Run, SampleTable, Source};

use super::partners::same_name;

/// Names in a configuration that can only mean samples of the evaluation.
const SURE: &[&str] = &[
    "num_eval_samples",
    "n_eval_samples",
    "eval_samples",
    "num_examples",
    "num_problems",
    "num_questions",
    "total_samples",
    "expected_samples",
    "dataset_size",
];
/// Names that elsewhere mean answers to each problem: they count only where each sample has one
/// answer that is right or wrong.
const UNSURE: &[&str] = &["num_samples", "n_samples", "total"];
/// Upper bounds: a dataset may be smaller.
const LIMITS: &[&str] =
    &["limit", "eval_limit", "max_samples", "max_eval_samples", "max_examples", "num_samples"];
/// Parts of a key that are about something else than evaluating.
const ELSEWHERE: &[&str] =
    &["train", "sft", "rl", "rollout", "sampling", "generation", "gen", "fewshot", "calib"];

/// The number of samples of that dataset that the run set out to score, and where it says so.
pub(super) fn expected_samples(
    run: &Run,
    dataset: Option<&str>,
    table: Option<&SampleTable>,
) -> Option<Planned> {
    let by_name = || {
        let planned = &run.content.planned;
        // Figures without a dataset are planned for under no name.
        let named = |name: &str| same_name(Some(name).filter(|name| !name.is_empty()), dataset);
        let own = planned.iter().find(|(name, _)| named(name));
        // Samples without a dataset are of the only one that anything is said of.
        let only = || planned.first().filter(|_| dataset.is_none() && planned.len() == 1);
        own.or_else(|| only().filter(|_| run.content.samples.len() == 1))
            .map(|(_, aim)| aim.clone())
    };
    let aim = by_name()
        .or_else(|| configured(run, dataset, table))
        .or_else(|| rows_of_file(run, dataset))?;
    // A size may count every answer to each problem.
    let answers = table.map_or(0, |table| table.len() as u64 * u64::from(table.repeats()));
    let counts_answers = table.is_some_and(|table| table.repeats() > 1) && aim.samples <= answers;
    (!counts_answers).then_some(aim)
}

fn configured(run: &Run, dataset: Option<&str>, table: Option<&SampleTable>) -> Option<Planned> {
    let one_outcome_each = table.is_some_and(|table| {
        let mut columns = table.columns().iter();
        table.repeats() == 1 && columns.any(|(_, column)| matches!(column, Column::Flags(_)))
    });
    run.content.config.iter().find_map(|(key, entry)| {
        let parts = parts(key)?;
        let (leaf, above) = parts.split_last()?;
        let counts = SURE.contains(leaf) || (UNSURE.contains(leaf) && one_outcome_each);
        if !counts {
            return None;
        }
        let of_dataset = above.iter().any(|part| same_name(Some(part), dataset));
        let samples = whole(entry).filter(|_| of_dataset || is_only_dataset(run))?;
        Some(Planned { samples, source: keyed(&entry.source, key) })
    })
}

/// The rows of the only data file for evaluation, when it is named like the dataset or the run has
/// no name for its dataset, down to the limit that the configuration sets.
fn rows_of_file(run: &Run, dataset: Option<&str>) -> Option<Planned> {
    let is_eval = |file: &&DataFile| file.role == DataRole::Eval && !is_validation(&file.key);
    let mut files = run.data_files.iter().filter(is_eval);
    let (file, None) = (files.next()?, files.next()) else { return None };
    let rows = file.content.as_ref()?.rows?;
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    let named_alike = dataset.is_none_or(|dataset| {
        let name = plain(dataset);
        !name.is_empty() && plain(file.name()).contains(&name)
    });
    if !named_alike || !is_only_dataset(run) {
        return None;
    }
    let mut limits = run.content.config.iter().filter_map(|(key, entry)| {
        let parts = parts(key)?;
        LIMITS.contains(parts.last()?).then(|| whole(entry))
    });
    // A limit that is no whole number, such as a share, leaves the size open.
    let lowest = limits.try_fold(rows, |lowest, limit| Some(lowest.min(limit?)))?;
    Some(Planned { samples: lowest, source: keyed(&file.source, &file.key) })
}

/// The setting by which a run chose beforehand to score that many samples of a dataset.
pub(super) fn chosen_limit(run: &Run, samples: u64) -> Option<Planned> {
    run.content.config.iter().find_map(|(key, entry)| {
        let chosen = LIMITS.contains(parts(key)?.last()?) && whole(entry) == Some(samples);
        chosen.then(|| Planned { samples, source: keyed(&entry.source, key) })
    })
}

/// Whether the run has results on a single dataset.
fn is_only_dataset(run: &Run) -> bool {
    let tables = run.content.samples.iter().map(|table| table.dataset.as_deref());
    let scalars = run.content.scalars.iter().map(|scalar| scalar.dataset.as_deref());
    let mut names = tables.chain(scalars);
    let first = names.next();
    first.is_some_and(|first| names.all(|name| same_name(name, first)))
}

/// The parts of a dotted key, unless one of them is about something else than evaluating.
fn parts(key: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = key.split('.').collect();
    let elsewhere = |part: &&str| {
        let mut words = part.split('_');
        words.any(|word| ELSEWHERE.contains(&word) || word.starts_with("train"))
    };
    (!key.contains('#') && !parts.iter().any(elsewhere)).then_some(parts)
}

fn is_validation(key: &str) -> bool {
    key.contains("val") && !key.contains("eval")
}

fn whole(entry: &ConfigEntry) -> Option<u64> {
    let number: f64 = entry.value.to_string().parse().ok()?;
    (number >= 1.0 && number.fract() == 0.0 && number < 1e12).then_some(number as u64)
}

fn keyed(source: &Source, key: &str) -> Source {
    Source { key: Some(key.to_owned()), ..source.clone() }
}
