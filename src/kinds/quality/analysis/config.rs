//! What `reportgen.toml` declares for this command.

use serde::Deserialize;

use crate::conditions::{Condition, ConditionLabel};

/// The tables of this command.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Tables {
    #[serde(default)]
    pub quality: QualityTable,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QualityTable {
    /// Files of patterns, beside the configuration file unless absolute.
    #[serde(default)]
    pub patterns: OneOrMany,
    #[serde(default)]
    pub suggestion: Vec<Suggestion>,
}

/// One text or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    /// `patterns = "a.toml"`.
    One(String),
    /// `patterns = ["a.toml", "b.toml"]`.
    Many(Vec<String>),
}

impl Default for OneOrMany {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl OneOrMany {
    pub fn texts(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Many(texts) => texts,
        }
    }
}

/// What somebody advises when a condition holds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suggestion {
    pub when: Condition,
    #[serde(deserialize_with = "some_words")]
    pub text: ConditionLabel,
}

fn some_words<'de, D: serde::Deserializer<'de>>(wire: D) -> Result<ConditionLabel, D::Error> {
    let label = ConditionLabel::deserialize(wire)?;
    if label.is_blank() {
        return Err(serde::de::Error::custom("the text of a suggestion is empty"));
    }
    Ok(label)
}
