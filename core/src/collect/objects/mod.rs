//! Runs in object stores and repositories: `s3://`, `gs://`, `az://` and `hf://` addresses become directories that
//! last as long as a command.
//!
//! What is read below such a directory is called by its address, wherever it is shown. Nothing is ever written to
//! a store or a repository.

mod address;
#[cfg(feature = "object-stores")]
mod client;
#[cfg(feature = "object-stores")]
mod copy;
pub(super) mod fault;
pub(super) mod fetched;
#[cfg(feature = "object-stores")]
mod hub;
#[cfg(feature = "object-stores")]
mod hub_settings;
#[cfg(any(test, feature = "object-stores"))]
mod tree;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use address::Address;
use fault::{FetchFault, NotFetched};
use fetched::{FetchedTree, fetched, within};

use crate::model::{Access, LABEL_MARK, Limits};

/// Whether a path is the address of a place in an object store or a repository.
pub fn is_address(path: &Path) -> bool {
    path.to_str().is_some_and(address::is_address)
}

/// The path on this machine of what an address names, labels behind it included; other paths as they are.
///
/// # Errors
/// When the store does not hand it over.
pub fn fetch(given: &Path, access: &Access) -> Result<PathBuf, NotFetched> {
    let Some(text) = given.to_str().filter(|text| address::is_address(text)) else {
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
    // Below all parts of its address, so that runs are told apart by their names.
    let parts = text.split_once("://").map_or(text, |(_, parts)| parts);
    let own = within(&place.join(known.trees.len().to_string()), parts);
    let hollow = hand_over(address, &own, access.limits)?;
    known.trees.push(FetchedTree { address: text.to_owned(), place: own.clone(), hollow });
    Ok(own)
}

/// Fetches what an address names, and says which files are there with their sizes alone.
#[cfg(feature = "object-stores")]
fn hand_over(
    address: &Address,
    own: &Path,
    limits: Limits,
) -> Result<BTreeSet<PathBuf>, FetchFault> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| FetchFault::Broken(error.to_string()))?;
    runtime.block_on(async {
        match address {
            Address::Bucket(bucket) => {
                copy::copied(&client::Store::of(bucket)?, &bucket.prefix, own, limits).await
            }
            Address::Repository(repository) => {
                let hub = hub::Hub::of(repository).await?;
                copy::copied(&hub, &repository.path, own, limits).await
            }
        }
    })
}

#[cfg(not(feature = "object-stores"))]
fn hand_over(
    _address: &Address,
    _own: &Path,
    _limits: Limits,
) -> Result<BTreeSet<PathBuf>, FetchFault> {
    Err(FetchFault::NotBuilt)
}
