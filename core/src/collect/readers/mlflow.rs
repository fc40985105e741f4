//! A run in a file store of `MLflow`: `meta.yaml`, a file for each metric below `metrics/` with lines
//! of time, value and step, a file for each parameter below `params/`, and one for each dataset below
//! `inputs/`.

use std::path::{Path, PathBuf};

use super::super::border::Border;
use super::super::content::{bad_records, read_text};
use super::super::document::{Node, read_document};
use super::super::entry::single_file;
use super::super::occurrences::FewFaults;
use super::super::run_names::TrackedRun;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::read_figures;
use super::points::Points;
use super::python_values::insert;
use super::run_endings::ending;
use crate::diag::{Location, Warned};
use crate::model::{Config, Fragment, Limits, Point, RunEnding, Source};

pub(in crate::collect) const NAME: &str = "mlflow";

pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

const DESCRIPTION: &str = "meta.yaml";
const METRICS: &str = "metrics";
const SETTINGS: &str = "params";
const INPUTS: &str = "inputs";
/// Beside the runs of an experiment.
const DATASETS: &str = "datasets";
/// The one tag that says what the run was.
const COMMIT: &str = "tags/mlflow.source.git.commit";
/// The one that says what people call it.
const RUN_NAME: &str = "tags/mlflow.runName";
/// `RunStatus` of `service.proto`, which the file store writes as a number.
const STATUS: &[(&str, &str)] =
    &[("1", "running"), ("2", "scheduled"), ("3", "finished"), ("4", "failed"), ("5", "killed")];

fn recognises(file: &FileEntry) -> bool {
    describes_run(file)
        || names_dataset(file)
        || names_run(file)
        || is_metric(file)
        || setting(file).is_some()
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    if describes_run(file) {
        read_description(file)
    } else if names_dataset(file) {
        read_dataset(file, options)
    } else if names_run(file) {
        Ok(Warned::clean(Fragment::default()))
    } else if is_metric(file) {
        read_metric(file, options)
    } else {
        read_setting(file)
    }
}

/// Whether the file describes the run in whose directory it lies.
pub(in crate::collect) fn describes_run(file: &FileEntry) -> bool {
    file.name == DESCRIPTION && (file.head_has("run_id:") || file.head_has("run_uuid:"))
}

/// Whether the file holds the name of the run, see [`tracked_run`].
fn names_run(file: &FileEntry) -> bool {
    file.relative.ends_with(RUN_NAME)
}

/// The run that `meta.yaml` in a directory describes, with the name of the experiment in the directory above
/// where it may be read.
pub(in crate::collect) fn tracked_run(
    directory: &Path,
    border: &Border,
    limits: Limits,
) -> Option<TrackedRun> {
    let file = |path: PathBuf| border.holds(&path).then(|| single_file(&path, limits))?;
    let written = |place: &Path, key| {
        let root = read_document(&file(place.join(DESCRIPTION))?).ok()?.value;
        Some(root.get(key)?.written()?.trim().to_owned())
    };
    let tag = file(directory.join(RUN_NAME));
    let tag = tag.map(|file| String::from_utf8_lossy(&file.head).trim().to_owned());
    let name = tag.filter(|name| !name.is_empty()).or_else(|| written(directory, "run_name"));
    let experiment = directory.parent().and_then(|above| written(above, "name"));
    Some(TrackedRun {
        id: directory.file_name()?.to_string_lossy().into_owned(),
        experiment: experiment.unwrap_or_default(),
        name: name.unwrap_or_default(),
    })
}

/// The name of a file below that directory of a run.
fn below<'a>(file: &'a FileEntry, directory: &str) -> Option<&'a str> {
    let is_run = |path: &Path| path.join(DESCRIPTION).is_file();
    let mut above = file.path.ancestors().skip(1);
    let found =
        above.find(|path| path.ends_with(directory) && path.parent().is_some_and(is_run))?;
    file.path.strip_prefix(found).ok()?.to_str()
}

fn read_description(file: &FileEntry) -> ReadResult {
    let mut findings = Vec::new();
    let root = read_document(file)?.drain_into(&mut findings);
    let written = |key: &str| {
        let node = root.get(key)?;
        Some((node.written()?.trim(), Source::line(&file.display, node.line, key)))
    };
    let status = written("status").and_then(|(status, source)| {
        let known = STATUS.iter().find(|(number, _)| *number == status);
        ending("status", known.map_or(status, |(_, word)| word), source)
    });
    let deleted = written("lifecycle_stage").filter(|(stage, _)| *stage == "deleted");
    let deleted = deleted
        .map(|(stage, source)| RunEnding { said: format!("lifecycle_stage: {stage}"), source });
    let endings = status.into_iter().chain(deleted).collect();
    Ok(Warned::new(Fragment { endings, ..Fragment::default() }, findings))
}

/// Whether the file says which dataset the run was given.
fn names_dataset(file: &FileEntry) -> bool {
    file.name == DESCRIPTION && file.head_has("source_id:") && below(file, INPUTS).is_some()
}

/// The digest of a dataset, which stands once for all runs of an experiment, beside these. It is not looked
/// for where nothing but the run may be read.
fn read_dataset(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut fragment = Fragment::default();
    let mut findings = Vec::new();
    let root = read_document(file)?.drain_into(&mut findings);
    let text = |root: &Node, key| root.get(key).and_then(Node::written).map(str::to_owned);
    let id = text(&root, "source_id").filter(|id| id.chars().all(|c| c.is_ascii_alphanumeric()));
    let experiment = file.path.ancestors().nth(4).filter(|_| !options.access.is_untrusted);
    let described = experiment.zip(id).and_then(|(experiment, id)| {
        let place = experiment.join(DATASETS).join(id).join(DESCRIPTION);
        single_file(&place, file.limits)
    });
    if let Some(described) = described {
        let root = read_document(&described)?.drain_into(&mut findings);
        fragment.versions.extend(text(&root, "name").zip(text(&root, "digest")));
    }
    Ok(Warned::new(fragment, findings))
}

fn is_metric(file: &FileEntry) -> bool {
    let head = || String::from_utf8_lossy(&file.head);
    below(file, METRICS).is_some()
        && head().lines().next().is_some_and(|line| point(line, 1).is_some())
}

/// `1795271514602 0.59 19`, behind which newer versions name a dataset and a model: a time, and a point.
fn point(line: &str, number: u64) -> Option<(i64, Point)> {
    let mut words = line.split(' ');
    let time = words.next()?.parse().ok()?;
    let value = words.next()?.parse().ok()?;
    let step = words.next().map_or(Some(0), |step| step.trim().parse::<i64>().ok())?;
    Some((time, Point { at: step as f64, value, line: number }))
}

fn read_metric(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_text, |text, fragment, findings| {
        let metric = below(file, METRICS).unwrap_or(&file.name);
        let mut timed = Vec::new();
        let mut bad: FewFaults<u64> = FewFaults::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            match point(line, number) {
                Some(point) => timed.push(point),
                None => bad.note(|| number),
            }
        }
        findings.extend(bad.findings(|line, count| {
            let location = Location::line(&*file.display, line);
            bad_records(count, "expected a time, a value and a step", location)
        }));
        let mut points = Points::of(&options.names);
        points.add_by_time(metric, "step", timed);
        fragment.series = points.finish(file).drain_into(findings);
    })
}

/// The key that a file sets.
fn setting(file: &FileEntry) -> Option<&str> {
    below(file, SETTINGS).or_else(|| file.relative.ends_with(COMMIT).then_some("git_commit"))
}

fn read_setting(file: &FileEntry) -> ReadResult {
    let mut fragment = Fragment::default();
    let mut findings = Vec::new();
    let value = read_text(file)?.drain_into(&mut findings);
    let key = setting(file).unwrap_or(&file.name);
    let mut config = Config::default();
    insert(key, &value, 1, file, &mut config);
    fragment.config = config;
    fragment.has_whole_config = key != "git_commit";
    Ok(Warned::new(fragment, findings))
}
