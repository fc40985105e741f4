//! Runs in object stores: `s3://`, `gs://` and `az://` addresses become directories that last as long as a
//! command.
//!
//! What is read below such a directory is called by its address, wherever it is shown. Nothing is ever written to
//! a store.

#[cfg(feature = "object-stores")]
mod client;
pub(super) mod fault;
pub(super) mod fetched;
#[cfg(any(test, feature = "object-stores"))]
mod tree;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use fault::{FetchFault, NotFetched};
use fetched::{FetchedTree, fetched};

use crate::model::{Access, LABEL_MARK};

/// A bucket or container, and what is asked for of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) scheme: Scheme,
    pub(super) bucket: String,
    /// Without slashes around it; nothing for the whole bucket.
    pub(super) prefix: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    S3,
    Gs,
    Az,
}

impl Scheme {
    const ALL: [(&'static str, Self); 3] =
        [("s3://", Self::S3), ("gs://", Self::Gs), ("az://", Self::Az)];

    fn of(text: &str) -> Option<(&'static str, Self)> {
        Self::ALL.into_iter().find(|(start, _)| text.starts_with(start))
    }
}

impl Address {
    fn of(text: &str) -> Result<Self, FetchFault> {
        let (start, scheme) = Scheme::of(text).ok_or(FetchFault::Malformed)?;
        let below = &text[start.len()..];
        let (bucket, prefix) = below.split_once('/').unwrap_or((below, ""));
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        let mut parts =
            [bucket].into_iter().chain(prefix.split('/').filter(|_| !prefix.is_empty()));
        if !parts.all(is_name) {
            return Err(FetchFault::Malformed);
        }
        Ok(Self { scheme, bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }

    /// Where it lies below a directory: with all of its parts, so that runs are told apart by their names.
    fn below(&self, directory: &Path) -> PathBuf {
        let parts = self.prefix.split('/').filter(|part| !part.is_empty());
        parts.fold(directory.join(&self.bucket), |place, part| place.join(part))
    }
}

/// Whether a part of a name is that of one file or directory, and of nothing above or elsewhere.
pub(super) fn is_name(part: &str) -> bool {
    let mut parts = Path::new(part).components();
    let is_one = matches!(parts.next(), Some(Component::Normal(name)) if name == part);
    is_one && parts.next().is_none() && !part.contains(char::is_control)
}

/// Whether a path is the address of a place in an object store.
pub fn is_address(path: &Path) -> bool {
    path.to_str().is_some_and(|text| Scheme::of(text).is_some())
}

/// The path on this machine of what an address names, labels behind it included; other paths as they are.
///
/// # Errors
/// When the store does not hand it over.
pub fn fetch(given: &Path, access: &Access) -> Result<PathBuf, NotFetched> {
    let Some(text) = given.to_str().filter(|text| Scheme::of(text).is_some()) else {
        return Ok(given.to_owned());
    };
    let (text, labels) = match text.find(LABEL_MARK) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let failed = |fault| NotFetched { address: text.to_owned(), fault };
    let address = Address::of(text).map_err(failed)?;
    let local = fetch_once(text, &address, access).map_err(failed)?;
    let mut local = local.into_os_string();
    local.push(labels);
    Ok(local.into())
}

fn fetch_once(text: &str, address: &Address, access: &Access) -> Result<PathBuf, FetchFault> {
    let text = text.strip_suffix('/').unwrap_or(text);
    // Held meanwhile: what two commands ask for at once is fetched once.
    let mut known = fetched();
    if let Some(tree) = known.trees.iter().find(|tree| tree.address == text) {
        return Ok(tree.place.clone());
    }
    let broken = |error: std::io::Error| FetchFault::Broken(error.to_string());
    if known.place.is_none() {
        known.place = Some(tempfile::tempdir().map_err(broken)?);
    }
    let Some(place) = &known.place else { return Err(FetchFault::NotBuilt) };
    // Links resolved, as places of runs are.
    let place = place.path().canonicalize().map_err(broken)?;
    let own = address.below(&place.join(known.trees.len().to_string()));
    let hollow = hand_over(address, &own, access)?;
    known.trees.push(FetchedTree { address: text.to_owned(), place: own.clone(), hollow });
    Ok(own)
}

/// Fetches what an address names, and says which files are there with their sizes alone.
#[cfg(feature = "object-stores")]
fn hand_over(
    address: &Address,
    own: &Path,
    access: &Access,
) -> Result<BTreeSet<PathBuf>, FetchFault> {
    client::fetch(address, own, access.limits)
}

#[cfg(not(feature = "object-stores"))]
fn hand_over(
    _address: &Address,
    _own: &Path,
    _access: &Access,
) -> Result<BTreeSet<PathBuf>, FetchFault> {
    Err(FetchFault::NotBuilt)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = Address::of(text).ok();
        let found = found.as_ref().map(|own| (own.bucket.as_str(), own.prefix.as_str()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn an_address_names_a_bucket_and_what_lies_in_it() {
        check("s3://bucket", Some(("bucket", "")));
        check("gs://bucket/", Some(("bucket", "")));
        check("az://bucket/runs/a b", Some(("bucket", "runs/a b")));
        check("s3://bucket/runs/a/", Some(("bucket", "runs/a")));
        for none in [
            "s3://",
            "s3:///runs",
            "s3://..",
            "s3://b/../c",
            "s3://b//c",
            "s3://b/./c",
            "s3://b/a\nb",
        ] {
            check(none, None);
        }
    }
}
