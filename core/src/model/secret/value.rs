//! Values of configurations.

use std::borrow::Cow;

use super::names::{self, Named};
use super::text::{without_named_secrets, without_secrets};
use super::{MASK, Masked};
use crate::model::keys::{leaf, plain};

/// Words in the name of a key whose value may be random characters and no secret.
pub(super) const IDENTITIES: &[&str] = &[
    "checksum",
    "commit",
    "digest",
    "etag",
    "fingerprint",
    "hash",
    "id",
    "ids",
    "image",
    "md5",
    "path",
    "revision",
    "sha",
    "sha1",
    "sha256",
    "sha512",
    "uuid",
    "version",
];

/// Whether the key of a configuration names its whole value a credential.
pub fn is_secret(key: &str, text: &str) -> bool {
    let Some(named) = names::of_key(key) else { return false };
    let name = plain(leaf(key));
    !names::is_harmless(&name, text) && (named != Named::Softly || text.parse::<f64>().is_err())
}

/// The value of a key with each credential in it replaced; `None` where it holds none.
pub(in crate::model) fn masked_value(key: &str, text: &str) -> Option<Masked> {
    let name = plain(leaf(key));
    let mut words = name.split('_');
    let is_hex = text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let shown = if is_secret(key, text) || (is_hex && words.clone().any(|word| word == "key")) {
        Cow::Borrowed(MASK)
    } else if words.any(|word| IDENTITIES.contains(&word)) {
        without_named_secrets(text)
    } else {
        without_secrets(text)
    };
    (shown != text).then(|| Masked { written: Some(text.to_owned()), shown: shown.into_owned() })
}
