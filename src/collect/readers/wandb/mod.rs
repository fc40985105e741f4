//! `run-ID.wandb`, the log that `wandb` writes of a run, offline and online: its history as series, what
//! stands in the summary alone as figures, configuration, commit and exit code.

mod records;
mod wire;

use std::io::BufReader;

use indexmap::IndexMap;
use prost::Message as _;

use super::super::content::{bad_records, document_bytes, open, past_limit, unreadable};
use super::super::document::{Node, Value, flatten, parse_json_line};
use super::super::occurrences::FewFaults;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::{FigureEntry, read_figures, scalar};
use super::frames::End;
use super::points::series_of;
use crate::diag::{Diagnostic, Location, Warned};
use crate::model::{Dims, MetricNames, RunEnding, Scalar, Source};
use wire::{History, Item, Record, Update};

pub(super) const READER: Reader =
    Reader { name: "wandb", recognises: |file| records::begins(&file.head), read };

/// Keys that `wandb` keeps for itself begin with it.
const INTERNAL: char = '_';
const STEP: &str = "_step";
/// What a value that stands for a file or a chart has.
const MEDIA: &str = "_type";

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_log, |log, fragment, findings| {
        let rows: Vec<&Node> = log.history.iter().collect();
        fragment.series = series_of(&rows, file, options).drain_into(findings);
        fragment.scalars = log.summary_alone(file, &options.names);
        for (key, node) in &log.config {
            flatten(node, key, &file.display, &mut fragment.config);
        }
        fragment.provenance.commit.clone_from(&log.commit);
        fragment.endings.extend(log.ending.clone());
        fragment.torn = log.torn;
    })
}

/// What is read of the log of a run.
#[derive(Default)]
struct RunLog {
    history: Vec<Node>,
    summary: IndexMap<String, Node>,
    config: IndexMap<String, Node>,
    commit: Option<String>,
    ending: Option<RunEnding>,
    torn: bool,
}

fn read_log(file: &FileEntry) -> Result<Warned<RunLog>, Box<Diagnostic>> {
    let mut log = RunLog::default();
    let mut bad: FewFaults<(u64, String)> = FewFaults::default();
    let most = file.limits.lines;
    let mut is_full = false;
    let end = open(&file.path, file.gzip).and_then(|source| {
        let source = BufReader::with_capacity(1 << 16, source);
        records::each(source, document_bytes(file), |number, record| {
            let taken = Record::decode(record).map_err(|cause| cause.to_string());
            if let Err(cause) = taken.and_then(|record| log.take(record, number, file)) {
                bad.note(|| (number, cause));
            }
            is_full = log.history.len() as u64 >= most;
            !is_full
        })
    });
    let end = end.map_err(|error| Box::new(unreadable(&file.display, error)))?;
    log.torn = matches!(end, End::Torn(_));
    let mut findings: Vec<Diagnostic> = end.finding(file).into_iter().collect();
    findings.extend(bad.findings(|(number, cause), count| {
        bad_records(count, cause, Location::line(&*file.display, number))
    }));
    findings.extend(is_full.then(|| past_limit("records", most, &file.display)));
    Ok(Warned::new(log, findings))
}

impl RunLog {
    fn take(&mut self, record: Record, number: u64, file: &FileEntry) -> Result<(), String> {
        if let Some(history) = record.history {
            self.history.push(row(&history, number)?);
        }
        if let Some(summary) = record.summary {
            update(&mut self.summary, &summary, number)?;
        }
        let of_run = record.run.as_ref().and_then(|run| run.config.as_ref());
        for config in of_run.into_iter().chain(&record.config) {
            update(&mut self.config, config, number)?;
        }
        let commit = record.run.and_then(|run| run.git).map(|git| git.commit);
        self.commit = commit.filter(|commit| !commit.is_empty()).or(self.commit.take());
        if let Some(exit) = record.exit.filter(|exit| exit.code != 0) {
            let source = Source::line(&file.display, number, "");
            self.ending = Some(RunEnding { said: format!("exit code {}", exit.code), source });
        }
        Ok(())
    }

    /// The figures of the summary that are not the last ones of the history.
    fn summary_alone(&self, file: &FileEntry, names: &MetricNames) -> Vec<Scalar> {
        let logged = |key: &str| {
            self.history.iter().any(|row| row.table().is_some_and(|row| row.contains_key(key)))
        };
        let is_figure = |(key, _): &(&String, &Node)| !key.starts_with(INTERNAL) && !logged(key);
        let mut found = Vec::new();
        let mut waiting: Vec<(String, &Node)> =
            self.summary.iter().filter(is_figure).map(|(key, node)| (key.clone(), node)).collect();
        while let Some((key, node)) = waiting.pop() {
            if let Some(table) = node.table() {
                waiting.extend(table.iter().map(|(name, node)| (format!("{key}.{name}"), node)));
            } else if let FigureEntry::Figure(figure) = FigureEntry::read(&key, node, names) {
                let source = Source::line(&file.display, node.line, key.as_str());
                found.push(scalar(&key, None, &Dims::none(), figure, source, names));
            }
        }
        found.reverse();
        found
    }
}

/// A row of the history: its items, without what stands for files and charts, and its step.
fn row(history: &History, number: u64) -> Result<Node, String> {
    let mut table = IndexMap::new();
    let step = history.step.as_ref().map(|step| step.number.to_string());
    if let Some(step) = step {
        table.insert(STEP.to_owned(), value(&step, number)?);
    }
    for item in &history.items {
        let node = value(&item.json, number)?;
        if !is_media(&node) {
            table.insert(item.key(), node);
        }
    }
    let is_marker =
        |key: &String| key.ends_with(MEDIA).then(|| key.trim_end_matches(MEDIA).to_owned());
    let media: Vec<String> = table.keys().filter_map(is_marker).collect();
    table.retain(|key, _| !media.iter().any(|path| key.starts_with(path.as_str())));
    Ok(Node { line: number, value: Value::Table(table) })
}

fn update(table: &mut IndexMap<String, Node>, update: &Update, number: u64) -> Result<(), String> {
    for item in &update.set {
        let node = value(&item.json, number)?;
        if !is_media(&node) {
            table.insert(item.key(), node);
        }
    }
    for key in update.removed.iter().map(Item::key) {
        table.shift_remove(&key);
    }
    Ok(())
}

fn value(json: &str, number: u64) -> Result<Node, String> {
    parse_json_line(json, number).map(|parsed| parsed.root).map_err(|syntax| syntax.cause)
}

fn is_media(node: &Node) -> bool {
    node.table().is_some_and(|table| table.contains_key(MEDIA))
}
