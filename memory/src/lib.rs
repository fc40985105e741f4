//! Memory of a process that is kept within a size.
//!
//! [`Allocator`] is that of the system until [`keep_within`] says how much there may be. From then on
//! a large block that would go beyond it lies in a file without a name, mapped into memory: the kernel
//! writes its pages out and drops them where memory is short, in a container with a limit too, instead
//! of ending the process. What is computed is the same, byte for byte, because nothing above an
//! allocator can tell.
//!
//! Small blocks are never moved: of data that grow, nearly all is in few large blocks.

mod available;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod limit;
#[cfg(target_os = "linux")]
mod usage;

#[cfg(target_os = "linux")]
use std::alloc::{GlobalAlloc, Layout, System};
use std::path::PathBuf;

pub use available::available;

/// Why memory cannot be kept within a limit.
#[derive(Debug)]
pub enum LimitError {
    /// This system has no files that [`Allocator`] could use.
    System,
    /// The directory is kept in memory itself (`tmpfs`).
    InMemory(PathBuf),
    /// The directory takes no file.
    Directory(PathBuf, std::io::Error),
    /// The system does not say how much memory is in use, or starts no thread.
    Usage(std::io::Error),
}

/// The system allocator, with file-backed blocks for what exceeds the size of [`keep_within`].
#[cfg(target_os = "linux")]
pub struct Allocator;
#[cfg(not(target_os = "linux"))]
pub use std::alloc::System as Allocator;

/// Keeps the memory of this process within `limit` bytes, once and for all: what is beyond it lies in
/// files in `$TMPDIR` (`/var/tmp` without), which are gone when the process ends, however it ends.
/// Three quarters of `limit` are for memory that is in no file, the rest for pages of files that are in
/// use. Later calls change nothing.
pub fn keep_within(limit: u64) -> Result<(), LimitError> {
    #[cfg(target_os = "linux")]
    return limit::set(limit, &limit::directory());
    #[cfg(not(target_os = "linux"))]
    {
        let _not_kept = limit;
        Err(LimitError::System)
    }
}

/// Bytes that had to stay in memory beyond the limit, because no file could be had for them (the disk
/// is full, or too many blocks lie in files already).
pub fn beyond() -> u64 {
    #[cfg(target_os = "linux")]
    return limit::beyond();
    #[cfg(not(target_os = "linux"))]
    0
}

#[cfg(target_os = "linux")]
// SAFETY: a block is either the system's, which gets each call as it came, or that of a file, which is
// found by its address; `limit::is_candidate` is true of every block that lies in a file.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if let Some(start) = limit::in_file(layout) {
            return start.as_ptr();
        }
        // SAFETY: the caller's contract is the same.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // A new file is full of zeros.
        if let Some(start) = limit::in_file(layout) {
            return start.as_ptr();
        }
        // SAFETY: the caller's contract is the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        if limit::is_candidate(layout) && files::close(start) {
            return;
        }
        // SAFETY: no file has the block, so that it is the system's.
        unsafe { System.dealloc(start, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller guarantees that `size` rounded up to the alignment does not overflow.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        if limit::is_candidate(layout) || limit::is_candidate(wanted) {
            // SAFETY: the caller's contract is the same.
            return unsafe { resized(start, layout, wanted) };
        }
        // SAFETY: no file has a block of that size, so that it is the system's.
        unsafe { System.realloc(start, layout, size) }
    }
}

/// As [`GlobalAlloc::realloc`], of blocks that may lie in files.
#[cfg(target_os = "linux")]
unsafe fn resized(start: *mut u8, layout: Layout, wanted: Layout) -> *mut u8 {
    let lies_in_file = limit::is_candidate(layout) && files::has(start);
    if !lies_in_file && !limit::goes_beyond(layout, wanted) {
        // SAFETY: no file has the block, so that it is the system's.
        return unsafe { System.realloc(start, layout, wanted.size()) };
    }
    if lies_in_file
        && limit::is_candidate(wanted)
        && let Some(moved) = files::resize(start, wanted.size())
    {
        return moved.as_ptr();
    }
    // SAFETY: `wanted` has a size, as the caller guarantees.
    let new = unsafe { Allocator.alloc(wanted) };
    if !new.is_null() {
        // SAFETY: two blocks that are in use do not overlap, and each has as many bytes.
        unsafe { new.copy_from_nonoverlapping(start, layout.size().min(wanted.size())) };
        // SAFETY: the block is the caller's, who gives it up.
        unsafe { Allocator.dealloc(start, layout) };
    }
    new
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
