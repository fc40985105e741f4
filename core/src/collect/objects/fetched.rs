//! What was fetched of addresses, and what it is called.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

/// What was fetched, for as long as any command needs it.
pub(super) struct Fetched {
    commands: usize,
    /// All of it; the directory is removed with this.
    pub(super) place: Option<TempDir>,
    pub(super) trees: Vec<FetchedTree>,
}

/// What one address names.
pub(super) struct FetchedTree {
    /// Without a slash at its end.
    pub(super) address: String,
    pub(super) place: PathBuf,
    /// Files that are there with their sizes alone.
    pub(super) hollow: BTreeSet<PathBuf>,
}

static FETCHED: Mutex<Fetched> =
    Mutex::new(Fetched { commands: 0, place: None, trees: Vec::new() });

pub(super) fn fetched() -> MutexGuard<'static, Fetched> {
    FETCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A command that may fetch: when the last one ends, what was fetched is removed.
pub struct Fetching(());

impl Fetching {
    pub fn begin() -> Self {
        fetched().commands += 1;
        Self(())
    }
}

impl Drop for Fetching {
    fn drop(&mut self) {
        let mut known = fetched();
        known.commands -= 1;
        if known.commands == 0 {
            known.trees.clear();
            // Who removed it before is no reason to fail.
            let _removed = known.place.take().map(TempDir::close);
        }
    }
}

/// Where what has such a name lies below a directory; the directory itself for no name.
pub(super) fn within(directory: &Path, name: &str) -> PathBuf {
    let parts = name.split('/').filter(|part| !part.is_empty());
    parts.fold(directory.to_owned(), |place, part| place.join(part))
}

/// What a path below something that was fetched is called.
pub(in crate::collect) fn address_of(path: &Path) -> Option<String> {
    let known = fetched();
    known.trees.iter().find_map(|tree| {
        let below = path.strip_prefix(&tree.place).ok()?;
        let parts = below.iter().map(|part| format!("/{}", part.to_string_lossy()));
        Some(tree.address.clone() + &parts.collect::<String>())
    })
}

/// Where what is called so lies: an address that was fetched, or what is below one; other paths as they are.
pub(in crate::collect) fn place_of(called: &Path) -> PathBuf {
    let known = fetched();
    let text = called.to_string_lossy();
    let found = known.trees.iter().find_map(|tree| {
        let below = text.strip_prefix(tree.address.as_str())?;
        let is_below = below.is_empty() || below.starts_with('/');
        is_below.then(|| within(&tree.place, below))
    });
    found.unwrap_or_else(|| called.to_owned())
}

/// Whether a file has a size and no content, because no reader opens one of its name.
pub(in crate::collect) fn is_hollow(path: &Path) -> bool {
    fetched().trees.iter().any(|tree| tree.hollow.contains(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_was_not_fetched_stays_as_it_is() {
        for path in ["s3://bucket/a", "hf://datasets/o/d", "a/b", "a"] {
            assert_eq!(place_of(Path::new(path)), PathBuf::from(path));
            assert_eq!(address_of(Path::new(path)), None);
        }
    }
}
