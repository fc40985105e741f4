//! Why a command does not do what it was asked for, as a value that reads in any language.

use std::error::Error;
use std::fmt;
use std::io;
use std::num::{ParseFloatError, ParseIntError};

use super::Catalogue;
use crate::diag::{Fact, nearest_name};

/// A text of the catalogues with the facts that belong in it. As an [`Error`] it reads in English.
#[derive(Debug)]
pub struct Refusal {
    key: &'static str,
    facts: Vec<(&'static str, Fact)>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl Refusal {
    /// The refusal whose text is `key` of the catalogues.
    pub fn new(key: &'static str) -> Self {
        Self { key, facts: Vec::new(), source: None }
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, fact: impl Into<Fact>) -> Self {
        self.facts.push((name, fact.into()));
        self
    }

    /// With the names that come close to an unknown one, for `{near}`, and all of them in `{known}`.
    #[must_use]
    pub fn among(self, unknown: &str, known: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let known: Vec<String> = known.into_iter().map(Into::into).collect();
        self.with("near", nearest_name(unknown, known.iter().cloned())).with("known", known)
    }

    /// The key of its text.
    pub fn key(&self) -> &'static str {
        self.key
    }

    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    pub fn in_words(&self, words: &Catalogue) -> String {
        let facts = self.facts.iter();
        let said = |name: &str| {
            let (_, fact) = facts.clone().find(|(known, _)| *known == name)?;
            Some(words.fact(name, fact))
        };
        super::fill(&words.get(self.key), words.lang, said)
    }
}

/// A cause and the causes behind it in one line: what is known by its kind in those words, all else
/// as it says itself.
pub fn causes(error: &(dyn Error + 'static), words: &Catalogue) -> String {
    let mut message = String::new();
    let mut cause = Some(error);
    while let Some(error) = cause {
        let text = cause_in_words(error, words);
        if !message.contains(&text) {
            let colon = if message.is_empty() { "" } else { &words.get("punctuation.colon") };
            message = format!("{message}{colon}{text}");
        }
        cause = error.source();
    }
    message
}

fn cause_in_words(error: &(dyn Error + 'static), words: &Catalogue) -> String {
    if let Some(refusal) = error.downcast_ref::<Refusal>() {
        return refusal.in_words(words);
    }
    let failed = error.downcast_ref::<io::Error>();
    if let Some(refusal) = failed.and_then(|error| error.get_ref()?.downcast_ref::<Refusal>()) {
        return refusal.in_words(words);
    }
    let key = match failed.map(io::Error::kind) {
        Some(io::ErrorKind::NotFound) => "refused.not-found",
        Some(io::ErrorKind::PermissionDenied) => "refused.permission",
        Some(io::ErrorKind::IsADirectory) => "refused.is-directory",
        Some(io::ErrorKind::StorageFull) => "refused.disk-full",
        Some(io::ErrorKind::QuotaExceeded) => "refused.quota",
        Some(io::ErrorKind::FileTooLarge) => "refused.size-limit",
        Some(io::ErrorKind::InvalidData) => "refused.not-text",
        _ if error.is::<ParseFloatError>() => "refused.not-a-number",
        _ if error.is::<ParseIntError>() => "refused.not-whole",
        _ => return error.to_string(),
    };
    words.get(key)
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(Catalogue::english()))
    }
}

impl Error for Refusal {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::LANGUAGES;

    #[test]
    fn a_refusal_asks_for_names_that_come_close_and_is_silent_where_none_does() {
        let refused = |unknown| {
            Refusal::new("refused.axis").with("axis", unknown).among(unknown, ["shot", "epoch"])
        };
        assert!(refused("shots").to_string().contains("did you mean `shot`?"));
        assert!(!refused("temperature").to_string().contains("did you mean"));
    }

    #[test]
    fn causes_stand_behind_each_other_in_the_language_asked_for() {
        for lang in LANGUAGES {
            let words = Catalogue::shipped(lang);
            let gone = io::Error::from(io::ErrorKind::NotFound);
            let refused = Refusal::new("refused.cannot-read").with("path", "a.toml").because(gone);
            let expected = [
                words.fill("refused.cannot-read", &[("path", "a.toml")]),
                words.get("refused.not-found"),
            ];
            assert_eq!(causes(&refused, words), expected.join(&words.get("punctuation.colon")));
        }
    }
}
