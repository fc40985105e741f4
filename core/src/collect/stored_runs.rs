//! Runs that a tracker keeps in one database: which they are, which files beside the database are theirs,
//! and what of a database is the run that is read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::entry::single_file;
use super::member::{InDatabase, Member};
use super::packing::unpacked_name;
use super::stores::RUN;
use super::{Piece, directory_of, readers};
use crate::diag::Diagnostic;
use crate::model::{FileRecord, Limits, RunLabel, StoredRun};

/// Takes the runs of databases that hold several as runs of their own, each with the files in directories
/// of its id. Files have a record, or wait for a reader.
pub(super) fn take<'a>(
    pieces: &mut Vec<Piece>,
    records: &'a [(usize, FileRecord)],
    waiting: impl Iterator<Item = &'a str>,
) -> Vec<Member> {
    let (databases, others): (Vec<Piece>, Vec<Piece>) =
        std::mem::take(pieces).into_iter().partition(|piece| piece.fragment.stored.len() > 1);
    *pieces = others;
    if databases.is_empty() {
        return Vec::new();
    }
    let records = || records.iter().map(|(_, record)| record);
    let paths: Vec<&str> =
        records().map(|record| record.relative.as_str()).chain(waiting).collect();
    let is_one = databases.len() == 1;
    let (mut members, mut known) = (Vec::new(), BTreeSet::new());
    for mut database in databases {
        let place = if is_one { "" } else { directory_of(&database.relative) };
        let stored = std::mem::take(&mut database.fragment.stored);
        let found = directories_of(&stored, &paths);
        let record = records().find(|record| record.relative == database.relative);
        let Some(record) = record else { continue };
        let below = |path: &str| {
            let below = Path::new(path).strip_prefix(place).ok()?;
            Some(below.to_string_lossy().into_owned())
        };
        for StoredRun { id, name, called, content, findings } in stored {
            let Some(relative) = below(&database.relative) else { continue };
            if !known.insert(id.clone()) {
                continue;
            }
            let files = found.get(&id).and_then(|directory| below(directory));
            let piece = Piece { relative: relative.clone(), fragment: content, ..database.clone() };
            let record = FileRecord { relative, ..record.clone() };
            members.push(Member {
                directory: place.to_owned(),
                labels: vec![RunLabel { column: RUN.to_owned(), value: name }],
                called,
                stored: Some(InDatabase { id, files, piece, record, findings }),
                ..Member::default()
            });
        }
    }
    members
}

/// The paths of the databases that runs were taken from.
pub(super) fn databases_of(members: &[Member]) -> impl Iterator<Item = String> {
    let stored = members.iter().filter_map(|member| member.stored.as_ref());
    stored.map(|stored| stored.piece.display.to_string())
}

/// The directory named by the id of each run, where one of its files lies in one.
fn directories_of(stored: &[StoredRun], paths: &[&str]) -> BTreeMap<String, String> {
    let ids = stored.iter().map(|run| run.id.as_str()).filter(|id| !id.is_empty());
    let ids: BTreeSet<&str> = ids.collect();
    let mut found = BTreeMap::new();
    for path in paths {
        let mut end = 0;
        for part in directory_of(path).split('/') {
            end += part.len();
            if ids.contains(part) {
                let directory = path.get(..end).unwrap_or_default().to_owned();
                found.entry(part.to_owned()).or_insert(directory);
            }
            end += 1;
        }
    }
    found
}

/// Makes what databases say the content of the one run that is read; of one with several runs, each is a
/// piece.
pub(super) fn dissolve(pieces: &mut Vec<Piece>, findings: &mut Vec<Diagnostic>) {
    let mut further = Vec::new();
    for piece in pieces.iter_mut() {
        let mut stored = std::mem::take(&mut piece.fragment.stored).into_iter();
        let mut content = |run: StoredRun| {
            findings.extend(run.findings);
            run.content
        };
        if let Some(first) = stored.next() {
            piece.fragment = content(first);
        }
        for run in stored {
            further.push(Piece { fragment: content(run), ..piece.clone() });
        }
    }
    pieces.append(&mut further);
}

/// Whether a file is a database of several runs, or may be one and cannot be read.
pub(super) fn may_hold_runs(file: &Path) -> bool {
    let found = single_file(file, Limits::default());
    found.is_some_and(|found| readers::may_hold_runs(&found))
}

/// Names of databases that trackers make, as far as their ends go.
const EXTENSIONS: [&str; 3] = ["db", "sqlite", "sqlite3"];

/// The runs that a database, or the only one in a directory, holds: where it lies, and their names. Nothing
/// where it holds no more than one.
pub(super) fn names_in(place: &Path) -> Option<Vec<String>> {
    let file = if place.is_dir() { only_database(place)? } else { place.to_owned() };
    let found = single_file(&file, Limits::default())?;
    readers::names_of_runs(&found).filter(|names| names.len() > 1)
}

fn only_database(directory: &Path) -> Option<PathBuf> {
    let is_database = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let name = unpacked_name(&name);
        let end = name.rsplit_once('.').map_or("", |(_, end)| end);
        EXTENSIONS.contains(&end) && path.is_file()
    };
    let entries = fs::read_dir(directory).ok()?.flatten().map(|entry| entry.path());
    let mut databases = entries.filter(is_database);
    databases.next().filter(|_| databases.next().is_none())
}
