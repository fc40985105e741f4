//! Event files of `TensorBoard`: scalars as series; hyperparameters and the arguments that trainers
//! write as text are the configuration.

mod records;
mod wire;

use std::collections::BTreeMap;
use std::io::BufReader;

use prost::Message as _;

use super::super::content::{bad_records, document_bytes, open, past_limit, unreadable};
use super::super::document::{flatten, parse_json_line};
use super::super::occurrences::FewFaults;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::read_figures;
use super::frames::End;
use super::points::Points;
use super::written_settings::insert;
use crate::diag::{Diagnostic, Location, Warned};
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
    read_figures(file, &options.names, read_events, |log, fragment, findings| {
        let mut points = Points::of(&options.names);
        for (tag, point) in &log.points {
            points.add(tag, "step", *point);
        }
        fragment.series = points.finish(file).drain_into(findings);
        fragment.config = log.config.clone();
        fragment.torn = log.torn;
    })
}

/// What is read of an event file.
#[derive(Default)]
struct EventLog {
    points: Vec<(String, Point)>,
    config: Config,
    /// Which plugin a tag belongs to; only the first value of a tag says so.
    plugins: BTreeMap<String, String>,
    torn: bool,
}

fn read_events(file: &FileEntry) -> Result<Warned<EventLog>, Box<Diagnostic>> {
    let mut log = EventLog::default();
    let mut findings = Vec::new();
    let mut bad: FewFaults<(u64, String)> = FewFaults::default();
    let most = file.limits.lines;
    let mut is_full = false;
    let end = open(&file.path, file.gzip).and_then(|source| {
        let source = BufReader::with_capacity(1 << 16, source);
        records::each(source, document_bytes(file), |number, record| {
            match Event::decode(record) {
                Ok(event) => log.take(event, number, file),
                Err(cause) => bad.note(|| (number, cause.to_string())),
            }
            is_full = log.points.len() as u64 >= most;
            !is_full
        })
    });
    let end = end.map_err(|error| Box::new(unreadable(&file.display, error)))?;
    log.torn = matches!(end, End::Torn(_));
    findings.extend(end.finding(file));
    findings.extend(bad.findings(|(number, cause), count| {
        bad_records(count, cause, Location::line(&*file.display, number))
    }));
    findings.extend(is_full.then(|| past_limit("records", most, &file.display)));
    Ok(Warned::new(log, findings))
}

impl EventLog {
    fn take(&mut self, event: Event, number: u64, file: &FileEntry) {
        for value in event.summary.into_iter().flat_map(|summary| summary.values) {
            if let Some(value) = self.scalar(&value) {
                let (tag, value) = value;
                self.points.push((tag, Point { at: event.step as f64, value, line: number }));
            } else {
                self.take_settings(&value, number, file);
            }
        }
    }

    fn scalar(&mut self, value: &SummaryValue) -> Option<(String, f64)> {
        let tag = value.tag.clone();
        if let Some(simple) = value.simple {
            return Some((tag, single(simple)));
        }
        if let Some(plugin) = value.metadata.as_ref().and_then(|found| found.plugin.as_ref()) {
            self.plugins.insert(tag.clone(), plugin.name.clone());
        }
        let is_scalar = self.plugins.get(&tag).is_some_and(|plugin| plugin == SCALARS);
        let scalar = value.tensor.as_ref().filter(|_| is_scalar)?.scalar()?;
        Some((tag, scalar))
    }

    fn take_settings(&mut self, value: &SummaryValue, number: u64, file: &FileEntry) {
        let plugin = value.metadata.as_ref().and_then(|found| found.plugin.as_ref());
        if let Some(plugin) = plugin.filter(|plugin| plugin.name == HYPERPARAMETERS) {
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
