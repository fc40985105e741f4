//! One file, whole or not at all, and the directories above it.
//!
//! A file is written beside its place, under a random name that did not exist, and renamed: a reader
//! sees the old one or the new one, and nothing is ever written through a link.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::device;
use super::signals::Deferred;
use crate::text::Refusal;

/// Prefix of the names of temporary files.
pub(super) const UNPLACED: &str = ".reportgen-";
const UNPLACED_FILE: &str = ".tmp";

/// Writes a file whole, with the directories above it. A device or pipe is written to as it is.
///
/// # Errors
/// When a directory above it cannot be made, or the file cannot be written. Nothing is left behind.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    if device::is_device(path) {
        return device::write(path, content.as_ref());
    }
    let made = make_directories(directory_of(path))?;
    replace(path, content.as_ref()).inspect_err(|_| remove_directories(&made))
}

/// The same of bytes, and never a device.
///
/// # Errors
/// As [`write_whole`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let made = make_directories(directory_of(path))?;
    replace(path, bytes).inspect_err(|_| remove_directories(&made))
}

/// The directory that a file lies in.
pub(super) fn directory_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Makes a directory and those above it; returns the new ones, the innermost first.
pub(super) fn make_directories(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let missing = directory
        .ancestors()
        .take_while(|path| !path.as_os_str().is_empty() && fs::symlink_metadata(path).is_err());
    let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    fs::create_dir_all(directory).inspect_err(|_| remove_directories(&missing))?;
    Ok(missing)
}

/// Removes directories that are empty.
pub(super) fn remove_directories(made: &[PathBuf]) {
    for directory in made {
        let _kept = fs::remove_dir(directory);
    }
}

/// Puts a file in its place. A link that is there is replaced, and its target left alone.
pub(super) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let _until_it_lies_there = Deferred::begin();
    let directory = directory_of(path);
    remove_abandoned(directory);
    let file = unplaced(directory, content)?;
    // Who may read it was decided by whoever made the file that it replaces.
    if let Ok(before) = fs::symlink_metadata(path)
        && before.is_file()
    {
        fs::set_permissions(file.path(), before.permissions())?;
    }
    file.persist(path)?;
    Ok(())
}

/// Refuses a link in the place of a file that is written where it lies: it may lead anywhere.
///
/// # Errors
/// Where it is one.
pub fn refuse_link(path: &Path) -> io::Result<()> {
    let refused = || io::Error::new(io::ErrorKind::InvalidInput, Refusal::new("refused.link"));
    if path.is_symlink() && !device::is_device(path) { Err(refused()) } else { Ok(()) }
}

/// Adds a text at the end of a file, on a line of its own. Where that fails, the file is as it was.
pub(super) fn append(path: &Path, text: &str) -> io::Result<()> {
    refuse_link(path)?;
    let _until_it_stands_there = Deferred::begin();
    let mut file = File::options().read(true).append(true).create(true).open(path)?;
    let before = file.metadata()?.len();
    let mut last = [b'\n'];
    if before > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let gap = if last == *b"\n" { "" } else { "\n" };
    file.write_all(format!("{gap}{text}").as_bytes()).inspect_err(|_| {
        let _kept = file.set_len(before);
    })
}

/// Puts a file where nothing is.
pub(super) fn put_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let _until_it_lies_there = Deferred::begin();
    unplaced(directory_of(path), content)?.persist_noclobber(path)?;
    Ok(())
}

/// A file of a random name with that content, on the disk. It is locked as long as its writer lives,
/// and gone when it is dropped.
fn unplaced(directory: &Path, content: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(UNPLACED).suffix(UNPLACED_FILE);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Those of any new file, and not those of a secret one.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    loop {
        let mut file = builder.tempfile_in(directory)?;
        let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        // Another process took it for abandoned before it was locked.
        if is_taken || !file.path().exists() {
            continue;
        }
        file.write_all(content)?;
        file.as_file().sync_all()?;
        return Ok(file);
    }
}

/// Whether a name is one that is given to what is not in its place yet.
pub(super) fn is_unplaced(name: &str) -> bool {
    let random = name.strip_prefix(UNPLACED);
    random.is_some_and(|random| {
        random.len() == 6 && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Removes files of writers that were killed: nobody holds their lock.
fn remove_abandoned(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.strip_suffix(UNPLACED_FILE).is_some_and(is_unplaced)
    }) {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let file = File::options().read(true).write(true).open(entry.path());
        if is_file && file.is_ok_and(|file| file.try_lock().is_ok()) {
            let _kept = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries =
            fs::read_dir(directory).expect("listed").map(|entry| entry.expect("an entry"));
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let path = dir.path().join("sub/report.md");
        for text in ["one", "two"] {
            write_whole(&path, text).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("read"), text);
        }
        assert_eq!(names(&dir.path().join("sub")), ["report.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_replaced_keeps_who_may_read_it() {
        use std::os::unix::fs::PermissionsExt as _;

        let dir = tempfile::tempdir().expect("temporary directory");
        let path = dir.path().join("report.md");
        fs::write(&path, "private").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
        replace(&path, b"filled").expect("written");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn what_is_appended_stands_behind_what_was_there_on_a_line_of_its_own() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let path = dir.path().join("summary.md");
        for (before, expected) in [("", "new\n"), ("old\n", "old\nnew\n"), ("old", "old\nnew\n")] {
            fs::write(&path, before).expect("written");
            append(&path, "new\n").expect("appended");
            assert_eq!(fs::read_to_string(&path).expect("read"), expected);
        }
    }

    #[test]
    fn what_a_killed_writer_left_goes_and_what_a_living_one_writes_stays() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let living = unplaced(dir.path(), b"mine").expect("written");
        let dead = unplaced(dir.path(), b"nobody's").expect("written");
        let (file, _) = dead.keep().expect("kept");
        drop(file);
        let persons = [".reportgen-notes", ".reportgen-my-notes.tmp"].map(str::to_owned);
        for name in &persons {
            fs::write(dir.path().join(name), "a person's").expect("written");
        }
        replace(&dir.path().join("report.md"), b"new").expect("written");
        let name = living.path().file_name().expect("a name").to_string_lossy().into_owned();
        let mut expected: Vec<_> =
            persons.into_iter().chain(["report.md".to_owned(), name]).collect();
        expected.sort();
        assert_eq!(names(dir.path()), expected);
    }

    #[test]
    fn directories_that_were_made_for_nothing_go_again() {
        let dir = tempfile::tempdir().expect("temporary directory");
        fs::create_dir_all(dir.path().join("there")).expect("made");
        let made = make_directories(&dir.path().join("there/a/b")).expect("made");
        remove_directories(&made);
        assert_eq!(names(&dir.path().join("there")), [""; 0]);
    }
}
