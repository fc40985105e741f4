//! The files of a run in path order, each with its first bytes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use walkdir::{DirEntry, WalkDir};

use super::border::{Border, is_hidden};
use super::content::{past_limit, unreadable};
use super::entry::{entry_of, name_to_read, read_head};
use super::packing::unpacked_name;
use super::stored_table::as_table;
use super::{FileEntry, shown, wandb_files};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{Access, FileRecord, FileUse, Limits};

/// Entries that are walked for each file that may be looked at: directories cost time as well.
pub(super) const ENTRIES_A_FILE: usize = 10;
const SKIPPED_DIRECTORIES: &[&str] = &["node_modules", "__pycache__"];
/// Hidden, but the only place where hydra writes the configuration.
pub(super) const HYDRA: &str = ".hydra";

const NO_FILE: &str = "it is a pipe, socket or device and no file";

/// Weights, archives and images, which no reader opens.
const BINARY_EXTENSIONS: &[&str] = &[
    "safetensors",
    "pt",
    "pth",
    "bin",
    "ckpt",
    "gguf",
    "onnx",
    "h5",
    "pkl",
    "pickle",
    "npy",
    "msgpack",
    "model",
    "arrow",
    "png",
    "jpg",
    "jpeg",
    "gif",
    "webp",
    "svg",
    "pdf",
    "mp4",
    "wav",
    "zip",
    "tar",
    "tgz",
    "xz",
    "bz2",
    "7z",
    "whl",
    "so",
    "pyc",
];

/// That of a file of another run in the same directory.
pub(super) const OF_ANOTHER: FileUse = FileUse::Ignored { reason: "ignored.other-run" };

/// A file that waits for a reader, or one about which everything is said already.
pub(super) enum DiscoveredFile {
    File(FileEntry),
    Settled(FileRecord),
}

/// Walks a run. Symbolic links are followed unless they lead back into the run, or out of what it
/// may reach.
pub(super) fn discover(input: &Path, access: &Access) -> Warned<Vec<DiscoveredFile>> {
    discover_within(input, &Border::around(input, access), access.limits)
}

pub(super) fn discover_within(
    input: &Path,
    border: &Border,
    limits: Limits,
) -> Warned<Vec<DiscoveredFile>> {
    discover_below(input, "", border, limits)
}

/// As [`discover_within`], of one directory below the run.
pub(super) fn discover_below(
    input: &Path,
    directory: &str,
    border: &Border,
    limits: Limits,
) -> Warned<Vec<DiscoveredFile>> {
    let start = if directory.is_empty() { input.to_owned() } else { input.join(directory) };
    let Walked { files, skipped, passed_over, mut findings } = walk(&start, border, limits);
    let looked_at: Vec<Warned<DiscoveredFile>> =
        files.into_par_iter().map(|entry| look_at(input, border, limits, &entry)).collect();
    let mut found: Vec<DiscoveredFile> =
        looked_at.into_iter().map(|found| found.drain_into(&mut findings)).collect();
    found.extend(skipped.iter().map(|entry| not_entered(input, entry)));
    found.extend(passed_over.iter().map(|path| failed(input, path)));
    Warned::new(found, findings)
}

/// Settles the files of another run.
pub(super) fn leave_out(found: &mut [DiscoveredFile], is_of_another: impl Fn(&str) -> bool) {
    for one in found {
        if let DiscoveredFile::File(file) = one
            && is_of_another(&file.relative)
        {
            let (relative, bytes) = (file.relative.clone(), file.bytes);
            *one = DiscoveredFile::Settled(FileRecord { relative, bytes, used: OF_ANOTHER });
        }
    }
}

/// What a walk met.
#[derive(Default)]
struct Walked {
    files: Vec<DirEntry>,
    /// Directories that were not entered.
    skipped: Vec<DirEntry>,
    /// Paths of which a part is not known.
    passed_over: Vec<PathBuf>,
    findings: Vec<Diagnostic>,
}

fn walk(input: &Path, border: &Border, limits: Limits) -> Walked {
    let mut walked = Walked::default();
    let (mut entries, mut outside) = (0_usize, Vec::new());
    let (mut too_deep, mut too_many) = (Vec::new(), false);
    let mut walk =
        WalkDir::new(input).follow_links(border.follows_links()).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        entries += 1;
        let entry = match entry {
            Ok(entry) => entry,
            // A loop leads to files that are met anyway.
            Err(error) if error.loop_ancestor().is_some() => continue,
            Err(error) => {
                walked.passed_over.push(error.path().unwrap_or(input).to_path_buf());
                walked.findings.push(walk_finding(input, &error));
                continue;
            }
        };
        let is_directory = entry.file_type().is_dir();
        let is_inner = entry.depth() > 0;
        let leads_out = || {
            if entry.path_is_symlink() {
                !border.lets_follow(entry.path())
            } else {
                border.has_other_names(entry.path()) && !border.holds(entry.path())
            }
        };
        if is_inner && is_looked_at(&entry, border) && leads_out() {
            outside.push(entry.path().to_path_buf());
            if is_directory {
                walk.skip_current_dir();
            }
        } else if is_directory && is_inner && !is_entered(&entry, border) {
            walked.skipped.push(entry);
            walk.skip_current_dir();
        } else if is_directory && entry.depth() > limits.depth {
            too_deep.push(entry.path().to_path_buf());
            walk.skip_current_dir();
        } else if walked.files.len() == limits.files
            || entries > limits.files.saturating_mul(ENTRIES_A_FILE)
        {
            too_many = true;
            break;
        } else if !is_directory {
            walked.files.push(entry);
        }
    }
    if too_many {
        walked.findings.push(past_limit("files", limits.files, &shown(input)));
        walked.passed_over.push(input.to_path_buf());
    }
    let deep = too_deep.first().map(|path| past_limit("depth", limits.depth, &shown(path)));
    walked.findings.extend(deep);
    walked.findings.extend(outside_finding(&outside));
    walked.passed_over.extend(too_deep.into_iter().chain(outside));
    walked
}

/// One finding for all links that lead out of what the run may reach.
fn outside_finding(links: &[PathBuf]) -> Option<Diagnostic> {
    let first = links.first()?;
    let finding =
        Diagnostic::new(Code::OutsideRun).with("named", "link").with("count", links.len());
    Some(finding.with("path", shown(first)).at(Location::file(shown(first))))
}

/// A file or directory of the run of which a part is not known.
fn failed(input: &Path, path: &Path) -> DiscoveredFile {
    let below = path.strip_prefix(input).unwrap_or(path);
    let is_root = below.as_os_str().is_empty();
    let relative = if is_root { FileRecord::ROOT.to_owned() } else { shown(below) };
    DiscoveredFile::Settled(FileRecord { relative, bytes: 0, used: FileUse::Failed })
}

/// A directory of the run that nobody would look into.
fn not_entered(input: &Path, entry: &DirEntry) -> DiscoveredFile {
    let below = entry.path().strip_prefix(input).unwrap_or(entry.path());
    let reason = if is_hidden(entry.file_name()) {
        "ignored.hidden-directory"
    } else if entry.path_is_symlink() {
        "ignored.link"
    } else {
        "ignored.unrelated-directory"
    };
    let used = FileUse::Ignored { reason };
    DiscoveredFile::Settled(FileRecord { relative: shown(below) + "/", bytes: 0, used })
}

/// Whether anybody would look into a file or directory of that name.
fn is_looked_at(entry: &DirEntry, border: &Border) -> bool {
    let name = entry.file_name().to_string_lossy().to_lowercase();
    if entry.file_type().is_dir() {
        return is_entered(entry, border);
    }
    ignored_unopened(entry, border, unpacked_name(&name)).is_none()
}

fn is_entered(entry: &DirEntry, border: &Border) -> bool {
    !entry.file_type().is_dir() || enters(entry.file_name()) && !leads_to_met(entry, border)
}

/// Whether a walk enters a directory of that name.
pub(super) fn enters(name: &OsStr) -> bool {
    let hidden = is_hidden(name) && name != OsStr::new(HYDRA);
    !(hidden || SKIPPED_DIRECTORIES.contains(&name.to_string_lossy().as_ref()))
}

/// Whether a file at that path below a run is opened, and not passed over by its name.
#[cfg(any(test, feature = "object-stores"))]
pub(super) fn opens(below: &Path) -> bool {
    let name = below.file_name().unwrap_or_default();
    let is_passed_over = is_hidden(name) || is_binary(&name_to_read(&name.to_string_lossy()));
    !(is_passed_over || wandb_files::is_own_log(below))
}

/// Whether it is a link to a place in the run that is met anyway, and not to one that is passed over.
fn leads_to_met(entry: &DirEntry, border: &Border) -> bool {
    let target = entry.path_is_symlink().then(|| border.inner_target(entry.path())).flatten();
    let Some(target) = target else { return false };
    let is_directory = entry.file_type().is_dir();
    let inner = |name: &OsStr| {
        let shown = name.to_string_lossy();
        shown == HYDRA || !(is_hidden(name) || SKIPPED_DIRECTORIES.contains(&shown.as_ref()))
    };
    let mut names: Vec<&OsStr> = target.iter().collect();
    let file = if is_directory { None } else { names.pop() };
    let is_opened =
        |name: &OsStr| !is_hidden(name) && !is_binary(&name.to_string_lossy().to_lowercase());
    names.into_iter().all(inner) && file.is_none_or(is_opened)
}

/// Whether a name is that of a table, records or a document that is compressed in a way that is not read.
pub(super) fn holds_compressed_data(name: &str) -> bool {
    const WAYS: [&str; 7] = ["bz2", "xz", "lz4", "br", "zip", "gz", "zst"];
    const DATA: [&str; 6] = ["csv", "tsv", "jsonl", "ndjson", "json", "parquet"];
    let Some((inner, _)) = name.rsplit_once('.').filter(|(_, way)| WAYS.contains(way)) else {
        return false;
    };
    inner.rsplit_once('.').is_some_and(|(_, extension)| DATA.contains(&extension))
}

fn is_binary(name: &str) -> bool {
    let name = unpacked_name(name);
    // Results that are compressed in a way that is not read are told.
    !holds_compressed_data(name)
        && BINARY_EXTENSIONS.contains(&name.rsplit_once('.').map_or("", |(_, extension)| extension))
}

fn walk_finding(input: &Path, error: &walkdir::Error) -> Diagnostic {
    let path = error.path().map_or_else(|| shown(input), shown);
    let cause = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    unreadable(&path, cause)
}

fn look_at(
    input: &Path,
    border: &Border,
    limits: Limits,
    entry: &DirEntry,
) -> Warned<DiscoveredFile> {
    let path = entry.path();
    let below = path.strip_prefix(input).unwrap_or(path);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    let file_name = entry.file_name().to_string_lossy();
    let relative = if parts.is_empty() { file_name.clone().into_owned() } else { parts.join("/") };
    let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
    let settled =
        |used| DiscoveredFile::Settled(FileRecord { relative: relative.clone(), bytes, used });
    let name = name_to_read(&file_name);
    if let Some(reason) = ignored_unopened(entry, border, &name) {
        return Warned::clean(settled(FileUse::Ignored { reason }));
    }
    // Opening a pipe waits for whoever writes it, and a device may never end.
    if !entry.file_type().is_file() {
        let finding = unreadable(&shown(path), NO_FILE);
        return Warned::new(settled(FileUse::Failed), vec![finding]);
    }
    match read_head(path, limits) {
        Ok(head) => {
            let file = entry_of(path, relative, (bytes, head), parts.is_empty(), limits);
            Warned::clean(DiscoveredFile::File(as_table(file)))
        }
        Err(finding) => Warned::new(settled(FileUse::Failed), vec![*finding]),
    }
}

fn ignored_unopened(entry: &DirEntry, border: &Border, name: &str) -> Option<&'static str> {
    if entry.depth() == 0 {
        None
    } else if is_hidden(entry.file_name())
        && !(entry.path_is_symlink() && entry.file_name() == HYDRA)
    {
        Some("ignored.hidden")
    } else if is_binary(name) {
        Some("ignored.binary")
    } else if wandb_files::is_own_log(entry.path()) {
        Some("ignored.own-log")
    } else if leads_to_met(entry, border) {
        Some("ignored.link")
    } else {
        None
    }
}
