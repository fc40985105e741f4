//! `run-ID.wandb`, the log that `wandb` writes of a run, offline and online: its history as series, what
//! stands in the summary alone as figures, configuration, commit and exit code.

mod metadata;
mod records;
mod tables;
mod wire;

use std::collections::BTreeSet;

use prost::Message as _;

use super::super::document::{Node, Table, Value, flatten, parse_json_line};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::{FigureEntry, scalar, with_figures};
use super::frames::{End, read_records};
use super::ordered_records::OrderedRecords;
use super::points::series_of;
use crate::diag::{Diagnostic, Warned};
use crate::model::{Dims, MetricNames, RunEnding, Scalar, Source};
use wire::{History, Item, Record, Step, Update};

pub(super) use metadata::READER as METADATA;
pub(in crate::collect) use tables::last_tables;

pub(in crate::collect) const NAME: &str = "wandb";

pub(super) const READER: Reader =
    Reader { name: NAME, recognises: |file| records::begins(&file.head), read };

/// Keys that `wandb` keeps for itself begin with it.
const INTERNAL: char = '_';
const STEP: &str = "_step";
/// What a value that stands for a file or a chart has.
const MEDIA: &str = "_type";

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut ordered = OrderedRecords::of(options);
    let Warned { value: mut log, mut diagnostics } = read_log(file, |row| ordered.add(&row))?;
    let series = if let Some(series) = ordered.finish(file) {
        series
    } else {
        let mut rows = Vec::new();
        Warned { value: log, diagnostics } = read_log(file, |row| {
            rows.push(row);
            true
        })?;
        series_of(&rows.iter().collect::<Vec<_>>(), file, options)
    };
    Ok(with_figures(file, &options.names, diagnostics, |fragment, findings| {
        fragment.series = series.drain_into(findings);
        fragment.scalars = log.summary_alone(file, &options.names);
        fragment.has_whole_config = !log.config.is_empty();
        let own = log.config.iter().filter(|(key, _)| !key.starts_with(INTERNAL));
        for (key, node) in own {
            flatten(node, key, &file.display, &mut fragment.config);
        }
        fragment.provenance.commit = log.commit;
        fragment.endings.extend(log.ending);
        fragment.torn = log.torn;
    }))
}

/// What is read of the log of a run beside its history.
#[derive(Default)]
struct RunLog {
    /// How many rows the history has, and the keys in them.
    rows: u64,
    logged: BTreeSet<String>,
    /// The keys of the last row.
    keys: Vec<String>,
    summary: Table,
    config: Table,
    commit: Option<String>,
    ending: Option<RunEnding>,
    torn: bool,
}

/// Reads a log and hands on the rows of its history until none is wanted: what it gives is not whole then.
fn read_log(
    file: &FileEntry,
    mut take: impl FnMut(Node) -> bool,
) -> Result<Warned<RunLog>, Box<Diagnostic>> {
    let (mut log, mut findings) = (RunLog::default(), Vec::new());
    let mut is_wanted = true;
    let end = read_records(file, records::each, |number, record| {
        if is_wanted {
            let record = Record::decode(record).map_err(|cause| cause.to_string())?;
            let row = record.history.as_ref().map(|history| row(history, number)).transpose()?;
            if let Some(row) = row {
                log.note_row(&row);
                is_wanted = take(row);
            }
            log.take(record, number, file)?;
        }
        Ok(log.rows)
    });
    drop_media(&mut log.summary);
    log.torn = matches!(end?.drain_into(&mut findings), End::Torn(_));
    Ok(Warned::new(log, findings))
}

impl RunLog {
    /// Notes the keys of a row, which mostly are those of the row before.
    fn note_row(&mut self, row: &Node) {
        self.rows += 1;
        let keys = || row.entries().map(|(key, _)| key);
        if !keys().eq(&self.keys) {
            self.keys = keys().cloned().collect();
            self.logged.extend(self.keys.iter().cloned());
        }
    }

    fn take(&mut self, record: Record, number: u64, file: &FileEntry) -> Result<(), String> {
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
        let is_figure = |(key, _): &(&String, &Node)| {
            !key.starts_with(INTERNAL) && !self.logged.contains(key.as_str())
        };
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
    let mut table = Table::new();
    if let Some(Step { number: step }) = history.step {
        let value = Value::Number(step as f64, step.to_string().into());
        table.insert(STEP.to_owned(), Node { line: number, value });
    }
    for item in &history.items {
        let node = value(&item.json, number)?;
        if !is_media(&node) {
            table.insert(item.key(), node);
        }
    }
    drop_media(&mut table);
    Ok(Node { line: number, value: Value::Table(table) })
}

fn update(table: &mut Table, update: &Update, number: u64) -> Result<(), String> {
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

/// Drops files and charts that are written key by key: `samples._type` and what stands beside it.
fn drop_media(table: &mut Table) {
    let marked = |key: &String| key.strip_suffix(MEDIA).map(str::to_owned);
    let media: Vec<String> = table.keys().filter_map(marked).collect();
    table.retain(|key, _| !media.iter().any(|path| key.starts_with(path.as_str())));
}

fn is_media(node: &Node) -> bool {
    node.table().is_some_and(|table| table.contains_key(MEDIA))
}
