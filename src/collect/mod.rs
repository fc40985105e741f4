//! Files to runs: the only stage that reads the file system.
//!
//! `discover` walks a run, `reading` gives each file to the first reader that recognises it, and
//! `merge` joins the fragments in path order, so that the number of threads cannot be seen in the
//! result. Whatever cannot be read becomes a finding; what can be read is kept.

mod answers;
mod border;
mod bounds;
pub mod checkpoint;
mod content;
mod copies;
mod data_files;
mod discover;
mod document;
mod evaluations;
mod generations;
mod likeness;
mod lines;
pub mod logs;
mod merge;
mod occurrences;
pub mod outcomes;
mod own_report;
mod parquet;
mod path_dims;
pub mod readers;
mod reading;
mod records;
mod stems;
mod unrecognised;

pub use generations::read_generations;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _,
};

use crate::diag::{Code, Diagnostic, Location, Warned, nearest_name};
use crate::model::{
    Access, Clustering, FileRecord, FileUse, Fragment, Limits, MetricNames, Run, RunStatus,
};
use reading::ReadRun;

/// What the user chose about the reading.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    pub clustering: Clustering,
    pub names: MetricNames,
    pub access: Access,
}

/// One file of a run as a reader sees it.
#[derive(Debug, Clone)]
pub struct FileEntry {
    pub path: PathBuf,
    /// The path as a person would type it: the run as given, joined with what is below it.
    pub display: Arc<str>,
    pub relative: String,
    /// Last component in lower case, without `.gz`.
    pub name: String,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// First bytes (at most 64 KiB), decompressed and without a byte order mark.
    pub head: Vec<u8>,
    pub gzip: bool,
    pub limits: Limits,
}

impl FileEntry {
    /// Whether the name, `.gz` aside, ends in that extension (without the dot).
    pub fn has_extension(&self, extension: &str) -> bool {
        self.name.rsplit_once('.').is_some_and(|(_, found)| found == extension)
    }

    /// The name without its extension, in lower case.
    pub fn stem(&self) -> &str {
        self.name.rsplit_once('.').map_or(&self.name, |(stem, _)| stem)
    }

    pub fn head_has(&self, text: &str) -> bool {
        memchr::memmem::find(&self.head, text.as_bytes()).is_some()
    }
}

/// What is in a file, with the findings about it; or the finding that ends the reading of the file.
pub type ReadResult = Result<Warned<Fragment>, Box<Diagnostic>>;

/// One on-disk format.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// As `inspect` shows it.
    pub name: &'static str,
    /// Whether this reader should read the file, judged by name and first bytes.
    pub recognises: fn(&FileEntry) -> bool,
    /// Reads the file as the user chose; only samples leave something to choose. What cannot be
    /// used becomes a finding with path and line.
    pub read: fn(&FileEntry, &ReadOptions) -> ReadResult,
}

#[derive(Debug)]
pub(super) struct Piece {
    /// In path order.
    pub(super) position: usize,
    pub(super) relative: String,
    pub(super) display: Arc<str>,
    pub(super) reader: &'static str,
    pub(super) fragment: Fragment,
}

/// The name of a file without directories and `.gz`, as written.
fn plain_name(relative: &str) -> &str {
    let name = relative.rsplit('/').next().unwrap_or(relative);
    name.strip_suffix(".gz").unwrap_or(name)
}

/// The name of a file without directories and extensions, as written.
fn plain_stem(relative: &str) -> &str {
    let name = plain_name(relative);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// As many names as a person reads, and a mark where there are more.
fn bounded(names: impl IntoIterator<Item = String>, most: usize) -> Vec<String> {
    let mut names = names.into_iter();
    let mut shown: Vec<String> = names.by_ref().take(most).collect();
    shown.extend(names.next().map(|_| "…".to_owned()));
    shown
}

/// Why nothing could be collected at all. Everything less is a finding.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    #[error("no run given; name at least one run directory or result file")]
    NothingGiven,
    #[error("no such file or directory `{}`; check the spelling", path.display())]
    NotFound {
        path: PathBuf,
        /// What lies beside it under a similar name.
        near: Vec<String>,
    },
}

impl CollectError {
    pub fn not_found(path: &Path) -> Self {
        let beside = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let entries = fs::read_dir(beside).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        // A dot parts components of keys, and belongs to the name of a file.
        let whole = |name: String| name.replace('.', "\0");
        let near = nearest_name(&whole(last_component(path)), names.map(whole)).into_iter();
        let near = near.map(|name| shown(&path.with_file_name(name.replace('\0', "."))));
        Self::NotFound { path: path.to_owned(), near: near.collect() }
    }
}

/// Reads every input, a directory or a single file, as one run each, in the order given. An input
/// that does not exist is left out with a finding.
///
/// # Errors
/// When no input is given or none of them exists.
pub fn collect(
    inputs: &[PathBuf],
    options: &ReadOptions,
) -> Result<Warned<Vec<Run>>, CollectError> {
    if inputs.is_empty() {
        return Err(CollectError::NothingGiven);
    }
    let (inputs, missing): (Vec<PathBuf>, Vec<PathBuf>) =
        inputs.iter().cloned().partition(|path| path.symlink_metadata().is_ok());
    if let (true, Some(path)) = (inputs.is_empty(), missing.first()) {
        return Err(CollectError::not_found(path));
    }
    let places: Vec<PathBuf> =
        inputs.iter().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone())).collect();
    let ids = run_ids(&places);
    let mut findings: Vec<Diagnostic> = missing
        .iter()
        .map(|path| content::unreadable(&shown(path), "no such file or directory"))
        .collect();
    findings.extend(same_run_twice(&inputs, &places, &ids));
    let mut runs = Vec::with_capacity(inputs.len());
    let collected: Vec<Warned<Run>> = inputs
        .par_iter()
        .zip(&places)
        .zip(ids)
        .map(|((input, place), id)| collect_run(input, place, id, options))
        .collect();
    for run in collected {
        runs.push(run.drain_into(&mut findings));
    }
    findings.extend(stems::name_by_other_runs(&mut runs));
    findings.extend(copies::copied(&runs));
    Ok(Warned::new(runs, findings))
}

/// The display form of a path: as given, whatever its encoding.
fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn last_component(place: &Path) -> String {
    place.file_name().map_or_else(|| shown(place), |name| name.to_string_lossy().into_owned())
}

/// Ids by position: the last component, lengthened by parent directories where runs share it, and
/// numbered where they are the same place.
fn run_ids(places: &[PathBuf]) -> Vec<String> {
    let names: Vec<String> = places.iter().map(|place| last_component(place)).collect();
    let mut taken: IndexMap<String, usize> = IndexMap::new();
    let mut ids = Vec::with_capacity(places.len());
    for (place, name) in places.iter().zip(&names) {
        let rivals: Vec<&PathBuf> = places
            .iter()
            .zip(&names)
            .filter(|(other, other_name)| *other_name == name && *other != place)
            .map(|(other, _)| other)
            .collect();
        let id = shortest_suffix(place, &rivals).unwrap_or_else(|| name.clone());
        let uses = taken.entry(id.clone()).or_insert(0);
        *uses += 1;
        ids.push(if *uses == 1 { id } else { format!("{id}#{uses}") });
    }
    ids
}

/// The shortest run of last components of `place` that no rival ends in.
fn shortest_suffix(place: &Path, rivals: &[&PathBuf]) -> Option<String> {
    let parts: Vec<_> = place.iter().collect();
    (1..=parts.len()).find_map(|length| {
        let suffix: PathBuf = parts.get(parts.len() - length..)?.iter().collect();
        let unique = rivals.iter().all(|rival| !rival.ends_with(&suffix));
        unique.then(|| shown(&suffix))
    })
}

fn same_run_twice(inputs: &[PathBuf], places: &[PathBuf], ids: &[String]) -> Vec<Diagnostic> {
    let runs: Vec<_> = inputs.iter().zip(places).zip(ids).collect();
    let repeated = runs.iter().enumerate().filter_map(|(position, ((input, place), id))| {
        let mut before = runs.iter().take(position);
        let ((first, _), first_id) = before.find(|((_, other), _)| other == place)?;
        Some(
            Diagnostic::new(Code::SameRunTwice)
                .run(id)
                .with("first", shown(first))
                .with("first_id", first_id.as_str())
                .with("second", shown(input))
                .at(Location::file(shown(input))),
        )
    });
    repeated.collect()
}

fn collect_run(input: &Path, place: &Path, id: String, options: &ReadOptions) -> Warned<Run> {
    let mut findings = Vec::new();
    let found = discover::discover(input, &options.access).drain_into(&mut findings);
    let ReadRun { files, data_files, asked, pieces } =
        reading::read(found, input, options).drain_into(&mut findings);
    let content = merge::merge(pieces, options).drain_into(&mut findings);
    let run = Run {
        status: status(&files, &content),
        id,
        name: last_component(place),
        place: shown(place),
        path: shown(input),
        files,
        data_files,
        asked,
        content,
    };
    if run.is_empty() {
        findings.push(
            Diagnostic::new(Code::NothingReadable)
                .with("path", run.path.as_str())
                .with("files", run.files.len())
                .with("look", likeness::of_files(&run.files, input))
                .at(Location::file(run.path.as_str())),
        );
    }
    for finding in &mut findings {
        finding.subject.run.get_or_insert_with(|| run.id.clone());
    }
    Warned::new(run, findings)
}

fn status(files: &[FileRecord], content: &Fragment) -> RunStatus {
    if files.iter().any(|file| file.used == FileUse::Failed) {
        RunStatus::Partial
    } else if content.torn {
        RunStatus::Torn
    } else {
        RunStatus::Complete
    }
}
