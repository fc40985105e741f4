//! The ids of a table, one behind the other.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_64;

use crate::model::packed::Packed;

#[derive(Debug, Clone, Default)]
pub(super) struct Ids {
    text: String,
    /// Offsets in bytes; the ids of a large table exceed 4 GiB.
    ends: Vec<u64>,
    hashes: Vec<u64>,
}

impl Ids {
    pub(super) fn push(&mut self, id: &str) {
        self.text.push_str(id);
        self.ends.push(self.text.len() as u64);
        self.hashes.push(xxh3_64(id.as_bytes()));
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The id in that row; empty past the end.
    pub(super) fn get(&self, row: usize) -> &str {
        let start = match row.checked_sub(1) {
            None => 0,
            Some(before) => self.ends.get(before).copied().unwrap_or(0),
        };
        let end = self.ends.get(row).copied().unwrap_or(start);
        let bounds = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        bounds.and_then(|(start, end)| self.text.get(start..end)).unwrap_or_default()
    }

    pub(super) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Whether both have the same ids in the same order.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.ends == other.ends && self.text == other.text
    }

    pub(super) fn extend(&mut self, other: Self) {
        let base = self.text.len() as u64;
        self.text.push_str(&other.text);
        self.ends.extend(other.ends.iter().map(|end| base + end));
        self.hashes.extend(other.hashes);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.hashes.shrink_to_fit();
    }

    /// The ids themselves.
    fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|row| self.get(row))
    }
}

impl<'a> FromIterator<&'a str> for Ids {
    fn from_iter<T: IntoIterator<Item = &'a str>>(ids: T) -> Self {
        let mut all = Self::default();
        ids.into_iter().for_each(|id| all.push(id));
        all
    }
}

/// Ids as they are written: the first character of each, then all second ones, and so on. What ids
/// have in common stands side by side, and a counter costs little more than its last digit.
#[derive(Serialize, Deserialize)]
struct Written {
    /// Lengths in characters.
    lengths: Packed,
    characters: String,
}

impl Serialize for Ids {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lengths: Vec<u64> = self.iter().map(|id| id.chars().count() as u64).collect();
        let mut rows: Vec<_> = self.iter().map(str::chars).collect();
        let mut characters = String::with_capacity(self.text.len());
        while characters.len() < self.text.len() {
            characters.extend(rows.iter_mut().filter_map(Iterator::next));
        }
        Written { lengths: Packed::new(&lengths), characters }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Ids {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { lengths, characters } = Written::deserialize(deserializer)?;
        let no_ids = || D::Error::custom("ids that are none");
        let mut left: Vec<u64> = lengths.unpacked().ok_or_else(no_ids)?;
        let mut ids = vec![String::new(); left.len()];
        let mut characters = characters.chars().peekable();
        while characters.peek().is_some() {
            let mut is_stuck = true;
            for (id, left) in ids.iter_mut().zip(&mut left).filter(|(_, left)| **left > 0) {
                id.push(characters.next().ok_or_else(no_ids)?);
                *left -= 1;
                is_stuck = false;
            }
            if is_stuck {
                return Err(no_ids());
            }
        }
        if left.iter().any(|left| *left > 0) {
            return Err(no_ids());
        }
        Ok(ids.iter().map(String::as_str).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ids: &[&str]) {
        let written = serde_json::to_string(&ids.iter().copied().collect::<Ids>()).expect("JSON");
        let read: Ids = serde_json::from_str(&written).expect("ids");
        assert_eq!(read.iter().collect::<Vec<_>>(), ids, "{written}");
    }

    #[test]
    fn ids_come_back_as_they_were() {
        check(&[]);
        check(&["", ""]);
        check(&["q9", "q10", "", "题 11\n", "q10"]);
        for json in [
            r#"{"lengths":{"rows":1,"of":"values","digits":"B"},"characters":"ab"}"#,
            r#"{"lengths":{"rows":1,"of":"values","digits":"C"},"characters":"a"}"#,
            r#"{"lengths":{"rows":1,"of":"values","digits":"AB"},"characters":"a"}"#,
        ] {
            let ids = serde_json::from_str::<Ids>(json);
            assert_eq!(ids.is_ok(), json.contains("AB"), "{json}");
        }
    }
}
