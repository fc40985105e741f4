//! Blocks of memory that lie in files, each in one of its own that has no name.

use std::fmt::Write as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rustix::fs::{AtFlags, CWD, FallocateFlags, Mode, OFlags};
use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, MremapFlags, ProtFlags};

use crate::LimitError;

/// Every page begins at a multiple of it, on any machine.
pub(crate) const ALIGNMENT: usize = 4_096;
/// Files at once: fewer than a process may have open where nobody raised that (1,024).
const MOST: usize = 512;
/// Of file systems that keep their files in memory (`statfs(2)`).
const IN_MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58f6];

struct Block {
    start: NonNull<u8>,
    /// Bytes that are mapped, a multiple of a page.
    length: usize,
    file: OwnedFd,
}

// SAFETY: whoever holds the table owns its blocks' mappings, and no thread is special to a mapping.
unsafe impl Send for Block {}

static BLOCKS: Mutex<[Option<Block>; MOST]> = Mutex::new([const { None }; MOST]);
/// How many there are, so that whoever has none need not wait for the table.
static OPEN: AtomicUsize = AtomicUsize::new(0);
/// Of files that have a name for a moment.
static NUMBER: AtomicUsize = AtomicUsize::new(0);
static DIRECTORY: OnceLock<OwnedFd> = OnceLock::new();

/// Sets the directory, in which a file is made once to see that it can be.
pub(crate) fn set_directory(directory: &Path) -> Result<(), LimitError> {
    let error = |error: Errno| LimitError::Directory(directory.to_owned(), error.into());
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(CWD, directory, flags, Mode::empty()).map_err(error)?;
    let kind = rustix::fs::fstatfs(&opened).map_err(error)?.f_type;
    #[expect(
        clippy::cast_sign_loss,
        reason = "a pattern of bits, whose type differs from machine to machine"
    )]
    if IN_MEMORY.contains(&(kind as u64 & 0xffff_ffff)) {
        return Err(LimitError::InMemory(directory.to_owned()));
    }
    drop(nameless(&opened).map_err(error)?);
    let _earlier = DIRECTORY.set(opened);
    Ok(())
}

/// A block of at least `size` bytes, all of them 0; `None` where no file can be had.
pub(crate) fn open(size: usize) -> Option<NonNull<u8>> {
    let length = whole_pages(size)?;
    let file = nameless(DIRECTORY.get()?).ok()?;
    reserve(&file, 0, length).ok()?;
    let mut blocks = blocks();
    let free = blocks.iter_mut().find(|block| block.is_none())?;
    // SAFETY: a new mapping at a place that the kernel chooses touches nothing that is there.
    let start = unsafe {
        rustix::mm::mmap(
            ptr::null_mut(),
            length,
            ProtFlags::READ | ProtFlags::WRITE,
            MapFlags::SHARED,
            file.as_fd(),
            0,
        )
    };
    let start = NonNull::new(start.ok()?.cast())?;
    *free = Some(Block { start, length, file });
    OPEN.fetch_add(1, Ordering::Release);
    Some(start)
}

/// Whether a file has the block that begins there.
pub(crate) fn has(start: *mut u8) -> bool {
    are_open() && blocks().iter().flatten().any(|block| block.start.as_ptr() == start)
}

/// Gives the block up that begins there; false where no file has it.
pub(crate) fn close(start: *mut u8) -> bool {
    if !are_open() {
        return false;
    }
    let mut blocks = blocks();
    let found = blocks.iter_mut().find(|block| begins_at(block.as_ref(), start));
    let Some(Block { start, length, .. }) = found.and_then(Option::take) else { return false };
    // SAFETY: the mapping is the block's, which nobody has any more.
    let unmapped = unsafe { rustix::mm::munmap(start.as_ptr().cast(), length) };
    debug_assert!(unmapped.is_ok(), "{unmapped:?}");
    OPEN.fetch_sub(1, Ordering::Release);
    true
}

/// Makes the block that begins there longer or shorter, with what is in it; `None` changes nothing.
pub(crate) fn resize(start: *mut u8, size: usize) -> Option<NonNull<u8>> {
    let length = whole_pages(size)?;
    let mut blocks = blocks();
    let block = blocks.iter_mut().flatten().find(|block| block.start.as_ptr() == start)?;
    if length > block.length {
        reserve(&block.file, block.length, length).ok()?;
    }
    // SAFETY: the mapping is the block's, and whoever has it uses the new address from now on.
    let moved =
        unsafe { rustix::mm::mremap(start.cast(), block.length, length, MremapFlags::MAYMOVE) };
    block.start = NonNull::new(moved.ok()?.cast())?;
    if length < block.length {
        // What is behind the end is given back; a file that stays long does no harm.
        let _shorter = rustix::fs::ftruncate(&block.file, length as u64);
    }
    block.length = length;
    Some(block.start)
}

pub(crate) fn are_open() -> bool {
    OPEN.load(Ordering::Acquire) > 0
}

/// Takes the pages of all blocks out of the memory of this process; they come back when they are touched.
pub(crate) fn drop_pages() {
    for block in blocks().iter().flatten() {
        // SAFETY: pages of a shared mapping stay in the file, with what was written to them.
        let dropped = unsafe {
            rustix::mm::madvise(block.start.as_ptr().cast(), block.length, Advice::LinuxDontNeed)
        };
        debug_assert!(dropped.is_ok(), "{dropped:?}");
    }
}

fn blocks() -> MutexGuard<'static, [Option<Block>; MOST]> {
    BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn begins_at(block: Option<&Block>, start: *mut u8) -> bool {
    block.is_some_and(|block| block.start.as_ptr() == start)
}

fn whole_pages(size: usize) -> Option<usize> {
    size.checked_next_multiple_of(rustix::param::page_size())
}

/// Has the disk keep room for the bytes from `from` to `to`: a write to mapped memory that found it full
/// would end the process.
fn reserve(file: &OwnedFd, from: usize, to: usize) -> Result<(), Errno> {
    loop {
        let room =
            rustix::fs::fallocate(file, FallocateFlags::empty(), from as u64, (to - from) as u64);
        match room {
            Err(Errno::INTR) => {}
            // File systems and kernels that cannot reserve, such as version 3 of NFS.
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => return write_zeros(file, from, to),
            _ => return room,
        }
    }
}

/// Writes zeros from `from` to `to`, so that there is room for these bytes.
pub(crate) fn write_zeros(file: &OwnedFd, mut from: usize, to: usize) -> Result<(), Errno> {
    static ZEROS: [u8; 1 << 14] = [0; 1 << 14];
    while from < to {
        let zeros = &ZEROS[..ZEROS.len().min(to - from)];
        match rustix::io::pwrite(file, zeros, from as u64) {
            Err(Errno::INTR) => {}
            Ok(0) => return Err(Errno::NOSPC),
            written => from += written?,
        }
    }
    Ok(())
}

/// A file in that directory that has no name, so that it is gone with the process.
fn nameless(directory: &OwnedFd) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDWR | OFlags::CLOEXEC;
    let mode = Mode::RUSR | Mode::WUSR;
    match rustix::fs::openat(directory, c".", flags | OFlags::TMPFILE, mode) {
        // File systems, and kernels of before 3.11, that know no such files.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT | Errno::INVAL) => {}
        opened => return opened,
    }
    let mut name = Name { bytes: [0; 64], length: 0 };
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    write!(name, ".reportgen-memory-{}-{number}", std::process::id())
        .map_err(|_| Errno::NAMETOOLONG)?;
    let name = &name.bytes[..name.length];
    let file = rustix::fs::openat(directory, name, flags | OFlags::CREATE | OFlags::EXCL, mode)?;
    rustix::fs::unlinkat(directory, name, AtFlags::empty())?;
    Ok(file)
}

/// A short name, written without allocating memory.
struct Name {
    bytes: [u8; 64],
    length: usize,
}

impl std::fmt::Write for Name {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.length + text.len();
        let room = self.bytes.get_mut(self.length..end).ok_or(std::fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}
