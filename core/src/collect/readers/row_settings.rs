//! What a table of several runs says of each of them beside its figures: `lr`, `Test set`, `Training`.

use std::collections::BTreeMap;

use super::super::records::FileSheet;
use super::super::{FileEntry, ReadOptions};
use super::beside_figures::REMARKS;
use super::chinese_heads::setting_key;
use super::column_roles::{MODELS, RUN, says_what_is_asked};
use super::coordinates::{dim_of_column, is_size_column};
use super::heads::is_of_model;
use super::settings_beside::{is_setting_field, is_setting_of_table};
use crate::model::{
    ConfigEntry, ConfigValue, DimValue, Fragment, MetricNames, RunLabel, Source, places_in_name,
};

/// A longer text is a remark.
const LONGEST: usize = 64;

/// Settings that are shares.
const FRACTIONS: &[&str] = &[
    "temperature",
    "top_p",
    "min_p",
    "repetition_penalty",
    "presence_penalty",
    "frequency_penalty",
];
/// Coordinates that are settings where each run has one of its own.
const SETTINGS_OF_RUNS: &[&str] = &["temperature", "split", "num_fewshot"];
/// Words of heads that announce how something was trained, evaluated or asked.
const TELLING: &[&str] = &[
    "setting",
    "settings",
    "training",
    "train",
    "trained",
    "finetuning",
    "test",
    "eval",
    "evaluation",
    "data",
    "prompt",
    "prompting",
    "config",
    "configuration",
    "version",
    "decoding",
    "judge",
    "shots",
    "recipe",
    "stage",
    "checkpoint",
    "template",
];

/// The settings of one run.
struct OfRun {
    /// The value of each column that names runs.
    labels: Vec<RunLabel>,
    /// Key, value and line.
    settings: Vec<(String, String, u64)>,
}

/// The settings of the runs in a table.
#[derive(Default)]
pub(super) struct RowSettings {
    runs: Vec<OfRun>,
}

/// The columns that hold one value for each run and are neither places, sizes nor figures.
fn columns_of_runs(sheet: &FileSheet, naming: &[usize], names: &MetricNames) -> Vec<usize> {
    let header = sheet.header.iter().enumerate();
    let candidates = header.filter(|(column, head)| {
        !naming.contains(column) && may_be_setting(sheet, (*column, head), names)
    });
    candidates
        .map(|(column, _)| column)
        .filter(|column| {
            let mut values: BTreeMap<Vec<&str>, &str> = BTreeMap::new();
            let is_alike = sheet.rows.iter().all(|(_, row)| {
                let run = naming.iter().map(|at| FileSheet::cell(row, *at)).collect();
                let cell = FileSheet::cell(row, *column);
                *values.entry(run).or_insert(cell) == cell
            });
            let mut values = values.into_values();
            let first = values.next();
            is_alike && values.any(|value| Some(value) != first)
        })
        .collect()
}

fn naming_columns(sheet: &FileSheet, asked: &[String]) -> Vec<usize> {
    if !sheet.header.iter().any(|head| asked.contains(head)) {
        return Vec::new();
    }
    let columns = sheet.header.iter().enumerate();
    let is_naming = |head: &String| asked.contains(head) || RunLabel::repeats(&setting_key(head));
    columns.filter(|(_, head)| is_naming(head)).map(|(column, _)| column).collect()
}

/// Whether a column may hold a setting: what is known as one, or a text of which the head, or a place in it
/// such as `5-shot`, says that it is about training, data or evaluation.
fn may_be_setting(
    sheet: &FileSheet,
    (column, head): (usize, &String),
    names: &MetricNames,
) -> bool {
    let name = setting_key(head);
    let is_coordinate =
        || dim_of_column(&name).is_some() && !SETTINGS_OF_RUNS.contains(&name.as_str());
    let is_place = || is_coordinate() || RunLabel::repeats(&name) || name == RUN;
    if is_place()
        || is_size_column(&name)
        || says_what_is_asked(&head.to_ascii_lowercase())
        || names.is_declared(head)
    {
        return false;
    }
    let cells = || sheet.rows.iter().map(|(_, row)| FileSheet::cell(row, column));
    // `method` beside a model says how that one was made.
    if is_setting_of_table(&name) || MODELS.contains(&name.as_str()) {
        return true;
    }
    if is_setting_field(&name) {
        // `precision` and `judge` are as often figures.
        return FRACTIONS.contains(&name.as_str()) || !cells().any(is_share);
    }
    if names.get(head).is_some() {
        return false;
    }
    let is_text = |cell: &str| {
        let is_figure = cell.starts_with(|c: char| c.is_ascii_digit() || "-+.".contains(c));
        let is_worded = cell
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word.len() > 2 && word.chars().all(char::is_alphabetic));
        cell.chars().count() <= LONGEST && (!is_figure || is_worded)
    };
    let tells = || {
        name.split('_').any(|word| TELLING.contains(&word))
            || cells().any(|cell| !places_in_name(cell).is_empty())
    };
    !REMARKS.contains(&name.as_str()) && !is_of_model(head) && tells() && cells().all(is_text)
}

/// Whether a cell is a percentage or a number that is no whole one.
fn is_share(cell: &str) -> bool {
    let number = cell.trim_end_matches('%').trim_end();
    number.parse::<f64>().is_ok_and(|value| number.len() < cell.len() || value.fract() != 0.0)
}

impl RowSettings {
    /// Takes what the columns of a table say of its runs, which the columns that are asked for tell apart.
    /// Returns those columns.
    pub(super) fn take(&mut self, sheet: &FileSheet, options: &ReadOptions) -> Vec<usize> {
        let naming = naming_columns(sheet, &options.columns);
        if naming.is_empty() {
            return Vec::new();
        }
        let columns = columns_of_runs(sheet, &naming, &options.names);
        for (line, row) in sheet.rows.iter().filter(|_| !columns.is_empty()) {
            let label = |column: &usize| {
                let value = DimValue::parse(FileSheet::cell(row, *column)).to_string();
                Some(RunLabel { column: sheet.header.get(*column)?.clone(), value })
            };
            let labels: Vec<RunLabel> = naming.iter().filter_map(label).collect();
            if self.runs.iter().any(|run| run.labels == labels) {
                continue;
            }
            let setting = |column: &usize| {
                let value = FileSheet::cell(row, *column).to_owned();
                let key = setting_key(sheet.header.get(*column)?);
                (!DimValue::is_none(&value)).then_some((key, value, *line))
            };
            let settings = columns.iter().filter_map(setting).collect();
            self.runs.push(OfRun { labels, settings });
        }
        columns
    }

    /// Gives each run in the fragment its settings.
    pub(super) fn give(self, fragment: &mut Fragment, file: &FileEntry) {
        for part in &mut fragment.parts {
            let is_of_part = |label: &RunLabel| {
                let mut own = part.labels.iter().filter(|own| own.column == label.column);
                own.all(|own| own == label)
            };
            let is_its = |run: &&OfRun| run.labels.iter().all(is_of_part);
            let Some(run) = self.runs.iter().find(is_its) else { continue };
            for (key, value, line) in &run.settings {
                let source = Source::line(&file.display, *line, key.as_str());
                let value = ConfigValue::Text(value.clone());
                part.config.insert(key.clone(), ConfigEntry { value, source });
            }
        }
    }
}
