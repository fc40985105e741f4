//! A directory that one process works for at a time, from its first look to its last file.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;
use std::time::Duration;

use super::files;
use crate::exit::Failure;

/// The file is never removed: a lock on a file that is gone holds nobody off.
const NAME: &str = ".reportgen.held";
const MOST: u64 = 4096;
/// Half a second.
const ATTEMPTS: u32 = 25;
const PAUSE: Duration = Duration::from_millis(20);

/// Holds the directory until it is dropped, or the process ends.
#[derive(Debug)]
pub struct Held {
    file: File,
}

impl Drop for Held {
    fn drop(&mut self) {
        let _named_until_the_next = self.file.set_len(0);
    }
}

/// Whether the directory could be held.
#[derive(Debug)]
pub enum Hold {
    /// It is held now. An owner that did not come to its end is named.
    Taken { held: Held, killed: Option<String> },
    /// Somebody else holds it, who says this of himself.
    Busy(String),
}

/// Holds a directory, in the name of `owner`; it is made if it is not there.
///
/// # Errors
/// When the file that is locked cannot be made, or the file system knows no locks.
pub fn hold(directory: &Path, owner: &str) -> Result<Hold, Failure> {
    let path = directory.join(NAME);
    let failed = |source| Failure::write(&path, source);
    files::make_directories(directory).map_err(|source| Failure::write(directory, source))?;
    let there = fs::symlink_metadata(&path);
    if there.is_ok_and(|there| !there.is_file()) {
        return Err(failed(io::Error::from(io::ErrorKind::AlreadyExists)));
    }
    let opened = File::options().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = opened.map_err(failed)?;
    let mut attempts = 0;
    while let Err(error) = file.try_lock() {
        match error {
            // A process that is being started has the files of its parent open for a moment.
            TryLockError::WouldBlock if attempts < ATTEMPTS => std::thread::sleep(PAUSE),
            TryLockError::WouldBlock => return Ok(Hold::Busy(said(&mut file).map_err(failed)?)),
            TryLockError::Error(source) => return Err(failed(source)),
        }
        attempts += 1;
    }
    let before = said(&mut file).map_err(failed)?;
    let written = file
        .set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| file.write_all(owner.as_bytes()));
    written.map_err(failed)?;
    let killed = Some(before).filter(|before| !before.is_empty());
    Ok(Hold::Taken { held: Held { file }, killed })
}

fn said(file: &mut File) -> io::Result<String> {
    let mut text = Vec::new();
    file.rewind()?;
    file.take(MOST).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(directory: &Path, owner: &str) -> Hold {
        hold(directory, owner).expect("a lock")
    }

    #[test]
    fn a_directory_has_one_holder_who_is_named_and_a_killed_one_is_told() {
        let directory = tempfile::tempdir().expect("a directory");
        let out = directory.path().join("out");
        let Hold::Taken { held, killed: None } = check(&out, "first") else { panic!("is held") };
        assert!(matches!(check(&out, "second"), Hold::Busy(owner) if owner == "first"));
        drop(held);
        let Hold::Taken { held, killed: None } = check(&out, "second") else { panic!("is held") };
        // What a kill leaves: the name stands there, and nobody holds the lock.
        drop(held);
        fs::write(out.join(NAME), "killed").expect("written");
        let Hold::Taken { killed, .. } = check(&out, "third") else { panic!("is held") };
        assert_eq!(killed.as_deref(), Some("killed"));
    }
}
