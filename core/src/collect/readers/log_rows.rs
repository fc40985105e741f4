//! Lines of logs that are rows of a grid: `shot 1 accuracy: 57%`, `Epoch 1, Shot 2: 56.1%`.
//!
//! A line counts where it says nothing but coordinates, a shot among them, and figures of metrics that are
//! known by their names, or one percentage without a name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::super::logs::line::{behind_level, clean, split_log_prefix};
use super::super::{FileEntry, path_dims};
use super::figure::{FileFigure, read_cell};
use super::file_figures::{UNNAMED, scalar};
use super::log_sections::LogLabel;
use crate::model::{DimValue, Dims, MetricNames, Scalar, Source, places_of_name};

/// The coordinate without which a line is a point of a training.
const SHOT: &str = "shot";
/// Parts of that word, for a first look at a line.
static SHOTS: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| ["hot", "HOT"].map(Finder::new));
/// Most words of the name of a metric.
const WORDS: usize = 3;
/// Most figures of a line.
const MOST: usize = 16;

/// The figures of one line, at one place.
#[derive(Debug, PartialEq)]
pub(super) struct LogRow {
    pub(super) dims: Dims,
    pub(super) figures: Vec<(String, FileFigure)>,
}

/// Whether a line has a word without which it is no row.
pub(super) fn may_be_row(line: &str) -> bool {
    SHOTS.iter().any(|word| word.find(line.as_bytes()).is_some())
}

/// The row that a line is.
pub(super) fn row(line: &str, names: &MetricNames) -> Option<LogRow> {
    if !may_be_row(line) {
        return None;
    }
    let line = clean(line);
    let line = split_log_prefix(&line).rest;
    let mut rest = behind_level(line).unwrap_or(line).trim();
    let mut figures = Vec::new();
    while figures.len() < MOST {
        let (before, figure) = last_figure(rest)?;
        if let Some((dims, metric)) = place_and_metric(before, figure.unit.is_some(), names) {
            figures.push((metric, figure));
            figures.reverse();
            return Some(LogRow { dims, figures });
        }
        // Before it stands another figure.
        let (metric, further) = named_last(before).find(|(name, _)| names.get(name).is_some())?;
        figures.push((metric, figure));
        rest = further.trim_end_matches(|c: char| is_border(c) && c != ')');
    }
    None
}

/// Words of a line that say nothing of what a result is of.
const FILLERS: &[&str] =
    &["final", "overall", "total", "eval", "evaluation", "result", "results", "on"];
/// Words of what a model was trained on, of which no figure is a result.
const OF_TRAININGS: &[&str] = &["train", "training", "batch", "minibatch"];
/// Words of splits, each with its name.
const SPLITS: &[(&str, &str)] = &[
    ("test", "test"),
    ("dev", "dev"),
    ("val", "val"),
    ("valid", "val"),
    ("validation", "val"),
    ("holdout", "holdout"),
];

/// A result with its counts in a line that names no place, `test accuracy: 52.8% (528/1000)`,
/// `gsm8k acc = 0.51 (510/1000)`.
#[derive(Debug, PartialEq)]
pub(super) struct LogResult {
    pub(super) dataset: Option<String>,
    pub(super) split: Option<&'static str>,
    pub(super) metric: String,
    pub(super) figure: FileFigure,
}

/// The result that a line is.
pub(super) fn result(line: &str, names: &MetricNames) -> Option<LogResult> {
    if !line.trim_end().ends_with(')') || !line.contains('/') {
        return None;
    }
    let line = clean(line);
    let line = split_log_prefix(&line).rest;
    let rest = behind_level(line).unwrap_or(line).trim();
    let (before, figure) = last_figure(rest).filter(|(_, figure)| figure.n.is_some())?;
    let (metric, place) = named_last(before).find(|(name, _)| names.get(name).is_some())?;
    let words = place.split(is_border).filter(|word| !word.is_empty());
    let is_filler = |word: &str| FILLERS.iter().any(|known| word.eq_ignore_ascii_case(known));
    let mut words: Vec<&str> = words.filter(|word| !is_filler(word)).collect();
    let parts = words.iter().copied().chain(metric.split('_'));
    let is_of_training =
        |word: &str| OF_TRAININGS.iter().any(|known| word.eq_ignore_ascii_case(known));
    if parts.into_iter().any(is_of_training) {
        return None;
    }
    let split_of = |word: &str| {
        let known = SPLITS.iter().find(|(known, _)| word.eq_ignore_ascii_case(known));
        known.map(|(_, split)| *split)
    };
    let split = words.iter().find_map(|word| split_of(word));
    words.retain(|word| split_of(word).is_none());
    let has_place = places_of_name(&words.join(" ")).is_some_and(|dims| !dims.is_empty());
    let is_name = |word: &str| word.starts_with(char::is_alphabetic);
    let dataset = match words.as_slice() {
        [] => None,
        [dataset] if is_name(dataset) && !has_place => Some((*dataset).to_owned()),
        _ => return None,
    };
    Some(LogResult { dataset, split, metric, figure })
}

/// The results as rows, but for those that come again: they are logged on the way.
pub(super) fn rows_of_results(results: Vec<(u64, LogResult, Vec<LogLabel>)>) -> Vec<LabelledRow> {
    let place = |(_, result, labels): &(u64, LogResult, Vec<LogLabel>)| {
        (labels.clone(), result.dataset.clone(), result.split, result.metric.clone())
    };
    let mut seen: BTreeMap<_, usize> = BTreeMap::new();
    for one in &results {
        *seen.entry(place(one)).or_default() += 1;
    }
    let alone = results.into_iter().filter(|one| seen.get(&place(one)) == Some(&1));
    let row = |(line, result, mut labels): (u64, LogResult, Vec<LogLabel>)| {
        let LogResult { dataset, split, metric, figure } = result;
        if let Some(dataset) = dataset {
            labels.retain(|(column, _)| *column != DATASET);
            labels.push((DATASET, dataset));
        }
        let split = split.map(|split| DimValue::Text(split.to_owned()));
        let dims = split.map_or_else(Dims::none, |split| Dims::none().with("split", split));
        (line, LogRow { dims, figures: vec![(metric, figure)] }, labels)
    };
    alone.map(row).collect()
}

/// What stands before the last figure of a text, and the figure.
fn last_figure(text: &str) -> Option<(&str, FileFigure)> {
    // Counts may stand behind a percentage.
    let open = text.strip_suffix(')').and_then(|text| text.rfind('('));
    let head = text.get(..open.unwrap_or(text.len()))?.trim_end();
    let figure = text.get(head.rfind(is_sign)?..)?.trim_start_matches(is_sign);
    let before = text.strip_suffix(figure)?;
    let figure = read_cell(figure).filter(|figure| figure.value.value().is_some())?;
    Some((before, figure))
}

/// The place that a text says, and the metric behind it: one that is known, or none of a percentage.
fn place_and_metric(text: &str, is_percent: bool, names: &MetricNames) -> Option<(Dims, String)> {
    let unnamed = (is_percent).then(|| (UNNAMED.to_owned(), text));
    let named = named_last(text).filter(|(name, _)| names.get(name).is_some());
    unnamed.into_iter().chain(named).find_map(|(metric, place)| {
        // `Epoch 1/3` is the first of three.
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let of_several = |word| match str::split_once(word, '/') {
            Some((at, all)) if is_number(at) && is_number(all) => at,
            _ => word,
        };
        let words = place.split(is_border).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.map(of_several).collect();
        let dims = places_of_name(&words.join(" "))?;
        dims.get(SHOT).is_some().then_some((dims, metric))
    })
}

/// The last words of a text as one name, ever more of them, and what stands before these.
fn named_last(text: &str) -> impl Iterator<Item = (String, &str)> {
    let mut before = text;
    let mut words = Vec::new();
    std::iter::from_fn(move || {
        let trimmed = before.trim_end_matches(is_border);
        let start = trimmed.char_indices().rev().find(|(_, c)| is_border(*c));
        let start = start.map_or(0, |(at, c)| at + c.len_utf8());
        words.insert(0, trimmed.get(start..).filter(|word| !word.is_empty())?);
        before = trimmed.get(..start)?;
        Some((words.join("_"), before))
    })
    .take(WORDS)
}

fn is_sign(c: char) -> bool {
    matches!(c, ':' | '=' | '：') || c.is_whitespace()
}

fn is_border(c: char) -> bool {
    is_sign(c) || matches!(c, ',' | '|' | '(' | ')' | '[' | ']' | '-')
}

/// The column of headings that names what rows are about.
const DATASET: &str = "dataset";

/// A row with its line and what the headings above it say.
pub(super) type LabelledRow = (u64, LogRow, Vec<LogLabel>);

/// The columns of which the headings above rows have several values.
fn several(rows: &[LabelledRow]) -> BTreeSet<&'static str> {
    let mut values: BTreeMap<&'static str, BTreeSet<&str>> = BTreeMap::new();
    for (column, value) in rows.iter().flat_map(|(_, _, labels)| labels) {
        values.entry(column).or_default().insert(value);
    }
    values.into_iter().filter(|(_, all)| all.len() > 1).map(|(column, _)| column).collect()
}

/// The figures of all rows; headings say where these stand as far as they differ between rows.
pub(super) fn of_grid(
    rows: Vec<LabelledRow>,
    file: &FileEntry,
    names: &MetricNames,
) -> Vec<Scalar> {
    let told = several(&rows);
    rows.into_iter().flat_map(|row| of_row(row, &told, file, names)).collect()
}

/// The figures of a row. Their size may stand in the name of the file.
fn of_row(
    (line, row, labels): LabelledRow,
    told: &BTreeSet<&'static str>,
    file: &FileEntry,
    names: &MetricNames,
) -> Vec<Scalar> {
    let LogRow { mut dims, figures } = row;
    path_dims::add_bare_size(&file.relative, &mut dims);
    let mut dataset = None;
    for (column, value) in labels.into_iter().filter(|(column, _)| told.contains(column)) {
        match column {
            DATASET => dataset = Some(value),
            _ if dims.get(column).is_none() => dims.insert(column, DimValue::parse(&value)),
            _ => {}
        }
    }
    let of_metric = |(metric, figure): (String, FileFigure)| {
        let n = figure.n.or_else(|| path_dims::size_of(&dims));
        let source = Source::line(&file.display, line, metric.as_str());
        scalar(&metric, dataset.as_deref(), &dims, FileFigure { n, ..figure }, source, names)
    };
    figures.into_iter().map(of_metric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_shot_and_figures_are_rows() {
        for (line, expected) in [
            ("shot 1 accuracy: 57%", Some("shot=1 accuracy=57")),
            ("2026-01-01 10:00:00 INFO Shot 2 Accuracy = 56.1%", Some("shot=2 Accuracy=56.1")),
            ("[Epoch 1, Shot 3]: 55.1%", Some("epoch=1 shot=3 score=55.1")),
            (
                "epoch 1 | samples=200 | shot=4 | exact match: 0.552",
                Some("epoch=1 samples=200 shot=4 exact_match=0.552"),
            ),
            ("shot 1 accuracy: 57.0% (114/200)", Some("shot=1 accuracy=57")),
            ("Epoch 1/2 - shot 1 accuracy: 51%", Some("epoch=1 shot=1 accuracy=51")),
            (
                "epoch 2, shot 1: accuracy=51% (102/200), f1=0.4",
                Some("epoch=2 shot=1 accuracy=51 f1=0.4"),
            ),
            ("shot 1 accuracy: 51% of 200", None),
            ("step 10 accuracy: 57%", None),
            ("shot 1: 57", None),
            ("shot 1 took: 57", None),
            ("snapshot 1 accuracy: 57%", None),
            ("loading shot 1 accuracy: 57%", None),
            ("shot 1 accuracy: high", None),
        ] {
            let found = row(line, &MetricNames::default()).map(|LogRow { dims, figures }| {
                let figure = |(name, figure): &(String, FileFigure)| {
                    format!(" {name}={}", figure.value.value().unwrap_or_default())
                };
                dims.to_string() + &figures.iter().map(figure).collect::<String>()
            });
            assert_eq!(found.as_deref(), expected, "{line}");
        }
    }
}
