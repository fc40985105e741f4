//! Which documents are meant, and their texts.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::exit::Failure;

/// Directories in which nobody writes reports.
const OTHERS: &[&str] = &["node_modules", "target", "venv", "site-packages", "__pycache__"];
const ENDINGS: &[&str] = &["md", "markdown"];
/// The argument that stands for standard input.
const STANDARD_INPUT: &str = "-";

#[derive(Clone)]
pub(super) struct Document {
    /// Without one for standard input.
    pub(super) path: Option<PathBuf>,
    /// What it is called.
    pub(super) shown: String,
    pub(super) text: String,
    /// Whether all of it could be read as text.
    pub(super) is_whole: bool,
}

/// The documents that are named, and the Markdown files of directories in the order of their names.
pub(super) fn paths(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = Vec::new();
    for path in named {
        if !path.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let walk = WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(is_looked_into);
        for entry in walk {
            let entry = entry.map_err(|error| Failure::read(path, error.into()))?;
            if entry.file_type().is_file() && is_markdown(entry.path()) {
                paths.push(entry.into_path());
            }
        }
    }
    Ok(paths)
}

fn is_looked_into(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    entry.depth() == 0 || !(name.starts_with('.') || OTHERS.contains(&name.as_ref()))
}

fn is_markdown(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

pub(super) fn read(path: PathBuf) -> Result<Document, Failure> {
    let is_input = path.as_os_str() == STANDARD_INPUT;
    let read = if is_input {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(&path)
    };
    let bytes = read.map_err(|source| Failure::read(&path, source))?;
    let shown = path.display().to_string();
    let shown = shown.strip_prefix("./").unwrap_or(&shown).to_owned();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let is_whole = text.as_bytes() == bytes;
    Ok(Document { path: (!is_input).then_some(path), shown, text, is_whole })
}
