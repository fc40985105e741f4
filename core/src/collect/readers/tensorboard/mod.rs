//! Event files of `TensorBoard`: scalars as series; hyperparameters and the arguments that trainers
//! write as text are the configuration.

mod records;
mod wire;

use std::collections::BTreeMap;

use indexmap::IndexMap;
use prost::Message as _;

use super::super::document::{flatten, parse_json_line};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::read_figures;
use super::frames::{End, read_records};
use super::points::Points;
use super::python_values::insert;
use crate::diag::{Code, Diagnostic, Warned};
use crate::model::{Config, ConfigEntry, ConfigValue, Point, Source};
use wire::{Event, HyperparameterData, Setting, SummaryValue, single};

pub(in crate::collect) const NAME: &str = "tensorboard";

pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

/// What the first record of an event file says, whoever wrote it.
const VERSION: &str = "brain.Event:";
const SCALARS: &str = "scalars";
const HYPERPARAMETERS: &str = "hparams";
const TEXT_ENDING: &str = "/text_summary";
/// Texts that are the arguments of the program, and the name of what they set.
const ARGUMENTS: &[(&str, &str)] = &[
    ("args", ""),
    ("config", ""),
    ("hparams", ""),
    ("hyperparameters", ""),
    ("model_config", "model_config"),
];

fn recognises(file: &FileEntry) -> bool {
    records::begins(&file.head) && file.head_has(VERSION)
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut read = read_figures(file, &options.names, read_events, |log, fragment, findings| {
        let mut points = Points::of(&options.names);
        for (tag, of_tag) in &log.points {
            for point in of_tag {
                points.add(tag, "step", *point);
            }
        }
        fragment.series = points.finish(file).drain_into(findings);
        fragment.config = log.config.clone();
        fragment.has_whole_config = !log.config.is_empty();
        fragment.torn = log.torn;
    })?;
    // `add_hparams` writes settings into a file of their own.
    if !read.value.config.is_empty() {
        read.diagnostics.retain(|finding| finding.code != Code::EmptyFile);
    }
    Ok(read)
}

/// What is read of an event file.
#[derive(Default)]
struct EventLog {
    points: IndexMap<String, Vec<Point>>,
    config: Config,
    /// Which plugin a tag belongs to; only the first value of a tag says so.
    plugins: BTreeMap<String, String>,
    torn: bool,
}

fn read_events(file: &FileEntry) -> Result<Warned<EventLog>, Box<Diagnostic>> {
    let (mut log, mut findings, mut taken) = (EventLog::default(), Vec::new(), 0);
    let end = read_records(file, records::each, |number, record| {
        let event = Event::decode(record).map_err(|cause| cause.to_string())?;
        taken += log.take(event, number, file);
        Ok(taken)
    });
    log.torn = matches!(end?.drain_into(&mut findings), End::Torn(_));
    Ok(Warned::new(log, findings))
}

impl EventLog {
    /// Takes what an event says, and says how many scalars that were.
    fn take(&mut self, event: Event, number: u64, file: &FileEntry) -> u64 {
        let mut taken = 0;
        for value in event.summary.into_iter().flat_map(|summary| summary.values) {
            let Some(scalar) = self.scalar(&value) else {
                self.take_settings(&value, number, file);
                continue;
            };
            taken += 1;
            let point = Point { at: event.step as f64, value: scalar, line: number };
            self.points.entry(value.tag).or_default().push(point);
        }
        taken
    }

    fn scalar(&mut self, value: &SummaryValue) -> Option<f64> {
        if let Some(simple) = value.simple {
            return Some(single(simple));
        }
        if let Some(plugin) = value.plugin() {
            self.plugins.insert(value.tag.clone(), plugin.name.clone());
        }
        let is_scalar = self.plugins.get(&value.tag).is_some_and(|plugin| plugin == SCALARS);
        value.tensor.as_ref().filter(|_| is_scalar)?.scalar()
    }

    fn take_settings(&mut self, value: &SummaryValue, number: u64, file: &FileEntry) {
        if let Some(plugin) = value.plugin().filter(|plugin| plugin.name == HYPERPARAMETERS) {
            let data = HyperparameterData::decode(&*plugin.content).ok();
            let session = data.and_then(|data| data.session);
            for (key, setting) in session.into_iter().flat_map(|session| session.settings) {
                let source = Source::line(&file.display, number, &key);
                self.config.insert(key, ConfigEntry { value: setting.value(), source });
            }
            return;
        }
        let name = value.tag.strip_suffix(TEXT_ENDING).unwrap_or(&value.tag);
        let known = ARGUMENTS.iter().find(|(tag, _)| *tag == name);
        let text = value.tensor.as_ref().and_then(|tensor| tensor.text());
        if let (Some((_, prefix)), Some(text)) = (known, text) {
            self.take_arguments(prefix, text, number, file);
        }
    }

    /// A JSON object, or the table of Markdown `|param|value|`.
    fn take_arguments(&mut self, prefix: &str, text: &str, number: u64, file: &FileEntry) {
        if let Ok(parsed) = parse_json_line(text, number) {
            flatten(&parsed.root, prefix, &file.display, &mut self.config);
            return;
        }
        let cells = |line: &'_ str| {
            let row = line.trim().strip_prefix('|')?.strip_suffix('|')?;
            row.split_once('|').map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        };
        for (key, value) in text.lines().skip(2).filter_map(cells) {
            insert(&key, &value, number, file, &mut self.config);
        }
    }
}

impl Setting {
    fn value(self) -> ConfigValue {
        match (self.number, self.text, self.switch) {
            (Some(number), ..) => ConfigValue::Number(number, number.to_string()),
            (_, Some(text), _) => ConfigValue::Text(text),
            (.., Some(switch)) => ConfigValue::Bool(switch),
            (None, None, None) => ConfigValue::Null,
        }
    }
}
