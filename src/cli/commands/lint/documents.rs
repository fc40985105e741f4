//! Which documents are meant, and their texts.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::exit::Failure;
use crate::text::Refusal;

/// Directories in which nobody writes reports.
const OTHERS: &[&str] = &["node_modules", "target", "venv", "site-packages", "__pycache__"];
const ENDINGS: &[&str] = &["md", "markdown"];
/// The argument that stands for standard input.
pub(super) const STANDARD_INPUT: &str = "-";

#[derive(Clone)]
pub(super) struct Document {
    /// Without one for standard input.
    pub(super) path: Option<PathBuf>,
    /// What it is called.
    pub(super) shown: String,
    pub(super) text: String,
    pub(super) coding: Coding,
}

/// How the characters of a document are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    Utf8,
    /// Not read.
    Utf16,
    /// Read with signs in the place of some characters, and so not written.
    Other,
}

impl Coding {
    fn of(bytes: &[u8]) -> Self {
        let zeros = bytes.iter().take(512).filter(|byte| **byte == 0).count();
        let is_wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        if is_wide || 4 * zeros > bytes.len().min(512) {
            Self::Utf16
        } else if str::from_utf8(bytes).is_err() {
            Self::Other
        } else {
            Self::Utf8
        }
    }

    /// What is to be said of it.
    pub(super) fn refusal(self, path: &str) -> Option<Refusal> {
        let key = match self {
            Self::Utf8 => return None,
            Self::Utf16 => "lint.utf-16",
            Self::Other => "lint.other-coding",
        };
        Some(Refusal::new(key).with("path", path))
    }
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
    let coding = Coding::of(&bytes);
    let text = match coding {
        Coding::Utf16 => String::new(),
        Coding::Utf8 | Coding::Other => String::from_utf8_lossy(&bytes).into_owned(),
    };
    Ok(Document { path: (!is_input).then_some(path), shown, text, coding })
}
