//! `trainer_state.json` of the Hugging Face trainer and TRL: the log of a run as series.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use super::super::document::{Node, read_document};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::read_figures;
use super::points::series_of;
use crate::model::{Progress, Source};

const FILE: &str = "trainer_state.json";

pub(in crate::collect) const NAME: &str = "trainer-state";

pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

fn recognises(file: &FileEntry) -> bool {
    file.name == FILE
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, findings| {
        let rows: Vec<&Node> =
            root.get("log_history").and_then(Node::list).into_iter().flatten().collect();
        fragment.series = series_of(&rows, file, options).drain_into(findings);
        fragment.progress = progress(root, file);
        fragment.best_checkpoint = best_checkpoint(root, file);
    })
}

/// `global_step` of `max_steps`.
fn progress(root: &Node, file: &FileEntry) -> Option<Progress> {
    let reached = root.get("global_step")?;
    let planned = root.get("max_steps")?.count().filter(|steps| *steps > 0)?;
    let source = Source::line(&file.display, reached.line, "global_step");
    Some(Progress { reached: reached.count()?, planned, source })
}

/// Where the trainer keeps which checkpoint was the best so far; it does so only where it was told by
/// which metric.
fn best_checkpoint(root: &Node, file: &FileEntry) -> Option<Source> {
    const KEY: &str = "best_model_checkpoint";
    let best = root.get(KEY)?;
    let metric = root.get("best_metric").and_then(Node::number);
    (best.text().is_some() && metric.is_some()).then(|| Source::line(&file.display, best.line, KEY))
}

/// States of earlier checkpoints, by relative path: each is a prefix of the state that reached
/// the highest step, and not another run.
pub(in crate::collect) fn superseded_states<'a>(
    files: impl Iterator<Item = &'a FileEntry>,
) -> IndexSet<String> {
    let mut trainings: BTreeMap<&str, Vec<&FileEntry>> = BTreeMap::new();
    for file in files.filter(|file| file.name == FILE) {
        trainings.entry(training_directory(&file.relative)).or_default().push(file);
    }
    let mut superseded = IndexSet::new();
    for states in trainings.into_values() {
        // Of equal steps the state outside the checkpoints is the later one, and has the
        // shortest path.
        let newest = states.iter().max_by(|a, b| {
            let shorter_last = b.relative.len().cmp(&a.relative.len());
            global_step(a).cmp(&global_step(b)).then(shorter_last)
        });
        let kept = newest.map(|state| state.relative.clone());
        superseded.extend(
            states
                .iter()
                .map(|state| state.relative.clone())
                .filter(|relative| Some(relative) != kept.as_ref()),
        );
    }
    superseded
}

/// The directories below the run in which a training keeps its own log.
pub(in crate::collect) fn logged_trainings<'a>(
    files: impl Iterator<Item = &'a FileEntry>,
) -> BTreeSet<String> {
    let states = files.filter(|file| file.name == FILE);
    states.map(|file| training_directory(&file.relative).to_owned()).collect()
}

/// The directory of a state, without `checkpoint-<step>`.
fn training_directory(relative: &str) -> &str {
    let directory = relative.rsplit_once('/').map_or("", |(directory, _)| directory);
    let (above, last) = directory.rsplit_once('/').unwrap_or(("", directory));
    if last.starts_with("checkpoint-") { above } else { directory }
}

/// The step as the first bytes state it, before the log.
fn global_step(file: &FileEntry) -> u64 {
    let head = String::from_utf8_lossy(&file.head);
    let stated = head.split_once("\"global_step\":").map_or("", |(_, rest)| rest.trim_start());
    let digits = stated.find(|c: char| !c.is_ascii_digit()).unwrap_or(stated.len());
    stated.get(..digits).and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
