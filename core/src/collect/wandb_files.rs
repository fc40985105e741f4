//! What W&B keeps beside the log of a run: tables, `files/media/table/KEY_STEP_HASH.table.json`, of which key
//! each is and which of one key counts; and what it logs of itself.
//!
//! What stands in tables is read as any table of samples is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::readers::{OF_WANDB, WANDB, last_tables};
use super::{FileEntry, Reader, plain_name};

const END: &str = ".table.json";
/// Where they lie in the directory of a run, and the directory of what a run keeps beside its log.
const PLACE: &str = "media/table/";
const FILES: &str = "files/";
/// Digits of the hash in a name: 20 now, 8 in older versions.
const HASH: std::ops::RangeInclusive<usize> = 8..=64;

/// Logs of the program itself, and the directory of all runs.
const OWN_LOGS: [&str; 4] =
    ["debug.log", "debug-internal.log", "debug-core.log", "debug-cli.root.log"];
const OF_RUNS: &str = "wandb";

/// Whether W&B logs there what it does, and nothing of the run.
pub(super) fn is_own_log(path: &Path) -> bool {
    let is_named = path.file_name().is_some_and(|name| OWN_LOGS.iter().any(|own| name == *own));
    let is_its = |part: &str| part == OF_RUNS || is_of_run(part);
    is_named && path.iter().rev().skip(1).take(3).any(|part| is_its(&part.to_string_lossy()))
}

/// Whether a directory is called as W&B calls those of runs: `run-20261121_143206-dwvj1dzx`, `offline-run-…`.
fn is_of_run(name: &str) -> bool {
    let stamp = name.strip_prefix("offline-").unwrap_or(name).strip_prefix("run-");
    stamp.and_then(|stamp| stamp.split_once('-')).is_some_and(|(time, _)| {
        let is_place = |(at, byte): (usize, u8)| byte.is_ascii_digit() != (at == 8);
        time.len() == 15 && time.bytes().enumerate().all(is_place)
    })
}

/// Whether a file is such a table, by its place or its name.
pub(super) fn is_logged(file: &FileEntry) -> bool {
    file.name.ends_with(END) && (file.relative.contains(PLACE) || key_of(&file.name).is_some())
}

/// The last part of the key under which a table of that name was logged.
pub(super) fn key_of(name: &str) -> Option<&str> {
    Some(numbered(name)?.0)
}

/// The last part of the key, and the step at which the table was made: that of the history or an earlier one,
/// where the program names its steps itself.
fn numbered(name: &str) -> Option<(&str, u64)> {
    let (before, hash) = name.strip_suffix(END)?.rsplit_once('_')?;
    let (key, step) = before.rsplit_once('_')?;
    let is_hash = HASH.contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some((key, step.parse().ok()?)).filter(|_| is_hash && !key.is_empty())
}

/// Tables in the place of which others were logged later, by relative path: a summary of W&B has the last of
/// each key. Which that is, the log of the run says, or its summary, else the step in the name. What was logged
/// in parts has no such tables.
pub(super) fn superseded(files: &[(usize, FileEntry, &'static Reader)]) -> BTreeSet<String> {
    let mut keys: BTreeMap<(&str, &str), Vec<(&str, u64)>> = BTreeMap::new();
    for (_, file, _) in files {
        let numbered = numbered(&file.name);
        if let (Some((root, below)), Some((key, step))) =
            (file.relative.split_once(PLACE), numbered)
        {
            let end = below.len() - plain_name(below).len() + key.len();
            let key = (root, below.get(..end).unwrap_or(below));
            keys.entry(key).or_default().push((&file.relative, step));
        }
    }
    keys.retain(|_, tables| tables.len() > 1);
    let mut told = BTreeMap::new();
    let mut superseded = BTreeSet::new();
    for ((root, _), tables) in &keys {
        let told = told.entry(*root).or_insert_with(|| told_last(root, files));
        let named = |relative: &str| relative.strip_prefix(root).and_then(|path| told.get(path));
        let newest = tables.iter().map(|(_, step)| *step).max();
        let is_told = tables.iter().any(|(relative, _)| named(relative).is_some());
        let is_in_parts = tables.iter().any(|(relative, _)| named(relative) == Some(&true));
        let old = tables.iter().filter(|(relative, step)| {
            let is_last = if is_told { named(relative).is_some() } else { Some(*step) == newest };
            !is_in_parts && !is_last
        });
        superseded.extend(old.map(|(relative, _)| (*relative).to_owned()));
    }
    superseded
}

/// The last tables of the run whose tables lie there, and whether each is logged in parts: by its log, or by its
/// summary where that names more.
fn told_last(root: &str, files: &[(usize, FileEntry, &'static Reader)]) -> BTreeMap<String, bool> {
    let log = root.strip_suffix(FILES);
    let says = |(_, file, reader): &&(usize, FileEntry, &Reader)| {
        let directory = file.relative.strip_suffix(plain_name(&file.relative));
        reader.name == WANDB && log.is_some() && directory == log
            || file.name == OF_WANDB && directory == Some(root)
    };
    let said = files.iter().filter(says).map(|(_, file, _)| last_tables(file));
    said.max_by_key(BTreeMap::len).unwrap_or_default()
}
