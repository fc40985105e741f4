//! Runs from outside: which there are, whether their files changed, and a digest of what is in them.
//! Knows no formats, and opens no file unless a digest is asked for.

use std::fs::{self, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use walkdir::WalkDir;
use xxhash_rust::xxh3::Xxh3;

use super::border::{Border, is_hidden};
use super::content::Packing;
use super::discover::{self, DiscoveredFile};
use super::packing::unpacked_name;
use super::run_parts::{RunAddress, WITHIN_COMPONENTS, matching_in_directory};
use super::{KeyWeight, ReadOptions, database};
use crate::model::{Access, FileRecord, FileUse};

/// A run as its directory shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunScan {
    /// Another one where a file came, went, or was written to.
    pub signature: String,
    /// When the newest file was written, in seconds since 1970.
    pub newest: i64,
    /// Whether it has one of the files that its producer writes last.
    pub is_marked: bool,
}

/// The runs below a directory that a pattern names, in alphabetical order: `runs/*`, or `store::PATTERN`
/// for some of those in one directory. Hidden ones, and those that lie in `except`, are left out.
///
/// # Errors
/// When the pattern is malformed.
pub fn matching_runs(root: &Path, pattern: &str, except: &Path) -> Result<Vec<PathBuf>, String> {
    let inside = matching_in_directory(&root.join(pattern));
    if !inside.is_empty() {
        return Ok(inside);
    }
    let root = glob::Pattern::escape(&root.to_string_lossy());
    let whole = if root.is_empty() { pattern.to_owned() } else { format!("{root}/{pattern}") };
    let found = glob::glob_with(&whole, WITHIN_COMPONENTS).map_err(|error| error.to_string())?;
    let except = except.canonicalize().ok();
    let is_run = |path: &PathBuf| {
        let place = except.as_ref().and_then(|except| Some((except, path.canonicalize().ok()?)));
        !place.is_some_and(|(except, place)| place.starts_with(except) || except.starts_with(place))
    };
    // What cannot be entered is told when its run is looked for.
    Ok(found.flatten().filter(is_run).collect())
}

/// Files of samples that a path or a pattern names, those below a directory among them, in the order of
/// their names; none where nothing is there.
pub fn sample_files(named: &Path) -> Vec<PathBuf> {
    if !named.exists() {
        let found = glob::glob_with(&named.to_string_lossy(), WITHIN_COMPONENTS);
        return found.into_iter().flatten().flatten().filter(|path| path.is_file()).collect();
    }
    let is_named = |path: &Path| {
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
        name.is_some_and(|name| {
            let are_lines = |end| unpacked_name(&name).ends_with(end);
            name.ends_with(".parquet") || are_lines(".jsonl") || are_lines(".ndjson")
        })
    };
    let files = WalkDir::new(named).sort_by_file_name().into_iter().flatten();
    let files = files.filter(|entry| entry.file_type().is_file() || entry.depth() == 0);
    let files = files.map(walkdir::DirEntry::into_path).filter(|path| path.is_file());
    files.filter(|path| path == named || is_named(path) && !is_hidden_name(path)).collect()
}

fn is_hidden_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Looks at the files of a run, which of one of several in the same files are those of all; hidden ones
/// count only where they are read. `markers` are names of files that are written last.
///
/// # Errors
/// When the run, or a directory in it, cannot be listed.
pub fn scan_run(run: &Path, markers: &[&str]) -> io::Result<RunScan> {
    let run = &RunAddress::of(run).path;
    let (mut hash, mut newest, mut is_marked) = (Xxh3::new(), 0, false);
    let is_seen = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !is_hidden(entry.file_name()) || entry.file_name() == discover::HYDRA
    };
    let walk = WalkDir::new(run).sort_by_file_name().into_iter().filter_entry(is_seen);
    for entry in walk {
        let entry = entry?;
        if entry.file_type().is_dir() {
            continue;
        }
        let there = if entry.depth() == 0 { fs::metadata(run)? } else { entry.metadata()? };
        let below = entry.path().strip_prefix(run).unwrap_or(entry.path());
        hash.update(below.as_os_str().as_encoded_bytes());
        note(&there, &mut hash, &mut newest);
        is_marked |= entry.depth() == 1
            && markers.iter().any(|marker| entry.file_name().to_str() == Some(marker));
    }
    // A database whose newest rows are not in it yet.
    if let Ok(there) = fs::metadata(database::beside(run, database::CHANGES)) {
        note(&there, &mut hash, &mut newest);
    }
    Ok(RunScan { signature: format!("{:016x}", hash.digest()), newest, is_marked })
}

/// Takes length and times of a file.
fn note(there: &Metadata, hash: &mut Xxh3, newest: &mut i64) {
    hash.update(&[0]);
    hash.update(&there.len().to_le_bytes());
    for number in times(there) {
        hash.update(&number.to_le_bytes());
    }
    let written = there.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    *newest = (*newest).max(written.map_or(0, |since| since.as_secs().cast_signed()));
}

/// What changes when a file is written, whatever time its writer gives it.
#[cfg(unix)]
fn times(there: &Metadata) -> [i64; 4] {
    use std::os::unix::fs::MetadataExt as _;
    [there.mtime(), there.mtime_nsec(), there.ctime(), there.ctime_nsec()]
}

#[cfg(not(unix))]
fn times(there: &Metadata) -> [i64; 2] {
    let written = there.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    written.map_or([0; 2], |since| [since.as_secs().cast_signed(), since.subsec_nanos().into()])
}

/// A digest of what readers could read of a run. Of files that nobody opens, such as weights, name and
/// length count; of a file that cannot be read, the name alone. Of one run of several in the same files, what
/// is read of it: the others may change, and new ones come.
pub fn digest_run(run: &Path, access: &Access) -> String {
    if !RunAddress::of(run).labels.is_empty() {
        return digest_of_member(run, access);
    }
    let mut hash = Xxh3::new();
    let border = Border::around(run, access);
    for file in discover::discover_within(run, &border, access.limits).value {
        match file {
            DiscoveredFile::Settled(FileRecord { used: FileUse::Ignored { reason }, .. })
                if reason.starts_with("ignored.hidden") => {}
            DiscoveredFile::Settled(file) => {
                hash.update(file.relative.as_bytes());
                hash.update(&[0]);
                hash.update(&file.bytes.to_le_bytes());
            }
            DiscoveredFile::File(file) => {
                hash.update(file.relative.as_bytes());
                hash.update(&[0]);
                // The head of a short plain file is all of it.
                if file.packing == Packing::PLAIN && file.bytes == file.head.len() as u64 {
                    hash.update(&file.head);
                } else if let Err(error) = update_with(&mut hash, &file.path) {
                    hash.update(error.kind().to_string().as_bytes());
                }
            }
        }
    }
    format!("{:016x}", hash.digest())
}

fn digest_of_member(run: &Path, access: &Access) -> String {
    let weight: fn(&str) -> KeyWeight = |_| KeyWeight::Setting;
    let options =
        ReadOptions { access: access.clone(), weight: Some(weight), ..ReadOptions::default() };
    let read = super::collect(&[run.to_owned()], &options);
    let contents = read.iter().flat_map(|read| &read.value).map(|run| format!("{:?}", run.content));
    let mut hash = Xxh3::new();
    contents.for_each(|content| hash.update(content.as_bytes()));
    format!("{:016x}", hash.digest())
}

fn update_with(hash: &mut Xxh3, path: &Path) -> io::Result<()> {
    let mut file = fs::File::open(path)?;
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(()),
            length => hash.update(block.get(..length).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signature and digest of a run before and after something was done to it.
    fn changes(change: impl Fn(&Path)) -> [bool; 2] {
        let root = tempfile::tempdir().expect("a directory");
        let run = root.path().join("run");
        fs::create_dir(&run).expect("made");
        fs::write(run.join("metrics.json"), "{\"accuracy\": 0.5}").expect("written");
        fs::write(run.join("model.pt"), "weights").expect("written");
        let look = || {
            let scan = scan_run(&run, &["_SUCCESS"]).expect("listed");
            (scan.signature, digest_run(&run, &Access::default()))
        };
        let before = look();
        std::thread::sleep(std::time::Duration::from_millis(20));
        change(&run);
        let after = look();
        [before.0 != after.0, before.1 != after.1]
    }

    #[test]
    fn a_digest_follows_content_and_a_signature_every_write() {
        let write = |name: &'static str, text: &'static str| {
            move |run: &Path| fs::write(run.join(name), text).expect("written")
        };
        assert_eq!(changes(|_| ()), [false, false]);
        assert_eq!(changes(write("metrics.json", "{\"accuracy\": 0.5}")), [true, false]);
        assert_eq!(changes(write("metrics.json", "{\"accuracy\": 0.6}")), [true, true]);
        assert_eq!(changes(write("model.pt", "WEIGHTS")), [true, false]);
        assert_eq!(changes(write("model.pt", "more weights")), [true, true]);
        assert_eq!(changes(write("notes.txt", "new")), [true, true]);
        assert_eq!(changes(write(".metrics.swp", "new")), [false, false]);
    }

    #[test]
    fn a_file_that_is_written_last_is_seen_only_at_the_top_of_a_run() {
        let run = tempfile::tempdir().expect("a directory");
        fs::create_dir(run.path().join("sub")).expect("made");
        fs::write(run.path().join("sub/_SUCCESS"), "").expect("written");
        let is_marked = || scan_run(run.path(), &["_SUCCESS"]).expect("listed").is_marked;
        assert!(!is_marked());
        fs::write(run.path().join("_SUCCESS"), "").expect("written");
        assert!(is_marked());
    }
}
