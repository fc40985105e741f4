//! What is written next to figures and is not a figure: the dataset that they are of, settings of the run, how
//! it ended, and how many samples it scored of those it set out to score.

use std::sync::Arc;

use super::super::document::{MOST_SAMPLES, Node, Table, flatten, scalar_value};
use super::super::occurrences::FewFaults;
use super::super::{FileEntry, path_dims};
use super::chinese_heads::in_english;
use super::figure::{FileFigure, PROBLEM_KEYS, SIZE_KEYS};
use super::run_endings::{STATUS_KEYS, ending};
use super::settings_beside::{
    BLOCKS, NAMED_BLOCKS, is_setting_field, is_setting_of_document, is_setting_of_rows,
};
use super::stated_answers::answers_each;
use crate::diag::{Code, Diagnostic, Fact, Location};
use crate::model::{ConfigEntry, ConfigValue, Fragment, Measured, MetricNames, Source};
use crate::quantity::Unit;

/// Columns of text that are remarks, or say where and when a row was made.
pub(super) const REMARKS: &[&str] = &[
    "note",
    "notes",
    "comment",
    "comments",
    "remark",
    "remarks",
    "description",
    "date",
    "time",
    "timestamp",
    "created_at",
    "updated_at",
    "commit",
    "git_commit",
    "host",
    "hostname",
    "path",
    "url",
    "output_dir",
    "log",
    "error",
    "备注",
];
/// Names of the dataset that figures are of, the surest first.
pub(super) const DATASETS: &[&str] = &[
    "dataset",
    "dataset_name",
    "benchmark",
    "benchmark_name",
    "task",
    "task_name",
    "test_set",
    "eval_set",
    "eval_dataset",
    "eval_name",
    "eval",
];

/// The setting that is a metric among figures of a classifier, what these are called, and the widths
/// in bits that it has as a setting.
const PRECISION: &str = "precision";
const OF_CLASSIFIERS: &[&str] = &["recall", "f1", "f1_score", "f1-score", "accuracy", "acc"];
const WIDTHS: [f64; 5] = [4.0, 8.0, 16.0, 32.0, 64.0];

/// Whether the number under the name of the numeric precision is the metric of that name: a share or a
/// percentage, and no width in bits, beside other figures of a classifier.
pub(super) fn is_precision_metric<'n>(
    name: &str,
    number: Option<f64>,
    mut beside: impl Iterator<Item = &'n str>,
) -> bool {
    let is_rate = |number: f64| (0.0..=100.0).contains(&number) && !WIDTHS.contains(&number);
    name.eq_ignore_ascii_case(PRECISION)
        && number.is_some_and(is_rate)
        && beside.any(|name| OF_CLASSIFIERS.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// The dataset that a table of results names for all of them.
pub(super) fn dataset_field(table: &Table) -> Option<&str> {
    let text = |name: &&str| table.get(*name)?.text().map(str::trim);
    DATASETS.iter().find_map(text).filter(|name| !name.is_empty())
}

/// The table of a document that is about the run.
const RUN: &str = "run";

/// Takes what stands under that name below `above`, if it is no result: a setting becomes a key of
/// the configuration, a status an end of the run. `false` for what may be a result.
pub(super) fn take_setting(
    name: &str,
    node: &Node,
    above: &[String],
    file: &FileEntry,
    fragment: &mut Fragment,
) -> bool {
    let key = || [above, &[name.to_owned()]].concat().join(".");
    if node.table().is_some() {
        let is_named = NAMED_BLOCKS.contains(&name);
        let is_block = is_named || (above.is_empty() && BLOCKS.contains(&name));
        if !is_block {
            return false;
        }
        let prefix = if is_named { key() } else { String::new() };
        flatten(node, &prefix, &file.display, &mut fragment.config);
        fragment.has_whole_config |= !is_named;
        return true;
    }
    let name = in_english(name).unwrap_or(name);
    let key = || [above, &[name.to_owned()]].concat().join(".");
    let is_told = || is_setting_of_document(name, file) || is_text_setting(name, node);
    // `{"prompt": 120, "completion": 64}` counts tokens.
    let is_count = || name == "prompt" && node.number().is_some();
    if is_setting_field(name) && !is_count() || above.is_empty() && is_told() {
        let source = Source::line(&file.display, node.line, key());
        fragment.config.insert(key(), ConfigEntry { value: scalar_value(node), source });
        return true;
    }
    let is_of_run = above.is_empty() || above == [RUN];
    if is_of_run && STATUS_KEYS.iter().any(|key| key.eq_ignore_ascii_case(name)) {
        let source = Source::line(&file.display, node.line, key());
        fragment.endings.extend(node.text().and_then(|status| ending(&key(), status, source)));
        return true;
    }
    DATASETS.contains(&name) && node.text().is_some()
}

/// `"context_length": "8k"`.
fn is_text_setting(name: &str, node: &Node) -> bool {
    node.text().is_some() && is_setting_of_rows(name)
}

/// How long the training behind the results of the Hugging Face trainer lasted, a setting of its run. In
/// the directory of a checkpoint it is no more than the path says.
pub(super) fn note_length_of_training(root: &Node, file: &FileEntry, fragment: &mut Fragment) {
    const EPOCHS: &str = "epoch";
    let is_placed = !path_dims::path_dims(&file.relative).is_empty();
    let epochs = root.get(EPOCHS).and_then(|node| Some((node.number()?, node.line)));
    if let Some((epochs, line)) = epochs.filter(|_| !is_placed) {
        // Three epochs of batches that do not fill the last step end at 2.98.
        let tenths = (epochs * 10.0).round() / 10.0;
        let epochs = if epochs > 1.0 { tenths } else { epochs };
        let source = Source::line(&file.display, line, EPOCHS);
        let entry = ConfigEntry { value: ConfigValue::Number(epochs, epochs.to_string()), source };
        fragment.config.insert(EPOCHS.to_owned(), entry);
    }
}

/// Names of a size that says how many samples there are.
const AIMS: &[&str] = &[
    "n",
    "total",
    "count",
    "num_samples",
    "n_samples",
    "num_problems",
    "n_problems",
    "num_examples",
    "num_questions",
    "n_questions",
    "total_samples",
    "expected_samples",
    "dataset_size",
];
/// Those of them that elsewhere mean answers to each problem.
const SAMPLES: &[&str] = &["num_samples", "n_samples"];
/// Names of the samples that have a result.
const DONE: &[&str] = &[
    "evaluated",
    "num_evaluated",
    "n_evaluated",
    "scored",
    "num_scored",
    "n_scored",
    "completed",
    "num_completed",
    "n_completed",
    "processed",
    "num_processed",
    "finished",
    "num_valid",
    "n_valid",
    "valid_samples",
];
/// Names of the samples that have none because something around the model failed.
const LOST: &[&str] = &[
    "num_errors",
    "n_errors",
    "errored",
    "num_errored",
    "api_errors",
    "num_api_errors",
    "failed_requests",
    "num_failed_requests",
    "skipped",
    "num_skipped",
    "n_skipped",
    "num_missing",
    "n_missing",
    "errors",
    "error_count",
];
/// Those of them that may count wrong answers.
const MAYBE_WRONG: &[&str] = &["errors", "error_count"];
/// Names of answers that are counted and not averaged.
const COUNTS: &[&str] = &[
    "correct",
    "num_correct",
    "n_correct",
    "correct_count",
    "incorrect",
    "num_incorrect",
    "wrong",
    "num_wrong",
    "passed",
    "num_passed",
    "n_passed",
    "solved",
    "num_solved",
    "n_solved",
    "resolved",
    "num_resolved",
    "accepted",
    "num_accepted",
    "success",
    "successes",
    "num_success",
    "num_successes",
    "failures",
    "num_failures",
];

/// What a table says of its samples in whole numbers.
#[derive(Debug, Default, Clone)]
pub(super) struct FileSampleCounts {
    /// The most samples that a size states, its name and line; the problems, where these have
    /// several answers each.
    pub(super) total: Option<(u64, String, u64)>,
    /// The samples that have a result, where that is stated apart from the total.
    pub(super) scored: Option<u64>,
    /// The answers that have a result, where a table counts them beside its problems.
    answers: Option<u64>,
    /// The name and number of answers that the size counts for each problem: 1 where problems are
    /// counted.
    each: Option<(String, u64)>,
    others: Vec<FileFigure>,
}

impl FileSampleCounts {
    /// Reads the whole numbers of a table, those apart that the user declares as metrics.
    pub(super) fn read(table: &Table, metrics: &MetricNames) -> Self {
        let named = |names: &'static [&'static str]| {
            let is_size = |key: &str| names.contains(&key) && !metrics.is_declared(key);
            let named = table.iter().filter(move |(key, _)| is_size(key));
            named.filter_map(|(key, node)| Some((node.count()?, key.clone(), node.line)))
        };
        let total = named(AIMS).max_by_key(|(samples, ..)| *samples);
        let Some((all, ..)) = total else { return Self::default() };
        let done = named(DONE).map(|(count, ..)| count).min();
        let lost = named(LOST)
            .filter(|(lost, name, _)| *lost > 0 && !are_answers(table, name, *lost, all))
            .map(|(count, ..)| count)
            .max();
        let left = lost.map(|lost| all.saturating_sub(lost));
        let scored = done.into_iter().chain(left).min().filter(|&scored| scored <= all);
        let asked = named(PROBLEM_KEYS).min_by_key(|(problems, ..)| *problems);
        let asked = asked.filter(|(problems, ..)| (1..all).contains(problems));
        // Answers to one problem are no samples of their own.
        let answers = asked.as_ref().map(|_| scored.unwrap_or(all));
        let problems =
            |count: u64| asked.as_ref().map_or(count, |(p, ..)| whole_part(*p, count, all));
        let scored = scored.map(problems);
        let is_whole =
            |key: &str| [AIMS, DONE, LOST, COUNTS].iter().any(|names| names.contains(&key));
        let others = table.iter().filter(|(key, _)| !is_whole(key));
        let others = others.filter(|(_, node)| node.number().is_some());
        let others = others.filter_map(|(_, node)| FileFigure::read(node)).collect();
        let known = named(PROBLEM_KEYS).next().map(|(problems, name, _)| {
            // Samples of which the problems are no whole part are those of each problem.
            let samples = named(SAMPLES).map(|(samples, ..)| samples);
            let each = samples.min().filter(|samples| samples.checked_rem(problems) != Some(0));
            (name, each.unwrap_or(1))
        });
        let each = answers_each(table, metrics).filter(|(_, each)| (2..all).contains(each));
        let each = known.or(each);
        Self { total: asked.or(total), scored, answers, each, others }
    }

    /// Whether that name is one of the numbers that a tally reads and no metric.
    pub(super) fn is_part(&self, name: &str, metrics: &MetricNames) -> bool {
        self.total.is_some()
            && !metrics.is_declared(name)
            && (DONE.contains(&name)
                || LOST.contains(&name)
                || AIMS.contains(&name)
                || self.each.as_ref().is_some_and(|(each, _)| each == name))
    }

    /// The share of a count of answers: a whole number under the name of one, beside a total. A 1
    /// beside another figure that is 1 is a share itself, and a count stays what the user declares to
    /// be one.
    pub(super) fn share(
        &self,
        name: &str,
        figure: FileFigure,
        metrics: &MetricNames,
    ) -> Option<FileFigure> {
        let (all, ..) = self.total.as_ref()?;
        let declared = metrics.get(name).filter(|_| metrics.is_declared(name));
        if declared.is_some_and(|spec| !spec.unit.is_rate()) {
            return None;
        }
        let count = figure.value.value().filter(|_| COUNTS.contains(&name))?;
        let is_count = figure.decimals == Some(0) && figure.unit.is_none() && count >= 0.0;
        let is_one = count == 1.0 && self.others.iter().any(|one| one.value.value() == Some(1.0));
        // Answers that are counted have a result.
        let scored = self.answers.or(self.scored).filter(|&scored| count <= scored as f64);
        let total = scored.unwrap_or(*all);
        if !is_count || total < 2 || count > total as f64 || is_one {
            return None;
        }
        let value = Measured::new(count / total as f64);
        let n = self.size().unwrap_or(total);
        Some(FileFigure { unit: Some(Unit::Fraction), n: Some(n), ..FileFigure::plain(value) })
    }

    /// The samples that figures stand on, where that is not what a size says by itself.
    pub(super) fn size(&self) -> Option<u64> {
        let problems = self.total.as_ref().filter(|_| self.answers.is_some());
        self.scored.or(problems.map(|(problems, ..)| *problems))
    }

    /// The number of answers that the size may count for each problem; 1 where it counts problems.
    pub(super) fn answers_each(&self) -> Option<u64> {
        self.each.as_ref().map(|(_, each)| *each)
    }

    /// Whether figures are averages over several answers to each sample.
    pub(super) fn has_several_answers(&self) -> bool {
        self.answers.is_some()
    }

    /// Whether a figure beside it says the same as that share, but for rounding.
    pub(super) fn is_said(&self, share: &FileFigure) -> bool {
        let Some(share) = share.value.value() else { return false };
        let says = |figure: &FileFigure| {
            let last = figure.decimals.map_or(MOST_ROUNDED, |digits| 0.1_f64.powi(digits.into()));
            figure.value.value().is_some_and(|stated| {
                [1.0, 0.01].iter().any(|scale| {
                    (stated * scale - share).abs() < (last * scale).clamp(1e-9, MOST_ROUNDED)
                })
            })
        };
        self.others.iter().any(says)
    }
}

/// That part of the problems which so many of all answers are.
fn whole_part(problems: u64, answers: u64, all: u64) -> u64 {
    (problems as f64 * answers as f64 / all as f64) as u64
}

/// A figure that is further from a share is another one, however few digits it has.
const MOST_ROUNDED: f64 = 0.0051;

/// Whether samples that a table counts as errors are answers: where code is run, whose errors are
/// results, and where a share of right ones leaves just that many.
fn are_answers(table: &Table, name: &str, lost: u64, all: u64) -> bool {
    let runs_code = |key: &str| {
        ["pass@", "pass_at", "accepted", "exec"].iter().any(|start| key.starts_with(start))
    };
    let leaves = |share: f64| {
        let share = if share > 1.0 { share / 100.0 } else { share };
        (((1.0 - share) * all as f64).round() - lost as f64).abs() < 1.0
    };
    let is_error = name.contains("error") && !name.contains("api");
    table.iter().any(|(key, node)| {
        let is_whole = AIMS.contains(&key.as_str()) || LOST.contains(&key.as_str());
        (is_error && runs_code(key))
            || (MAYBE_WRONG.contains(&name) && !is_whole && node.number().is_some_and(leaves))
    })
}

/// Findings about sizes that cannot be numbers of samples, wherever they stand.
pub(super) fn impossible_sizes(root: &Node, file: &FileEntry) -> Vec<Diagnostic> {
    let mut found = FewFaults::default();
    collect_impossible(root, file, &mut found);
    found.told_in("key").collect()
}

fn collect_impossible(node: &Node, file: &FileEntry, found: &mut FewFaults<Diagnostic>) {
    for (key, inner) in node.entries() {
        let beyond = inner.number().is_some_and(|n| n > MOST_SAMPLES);
        if beyond && SIZE_KEYS.contains(&key.as_str()) {
            let size = inner.written().unwrap_or_default();
            found.note(|| impossible_size(key, size, &file.display, inner.line));
        }
        collect_impossible(inner, file, found);
    }
    for inner in node.list().into_iter().flatten() {
        collect_impossible(inner, file, found);
    }
}

/// The finding about one size that cannot be a number of samples.
pub(super) fn impossible_size(key: &str, size: &str, path: &Arc<str>, line: u64) -> Diagnostic {
    Diagnostic::new(Code::ImpossibleSize)
        .key(key)
        .with("key", key)
        .with("size", Fact::written(size))
        .at(Location::line(&**path, line))
}
