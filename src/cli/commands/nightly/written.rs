//! What lies in the output directory: the record, the history, the index, and reports that are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::log::Log;
use crate::diag::{Code, Diagnostic, Location};
use crate::exit::Failure;
use crate::history::{self, HistoryRow, Manifest};
use crate::nightly::{self, Job, Record, RunSettings};
use crate::output::{self, Beside, Output, Wanted};
use crate::quantity::Night;
use crate::render::CommentOptions;
use crate::report::{Report, json_file};
use crate::text::{Lang, Refusal};

/// Formats of every report.
pub(super) const FORMATS: [&str; 3] = ["md", "html", "json"];

const RECORD: &str = "state.json";
const HISTORY: &str = "history/v1";
const SETTINGS: &str = "history/v1/settings";
const MANIFEST: &str = "history/v1/manifest.json";

pub(super) struct Store {
    pub(super) out: PathBuf,
}

impl Store {
    pub(super) fn record(&self) -> Result<Option<Record>, Failure> {
        let path = self.place(RECORD)?;
        if fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
            // A pipe would be waited for.
            let path = path.display().to_string();
            return Err(Failure::input(Refusal::new("refused.state").with("path", path)));
        }
        match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Failure::read(&path, source)),
            Ok(text) => Record::read(&text).map(Some).ok_or_else(|| {
                // It is damaged, or of another version; to begin anew unasked would lose it.
                let path = path.display().to_string();
                Failure::input(Refusal::new("refused.state").with("path", path))
            }),
        }
    }

    /// Where something of that name lies below the output directory, by no link.
    pub(super) fn place(&self, below: &str) -> Result<PathBuf, Failure> {
        let mut path = self.out.clone();
        for part in Path::new(below).components() {
            path.push(part);
            output::refuse_link(&path).map_err(|source| Failure::write(&path, source))?;
        }
        Ok(path)
    }

    pub(super) fn manifest(&self) -> Result<Manifest, Failure> {
        self.place(MANIFEST)?;
        match Manifest::in_directory(&self.history()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Manifest::default()),
            Err(source) => Err(Failure::read(&self.out.join(MANIFEST), source)),
            manifest => manifest.map_err(Failure::input),
        }
    }

    /// Files of the history that are not what they were, by their paths, with the cause; and whether there is
    /// no history though earlier nights were reported.
    pub(super) fn damage(
        &self,
        manifest: &Manifest,
        record: Option<&Record>,
    ) -> (Vec<(String, String)>, bool) {
        let was_there = |record: &Record| record.jobs.values().any(|job| !job.reports.is_empty());
        let is_gone = manifest.files.is_empty() && record.is_some_and(was_there);
        (history::damaged_files(&self.history(), manifest), is_gone)
    }

    pub(super) fn history(&self) -> PathBuf {
        self.out.join(HISTORY)
    }

    /// Writes the rows as new files of their nights, beside those that count.
    pub(super) fn add(
        &self,
        manifest: &mut Manifest,
        rows: Vec<HistoryRow>,
    ) -> Result<Vec<Diagnostic>, Failure> {
        let mut by_night: BTreeMap<Night, Vec<HistoryRow>> = BTreeMap::new();
        for row in rows {
            by_night.entry(row.night).or_default().push(row);
        }
        let (directory, mut noticed) = (self.history(), Vec::new());
        let is_changed = !by_night.is_empty();
        for (night, mut rows) in by_night {
            let before = manifest.night(night);
            let revision = before.map_or(1, |file| file.revision + 1);
            match before.map(|file| history::read_night(&directory, file)).transpose() {
                Ok(earlier) => rows.extend(earlier.into_iter().flatten()),
                // The old file stays where it is, and what can be read of it can be saved.
                Err(cause) => {
                    let path = before.map(|file| directory.join(&file.path).display().to_string());
                    let path = path.unwrap_or_default();
                    let finding = Diagnostic::new(Code::Unreadable).with("path", path.as_str());
                    noticed.push(finding.with("cause", cause).at(Location::file(path)));
                }
            }
            let (file, bytes) =
                history::make_night_file(night, revision, rows).map_err(Failure::input)?;
            let path = self.place(&format!("{HISTORY}/{}", file.path))?;
            output::write_bytes(&path, &bytes).map_err(|source| Failure::write(&path, source))?;
            manifest.replace(file);
        }
        manifest.generation += u64::from(is_changed);
        Ok(noticed)
    }

    /// Writes the settings of a run, once for all runs that have them. They explain alerts and nothing
    /// depends on them, so what cannot be written is left out.
    pub(super) fn keep_settings(&self, digest: &str, settings: &RunSettings) {
        let Ok(path) = self.place(&format!("{SETTINGS}/{digest}.json")) else { return };
        let is_there = fs::metadata(&path).is_ok_and(|there| !there.is_file() || there.len() > 0);
        if !is_there && fs::create_dir_all(self.out.join(SETTINGS)).is_ok() {
            let _left_out = fs::write(&path, json_file(settings));
        }
    }

    /// The settings that were kept under a digest.
    pub(super) fn settings(&self, digest: &str) -> Option<RunSettings> {
        if !nightly::is_digest(digest) {
            return None;
        }
        let path = self.place(&format!("{SETTINGS}/{digest}.json")).ok()?;
        let is_file = fs::metadata(&path).ok()?.is_file();
        let text = is_file.then(|| fs::read_to_string(path).ok())??;
        serde_json::from_str(&text).ok()
    }

    /// Removes reports that are not kept. What is compared on the last night always is, and what
    /// somebody edited is told.
    pub(super) fn forget(
        &self,
        record: &mut Record,
        jobs: &[Job],
        log: &mut Log<'_>,
    ) -> Result<(), Failure> {
        for job in jobs {
            let Some(known) = record.jobs.get_mut(&job.name) else { continue };
            let first = job.keep.nights.map(|nights| known.night.before(nights));
            let most = job.keep.reports.map_or(known.reports.len(), |most| most as usize);
            let too_many = known.reports.len().saturating_sub(most.max(1));
            let is_old = |(at, night): (usize, &Night)| {
                at < too_many || first.is_some_and(|first| *night < first)
            };
            // What the newest night said holds until there is a newer one, however old it is.
            let newest = known.reports.keys().next_back().copied();
            let old: BTreeSet<Night> = known
                .reports
                .keys()
                .enumerate()
                .filter(|(at, night)| is_old((*at, night)))
                .map(|(_, night)| *night)
                .filter(|night| Some(*night) != newest)
                .collect();
            for night in old {
                let directory = self.place(&format!("{}/{night}", job.name))?;
                let removed = output::remove_reports(&directory);
                for path in removed.map_err(|source| Failure::write(&directory, source))? {
                    let path = path.display().to_string();
                    log.say("edited-kept", &[("job", &job.name), ("path", &path)])?;
                }
                known.reports.remove(&night);
            }
        }
        Ok(())
    }

    /// Puts index, record and list of the history in place, all or none.
    pub(super) fn commit(
        &self,
        index: &Report,
        record: &Record,
        manifest: &Manifest,
        (config, lang): (&Path, Lang),
    ) -> Result<Vec<PathBuf>, Failure> {
        let output = Output::new(Wanted {
            path: Some(&self.out),
            name: "index",
            formats: &FORMATS.map(str::to_owned),
            templates: None,
            own: None,
            config: Some(config),
            kind: index.kind,
            offers_places: false,
            force: false,
            charts_as_files: false,
            lang,
            comment: &CommentOptions::default(),
        })?;
        let files =
            [(RECORD.to_owned(), record.write()), (MANIFEST.to_owned(), json_file(manifest))];
        let beside = Beside { files: &files, stale: &[] };
        output.write(index, beside, &mut io::sink()).map(|written| written.reports)
    }

    /// Removes files of the history that neither this list nor the one before it names: a reader may
    /// still go by the latter.
    pub(super) fn tidy(&self, before: &Manifest, now: &Manifest) {
        let directory = self.history();
        let files = before.files.iter().chain(&now.files);
        let listed: BTreeSet<PathBuf> = files.map(|file| directory.join(&file.path)).collect();
        let months = fs::read_dir(&directory).into_iter().flatten().flatten();
        let is_directory = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        for month in months.filter(is_directory) {
            for file in fs::read_dir(month.path()).into_iter().flatten().flatten() {
                let path = file.path();
                let is_ours = path.extension().is_some_and(|end| end == "parquet")
                    && file.file_name().to_string_lossy().starts_with("night=");
                if is_ours && !listed.contains(&path) {
                    // What cannot be removed is as harmless as it was.
                    let _gone = fs::remove_file(path);
                }
            }
        }
    }
}
