//! Configuration flattened key by key.

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use super::Source;

/// One configuration value.
#[derive(Debug, Clone, PartialEq)]
pub enum ConfigValue {
    /// Written down as nothing.
    Null,
    /// A switch.
    Bool(bool),
    /// A number, and the text it was written as.
    Number(f64, String),
    /// A text.
    Text(String),
    /// A list; nested tables in lists are flattened by position instead.
    List(Vec<Self>),
}

impl ConfigValue {
    /// Whether two values mean the same: `5e-6` is `0.000005`, `1` is `1.0`, `true` is `yes`,
    /// and a number is the text that spells it.
    pub fn same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(a), Self::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_as(b))
            }
            (Self::List(_), _) | (_, Self::List(_)) => false,
            _ => match (self.as_number(), other.as_number()) {
                (Some(a), Some(b)) => a == b,
                (None, None) => match (self.as_bool(), other.as_bool()) {
                    (Some(a), Some(b)) => a == b,
                    (None, None) => self.as_text() == other.as_text(),
                    _ => false,
                },
                _ => false,
            },
        }
    }

    fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number, _) => Some(*number),
            Self::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            _ => None,
        }
    }

    fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            Self::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" => Some(true),
                "false" | "no" | "off" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text.trim()),
            _ => None,
        }
    }
}

impl std::fmt::Display for ConfigValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(_, text) | Self::Text(text) => f.write_str(text),
            Self::List(items) => {
                f.write_str("[")?;
                for (position, item) in items.iter().enumerate() {
                    if position > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
        }
    }
}

impl Serialize for ConfigValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number, _) if number.fract() == 0.0 && number.abs() < 9e15 =>
            {
                #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
                serializer.serialize_i64(*number as i64)
            }
            Self::Number(number, _) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
        }
    }
}

/// A value and where it stood.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfigEntry {
    /// The value.
    pub value: ConfigValue,
    /// Where it was read.
    pub source: Source,
}

/// Flattened configuration: dotted keys in the order they were read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config(IndexMap<String, ConfigEntry>);

impl Config {
    /// Adds a key; the first writer wins. Returns whether the key was new.
    pub fn insert(&mut self, key: String, entry: ConfigEntry) -> bool {
        match self.0.entry(key) {
            indexmap::map::Entry::Occupied(_) => false,
            indexmap::map::Entry::Vacant(slot) => {
                slot.insert(entry);
                true
            }
        }
    }

    /// The entry of that dotted key.
    pub fn get(&self, key: &str) -> Option<&ConfigEntry> {
        self.0.get(key)
    }

    /// Entries in the order they were read.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ConfigEntry)> {
        self.0.iter().map(|(key, entry)| (key.as_str(), entry))
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Drops the keys that `keep` refuses.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.0.retain(|key, _| keep(key));
    }

    /// Adds what `other` has and this one has not.
    pub fn merge(&mut self, other: Self) {
        for (key, entry) in other.0 {
            self.insert(key, entry);
        }
    }
}

impl IntoIterator for Config {
    type Item = (String, ConfigEntry);
    type IntoIter = indexmap::map::IntoIter<String, ConfigEntry>;

    /// Entries in the order they were read.
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
