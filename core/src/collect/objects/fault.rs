//! Why something could not be fetched.

/// Why nothing could be fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchFault {
    #[error("this build has no object stores")]
    NotBuilt,
    #[error("it is no address of a bucket and a prefix")]
    Malformed,
    #[error("no such bucket, prefix or object")]
    NotThere,
    #[error("access denied")]
    Denied,
    #[error("no credentials")]
    NoCredentials,
    #[error("it is no address of a repository")]
    NoRepositoryNamed,
    #[error("no such repository, or none that may be read")]
    NoRepository,
    #[error("no such revision")]
    NoRevision,
    #[error("neither a file nor a directory of the repository")]
    NoEntry,
    #[error("access to the repository has to be asked for")]
    Gated,
    #[error("the token is not accepted")]
    BadToken,
    #[error("HF_HUB_OFFLINE is set")]
    Offline,
    #[error("the store does not answer")]
    TimedOut,
    #[error("more objects than the limit `files`: {limit}")]
    TooMany { limit: usize },
    #[error("{mib} MiB, and the limit `fetched-mib` is {limit}")]
    TooLarge { mib: u64, limit: u64 },
    #[error("an object has a name that no file can have: {0}")]
    Name(String),
    #[error("{0}")]
    Broken(String),
}

/// What could not be fetched, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{address}` cannot be fetched: {fault}")]
pub struct NotFetched {
    pub address: String,
    pub fault: FetchFault,
}
