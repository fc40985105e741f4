//! What the columns of a table of figures are: coordinates, settings, sizes, metrics and their spreads.

use std::collections::BTreeSet;

use super::super::records::FileSheet;
use super::beside_figures::{self, DATASETS, REMARKS};
use super::chinese_heads::{plain_head, setting_key};
use super::companions::{Companion, companion};
use super::coordinates::{dim_of_column, is_size_column};
use super::episodes::EPISODE_KEYS;
use super::figure::{CLUSTER_KEYS, FileFigure, PROBLEM_KEYS, read_cell, share_of_counts};
use super::intervals::interval_of;
use super::spreads::{self, SpreadKind};
use super::{sample_ids, settings_beside};
use crate::model::{Absence, CHECKPOINT_DIMS, Measured, MetricNames, RunLabel};

/// Heads of the dataset beside the names that a field of it has.
const DATASET_HEADS: &[&str] = &["tasks", "datasets", "benchmarks", "groups", "env_id"];
/// Columns of text that say what a row is about, whatever the other columns.
const TOPICS: &[&str] = &[
    "category",
    "subcategory",
    "language",
    "lang",
    "subject",
    "domain",
    "topic",
    "difficulty",
    "level",
    "type",
    "question_type",
    "task_type",
    "group",
    "track",
    "condition",
    "variant",
    "mode",
    "metric",
    "annotator",
];
/// Heads of columns of text that say which model a row is of, beside the settings of that name.
pub(super) const MODELS: &[&str] = &["model", "model_name", "method", "system", "algo"];
/// The head of names or numbers of runs.
pub(super) const RUN: &str = "run";
/// Columns of text that name the metric of a row, and those of its figure.
pub(super) const METRIC_NAMES: &[&str] = &["metric", "metric_name", "指标"];
pub(super) const VALUES: &[&str] = &["value", "score", "result", "mean", "数值", "得分"];
/// A longer text is a remark and no coordinate.
const LONGEST_COORDINATE: usize = 64;

/// Whether a head is that of something beside figures.
pub(super) fn is_beside(head: &str) -> bool {
    let name = plain_head(head);
    dim_of_column(&name).is_some()
        || is_size_column(&name)
        || is_dataset(&name)
        || PROBLEM_KEYS.contains(&name.as_str())
        || settings_beside::is_setting_field(&name)
        || is_setting_name(&name)
        || [TOPICS, REMARKS].iter().any(|known| known.contains(&name.as_str()))
}

/// Whether a head, in lower case, says what was asked, or which metric a figure is of.
pub(super) fn says_what_is_asked(name: &str) -> bool {
    is_dataset(name)
        || name == "subset"
        || [TOPICS, METRIC_NAMES].iter().any(|known| known.contains(&name))
}

pub(super) fn is_dataset(name: &str) -> bool {
    // `eval` is as often a score.
    let name = plain_head(name);
    let is_known = |known: &[&str]| known.contains(&name.as_str());
    name != "eval" && (is_known(DATASETS) || is_known(DATASET_HEADS))
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ColumnRole {
    Dim(String),
    Dataset,
    Size,
    /// The number of clusters that the figures of the row stand on.
    Clusters,
    /// A size that counts problems, however many answers there are to each.
    Problems,
    /// The same in every row: of the run.
    Setting,
    Metric,
    /// The name of the metric that the figure of the row is of.
    MetricName,
    /// How far a figure is off, and the column of that figure.
    Spread(SpreadKind, Option<usize>),
    /// How many samples are behind the figures of a column.
    SizeOf(usize),
    /// A text that says nothing as long as other columns tell the rows apart.
    Text,
    Nothing,
}

pub(super) fn column_roles(
    sheet: &FileSheet,
    metrics: &MetricNames,
    asked: &[String],
    of_runs: &[usize],
) -> Vec<ColumnRole> {
    let names: Vec<String> = sheet.header.iter().map(|name| plain_head(name)).collect();
    let texts = text_columns(sheet, metrics);
    let dataset = DATASETS.iter().chain(DATASET_HEADS).find_map(|known| {
        let place = names.iter().position(|name| name == known)?;
        (is_dataset(known) || texts.get(place) == Some(&true)).then_some(place)
    });
    let is_setting = |column: usize, name: &str| {
        let key = setting_key(name);
        settings_beside::is_setting_field(name)
            || settings_beside::is_setting_field(&key) && !is_dataset(&key)
            || is_setting_of_rows(sheet, column, &names, metrics)
    };
    let part = |(column, name): (usize, &String)| {
        let is_text = texts.get(column) == Some(&true);
        if dataset == Some(column) {
            return ColumnRole::Dataset;
        }
        if of_runs.contains(&column) {
            return ColumnRole::Nothing;
        }
        let written = sheet.header.get(column).unwrap_or(name);
        if asked.contains(written) {
            return ColumnRole::Dim(written.clone());
        }
        match dim_of_column(name) {
            Some(dim) => ColumnRole::Dim(dim.to_owned()),
            None if PROBLEM_KEYS.contains(&name.as_str()) => ColumnRole::Problems,
            None if is_size_column(name) => ColumnRole::Size,
            None if EPISODE_KEYS.contains(&name.as_str()) && !is_scheduled(&names) => {
                ColumnRole::Size
            }
            None if CLUSTER_KEYS.contains(&name.as_str()) && !metrics.is_declared(name) => {
                ColumnRole::Clusters
            }
            None if sample_ids::is_unnamed(name) => ColumnRole::Nothing,
            // What is asked belongs to the row even where all rows are of one subset.
            // It tells rows apart where nothing else does.
            None if name == RUN => ColumnRole::Text,
            None if name == "subset" => ColumnRole::Dim(name.clone()),
            None if RunLabel::repeats(name) && !metrics.is_declared(name) => {
                ColumnRole::Dim(name.clone())
            }
            None if is_precision_metric(sheet, column, &names) => ColumnRole::Metric,
            None if is_setting(column, name) && is_constant(sheet, column) => ColumnRole::Setting,
            None if is_setting(column, name) || is_dataset(name) => ColumnRole::Dim(name.clone()),
            None if is_text
                && [TOPICS, MODELS].iter().any(|known| known.contains(&name.as_str())) =>
            {
                ColumnRole::Dim(name.clone())
            }
            None if is_text && REMARKS.contains(&name.as_str()) => ColumnRole::Nothing,
            None if is_text && is_short(sheet, column) => ColumnRole::Text,
            None if is_text => ColumnRole::Nothing,
            None => of_figures(column, &names, metrics),
        }
    };
    let mut parts: Vec<ColumnRole> = names.iter().enumerate().map(part).collect();
    name_metrics_by_row(&mut parts, &names, &texts);
    settle_spreads(&mut parts);
    tell_rows_apart(sheet, &mut parts, &names);
    parts
}

/// Where rows are of one dataset at one point, short texts tell them apart; and where these do not, the
/// settings of a sweep, which has the same steps with each of them, unlike a schedule.
fn tell_rows_apart(sheet: &FileSheet, parts: &mut [ColumnRole], names: &[String]) {
    for telling in [ColumnRole::Text, ColumnRole::Metric] {
        if !has_rows_alike(sheet, parts) {
            return;
        }
        let is_setting = |name: &str| telling == ColumnRole::Text || is_setting_name(name);
        for (part, name) in parts.iter_mut().zip(names) {
            if *part == telling && is_setting(name) {
                *part = ColumnRole::Dim(name.clone());
            }
        }
    }
}

/// What a column of figures is: a metric, or a spread of the metric that its name holds.
fn of_figures(column: usize, names: &[String], metrics: &MetricNames) -> ColumnRole {
    let Some(name) = names.get(column) else { return ColumnRole::Nothing };
    if metrics.is_declared(name) {
        return ColumnRole::Metric;
    }
    match spreads::parse(name) {
        Some((base, kind)) => match names.iter().position(|other| *other == base) {
            Some(of) => ColumnRole::Spread(kind, Some(of)),
            None => ColumnRole::Metric,
        },
        None if let Some((of, Companion::Size)) = companion(column, names) => {
            ColumnRole::SizeOf(of)
        }
        None if let Some(base) = interval_of(name) => {
            let of = names.iter().position(|other| other == base);
            ColumnRole::Spread(SpreadKind::Interval, of)
        }
        None => {
            spreads::bare(name).map_or(ColumnRole::Metric, |kind| ColumnRole::Spread(kind, None))
        }
    }
}

/// Gives each spread without a name of its metric to the metric before it. Where none is, it is a
/// metric itself.
fn settle_spreads(parts: &mut [ColumnRole]) {
    let mut before = None;
    for (column, part) in parts.iter_mut().enumerate() {
        match part {
            ColumnRole::Metric => before = Some(column),
            ColumnRole::Spread(_, None) if before.is_none() => *part = ColumnRole::Metric,
            ColumnRole::Spread(_, of @ None) => *of = before,
            _ => {}
        }
    }
}

/// In a table of `metric,value`, each row says what its figure is of; other numbers of the row are
/// about that figure.
fn name_metrics_by_row(parts: &mut [ColumnRole], names: &[String], texts: &[bool]) {
    let place = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
    let named = place(METRIC_NAMES).filter(|&column| texts.get(column) == Some(&true));
    let (Some(named), Some(value)) = (named, place(VALUES)) else { return };
    if parts.get(value) != Some(&ColumnRole::Metric) {
        return;
    }
    for (column, part) in parts.iter_mut().enumerate() {
        if column == named {
            *part = ColumnRole::MetricName;
        } else if *part == ColumnRole::Metric && column != value {
            *part = ColumnRole::Nothing;
        }
    }
}

/// Whether a column holds settings of its rows, and not what a training schedules from step to step.
fn is_setting_of_rows(
    sheet: &FileSheet,
    column: usize,
    names: &[String],
    metrics: &MetricNames,
) -> bool {
    let Some(name) = names.get(column) else { return false };
    is_setting_name(name)
        && !metrics.is_declared(name)
        && (is_constant(sheet, column) || !is_scheduled(names))
}

/// Whether rows are of points of a training.
fn is_scheduled(names: &[String]) -> bool {
    names.iter().any(|name| dim_of_column(name).is_some_and(is_checkpoint))
}

/// Whether a head is that of a setting of rows.
pub(super) fn is_setting_name(name: &str) -> bool {
    settings_beside::is_setting_of_rows(&setting_key(name))
}

fn is_checkpoint(dim: &str) -> bool {
    CHECKPOINT_DIMS.contains(&dim)
}

/// A figure below that head.
pub(super) fn read_figure(text: &str, head: &str, names: &MetricNames) -> Option<FileFigure> {
    let may_be_any = || VALUES.contains(&head.to_ascii_lowercase().as_str());
    let is_share = || names.get(head).is_some_and(|spec| spec.unit.is_rate()) || may_be_any();
    read_cell(text).or_else(|| share_of_counts(text).filter(|_| is_share()))
}

fn text_columns(sheet: &FileSheet, names: &MetricNames) -> Vec<bool> {
    (0..sheet.header.len()).map(|column| !holds_figures(sheet, column, names)).collect()
}

/// Whether a column has at least one number or nothing but absence.
fn holds_figures(sheet: &FileSheet, column: usize, names: &MetricNames) -> bool {
    let head = sheet.header.get(column).map_or("", String::as_str);
    let measured = |row: &[String]| {
        read_figure(FileSheet::cell(row, column), head, names).map(|figure| figure.value)
    };
    let cells: Vec<Option<Measured>> = sheet.rows.iter().map(|(_, row)| measured(row)).collect();
    let numbers = cells.iter().flatten().any(|measured| measured.value().is_some());
    let not_run = Some(Measured::Absent(Absence::NotRun));
    numbers || cells.iter().all(|measured| *measured == not_run)
}

/// Whether every cell of a column is the metric that has the name of a setting.
fn is_precision_metric(sheet: &FileSheet, column: usize, names: &[String]) -> bool {
    let Some(name) = names.get(column) else { return false };
    sheet.rows.iter().all(|(_, row)| {
        let number = read_cell(FileSheet::cell(row, column)).and_then(|cell| cell.value.value());
        let beside = names.iter().map(String::as_str);
        beside_figures::is_precision_metric(name, number, beside)
    })
}

fn is_constant(sheet: &FileSheet, column: usize) -> bool {
    let mut cells = sheet.rows.iter().map(|(_, row)| FileSheet::cell(row, column));
    let first = cells.next();
    cells.all(|cell| Some(cell) == first)
}

fn is_short(sheet: &FileSheet, column: usize) -> bool {
    let mut cells = sheet.rows.iter().map(|(_, row)| FileSheet::cell(row, column));
    cells.all(|cell| cell.chars().count() <= LONGEST_COORDINATE)
}

pub(super) fn tells_rows_apart(part: &ColumnRole) -> bool {
    matches!(part, ColumnRole::Dim(_) | ColumnRole::Dataset | ColumnRole::MetricName)
}

/// Whether two rows are of one dataset at one point.
fn has_rows_alike(sheet: &FileSheet, parts: &[ColumnRole]) -> bool {
    let place = |row: &[String]| -> Vec<String> {
        let cells = parts.iter().enumerate().filter(|(_, part)| tells_rows_apart(part));
        cells.map(|(column, _)| FileSheet::cell(row, column).to_owned()).collect()
    };
    let mut seen = BTreeSet::new();
    !sheet.rows.iter().all(|(_, row)| seen.insert(place(row)))
}
