//! One writer in a directory at a time.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::signals::Deferred;
use crate::exit::Failure;
use crate::text::Refusal;

const NAME: &str = ".reportgen.lock";
/// What stands in a lock, by which it is known from a file of somebody's.
const CONTENT: &[u8] = b"reportgen writes here\n";
const PAUSE: Duration = Duration::from_millis(10);
/// Ten seconds: many times what a writer needs.
const ATTEMPTS: usize = 1000;

/// As long as it lives, no other process of this program writes into the directory.
pub(super) struct Lock {
    _file: File,
    path: PathBuf,
    _until_it_is_gone: Deferred,
}

impl Drop for Lock {
    /// The file goes before the lock does, so that whoever waits for it sees that it is gone.
    fn drop(&mut self) {
        let _kept = fs::remove_file(&self.path);
    }
}

/// Whether somebody writes there, or was killed at it.
pub(super) fn is_left(directory: &Path) -> bool {
    fs::symlink_metadata(directory.join(NAME)).is_ok()
}

/// Waits until nobody else writes into the directory. Where the file system knows no locks, it is as
/// if nobody did.
pub(super) fn take(directory: &Path) -> Result<Lock, Failure> {
    let path = directory.join(NAME);
    for _ in 0..ATTEMPTS {
        let deferred = Deferred::begin();
        let Some(file) = open(&path).map_err(|source| Failure::write(&path, source))? else {
            continue;
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                drop(deferred);
                std::thread::sleep(PAUSE);
            }
            _ if is_at(&file, &path) => {
                return own(file, path.clone(), deferred)
                    .map_err(|source| Failure::write(&path, source));
            }
            _ => {}
        }
    }
    let shown = directory.display().to_string();
    Err(Failure::input(Refusal::new("refused.busy").with("path", shown)))
}

/// Opens the file, made new unless it is there; `None` where it was removed meanwhile.
fn open(path: &Path) -> io::Result<Option<File>> {
    let options = || {
        let mut options = File::options();
        options.read(true).write(true);
        options
    };
    let file = match options().create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
                return Err(io::Error::other(Refusal::new("refused.no-file")));
            }
            match options().open(path) {
                // It is another user's.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => File::open(path),
                opened => opened,
            }
        }
        opened => opened,
    };
    match file {
        Err(error)
            if error.kind() == io::ErrorKind::NotFound
                && path.parent().is_some_and(Path::is_dir) =>
        {
            Ok(None)
        }
        file => file.map(Some),
    }
}

/// A file as a lock. One in which something else stands is somebody's and would be gone with the lock;
/// that of a writer that was killed may hold less.
fn own(mut file: File, path: PathBuf, deferred: Deferred) -> io::Result<Lock> {
    let mut content = Vec::new();
    (&file).take(CONTENT.len() as u64 + 1).read_to_end(&mut content)?;
    if content.is_empty() {
        // A lock of another user holds without.
        let _unnamed = file.write_all(CONTENT);
    } else if !CONTENT.starts_with(&content) {
        return Err(io::Error::other(Refusal::new("refused.no-lock")));
    }
    Ok(Lock { _file: file, path, _until_it_is_gone: deferred })
}

/// Whether a file still lies at its path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |there: fs::Metadata| (there.dev(), there.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(mine), Ok(there)) => place(mine) == place(there),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
