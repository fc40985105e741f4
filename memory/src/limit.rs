//! How much memory there may be, and which blocks would go beyond it.

use std::alloc::Layout;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use crate::{LimitError, files, usage};

/// The smallest block that is worth a file.
const SMALLEST: usize = 1 << 20;
/// With larger limits larger ones, so that a limit is kept by few files.
const SHARE: u64 = 1_024;
/// How often pages are counted: a program that touches new ones as fast as it can has 50 MB more by then.
const PAUSE: Duration = Duration::from_millis(10);

/// Size of the smallest block that may lie in a file. It is set once: of a smaller one nobody asks
/// whether it lies there.
static LARGE: AtomicUsize = AtomicUsize::new(usize::MAX);
/// Bytes that may be in no file.
static PRIVATE: AtomicU64 = AtomicU64::new(u64::MAX);
static BEYOND: AtomicU64 = AtomicU64::new(0);
/// The thread that drops mapped pages.
static WATCH: OnceLock<Thread> = OnceLock::new();

/// Where files are to lie: `/tmp` is in memory on many machines, `/var/tmp` is not.
pub(crate) fn directory() -> PathBuf {
    let named = std::env::var_os("TMPDIR").filter(|name| !name.is_empty());
    PathBuf::from(named.unwrap_or_else(|| "/var/tmp".into()))
}

pub(crate) fn set(limit: u64, directory: &Path) -> Result<(), LimitError> {
    files::set_directory(directory)?;
    if WATCH.get().is_some() {
        return Ok(());
    }
    usage::begin().map_err(LimitError::Usage)?;
    let watch = thread::Builder::new().name("memory".to_owned()).stack_size(64 << 10);
    let watch = watch.spawn(move || watch_pages(limit)).map_err(LimitError::Usage)?;
    if WATCH.set(watch.thread().clone()).is_ok() {
        PRIVATE.store(limit / 4 * 3, Ordering::Relaxed);
        let large = usize::try_from(limit / SHARE).unwrap_or(usize::MAX - 1).max(SMALLEST);
        LARGE.store(large, Ordering::Release);
    }
    Ok(())
}

pub(crate) fn beyond() -> u64 {
    BEYOND.load(Ordering::Relaxed)
}

/// Whether a block of that layout may lie in a file.
#[inline]
pub(crate) fn is_candidate(layout: Layout) -> bool {
    layout.size() >= LARGE.load(Ordering::Acquire) && layout.align() <= files::ALIGNMENT
}

/// A new block in a file, where the limit asks for it; `None` is for the system's allocator.
#[inline]
pub(crate) fn in_file(layout: Layout) -> Option<NonNull<u8>> {
    if is_candidate(layout) { new_file(layout) } else { None }
}

fn new_file(layout: Layout) -> Option<NonNull<u8>> {
    if fits(layout.size()) {
        return None;
    }
    let block = files::open(layout.size());
    match block {
        Some(_) => WATCH.get().into_iter().for_each(Thread::unpark),
        None => {
            BEYOND.fetch_add(layout.size() as u64, Ordering::Relaxed);
        }
    }
    block
}

/// Whether a block that lies in no file would go beyond the limit when it grows.
pub(crate) fn goes_beyond(old: Layout, new: Layout) -> bool {
    is_candidate(new) && new.size() > old.size() && !fits(new.size() - old.size())
}

fn fits(more: usize) -> bool {
    let allowed = PRIVATE.load(Ordering::Relaxed);
    usage::private().is_none_or(|bytes| bytes.saturating_add(more as u64) <= allowed)
}

/// Takes the pages of files out of this process's memory whenever it has more than its limit; they stay
/// in that of the kernel as long as there is room.
fn watch_pages(limit: u64) {
    loop {
        thread::park();
        while files::are_open() {
            if usage::resident().is_some_and(|bytes| bytes > limit) {
                files::drop_pages();
            }
            thread::sleep(PAUSE);
        }
    }
}
