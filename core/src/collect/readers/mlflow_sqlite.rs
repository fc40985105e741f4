//! Runs in a database of `MLflow`: tables of runs, and of the metrics, parameters, tags and datasets of
//! each. Deleted runs are left out.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::super::content::{bad_records, past_limit, unreadable};
use super::super::database::{self, Database, Row, number, text, whole, word};
use super::super::occurrences::FewFaults;
use super::super::run_names::{TrackedRun, unique};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::read_figures;
use super::points::Points;
use super::python_values::insert;
use super::run_endings::ending;
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{Config, Fragment, Point, Source, StoredRun};

pub(in crate::collect) const NAME: &str = "mlflow-sqlite";

pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

/// Tables that every version has.
const TABLES: [&str; 5] = ["experiments", "runs", "metrics", "params", "tags"];
/// Tables of versions that know datasets.
const OF_DATASETS: [&str; 2] = ["datasets", "inputs"];
/// The one tag that says what the run was.
const COMMIT: &str = "mlflow.source.git.commit";

const EXPERIMENTS: &str = "SELECT experiment_id, name FROM experiments";
const RUNS: &str =
    "SELECT run_uuid, name, experiment_id, status, lifecycle_stage, start_time, rowid FROM runs";
const POINTS: &str =
    "SELECT run_uuid, key, value, timestamp, step, is_nan, rowid FROM metrics NOT INDEXED";
const SETTINGS: &str = "SELECT run_uuid, key, value, rowid FROM params NOT INDEXED";
const TAGS: &str = "SELECT run_uuid, key, value, rowid FROM tags NOT INDEXED";
const DATASETS: &str = "SELECT dataset_uuid, name, digest FROM datasets NOT INDEXED";
const INPUTS: &str = "SELECT destination_id, source_id, rowid FROM inputs NOT INDEXED \
                      WHERE source_type = 'DATASET' AND destination_type = 'RUN'";

fn recognises(file: &FileEntry) -> bool {
    if !file.head.starts_with(database::MAGIC) {
        return false;
    }
    let opened = database::open(&file.path, file.packing.compression(), file.limits).ok();
    let tables = opened.and_then(|opened| opened.tables().ok());
    tables.map_or_else(|| may_be_of_mlflow(file), |tables| are_of_mlflow(&tables))
}

/// Whether a database that cannot be opened may be one of runs: that is told. Caches of other programs, which
/// may be in use, are passed over.
fn may_be_of_mlflow(file: &FileEntry) -> bool {
    file.is_run || file.name.starts_with("mlflow") || file.head_has("run_uuid")
}

fn are_of_mlflow(tables: &[String]) -> bool {
    TABLES.iter().all(|name| tables.iter().any(|table| table == name))
}

/// A run as the rows of several tables tell it.
#[derive(Default)]
struct Rows {
    /// The name that it was given, and that of its experiment.
    name: String,
    experiment: String,
    status: String,
    started: i64,
    row: u64,
    /// Values with the time of each, in milliseconds.
    metrics: BTreeMap<String, Vec<(i64, Point)>>,
    settings: BTreeMap<String, (String, u64)>,
    commit: Option<(String, u64)>,
    /// Ids of its datasets.
    inputs: Vec<String>,
    /// Digests of its datasets by their names.
    digests: Vec<(String, String)>,
}

/// What is read of a database.
struct Reading<'a> {
    database: &'a Database,
    file: &'a FileEntry,
    /// Rows that may still be read.
    left: u64,
    runs: IndexMap<String, Rows>,
    deleted: u64,
    findings: Vec<Diagnostic>,
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let database = database::open(&file.path, file.packing.compression(), file.limits)?;
    let tables = database
        .tables()
        .map_err(|cause| Box::new(unreadable(&file.display, cause.to_string())))?;
    let mut reading = Reading {
        database: &database,
        file,
        left: file.limits.records,
        runs: IndexMap::new(),
        deleted: 0,
        findings: Vec::new(),
    };
    reading.runs();
    reading.points();
    reading.settings();
    if OF_DATASETS.iter().all(|name| tables.iter().any(|table| table == name)) {
        reading.datasets();
    }
    let Reading { mut runs, deleted, mut findings, .. } = reading;
    if deleted > 0 {
        let finding = Diagnostic::new(Code::DeletedRuns).with("count", deleted);
        findings.push(finding.at(Location::file(&*file.display)));
    }
    runs.sort_by(|_, a, _, b| (a.started, a.row).cmp(&(b.started, b.row)));
    let known = tracked(&runs);
    let mut stored = Vec::new();
    for ((rows, run), name) in runs.into_values().zip(&known).zip(unique(&known)) {
        let Warned { value: content, diagnostics: findings } = content(rows, file, options)?;
        let (id, called) = (run.id.clone(), run.called());
        stored.push(StoredRun { id, name, called, content, findings });
    }
    Ok(Warned::new(Fragment { stored, ..Fragment::default() }, findings))
}

/// Whether a database is one of `MLflow`, or may be one and cannot be read, which reading it says.
pub(in crate::collect) fn may_hold_runs(file: &FileEntry) -> bool {
    recognises(file) && names_of_runs(file).is_none_or(|names| names.len() > 1)
}

/// The names of the runs of a database; none where it is no database of `MLflow`, or cannot be read.
pub(in crate::collect) fn names_of_runs(file: &FileEntry) -> Option<Vec<String>> {
    let database = database::open(&file.path, file.packing.compression(), file.limits).ok()?;
    if !are_of_mlflow(&database.tables().ok()?) {
        return None;
    }
    let left = file.limits.records;
    let (runs, findings) = (IndexMap::new(), Vec::new());
    let mut reading = Reading { database: &database, file, left, runs, deleted: 0, findings };
    reading.runs();
    let is_cut = reading.findings.iter().any(|finding| finding.code == Code::Unreadable);
    (!is_cut).then(|| unique(&tracked(&reading.runs)))
}

fn tracked(runs: &IndexMap<String, Rows>) -> Vec<TrackedRun> {
    let run = |(id, rows): (&String, &Rows)| TrackedRun {
        id: id.clone(),
        experiment: rows.experiment.clone(),
        name: rows.name.clone(),
    };
    runs.iter().map(run).collect()
}

impl Reading<'_> {
    /// Hands on the rows of a query with the number of each, the last column. Rows that `take` cannot use are
    /// told as records that lack `expected`.
    fn each(
        &mut self,
        query: &str,
        expected: &'static str,
        mut take: impl FnMut(&Row<'_>, u64, &mut IndexMap<String, Rows>) -> Option<()>,
    ) {
        let mut bad: FewFaults<u64> = FewFaults::default();
        let runs = &mut self.runs;
        let (mut read, mut left) = (0, self.left);
        let all = self.database.for_each_row(query, &mut left, |row| {
            read += 1;
            let last = row.as_ref().column_count() - 1;
            let line = whole(row, last).and_then(|number| number.try_into().ok()).unwrap_or(read);
            if take(row, line, runs).is_none() {
                bad.note(|| line);
            }
        });
        self.left = left;
        let display = &*self.file.display;
        self.findings.extend(
            bad.findings(|row, count| bad_records(count, expected, Location::line(display, row))),
        );
        match all {
            Ok(true) => {}
            Ok(false) => {
                self.findings.push(past_limit("records", self.file.limits.records, display));
            }
            Err(cause) => self.findings.push(unreadable(display, cause.to_string())),
        }
    }

    fn runs(&mut self) {
        let mut experiments: BTreeMap<String, String> = BTreeMap::new();
        self.each(EXPERIMENTS, "an experiment with a name", |row, _, _| {
            experiments.insert(text(row, 0)?, text(row, 1)?);
            Some(())
        });
        let mut deleted = 0;
        self.each(RUNS, "a run with an id", |row, line, runs| {
            let id = text(row, 0)?;
            if word(row, 4) == Some("deleted") {
                deleted += 1;
                return Some(());
            }
            let experiment = text(row, 2).and_then(|id| experiments.get(&id).cloned());
            let rows = Rows {
                name: text(row, 1).unwrap_or_default(),
                experiment: experiment.unwrap_or_default(),
                status: text(row, 3).unwrap_or_default().to_lowercase(),
                started: whole(row, 5).unwrap_or_default(),
                row: line,
                ..Rows::default()
            };
            runs.insert(id, rows);
            Some(())
        });
        self.deleted = deleted;
    }

    fn points(&mut self) {
        self.each(POINTS, "a run, a metric, a value, a time and a step", |row, line, runs| {
            let (id, metric) = (word(row, 0)?, word(row, 1)?);
            let (time, step) = (whole(row, 3)?, whole(row, 4)?);
            let value = match number(row, 2)? {
                _ if whole(row, 5) == Some(1) => f64::NAN,
                // What stands for infinity, which the table cannot hold.
                value if value.abs() >= f64::MAX => f64::INFINITY.copysign(value),
                value => value,
            };
            let Some(rows) = runs.get_mut(id) else { return Some(()) };
            let logged = (time, Point { at: step as f64, value, line });
            match rows.metrics.get_mut(metric) {
                Some(points) => points.push(logged),
                None => {
                    rows.metrics.insert(metric.to_owned(), vec![logged]);
                }
            }
            Some(())
        });
    }

    fn settings(&mut self) {
        self.each(SETTINGS, "a run, a parameter and its value", |row, line, runs| {
            let (id, key, value) = (word(row, 0)?, text(row, 1)?, text(row, 2)?);
            if let Some(rows) = runs.get_mut(id) {
                rows.settings.insert(key, (value, line));
            }
            Some(())
        });
        self.each(TAGS, "a run and a tag", |row, line, runs| {
            let (id, key) = (word(row, 0)?, word(row, 1)?);
            if let Some(rows) = runs.get_mut(id).filter(|_| key == COMMIT) {
                rows.commit = text(row, 2).map(|value| (value, line));
            }
            Some(())
        });
    }

    /// Each dataset of a run, with the digest of what was in it.
    fn datasets(&mut self) {
        let mut digests: BTreeMap<String, (String, String)> = BTreeMap::new();
        self.each(DATASETS, "a dataset with a digest", |row, _, _| {
            digests.insert(text(row, 0)?, (text(row, 1)?, text(row, 2)?));
            Some(())
        });
        self.each(INPUTS, "a run and a dataset", |row, _, runs| {
            let (id, dataset) = (word(row, 0)?, text(row, 1)?);
            if let Some(rows) = runs.get_mut(id) {
                rows.inputs.push(dataset);
            }
            Some(())
        });
        for rows in self.runs.values_mut() {
            let known = rows.inputs.iter().filter_map(|id| digests.get(id).cloned());
            rows.digests = known.collect();
        }
    }
}

/// What a run holds.
fn content(rows: Rows, file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let Rows { status, row, metrics, settings, commit, digests, .. } = rows;
    let mut read = if metrics.is_empty() {
        Warned::clean(Fragment::default())
    } else {
        let open = |_: &FileEntry| Ok(Warned::clean(()));
        read_figures(file, &options.names, open, |(), fragment, findings| {
            let mut points = Points::of(&options.names);
            for (metric, logged) in metrics {
                points.add_by_time(&metric, "step", logged);
            }
            fragment.series = points.finish(file).drain_into(findings);
        })?
    };
    let fragment = &mut read.value;
    let mut config = Config::default();
    for (key, (value, line)) in &settings {
        insert(key, value, *line, file, &mut config);
    }
    if let Some((value, line)) = commit {
        insert("git_commit", &value, line, file, &mut config);
    }
    fragment.has_whole_config = !settings.is_empty();
    fragment.config = config;
    fragment.endings.extend(ending("status", &status, Source::line(&file.display, row, "status")));
    fragment.versions.extend(digests);
    Ok(read)
}
