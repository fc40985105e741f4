//! What lighteval writes of an evaluation (`EvaluationTracker` of 0.13.0): figures and settings
//! (`results_<time>.json`), and the samples of each task (`details_<task>_<time>.parquet`).
//!
//! A task is called `name|shots`, before 0.12 `suite|name|shots`, and each average is a task of its own.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json};

use super::super::content::{document_bytes, past_limit, unreadable};
use super::super::document::{Node, Table, Value, flatten, read_document, scalar_value};
use super::super::lines::Limits;
use super::super::parquet::{self, Cells, MAGIC, Parquet, as_json};
use super::super::stamps::{details_log, results_stamp};
use super::super::{FileEntry, Piece, ReadOptions, ReadResult, Reader, directory_of};
use super::figure::FileFigure;
use super::file_figures::{declare_direction, read_figures, scalar};
use super::samples::Harvest;
use crate::diag::Diagnostic;
use crate::model::{
    ConfigValue, DimValue, Dims, Fragment, MetricNames, Planned, Provenance, Source,
};

pub(in crate::collect) const NAME: &str = "lighteval";
pub(in crate::collect) const DETAILS_NAME: &str = "lighteval-details";

pub(super) const READER: Reader = Reader { name: NAME, recognises, read };
pub(super) const DETAILS: Reader =
    Reader { name: DETAILS_NAME, recognises: is_details, read: read_details };

/// The setting that names the model.
const MODEL: &str = "model";
const MODEL_NAME: &str = "model_name";
const STDERR: &str = "_stderr";
/// The average over all tasks.
const ALL: &str = "all";
/// Behind the name of a task, that it is the average over its subtasks.
const AVERAGE: &str = ":_average";
const TASKS: &str = "config_tasks";
/// Settings of an evaluation beside those of its model.
const SETTINGS: &[&str] = &["num_fewshot_seeds", "max_samples"];
/// What of a task follows from other members, or is no setting.
const NO_SETTINGS: &[&str] = &["metrics", "metric", "original_num_docs", "effective_num_docs"];
/// Rows decoded at once.
const ROWS_AT_ONCE: usize = 4096;

fn recognises(file: &FileEntry) -> bool {
    file.has_extension("json")
        && ["config_general", "lighteval_sha"]
            .iter()
            .all(|key| file.head_has(&format!("\"{key}\"")))
}

/// A task without its suite, and the shots in its prompts.
fn task_of(key: &str) -> (&str, Option<u64>) {
    let parts: Vec<&str> = key.split('|').collect();
    let shots = |text: &str| text.parse().ok();
    match parts[..] {
        [name, count] | [_, name, count] | [_, name, count, _] => (name, shots(count)),
        _ => (key, None),
    }
}

/// Shots are a coordinate where there are some; nobody writes that there are none.
fn dims_of(shots: Option<u64>) -> Dims {
    match shots {
        Some(shots @ 1..) => Dims::none().with("shot", DimValue::Number(shots as f64)),
        _ => Dims::none(),
    }
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, _| {
        let tasks: Vec<&String> = entries(root, "results").map(|(key, _)| key).collect();
        for (key, row) in entries(root, "results") {
            let is_copy = key == ALL && tasks.len() == 2;
            if let Some(row) = row.table().filter(|_| !is_copy) {
                read_task(root, (key, row), file, &options.names, fragment);
            }
        }
        for (key, config) in entries(root, TASKS) {
            read_task_config((key, config), file, &options.names, fragment);
        }
        read_versions(root, fragment);
        let general = root.get("config_general");
        let model = general.and_then(|general| general.get("model_config"));
        let arguments = model.into_iter().flat_map(Node::entries);
        for (key, node) in arguments.filter(|(key, _)| *key != MODEL_NAME) {
            flatten(node, key, &file.display, &mut fragment.config);
        }
        if let Some(name) = general.and_then(|general| general.get(MODEL_NAME)) {
            flatten(name, MODEL, &file.display, &mut fragment.config);
        }
        for (key, node) in SETTINGS.iter().filter_map(|key| Some((key, general?.get(key)?))) {
            flatten(node, key, &file.display, &mut fragment.config);
        }
        fragment.has_whole_config = model.is_some();
        let written = |key| Some(general?.get(key)?.written()?.to_owned());
        fragment.provenance = Provenance {
            ended: results_stamp(&file.relative).map(moment),
            model: written(MODEL_NAME),
            harness: Some(NAME.to_owned()),
            harness_version: written("lighteval_sha").filter(|commit| commit != "?"),
            ..Provenance::default()
        };
    })
}

fn entries<'a>(root: &'a Node, key: &str) -> impl Iterator<Item = (&'a String, &'a Node)> {
    root.get(key).into_iter().flat_map(Node::entries)
}

/// `2026-11-28T06:22:23.06` of the `2026-11-28T06-22-23.06` that a file may be called.
fn moment(stamp: &str) -> String {
    let (day, time) = stamp.split_once('T').unwrap_or((stamp, ""));
    format!("{day}T{}", time.replace('-', ":"))
}

fn read_task(
    root: &Node,
    (key, row): (&str, &Table),
    file: &FileEntry,
    names: &MetricNames,
    fragment: &mut Fragment,
) {
    let (name, shots) = task_of(key);
    let task = name.strip_suffix(AVERAGE);
    let is_average = task.is_some() || key == ALL;
    let dataset = task.unwrap_or(name);
    let size = |node: &Node| node.get("effective_num_docs")?.count().filter(|&count| count > 0);
    let size = root.get(TASKS).and_then(|tasks| size(tasks.get(key)?));
    for (metric, node) in row.iter().filter(|(metric, _)| !metric.ends_with(STDERR)) {
        let Some(figure) = FileFigure::read(node) else { continue };
        let stderr = row.get(&format!("{metric}{STDERR}")).and_then(Node::number);
        // Beside an average stands that of the standard errors, which is none.
        let stderr = stderr.filter(|error| error.is_finite() && !is_average);
        let figure = FileFigure { n: size, stderr, ..figure };
        let source = Source::line(&file.display, node.line, format!("results.{key}.{metric}"));
        let made = scalar(metric, Some(dataset), &dims_of(shots), figure, source, names);
        fragment.scalars.push(made);
    }
    if is_average {
        let begins = format!("{dataset}:");
        let all = entries(root, TASKS).map(|(key, _)| task_of(key).0);
        let parts: Vec<String> =
            all.filter(|part| key == ALL || part.starts_with(&begins)).map(str::to_owned).collect();
        fragment.groups.insert(dataset.to_owned(), parts);
    }
}

fn read_task_config(
    (key, config): (&str, &Node),
    file: &FileEntry,
    names: &MetricNames,
    fragment: &mut Fragment,
) {
    let (task, _) = task_of(key);
    for (name, node) in config.entries().filter(|(name, _)| !NO_SETTINGS.contains(&name.as_str())) {
        if node.value != Value::Null {
            flatten(node, &format!("task.{task}.{name}"), &file.display, &mut fragment.config);
        }
    }
    let written = |name: &str| config.get(name).and_then(Node::written);
    let version = [written("version"), written("hf_revision")];
    let version: Vec<&str> = version.into_iter().flatten().collect();
    if !version.is_empty() {
        fragment.versions.insert(task.to_owned(), version.join(", "));
    }
    let docs = config.get("effective_num_docs");
    if let Some((node, samples @ 1..)) = docs.and_then(|node| Some((node, node.count()?))) {
        let source = Source::line(&file.display, node.line, format!("{TASKS}.{key}"));
        fragment.planned.insert(task.to_owned(), Planned { samples, source });
    }
    for metric in config.get("metrics").and_then(Node::list).into_iter().flatten() {
        let (Some(name), Some(higher)) =
            (metric.get("metric_name"), metric.get("higher_is_better"))
        else {
            continue;
        };
        // Several metrics that are computed at once have a direction each.
        let several = higher.entries().map(|(name, higher)| (name.as_str(), higher));
        let one = name.text().map(|name| (name, higher));
        for (name, higher) in one.into_iter().chain(several) {
            if let ConfigValue::Bool(higher) = scalar_value(higher) {
                declare_direction(name, Some(task), higher, names, fragment);
            }
        }
    }
}

/// Versions of tasks as they stood beside the results before they were settings of tasks.
fn read_versions(root: &Node, fragment: &mut Fragment) {
    for (key, version) in entries(root, "versions").filter(|(key, _)| *key != ALL) {
        if let Some(version) = version.written() {
            let task = task_of(key).0.to_owned();
            fragment.versions.entry(task).or_insert_with(|| version.to_owned());
        }
    }
}

/// The model whose results or details a file of an output directory has, as its path says.
pub(in crate::collect) fn model_in_path(piece: &Piece) -> Option<&str> {
    let directory = directory_of(&piece.relative);
    match piece.reader {
        NAME => directory.strip_prefix("results/"),
        DETAILS_NAME => Some(directory.strip_prefix("details/")?.rsplit_once('/')?.0),
        _ => None,
    }
}

/// Whether the file is one of details: each row has a document, an answer and metrics.
pub(in crate::collect) fn is_details(file: &FileEntry) -> bool {
    const COLUMNS: &[&str] = &["doc", "metric", "model_response"];
    let has = |parquet: &Parquet, name: &&str| {
        parquet.schema().iter().any(|column| column.name == **name && column.is_record())
    };
    let has_all = |parquet: &Parquet| COLUMNS.iter().all(|name| has(parquet, name));
    file.head.starts_with(MAGIC)
        && details_log(&file.relative).is_some()
        // Damaged, so that `read` says why.
        && !open(file).is_ok_and(|parquet| !has_all(&parquet))
}

fn open(file: &FileEntry) -> Result<Parquet, String> {
    Parquet::open(&file.path, document_bytes(file))
}

fn read_details(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut harvest = Harvest::of_file(file, options);
    let most = usize::try_from(file.limits.records).unwrap_or(usize::MAX);
    let mut row = 0;
    let mut take = |record: String| {
        row += 1;
        // What is made here is JSON.
        let _taken = harvest.take_record(&record, row);
    };
    let unreadable = |reason: String| Box::new(unreadable(&file.display, reason));
    let stopped = each_row(file, most, &mut take).map_err(unreadable)?;
    let mut warned = harvest.into_fragment(file, Limits::from(file.limits).line_bytes);
    warned.diagnostics.extend(stopped);
    let shots = details_log(&file.relative).and_then(|(key, _)| task_of(key).1);
    for table in &mut warned.value.samples {
        for (axis, place) in dims_of(shots).iter() {
            table.dims.insert(axis, place.clone());
        }
    }
    Ok(warned)
}

/// Hands on the records of these rows.
pub(in crate::collect) fn records(
    file: &FileEntry,
    wanted: &BTreeSet<u64>,
    take: &mut dyn FnMut(u64, &str),
) -> Result<(), String> {
    let mut row = 0;
    let last = wanted.last().map_or(0, |last| usize::try_from(*last).unwrap_or(usize::MAX));
    each_row(file, last, &mut |record| {
        row += 1;
        if wanted.contains(&row) {
            take(row, &record);
        }
    })
    .map(|_| ())
}

/// Hands on so many rows from the first on, as records; with the finding where there are more.
fn each_row(
    file: &FileEntry,
    most: usize,
    take: &mut dyn FnMut(String),
) -> Result<Option<Diagnostic>, String> {
    let parquet = open(file)?;
    let columns = ["doc", "metric", "model_response"].map(str::to_owned);
    let mut rows = parquet.rows(Some(&columns))?;
    let task = details_log(&file.relative).map(|(key, _)| task_of(key).0);
    let mut left = most;
    while left > 0
        && let Some(table) = rows.next(ROWS_AT_ONCE.min(left))?
    {
        let members = Members::of(&table);
        for row in 0..table.height() {
            take(members.record(task, row)?);
        }
        left -= table.height();
    }
    Ok((parquet.height() > most).then(|| past_limit("records", most, &file.display)))
}

/// The members of rows that mean something.
struct Members<'t> {
    id: Option<Cells<'t>>,
    query: Option<Cells<'t>>,
    choices: Option<Cells<'t>>,
    gold: Option<Cells<'t>>,
    answers: Option<Cells<'t>>,
    metrics: Vec<Cells<'t>>,
}

impl<'t> Members<'t> {
    fn of(table: &'t parquet::Table<'_>) -> Self {
        let members = |column: &str| -> Vec<Cells<'t>> {
            table.column(column).iter().flat_map(Cells::members).collect()
        };
        let (doc, answer) = (members("doc"), members("model_response"));
        let named = |all: &[Cells<'t>], name: &str| {
            all.iter().find(|cells| cells.column().name == name).copied()
        };
        Self {
            id: named(&doc, "id"),
            query: named(&doc, "query"),
            choices: named(&doc, "choices"),
            gold: named(&doc, "gold_index"),
            answers: named(&answer, "text"),
            metrics: members("metric"),
        }
    }

    /// A row as a record: what was asked, what is right, the first answer, and each score by its name.
    fn record(&self, task: Option<&str>, row: usize) -> Result<String, String> {
        let cell = |cells: &Option<Cells<'t>>| -> Result<Option<Json>, String> {
            let Some(cells) = cells else { return Ok(None) };
            Ok(Some(as_json(&cells.get(row)?)).filter(|cell| !cell.is_null()))
        };
        let choices = cell(&self.choices)?;
        let choice = |at: &Json| {
            let at = usize::try_from(at.as_u64()?).ok()?;
            choices.as_ref()?.get(at).cloned()
        };
        let target = cell(&self.gold)?.and_then(|gold| match gold {
            Json::Array(all) => Some(Json::Array(all.iter().filter_map(choice).collect())),
            one => choice(&one),
        });
        let answer = cell(&self.answers)?.and_then(|texts| texts.get(0).cloned());
        let mut record = Map::new();
        let fields = [
            ("dataset", task.map(Json::from)),
            ("id", cell(&self.id)?),
            ("question", cell(&self.query)?),
            ("target", target),
            ("output", answer),
        ];
        for (name, value) in fields {
            record.extend(value.map(|value| (name.to_owned(), value)));
        }
        let metrics = self
            .metrics
            .iter()
            .map(|cells| Ok((cells.column().name.clone(), as_json(&cells.get(row)?))));
        let metrics = metrics.collect::<Result<_, String>>()?;
        record.insert("scores".to_owned(), Json::Object(metrics));
        Ok(Json::Object(record).to_string())
    }
}
