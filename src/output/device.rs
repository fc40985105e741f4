//! Pipes, terminals and devices, which are written to as they are.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

#[cfg(unix)]
use crate::text::Refusal;

/// Whether a path is something that takes a stream of bytes and must not be replaced by a file: no
/// file itself, or one that the process has open (`/dev/fd/3`).
pub(super) fn is_device(path: &Path) -> bool {
    match fs::metadata(path) {
        Err(_) => false,
        Ok(there) if there.is_dir() => false,
        Ok(there) => !there.is_file() || stands_for_an_open_file(path),
    }
}

fn stands_for_an_open_file(path: &Path) -> bool {
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    path.is_symlink()
        && parent.is_some_and(|parent| parent == Path::new("/dev") || parent.starts_with("/proc"))
}

/// Writes to it. A pipe that nobody reads is an error, not something to wait for.
pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    open(path)?.write_all(content)
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use rustix::io::Errno;

    let at_once = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let mut options = File::options();
    options.write(true).truncate(true).custom_flags(at_once.cast_signed());
    let file = options.open(path).map_err(|error| {
        let is_unread = error.raw_os_error() == Some(Errno::NXIO.raw_os_error());
        if is_unread { io::Error::other(Refusal::new("refused.unread-pipe")) } else { error }
    })?;
    // Whoever reads slowly is waited for.
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::options().write(true).open(path)
}
