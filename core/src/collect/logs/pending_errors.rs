//! An error from its first line until it is counted.

use super::cut::{bounded_message, message_template};
use crate::model::logs::{Place, Signature, SignatureKey};
use crate::model::without_secrets;

/// Most characters of an example.
const EXAMPLE: usize = 1500;

/// An error that may turn out to be the beginning of another one.
#[derive(Debug, Default)]
pub(super) struct PendingError {
    pub(super) key: SignatureKey,
    pub(super) line: u64,
    pub(super) example: String,
    pub(super) raised_at: Option<String>,
    pub(super) causes: Vec<SignatureKey>,
    pub(super) has_traceback: bool,
    /// A connector came: the next traceback goes on with the chain.
    pub(super) connected: bool,
    /// How many lines it stands for, by Ray's count.
    pub(super) times: u64,
}

#[derive(Debug)]
pub(super) struct CountedError {
    pub(super) key: SignatureKey,
    pub(super) line: u64,
    pub(super) has_traceback: bool,
}

/// What makes errors one; a signature is shown, so credentials are masked before it is cut.
pub(super) fn signature(kind: &str, message: &str) -> SignatureKey {
    // Python writes `builtins.` where an exception crossed a process.
    let kind = kind.strip_prefix("builtins.").unwrap_or(kind);
    SignatureKey {
        kind: kind.to_owned(),
        template: message_template(kind, &without_secrets(message)),
    }
}

/// An error without a traceback, so far.
pub(super) fn announced(kind: &str, message: &str, rest: &str, line: u64) -> PendingError {
    PendingError {
        key: signature(kind, message),
        line,
        example: rest.trim().to_owned(),
        times: 1,
        ..PendingError::default()
    }
}

/// An example as it is shown: bounded, without credentials.
pub(super) fn shown(text: &str) -> String {
    bounded_message(&without_secrets(text), EXAMPLE)
}

pub(super) fn first(
    first: Place,
    example: &str,
    raised_at: Option<String>,
    causes: Vec<SignatureKey>,
) -> Signature {
    Signature { first, example: shown(example), raised_at, causes, ..Signature::default() }
}
