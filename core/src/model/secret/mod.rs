//! Credentials that runs record: which texts are some, and what stands in their place.
//!
//! Owns names, shapes and the look of random characters; the lists are documented in
//! `docs/formats.md`. Texts pass here twice: configurations and logs when they are read, with all
//! that is known of them ([`masked_value`], [`without_secrets`]), and everything when it is written
//! ([`without_evident_secrets`]).

mod address;
mod clues;
mod commands;
mod named;
mod names;
mod shapes;
mod shell;
mod text;
mod value;

pub(super) use commands::masked_words;
pub use names::names_secret;
pub use text::{without_evident_secrets, without_secrets};
pub use value::is_secret;
pub(super) use value::masked_value;

use std::fmt;

/// What is shown of a credential.
const MASK: &str = "•••";

/// A text of which a part must not be shown. It is compared as it was written, where that is known,
/// and nothing but [`Masked::shown`] can be read of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Masked {
    /// `None` where it comes from a file that holds no credentials.
    written: Option<String>,
    shown: String,
}

impl Masked {
    pub(super) fn whole(written: String) -> Self {
        Self { written: Some(written), shown: MASK.to_owned() }
    }

    /// A text of which only that is known.
    pub(super) fn of_shown(shown: String) -> Self {
        Self { written: None, shown }
    }

    /// The text with each credential replaced by `•••`.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    pub fn same_as(&self, other: &Self) -> bool {
        match (&self.written, &other.written) {
            (Some(written), Some(other)) => written == other,
            _ => self.shown == other.shown,
        }
    }
}

impl fmt::Debug for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Masked").field(&self.shown).finish()
    }
}

#[cfg(test)]
mod tests;
