//! Asks a store for what lies below a prefix, and writes it to a directory.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path as Key;
use object_store::{ClientConfigKey, Error, ObjectStore, ObjectStoreExt as _, RetryConfig};

use super::fault::FetchFault;
use super::tree::Tree;
use super::{Address, Scheme};
use crate::collect::discover::ENTRIES_A_FILE;
use crate::collect::watch;
use crate::model::Limits;

/// Objects that are fetched at once.
const AT_ONCE: usize = 8;
/// How long a store may say nothing.
const PATIENCE: Duration = Duration::from_mins(1);
/// The client of the crate counts whole answers, which may be gigabytes.
const WHOLE_ANSWER: &str = "1day";
const RETRIES: usize = 3;

/// What is said of an address without an account, and by those who ask a machine for one that has none.
const SIGNS_OF_NO_CREDENTIALS: [&str; 5] =
    ["169.254.169.254", "/latest/api/token", "metadata", "credential", "ccount must be"];

/// Fetches what an address names: an object to the file `own`, what lies below a prefix to the directory. Says which
/// files are there with their sizes alone.
pub(super) fn fetch(
    address: &Address,
    own: &Path,
    limits: Limits,
) -> Result<BTreeSet<PathBuf>, FetchFault> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| FetchFault::Broken(error.to_string()))?;
    runtime.block_on(async {
        let store = store(address)?;
        let prefix = Key::parse(&address.prefix).map_err(|_| FetchFault::Malformed)?;
        let tree = Tree::of(&listed(&*store, &prefix, limits).await?, limits)?;
        let made = lay_out(&tree, own);
        made.map_err(|error| FetchFault::Name(error.to_string()))?;
        let each = tree.fetched.iter().map(|(name, bytes)| {
            let key = below(&prefix, name);
            let place = place(own, name);
            let store = &*store;
            async move { fetch_object(store, &key?, &place, *bytes).await }
        });
        stream::iter(each).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        Ok(tree.hollow.keys().map(|name| place(own, name)).collect())
    })
}

fn below(prefix: &Key, name: &str) -> Result<Key, FetchFault> {
    let whole = [prefix.as_ref(), name].join("/");
    Key::parse(whole.trim_matches('/')).map_err(|_| FetchFault::Name(format!("`{name}`")))
}

fn place(own: &Path, name: &str) -> PathBuf {
    name.split('/')
        .filter(|part| !part.is_empty())
        .fold(own.to_owned(), |place, part| place.join(part))
}

/// The store of an address, with what the environment says of credentials and endpoints.
fn store(address: &Address) -> Result<Box<dyn ObjectStore>, FetchFault> {
    let built = |error: Error| fault(&error);
    let retry =
        RetryConfig { max_retries: RETRIES, retry_timeout: PATIENCE, ..RetryConfig::default() };
    let timeout = ClientConfigKey::Timeout;
    Ok(match address.scheme {
        Scheme::S3 => {
            let builder = AmazonS3Builder::from_env().with_bucket_name(&address.bucket);
            let keys = [AmazonS3ConfigKey::Endpoint, AmazonS3ConfigKey::S3Endpoint];
            let endpoints = keys.iter().filter_map(|key| builder.get_config_value(key));
            let endpoints: Vec<String> = endpoints.collect();
            let is_plain = |endpoint: &String| endpoint.starts_with("http://");
            let is_known =
                |endpoint: &String| is_plain(endpoint) || endpoint.starts_with("https://");
            // The crate takes any other for an address, and ends the program by it.
            if !endpoints.iter().all(is_known) {
                return Err(FetchFault::Broken(
                    "AWS_ENDPOINT_URL does not begin with https:// or http://".to_owned(),
                ));
            }
            // Who names such an endpoint asks for it.
            let is_plain = endpoints.iter().any(is_plain);
            let builder = if is_plain { builder.with_allow_http(true) } else { builder };
            let builder = builder.with_config(AmazonS3ConfigKey::Client(timeout), WHOLE_ANSWER);
            Box::new(builder.with_retry(retry).build().map_err(built)?)
        }
        Scheme::Gs => {
            let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(&address.bucket);
            let builder = builder.with_config(GoogleConfigKey::Client(timeout), WHOLE_ANSWER);
            Box::new(builder.with_retry(retry).build().map_err(built)?)
        }
        Scheme::Az => {
            let builder = MicrosoftAzureBuilder::from_env().with_container_name(&address.bucket);
            let builder = builder.with_config(AzureConfigKey::Client(timeout), WHOLE_ANSWER);
            Box::new(builder.with_retry(retry).build().map_err(built)?)
        }
    })
}

/// The next answer, if it comes in time.
async fn in_time<T>(answer: impl Future<Output = T>) -> Result<T, FetchFault> {
    tokio::time::timeout(PATIENCE, answer).await.map_err(|_| FetchFault::TimedOut)
}

/// Names and sizes of what lies below a prefix, or of the object of that name.
async fn listed(
    store: &dyn ObjectStore,
    prefix: &Key,
    limits: Limits,
) -> Result<BTreeMap<String, u64>, FetchFault> {
    let mut found = BTreeMap::new();
    let most = limits.files.saturating_mul(ENTRIES_A_FILE);
    let mut answers = store.list(Some(prefix));
    while let Some(object) = in_time(answers.next()).await? {
        let object = object.map_err(|error| fault(&error))?;
        let name = object.location.as_ref();
        let name = name.strip_prefix(prefix.as_ref()).unwrap_or(name);
        found.insert(name.strip_prefix('/').unwrap_or(name).to_owned(), object.size);
        if found.len() > most {
            return Err(FetchFault::TooMany { limit: limits.files });
        }
    }
    if found.is_empty() && !prefix.as_ref().is_empty() {
        let object = in_time(store.head(prefix)).await?.map_err(|error| fault(&error))?;
        found.insert(String::new(), object.size);
    }
    if found.is_empty() { Err(FetchFault::NotThere) } else { Ok(found) }
}

/// Makes all directories, and the files that nobody opens with their sizes alone.
fn lay_out(tree: &Tree, own: &Path) -> std::io::Result<()> {
    let files = tree.fetched.keys().chain(tree.hollow.keys()).map(|name| place(own, name));
    let above = files.filter_map(|file| file.parent().map(Path::to_owned));
    for directory in tree.directories.iter().map(|name| place(own, name)).chain(above) {
        fs::create_dir_all(directory)?;
    }
    for (name, bytes) in &tree.hollow {
        File::create_new(place(own, name))?.set_len(*bytes)?;
    }
    Ok(())
}

async fn fetch_object(
    store: &dyn ObjectStore,
    key: &Key,
    place: &Path,
    bytes: u64,
) -> Result<(), FetchFault> {
    watch::note(Path::new(key.as_ref()), 0);
    let local = |error: std::io::Error| FetchFault::Broken(format!("`{key}`: {error}"));
    // On file systems without case two objects may be one file.
    let mut file = File::create_new(place).map_err(local)?;
    let object = in_time(store.get(key)).await?.map_err(|error| fault(&error))?;
    let (mut parts, mut written) = (object.into_stream(), 0);
    while let Some(part) = in_time(parts.next()).await? {
        let part = part.map_err(|error| fault(&error))?;
        written += part.len() as u64;
        watch::count(part.len() as u64);
        if written > bytes {
            break;
        }
        file.write_all(&part).map_err(local)?;
    }
    let changed = || FetchFault::Broken(format!("`{key}` changed while it was read; try again"));
    if written == bytes { Ok(()) } else { Err(changed()) }
}

fn fault(error: &Error) -> FetchFault {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    let text = without_queries(&text);
    match error {
        Error::NotFound { .. } => FetchFault::NotThere,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => FetchFault::Denied,
        Error::InvalidPath { source } => FetchFault::Name(source.to_string()),
        // Of lists that are not given the crate says no more.
        _ if text.contains(" 404 Not Found") => FetchFault::NotThere,
        _ if [" 401 ", " 403 "].iter().any(|status| text.contains(status)) => FetchFault::Denied,
        _ if SIGNS_OF_NO_CREDENTIALS.iter().any(|sign| text.contains(sign)) => {
            FetchFault::NoCredentials
        }
        _ if text.contains("timed out") => FetchFault::TimedOut,
        _ => FetchFault::Broken(text),
    }
}

/// A text without what stands behind `?` in addresses, which may be a signature.
fn without_queries(text: &str) -> String {
    let mut parts = text.split('?');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find([' ', ')', '"', '\n']).unwrap_or(part.len());
        kept.push_str(&part[end..]);
    }
    kept
}
