//! The order in which the files of one run are read: configurations, documents, sample logs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use memchr::memmem::Finder;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::border::{Border, clean};
use super::data_files::Places;
use super::discover::DiscoveredFile;
use super::entry::{HEAD, longer_head};
use super::inferred_units;
use super::logs::log_names::is_log;
use super::member::{InDatabase, Member};
use super::own_report::is_own_report;
use super::stamps;
use super::stored_runs;
use super::stores::{self, Holds};
use super::unrecognised::{self, Unread};
use super::{
    FileEntry, Piece, ReadOptions, ReadResult, Reader, content, data_files, directory_of,
    evaluations, plain_name, readers, run_names, settings_of_logs, shown, versions, wandb_files,
};
use crate::diag::{Code, Diagnostic, Warned};
use crate::model::{Config, DataFile, FileRecord, FileUse, Fragment, RowKeys};

/// How many first bytes are looked at where fewer do not show what a file is.
const LONGER_HEADS: [usize; 2] = [1 << 20, 8 << 20];
const SUPERSEDED: FileUse = FileUse::Ignored { reason: "ignored.superseded" };

/// What lies in a place.
pub(super) enum Found {
    Run(ReadRun),
    /// Several runs, which are to be read one by one.
    Store(Store),
}

/// Several runs in a directory.
pub(super) struct Store {
    pub(super) members: Vec<Member>,
    /// Files in none of them that could not be read. They may be all that a further run has.
    pub(super) unread: Vec<FileRecord>,
}

/// What is known of a run when all its files are read.
pub(super) struct ReadRun {
    pub(super) files: Vec<FileRecord>,
    pub(super) data_files: Vec<DataFile>,
    /// Ids and questions of the samples, where a training file may hold them.
    pub(super) asked: RowKeys,
    pub(super) pieces: Vec<Piece>,
}

/// Reads the files of a run, each with the first reader that recognises it, unless they turn out to be
/// those of several runs. `stored` is what a database says of the run.
pub(super) fn read(
    found: Vec<DiscoveredFile>,
    stored: Option<&InDatabase>,
    input: &Path,
    border: &Border,
    options: &ReadOptions,
) -> Warned<Found> {
    let position = found.len();
    let mut reading = RunReading::sorted(found, options);
    if let Some(InDatabase { piece, record, .. }) = stored {
        reading.pieces.push(Piece { position, ..piece.clone() });
        reading.records.push((position, record.clone()));
    }
    let named = reading.read_configs(input, border, options);
    let is_pooled = options.pool.iter().any(|column| column == stores::RUN);
    let weight = options.weight.filter(|_| !is_pooled);
    let members = weight.map(|_| reading.take_stored()).unwrap_or_default();
    if !members.is_empty() {
        return reading.into_store(members, input);
    }
    stored_runs::dissolve(&mut reading.pieces, &mut reading.findings);
    reading.read_documents(options);
    let held = weight.map(|weight| stores::held(&reading.pieces, &reading.marked, weight));
    let is_of_pool =
        |member: &Member| member.labels.iter().any(|label| options.pool.contains(&label.column));
    let doubtful = match held {
        Some(Holds::Several(members)) if !members.iter().any(is_of_pool) => {
            let mut members = members;
            let run = |directory: &str| {
                let is_tracked = reading.marked.contains(directory);
                let place = is_tracked.then(|| input.join(directory))?;
                readers::tracked_run(&place, border, options.access.limits)
            };
            run_names::name_members(&mut members, run);
            return reading.into_store(members, input);
        }
        Some(Holds::OneOrMore(pair)) => Some(pair),
        _ => None,
    };
    reading.leave_old_evaluations();
    if let Some(pair) = doubtful
        && pair.iter().all(|directory| reading.holds_results_of(directory))
    {
        reading.findings.push(stores::doubted(&pair, input));
    }
    reading.read_sample_logs(options);
    let has_config = reading.has_config();
    let asked = if named.has_training_rows() { reading.asked() } else { RowKeys::default() };
    let RunReading { mut records, pieces, mut findings, mut unread, .. } = reading;
    // A configuration may have named some of them as data files.
    unread.retain(|file| {
        let record = records.iter().find(|(position, _)| *position == file.position);
        record.is_some_and(|(_, record)| !matches!(record.used, FileUse::Read { .. }))
    });
    inferred_units::join(&mut findings);
    findings.extend(unrecognised::unread_file_findings(unread));
    records.sort_by_key(|(position, _)| *position);
    let files: Vec<FileRecord> = records.into_iter().map(|(_, record)| record).collect();
    if !has_config {
        findings.extend(unrecognised::pickled_settings(&files, input));
    }
    Warned::new(Found::Run(ReadRun { files, data_files: named.files, asked, pieces }), findings)
}

/// The first reader that recognises a file. Where the first bytes are too few to show what it is, more
/// of them are looked at.
pub(super) fn reader_of(file: &mut FileEntry, options: &ReadOptions) -> Option<&'static Reader> {
    if readers::is_declared(file, options) {
        return Some(&readers::DECLARED);
    }
    let recognised = |file: &FileEntry| {
        let reader = readers::READERS.iter().find(|reader| (reader.recognises)(file));
        reader.or_else(|| readers::of_declared_scores(file, options))
    };
    let mut reader = recognised(file);
    if reader.is_none() && options.skips_log_figures && is_log(&file.name) {
        reader = readers::READERS.iter().find(|reader| reader.name == readers::SERIES_LOG);
    }
    for most in LONGER_HEADS {
        if reader.is_some() || !unrecognised::may_show_later(file) {
            break;
        }
        (file.head, file.head_is_whole) = longer_head(file, most).ok()?;
        reader = recognised(file);
    }
    if reader.is_none() && unrecognised::may_come_late(file) {
        reader = reader_of_late(file);
    }
    if reader.is_some() {
        file.head_is_whole &= file.head.len() <= HEAD;
        file.head.truncate(HEAD);
    }
    reader
}

/// The reader of a text whose figures come behind what was looked at: the rest is looked at in stretches, as
/// far as a document may be long.
fn reader_of_late(file: &mut FileEntry) -> Option<&'static Reader> {
    let head = std::mem::take(&mut file.head);
    let readers =
        || readers::READERS.iter().filter(|reader| readers::OF_PROSE.contains(&reader.name));
    let mut found = None;
    let looked = content::for_each_stretch(file, |file, stretch| {
        if !may_hold_figures(file, &stretch) {
            return false;
        }
        file.head = stretch;
        found = readers().find(|reader| (reader.recognises)(file));
        found.is_some()
    });
    file.head = head;
    // What was looked at to its end holds nothing, which is no reason to say that nobody knows.
    file.head_is_whole |= found.is_none() && looked.unwrap_or(false);
    found
}

/// Parts of words without one of which a log says no position of its figures, and no shot.
static POSITIONS: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| {
    let words = "tep TEP poch POCH iter Iter ITER hot HOT imesteps onsumed 轮次 步数";
    words.split(' ').map(Finder::new).collect()
});

/// Whether a stretch of a text may have figures: a first look, at the speed of memory.
fn may_hold_figures(file: &FileEntry, stretch: &[u8]) -> bool {
    if file.has_extension("md") {
        stretch.contains(&b'|')
    } else {
        POSITIONS.iter().any(|word| word.find(stretch).is_some())
    }
}

/// The files of one run on their way to fragments. Positions are places in path order.
#[derive(Default)]
struct RunReading {
    waiting: Vec<(usize, FileEntry, &'static Reader)>,
    records: Vec<(usize, FileRecord)>,
    pieces: Vec<Piece>,
    findings: Vec<Diagnostic>,
    unread: Vec<Unread>,
    /// Data files that logs and metadata name.
    mentioned: Vec<data_files::Mention>,
    /// Where each file that waited lies.
    places: BTreeMap<usize, PathBuf>,
    /// Directories that a tracker marks as runs.
    marked: BTreeSet<String>,
    /// How many records of samples were read.
    sampled: u64,
}

/// How many records of samples a file holds, those of all of its runs.
fn sampled_rows(found: &Warned<Fragment>) -> u64 {
    let fragment = &found.value;
    let of_parts = fragment.parts.iter().flat_map(|part| &part.samples);
    fragment.samples.iter().chain(of_parts).map(|table| table.len() as u64).sum()
}

impl RunReading {
    /// Each file with the first reader that recognises it, or settled.
    fn sorted(found: Vec<DiscoveredFile>, options: &ReadOptions) -> Self {
        let mut reading = Self::default();
        for (position, found) in found.into_iter().enumerate() {
            match found {
                DiscoveredFile::Settled(record) => reading.records.push((position, record)),
                DiscoveredFile::File(file) if is_own_report(&file) => reading.settle(
                    position,
                    &file,
                    FileUse::Ignored { reason: "ignored.own-report" },
                ),
                DiscoveredFile::File(mut file) => {
                    reading.mentioned.extend(data_files::mentions_in_file(&file));
                    reading.places.insert(position, file.path.clone());
                    match reader_of(&mut file, options) {
                        Some(reader) => {
                            if readers::describes_run(&file) {
                                reading.marked.insert(directory_of(&file.relative).to_owned());
                            }
                            reading.waiting.push((position, file, reader));
                        }
                        None => reading.leave(position, &file),
                    }
                }
            }
        }
        let old_states =
            readers::superseded_states(reading.waiting.iter().map(|(_, file, _)| file));
        let old_tables = wandb_files::superseded(&reading.waiting);
        reading.drop_where(&SUPERSEDED, |file| {
            old_states.contains(&file.relative) || old_tables.contains(&file.relative)
        });
        reading
    }

    fn leave(&mut self, position: usize, file: &FileEntry) {
        let unread = unrecognised::unread(position, file);
        let is_damaged = unread.as_ref().is_some_and(|unread| unread.is_damaged);
        let used = match unread {
            _ if is_damaged => FileUse::Failed,
            _ if file.bytes == 0 => FileUse::Ignored { reason: "ignored.empty" },
            Some(_) => FileUse::UNRECOGNISED,
            None if wandb_files::is_logged(file) => {
                FileUse::Ignored { reason: "ignored.logged-table" }
            }
            None => FileUse::Ignored { reason: "ignored.unknown" },
        };
        self.unread.extend(unread);
        self.settle(position, file, used);
    }

    fn settle(&mut self, position: usize, file: &FileEntry, used: FileUse) {
        let record = FileRecord { relative: file.relative.clone(), bytes: file.bytes, used };
        self.records.push((position, record));
    }

    fn drop_where(&mut self, used: &FileUse, drop: impl Fn(&FileEntry) -> bool) {
        let waiting = std::mem::take(&mut self.waiting);
        for (position, file, reader) in waiting {
            if drop(&file) {
                self.settle(position, &file, used.clone());
            } else {
                self.waiting.push((position, file, reader));
            }
        }
    }

    /// Configurations come first, because the data files they name are neither samples nor
    /// metrics of the run.
    fn read_configs(
        &mut self,
        input: &Path,
        border: &Border,
        options: &ReadOptions,
    ) -> data_files::NamedDataFiles {
        let of_settings = [readers::CONFIG, readers::MLFLOW, readers::MLFLOW_SQLITE];
        self.read_where(options, |_, reader| of_settings.contains(&reader));
        let has_file = self.has_config();
        let logs = [readers::CONFIG_DUMP, readers::SERIES_LOG, readers::TENSORBOARD];
        let before = self.pieces.len();
        self.read_where(options, |_, reader| logs.contains(&reader));
        if has_file {
            let (files, of_logs) = self.pieces.split_at_mut(before);
            settings_of_logs::leave_repeated(files, of_logs);
        } else {
            // By itself a log is all that there is, and its headings say whose its figures are.
            self.pieces.iter_mut().for_each(|piece| piece.fragment.printed = Config::default());
        }
        self.leave_second_logs();
        let waiting = std::mem::take(&mut self.waiting);
        for (position, file, reader) in waiting {
            if reader.name == readers::CONFIG_DUMP {
                self.leave(position, &file);
            } else {
                self.waiting.push((position, file, reader));
            }
        }
        let configs = self.pieces.iter().map(|piece| &piece.fragment.config);
        let mentioned = std::mem::take(&mut self.mentioned);
        let of_pieces = self.pieces.iter().filter_map(|piece| self.places.get(&piece.position));
        let waiting = self.waiting.iter().map(|(_, file, _)| &file.path);
        let read: BTreeSet<PathBuf> = of_pieces.chain(waiting).map(|path| clean(path)).collect();
        let is_read = |path: &Path| read.contains(&clean(path));
        let places = Places::below(input, border, options.access.limits);
        let named =
            data_files::find(configs, mentioned, places, is_read).drain_into(&mut self.findings);
        let used = FileUse::DATA;
        for (_, record) in &mut self.records {
            let read = matches!(record.used, FileUse::Read { .. });
            if !read && named.holds(&input.join(&record.relative)) {
                record.used = used.clone();
            }
        }
        self.drop_where(&used, |file| named.holds(&file.path));
        named
    }

    /// A trainer that keeps its log in its state writes the same figures, rounded and under other
    /// names, for `TensorBoard`; and the log of W&B holds its own summary.
    fn leave_second_logs(&mut self) {
        let waiting = self.waiting.iter().map(|(_, file, _)| file);
        let trainings = readers::logged_trainings(waiting);
        let is_second = |piece: &&mut Piece| {
            let path = Path::new(&piece.relative);
            piece.reader == readers::TENSORBOARD
                && trainings.iter().any(|training| path.starts_with(training))
        };
        self.pieces.iter_mut().filter(is_second).for_each(|piece| piece.fragment.series.clear());
        if self.pieces.iter().any(|piece| piece.reader == readers::WANDB) {
            let is_summary = |piece: &&mut Piece| {
                plain_name(&piece.relative).eq_ignore_ascii_case(readers::OF_WANDB)
            };
            let summaries = self.pieces.iter_mut().filter(is_summary);
            summaries.for_each(|piece| piece.fragment.scalars.clear());
        }
    }

    fn has_config(&self) -> bool {
        self.pieces.iter().any(|piece| !piece.fragment.config.is_empty())
    }

    /// What identifies the samples that were read, file by file.
    fn asked(&self) -> RowKeys {
        let with_samples = self.pieces.iter().filter(|piece| !piece.fragment.samples.is_empty());
        let files = with_samples.filter_map(|piece| {
            Some((self.places.get(&piece.position)?.clone(), Arc::clone(&piece.display)))
        });
        data_files::read_row_keys(&files.collect::<Vec<_>>())
    }

    /// The runs of databases that hold several, with the files of each.
    fn take_stored(&mut self) -> Vec<Member> {
        let waiting = self.waiting.iter().map(|(_, file, _)| file.relative.as_str());
        stored_runs::take(&mut self.pieces, &self.records, waiting)
    }

    fn into_store(self, members: Vec<Member>, input: &Path) -> Warned<Found> {
        let is_left = |record: &FileRecord| {
            record.is_unread() && !members.iter().any(|member| member.holds(&record.relative))
        };
        let left = self.records.into_iter().filter(|(_, record)| is_left(record));
        let (positions, unread): (BTreeSet<usize>, Vec<FileRecord>) = left.unzip();
        let paths = unread.iter().map(|record| shown(&input.join(&record.relative)));
        let paths: BTreeSet<String> = paths.chain(stored_runs::databases_of(&members)).collect();
        let mut findings = self.findings;
        findings.retain(|found| found.location.as_ref().is_some_and(|at| paths.contains(&at.path)));
        let mut unrecognised = self.unread;
        unrecognised.retain(|file| positions.contains(&file.position));
        findings.extend(unrecognised::unread_file_findings(unrecognised));
        Warned::new(Found::Store(Store { members, unread }), findings)
    }

    fn read_documents(&mut self, options: &ReadOptions) {
        self.read_where(options, |file, _| stamps::sample_log(&file.relative).is_none());
    }

    fn leave_old_evaluations(&mut self) {
        let superseded = evaluations::keep_newest(&mut self.pieces);
        self.findings.extend(superseded);
        self.findings.extend(versions::set_aside(&mut self.pieces));
        let kept: Vec<usize> = self.pieces.iter().map(|piece| piece.position).collect();
        for (position, record) in &mut self.records {
            if record.is_read() && !kept.contains(position) {
                record.used = SUPERSEDED;
            }
        }
    }

    fn holds_results_of(&self, directory: &str) -> bool {
        self.pieces.iter().any(|piece| Path::new(&piece.relative).starts_with(directory))
    }

    /// Sample logs come last: which of them count depends on which results are the newest.
    fn read_sample_logs(&mut self, options: &ReadOptions) {
        let logs: Vec<String> =
            self.waiting.iter().map(|(_, file, _)| file.relative.clone()).collect();
        let newest = evaluations::newest_stamps(&self.pieces, &logs);
        self.drop_where(&SUPERSEDED, |file| newest.supersedes(&file.relative));
        self.read_where(options, |_, _| true);
    }

    /// What files hold; `None` for those of records where these hold more than the limit together, with
    /// those read before. Then none of them counts: which were read first must not be seen.
    fn read_within_limit(
        &mut self,
        files: &[(usize, FileEntry, &'static Reader)],
        options: &ReadOptions,
    ) -> Vec<Option<ReadResult>> {
        let most = options.access.limits.records;
        let sampled = AtomicU64::new(self.sampled);
        let is_past =
            |reader| readers::reads_records(reader) && sampled.load(Ordering::Relaxed) > most;
        let read = |(_, file, reader): &(usize, FileEntry, &'static Reader)| {
            let result = (!is_past(reader)).then(|| (reader.read)(file, options))?;
            let rows = result.as_ref().map_or(0, sampled_rows);
            sampled.fetch_add(rows, Ordering::Relaxed);
            Some(result)
        };
        let read: Vec<_> = files.par_iter().map(read).collect();
        let within = files
            .iter()
            .zip(read)
            .map(|((.., reader), result)| result.filter(|_| !is_past(reader)));
        let within = within.collect();
        self.sampled = sampled.into_inner();
        within
    }

    fn read_where(
        &mut self,
        options: &ReadOptions,
        choose: impl Fn(&FileEntry, &'static str) -> bool,
    ) {
        let waiting = std::mem::take(&mut self.waiting);
        let (now, later): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|(_, file, reader)| choose(file, reader.name));
        self.waiting = later;
        let results = self.read_within_limit(&now, options);
        let mut is_told = false;
        for ((position, file, reader), result) in now.into_iter().zip(results) {
            let used = match result {
                None => {
                    let most = options.access.limits.records;
                    let finding = || content::past_limit("records", most, &file.display);
                    self.findings.extend((!is_told).then(finding));
                    is_told = true;
                    FileUse::Failed
                }
                Some(Ok(warned)) => {
                    let is_cut = |one: &Diagnostic| {
                        matches!(one.code, Code::LimitReached | Code::Unreadable)
                    };
                    let is_cut = warned.diagnostics.iter().any(is_cut);
                    let fragment = warned.drain_into(&mut self.findings);
                    self.findings.extend(file.noticed.iter().cloned());
                    self.pieces.push(Piece {
                        position,
                        relative: file.relative.clone(),
                        display: Arc::clone(&file.display),
                        reader: reader.name,
                        fragment,
                    });
                    if is_cut { FileUse::Failed } else { FileUse::Read { reader: reader.name } }
                }
                Some(Err(finding)) => {
                    let used = if finding.code == Code::TooLarge {
                        FileUse::Ignored { reason: "ignored.too-large" }
                    } else {
                        FileUse::Failed
                    };
                    self.findings.push(*finding);
                    used
                }
            };
            self.settle(position, &file, used);
        }
    }
}
