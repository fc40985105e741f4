//! A grid of results as a table of texts: columns of coordinates, and one column for each metric.
//!
//! Columns named like a dataset say the dataset of a row. A text that stands for what is asked or how,
//! such as a subset, a language or a judge, is a coordinate, so that rows of different meaning are
//! never set against each other; a setting that is the same in every row is a setting of the run.
//!
//! An empty cell or `?` is not run yet, `n/a` cannot exist, `failed` or NaN gave no number. Which file
//! the table stands in is not known here.

use std::collections::BTreeSet;

use super::super::content::bad_record;
use super::super::document::MOST_SAMPLES;
use super::super::occurrences::FewFaults;
use super::super::records::FileSheet;
use super::super::{FileEntry, ReadOptions};
use super::beside_figures::{self, DATASETS, REMARKS};
use super::column_units::{ColumnUnit, stated_units};
use super::companions::{Companion, companion};
use super::coordinates::{dim_of_column, is_size_column, size_as_written};
use super::figure::{CLUSTER_KEYS, FileFigure, PROBLEM_KEYS, read_cell};
use super::file_figures::{declare_several_answers, scalar, spread_assumed};
use super::intervals::interval_of;
use super::spreads::{self, SpreadKind, with_spreads};
use super::{sample_ids, settings_beside};
use crate::diag::{Diagnostic, Location};
use crate::model::{
    Absence, CHECKPOINT_DIMS, ConfigEntry, ConfigValue, DimValue, Dims, Fragment, Measured,
    MetricNames, RunLabel, Source,
};
use crate::quantity::Unit;

/// Heads of the dataset beside the names that a field of it has.
const DATASET_HEADS: &[&str] =
    &["tasks", "datasets", "benchmarks", "groups", "数据集", "任务", "评测集", "基准"];
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
pub(super) const MODELS: &[&str] =
    &[MODEL, "model_name", "method", "system", MODEL_IN_CHINESE, "方法"];
const MODEL: &str = "model";
const MODEL_IN_CHINESE: &str = "模型";
/// The head of names or numbers of runs.
pub(super) const RUN: &str = "run";
/// Columns of text that name the metric of a row, and those of its figure.
pub(super) const METRIC_NAMES: &[&str] = &["metric", "metric_name", "指标"];
pub(super) const VALUES: &[&str] = &["value", "score", "result", "mean", "数值", "得分"];
/// A longer text is a remark and no coordinate.
const LONGEST_COORDINATE: usize = 64;

/// Whether columns with these heads make a grid, or a list of metrics with their values: with nothing but
/// places of a training they are a series. A number of
/// samples says how sure a figure is beside a rate that is better on one side, and not beside what a
/// training logs at its steps.
pub(super) fn is_grid(header: &[String]) -> bool {
    let names = MetricNames::default();
    let is_judged = |name: &String| {
        let spec = names.get(name);
        spec.is_some_and(|spec| spec.unit.is_rate() && spec.direction.sign().is_some())
    };
    let is_axis =
        |name: &String| dim_of_column(name).is_some_and(|dim| CHECKPOINT_DIMS.contains(&dim));
    let is_sized = || header.iter().any(is_judged) || !header.iter().any(is_axis);
    let is_what = |name: &String| dim_of_column(name).is_some() || is_dataset(name);
    let is_place = |name: &&String| is_what(name) || is_size_column(name);
    let mut places = header.iter().filter(is_place);
    let has = |known: &[&str]| {
        header.iter().any(|name| known.iter().any(|known| known.eq_ignore_ascii_case(name)))
    };
    let is_list = has(METRIC_NAMES) && has(VALUES) && !header.iter().any(is_axis);
    let has_places = places.clone().count() < header.len()
        && places.any(|name| if is_what(name) { !is_axis(name) } else { is_sized() });
    (has_places || is_list) && !sample_ids::is_any_name(header)
}

/// Puts the figures of a table into the fragment. Columns that say something of each run in it hold none.
pub(super) fn read_sheet_figures(
    sheet: &FileSheet,
    (file, options, of_runs): (&FileEntry, &ReadOptions, &[usize]),
    fragment: &mut Fragment,
    findings: &mut Vec<Diagnostic>,
) {
    let names = &options.names;
    let parts = parts(sheet, names, &options.columns, of_runs);
    let is_metric = |column: &usize| parts.get(*column) == Some(&ColumnRole::Metric);
    let metrics: Vec<usize> = (0..parts.len()).filter(is_metric).collect();
    let spreads: Vec<(usize, SpreadKind, usize)> = parts
        .iter()
        .enumerate()
        .filter_map(|(column, part)| match part {
            ColumnRole::Spread(kind, of) => Some(((*of)?, *kind, column)),
            _ => None,
        })
        .collect();
    read_settings(sheet, &parts, file, fragment);
    let named = parts.iter().position(|part| *part == ColumnRole::MetricName);
    let units = if named.is_some() { Vec::new() } else { stated_units(sheet) };
    let mut assumed = Vec::new();
    let (mut impossible, mut illegible) = (FewFaults::default(), FewFaults::default());
    for (line, row) in &sheet.rows {
        let place = RowPlace::read(&parts, row);
        if let Some((column, size)) = &place.impossible {
            let name = sheet.header.get(*column).map_or("", String::as_str);
            let path = &file.display;
            impossible.note(|| beside_figures::impossible_size(name, size, path, *line));
        }
        for column in &metrics {
            let Some(header) = sheet.header.get(*column) else { continue };
            let name = named.map_or(header.as_str(), |named| FileSheet::cell(row, named));
            let text = FileSheet::cell(row, *column);
            let Some(figure) = read_cell(text) else {
                illegible.note(|| not_a_figure(file, *line, name, text));
                continue;
            };
            if figure.stderr.is_some() {
                assumed.push((name.to_owned(), *line));
            }
            let of_column = units.get(*column).copied().unwrap_or(ColumnUnit::Unknown);
            let is_percent = matches!(of_column, ColumnUnit::Percent);
            let unit = is_percent.then_some(Unit::Percent).or(figure.unit);
            let RowPlace { n, answers, clusters, .. } = place;
            let n = own_size(&parts, *column, row).or(n).or(figure.n);
            let figure = FileFigure { unit, n, answers, clusters, ..figure };
            let figure =
                with_spreads(figure, (name, *column), &spreads, (&sheet.header, row), names);
            let source = Source::line(&file.display, *line, name);
            let dataset = place.dataset.as_deref();
            if place.several_answers {
                declare_several_answers(name, dataset, names, fragment);
            }
            let mut scalar = scalar(name, dataset, &place.dims, figure, source, names);
            scalar.unit_inferred = unit.is_none() && matches!(of_column, ColumnUnit::Mixed);
            fragment.scalars.push(scalar);
        }
    }
    findings.extend(impossible.told_in("key"));
    findings.extend(illegible.findings(|finding: Diagnostic, count| finding.with("count", count)));
    findings.extend(spread_assumed(assumed, file));
}

/// The number of samples that a row has for the figures of one column.
fn own_size(parts: &[ColumnRole], column: usize, row: &[String]) -> Option<u64> {
    let at = parts.iter().position(|part| *part == ColumnRole::SizeOf(column))?;
    let size = size_as_written(FileSheet::cell(row, at)).number()?;
    (0.0..=MOST_SAMPLES).contains(&size).then_some(size as u64)
}

/// Whether a head is that of something beside figures.
pub(super) fn is_beside(head: &str) -> bool {
    let name = head.to_ascii_lowercase();
    dim_of_column(&name).is_some()
        || is_size_column(&name)
        || is_dataset(&name)
        || PROBLEM_KEYS.contains(&name.as_str())
        || settings_beside::is_setting_field(&name)
        || [TOPICS, REMARKS].iter().any(|known| known.contains(&name.as_str()))
}

/// Whether a head, in lower case, says what was asked, or which metric a figure is of.
pub(super) fn says_what_is_asked(name: &str) -> bool {
    is_dataset(name)
        || name == "subset"
        || [TOPICS, METRIC_NAMES].iter().any(|known| known.contains(&name))
}

fn is_dataset(name: &str) -> bool {
    // `eval` is as often a score.
    let name = name.to_ascii_lowercase();
    let is_known = |known: &[&str]| known.contains(&name.as_str());
    name != "eval" && (is_known(DATASETS) || is_known(DATASET_HEADS))
}

#[derive(Debug, Clone, PartialEq)]
enum ColumnRole {
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

fn parts(
    sheet: &FileSheet,
    metrics: &MetricNames,
    asked: &[String],
    of_runs: &[usize],
) -> Vec<ColumnRole> {
    let names: Vec<String> = sheet.header.iter().map(|name| setting_of(name)).collect();
    let texts: Vec<bool> = (0..names.len()).map(|column| !holds_figures(sheet, column)).collect();
    let dataset = DATASETS.iter().chain(DATASET_HEADS).find_map(|known| {
        let place = names.iter().position(|name| name == known)?;
        (is_dataset(known) || texts.get(place) == Some(&true)).then_some(place)
    });
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
            None if settings_beside::is_setting_field(name) && is_constant(sheet, column) => {
                ColumnRole::Setting
            }
            None if settings_beside::is_setting_field(name) || is_dataset(name) => {
                ColumnRole::Dim(name.clone())
            }
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
    if has_rows_alike(sheet, &parts) {
        for (part, name) in parts.iter_mut().zip(names) {
            if *part == ColumnRole::Text {
                *part = ColumnRole::Dim(name);
            }
        }
    }
    parts
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

/// Whether a column has at least one number or nothing but absence.
fn holds_figures(sheet: &FileSheet, column: usize) -> bool {
    let measured =
        |row: &[String]| read_cell(FileSheet::cell(row, column)).map(|figure| figure.value);
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

fn tells_rows_apart(part: &ColumnRole) -> bool {
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

/// Settings that are the same in every row.
fn read_settings(
    sheet: &FileSheet,
    parts: &[ColumnRole],
    file: &FileEntry,
    fragment: &mut Fragment,
) {
    let Some((line, row)) = sheet.rows.first() else { return };
    for (column, name) in sheet.header.iter().enumerate() {
        let text = FileSheet::cell(row, column);
        if parts.get(column) == Some(&ColumnRole::Setting) && !text.is_empty() {
            let source = Source::line(&file.display, *line, name.as_str());
            let value = ConfigValue::Text(text.to_owned());
            let key = if setting_of(name) == MODEL { MODEL } else { name };
            fragment.config.insert(key.to_owned(), ConfigEntry { value, source });
        }
    }
}

/// A head as settings and coordinates are called.
pub(super) fn setting_of(head: &str) -> String {
    if head == MODEL_IN_CHINESE { MODEL.to_owned() } else { head.to_ascii_lowercase() }
}

/// Where in the grid a row stands.
struct RowPlace {
    dims: Dims,
    dataset: Option<String>,
    n: Option<u64>,
    clusters: Option<u64>,
    /// 1 where the size counts problems.
    answers: Option<u64>,
    /// Whether its figures are averages over several answers to each sample.
    several_answers: bool,
    /// Column and text of a size that there cannot be.
    impossible: Option<(usize, String)>,
}

impl RowPlace {
    fn read(parts: &[ColumnRole], row: &[String]) -> Self {
        let mut place = Self {
            dims: Dims::none(),
            dataset: None,
            n: None,
            clusters: None,
            answers: None,
            several_answers: false,
            impossible: None,
        };
        let mut problems = None;
        // In a table without any other coordinate the sizes are what its rows differ in.
        let sizes_tell_rows_apart = !parts.iter().any(tells_rows_apart);
        for (column, part) in parts.iter().enumerate() {
            let text = FileSheet::cell(row, column);
            match part {
                ColumnRole::Size | ColumnRole::Problems => {
                    let size = size_as_written(text);
                    let n = place.size(column, text, &size);
                    match part {
                        ColumnRole::Problems => problems = n.filter(|&problems| problems > 0),
                        _ => place.n = n,
                    }
                    if sizes_tell_rows_apart && !text.is_empty() {
                        place.dims.insert("samples", size);
                    }
                }
                ColumnRole::Clusters => {
                    place.clusters = place.size(column, text, &size_as_written(text));
                }
                ColumnRole::Dataset => {
                    place.dataset = Some(text.to_owned()).filter(|text| !text.is_empty());
                }
                ColumnRole::Dim(dim) if !text.is_empty() => {
                    let is_size = dim == "samples";
                    let value = if is_size { size_as_written(text) } else { DimValue::parse(text) };
                    if is_size && place.n.is_none() {
                        place.n = place.size(column, text, &value);
                    }
                    place.dims.insert(dim, value);
                }
                _ => {}
            }
        }
        place.several_answers = place.n.zip(problems).is_some_and(|(n, problems)| n > problems);
        place.n = if place.several_answers { problems } else { place.n.or(problems) };
        place.answers = problems.map(|_| 1);
        place
    }

    fn size(&mut self, column: usize, text: &str, size: &DimValue) -> Option<u64> {
        let size = size.number().filter(|n| *n >= 0.0)?;
        if size > MOST_SAMPLES {
            self.impossible = Some((column, text.to_owned()));
            return None;
        }
        Some(size as u64)
    }
}

fn not_a_figure(file: &FileEntry, line: u64, column: &str, text: &str) -> Diagnostic {
    let text: String = text.chars().take(40).collect();
    let cause = format!("`{text}` under {column} is no figure");
    bad_record(cause, Location::line(&*file.display, line)).key(column)
}
