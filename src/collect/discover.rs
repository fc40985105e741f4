//! The files of a run in path order, each with its first bytes. Knows no formats.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use walkdir::{DirEntry, WalkDir};

use super::content::{unreadable, without_bom};
use super::{FileEntry, shown};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{FileRecord, FileUse};

/// Most files that are looked at in one run.
const MOST_FILES: usize = 50_000;
const HEAD: u64 = 64 << 10;
const GZIP_MAGIC: &[u8] = b"\x1f\x8b";
const SKIPPED_DIRECTORIES: &[&str] = &["node_modules", "__pycache__"];
/// Hidden, but the only place where hydra writes the configuration.
const HYDRA: &str = ".hydra";

const NO_FILE: &str = "it is a pipe, socket or device and no file";

/// Weights, archives, images and databases, which no reader opens.
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
    "npz",
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
    "zst",
    "xz",
    "bz2",
    "7z",
    "whl",
    "so",
    "pyc",
    "db",
    "sqlite",
    "xlsx",
    "wandb",
    "eval",
];

/// A file that waits for a reader, or one about which everything is said already.
pub(super) enum DiscoveredFile {
    File(FileEntry),
    Settled(FileRecord),
}

/// Walks a run. Symbolic links are followed unless they lead back into the run.
pub(super) fn discover(input: &Path) -> Warned<Vec<DiscoveredFile>> {
    let mut findings = Vec::new();
    let root = input.canonicalize().unwrap_or_else(|_| input.to_path_buf());
    let walk = WalkDir::new(input)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || is_entered(entry, &root));
    let mut walked: Vec<DirEntry> = Vec::new();
    let mut unread: Vec<DiscoveredFile> = Vec::new();
    for entry in walk {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(_) if walked.len() == MOST_FILES => {
                findings.push(
                    Diagnostic::new(Code::TooManyFiles)
                        .with("limit", MOST_FILES)
                        .at(Location::file(shown(input))),
                );
                unread.push(failed(input, input));
                break;
            }
            Ok(entry) => walked.push(entry),
            // A loop leads to files that are met anyway.
            Err(error) if error.loop_ancestor().is_some() => {}
            Err(error) => {
                unread.push(failed(input, error.path().unwrap_or(input)));
                findings.push(walk_finding(input, &error));
            }
        }
    }
    let looked_at: Vec<Warned<DiscoveredFile>> =
        walked.into_par_iter().map(|entry| look_at(input, &root, &entry)).collect();
    let mut found: Vec<DiscoveredFile> =
        looked_at.into_iter().map(|found| found.drain_into(&mut findings)).collect();
    found.extend(unread);
    Warned::new(found, findings)
}

/// A file or directory of the run of which a part is not known.
fn failed(input: &Path, path: &Path) -> DiscoveredFile {
    let below = path.strip_prefix(input).unwrap_or(path);
    let relative = if below.as_os_str().is_empty() { ".".to_owned() } else { shown(below) };
    DiscoveredFile::Settled(FileRecord { relative, bytes: 0, used: FileUse::Failed })
}

fn is_entered(entry: &DirEntry, root: &Path) -> bool {
    if !entry.file_type().is_dir() {
        return true;
    }
    let name = entry.file_name().to_string_lossy();
    let hidden = name.starts_with('.') && name != HYDRA;
    let leads_back = entry.path_is_symlink() && leads_into(entry.path(), root);
    !(hidden || leads_back || SKIPPED_DIRECTORIES.contains(&name.as_ref()))
}

fn leads_into(link: &Path, root: &Path) -> bool {
    link.canonicalize().is_ok_and(|target| target.starts_with(root))
}

fn walk_finding(input: &Path, error: &walkdir::Error) -> Diagnostic {
    let path = error.path().map_or_else(|| shown(input), shown);
    let cause = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    unreadable(&path, cause)
}

fn look_at(input: &Path, root: &Path, entry: &DirEntry) -> Warned<DiscoveredFile> {
    let path = entry.path();
    let below = path.strip_prefix(input).unwrap_or(path);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    let file_name = entry.file_name().to_string_lossy();
    let relative = if parts.is_empty() { file_name.clone().into_owned() } else { parts.join("/") };
    let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
    let settled =
        |used| DiscoveredFile::Settled(FileRecord { relative: relative.clone(), bytes, used });
    let lower = file_name.to_lowercase();
    let name = lower.strip_suffix(".gz").unwrap_or(&lower).to_owned();
    if let Some(reason) = ignored_unopened(entry, root, &name) {
        return Warned::clean(settled(FileUse::Ignored { reason }));
    }
    // Opening a pipe waits for whoever writes it, and a device may never end.
    if !entry.file_type().is_file() {
        let finding = unreadable(&shown(path), NO_FILE);
        return Warned::new(settled(FileUse::Failed), vec![finding]);
    }
    match read_head(path) {
        Ok((head, gzip)) => Warned::clean(DiscoveredFile::File(FileEntry {
            path: path.to_path_buf(),
            display: Arc::from(shown(path)),
            relative,
            name,
            bytes,
            head,
            gzip,
        })),
        Err(error) => Warned::new(settled(FileUse::Failed), vec![unreadable(&shown(path), error)]),
    }
}

fn ignored_unopened(entry: &DirEntry, root: &Path, name: &str) -> Option<&'static str> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if entry.depth() == 0 {
        None
    } else if name.starts_with('.') {
        Some("ignored.hidden")
    } else if BINARY_EXTENSIONS.contains(&extension) {
        Some("ignored.binary")
    } else if entry.path_is_symlink() && leads_into(entry.path(), root) {
        Some("ignored.link")
    } else {
        None
    }
}

/// The first bytes, decompressed, and whether the file is compressed. A compressed file that
/// breaks off gives what could be decompressed.
fn read_head(path: &Path) -> std::io::Result<(Vec<u8>, bool)> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    let gzip = head.starts_with(GZIP_MAGIC);
    if gzip {
        let mut plain = Vec::new();
        let mut decoder = MultiGzDecoder::new(head.as_slice()).take(HEAD);
        if let Err(error) = decoder.read_to_end(&mut plain)
            && plain.is_empty()
        {
            return Err(error);
        }
        head = plain;
    }
    Ok((without_bom(&head).to_vec(), gzip))
}
