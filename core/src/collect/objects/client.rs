//! Object stores: what lies below a prefix, and what is in it.

use std::collections::BTreeMap;

use futures_util::stream::{Stream, StreamExt as _, TryStreamExt as _};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path as Key;
use object_store::{ClientConfigKey, Error, ObjectStore, ObjectStoreExt as _, RetryConfig};

use super::address::{Bucket, Scheme};
use super::copy::{PATIENCE, RETRIES, Source, error_chain_text, in_time, most_names};
use super::fault::FetchFault;
use crate::model::Limits;

/// The client of the crate counts whole answers, which may be gigabytes.
const WHOLE_ANSWER: &str = "1day";

/// What is said of an address without an account, and by those who ask a machine for one that has none.
const SIGNS_OF_NO_CREDENTIALS: [&str; 5] =
    ["169.254.169.254", "/latest/api/token", "metadata", "credential", "ccount must be"];

/// What lies below a prefix of a store.
pub(super) struct Store {
    store: Box<dyn ObjectStore>,
    prefix: Key,
}

impl Store {
    /// # Errors
    /// When the environment says too little of it, or the prefix is none.
    pub(super) fn of(address: &Bucket) -> Result<Self, FetchFault> {
        let prefix = Key::parse(&address.prefix).map_err(|_| FetchFault::Malformed)?;
        Ok(Self { store: store(address)?, prefix })
    }
}

impl Source for Store {
    async fn listed(&self, limits: Limits) -> Result<BTreeMap<String, u64>, FetchFault> {
        let prefix = self.prefix.as_ref();
        let mut found = BTreeMap::new();
        let mut answers = self.store.list(Some(&self.prefix));
        while let Some(object) = in_time(PATIENCE, answers.next()).await? {
            let object = object.map_err(|error| fault(&error))?;
            let name = object.location.as_ref();
            let name = name.strip_prefix(prefix).unwrap_or(name);
            found.insert(name.strip_prefix('/').unwrap_or(name).to_owned(), object.size);
            if found.len() > most_names(limits) {
                return Err(FetchFault::TooMany { limit: limits.files });
            }
        }
        if found.is_empty() && !prefix.is_empty() {
            let object = in_time(PATIENCE, self.store.head(&self.prefix)).await?;
            found.insert(String::new(), object.map_err(|error| fault(&error))?.size);
        }
        if found.is_empty() { Err(FetchFault::NotThere) } else { Ok(found) }
    }

    async fn open(
        &self,
        name: &str,
    ) -> Result<impl Stream<Item = Result<impl AsRef<[u8]>, FetchFault>> + Unpin, FetchFault> {
        let key = Key::parse(name).map_err(|_| FetchFault::Name(format!("`{name}`")))?;
        let object =
            in_time(PATIENCE, self.store.get(&key)).await?.map_err(|error| fault(&error))?;
        Ok(object.into_stream().map_err(|error| fault(&error)))
    }
}

/// The store of an address, with what the environment says of credentials and endpoints.
fn store(address: &Bucket) -> Result<Box<dyn ObjectStore>, FetchFault> {
    let built = |error: Error| fault(&error);
    let retry = RetryConfig {
        max_retries: RETRIES as usize,
        retry_timeout: PATIENCE,
        ..RetryConfig::default()
    };
    let timeout = ClientConfigKey::Timeout;
    Ok(match address.scheme {
        Scheme::S3 => {
            let builder = AmazonS3Builder::from_env().with_bucket_name(&address.name);
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
            let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(&address.name);
            let builder = builder.with_config(GoogleConfigKey::Client(timeout), WHOLE_ANSWER);
            Box::new(builder.with_retry(retry).build().map_err(built)?)
        }
        Scheme::Az => {
            let builder = MicrosoftAzureBuilder::from_env().with_container_name(&address.name);
            let builder = builder.with_config(AzureConfigKey::Client(timeout), WHOLE_ANSWER);
            Box::new(builder.with_retry(retry).build().map_err(built)?)
        }
    })
}

fn fault(error: &Error) -> FetchFault {
    let text = error_chain_text(error);
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
