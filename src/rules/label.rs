//! The words of a rule.

use serde::Deserialize;

/// What a rule says to people: one text, or one for each language.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "words are a text, or { zh = \"…\", en = \"…\" }")]
pub enum Label {
    /// In any language.
    One(String),
    /// In either.
    Both {
        /// Chinese.
        zh: String,
        /// English.
        en: String,
    },
}

impl Label {
    /// The words, Chinese or English.
    pub fn text(&self, is_chinese: bool) -> &str {
        match self {
            Self::One(text) => text,
            Self::Both { zh, .. } if is_chinese => zh,
            Self::Both { en, .. } => en,
        }
    }
}
