//! Logs of runs: which files are logs, what their lines mean, and how often.
//!
//! Reads in one pass with bounded memory. Most lines cost a search for the words of the patterns;
//! only lines that have one, and those behind an open traceback, are looked at. Knows nothing of
//! what counts mean for a run; that is `quality`.

mod blocks;
mod cut;
mod follow;
pub(super) mod line;
mod log_findings;
pub(super) mod log_names;
mod patterns;
mod pending_errors;
mod rollouts;
mod template;
mod traceback;

use std::path::PathBuf;
use std::sync::Arc;

use super::border::leads_elsewhere;
use super::copies::equal_files;
use super::discover::{DiscoveredFile, discover};
use super::{CollectError, FileEntry, RunAddress, content, readers};
use crate::diag::{Diagnostic, Warned};
use crate::model::Access;
use crate::model::logs::{LogFile, LogTally};
use follow::Follower;
use log_names::{RECORDS, is_log};

pub use patterns::{NotPatterns, Patterns};

#[derive(Debug)]
pub struct RunLogs {
    pub path: String,
    pub tally: LogTally,
}

/// Reads the logs of every input, in the order given. A file that is an input itself is a log unless
/// its name is that of records or a reader takes it. An input that does not exist is left out: the
/// collection of its records says so.
///
/// # Errors
/// When no input is given.
pub fn read(
    inputs: &[PathBuf],
    patterns: &Patterns,
    access: &Access,
) -> Result<Warned<Vec<RunLogs>>, CollectError> {
    if inputs.is_empty() {
        return Err(CollectError::NothingGiven);
    }
    let mut noticed = Vec::new();
    let mut used = vec![0; patterns.all.len()];
    let mut runs = Vec::new();
    for input in inputs {
        let place = &RunAddress::of(input).path;
        // What is not followed is reported when records are collected.
        if place.symlink_metadata().is_err() || leads_elsewhere(place, access) {
            continue;
        }
        // What cannot be walked or opened is reported when records are collected.
        let files = discover(place, access).value.into_iter().filter_map(|found| match found {
            DiscoveredFile::File(file) => Some(file),
            DiscoveredFile::Settled(_) => None,
        });
        let is_file = place.is_file();
        let is_taken =
            |file: &FileEntry| readers::READERS.iter().any(|reader| (reader.recognises)(file));
        let is_wanted = |file: &FileEntry| {
            let is_record = RECORDS.iter().any(|end| file.name.ends_with(end));
            is_log(&file.name) || (is_file && !is_record && !is_taken(file))
        };
        let files: Vec<FileEntry> = files.filter(is_wanted).collect();
        let mut findings = Vec::new();
        let files = without_copies(files, &mut findings);
        let mut tally = LogTally::default();
        for file in &files {
            follow(file, patterns, &mut tally, &mut used, &mut findings);
        }
        findings.extend(log_findings::about_tally(&tally));
        let path = super::shown(input);
        if tally.files.is_empty() {
            findings.push(log_findings::no_log(&path));
        }
        for finding in &mut findings {
            finding.subject.run.get_or_insert_with(|| path.clone());
        }
        noticed.append(&mut findings);
        runs.push(RunLogs { path, tally });
    }
    let is_read = runs.iter().any(|run| !run.tally.files.is_empty());
    noticed.extend(log_findings::unused(patterns, &used).filter(|_| is_read));
    Ok(Warned::new(runs, noticed))
}

fn follow(
    file: &FileEntry,
    patterns: &Patterns,
    tally: &mut LogTally,
    used: &mut [u64],
    findings: &mut Vec<Diagnostic>,
) {
    let source = match content::open(&file.path, file.packing, file.limits) {
        Ok(source) => source,
        Err(error) => {
            findings.push(content::unreadable(&file.display, error));
            return;
        }
    };
    let path = Arc::clone(&file.display);
    let limits = blocks::limits(file.limits);
    let mut follower = Follower::new(patterns, Arc::clone(&path), tally, used);
    let (ending, odd) = blocks::read_log_blocks(source, limits, patterns, |block, before| {
        follower.block(&block.text, &block.hits, before);
    });
    let lost = follower.end();
    findings
        .extend(ending.is_full.then(|| content::past_limit("lines", limits.lines, &file.display)));
    tally.files.push(LogFile { path, lines: ending.lines, bytes: ending.bytes });
    findings.extend(log_findings::about_logs(&file.display, &ending, odd, lost));
}

/// Logs of equal content are read once: output that was copied by `tee` would count twice.
fn without_copies(files: Vec<FileEntry>, findings: &mut Vec<Diagnostic>) -> Vec<FileEntry> {
    let mut kept: Vec<FileEntry> = Vec::new();
    for file in files {
        let is_copied = |first: &&FileEntry| {
            file.bytes > 0 && first.bytes == file.bytes && equal_files(&first.path, &file.path)
        };
        match kept.iter().find(is_copied) {
            Some(first) => findings.push(log_findings::copy(&file.display, &first.display)),
            None => kept.push(file),
        }
    }
    kept
}

#[cfg(test)]
mod tests;
