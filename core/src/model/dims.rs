//! Grid coordinates: epoch, step, shots, sample count, filter.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use crate::diag::Fact;
use crate::quantity::serialize_number;

/// One coordinate. Numbers sort as numbers, before texts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum DimValue {
    Number(f64),
    Text(String),
}

impl DimValue {
    /// Reads a coordinate as it stands in a key or a table: a number where it is one.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Self::Number(number),
            _ => Self::Text(text.to_owned()),
        }
    }

    /// What stands for the value of a setting that does not apply.
    pub fn none() -> Self {
        Self::Text("-".to_owned())
    }

    /// Whether a cell says that its column does not apply, or nothing.
    pub fn is_none(text: &str) -> bool {
        const MARKS: &[&str] = &["", "-", "–", "—", "/", "n/a", "none", "无"];
        MARKS.iter().any(|mark| text.trim().eq_ignore_ascii_case(mark))
    }

    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(_) => None,
        }
    }
}

impl Eq for DimValue {}

impl Ord for DimValue {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(_)) => Ordering::Greater,
        }
    }
}

impl PartialOrd for DimValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for DimValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl From<&DimValue> for Fact {
    fn from(value: &DimValue) -> Self {
        match value {
            DimValue::Number(number) => Self::Number(*number),
            DimValue::Text(text) => Self::Text(text.clone()),
        }
    }
}

impl Serialize for DimValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serialize_number(number, serializer),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// Grid coordinates by name, ordered by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Dims(BTreeMap<String, DimValue>);

impl Dims {
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds or replaces a coordinate.
    #[must_use]
    pub fn with(mut self, name: &str, value: DimValue) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    pub fn insert(&mut self, name: &str, value: DimValue) {
        self.0.insert(name.to_owned(), value);
    }

    pub fn get(&self, name: &str) -> Option<&DimValue> {
        self.0.get(name)
    }

    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        let mut rest = self.clone();
        rest.0.remove(name);
        rest
    }

    #[must_use]
    pub fn without_all(&self, names: &[String]) -> Self {
        let mut rest = self.clone();
        rest.0.retain(|name, _| !names.contains(name));
        rest
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &DimValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Display for Dims {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (position, (name, value)) in self.iter().enumerate() {
            if position > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{name}={value}")?;
        }
        Ok(())
    }
}
