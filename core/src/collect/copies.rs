//! The same file of results under two names.
//!
//! Files are opened again only where their sizes are equal. Those of one size are grouped by a hash of
//! their first bytes, so that thousands of files take one look each, and only those with the same hash
//! are compared, up to the first byte that differs.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::objects::fetched::place_of;
use super::{ReadOptions, bounded, readers};
use crate::diag::{Code, Diagnostic, Location, Severity};
use crate::model::{FileUse, Run};

/// Smaller files can be equal by chance.
const SMALLEST: u64 = 256;
/// Most files that a finding names.
const MOST_NAMED: usize = 5;

struct Candidate<'a> {
    run: usize,
    relative: &'a str,
    path: PathBuf,
    /// Whether equal ones in its directory are reported elsewhere.
    is_reported: bool,
}

/// One finding for each two runs, or for each run, that hold the same file.
pub(super) fn copied(runs: &[Run], options: &ReadOptions) -> Vec<Diagnostic> {
    let mut by_size: BTreeMap<u64, Vec<Candidate<'_>>> = BTreeMap::new();
    for (run, of) in runs.iter().enumerate() {
        let place = place_of(Path::new(of.root()));
        for file in of.files.iter().filter(|file| file.bytes >= SMALLEST) {
            if file.is_read() && file.used != (FileUse::Read { reader: readers::CONFIG }) {
                let path = if place.is_dir() { place.join(&file.relative) } else { place.clone() };
                // Equal logs of a directory are reported where their lines are read.
                let is_reported = options.skips_log_figures
                    && file.used == (FileUse::Read { reader: readers::SERIES_LOG });
                let candidate = Candidate { run, relative: &file.relative, path, is_reported };
                by_size.entry(file.bytes).or_default().push(candidate);
            }
        }
    }
    let mut found: BTreeMap<(usize, usize), Vec<(&str, &str)>> = BTreeMap::new();
    for same_size in by_size.values().filter(|same_size| same_size.len() > 1) {
        // The runs of one table have one file.
        let mut heads: BTreeMap<&Path, Option<u64>> = BTreeMap::new();
        let mut earlier: BTreeMap<u64, Vec<&Candidate<'_>>> = BTreeMap::new();
        for second in same_size {
            let path = second.path.as_path();
            let Some(head) = *heads.entry(path).or_insert_with(|| head(path)) else { continue };
            let earlier = earlier.entry(head).or_default();
            let copy = earlier.iter().find(|first| {
                is_suspect(first, second, runs) && equal_files(&first.path, &second.path)
            });
            if let Some(first) = copy {
                let pair = (first.relative, second.relative);
                found.entry((first.run, second.run)).or_default().push(pair);
            }
            earlier.push(second);
        }
    }
    found.into_iter().filter_map(|(of, files)| finding(runs, of, &files)).collect()
}

/// A hash of the first bytes of a file; `None` where it cannot be read.
fn head(path: &Path) -> Option<u64> {
    let mut start = vec![0; CHUNK];
    let filled = fill(&mut File::open(path).ok()?, &mut start)?;
    start.get(..filled).map(xxh3_64)
}

/// Whether equality of two files would say anything.
fn is_suspect(first: &Candidate<'_>, second: &Candidate<'_>, runs: &[Run]) -> bool {
    let place = |candidate: &Candidate<'_>| runs.get(candidate.run).map(|run| run.place.as_str());
    let root = |candidate: &Candidate<'_>| runs.get(candidate.run).map(Run::root);
    let are_reported = first.is_reported && second.is_reported && root(first) == root(second);
    if first.path == second.path || are_reported {
        return false;
    }
    if first.run != second.run {
        return place(first) != place(second);
    }
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let (first, second) = (name(first.relative), name(second.relative));
    // A program may write one summary under two names; it does not write two tasks alike.
    first == second || (first.starts_with("samples") && second.starts_with("samples"))
}

fn finding(runs: &[Run], (a, b): (usize, usize), files: &[(&str, &str)]) -> Option<Diagnostic> {
    let (first, second) = (runs.get(a)?, runs.get(b)?);
    let (earlier, later) = files.first()?;
    let named = files.iter().map(|(first, second)| {
        if first == second { (*first).to_owned() } else { format!("{first} = {second}") }
    });
    let configs = (&first.content.config, &second.content.config);
    let same = !configs.0.is_empty()
        && configs.0.len() == configs.1.len()
        && configs.0.iter().all(|(key, entry)| {
            configs.1.get(key).is_some_and(|other| other.value.same_as(&entry.value))
        });
    let mut finding = Diagnostic::new(Code::CopiedFile)
        .run(&second.id)
        .with("count", files.len())
        .with("files", bounded(named, MOST_NAMED))
        .with("first", format!("{}/{earlier}", first.path.trim_end_matches('/')))
        .with("second", format!("{}/{later}", second.path.trim_end_matches('/')))
        .at(Location::file(format!("{}/{later}", second.path.trim_end_matches('/'))));
    if a != b && same {
        finding.severity = Severity::Info;
    }
    Some(finding)
}

/// Whether two files of one size hold the same bytes; `false` where one cannot be read.
pub(super) fn equal_files(first: &Path, second: &Path) -> bool {
    let (Ok(first), Ok(second)) = (File::open(first), File::open(second)) else { return false };
    let (mut first, mut second) = (BufReader::new(first), BufReader::new(second));
    let (mut start, mut other) = (vec![0; CHUNK], vec![0; CHUNK]);
    loop {
        match (fill(&mut first, &mut start), fill(&mut second, &mut other)) {
            (Some(a), Some(b)) if a == b && start.get(..a) == other.get(..b) => {
                if a == 0 {
                    return true;
                }
            }
            _ => return false,
        }
    }
}

/// Bytes compared at a time: files that differ mostly do so at their start.
const CHUNK: usize = 16 << 10;

fn fill(file: &mut impl Read, buffer: &mut [u8]) -> Option<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.by_ref().read(rest) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    Some(filled)
}
