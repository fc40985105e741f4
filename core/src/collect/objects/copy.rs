//! Files of an address, copied to a directory, whoever hands them over.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::stream::{self, Stream, StreamExt as _, TryStreamExt as _};

use super::fault::FetchFault;
use super::fetched::within;
use super::tree::Tree;
use crate::collect::discover::ENTRIES_A_FILE;
use crate::collect::watch;
use crate::model::Limits;

/// Files that are fetched at once.
const AT_ONCE: usize = 8;
/// Timeout while a server sends nothing.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);
/// How often a request is repeated that may do better the next time.
pub(super) const RETRIES: u32 = 3;

/// Who hands over what lies at one address.
pub(super) trait Source {
    /// How long it may say nothing.
    fn patience(&self) -> Duration {
        PATIENCE
    }

    /// Names below the address with their sizes in bytes; the name of a file that has the address itself is empty.
    async fn listed(&self, limits: Limits) -> Result<BTreeMap<String, u64>, FetchFault>;

    /// The content of a file, by its whole name below the bucket or repository.
    async fn open(
        &self,
        name: &str,
    ) -> Result<impl Stream<Item = Result<impl AsRef<[u8]>, FetchFault>> + Unpin, FetchFault>;
}

/// How many names may be listed.
pub(super) fn most_names(limits: Limits) -> usize {
    limits.files.saturating_mul(ENTRIES_A_FILE)
}

/// The next answer, if it comes in time.
pub(super) async fn in_time<T>(
    patience: Duration,
    answer: impl Future<Output = T>,
) -> Result<T, FetchFault> {
    tokio::time::timeout(patience, answer).await.map_err(|_| FetchFault::TimedOut)
}

/// Fetches what lies at an address, whose path below its bucket or repository this is: a file to the file `own`,
/// what lies below to the directory. Says which files are there with their sizes alone.
pub(super) async fn copied(
    source: &impl Source,
    path: &str,
    own: &Path,
    limits: Limits,
) -> Result<BTreeSet<PathBuf>, FetchFault> {
    let tree = Tree::of(&source.listed(limits).await?, limits)?;
    lay_out(&tree, own).map_err(|error| FetchFault::Name(error.to_string()))?;
    let each = tree.fetched.iter().map(|(below, bytes)| async move {
        let name = [path, below].join("/");
        copy(source, name.trim_matches('/'), &within(own, below), *bytes).await
    });
    stream::iter(each).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
    Ok(tree.hollow.keys().map(|name| within(own, name)).collect())
}

/// Makes all directories, and the files that nobody opens with their sizes alone.
fn lay_out(tree: &Tree, own: &Path) -> io::Result<()> {
    let files = tree.fetched.keys().chain(tree.hollow.keys()).map(|name| within(own, name));
    let above = files.filter_map(|file| file.parent().map(Path::to_owned));
    for directory in tree.directories.iter().map(|name| within(own, name)).chain(above) {
        fs::create_dir_all(directory)?;
    }
    for (name, bytes) in &tree.hollow {
        File::create_new(within(own, name))?.set_len(*bytes)?;
    }
    Ok(())
}

async fn copy(
    source: &impl Source,
    name: &str,
    place: &Path,
    bytes: u64,
) -> Result<(), FetchFault> {
    watch::note(Path::new(name), 0);
    let local = |error: io::Error| FetchFault::Broken(format!("`{name}`: {error}"));
    let of_it = |fault| match fault {
        FetchFault::Broken(reason) => FetchFault::Broken(format!("`{name}`: {reason}")),
        fault => fault,
    };
    // On file systems without case two objects may be one file.
    let mut file = File::create_new(place).map_err(local)?;
    let mut parts = source.open(name).await.map_err(of_it)?;
    let mut written = 0;
    while let Some(part) = in_time(source.patience(), parts.next()).await? {
        let part = part.map_err(of_it)?;
        let part = part.as_ref();
        written += part.len() as u64;
        watch::count(part.len() as u64);
        if written > bytes {
            break;
        }
        file.write_all(part).map_err(local)?;
    }
    let changed = || FetchFault::Broken(format!("`{name}` changed while it was read; try again"));
    if written == bytes { Ok(()) } else { Err(changed()) }
}

/// The text of an error and its causes, without the queries of addresses, which may be signatures.
pub(super) fn error_chain_text(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    let mut parts = text.split('?');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find([' ', ')', '"', '\n']).unwrap_or(part.len());
        kept.push_str(&part[end..]);
    }
    kept
}
