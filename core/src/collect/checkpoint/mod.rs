//! Directories that hold one trained model: names, JSON files and headers of weights.
//!
//! Weights themselves are read only when their numbers are asked for.

mod documents;
mod safetensors;
mod values;

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::border::{NOT_FOLLOWED, leads_elsewhere};
use super::shown;
use crate::model::{Access, Checkpoint, CheckpointFile, Damage, Shard};

/// Directories below the given one whose names are listed; shards of trainings lie at most so deep.
const DEPTH: usize = 2;

/// The first line of a file whose content Git LFS keeps elsewhere.
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/";

/// A pointer of Git LFS is shorter than this many bytes, as its specification says.
const LONGEST_POINTER: u64 = 1024;

#[derive(Debug, thiserror::Error)]
pub enum Unlistable {
    #[error("`{path}` is a file; name the directory that it lies in")]
    File { path: String },
    #[error("cannot read the model directory `{path}`")]
    Directory {
        path: String,
        #[source]
        source: io::Error,
    },
}

/// Reads what is known of a model without its weights; `scan` looks through their numbers too. Of strangers
/// no link is followed.
///
/// # Errors
/// When the directory, or one in it, cannot be listed, or holds a link of a stranger. Whatever is wrong with
/// a file is part of the answer.
pub fn read(directory: &Path, scan: bool, access: &Access) -> Result<Checkpoint, Unlistable> {
    let path = shown(directory);
    let is_untrusted = access.is_untrusted;
    if leads_elsewhere(directory, access) {
        return Err(Unlistable::Directory { path, source: io::Error::other(NOT_FOLLOWED) });
    }
    if directory.is_file() {
        return Err(Unlistable::File { path });
    }
    let mut files = Vec::new();
    list(directory, "", (DEPTH, is_untrusted), &mut files)
        .map_err(|source| Unlistable::Directory { path: path.clone(), source })?;
    files.sort_by(|a, b| a.0.name.cmp(&b.0.name));
    let weights: Vec<_> = files.iter().filter(|(file, _)| is_weights(&file.name)).collect();
    let shards = weights.into_par_iter().map(|(file, place)| shard(file, place, scan)).collect();
    Ok(Checkpoint {
        path,
        config: documents::read(directory, "config.json", |path, table| {
            Ok(documents::config(path, table))
        }),
        generation: documents::read(directory, "generation_config.json", |path, table| {
            Ok(documents::generation(path, table))
        }),
        tokenizer: documents::read(directory, "tokenizer.json", documents::tokenizer),
        tokenizer_config: documents::read(directory, "tokenizer_config.json", |_, table| {
            Ok(documents::tokenizer_config(table))
        }),
        vocabulary: documents::read(directory, "vocab.json", documents::vocab),
        adapter: documents::read(directory, "adapter_config.json", |_, table| {
            Ok(documents::adapter(table))
        }),
        index: documents::read(directory, "model.safetensors.index.json", documents::index),
        shards,
        files: files.into_iter().map(|(file, _)| file).collect(),
        is_scanned: scan,
    })
}

fn is_weights(name: &str) -> bool {
    !name.contains('/') && name.ends_with(".safetensors")
}

fn list(
    directory: &Path,
    prefix: &str,
    (depth, is_untrusted): (usize, bool),
    files: &mut Vec<(CheckpointFile, PathBuf)>,
) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let place = entry?.path();
        if is_untrusted && place.symlink_metadata()?.is_symlink() {
            return Err(io::Error::other(format!("{}: {NOT_FOLLOWED}", shown(&place))));
        }
        let last = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = format!("{prefix}{last}");
        // A link to nowhere counts as a file without content.
        let about = fs::metadata(&place);
        if about.as_ref().is_ok_and(fs::Metadata::is_dir) {
            if depth > 0 {
                list(&place, &format!("{name}/"), (depth - 1, is_untrusted), files)?;
            }
            continue;
        }
        // Opening a pipe would wait for somebody to write into it.
        let about = about.ok().filter(fs::Metadata::is_file);
        let bytes = about.as_ref().map_or(0, fs::Metadata::len);
        let is_pointer = about.is_some() && bytes < LONGEST_POINTER && starts_with(&place, LFS);
        files.push((CheckpointFile { name, bytes, is_pointer }, place));
    }
    Ok(())
}

fn starts_with(place: &Path, beginning: &[u8]) -> bool {
    let mut head = Vec::new();
    let read =
        File::open(place).and_then(|file| file.take(beginning.len() as u64).read_to_end(&mut head));
    read.is_ok() && head == beginning
}

fn shard(file: &CheckpointFile, place: &Path, scan: bool) -> Shard {
    let path = shown(place);
    let mut header = safetensors::header(place, &path, file.bytes);
    let mut values = None;
    if let (true, Ok(read)) = (scan, &header) {
        match values::scan(place, read, file.bytes) {
            Ok(found) => values = Some(found),
            Err(error) => {
                let cause = error.to_string();
                header = Err(Damage { path: path.clone(), line: None, cause });
            }
        }
    }
    Shard { file: file.name.clone(), path, bytes: file.bytes, header, values }
}
