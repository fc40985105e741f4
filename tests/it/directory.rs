//! Files that a test makes, in a directory that goes with it.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A directory of its own.
pub(crate) struct Directory(TempDir);

impl Directory {
    /// An empty one.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    /// One with these files: paths below it, and contents.
    pub(crate) fn of<P: AsRef<Path>, C: AsRef<[u8]>>(
        files: impl IntoIterator<Item = (P, C)>,
    ) -> Self {
        let directory = Self::new();
        for (below, content) in files {
            directory.write(below, content);
        }
        directory
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file below it; its own for an empty text.
    pub(crate) fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.root().join(below).components().collect()
    }

    /// A path below it as a word of a command line.
    pub(crate) fn word(&self, below: impl AsRef<Path>) -> String {
        self.path(below).to_str().expect("UTF-8").to_owned()
    }

    /// Writes a file, and the directories above it.
    pub(crate) fn write(&self, below: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        write_file(&self.path(below), content);
    }

    pub(crate) fn read(&self, below: impl AsRef<Path>) -> String {
        let path = self.path(below);
        let text = fs::read_to_string(&path);
        text.map_err(|error| format!("{}: {error}", path.display())).expect("a text")
    }
}

/// Writes a file, and the directories above it.
pub(crate) fn write_file(path: &Path, content: impl AsRef<[u8]>) {
    let parent = path.parent().expect("a file lies in a directory");
    fs::create_dir_all(parent).expect("the directory is made");
    fs::write(path, content).expect("the file is written");
}

/// The files below a directory.
pub(crate) fn files_below(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// A path of a fixture with the signs that not every system takes in names.
pub(crate) fn unescaped(path: &str) -> String {
    path.replace("%7C", "|").replace("%3A", ":")
}
