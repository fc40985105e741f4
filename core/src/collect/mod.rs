//! Files to runs: the only stage that reads the file system.
//!
//! `discover` walks a run, `reading` gives each file to the first reader that recognises it, and
//! `merge` joins the fragments in path order, so that the number of threads cannot be seen in the
//! result. Whatever cannot be read becomes a finding; what can be read is kept.

mod answers;
mod archive;
mod border;
mod bounds;
pub mod checkpoint;
mod content;
mod copies;
mod counted;
mod curve_names;
mod data_files;
mod database;
mod discover;
mod document;
mod entry;
mod error;
mod evaluations;
mod foreign;
mod generations;
mod in_file_order;
mod inferred_units;
mod likeness;
mod lines;
pub mod logs;
mod member;
mod members;
mod merge;
mod numpy;
mod objects;
mod occurrences;
pub mod outcomes;
mod overlap;
mod own_report;
mod packing;
mod parquet;
mod path_dims;
mod plain_number;
mod rare_lines;
pub mod readers;
mod reading;
mod records;
mod run_names;
mod run_parts;
mod sample_images;
mod sample_texts;
mod saved;
mod scan;
mod second_reading;
mod settings_of_logs;
mod siblings;
mod spreadsheet;
mod stamps;
mod stems;
mod stored_runs;
mod stored_table;
mod stores;
mod strict_rows;
mod undeclared;
mod unrecognised;
mod versions;
mod wandb_files;
mod watch;

pub use bounds::bounds_by;
pub use counted::read_counted;
pub use error::CollectError;
pub use generations::read_generations;
pub use objects::fault::{FetchFault, NotFetched};
pub use objects::fetched::Fetching;
pub use objects::{fetch, is_address};
pub use packing::{Compression, Packing};
pub use readers::{
    SampleColumn, SampleColumnRole, SampleColumns, SeenValues, sample_columns, tell_of_datasets,
};
pub use run_parts::{RunAddress, WITHIN_COMPONENTS, directory_and_name, matching_in_directory};
pub use sample_images::{Image, ImageReader, NotShown, images_named};
pub use sample_texts::{NamedText, SampleTexts, has_value};
pub use saved::{SavedRuns, holds_saved_runs, save};
pub use scan::{RunScan, digest_run, matching_runs, sample_files, scan_run};
pub use second_reading::{RecordPlace, read_again};
pub use stores::KeyWeight;
pub use undeclared::suggest_readers;
pub use watch::{Progress, progress};

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _,
};

use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{
    Access, Clustering, DeclaredReader, FileRecord, FileUse, Fragment, Limits, MetricNames, Run,
    RunLabel, RunStatus,
};
use border::{Border, NOT_FOLLOWED, leads_elsewhere};
use discover::DiscoveredFile;
use member::{InDatabase, Member};
use packing::unpacked_name;
use reading::{Found, ReadRun};
use run_parts::RunPart;

/// What the user chose about the reading.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    pub clustering: Clustering,
    pub names: MetricNames,
    pub access: Access,
    /// Whether several runs in one file are taken apart.
    pub apart: bool,
    /// Columns that are not to tell runs apart.
    pub pool: Vec<String>,
    /// Columns that are to tell runs apart, whatever their names.
    pub columns: Vec<String>,
    /// What keys of configurations say of several runs in one directory; `None` where a directory is
    /// one run whatever it holds.
    pub weight: Option<fn(&str) -> KeyWeight>,
    /// Of several runs in one directory those whose configuration has these values.
    pub chosen: Vec<RunLabel>,
    /// Files that the user says how to read; the first declaration that is of a file counts.
    pub declared: Arc<[DeclaredReader]>,
    /// Whether of logs nothing is read but the settings in their first bytes, and which figures are NaN
    /// or infinite.
    pub skips_log_figures: bool,
}

/// One file of a run as a reader sees it.
#[derive(Debug, Clone)]
pub struct FileEntry {
    pub path: PathBuf,
    /// The path as a person would type it: the run as given, joined with what is below it.
    pub display: Arc<str>,
    pub relative: String,
    /// Last component in lower case, without `.gz`; of a workbook with `.csv` at its end, as what is read of
    /// it is a table.
    pub name: String,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// First bytes (at most 64 KiB), unpacked, without a byte order mark and white space before
    /// them.
    pub head: Vec<u8>,
    /// Whether nothing follows the head.
    pub head_is_whole: bool,
    pub packing: Packing,
    /// What is to be said of the packing where a reader takes the file.
    pub noticed: Vec<Diagnostic>,
    /// Whether the file is the run itself, and not found in its directory.
    pub is_run: bool,
    pub limits: Limits,
}

impl FileEntry {
    /// An entry with that content which lies nowhere.
    #[cfg(test)]
    pub(crate) fn holding(relative: &str, content: &[u8]) -> Self {
        Self {
            path: PathBuf::from(relative),
            display: Arc::from(relative),
            relative: relative.to_owned(),
            name: plain_name(relative).to_lowercase(),
            bytes: content.len() as u64,
            head: content.to_vec(),
            head_is_whole: true,
            packing: Packing::PLAIN,
            noticed: Vec::new(),
            is_run: false,
            limits: Limits::default(),
        }
    }

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

#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// In path order.
    pub(super) position: usize,
    pub(super) relative: String,
    pub(super) display: Arc<str>,
    pub(super) reader: &'static str,
    pub(super) fragment: Fragment,
}

/// The name of a file without directories and what tells its compression, as written.
fn plain_name(relative: &str) -> &str {
    let name = relative.rsplit('/').next().unwrap_or(relative);
    unpacked_name(name)
}

/// The name of a file without directories and extensions, as written.
fn plain_stem(relative: &str) -> &str {
    let name = plain_name(relative);
    if let Some(key) = wandb_files::key_of(name) {
        return key;
    }
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// As many names as a person reads, and a mark where there are more.
fn bounded(names: impl IntoIterator<Item = String>, most: usize) -> Vec<String> {
    let mut names = names.into_iter();
    let mut shown: Vec<String> = names.by_ref().take(most).collect();
    shown.extend(names.next().map(|_| "…".to_owned()));
    shown
}

/// Reads every input, a directory or a single file, as one run each, in the order given; as several
/// where runs in one file are taken apart. An input that does not exist is left out with a finding.
///
/// # Errors
/// When no input is given, none of them exists, or one has no run with the labels that it names.
pub fn collect(
    inputs: &[PathBuf],
    options: &ReadOptions,
) -> Result<Warned<Vec<Run>>, CollectError> {
    if inputs.is_empty() {
        return Err(CollectError::NothingGiven);
    }
    let local: Result<Vec<PathBuf>, NotFetched> =
        inputs.iter().map(|input| fetch(input, &options.access)).collect();
    let local = local?;
    let addressed = inputs.iter().zip(&local).enumerate();
    let addressed = addressed.map(|(at, (input, local))| Input::of(at, input, local));
    let (linked, addressed): (Vec<Input<'_>>, Vec<Input<'_>>) =
        addressed.partition(|input| leads_elsewhere(&input.address.path, &options.access));
    let (inputs, missing): (Vec<Input<'_>>, Vec<Input<'_>>) =
        addressed.into_iter().partition(|input| input.address.path.symlink_metadata().is_ok());
    if let (true, true, Some(input)) = (inputs.is_empty(), linked.is_empty(), missing.first()) {
        return Err(CollectError::not_found(&input.address.path));
    }
    let ids = run_ids(&inputs);
    let absent = missing.iter().map(|input| (input, "no such file or directory"));
    let linked = linked.iter().map(|input| (input, NOT_FOLLOWED));
    let mut findings: Vec<Diagnostic> = absent
        .chain(linked)
        .map(|(input, cause)| content::unreadable(&shown(input.given), cause))
        .collect();
    findings.extend(same_run_twice(&inputs, &ids));
    let mut runs = Vec::with_capacity(inputs.len());
    let collected: Result<Vec<Warned<Vec<Run>>>, CollectError> =
        inputs.par_iter().zip(ids).map(|(input, id)| collect_runs(input, &id, options)).collect();
    for of_input in collected? {
        runs.extend(of_input.drain_into(&mut findings));
    }
    findings.extend(readers::unused(&runs, options));
    findings.extend(stems::name_by_other_runs(&mut runs));
    curve_names::name_by_other_runs(&mut runs);
    findings.extend(copies::copied(&runs, options));
    saved::narrow_all(&mut runs);
    Ok(Warned::new(runs, findings))
}

/// An input on its way to runs.
struct Input<'a> {
    /// Its place among the inputs.
    at: usize,
    given: &'a Path,
    address: RunAddress,
    /// Where its path lies, links resolved.
    place: PathBuf,
}

impl<'a> Input<'a> {
    /// `local` is where it lies on this machine.
    fn of(at: usize, given: &'a Path, local: &Path) -> Self {
        let address = RunAddress::of(local);
        let place = address.path.canonicalize().unwrap_or_else(|_| address.path.clone());
        Self { at, given, address, place }
    }

    fn labels(&self) -> String {
        RunLabel::behind_path(&self.address.labels)
    }
}

/// The display form of a path: as given, whatever its encoding; of what was fetched, its address.
fn shown(path: &Path) -> String {
    objects::fetched::address_of(path).unwrap_or_else(|| path.to_string_lossy().into_owned())
}

/// The directory that a path with slashes names a file in; nothing where it names none.
pub fn directory_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

fn last_component(place: &Path) -> String {
    place.file_name().map_or_else(|| shown(place), |name| name.to_string_lossy().into_owned())
}

/// Ids by position: the last component, lengthened by parent directories where runs share it, and
/// numbered where they are the same place.
fn run_ids(inputs: &[Input<'_>]) -> Vec<String> {
    let places: Vec<&PathBuf> = inputs.iter().map(|input| &input.place).collect();
    let names: Vec<String> = places.iter().map(|place| last_component(place)).collect();
    let mut taken: IndexMap<String, usize> = IndexMap::new();
    let mut ids = Vec::with_capacity(places.len());
    for ((input, place), name) in inputs.iter().zip(&places).zip(&names) {
        let rivals: Vec<&PathBuf> = places
            .iter()
            .zip(&names)
            .filter(|(other, other_name)| *other_name == name && *other != place)
            .map(|(other, _)| *other)
            .collect();
        let id = shortest_suffix(place, &rivals).unwrap_or_else(|| name.clone()) + &input.labels();
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

fn same_run_twice(inputs: &[Input<'_>], ids: &[String]) -> Vec<Diagnostic> {
    let mut firsts: BTreeMap<_, (&Input<'_>, &String)> = BTreeMap::new();
    let repeated = inputs.iter().zip(ids).filter_map(|(input, id)| {
        let (first, first_id) = match firsts.entry((&input.place, &input.address.labels)) {
            Entry::Vacant(place) => {
                place.insert((input, id));
                return None;
            }
            Entry::Occupied(first) => *first.get(),
        };
        Some(
            Diagnostic::new(Code::SameRunTwice)
                .run(id)
                .with("first", shown(first.given))
                .with("first_id", first_id.as_str())
                .with("second", shown(input.given))
                .at(Location::file(shown(input.given))),
        )
    });
    repeated.collect()
}

/// The runs of an input: one, several in the same files, or several in a directory.
fn collect_runs(
    input: &Input<'_>,
    id: &str,
    options: &ReadOptions,
) -> Result<Warned<Vec<Run>>, CollectError> {
    collect_place(input, (id, None), options)
}

/// The runs of an input, or of one of the runs in its directory.
fn collect_place(
    input: &Input<'_>,
    (id, member): (&str, Option<&Member>),
    options: &ReadOptions,
) -> Result<Warned<Vec<Run>>, CollectError> {
    let RunAddress { path, labels } = &input.address;
    let mut findings = Vec::new();
    let border = Border::around(path, &options.access);
    let limits = options.access.limits;
    let found = files_of(path, member, &border, limits).drain_into(&mut findings);
    let stored = member.and_then(|member| member.stored.as_ref());
    let with_columns;
    let mut options = options;
    if !labels.is_empty() {
        let named = labels.iter().map(|label| label.column.clone());
        let columns = options.columns.iter().cloned().chain(named).collect();
        with_columns = ReadOptions { columns, ..options.clone() };
        options = &with_columns;
    }
    let ReadRun { files, data_files, asked, mut pieces } =
        match reading::read(found, stored, path, &border, options).drain_into(&mut findings) {
            Found::Run(read) => read,
            Found::Store(store) => {
                return members::collect_members(input, id, store, findings, options);
            }
        };
    if let Some(saved) = saved::taken(&mut pieces) {
        let runs = saved::place(saved, input, id, &mut findings)?;
        return Ok(Warned::new(runs, findings));
    }
    let parts = run_parts::run_parts(pieces, files, labels, path)?;
    let mut runs = Vec::with_capacity(parts.len());
    for RunPart { labels: further, pieces, mut files } in parts {
        let merged = merge::merge(pieces, options);
        mark_cut(&mut files, &merged.diagnostics);
        let content = merged.drain_into(&mut findings);
        let behind = RunLabel::behind_path(&further);
        let run = Run {
            status: status(&files, &content),
            id: format!("{id}{behind}"),
            name: last_component(&input.place),
            place: format!("{}{}{behind}", shown(&input.place), input.labels()),
            path: shown(input.given) + &behind,
            input: input.at,
            labels: labels.iter().cloned().chain(further).collect(),
            member: None,
            files,
            data_files: data_files.clone(),
            asked: asked.clone(),
            content,
        };
        findings.extend(nothing_in(&run, path));
        for finding in &mut findings {
            finding.subject.run.get_or_insert_with(|| run.id.clone());
        }
        runs.push(run);
    }
    Ok(Warned::new(runs, findings))
}

/// The files at a path, or of one of the runs there.
fn files_of(
    path: &Path,
    member: Option<&Member>,
    border: &Border,
    limits: Limits,
) -> Warned<Vec<DiscoveredFile>> {
    match member.and_then(|member| member.stored.as_ref()) {
        Some(InDatabase { files: None, .. }) => return Warned::clean(Vec::new()),
        Some(InDatabase { files: Some(directory), .. }) => {
            return discover::discover_below(path, directory, border, limits);
        }
        None => {}
    }
    let mut found = discover::discover_within(path, border, limits);
    if let Some(member) = member {
        discover::leave_out(&mut found.value, |relative| member.leaves_out(relative));
    }
    found
}

/// The finding about a run that holds nothing.
fn nothing_in(run: &Run, path: &Path) -> Option<Diagnostic> {
    let finding = || {
        Diagnostic::new(Code::NothingReadable)
            .with("path", run.path.as_str())
            .with("files", run.files.len())
            .with("look", likeness::of_files(&run.files, path))
            .at(Location::file(run.path.as_str()))
    };
    run.is_empty().then(finding)
}

/// Marks files of which something was left out when all were joined.
fn mark_cut(files: &mut [FileRecord], findings: &[Diagnostic]) {
    let cut = findings.iter().filter(|finding| finding.code == Code::LimitReached);
    for path in cut.filter_map(|finding| finding.location.as_ref()) {
        let of_path = files.iter_mut().filter(|file| file.lies_at(&path.path));
        of_path.for_each(|file| file.used = FileUse::Failed);
    }
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
