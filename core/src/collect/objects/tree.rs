//! Names of objects as the files and directories that a walk will meet, and which of them have to be fetched.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;

use super::address::is_name;
use super::fault::FetchFault;
use crate::collect::discover::{enters, opens};
use crate::model::Limits;

/// Files and directories below a prefix; the name of the object itself is empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tree {
    /// With their sizes: those that a reader may open.
    pub(super) fetched: BTreeMap<String, u64>,
    /// Those that the walk passes over by their names.
    pub(super) hollow: BTreeMap<String, u64>,
    /// Those that the walk does not enter.
    pub(super) directories: BTreeSet<String>,
}

impl Tree {
    /// # Errors
    /// When a name is not that of a file, or there is more than the limits let be fetched.
    pub(super) fn of(objects: &BTreeMap<String, u64>, limits: Limits) -> Result<Self, FetchFault> {
        let mut tree = Self::default();
        for (name, bytes) in objects {
            let next = format!("{name}/");
            let is_prefix = name.is_empty() && objects.len() > 1
                || objects
                    .range(next.clone()..)
                    .next()
                    .is_some_and(|(other, _)| other.starts_with(&next));
            match (is_prefix, bytes) {
                // What consoles write to show a directory.
                (true, 0) => {}
                (true, _) => {
                    let both = format!("`{name}` is an object, and a prefix of others");
                    return Err(FetchFault::Name(both));
                }
                (false, _) => tree.place(name, *bytes, limits)?,
            }
        }
        if tree.fetched.len() + tree.hollow.len() > limits.files {
            return Err(FetchFault::TooMany { limit: limits.files });
        }
        let bytes = tree.fetched.values().fold(0_u64, |sum, bytes| sum.saturating_add(*bytes));
        if bytes > limits.fetched_mib.saturating_mul(1 << 20) {
            return Err(FetchFault::TooLarge {
                mib: bytes.div_ceil(1 << 20),
                limit: limits.fetched_mib,
            });
        }
        Ok(tree)
    }

    fn place(&mut self, name: &str, bytes: u64, limits: Limits) -> Result<(), FetchFault> {
        if name.is_empty() {
            self.fetched.insert(String::new(), bytes);
            return Ok(());
        }
        let parts: Vec<&str> = name.split('/').collect();
        if let Some(odd) = parts.iter().find(|part| !is_name(part)) {
            return Err(FetchFault::Name(format!("`{odd}` in `{name}`")));
        }
        let above = &parts[..parts.len() - 1];
        let closed = above.iter().position(|part| !enters(OsStr::new(part)));
        let deep = (above.len() > limits.depth).then_some(limits.depth);
        if let Some(last) = closed.into_iter().chain(deep).min() {
            self.directories.insert(parts[..=last].join("/"));
        } else if opens(Path::new(name)) {
            self.fetched.insert(name.to_owned(), bytes);
        } else {
            self.hollow.insert(name.to_owned(), bytes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(objects: &[(&str, u64)], limits: Limits) -> Result<Tree, FetchFault> {
        let objects = objects.iter().map(|(name, bytes)| ((*name).to_owned(), *bytes));
        Tree::of(&objects.collect(), limits)
    }

    fn refused(objects: &[(&str, u64)], said: &str) {
        let limits = Limits { files: 3, fetched_mib: 1, ..Limits::default() };
        let fault = tree(objects, limits).expect_err(said).to_string();
        assert!(fault.contains(said), "{fault}");
    }

    #[test]
    fn only_what_a_walk_would_open_is_fetched() {
        let objects = [
            ("", 0),
            ("config.yaml", 1),
            ("sub", 0),
            ("sub/samples.jsonl.gz", 2),
            ("sub/model.safetensors", 1 << 40),
            (".git/objects/a", 3),
            ("node_modules/a.json", 4),
            (".hydra/config.yaml", 5),
        ];
        let tree = tree(&objects, Limits { fetched_mib: 1, ..Limits::default() }).expect("a tree");
        let names = |of: &BTreeMap<String, u64>| of.keys().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(names(&tree.fetched), ".hydra/config.yaml config.yaml sub/samples.jsonl.gz");
        assert_eq!(names(&tree.hollow), "sub/model.safetensors");
        assert_eq!(tree.directories, [".git", "node_modules"].map(str::to_owned).into());
    }

    #[test]
    fn directories_below_the_limit_are_there_and_empty() {
        let tree = tree(&[("a/b/c/d.json", 1)], Limits { depth: 1, ..Limits::default() });
        assert_eq!(tree.expect("a tree").directories, ["a/b".to_owned()].into());
    }

    #[test]
    fn what_no_directory_can_hold_is_refused() {
        refused(&[("a", 1), ("a/b", 1)], "`a` is an object");
        refused(&[("", 1), ("a", 1)], "`` is an object");
        for name in ["../a", "a/../b", "/etc/a", "a//b", "a/\u{1}b", "./a"] {
            refused(&[(name, 1)], "no file can have");
        }
    }

    #[test]
    fn what_passes_a_limit_is_refused_before_it_is_fetched() {
        refused(&[("a", 1), ("b", 1), ("c", 1), ("d", 1)], "limit `files`");
        refused(&[("a", 1 << 20), ("b", 1)], "2 MiB");
    }
}
