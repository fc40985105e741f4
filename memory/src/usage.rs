//! What the kernel says of the memory of this process, asked without allocating any.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::OnceLock;

use rustix::fs::{Mode, OFlags};

/// `/proc/self/statm`: seven numbers of pages (`proc_pid_statm(5)`).
static COUNTS: OnceLock<OwnedFd> = OnceLock::new();
const RESIDENT: usize = 1;
const DATA: usize = 5;

/// Opens what is asked later.
pub(crate) fn begin() -> io::Result<()> {
    let counts =
        rustix::fs::open(c"/proc/self/statm", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let _earlier = COUNTS.set(counts);
    Ok(())
}

/// Bytes that may be written to and lie in no file, whether they have been touched or not: what
/// `RLIMIT_DATA` limits.
pub(crate) fn private() -> Option<u64> {
    bytes(DATA)
}

/// Bytes in physical memory, pages of mapped files among them.
pub(crate) fn resident() -> Option<u64> {
    bytes(RESIDENT)
}

fn bytes(place: usize) -> Option<u64> {
    let mut line = [0; 128];
    let length = rustix::io::pread(COUNTS.get()?, &mut line[..], 0).ok()?;
    let line = std::str::from_utf8(&line[..length]).ok()?;
    let pages: u64 = line.split_ascii_whitespace().nth(place)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
