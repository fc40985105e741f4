//! How much has been read so far, for whoever waits at a terminal. Nothing that is read depends on it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

static FILES: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static LAST: Mutex<Option<PathBuf>> = Mutex::new(None);

/// What the process has read so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Files that were opened for their content.
    pub files: u64,
    /// Bytes as they lie on disk.
    pub bytes: u64,
    /// The file that was opened last.
    pub last: Option<PathBuf>,
}

/// What the process has read so far.
pub fn progress() -> Progress {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Progress { files: FILES.load(Ordering::Relaxed), bytes: BYTES.load(Ordering::Relaxed), last }
}

/// Takes note of a file that is read now, and of bytes of it that are read at once.
pub(super) fn note(path: &Path, bytes: u64) {
    FILES.fetch_add(1, Ordering::Relaxed);
    BYTES.fetch_add(bytes, Ordering::Relaxed);
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(path.to_owned());
}

/// Takes note of bytes that came of a file that was noted before.
#[cfg(feature = "object-stores")]
pub(super) fn count(bytes: u64) {
    BYTES.fetch_add(bytes, Ordering::Relaxed);
}

/// Opens a file whose bytes are counted as they are read.
pub(super) fn open(path: &Path) -> io::Result<Counted> {
    let file = File::open(path)?;
    note(path, 0);
    Ok(Counted(file))
}

/// A file whose bytes are counted as they are read.
pub(super) struct Counted(pub(super) File);

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        BYTES.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}
